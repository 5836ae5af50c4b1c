# SPDX-License-Identifier: GPL-3.0-or-later
"""Moments, stored energy and damping of relaxed joints. Every joint has one potential: a weak spring to its rest, and tissue
whose moment grows exponentially past the end of its range. The moment is the potential's gradient, so that the joints give back
no more than was put in. While a control step holds it, it changes; what it changes by is taken as damping, stiffness times step,
for the engine to treat implicitly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...bodies.body import Body, PassiveJoint, Segment
from ...maths.rotations import plane_angle, quat_conjugate, quat_from_rotvec, quat_multiply
from ...specs.settings import FIRST_GUESS, Checked, setting

END_WIDTH_RAD = np.radians(6.0)
"""Angle past the end of a range over which the moment grows e-fold (Riener and Edrich 1999: 6.7 degrees, a stretched knee)."""
LEAST_SHARE, MOST_SHARE = 0.08, 0.2
"""That angle over the range, at least and at most: beyond, the middle of the range would not be free."""
MOST_WIDTHS = 4.0
"""From so many widths past the end on the moment grows linearly: 55 times that at the end."""


def end_share(range_rad: np.ndarray) -> np.ndarray:
    """How much farther out, over the range [rad], a joint is when the moment past its end has grown e-fold."""
    return np.clip(END_WIDTH_RAD / range_rad, LEAST_SHARE, MOST_SHARE)


def past_end(out: np.ndarray, share: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Energy, its slope and its bend by `out`, the square of how far out of its range a joint is (1: at its end). By how far out
    it is, not squared, the slope is 1 at the end and grows e-fold every `share`."""
    widths = (out - 1.0) / (2.0 * share)
    grown = np.exp(np.minimum(widths, MOST_WIDTHS))
    more = np.maximum(widths - MOST_WIDTHS, 0.0)
    return share * grown * (1.0 + more + 0.5 * more**2), 0.5 * grown * (1.0 + more), grown / (4.0 * share)


def rotation_vector(quat: np.ndarray) -> np.ndarray:
    """Rotation vectors (K, 3) [rad], the shorter way, of unit quaternions (K, 4)."""
    quat = np.where(quat[:, :1] < 0.0, -quat, quat)
    sine = np.sqrt((quat[:, 1:] ** 2).sum(axis=1))
    angle = 2.0 * plane_angle(sine, quat[:, 0])
    return quat[:, 1:] * np.where(sine > 1e-9, angle / np.maximum(sine, 1e-9), 2.0)[:, None]


def to_torque(vector: np.ndarray, slope: np.ndarray) -> np.ndarray:
    """Torques (K, 3) in the child's axes that do the work `slope` (K, 3) does on the rotation vectors (K, 3): the transposed
    inverse of the rotation group's right Jacobian (Sola, Deray and Atchuthan 2018, "A micro Lie theory", eq. 144)."""
    angle = np.maximum(np.sqrt((vector**2).sum(axis=1)), 1e-4)
    share = (1.0 / angle**2 - (1.0 + np.cos(angle)) / (2.0 * angle * np.sin(np.minimum(angle, 3.13))))[:, None]
    once = _cross(vector, slope)
    return slope - 0.5 * once + share * _cross(vector, once)


def _cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Cross products of rows (K, 3); numpy's own is slow for a few rows."""
    (ax, ay, az), (bx, by, bz) = a.T, b.T
    return np.stack([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx], axis=1)


@dataclass(frozen=True)
class LimpSettings(Checked):
    """The muscles' tone fades with the time constant `fade_s`; some may be kept. What names no source is a first guess."""

    WHOSE, SOURCE = "The limp body's", FIRST_GUESS
    tone: float = 4.0  # Stiffness about the pose that is let go, over the moment at the end of each joint's range [1/rad]
    braced: float = 4.0  # What tone adds to the joints' damping, over it
    fade_s: float = 0.1  # Time in which the tone fades to a third [s]
    kept: float = setting(0.0, 0.0, 1.0, help="Fraction of the tone that stays, as of someone who braces for the fall")
    hands: float = setting(
        1.0, 0.0, 1.0, help="Strength with which who stood reaches for the ground and keeps the head up, over a person's")
    stiffness: float = 1.0  # Stiffness of the relaxed joints, over what was measured on people
    damping: float = 1.0  # Damping of the relaxed joints, over what was measured on people


END_DAMPING_S = 0.05
"""Damping over moment past the end of a range: tissue that is struck is damped in proportion to its force (Hunt and Crossley
1975; the size is a first guess: a limb that comes in at 20 rad/s meets twice the moment)."""


@dataclass(frozen=True)
class Moments:
    """In one pose: moments and stiffnesses (nv - r,) of all coordinates [N m, N m/rad], and the energy stored [J]."""

    torque: np.ndarray
    stiffness: np.ndarray
    energy_j: float


class Joints:
    """All relaxed joints of a body, its suit's springs counted where energy is, since the loop adds their moments."""

    def __init__(self, body: Body, settings: LimpSettings) -> None:
        place, column = body.root_coordinates, 0
        rows: dict[str, list[_Row]] = {"ball": [], "hinge": []}
        damping = []
        for segment in body.segments[1:]:
            joint = body.passive_joint(segment.name)
            rows[segment.joint].append(_Row(segment, joint, place, column, settings.stiffness * joint.stiffness_nm))
            place, size = (place + 4, 3) if segment.joint == "ball" else (place + 1, 1)
            damping += size * [settings.damping * joint.damping_nms]
            column += size
        self._parts = [kind(rows[name]) for name, kind in (("ball", _Balls), ("hinge", _Hinges)) if rows[name]]
        self._damping = np.array(damping)

    def take_over(self, qpos: np.ndarray) -> None:
        """Widen the ranges to a pose (nq,) that is past them already, and remember it as the one that is let go."""
        for part in self._parts:
            part.take_over(qpos)

    def evaluate(self, qpos: np.ndarray, tone: float) -> Moments:
        """What the joints do in a pose (nq,); `tone` [1/rad] is stiffness about the pose let go, over the moments at the ends."""
        torque, stiffness = np.zeros((2, len(self._damping)))
        energy_j = sum(part.add(qpos, tone, torque, stiffness) for part in self._parts)
        return Moments(torque, stiffness, float(energy_j))

    def damping(self, here: Moments, there: Moments, braced: float, step_s: float) -> np.ndarray:
        """Damping (nv - r,) [N m s] through a step from one pose towards another; `braced` is what tone adds, as a multiple."""
        moment = np.maximum(np.abs(here.torque), np.abs(there.torque))
        return (self._damping * (1.0 + braced) + END_DAMPING_S * moment + step_s * np.maximum(here.stiffness, there.stiffness))


@dataclass(frozen=True)
class _Row:
    """A joint, where its coordinates and its velocities begin, and its spring's stiffness [N m/rad]."""

    segment: Segment
    joint: PassiveJoint
    place: int
    column: int
    stiffness: float


class _Balls:
    def __init__(self, rows: Sequence[_Row]) -> None:
        self._places = np.array([row.place for row in rows])[:, None] + np.arange(4)
        self._columns = np.array([row.column for row in rows])[:, None] + np.arange(3)
        self._low, self._high = (np.array([getattr(row.joint, end) for row in rows]) for end in ("low", "high"))
        self._rest = quat_conjugate(quat_from_rotvec(np.array([row.joint.rest for row in rows])))
        self._held = self._rest.copy()
        self._spring = np.array([row.stiffness for row in rows])
        self._end = np.array([row.joint.end_nm for row in rows])
        self._worn = np.array([row.segment.stiffness_nm_rad for row in rows])
        # The moment at the end is the joint's where the range is the same all around; where it is narrower it is larger.
        mean = np.exp(np.log(np.abs(np.hstack([self._low, self._high]))).mean(axis=1))
        self._scale, self._share = self._end * mean, end_share(mean)

    def take_over(self, qpos: np.ndarray) -> None:
        quat = qpos[self._places]
        vector = rotation_vector(quat)
        over = np.sqrt(np.maximum((vector**2 / self._squares(vector)).sum(axis=1), 1.0))[:, None]
        self._low, self._high = self._low * over, self._high * over
        self._held = quat_conjugate(quat)

    def _squares(self, vector: np.ndarray) -> np.ndarray:
        """Squared half axes (K, 3) of the ranges in the octants of rotation vectors (K, 3)."""
        return np.where(vector < 0.0, self._low, self._high) ** 2

    def add(self, qpos: np.ndarray, tone: float, torque: np.ndarray, stiffness: np.ndarray) -> float:
        """Add moments and stiffnesses; returns the energy [J]."""
        quat = qpos[self._places]
        vector = rotation_vector(quat)
        squares = self._squares(vector)
        gradient = 2.0 * vector / squares  # of how far out of its range a joint is, squared
        stored, slope, bend = (self._scale * part for part in past_end((vector**2 / squares).sum(axis=1), self._share))
        total = to_torque(vector, -slope[:, None] * gradient)
        size = np.abs(gradient)
        steep = 2.0 * slope[:, None] / squares + bend[:, None] * size * size.sum(axis=1, keepdims=True)
        energy = stored.sum() + 0.5 * (self._worn * (vector**2).sum(axis=1)).sum()
        for base, spring in ((self._rest, self._spring), (self._held, tone * self._end)):
            away = rotation_vector(quat_multiply(base, quat))
            total -= spring[:, None] * away  # along its own axis a rotation vector is its own gradient
            energy += 0.5 * (spring * (away**2).sum(axis=1)).sum()
            steep += spring[:, None]
        torque[self._columns] = total
        stiffness[self._columns] = steep
        return float(energy)


class _Hinges:
    def __init__(self, rows: Sequence[_Row]) -> None:
        self._places, self._columns = np.array([row.place for row in rows]), np.array([row.column for row in rows])
        self._low, self._high, self._rest = (np.array([float(getattr(row.joint, name)[0]) for row in rows])
                                             for name in ("low", "high", "rest"))
        self._held = self._rest.copy()
        self._spring = np.array([row.stiffness for row in rows])
        self._end = np.array([row.joint.end_nm for row in rows])
        self._worn = [np.array([getattr(row.segment, name) for row in rows]) for name in ("stiffness_nm_rad", "rest_rad")]

    def take_over(self, qpos: np.ndarray) -> None:
        self._held = qpos[self._places].copy()
        self._low, self._high = np.minimum(self._low, self._held), np.maximum(self._high, self._held)

    def add(self, qpos: np.ndarray, tone: float, torque: np.ndarray, stiffness: np.ndarray) -> float:
        angle = qpos[self._places]
        half = 0.5 * (self._high - self._low)
        out = (angle - self._low) / half - 1.0
        stored, slope, bend = past_end(out**2, end_share(half))
        torque[self._columns] = -2.0 * self._end * slope * out
        stiffness[self._columns] = self._end / half * (2.0 * slope + 4.0 * bend * out**2)
        worn, worn_rest = self._worn
        energy = (self._end * half * stored).sum() + 0.5 * (worn * (angle - worn_rest) ** 2).sum()
        for base, spring in ((self._rest, self._spring), (self._held, tone * self._end)):
            torque[self._columns] -= spring * (angle - base)
            stiffness[self._columns] += spring
            energy += 0.5 * (spring * (angle - base) ** 2).sum()
        return float(energy)

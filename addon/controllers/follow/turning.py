# SPDX-License-Identifier: GPL-3.0-or-later
"""Feet that turn while they stand: about which point of the sole, and how far at every time."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.ndimage import gaussian_filter1d

from ...bodies.body import Body
from ...bodies.human.landmarks import SIDES
from ...bodies.state import Frame
from ...maths.curves import smooth
from ..tracking.planners.foot_geometry import FootGeometry
from .clip import FollowedClip
from .schedule import Stance

TURN_RAD, TURN_RATE = 0.35, 0.7
"""A standing foot that turns by more, faster than that [rad, rad/s], turns on the ground; less is a sole that gives."""
SMOOTHING_S = 0.02
"""Standard deviation of the Gaussian on the rate of the turn, so that it begins and ends softly."""
STEEP_RAD = 0.5
"""A foot on the tips of its toes, pitched by more, does not turn but rolls to a side as it leaves."""
FULL_RATE = 3.0
"""Rate [rad/s] of a turn from which on the foot stands on its pivot alone."""
INNER_M = 0.02
"""What stays still is sought so much nearer to the foot's inner side, where the weight is."""
RAISED_RAD = 0.06
"""Pitch by which the end of the sole that is not the pivot is off the ground meanwhile: 1 cm at the heel."""


@dataclass(frozen=True)
class Turn:
    """A stance's turn: `pivot` (x + iy [m], in the foot's axes, from under the ankle) stays where it is, `angle` is how far the
    foot has turned since its strike [rad] over the clip's time. The contact point `beside` the pivot is under the same end of the
    foot."""

    pivot: complex
    angle: CubicSpline
    beside: complex

    def at(self, time_s: float) -> tuple[float, float, float]:
        """Angle [rad] since the strike, its rate and acceleration, in the clip's time."""
        x = self.angle.x
        if not x[0] < time_s < x[-1]:
            return float(self.angle(min(max(time_s, x[0]), x[-1]))), 0.0, 0.0
        return float(self.angle(time_s)), float(self.angle(time_s, 1)), float(self.angle(time_s, 2))

    def share(self, time_s: float) -> float:
        """From 0 at rest to 1 in a turn."""
        return smooth(abs(self.at(time_s)[1]) / FULL_RATE)

    def moved(self, from_s: float, scale: float = 1.0) -> Turn:
        """The turn in a time that is 0 at `from_s` and goes `scale` times as far."""
        return replace(self, angle=CubicSpline(scale * (self.angle.x - from_s), self.angle(self.angle.x)))

    def since(self, time_s: float) -> Turn:
        """What is left of the turn from a time on."""
        x = self.angle.x
        return replace(self, angle=CubicSpline(x, self.angle(np.clip(x, min(time_s, x[-1]), x[-1])) - self.at(time_s)[0]))

    def about(self, pressure: complex) -> Turn:
        """The same turn about that one of its two points that is nearer to the pressure (x + iy [m], in the foot's axes): a
        point that carries nothing holds no foot."""
        nearer = abs(pressure - self.beside) < abs(pressure - self.pivot)
        return replace(self, pivot=self.beside, beside=self.pivot) if nearer else self

    def pitched(self, pitch: float, own: float, time_s: float) -> float:
        """A pitch [rad] with the sole's other end off the ground while the foot turns, as far as in the clip, whose `own` pitch
        that is."""
        share = self.share(time_s)
        if share <= 0.0:
            return pitch
        if self.pivot.real > 0.0:
            return max(pitch, share * max(own, RAISED_RAD))
        return min(pitch, share * min(own, -RAISED_RAD))


def joined(before: Turn | None, after: Turn | None, time_s: float) -> Turn | None:
    """The turn of a stance that has one turn until a time and goes on with another one."""
    if before is None or after is None:
        return after.since(time_s) if after is not None else before
    times = np.union1d(before.angle.x[before.angle.x <= time_s], after.angle.x[after.angle.x > time_s])
    first, rest = before.angle(np.minimum(times, before.angle.x[-1])), after.since(time_s)
    if len(times) < 2:
        return before
    more = rest.angle(np.maximum(times, rest.angle.x[0]))
    return replace(before, angle=CubicSpline(times, np.where(times <= time_s, first, before.at(time_s)[0] + more)))


def find_turn(clip: FollowedClip, stance: Stance, geometry: FootGeometry) -> Turn | None:
    """The turn of a stance; None where its foot stays as it is."""
    i, step = SIDES.index(stance.side), clip.step_s
    first = max(int(np.ceil(stance.strike_s / step)), 0)
    last = min(int(stance.off_s / step), len(clip.root_m) - 1)
    if last - first < 3:
        return None
    yaw = clip.foot_yaw[first:last + 1, i]
    turning = _turning(yaw, clip.foot_pitch[first:last + 1, i], step)
    if not turning.any():
        return None
    rate = gaussian_filter1d(np.where(turning, np.gradient(yaw, step), 0.0), SMOOTHING_S / step, mode="nearest")
    angle = np.concatenate([[0.0], np.cumsum(0.5 * step * (rate[1:] + rate[:-1]))])
    found = _still(clip.ankle_m[first:last + 1, i], yaw, clip.foot_pitch[first:last + 1, i], rate, step, geometry)
    pivot, beside = _pivot(found, clip.body, stance.side)
    return Turn(pivot, CubicSpline(clip.times_s[first:last + 1], angle), beside)


def _turning(yaw: np.ndarray, pitch: np.ndarray, step: float) -> np.ndarray:
    """(K,) bool: where a foot turns far enough in one go."""
    rate = np.gradient(yaw, step)
    fast = (np.abs(rate) > TURN_RATE) & (np.abs(pitch) < STEEP_RAD)
    found = np.zeros(len(yaw), dtype=bool)
    signed = np.sign(rate) * fast
    edges = np.flatnonzero(np.diff(np.concatenate([[0.0], signed, [0.0]])))
    for start, end in zip(edges, edges[1:], strict=False):
        if signed[start] and abs(yaw[end - 1] - yaw[start]) > TURN_RAD:
            found[start:end] = True
    return found


def _still(
    ankle: np.ndarray, yaw: np.ndarray, pitch: np.ndarray, rate: np.ndarray, step: float, geometry: FootGeometry,
) -> complex:
    """The point of the sole's plane (x + iy [m], in the foot's axes) that moves least while the foot turns, by least squares."""
    places = np.array([geometry.place_of(a, y, p) for a, y, p in zip(ankle, yaw, pitch, strict=True)])
    sweep = 1j * rate * np.exp(1j * yaw)
    return complex(-(np.conj(sweep) @ np.gradient(places, step)) / (np.conj(sweep) @ sweep))


def _pivot(still: complex, body: Body, side: str) -> tuple[complex, complex]:
    """The point that carries such a turn, and the one beside it: of the contact points under heel and ball the nearest to what
    stays still, on the inner side of the foot unless it is clearly the outer. About a point between two the ground would brake
    at both."""
    points = [complex(p.position[0], p.position[1]) for p in body.contact_points
              if p.side == side and p.segment == f"foot_{side}"]
    inward = -1.0 if side == "L" else 1.0
    pivot = min(points, key=lambda point: abs(point - still - 1j * inward * INNER_M))
    return pivot, min((point for point in points if point != pivot), key=lambda point: abs(point - pivot))


def pivot_place(frame: Frame, turn: Turn, sole_m: float) -> np.ndarray:
    """Where the pivot (3,) of a foot that turns is, its sole `sole_m` under its ankle."""
    place: np.ndarray = frame.position + frame.matrix @ [turn.pivot.real, turn.pivot.imag, -sole_m]
    return place


def sliding_points(frame: Frame, points: np.ndarray, turn: Turn, time_s: float, rate: float, sole_m: float) -> np.ndarray:
    """Velocities and accelerations (2, k, 3) of the contact points (k, 3) of a foot that turns on the ground."""
    _, spin, rising = turn.at(time_s)
    spin, rising = spin * rate, rising * rate**2
    away = (points - pivot_place(frame, turn, sole_m)) @ [1.0, 1j, 0.0]
    found = np.zeros((2, len(points), 3))
    for row, motion in zip(found, (1j * spin * away, (1j * rising - spin**2) * away), strict=True):
        row[:, 0], row[:, 1] = motion.real, motion.imag
    return found

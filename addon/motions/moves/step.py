# SPDX-License-Identifier: GPL-3.0-or-later
"""One step as figures: from a touch-down, or from standing, to the next; registered by its events, mirrored, blended. Lengths are
leg lengths, times are in units of the square root of leg length over the Earth's g, so that bodies of any size go by the same
Froude numbers. A step has a frame: the origin is where the foot stands that touches down at its begin (of a step that begins
standing, the middle between both feet), and x is the way's direction there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from scipy.interpolate import BSpline

from ...maths.curves import smoothstep
from ..cycle import layout as cycle_layout
from ..fragment import other_side

LEGS = ("thigh", "shank", "foot", "toes")
ROOT = ("root.x", "root.y", "root.z", "root.yaw", "root.pitch", "root.roll")
AIR = ("x", "y", "z", "yaw", "roll")
"""What the foot in the air has beside the straight way from print to print."""
INTERVALS, AIR_INTERVALS = 8, 6
"""Polynomials of a curve over the step, and over the part in which the foot is in the air."""


@cache
def names() -> tuple[str, ...]:
    """All curves of a step over its phase: the root's place [leg lengths, x and y from the step's frame, z of the root over
    the ankles of standing feet] and angles [rad]; rotation vectors of trunk and arms; knees' axes in the root's frame; and the
    pitch of either foot, positive with the heel up."""
    upper = [name for name in cycle_layout().names[6:] if name.partition(".")[0].rpartition("_")[0] not in LEGS]
    knees = [f"knee_{side}.{axis}" for side in "LR" for axis in "xyz"]
    return (*ROOT, *upper, *knees, "pitch_L", "pitch_R")


@cache
def upper() -> tuple[tuple[str, slice], ...]:
    """Segments of trunk and arms, and where their curves stand; hinges have one."""
    found: dict[str, list[int]] = {}
    for i, name in enumerate(names()):
        stem = name.partition(".")[0]
        if stem not in ("root", "knee_L", "knee_R", "pitch_L", "pitch_R"):
            found.setdefault(stem, []).append(i)
    return tuple((stem, slice(rows[0], rows[-1] + 1)) for stem, rows in found.items())


@cache
def at(name: str) -> int:
    return names().index(name)


@cache
def mirror() -> tuple[np.ndarray, np.ndarray]:
    """Order and signs (C,) of the curves of the mirror image: `values[order] * signs`."""
    order, signs = [], []
    for name in names():
        stem, dot, part = name.partition(".")
        other = {"L": "R", "R": "L"}.get(stem[-1]) if stem[-2:] in ("_L", "_R") else None
        order.append(at(stem[:-1] + other + dot + part) if other else at(name))
        if stem.startswith("knee"):
            signs.append(1.0 if part == "y" else -1.0)
        else:
            signs.append(-1.0 if part in ("y", "yaw", "roll", "rx", "rz") else 1.0)
    return np.array(order), np.array(signs)


AIR_SIGNS = np.array([1.0, -1.0, 1.0, -1.0, -1.0])
"""The same of the foot in the air, which is named by the step."""


@cache
def knots(intervals: int) -> np.ndarray:
    """Knots of a cubic spline over [0, 1]."""
    return np.concatenate([np.zeros(3), np.linspace(0.0, 1.0, intervals + 1), np.ones(3)])


def design(phases: np.ndarray, intervals: int) -> np.ndarray:
    """(N, intervals + 3): what a curve's coefficients are multiplied by at phases (N,) of [0, 1]."""
    return BSpline.design_matrix(np.clip(phases, 0.0, 1.0), knots(intervals), 3).toarray()


@cache
def slopes(intervals: int) -> np.ndarray:
    """(2, intervals + 3): the same for the derivative by the phase at 0 and at 1."""
    return BSpline(knots(intervals), np.eye(intervals + 3), 3).derivative()(np.array([0.0, 1.0]))


@cache
def centres(intervals: int) -> np.ndarray:
    """(intervals + 3,): the phases about which the coefficients of a spline have their weight (Greville's)."""
    t = knots(intervals)
    return np.array([t[i + 1:i + 4].mean() for i in range(intervals + 3)])


class Place(NamedTuple):
    """A footprint in a step's frame: x, y [leg lengths] and yaw [rad]."""

    x: float
    y: float
    yaw: float


@dataclass(frozen=True)
class Step:
    """`own` names the foot that touches down at the begin, of a step that begins standing the one that stays; the other foot
    leaves the ground at `off` and lands at the end, or stays where that is None. `flat` and `heel_off` are times of the own foot,
    `other_heel_off` of the other one, from the begin. `turn` is by how much the way turns to the left [rad]. `curves` (C, K) and
    `air` (5, K') are coefficients of splines over the registered phase (`layout`): phase 0 is the begin, `off_phase` the other
    foot's off, 1 the end; of `air`, 0 is the off and 1 the landing. Steps that are blended have the same `off_phase`. A step with
    a flight has `flies`, the time at which its own foot leaves the ground, and no `off`: its other foot is in the air from the
    begin. Then `air` is where that foot is, from begin to end, in place of what it has beside the way, and `own_air` where the
    own foot is from its push on."""

    own: str
    begins_standing: bool
    ends_standing: bool
    duration: float
    off: float | None
    flat: float
    heel_off: float
    other_heel_off: float
    stands: Place
    other_from: Place
    other_to: Place
    turn: float
    off_phase: float
    curves: np.ndarray
    air: np.ndarray
    flies: float | None = None
    own_air: np.ndarray | None = None

    @property
    def other(self) -> str:
        return other_side(self.own)

    @property
    def lands(self) -> bool:
        return self.off is not None or self.flies is not None

    def phases(self, times: np.ndarray) -> np.ndarray:
        """Registered phases at times (N,): k u / (1 + (k - 1) u) of the share u of the duration, as smooth as the curves."""
        share = np.clip(times / self.duration, 0.0, 1.0)
        return self._bend * share / (1.0 + (self._bend - 1.0) * share)

    @property
    def _bend(self) -> float:
        """The phase's rate at the begin, and one over that at the end, for the off to have its phase."""
        if self.off is None:
            return 1.0
        share = self.off / self.duration
        return self.off_phase * (1.0 - share) / (share * (1.0 - self.off_phase))

    def at(self, times: np.ndarray) -> np.ndarray:
        """The curves (N, C) at times (N,)."""
        return design(self.phases(times), INTERVALS) @ self.curves.T

    def slopes(self) -> tuple[np.ndarray, np.ndarray]:
        """The curves' derivatives by time (C,) at the begin and at the end."""
        by_phase = slopes(INTERVALS) @ self.curves.T
        return by_phase[0] * self._bend / self.duration, by_phase[1] / (self._bend * self.duration)

    def in_air(self, times: np.ndarray) -> np.ndarray:
        """(N, 5): what the foot in the air has beside the straight way, at times (N,) from its off on."""
        share = (self.phases(times) - self.off_phase) / (1.0 - self.off_phase)
        return design(share, AIR_INTERVALS) @ self.air.T

    def mirrored(self) -> Step:
        order, signs = mirror()
        own_air = None if self.own_air is None else self.own_air * AIR_SIGNS[:, None]
        return replace(self, own=self.other, turn=-self.turn, curves=self.curves[order] * signs[:, None], own_air=own_air,
                       air=self.air * AIR_SIGNS[:, None],
                       stands=mirrored_place(self.stands),
                       other_from=mirrored_place(self.other_from), other_to=mirrored_place(self.other_to))

    def begun_by(self, own: str) -> Step:
        """The step, or its mirror image, whose own foot is that one."""
        return self if self.own == own else self.mirrored()


def mirrored_place(place: Place) -> Place:
    return Place(place.x, -place.y, -place.yaw)


IN_AIR = (AIR.index("x"), AIR.index("y"), AIR.index("yaw"))


def _kind(step: Step) -> tuple[object, ...]:
    """What steps have to have in common to be blended."""
    return step.own, step.begins_standing, step.ends_standing, step.off is None, step.off_phase, step.flies is None


def blended(steps: Sequence[Step], weights: Sequence[float]) -> Step:
    """The weighted mean of registered steps of one kind, whose weights make 1 (some may be negative, for a difference that
    is added). Raises ValueError for steps that are not of one kind."""
    first = steps[0]
    if any(_kind(s) != _kind(first) for s in steps):
        raise ValueError("Only steps of the same foot that begin and end alike and are registered alike can be blended.")

    def mean(name: str) -> Any:
        values = [getattr(s, name) for s in steps]
        if isinstance(values[0], Place):
            return Place(*(sum(w * v[i] for w, v in zip(weights, values, strict=True)) for i in range(3)))
        if values[0] is None or isinstance(values[0], (str, bool)) or name == "off_phase":
            return values[0]
        return sum(w * v for w, v in zip(weights, values, strict=True))

    return Step(**{f.name: mean(f.name) for f in fields(Step)})


def stretched(step: Step, along: float, in_time: float) -> Step:
    """The step with its way made `along` times as long, and everything `in_time` times as slow; its width and its lifts stay."""
    curves, air, own = step.curves.copy(), step.air.copy(), None if step.own_air is None else step.own_air.copy()
    curves[at("root.x")] *= along
    for rows in (air, own):
        if rows is not None:
            rows[AIR.index("x")] *= along
    times = {name: getattr(step, name) * in_time for name in ("duration", "flat", "heel_off", "other_heel_off")}
    times |= {name: value * in_time for name in ("off", "flies") if (value := getattr(step, name)) is not None}
    return replace(step, curves=curves, air=air, own_air=own, **times,
                   **{name: getattr(step, name)._replace(x=along * getattr(step, name).x)
                      for name in ("stands", "other_from", "other_to")})


def bent(step: Step, angle: float) -> Step:
    """The step with its way turned to the left by an angle more [rad], little by little, about the foot that stands."""
    curves, air, own = step.curves.copy(), step.air.copy(), None if step.own_air is None else step.own_air.copy()
    root = at("root.x"), at("root.y"), at("root.yaw")
    swing, begin = centres(AIR_INTERVALS), 0.0 if step.flies is None else step.flies / step.duration
    for rows, (x, y, yaw), share in ((curves, root, centres(INTERVALS)), (air, IN_AIR, swing),
                                     (own, IN_AIR, begin + (1.0 - begin) * swing)):
        if rows is None:
            continue
        way = angle * smoothstep(share)
        turned = (rows[x] + 1j * rows[y]) * np.exp(1j * way)
        rows[x], rows[y] = turned.real, turned.imag
        if rows is not air or step.flies is not None:  # else its yaw is beside that of the prints
            rows[yaw] += way
    to = complex(step.other_to.x, step.other_to.y) * np.exp(1j * angle)
    landing = Place(to.real, to.imag, step.other_to.yaw + angle) if step.lands else step.other_to
    return replace(step, curves=curves, air=air, own_air=own, turn=step.turn + angle, other_to=landing)

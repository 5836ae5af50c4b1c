# SPDX-License-Identifier: GPL-3.0-or-later
"""The stance: where the feet belong, where the body rests over those that stand, where the ground can push (a hull of the points
on it), and the settings of standing. Places are complex, x + iy [m]; times are Earth's and go with sqrt(1 / g)."""

from __future__ import annotations

import cmath
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...bodies.human.landmarks import SIDES
from ...maths.rotations import Quaternion
from ...specs.motions import Stand
from ...specs.settings import Checked, setting
from ..legged.foot_geometry import Footstep
from ..tracking.weights import TrackerSettings

APART_LEGS = 0.294
"""Distance of the ankles of a body that stands, over the leg's length (quiet stance of a captured clip); at least the hips'."""
SOLE_AHEAD = 0.35
"""Middle of the sole that carries a body at rest, ahead of the ankle, over the ball's distance (Winter 1995: 4 to 5 cm)."""
IN_PLACE = 0.03
"""A foot this near to where it belongs, over the leg's length, stays."""
NEAR = 0.1
"""and so near over the feet's distance in a stance with the feet far apart (first guess)."""
LEG_M = 0.884
"""Legs of the body on which what is not over the leg's length was measured."""
OTHER = {"L": "R", "R": "L"}
OUT = {"L": 1.0, "R": -1.0}


@dataclass(frozen=True)
class HeldFoot:
    """A foot held in the air: its ankle (3,) [m] from the place of the foot that stands, by where that one points, its height
    over the ground; its rotation from there, and its toes' extension [rad]."""

    ankle: tuple[float, float, float]
    turn: Quaternion
    toe: float


@dataclass(frozen=True)
class Stance:
    """Distances of the ankles to the side and ahead [m], and of a sole's middle from its ankle, for one body; `yaws` are those
    of the left and the right foot from where the body faces [rad]."""

    apart_m: float
    ahead_m: float
    sole_m: float
    leg_m: float
    one_leg: str
    yaws: tuple[float, float] = (0.0, 0.0)
    weight: complex = 0j
    """Where the body rests, from the middle of the soles that it stands on in its stance, by where it faces."""
    faces: float = 0.0
    """Where it faces at the start [rad]."""
    held: HeldFoot | None = None
    """Of who stands on one leg, how the other foot is held; None for the usual way."""

    @classmethod
    def of(cls, stand: Stand, leg_m: float, ball_x: float, hips_m: float) -> Stance:
        """The stance on legs of a length, with feet whose balls are so far ahead of their ankles, under hips so far apart [m]."""
        apart = max(APART_LEGS * leg_m, hips_m) if stand.apart_m is None else stand.apart_m
        return cls(apart, stand.ahead_m, SOLE_AHEAD * ball_x, leg_m, stand.one_leg)

    def as_found(self, left: Footstep, right: Footstep) -> Stance:
        faces = 0.5 * (left.yaw + math.remainder(right.yaw - left.yaw, math.tau)) + 0.5 * left.yaw
        away = (left.place - right.place) * cmath.exp(-1j * faces)
        yaws = left.yaw - faces, math.remainder(right.yaw - faces, math.tau)
        return replace(self, apart_m=away.imag, ahead_m=away.real, yaws=yaws)

    def at(self, side: str, origin: complex, heading: float) -> Footstep:
        """Where a foot belongs of a body that rests over a place and faces some way [rad]."""
        if self.one_leg:
            place = complex(-self.sole_m, 0.0) + (0.0 if side == self.one_leg else OUT[side] * self.apart)
        else:
            place = complex(-self.sole_m, 0.0) + 0.5 * OUT[side] * self.apart
        return Footstep(side, origin + (place - self.weight) * cmath.exp(1j * heading), heading + self.yaw(side))

    def first(self, side: str) -> Footstep:
        """Where a foot stands at the start, the body resting near the origin."""
        return self.at(side, 0j, self.faces)

    def yaw(self, side: str) -> float:
        """A foot's yaw from where the body faces [rad]."""
        return self.yaws[SIDES.index(side)]

    def facing(self, step: Footstep) -> float:
        """Where a body faces that stands as it is to on a foot [rad]."""
        return step.yaw - self.yaw(step.side)

    @property
    def apart(self) -> complex:
        """From the right ankle to the left, in the body's own axes."""
        return complex(self.ahead_m, self.apart_m)

    def beside(self, side: str, other: Footstep) -> complex:
        return other.place + OUT[side] * self.apart * cmath.exp(1j * self.facing(other))

    def misplaced(self, left: Footstep, right: Footstep) -> complex:
        return right.place - self.beside("R", left)

    def in_place(self, left: Footstep, right: Footstep) -> bool:
        return abs(self.misplaced(left, right)) < max(IN_PLACE * self.leg_m, NEAR * abs(self.apart))

    def sole(self, step: Footstep) -> complex:
        return step.place + self.sole_m * cmath.exp(1j * step.yaw)

    def rest(self, steps: dict[str, Footstep], standing: tuple[str, ...]) -> complex:
        soles = [self.sole(steps[side]) for side in standing or SIDES]
        middle = sum(soles, 0j) / len(soles)
        if self.weight and len(soles) == (1 if self.one_leg else len(SIDES)):
            faces = sum(cmath.exp(1j * self.facing(steps[side])) for side in standing or SIDES)
            middle += self.weight * faces / abs(faces)
        return middle


def hull(points: np.ndarray) -> list[complex]:
    """Corners of the convex hull of points (k, 2 or more), counterclockwise (Andrew's monotone chain)."""
    ordered = sorted({(float(x), float(y)) for x, y in points[:, :2].tolist()})
    places = [complex(x, y) for x, y in ordered]
    if len(places) < 3:
        return places
    corners: list[complex] = []
    for way in (places, places[::-1]):
        chain: list[complex] = []
        for place in way:
            while len(chain) > 1 and cross(chain[-1] - chain[-2], place - chain[-1]) <= 0.0:
                chain.pop()
            chain.append(place)
        corners += chain[:-1]
    return corners


def cross(one: complex, other: complex) -> float:
    """z of the product of two horizontal vectors."""
    return one.real * other.imag - one.imag * other.real


def nearest(place: complex, corners: Sequence[complex]) -> tuple[complex, float]:
    """The point of a hull nearest to a place, and how far outside of it the place is [m]; of a place inside it is itself, and
    the distance is minus that to the nearest edge."""
    if len(corners) == 1:
        return corners[0], abs(place - corners[0])
    inside, found, least = len(corners) > 2, corners[0], float("inf")
    for a, b in zip(corners, [*corners[1:], corners[0]], strict=True):
        along, off = b - a, place - a
        inside = inside and cross(along, off) >= 0.0
        share = min(max((off * along.conjugate()).real / max(abs(along) ** 2, 1e-12), 0.0), 1.0)
        point = a + share * along
        if abs(place - point) < least:
            found, least = point, abs(place - point)
    return (place, -least) if inside else (found, least)


@dataclass(frozen=True)
class StandingSettings(Checked):
    """When and where to step, and how a foot goes there."""

    WHOSE, FIELD = "Standing's", "setting of standing"
    SOURCE = "measured over pushes from eight sides (docs/notes/standing.md)"
    interval_s: float = 0.01  # Time from plan step to plan step [s]
    pressure_gain: float = 0.6  # The centre of pressure goes so much farther than the capture point
    outside_m: float = 0.02  # A step is taken when the capture point is so far outside the soles [m]
    between_s: float = 0.04  # Least time from a landing to the next lift [s]
    swing_s: float = 0.26  # Least duration of a step [s]
    set_down_s: float = 0.4  # Duration of a step that sets a foot beside the other [s]
    beyond_m: float = 0.02  # A foot lands so far beyond the capture point [m]
    outward_m: float = 0.03  # and so far to its own side of it: the other foot comes next [m] (first guess)
    replanned: float = 0.85  # Fraction of a swing until which its landing follows the capture point
    clearance_m: float = setting(0.05, 0.005, 0.3, "m", "Height of a swing's middle over the ground")
    bow: float = 0.25  # A swinging foot goes round the standing one so far off, over the leg's length (first guess)
    lower_m_s: float = 0.35  # Speed at which a late foot is lowered [m/s]
    longest: float = 1.2  # Largest distance of the feet, over the leg's length
    drop: float = 0.2  # How far the hips may sink for a step, over the leg's length
    beside: float = 0.136  # Least distance of a foot to the side of the other, over the leg's length
    past: float = 0.158  # or else ahead of it or behind it
    rise_rate: float = 3.0  # Rate at which the hips come up again [1/s]
    active_height_m: float = 0.01  # A contact point lower than this may push [m]
    straight: float = 0.995  # Length of the standing legs over that of straight ones


BALANCE = TrackerSettings(com_weight=600.0, height_weight=100.0, swing_weight=25.0)
"""Weights of who is pushed: balance first, then where a foot goes, then an upright trunk. With a walk's the trunk was held
upright and the leg swung at the cost of the centre of pressure, 35 cm behind where it was planned (docs/notes/standing.md)."""

# SPDX-License-Identifier: GPL-3.0-or-later
"""The stance: where the feet belong, and where the body rests over those that stand."""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass, replace

from ...bodies.human.landmarks import SIDES
from ...maths.plain_rotations import Quaternion
from ...specs.stand import Stand
from ..tracking.planners.foot_geometry import Footstep

APART_LEGS = 0.294
"""Distance of the ankles of a body that stands, over the leg's length (quiet stance of a captured clip)."""
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
    def of(cls, stand: Stand, leg_m: float, ball_x: float) -> Stance:
        """The stance on legs of a length, with feet whose balls are so far ahead of their ankles."""
        apart = APART_LEGS * leg_m if stand.apart_m is None else stand.apart_m
        return cls(apart, stand.ahead_m, SOLE_AHEAD * ball_x, leg_m, stand.one_leg)

    def as_found(self, left: Footstep, right: Footstep) -> Stance:
        """The stance in which the feet are now."""
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
        """Where a foot belongs, the other one being where it is."""
        return other.place + OUT[side] * self.apart * cmath.exp(1j * self.facing(other))

    def misplaced(self, left: Footstep, right: Footstep) -> complex:
        """How far the right foot is from where it belongs."""
        return right.place - self.beside("R", left)

    def in_place(self, left: Footstep, right: Footstep) -> bool:
        """Whether the feet stand as they are to."""
        return abs(self.misplaced(left, right)) < max(IN_PLACE * self.leg_m, NEAR * abs(self.apart))

    def sole(self, step: Footstep) -> complex:
        """The middle of a sole."""
        return step.place + self.sole_m * cmath.exp(1j * step.yaw)

    def rest(self, steps: dict[str, Footstep], standing: tuple[str, ...]) -> complex:
        """Where the centre of mass rests over the feet that stand."""
        soles = [self.sole(steps[side]) for side in standing or SIDES]
        middle = sum(soles, 0j) / len(soles)
        if self.weight and len(soles) == (1 if self.one_leg else len(SIDES)):
            faces = sum(cmath.exp(1j * self.facing(steps[side])) for side in standing or SIDES)
            middle += self.weight * faces / abs(faces)
        return middle

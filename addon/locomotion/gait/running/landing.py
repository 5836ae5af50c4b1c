# SPDX-License-Identifier: GPL-3.0-or-later
"""How far swinging legs reach from their hips as these move, and how they land: the knee bends before the foot is down, ever
faster, until it bends nearly as fast as the body comes down on it. Legs that hung still until then bent at once, by 250 degrees a
second.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ....bodies.state import BodyState
from ....maths.curves import smooth
from ....maths.rotations import Vector
from ...legged.foot_geometry import FootPose
from ...legged.targets import SIDES
from .contact_schedule import RunningSettings

SOFT = 0.05
"""Length over the leg's within which a foot is stopped."""
EARLY = 0.7
"""Share of the swing in which the leg's reach becomes the one of its end."""
STRAIGHT = 0.98
"""Length over the leg's of one that reaches forward before it lands: its knee is bent by 23 degrees (a runner's, late in the
swing: Novacheck 1998, 15 to 25)."""
RESOLVED_S = 0.075
"""A knee that bends for less than this [s], five plan steps, or half of its flight, is not led, one for twice as long all the
way. On Earth it bends for some 0.06 s, too short to lead: now and then such a foot came late, and the run fell."""
GOES_ON = 0.3
"""Share of the hip's velocity with which such a foot comes down: one that came to rest over the ground would land late."""


class Landing(NamedTuple):
    """A leg as it lands: `away` from the ankle to the hip then [m], the hip's `velocity` [m/s], the knee's flexion [rad] and its
    rate [rad/s]; when that is [s]; how long before it bends [s], from as straight as a leg may swing; and how far it is led."""

    away: Vector
    velocity: Vector
    flexion: float
    rate: float
    left_s: float
    bends_s: float
    share: float

    def lead(self, foot: FootPose, hip: Vector, time_s: float, leg_m: float) -> None:
        """Move a foot some time [s] from now, its hip at a place then. The knee bends and the leg swings back at an even
        acceleration, until both go as the hip has it over the foot; before, the foot comes over to that from its own way."""
        left = max(self.left_s - time_s, 0.0)
        bending = min(left, self.bends_s)
        ramp = bending * (1.0 - 0.5 * bending / self.bends_s)
        length = leg_m * math.cos(0.5 * (self.flexion - self.rate * ramp))
        x, y = (a - ramp * v for a, v in zip(self.away[:2], self.velocity[:2], strict=True))
        away = x, y, math.sqrt(max(length**2 - x * x - y * y, 0.0))
        foot.ankle += self.share * smooth(2.0 - left / self.bends_s) * (np.subtract(hip, away) - foot.ankle)


class Hip(NamedTuple):
    """A hip as it moves now, world axes: place [m], velocity [m/s], upward acceleration [m/s^2]."""

    place: Vector
    velocity: Vector
    rising: float

    def at(self, time_s: float) -> Vector:
        """Where it is some time [s] from now."""
        (x, y, z), (v_x, v_y, v_z), t = self.place, self.velocity, time_s
        return x + t * v_x, y + t * v_y, z + t * (v_z + 0.5 * t * self.rising)

    def landing(self, ankle: np.ndarray, left_s: float, flight_s: float, leg_m: float) -> Landing | None:
        """The knee that it comes down with on an `ankle` on the ground, of two halves of a leg; None where that is straighter
        than `STRAIGHT`, or stretching, or the landing endlessly far. In a short flight [s] it is not led: it would jump."""
        if left_s == math.inf:
            return None
        away = self.at(left_s) - ankle
        length = float(np.linalg.norm(away))
        ahead, left, up = self.velocity
        velocity = ((1.0 - GOES_ON) * ahead, (1.0 - GOES_ON) * left, (1.0 - GOES_ON) * (up + left_s * self.rising))
        nearer = -float(away @ velocity) / length
        if length >= STRAIGHT * leg_m or nearer <= 0.0:
            return None
        flexion = 2.0 * math.acos(length / leg_m)
        rate = 2.0 * nearer / (leg_m * math.sin(0.5 * flexion))
        x, y, z = away.tolist()
        bends_s = 2.0 * (flexion - 2.0 * math.acos(STRAIGHT)) / rate
        share = smooth(min(bends_s, 0.5 * flight_s) / RESOLVED_S - 1.0)
        return Landing((x, y, z), velocity, flexion, rate, left_s, bends_s, share)


class HipReach:
    """How far swinging legs reach from the hips of one body."""

    def __init__(self, state: BodyState, settings: RunningSettings) -> None:
        self._state, self._frames = state, {side: state.frame(f"thigh_{side}") for side in SIDES}
        self.leg_m = state.body.leg_length_m
        self._most, self._begun = settings.swing_reach

    def hip(self, side: str, rising: float) -> Hip:
        """A hip as it is, its upward acceleration [m/s^2] that of the COM."""
        frame = self._frames[side]
        x, y, z = frame.position.tolist()
        v_x, v_y, v_z = self._state.velocity_of(frame).tolist()
        return Hip((x, y, z), (v_x, v_y, v_z), rising)

    def draw_in(self, foot: FootPose, hip: Vector, share: float) -> None:
        """Move a foot's ankle towards its hip where the leg would be all but straight; smoothly, so that the knee slows down
        before it stops. A foot that has just left the ground (`share` of its swing) may be as far as it was there."""
        (x, y, z), (hip_x, hip_y, hip_z) = foot.ankle.tolist(), hip
        x, y, z = x - hip_x, y - hip_y, z - hip_z
        length = math.sqrt(x * x + y * y + z * z)
        room = SOFT * self.leg_m
        free = (self._begun + smooth(share / EARLY) * (self._most - self._begun)) * self.leg_m - room
        if length > free:
            by = (free + room * math.tanh((length - free) / room)) / length
            foot.ankle[:] = hip_x + by * x, hip_y + by * y, hip_z + by * z

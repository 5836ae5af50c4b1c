# SPDX-License-Identifier: GPL-3.0-or-later
"""How the hips sink so that legs reach their feet, and come up again."""

from __future__ import annotations

import cmath
import math

from ...bodies.human.landmarks import SIDES
from ...specs.shot import EARTH_GRAVITY_M_S2
from .catching import Falling
from .feet import Feet
from .pose import StandingPose
from .stance import LEG_M, OTHER, StandingSettings, nearest

STRETCH = 0.998
"""Length of a standing leg over that of a straight one from which on its heel rises."""
LANDS = 0.975
"""The same of a leg that lands: a straight one cannot give, and stamps."""
SINK_RATE = 10.0
"""Rate [1/s on Earth] at which the hips sink for a foot that is ahead (first guess)."""
EARLIER_S = 0.06
"""The hips are as low as a landing needs so long before it."""
SOON_S = 0.03
"""So long before a swinging foot is somewhere its leg must be able to reach there (first guess)."""
LEAST_S = 0.02
MOST_CHANGE = 0.8
"""The rate changes by this share of gravity at most: nobody falls faster, and who brakes at once stamps."""
MOST_M_S, BRACED_M = 0.7, 0.06
"""Nor do hips sink faster than this, on legs of 0.88 m on Earth; and so far they sink as soon as a step will be needed: it is the
foot that lands that stops them."""
PAST_M = 0.03
"""So far past what a landing needs the hips go as they are braked, on legs of 0.88 m."""


class Sinking:
    """How much lower than at rest the hips are [m], and its rate [m/s]."""

    def __init__(self, poses: StandingPose, settings: StandingSettings, leg_m: float) -> None:
        self._poses, self._settings, self._most_m = poses, settings, settings.drop * leg_m
        self._scale = leg_m / LEG_M
        self.lower_m = self.rate = 0.0

    def go(self, time_s: float, dt: float, feet: Feet, falling: Falling, high_m: float, heading: float, slow: float,
           calm: bool, braced: bool, to: complex | None = None) -> None:
        """Let time pass, with a pelvis of a `heading` and the centre of mass at rest so high; one who is `calm` only rises, one
        who is `braced` bends the knees for the step to come, and so does one whose weight is to go `to` one foot: the other
        leg would be too short, and hold it back."""
        before = self.rate
        landing = self._for_landing(time_s, feet, falling, high_m)
        need = max(landing[0], 0.0 if calm else self._for_flat_feet(feet, falling, high_m, heading),
                   BRACED_M * self._scale if braced else 0.0,
                   0.0 if to is None else self._for_both_feet(feet, to, high_m, heading))
        if landing[1] == math.inf:
            rate = self._settings.rise_rate if need < self.lower_m else SINK_RATE
            self.rate = -rate / slow * (self.lower_m - need)
        else:
            left_s = max(landing[1] - EARLIER_S * slow, LEAST_S * slow)
            self.rate = max((need - self.lower_m) / left_s, self._soon(time_s, feet, falling, high_m, heading, slow), 0.0)
        most = MOST_CHANGE * EARTH_GRAVITY_M_S2 / slow**2
        fastest = math.sqrt(2.0 * most * max(need + PAST_M * self._scale - self.lower_m, 0.0))
        fastest = min(fastest, MOST_M_S * math.sqrt(self._scale) / slow)
        self.rate = min(max(min(self.rate, fastest), before - most * dt), before + most * dt)
        self.lower_m += dt * self.rate

    def _short(self, hips: dict[str, tuple[float, float, float]], poses: dict, side: str, reach: float) -> float:
        return min(self._poses.shortfall(hips, poses, (side,), reach), self._most_m)

    def _for_landing(self, time_s: float, feet: Feet, falling: Falling, high_m: float) -> tuple[float, float]:
        """How far [m] for the landing that comes, and how long it is until then."""
        need, left_s = 0.0, math.inf
        for side in SIDES:
            foot = feet[side]
            if foot.swing is not None:
                left_s = max(foot.swing.end_s - time_s, 0.0)
                com, _ = falling.after(nearest(falling.capture, feet.corners_of((OTHER[side],)))[0], left_s)
                hips = self._poses.hips((com.real, com.imag, high_m), falling.heading, 0j)
                need = max(need, self._short(hips, {side: foot.geometry.rolled(foot.swing.target, 0.0, 0.0)}, side, LANDS))
        return need, left_s

    def _for_both_feet(self, feet: Feet, com: complex, high_m: float, heading: float) -> float:
        """How far [m] for all feet to stand flat with the centre of mass at a place."""
        hips = self._poses.hips((com.real, com.imag, high_m), heading, 0j)
        flat = {side: feet[side].geometry.rolled(feet[side].step, 0.0, 0.0) for side in feet.standing}
        return max((self._short(hips, flat, side, LANDS) for side in flat), default=0.0)

    def _for_flat_feet(self, feet: Feet, falling: Falling, high_m: float, heading: float) -> float:
        """How far [m] for feet that the body is on its way to: they are to come flat, not to stay on their heels."""
        need, com = 0.0, falling.com
        hips = self._poses.hips((com.real, com.imag, high_m), heading, 0j)
        for side in feet.standing:
            foot = feet[side]
            if ((foot.step.place - com) * falling.velocity.conjugate()).real > 0.0:
                need = max(need, self._short(hips, {side: foot.geometry.rolled(foot.step, 0.0, 0.0)}, side, STRETCH))
        return need

    def _soon(self, time_s: float, feet: Feet, falling: Falling, high_m: float, heading: float, slow: float) -> float:
        """The least rate [m/s] for a swinging leg to reach its foot in a moment."""
        ahead, least = SOON_S * slow, 0.0
        com = falling.com + ahead * falling.velocity
        for side in SIDES:
            if feet[side].swing is not None:
                hips = self._poses.hips((com.real, com.imag, high_m), heading, 0j)
                short = self._short(hips, {side: feet.pose(side, time_s, ahead)}, side, LANDS)
                least = max(least, (short - self.lower_m) / ahead)
        return least


def behind(falling: Falling, place: complex, yaw: float) -> bool:
    """Whether a body is behind a foot."""
    return ((falling.com - place) * cmath.exp(-1j * yaw)).real < 0.0

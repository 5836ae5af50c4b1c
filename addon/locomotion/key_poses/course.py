# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a gait from key poses is to face and how fast it is to go: along the shot's path, until somebody steers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from ...worlds.paths import Path, offset
from .strength import Scale

MOST_STEERING_RAD = 0.3
"""A body that is off its path turns back towards it by so much at most."""
TURN_RAD_S = 0.6
"""A turn by an angle is made so quickly on Earth: what the thesis's walk was shown to turn by is 0.24 (section 7.4)."""
GAINS_G = 0.08
"""A speed that is wished for is come to at this fraction of gravity, 0.8 m/s^2 on Earth (first guess)."""


class Course:
    """`heading` [rad], `speed_m_s` and `sideways_m_s` that are wanted now; the speed stays `between_m_s` whatever the wish."""

    def __init__(
        self, path: Path, scale: Scale, speed_m_s: float, sideways_m_s: float, steering: float, turn_rad_s: float = 0.0,
    ) -> None:
        self._path, self._scale, self._steering, self._way_m = path, scale, steering, 0.0
        self.speed_m_s, self.sideways_m_s = speed_m_s, sideways_m_s
        self.heading, self.steered = path.heading(0.0), turn_rad_s != 0.0
        self._wished_m_s, self._turn_rad_s, self._left_rad = speed_m_s, turn_rad_s, 0.0
        self._own_turn_rad_s = turn_rad_s
        self._sideways_m_s = sideways_m_s
        self.between_m_s = -math.inf, math.inf

    def set_scale(self, scale: Scale) -> None:
        """The body's scale from now on: gravity has changed."""
        self._scale = scale

    def go_at(self, speed_m_s: float) -> None:
        """Go at a speed [m/s] at once."""
        self.speed_m_s = self._wished_m_s = speed_m_s

    def go_sideways(self, speed_m_s: float) -> None:
        """Come to a speed to the left [m/s]."""
        self._sideways_m_s = speed_m_s

    def go_round(self, turn_rad_s: float) -> None:
        """Turn at a rate [rad/s] of the gait's own, in place of the gait's before, unless it was steered to another meanwhile."""
        if self._turn_rad_s == self._own_turn_rad_s:
            self._turn_rad_s, self.steered = turn_rad_s, self.steered or turn_rad_s != 0.0
        self._own_turn_rad_s = turn_rad_s

    def wish(self, wish: Mapping[str, Any]) -> None:
        """Take over a speed [m/s], a rate of turning [rad/s], or an angle to turn by [rad]; who turns leaves the path."""
        if "speed_m_s" in wish:
            self._wished_m_s = float(wish["speed_m_s"])
        if "turn_rad_s" in wish:
            self.steered, self._left_rad, self._turn_rad_s = True, 0.0, float(wish["turn_rad_s"])
        if "turn_rad" in wish:
            self.steered, self._left_rad, self._turn_rad_s = True, float(wish["turn_rad"]), 0.0

    def go(self, place: complex, dt: float, gravity_m_s2: float) -> None:
        """Let time pass [s], with the body at a place."""
        most = GAINS_G * gravity_m_s2 * dt
        low, high = self.between_m_s
        self.speed_m_s += min(max(min(max(self._wished_m_s, low), high) - self.speed_m_s, -most), most)
        self.sideways_m_s += min(max(self._sideways_m_s - self.sideways_m_s, -most), most)
        if self.steered:
            most = TURN_RAD_S / self._scale.time * dt
            turn = min(max(self._left_rad, -most), most)
            self._left_rad -= turn
            self.heading += turn + self._turn_rad_s * dt
            return
        self._way_m = self._path.locate(place, self._way_m)
        back = 0.0
        if not self.sideways_m_s:
            off = offset(self._path, self._way_m, place) / self._scale.length
            back = min(max(self._steering * off, -MOST_STEERING_RAD), MOST_STEERING_RAD)
        self.heading = self._path.heading(self._way_m) - back

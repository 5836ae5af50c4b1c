# SPDX-License-Identifier: GPL-3.0-or-later
"""Which way a creature goes: along its shot's path, until it is steered elsewhere."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from ...worlds.paths import Path, offset

BACK = 0.15
"""Turn [rad] back to the path of a body that is one leg's length off it (first guess)."""
MOST_BACK_RAD = 0.5
QUICKEST = 0.15
"""Fastest turn, in radians a unit of time sqrt(L / g): half a radian a second of a leg of 1 m on Earth."""


class Course:
    """`heading` [rad] is the way to go now."""

    def __init__(self, path: Path, leg_m: float, time_s: float) -> None:
        self._path, self._leg_m, self._most = path, leg_m, QUICKEST / time_s
        self.heading = path.heading(0.0)
        self._way_m, self._steered, self._rate, self._left = 0.0, False, 0.0, 0.0

    def wish(self, wish: Mapping[str, Any]) -> None:
        """Take over a rate of turning [rad/s] or an angle to turn by [rad]; who turns leaves the path."""
        if "turn_rad_s" in wish:
            self._steered, self._rate, self._left = True, float(wish["turn_rad_s"]), 0.0
        if "turn_rad" in wish:
            self._steered, self._rate, self._left = True, 0.0, float(wish["turn_rad"])

    def go(self, place: complex, dt: float, speed_m_s: float) -> None:
        """Go on by `dt` [s], the centre of mass being over `place` [m]."""
        most = self._most * dt
        if self._steered:
            turn = min(max(self._left, -most), most)
            self._left -= turn
            self.heading += turn + min(max(self._rate * dt, -most), most)
            return
        self._way_m = way = self._path.locate(place, self._way_m)
        back = -BACK * offset(self._path, way, place) / self._leg_m
        wanted = self._path.heading(way) + min(max(back, -MOST_BACK_RAD), MOST_BACK_RAD)
        self.heading += min(max(math.remainder(wanted - self.heading, math.tau), -most), most)

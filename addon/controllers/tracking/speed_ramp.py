# SPDX-License-Identifier: GPL-3.0-or-later
"""How fast a walk's speed comes to another one that is wished for: people change it over some steps, not within one."""

from __future__ import annotations

ACCELERATION_G = 0.05
"""Largest change of a walk's speed over time, over gravity: on Earth half a metre a second faster in a second (first guess)."""
TOO_FAST = 1.1
"""Speed of a body over its plan's from which on the plan waits for it: within a step it sways by less."""
PART = 0.02
"""Share of the speed by which it is changed at a time: far less than a step would feel."""


class SpeedRamp:
    """The speed a gait goes at, on its way to the one wished for. Speeds in m/s; `acceleration_g` is infinite for gaits with
    flight, which come to another speed at their own pace."""

    def __init__(self, speed_m_s: float, wish_m_s: float, acceleration_g: float = ACCELERATION_G) -> None:
        self._told = self.speed_m_s = speed_m_s
        self.wish_m_s, self._acceleration_g = wish_m_s, acceleration_g

    @property
    def settled(self) -> bool:
        """Whether it is told the speed wished for."""
        return self._told == self.wish_m_s

    def follow(self, dt: float, gravity_m_s2: float, goes_m_s: float = 0.0) -> float | None:
        """Go on by `dt` [s] with a body that goes at a speed now; gives the speed that the gait is to be told, None where it
        need not be told anything. Who is too fast already makes no shorter steps: those would come too late under it."""
        if self.wish_m_s < self.speed_m_s and goes_m_s > TOO_FAST * self.speed_m_s:
            return None
        most = self._acceleration_g * gravity_m_s2 * dt
        self.speed_m_s += min(max(self.wish_m_s - self.speed_m_s, -most), most)
        arrived = self.speed_m_s == self.wish_m_s and not self.settled
        if not arrived and abs(self.speed_m_s - self._told) < PART * self._told:
            return None
        self._told = self.speed_m_s
        return self.speed_m_s

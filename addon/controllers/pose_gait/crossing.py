# SPDX-License-Identifier: GPL-3.0-or-later
"""When a gait from key poses can become another one: at a speed at which that one takes the body over, or after some patience."""

from __future__ import annotations

import math

from ...specs.pose_gait import PoseGait

ANY = -math.inf, math.inf
MEAN_S = 0.4
"""The body's speed is its mean over about so long on Earth, a step (first guess)."""
PATIENCE_S = 4.0
"""Where a gait does not come to such a speed, it becomes the other one after so long on Earth (first guess)."""
WITHIN_M_S = 0.15
"""Speeds are asked for so far within those at which the other gait takes over, as a gait is up to so far off what it is asked."""


class Crossing:
    """At most one gait that is waited for. Speeds [m/s] are those on Earth on standard legs, times as long as there."""

    def __init__(self) -> None:
        self.gait: PoseGait | None = None
        self._mean_m_s: float | None = None
        self._waited_s = 0.0

    def ask(self, gait: PoseGait | None) -> None:
        """From now on wait for this gait, or for none."""
        self.gait, self._waited_s = gait, 0.0

    def go(self, speed_m_s: float, dt: float) -> None:
        """Let time pass [s], with the body at a speed ahead."""
        self._waited_s += dt
        mean = speed_m_s if self._mean_m_s is None else self._mean_m_s
        self._mean_m_s = mean + min(dt / MEAN_S, 1.0) * (speed_m_s - mean)

    @property
    def asked_m_s(self) -> tuple[float, float]:
        """Between which speeds to go meanwhile."""
        if self.gait is None or self.gait.enter_m_s is None:
            return ANY
        low, high = self.gait.enter_m_s
        within = min(WITHIN_M_S, 0.5 * (high - low))
        return low + within, high - within

    @property
    def ready(self) -> bool:
        """Whether the gait that is waited for can come with the next change of state."""
        if self.gait is None:
            return False
        low, high = self.gait.enter_m_s or ANY
        return self._waited_s >= PATIENCE_S or low <= (self._mean_m_s or 0.0) <= high

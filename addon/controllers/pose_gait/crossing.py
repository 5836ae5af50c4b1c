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
STAY_S = 1.6
"""A gait that is only gone through stays for so long on Earth, some four steps (first guess)."""
WITHIN_M_S = 0.15
"""Speeds are asked for so far within those at which the other gait takes over, as a gait is up to so far off what it is asked."""


class Crossing:
    """The gaits that are waited for, the first of which comes next: one, or one that is gone through and the one that was asked
    for. Speeds [m/s] are those on Earth on standard legs, times as long as there."""

    def __init__(self) -> None:
        self._gaits: tuple[PoseGait, ...] = ()
        self._mean_m_s: float | None = None
        self._waited_s = self._stays_s = 0.0

    @property
    def gait(self) -> PoseGait | None:
        """The gait that is waited for."""
        return self._gaits[0] if self._gaits else None

    def ask(self, *gaits: PoseGait) -> None:
        """From now on wait for these gaits one after the other, or for none."""
        self._gaits, self._waited_s, self._stays_s = gaits, 0.0, 0.0

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

    def due(self) -> PoseGait | None:
        """The gait that is to come with the next change of state, and is waited for no longer; None where none can yet."""
        gait = self.gait
        if gait is None or self._waited_s < self._stays_s:
            return None
        low, high = gait.enter_m_s or ANY
        if not low <= (self._mean_m_s or 0.0) <= high and self._waited_s < self._stays_s + PATIENCE_S:
            return None
        self._gaits, self._waited_s, self._stays_s = self._gaits[1:], 0.0, STAY_S
        return gait

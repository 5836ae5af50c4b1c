# SPDX-License-Identifier: GPL-3.0-or-later
"""How much more or less speed to ask for than is wished for, so that a gait from key poses goes as fast as is wished."""

from __future__ import annotations

import math

import numpy as np

from .strength import Scale

MOST_M_S = 0.6
"""Largest correction on Earth on standard legs: what poses cannot give is not forced (first guess)."""


class Pace:
    """The correction [m/s], which grows with what is missing: the mean speed becomes the one that is wished for."""

    def __init__(self) -> None:
        self.correction_m_s = 0.0
        self._left_m_s, self._left_s, self._fades_s = 0.0, 0.0, 1.0

    def begin_anew(self, over_s: float) -> None:
        """Another gait has come, which finds its own correction; what the one before had fades within a time [s]."""
        self._left_m_s, self._left_s, self._fades_s = self.left_m_s + self.correction_m_s, over_s, max(over_s, 1e-9)
        self.correction_m_s = 0.0

    def pass_by(self, dt: float) -> None:
        """Let time pass [s]."""
        self._left_s = max(self._left_s - dt, 0.0)

    @property
    def left_m_s(self) -> float:
        """What is left of the corrections of gaits before."""
        return self._left_m_s * self._left_s / self._fades_s

    def go(self, heading: float, speed_m_s: float, qvel: np.ndarray, share: float, scale: Scale) -> float:
        """Let time pass, so large a `share` of the time in which speed is corrected on Earth; gives the correction now."""
        missing = speed_m_s - (qvel[0] * math.cos(heading) + qvel[1] * math.sin(heading))
        most = MOST_M_S * scale.speed
        self.correction_m_s = float(min(max(self.correction_m_s + share / scale.time * missing, -most), most))
        return self.correction_m_s

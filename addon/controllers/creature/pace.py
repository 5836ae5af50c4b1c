# SPDX-License-Identifier: GPL-3.0-or-later
"""The speed that is aimed at: the one wished for, taken up gently, and what steps have lacked of it."""

from __future__ import annotations

import numpy as np

RAMP = 50.0
"""Time in which a walk from rest takes up sqrt(g L), in units of sqrt(L / g): 1 m/s in 5 s on a leg of 1 m (a prototype's)."""
MEND = 0.3
"""Share of a step's lack that is mended by the next one, at a gain of 1."""
EVEN = 8.0
"""Time in units of sqrt(L / g) from there on until steps are even: five or six of them."""
BEHIND = 0.75
"""How far a walk from rest lags behind what is aimed at, over the leg: ostrich and human at 0.3 sqrt(g L)."""
MOST_FROUDE = 1.0
"""What is aimed at is at most this times sqrt(g L)."""


def run_up(speed_m_s: float, leg_m: float, time_s: float) -> tuple[float, float]:
    """How long [s] and how far [m] a walk from rest takes until it goes evenly at that speed, `time_s` being sqrt(L / g)."""
    rising_s = RAMP * time_s * time_s * speed_m_s / leg_m
    return rising_s + EVEN * time_s, max(speed_m_s * (0.5 * rising_s + EVEN * time_s) - BEHIND * leg_m, 0.0)


class Pace:
    """`command_m_s` (N,) is what is aimed at, `wished_m_s` (N,) what is wished for now, `step_m_s` (N,) the last step's mean
    speed, `lack_m_s` (N,) what steps have lacked, summed up."""

    def __init__(self, gain: np.ndarray, leg_m: float, time_s: float) -> None:
        n = len(gain)
        self._gain, self._most_m_s = MEND * gain, MOST_FROUDE * leg_m / time_s
        self._rate = leg_m / time_s / (RAMP * time_s)
        self.wished_m_s, self.command_m_s, self.step_m_s, self.lack_m_s = np.zeros((4, n))
        self._from, self._step_s = np.zeros((n, 2)), np.zeros(n)

    def begin(self, com: np.ndarray, heading: np.ndarray) -> None:
        """From here, at rest."""
        self._from[:] = com[:, :2]
        self._step_s[:] = 0.0

    def step(self, dt: float, com: np.ndarray, heading: np.ndarray, speed_m_s: np.ndarray, landed: np.ndarray) -> None:
        """Go on by `dt` [s] at centres of mass (N, 3), towards a speed (N,) [m/s]; `landed` (N,) tells who has ended a step."""
        self._step_s += dt
        most = self._rate * dt
        self.wished_m_s += np.clip(speed_m_s - self.wished_m_s, -most, most)
        if landed.any():
            way = com[:, :2] - self._from
            mean = (way[:, 0] * np.cos(heading) + way[:, 1] * np.sin(heading)) / np.maximum(self._step_s, 1e-6)
            self.step_m_s = np.where(landed, mean, self.step_m_s)
            lack = np.where(landed, self._gain * (self.wished_m_s - mean), 0.0)
            self.lack_m_s += lack
            self._from[landed] = com[landed, :2]
            self._step_s[landed] = 0.0
        self.command_m_s = np.clip(self.wished_m_s + self.lack_m_s, -self._most_m_s, self._most_m_s)
        self.lack_m_s = self.command_m_s - self.wished_m_s

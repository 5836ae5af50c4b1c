# SPDX-License-Identifier: GPL-3.0-or-later
"""What the limbs' swing does to the centre of mass: the centroidal moment pivot lies beside the centre of pressure.

About the COM, H' = (r - c) x F. So the horizontal force goes through the COM from the centroidal moment pivot
r + (H'_y, -H'_x) / (m g), not from the centre of pressure r (Popovic, Goswami and Herr 2005, eq. 10). In a steady gait H'
is periodic, and as the pendulum is linear, what it adds to the capture point and to the COM is a periodic motion of its own.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

HARMONICS = 8


class CmpOffset(NamedTuple):
    """What the swing adds, forward + i left: to the CMP, the capture point and the COM [m], and the COM's velocity [m/s]."""

    cmp: complex
    capture: complex
    com: complex
    velocity: complex


class CmpOrbit:
    """The periodic answer of the pendulum of a rate `omega` [1/s] to the limbs' angular momentum.

    `angular_momentum_rate` (N, 3) is H'/m of one cycle at one stride a second [m^2 / s^2], about the centre of mass (see
    `GaitTables.angular_momentum_rate`).
    """

    def __init__(self, angular_momentum_rate: np.ndarray, frequency_hz: float, gravity_m_s2: float, omega: float) -> None:
        cmp = (angular_momentum_rate[:, 1] - 1j * angular_momentum_rate[:, 0]) * frequency_hz**2 / gravity_m_s2
        orders = np.arange(-HARMONICS, HARMONICS + 1)
        spectrum = (np.fft.fft(cmp) / len(cmp))[orders]
        rates = 2j * np.pi * frequency_hz * orders
        capture = spectrum * omega / (omega - rates)
        com = capture * omega / (omega + rates)
        self._turns = 2j * np.pi * orders
        self._series = np.array([spectrum, capture, com, rates * com])
        self._last: tuple[tuple[float, complex], CmpOffset] | None = None

    def at(self, phase: float, facing: complex = 1.0 + 0j) -> CmpOffset:
        """The additions at a phase of the cycle, for a body that faces along a unit vector."""
        if self._last is None or self._last[0] != (phase, facing):  # a plan step asks several times
            self._last = (phase, facing), CmpOffset(*(self._series @ np.exp(self._turns * phase) * facing).tolist())
        return self._last[1]

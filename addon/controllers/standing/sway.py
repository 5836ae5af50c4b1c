# SPDX-License-Identifier: GPL-3.0-or-later
"""How a body sways while it stands and nothing happens."""

from __future__ import annotations

import cmath
import math

import numpy as np

from .stance import LEG_M

FORWARD_M, ASIDE_M = 0.005, 0.004
"""Deviation of a standing person's centre of mass (Winter 1995: 3 to 6 mm)."""
BAND_HZ = (0.05, 0.6)
"""Rates of the sway (Winter 1995: below 1 Hz)."""
WAVES = 7


class Sway:
    """Smooth noise of few slow waves; `times` over a person's, on legs of a length."""

    def __init__(self, times: float, leg_m: float, seed: int) -> None:
        random = np.random.default_rng((seed, 7))
        size = times * leg_m / LEG_M * math.sqrt(2.0 / WAVES)
        hertz = np.geomspace(*BAND_HZ, WAVES)
        self._waves = [(2.0 * math.pi * rate * float(random.uniform(0.9, 1.1)), *random.uniform(0.0, 2.0 * math.pi, 2).tolist())
                       for rate in hertz.tolist()]
        self._forward, self._aside = size * FORWARD_M, size * ASIDE_M
        self._begin = 0j
        self._begin = self.at(0.0)

    def at(self, time_s: float) -> complex:
        """Forward and to the left [m], from none at the start."""
        found = sum((complex(self._forward * math.sin(rate * time_s + one), self._aside * math.sin(rate * time_s + other))
                     for rate, one, other in self._waves), 0j)
        return found - self._begin * cmath.exp(-time_s).real

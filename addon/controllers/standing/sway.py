# SPDX-License-Identifier: GPL-3.0-or-later
"""How a body sways while it stands and nothing happens, and how it takes its weight from leg to leg now and then."""

from __future__ import annotations

import math

import numpy as np

from ...maths.curves import smooth
from .stance import LEG_M

FORWARD_M, ASIDE_M = 0.005, 0.004
"""Deviation of a standing person's centre of mass (Winter 1995: 3 to 6 mm)."""
BAND_HZ = (0.05, 0.6)
"""Rates of the sway (Winter 1995: below 1 Hz)."""
WAVES = 7
SHIFT_M, SHIFT_SHARE = 0.018, 0.15
"""How far the weight is taken to one leg, at most this share of the feet's distance (first guess: what those who stand for
minutes do, Duarte and Zatsiorsky 1999 call shifts)."""
SHIFT_S, HELD_S = 2.0, (6.0, 16.0)
"""How long that takes, and how long it stays there [s on Earth] (first guess)."""
SHIFTS = 200


class Sway:
    """Smooth noise of few slow waves, and shifts from leg to leg; `times` over a person's, on legs of a length, the feet being so
    far apart. Times are Earth's."""

    def __init__(self, times: float, leg_m: float, seed: int, apart_m: float = 0.0) -> None:
        random = np.random.default_rng((seed, 7))
        size = times * leg_m / LEG_M * math.sqrt(2.0 / WAVES)
        hertz = np.geomspace(*BAND_HZ, WAVES)
        self._waves = [(2.0 * math.pi * rate * float(random.uniform(0.9, 1.1)), *random.uniform(0.0, 2.0 * math.pi, 2).tolist())
                       for rate in hertz.tolist()]
        self._forward, self._aside = size * FORWARD_M, size * ASIDE_M
        self._begin = 0j
        self._begin = self._wave(0.0)
        most = times * min(SHIFT_M * leg_m / LEG_M, SHIFT_SHARE * apart_m)
        ways = np.where(np.arange(SHIFTS) % 2, 1.0, -1.0) * random.choice((-1.0, 1.0))
        self._sides = [0.0, *(most * ways * random.uniform(0.5, 1.0, SHIFTS)).tolist()]
        self._at = np.cumsum(random.uniform(*HELD_S, SHIFTS))

    def at(self, time_s: float, on_both: bool = True) -> complex:
        """Forward and to the left [m], from none at the start; the weight is shifted only by who is on both feet."""
        found = self._wave(time_s) - self._begin * math.exp(-time_s)
        return found + 1j * self._shifted(time_s) if on_both else found

    def _wave(self, time_s: float) -> complex:
        return sum((complex(self._forward * math.sin(rate * time_s + one), self._aside * math.sin(rate * time_s + other))
                    for rate, one, other in self._waves), 0j)

    def _shifted(self, time_s: float) -> float:
        """How far the weight is to the left [m]."""
        last = min(int(np.searchsorted(self._at, time_s, side="right")), SHIFTS)
        if not last:
            return 0.0
        before, now = self._sides[last - 1], self._sides[last]
        return before + smooth((time_s - float(self._at[last - 1])) / SHIFT_S) * (now - before)

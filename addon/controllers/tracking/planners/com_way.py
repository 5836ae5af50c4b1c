# SPDX-License-Identifier: GPL-3.0-or-later
"""The COM's way in the plan of a walk: step by step after its capture point, read off at the plan's samples."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from .capture import Piece, backward, remaining

FINE_S = 1.0 / 90.0
"""Step of the COM's integration."""


class ComWay:
    """Places (N,) of the COM, x + iy [m], at times (N,) [s], filled from the first on; `com` is where it has come to."""

    def __init__(self, times_s: np.ndarray, com: complex, omega: float) -> None:
        self._times, self._omega, self.com = times_s, omega, com
        self.places, self._filled = np.empty(len(times_s), dtype=complex), 0

    def shift(self, sought: complex, shift_s: float, lift_s: float) -> None:
        """Stand until the weight begins to shift, then go by a centre of pressure that brings the capture point to where it is
        sought when the first foot lifts."""
        grown = math.exp(self._omega * (lift_s - shift_s))
        pressure = (sought - self.com * grown) / (1.0 - grown)
        count = int(np.searchsorted(self._times, lift_s - 1e-9))
        since = np.append(np.maximum(self._times[:count] - shift_s, 0.0), lift_s - shift_s)
        gone = pressure + (self.com - pressure) * np.cosh(self._omega * since)  # c'' = omega^2 (c - r), from rest
        self.places[:count] = gone[:-1]
        self.com, self._filled = complex(gone[-1]), count

    def step(self, now_s: float, last_s: float, strike_s: float, landing: complex, pieces: Sequence[Piece]) -> None:
        """Go on for the rest of a step, whose foot struck at `strike_s`, over the `pieces` of its centre of pressure, from which
        the capture point comes to `landing` at its end."""
        times, omega = self._times, self._omega
        while now_s < last_s and self._filled < len(times):
            if now_s >= times[self._filled] - 1e-9:
                self.places[self._filled] = self.com
                self._filled += 1
                continue
            dt = min(FINE_S, last_s - now_s, times[self._filled] - now_s)
            self.com += dt * omega * (backward(landing, remaining(pieces, now_s + 0.5 * dt - strike_s), omega) - self.com)
            now_s += dt

    def settle(self, rest: complex, since_s: float) -> None:
        """Come to rest at a place, from the last step's end on [s]."""
        fading = np.exp(-self._omega * (self._times[self._filled:] - since_s))
        self.places[self._filled:] = rest + (self.com - rest) * fading
        self._filled = len(self._times)

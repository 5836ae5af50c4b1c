# SPDX-License-Identifier: GPL-3.0-or-later
"""Pressure as a database keeps it: whole counts of 8 bits, an eighth of the room that numbers take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .images import COUNTS, UNITS_PA, Pressure, head_of

MOST_COUNT = 255
MOST_PA = 345e3
"""The last count of the mat of a database: 50 psi, what FootSee used for two feet (Yin 2007, section 3.3.1)."""


@dataclass(frozen=True, eq=False)
class Counts:
    """Images (T, rows, columns) of 8 bits, what one count is in the pressure's unit, and its head (`images.head_of`)."""

    images: np.ndarray
    count: float
    head: dict[str, Any]

    @classmethod
    def of(cls, pressure: Pressure) -> Counts:
        """A sequence in counts of which the last is `MOST_PA`, or the sequence's highest pressure where that is more."""
        most = MOST_COUNT if pressure.unit == COUNTS else MOST_PA / UNITS_PA[pressure.unit]
        count = max(most, float(pressure.images.max())) / MOST_COUNT
        return cls(np.rint(pressure.images / count).astype(np.uint8), count, head_of(pressure))

    @property
    def pressure(self) -> Pressure:
        """The sequence again. Raises InputError for a head that is none."""
        head = self.head
        return Pressure(self.images * self.count, tuple(head["pitch_m"]), head["rate_hz"], head["unit"], head["place"],
                        tuple(head["origin_m"]), head["start_s"])

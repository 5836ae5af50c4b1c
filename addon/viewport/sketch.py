# SPDX-License-Identifier: GPL-3.0-or-later
"""A walker as lines over time, played again and again: what a search has come to, long before there is a take. Plain numpy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

HOLD_S = 0.4
"""How long the last pose is held before it is played again."""
LEFT, RIGHT, MIDDLE = "L", "R", ""


@dataclass(frozen=True)
class Sketch:
    """Lines of a body over time: `ends` (N, S, 2, 3) [m], `rate_hz` poses of them in a second; `sides` of the
    S lines, "L", "R" or "" in the middle; and in `words` what is seen."""

    rate_hz: float
    ends: np.ndarray
    sides: tuple[str, ...]
    words: str = ""

    @classmethod
    def of(cls, view: Mapping[str, Any], words: str = "") -> Sketch | None:
        """What a search shows of its best walker; None while it shows none."""
        if not view.get("ends"):
            return None
        return cls(float(view["rate_hz"]), np.array(view["ends"], dtype=float), tuple(view["sides"]), words)

    def row(self, seconds: float) -> int:
        """Which pose is seen so long after it was begun."""
        lasts_s = (len(self.ends) - 1) / self.rate_hz
        return min(round(seconds % (lasts_s + HOLD_S) * self.rate_hz), len(self.ends) - 1)

    def lines(self, row: int, side: str) -> np.ndarray:
        """Pairs of ends (2 M, 3) of a pose's lines of one side, as line batches take them."""
        chosen = [index for index, one in enumerate(self.sides) if one == side]
        return self.ends[row, chosen].reshape(-1, 3)

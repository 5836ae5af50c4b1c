# SPDX-License-Identifier: GPL-3.0-or-later
"""What has struck a body: which segment, by what, when and how hard."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

APART_S = 0.1
"""What touches a segment again after so long strikes anew (first guess: a ball leaves within 25 to 50 ms)."""
LEAST_M_S = 1e-3
"""What gives the whole body less speed than this is no strike: something that leans on it, or brushes by (first guess)."""


class Touches:
    """Collects impulses of one shot to strikes. `mass_kg` is the body's."""

    def __init__(self, mass_kg: float) -> None:
        self._least_ns = LEAST_M_S * mass_kg
        self._found: list[tuple[float, str, str, np.ndarray]] = []
        self._last: dict[tuple[str, str], tuple[int, float]] = {}

    def note(self, time_s: float, impulses: Mapping[tuple[str, str], np.ndarray]) -> None:
        """Impulses (3,) [N s] of a control step that begins at a time [s], by what struck and by the struck segment."""
        for (by, segment), impulse in impulses.items():
            row, last_s = self._last.get((by, segment), (-1, 0.0))
            if row < 0 or time_s - last_s > APART_S:
                row = len(self._found)
                self._found.append((time_s, segment, by, np.zeros(3)))
            self._found[row][3][:] += impulse
            self._last[by, segment] = row, time_s

    def strikes(self) -> list[dict[str, Any]]:
        """Every strike in the order of time, plain JSON values: `time_s`, `segment`, `by`, and its whole `impulse_ns` (3,)."""
        return [{"time_s": round(time_s, 6), "segment": segment, "by": by, "impulse_ns": [round(x, 6) for x in impulse.tolist()]}
                for time_s, segment, by, impulse in self._found if np.linalg.norm(impulse) > self._least_ns]

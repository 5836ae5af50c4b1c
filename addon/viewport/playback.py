# SPDX-License-Identifier: GPL-3.0-or-later
"""A response to a push as poses over time, played again and again. Plain numpy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

HOLD_S = 0.7
"""How long the last pose is held before it is played again."""


@dataclass(frozen=True)
class Playback:
    """Poses from the push on, `rate_hz` of them in a second: places of the root (N, 3) [m], and orientations (N, S, 4), the
    root's in the world, every other segment's relative to its parent. Where more is to come it is not `whole`: it is played
    once, and its last pose held."""

    rate_hz: float
    root_m: np.ndarray
    turns: np.ndarray
    whole: bool = True

    @property
    def lasts_s(self) -> float:
        """Its length."""
        return (len(self.root_m) - 1) / self.rate_hz

    def row(self, seconds: float) -> int:
        """Which pose is seen so long after it was begun."""
        at = seconds % (self.lasts_s + HOLD_S) if self.whole else seconds
        return min(round(at * self.rate_hz), len(self.root_m) - 1)

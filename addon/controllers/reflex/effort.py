# SPDX-License-Identifier: GPL-3.0-or-later
"""What a reflex walker is searched for where effort alone chooses its speed: little metabolic energy a metre, and no fall."""

from __future__ import annotations

import numpy as np

from .law import STEP_S, ReflexLaw
from .objective import EVERY, SETTLED_S, Judge, Wish

TRANSPORT = 10.0
"""Of a joule per kilogram and metre (first guess): a tenth of one saves less than a second of standing."""
SLOWEST_M_S = 0.1
"""What is slower goes nowhere."""


class EffortJudge(Judge):
    """The same sums, but no speed is asked for: the energy of the way, and how unevenly the pelvis goes against its own speed."""

    def __init__(self, wish: Wish, n: int) -> None:
        super().__init__(wish, n)
        self._way, self._square = np.zeros((n, 3)), np.zeros(n)

    def watch(self, law: ReflexLaw, qpos: np.ndarray, qvel: np.ndarray, force_n: np.ndarray, alive: np.ndarray) -> None:
        """See `Judge.watch`."""
        super().watch(law, qpos, qvel, force_n, alive)
        if self._k * STEP_S < SETTLED_S or self._k % EVERY:
            return
        self._way += alive[:, None] * qvel[:, :3]
        self._square += alive * (qvel[:, :3] ** 2).sum(axis=1)

    def parts(self, fallen_s: np.ndarray, seconds: float) -> dict[str, np.ndarray]:
        """See `Judge.parts`."""
        found = super().parts(fallen_s, seconds)
        steps = np.maximum(self._sums["steps"], 1.0)
        mean = self._way / steps[:, None]
        uneven = np.sqrt(np.maximum(self._square / steps - (mean**2).sum(axis=1), 0.0))
        ahead = np.maximum(mean[:, 0], SLOWEST_M_S)
        found["head"] = self.wish.head * np.where(uneven > self.wish.head_free_m_s, uneven, 0.0)
        found["effort"] = TRANSPORT * self._sums["effort"] / steps / ahead
        found["speed"] = np.where(mean[:, 0] < SLOWEST_M_S, self.wish.speed, 0.0)
        return found

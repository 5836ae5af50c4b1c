# SPDX-License-Identifier: GPL-3.0-or-later
"""Which legs stand and which swing, of N walkers."""

from __future__ import annotations

import numpy as np

LANDED_SHARE = 0.05
"""A swinging foot that carries this share of the weight has landed."""
EARLIEST, LATEST = 0.5, 3.0
"""Over the time of a swing: when a foot can land at the earliest, and when it stands whatever it feels."""


class LegStates:
    """`stands` (N, 2) tells which legs stand, `since_s` (N, 2) how long each has stood or swung. After a step
    `landed` and `lifted` (N, 2) tell which have just landed or left."""

    def __init__(self, n: int) -> None:
        self.stands = np.ones((n, 2), dtype=bool)
        self.since_s = np.zeros((n, 2))
        self.landed, self.lifted = np.zeros((2, n, 2), dtype=bool)

    def begin(self, swings: int) -> None:
        """Every walker stands, and lifts that leg (0 left, 1 right)."""
        self.stands[:] = True
        self.stands[:, swings] = False
        self.since_s[:] = 0.0
        self.landed[:] = self.lifted[:] = False
        self.lifted[:, swings] = True

    def step(self, dt: float, share: np.ndarray, swing_s: np.ndarray) -> None:
        """Go on by `dt` [s]: `share` (N, 2) of the weight that each foot carries, `swing_s` (N,) the time of a swing."""
        self.since_s += dt
        gone = self.since_s / swing_s[:, None]
        self.landed = ~self.stands & (((gone > EARLIEST) & (share > LANDED_SHARE)) | (gone > LATEST))
        self.lifted = self.stands & self.landed[:, ::-1]
        changed = self.landed | self.lifted
        self.stands ^= changed
        self.since_s[changed] = 0.0

# SPDX-License-Identifier: GPL-3.0-or-later
"""Which legs stand and which swing, of N walkers."""

from __future__ import annotations

import numpy as np

LANDED_SHARE, GONE_SHARE = 0.05, 0.01
"""A swinging foot that carries this share of the weight has landed, a standing one that carries less than that has left."""
EARLIEST, LATEST = 0.5, 3.0
"""Over the time of a swing: when a foot can land at the earliest, and when it stands whatever it feels."""
LONGEST_LEAN = 2.0
"""Over the time of a swing: nobody leans for longer before the first foot is lifted."""


class LegStates:
    """`stands` (N, 2) tells which legs stand, `since_s` (N, 2) how long each has stood or swung; after a step `landed` and
    `lifted` (N, 2) which have just landed or left, `lasted_s` (N, 2) how long what ended had lasted. `over` (N, 2) is how much of
    the weight is each one's to carry, `leans` (N,) who has not lifted a foot yet."""

    def __init__(self, n: int) -> None:
        self.stands = np.ones((n, 2), dtype=bool)
        self.since_s = np.zeros((n, 2))
        self.over = np.full((n, 2), 0.5)
        self.lasted_s = np.zeros((n, 2))
        self.leans = np.zeros(n, dtype=bool)
        self.landed, self.lifted = np.zeros((2, n, 2), dtype=bool)

    def begin(self, swings: np.ndarray, leans: bool = False) -> None:
        """Every walker stands, and lifts that leg (N,) (0 left, 1 right); who `leans` presses it down first, as if the other one
        had just landed, so that the body goes over to that."""
        first = np.arange(2) == swings[:, None]
        self.lifted[:] = first & (not leans)
        self.stands[:] = ~self.lifted
        self.since_s[:] = np.where(first & leans, 1e-3, 0.0)
        self.over[:] = first if leans else ~first
        self.leans[:] = leans
        self.landed[:] = False

    def go(self, ready: np.ndarray, swing_s: np.ndarray) -> None:
        """Of those that lean who is `ready` (N,), or has leant for too long over the time of a swing (N,), lets the weight go
        over and lifts a foot."""
        self.leans &= ~(ready | (self.since_s.max(axis=1) > LONGEST_LEAN * swing_s))

    def step(self, dt: float, share: np.ndarray, swing_s: np.ndarray, double_s: np.ndarray) -> None:
        """Go on by `dt` [s]: `share` (N, 2) of the weight that each foot carries, `swing_s` (N,) the time of a swing, `double_s`
        (N,) that on both feet."""
        self.since_s += dt
        stands, since = self.stands, self.since_s
        since[self.leans[:, None] & (since < since[:, ::-1])] = 0.0
        gone = since / swing_s[:, None]
        self.landed = ~stands & (((gone > EARLIEST) & (share > LANDED_SHARE)) | (gone > LATEST))
        other = stands[:, ::-1] & (since[:, ::-1] < since)  # the other one came down later: this one is to go
        due = other & ((since[:, ::-1] >= double_s[:, None]) | (share < GONE_SHARE)) & ~self.leans[:, None]
        self.lifted = stands & due
        changed = self.landed | self.lifted
        stands ^= changed
        self.lasted_s = since.copy()
        since[changed] = 0.0
        taken = np.clip(since / np.maximum(double_s, 1e-6)[:, None], 0.0, 1.0)
        later = stands & (since < since[:, ::-1])
        both = stands.all(axis=1, keepdims=True)
        self.over = np.where(both, np.where(later, taken, 1.0 - taken[:, ::-1]), stands)

# SPDX-License-Identifier: GPL-3.0-or-later
"""Signals as they were some milliseconds ago: what nerves bring."""

from __future__ import annotations

import numpy as np


class Delays:
    """Signals of one shape (..., K), each of the K by a delay of its own in steps; at first they are as at `fill`."""

    def __init__(self, steps: np.ndarray) -> None:
        self.steps = np.asarray(steps, dtype=int)
        self._size, self._at = int(self.steps.max()) + 1, 0
        self._columns = np.arange(len(self.steps))
        self._past = np.zeros((self._size, len(self.steps), 1))

    def fill(self, signal: np.ndarray) -> None:
        """It has been this (..., K) for ever."""
        self._past = np.repeat(np.moveaxis(signal, -1, 0)[None], self._size, axis=0).copy()
        self._at = 0

    def step(self, signal: np.ndarray) -> np.ndarray:
        """Take the signals (..., K) of now; the delayed ones (..., K)."""
        self._at = (self._at + 1) % self._size
        self._past[self._at] = np.moveaxis(signal, -1, 0)
        return np.moveaxis(self._past[(self._at - self.steps) % self._size, self._columns], 0, -1)

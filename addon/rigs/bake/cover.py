# SPDX-License-Identifier: GPL-3.0-or-later
"""A smooth curve over a ragged one: as high as it everywhere, rising before it and falling after it. Plain numpy."""

from __future__ import annotations

import numpy as np

_BLOCK = 256
"""Rows that are worked on at once, so that memory grows with the length and not with its square."""


def smooth_cover(need: np.ndarray, time_s: np.ndarray, window_s: np.ndarray) -> np.ndarray:
    """A smooth curve (T,) that is nowhere below `need` (T,), which must not be negative.

    Each value first spreads over its window (the largest within `window_s` (T,) of it, its own or the other's), then each
    instant takes the mean of that, weighted by a triangle as wide as its window. `time_s` (T,) rises.
    """
    most, out = np.zeros(len(need)), np.zeros(len(need))
    for rows, near, columns in _blocks(time_s, window_s):
        if need[columns].any():
            reach = np.maximum(window_s[rows, None], window_s[None, columns])
            most[rows] = np.where(near <= reach, need[None, columns], 0.0).max(axis=1)
    for rows, near, columns in _blocks(time_s, window_s):
        if most[columns].any():
            weight = np.clip(1.0 - near / window_s[rows, None], 0.0, None)
            out[rows] = (weight @ most[columns]) / weight.sum(axis=1)
    return out


def _blocks(time_s: np.ndarray, window_s: np.ndarray):
    """Blocks of rows, the time between them and the columns that any of them can reach, and those columns."""
    widest = float(window_s.max())
    for start in range(0, len(time_s), _BLOCK):
        end = min(start + _BLOCK, len(time_s))
        first, last = np.searchsorted(time_s, [time_s[start] - 1.001 * widest, time_s[end - 1] + 1.001 * widest])
        rows, columns = slice(start, end), slice(int(first), int(last))
        yield rows, np.abs(time_s[rows, None] - time_s[None, columns]), columns

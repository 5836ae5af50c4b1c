# SPDX-License-Identifier: GPL-3.0-or-later
"""Fewer keys: cubic curves through as few of the samples as keep every other sample within a tolerance. Plain numpy.

All curves are split at once, level by level: between two keys the curve is the cubic Hermite polynomial with the samples'
own slopes (what Blender draws between keys whose handles lie at a third of the gap); where a stretch is off by more than its
tolerance, the sample that is worst becomes a key.
"""

from __future__ import annotations

import numpy as np


def slopes(frames: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Slopes (T, C) of curves (T, C) at their samples by central differences over `frames` (T,)."""
    return np.gradient(values, frames, axis=0, edge_order=2 if len(frames) > 2 else 1)


def interpolated(frames: np.ndarray, values: np.ndarray, slope: np.ndarray, keys: np.ndarray) -> np.ndarray:
    """Curves (T, C) drawn through the samples marked in `keys` (T, C), the first and the last of which are marked."""
    rows = np.arange(len(frames))[:, None]
    left = np.maximum.accumulate(np.where(keys, rows, 0), axis=0)
    right = np.minimum.accumulate(np.where(keys, rows, len(frames) - 1)[::-1], axis=0)[::-1]
    gap = np.maximum(frames[right] - frames[left], 1e-9)
    s = (frames[:, None] - frames[left]) / gap
    a, b, da, db = (np.take_along_axis(x, i, axis=0) for x, i in ((values, left), (values, right), (slope, left),
                                                                  (slope, right)))
    return ((1.0 + 2.0 * s) * (1.0 - s)**2 * a + s * (1.0 - s)**2 * gap * da
            + s**2 * (3.0 - 2.0 * s) * b + s**2 * (s - 1.0) * gap * db)


def fewest_keys(frames: np.ndarray, values: np.ndarray, tolerance: np.ndarray, forced: np.ndarray) -> np.ndarray:
    """Which samples (T, C) of curves `values` (T, C) become keys, so that no sample is off by more than `tolerance` (C,).

    `forced` (T,) marks samples that are keys in every curve that moves; the ends always are. A curve that does not move
    keeps its first sample alone.
    """
    count, curves = values.shape
    keys = np.repeat(forced[:, None], curves, axis=1)
    keys[[0, -1]] = True
    slope = slopes(frames, values)
    still = np.ptp(values, axis=0) <= 0.5 * tolerance
    open_ = np.flatnonzero(~still)
    while open_.size:
        part = keys[:, open_]
        off = np.abs(interpolated(frames, values[:, open_], slope[:, open_], part) - values[:, open_]) / tolerance[open_]
        stretch = np.cumsum(part, axis=0) + (count + 1) * np.arange(open_.size)
        flat, worst = stretch.T.ravel(), off.T.ravel()
        order = np.lexsort((worst, flat))
        last = np.append(np.flatnonzero(np.diff(flat[order])), order.size - 1)
        picked = order[last]
        picked = picked[worst[picked] > 1.0]
        if not picked.size:
            break
        column, row = np.divmod(picked, count)
        keys[row, open_[column]] = True
        open_ = open_[np.unique(column)]
    keys[1:, still] = False
    return keys

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
    return _drawn(frames, np.ascontiguousarray(values.T), np.ascontiguousarray(slope.T), np.ascontiguousarray(keys.T)).T


def _drawn(frames: np.ndarray, values: np.ndarray, slope: np.ndarray, keys: np.ndarray) -> np.ndarray:
    """The same with curves as rows (C, T): Hermite polynomials between the keys."""
    count = len(frames)
    at = np.flatnonzero(keys)  # in the flattened rows, both ends of each row among them
    stretch = np.cumsum(keys.ravel()) - 1
    stretch[count - 1::count] -= 1  # a row's last sample ends its last stretch
    frame = frames[at % count]
    start, end = at[:-1], at[1:]
    gap = np.where(frame[1:] > frame[:-1], frame[1:] - frame[:-1], 1.0)
    flat, rate = values.ravel(), slope.ravel()
    a, da = flat[start], rate[start] * gap
    rise, db = flat[end] - a, rate[end] * gap
    s = (np.tile(frames, len(values)) - frame[:-1][stretch]) / gap[stretch]
    drawn = ((((da + db - 2.0 * rise)[stretch] * s + (3.0 * rise - 2.0 * da - db)[stretch]) * s + da[stretch]) * s + a[stretch])
    return drawn.reshape(values.shape)


def fewest_keys(frames: np.ndarray, values: np.ndarray, tolerance: np.ndarray, forced: np.ndarray) -> np.ndarray:
    """Which samples (T, C) of curves `values` (T, C) become keys, so that no sample is off by more than `tolerance` (C,).

    `forced` (T,) marks samples that are keys in every curve that moves; the ends always are. A curve that does not move
    keeps its first sample alone.
    """
    count, curves = values.shape
    rows, slope = np.ascontiguousarray(values.T), np.ascontiguousarray(slopes(frames, values).T)
    keys = np.repeat(forced[None, :], curves, axis=0)
    keys[:, [0, -1]] = True
    still = np.ptp(rows, axis=1) <= 0.5 * tolerance
    open_ = np.flatnonzero(~still)
    while open_.size:
        part = keys[open_]
        off = np.abs(_drawn(frames, rows[open_], slope[open_], part) - rows[open_]) / tolerance[open_, None]
        flat = off.ravel()
        starts = np.flatnonzero(part)
        worst = np.maximum.reduceat(flat, starts)
        length = np.diff(np.append(starts, flat.size))
        hit = np.flatnonzero((flat == np.repeat(worst, length)) & (flat > 1.0))
        if not hit.size:
            break
        row, column = np.divmod(hit, count)
        keys[open_[row], column] = True
        open_ = open_[np.unique(row)]
    keys[still, 1:] = False
    return keys.T

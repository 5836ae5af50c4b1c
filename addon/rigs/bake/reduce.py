# SPDX-License-Identifier: GPL-3.0-or-later
"""Fewer keys: cubic curves through as few of the samples as keep every other sample within a tolerance. Plain numpy.

All curves are split at once, level by level: between two keys the curve is a cubic Hermite polynomial (what Blender draws
between keys whose handles lie at a third of the gap); where a stretch is off by more than its tolerance, the sample that is
worst becomes a key. The slopes at the keys are those that fit the samples between them best (least squares: one system with
three diagonals for all curves together), held to the samples' own slopes where there is little between.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import solve_banded

from ...maths.curves import cubic

_HOLD = 0.002
"""Weight with which a slope is held to the samples' own, over the gap squared. One sample midway in a gap weighs 0.016."""

_SAMPLES = 500_000
"""Samples that are worked on at once: curves of a very long take go group by group."""


def slopes(frames: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Slopes (T, C) of curves (T, C) at their samples by central differences over `frames` (T,)."""
    return np.gradient(values, frames, axis=0, edge_order=2 if len(frames) > 2 else 1)


def fewest_keys(frames: np.ndarray, values: np.ndarray, tolerance: np.ndarray,
                forced: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Which samples (T, C) of curves `values` (T, C) become keys, so that no sample is off by more than `tolerance` (C,);
    the slopes (T, C) of the curves at the keys; and what is drawn through them (T, C).

    `forced` (T,) marks samples that are keys in every curve that moves; the ends always are. A curve that does not move
    keeps its first sample alone.
    """
    count, curves = values.shape
    group = max(1, _SAMPLES // count)
    if curves <= group:
        return _fewest(frames, values, tolerance, forced)
    keys, slope, drawn = np.empty(values.shape, dtype=bool), np.empty(values.shape), np.empty(values.shape)
    for start in range(0, curves, group):
        some = slice(start, start + group)
        keys[:, some], slope[:, some], drawn[:, some] = _fewest(frames, values[:, some], tolerance[some], forced)
    return keys, slope, drawn


def _fewest(frames: np.ndarray, values: np.ndarray, tolerance: np.ndarray,
            forced: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """`fewest_keys` of some of the curves, all at once."""
    rows, own = np.ascontiguousarray(values.T), np.ascontiguousarray(slopes(frames, values).T)
    curves, count = rows.shape
    keys = np.repeat(forced[None, :], curves, axis=0)
    keys[:, [0, -1]] = True
    slope, drawn = np.zeros_like(rows), np.repeat(rows[:, :1], count, axis=1)
    still = np.ptp(rows, axis=1) <= 0.5 * tolerance
    open_ = np.flatnonzero(~still)
    while open_.size:
        part = keys[open_]
        slope[open_], drawn[open_] = _fitted(frames, rows[open_], own[open_], part)
        flat = (np.abs(drawn[open_] - rows[open_]) / tolerance[open_, None]).ravel()
        starts = np.flatnonzero(part)
        worst = np.maximum.reduceat(flat, starts)
        length = np.diff(np.append(starts, flat.size))
        hit = np.flatnonzero((flat == np.repeat(worst, length)) & (flat > 1.0))
        row, column = np.divmod(hit, count)
        keys[open_[row], column] = True
        open_ = open_[np.unique(row)]
    keys[still, 1:] = False
    return keys.T, slope.T, drawn.T


def _fitted(frames: np.ndarray, values: np.ndarray, own: np.ndarray, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Slopes at the keys and the curves drawn through them, with curves as rows (C, T); both ends of each row are keys."""
    count = len(frames)
    at = np.flatnonzero(keys)
    nodes = len(at)
    stretch = np.cumsum(keys.ravel()) - 1
    stretch[count - 1::count] -= 1  # a row's last sample ends its last stretch
    frame, flat = frames[at % count], values.ravel()
    gap = np.where(frame[1:] > frame[:-1], frame[1:] - frame[:-1], 1.0)  # from a row's end to the next one's start: unused
    s, h = (np.tile(frames, len(values)) - frame[:-1][stretch]) / gap[stretch], gap[stretch]
    a, rise = flat[at[:-1]], np.diff(flat[at])
    straight = a[stretch] + cubic(s) * rise[stretch]
    u, v = h * s * (1.0 - s) ** 2, h * s * s * (s - 1.0)
    short = flat - straight
    total = [np.bincount(stretch, weights, nodes) for weights in (u * u, u * v, v * v, u * short, v * short)]
    within = np.append(np.diff(at // count) == 0, False)
    hold = _HOLD * np.append(gap**2, 0.0) * within
    hold += np.roll(hold, 1)
    bands = np.zeros((3, nodes))
    bands[1] = total[0] + np.roll(total[2], 1) + hold
    bands[0, 1:] = bands[2, :-1] = total[1][:-1]
    wanted = total[3] + np.roll(total[4], 1) + hold * own.ravel()[at]
    found = solve_banded((1, 1), bands, wanted, check_finite=False)
    slope = np.zeros_like(flat)
    slope[at] = found
    return slope.reshape(values.shape), (straight + u * found[stretch] + v * found[stretch + 1]).reshape(values.shape)

# SPDX-License-Identifier: GPL-3.0-or-later
"""All ways to give the blobs of a frame of pressure to two feet, and what each costs: a foot fits its box and lies together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .blobs import Blobs, blobs_of

FOOT_M = (0.35, 0.165)
"""A box slightly larger than a foot's print, along it and across: a tall man's sole is 0.29 by 0.11 m, what it presses on a mat
is wider by its rim."""
TURNS_RAD = np.radians(np.arange(-60.0, 61.0, 15.0))
"""How a foot's box may be turned from straight ahead."""
CORE = 0.5
"""Share of a blob's peak from which on a cell is a part of the sole and not its rim: the finer a sensor, the wider a rim."""
EXCESS_M = 0.02
"""By so much more than a box a foot costs one."""
TWO = 0.6
"""Cost of two feet where all that presses fits one box: one foot's heel and toes are no two feet."""
ORDER_M = (0.02, 0.06)
"""A left foot's middle so far left of the right one's costs nothing; so far right of it, the whole price of a wrong order."""
FLIP, SLIDE, ORDER, ORDER_STANDING = 4.0, 1.0, 1.0, 0.6
"""Price of all that stands becoming the other foot's; of a foot that is elsewhere at once; of feet in wrong order where one
lands; and of such feet in each frame in which both stand (crossed feet go on being crossed, for a while)."""
MOST_WAYS = 96
"""The cheapest that are kept."""
SLIDE_M = 0.1
"""So far from where it was a foot is elsewhere."""


@dataclass(frozen=True, eq=False)
class Ways:
    """The W cheapest ways to give a frame's n blobs to the left foot or (`right`, (W, n)) to the right one. Each costs `cost`
    (W,) by itself and by how far its feet are in wrong order, `order` (W,), from 0 to 1. `middles_m` (W, 2, 2) are the feet's,
    not a number for one that is up. `labels` (R, C) are the blobs' numbers from 1, 0 where nothing presses."""

    blobs: Blobs
    labels: np.ndarray
    right: np.ndarray
    cost: np.ndarray
    order: np.ndarray
    middles_m: np.ndarray

    def masks(self, way: int) -> np.ndarray:
        """The cells (2, R, C) of both feet."""
        right = np.append(False, self.right[way])[self.labels]
        return np.stack([(self.labels > 0) & ~right, right])


def ways_of(image: np.ndarray, least: float, rows_m: np.ndarray, columns_m: np.ndarray) -> Ways | None:
    """The ways of an image (R, C) whose cells above `least` count, None where nothing presses."""
    pitch = (float(rows_m[1] - rows_m[0]), float(columns_m[1] - columns_m[0]))
    blobs = blobs_of(image, least, pitch)
    if not len(blobs):
        return None
    labels, cells = np.zeros(image.shape, dtype=int), tuple(blobs.cells.T)
    labels[cells] = blobs.of + 1
    places = np.stack([rows_m[cells[0]], columns_m[cells[1]]], axis=1)
    groups = (np.arange(1, 2 ** len(blobs))[:, None] >> np.arange(len(blobs))) & 1 == 1
    count = (groups @ blobs.sizes)[:, None]
    sums, squares = (np.stack([np.bincount(blobs.of, values) for values in (places**power).T], axis=1) for power in (1, 2))
    middle = groups @ sums / count
    excess = _excess_m(groups, blobs, places, image[cells], pitch)
    alone = excess / EXCESS_M + (groups @ squares - count * middle**2) @ (1.0 / np.array(FOOT_M) ** 2) / len(places)
    none = np.full((1, 2), np.nan)
    middles = np.stack([np.concatenate([middle[::-1], none]), np.concatenate([none, middle])], axis=1)  # the rest is left
    cost = np.append(alone[::-1], 0.0) + np.append(0.0, alone)
    cost[1:-1] += TWO * max(1.0 - 0.5 * excess[-1] / EXCESS_M, 0.0)
    right = np.concatenate([np.zeros((1, len(blobs)), dtype=bool), groups])
    gap = np.nan_to_num(middles[:, 0, 1] - middles[:, 1, 1], nan=np.inf)
    order = np.clip((ORDER_M[0] - gap) / sum(ORDER_M), 0.0, 1.0)
    kept = np.argsort(cost, kind="stable")[:MOST_WAYS]
    return Ways(blobs, labels, right[kept], cost[kept], order[kept], middles[kept])


def changes(before: Ways, after: Ways) -> np.ndarray:
    """What it costs (W, V) to go from each way of one frame to each of the next."""
    shared = np.zeros((len(before.blobs), len(after.blobs)))
    on = (before.labels > 0) & (after.labels > 0)
    np.add.at(shared, (before.labels[on] - 1, after.labels[on] - 1), 1.0)
    was, is_ = before.right.astype(float), after.right.astype(float)
    stay = np.stack([(1.0 - was) @ shared @ (1.0 - is_).T, was @ shared @ is_.T], axis=2)
    flipped = np.maximum(shared.sum() - stay.sum(axis=2), 0.0)
    away = np.linalg.norm(before.middles_m[:, None] - after.middles_m[None], axis=3)
    slides = np.where((stay < 0.5) & np.isfinite(away), np.minimum(away / SLIDE_M, 1.0), 0.0).sum(axis=2)
    stood = np.isfinite(before.middles_m).all(axis=(1, 2))
    least = max(min(before.blobs.sizes.sum(), after.blobs.sizes.sum()), 1)
    return FLIP * flipped / least + SLIDE * slides + np.where(stood, ORDER_STANDING, ORDER)[:, None] * after.order[None]


def _excess_m(
    groups: np.ndarray, blobs: Blobs, places_m: np.ndarray, values: np.ndarray, pitch_m: tuple[float, float],
) -> np.ndarray:
    """By how much each group (W, n) of blobs is larger than a foot's box, turned as it fits best (W,) [m]; cells lie at places
    (C, 2) and hold values (C,)."""
    peaks = np.zeros(len(blobs))
    np.maximum.at(peaks, blobs.of, values)
    core = values >= CORE * peaks[blobs.of]
    along = np.stack([np.cos(TURNS_RAD), np.sin(TURNS_RAD)])
    axes = np.concatenate([along, [-along[1], along[0]]], axis=1)
    shown, half = places_m[core] @ axes, 0.5 * np.array(pitch_m) @ np.abs(axes)
    ends = np.full((len(blobs), 2 * axes.shape[1]), -np.inf)  # how far each blob reaches along each axis, and against it
    np.maximum.at(ends, blobs.of[core], np.concatenate([shown + half, half - shown], axis=1))
    reach = np.full((len(groups), ends.shape[1]), -np.inf)
    for blob, mine in enumerate(groups.T):
        reach[mine] = np.maximum(reach[mine], ends[blob])
    long, wide = np.split(sum(np.split(reach, 2, axis=1)), 2, axis=1)
    return np.asarray((np.maximum(long - FOOT_M[0], 0.0) + np.maximum(wide - FOOT_M[1], 0.0)).min(axis=1))

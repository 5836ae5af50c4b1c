# SPDX-License-Identifier: GPL-3.0-or-later
"""Which cells of a mat's image are the left foot, which the right one (Yin 2007, appendix B)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from .images import LEFT, MAT, SOLES, Pressure

FOOT_M = (0.32, 0.15)
"""A box slightly larger than a foot, along it and across: a tall man's sole is 0.29 by 0.11 m."""
LEAST_OF_PEAK = 0.06
"""Cells below this share of the sequence's highest pressure count as unloaded: noise of 8 bits is far below it, and the patch at
a sole's rim about as high."""
ROOM = 1.25
"""What is pressed within so many boxes, however it is turned, may be one foot."""
MOST_TURNED_RAD = 0.9
"""By how much a foot may be turned from straight ahead: two sets of toes side by side lie across."""
ROUNDS = 10
ANKLE_SHARE = 0.33
"""Of a whole print's length from its rear end on, where the ankle is above it: 0.28 of the sole's, and a rim around that."""
FULL_SHARE = 0.7
"""Of a foot's longest print in the sequence: from there on the whole sole is down, heel and all."""


@dataclass
class FeetFinder:
    """Finds the feet frame after frame. `places_m` (2, 2) is where the left and the right foot were last, not a number for one
    that was never down."""

    pitch_m: tuple[float, float]
    least: float
    box_m: tuple[float, float] = FOOT_M

    def __post_init__(self) -> None:
        self.places_m = np.full((2, 2), np.nan)
        self._half = [max(round(0.5 * size / pitch), 1) for size, pitch in zip(self.box_m, self.pitch_m, strict=True)]

    def find(self, image: np.ndarray, rows_m: np.ndarray, columns_m: np.ndarray) -> np.ndarray:
        """Masks (2, rows, columns) of the left and the right foot."""
        loaded = np.where(image > self.least, image, 0.0)
        prints: list[np.ndarray] = []
        if loaded.any():
            first = self._box(loaded)
            rest = np.where(first, 0.0, loaded)
            one = not rest.any() or self._is_one(loaded)
            prints = [loaded > 0.0] if one else self._parted(loaded, first, self._box(rest))
        masks = np.zeros((2, *image.shape), dtype=bool)
        if not prints:
            return masks
        centres = [np.array([rows_m[rows].mean(), columns_m[columns].mean()]) for rows, columns in map(np.nonzero, prints)]
        if len(prints) == 2:
            left = 0 if centres[0][1] >= centres[1][1] else 1
            sides = [0 if i == left else 1 for i in (0, 1)]
        else:
            sides = [self._nearest(centres[0])]
        for print_, centre, side in zip(prints, centres, sides, strict=True):
            masks[side], self.places_m[side] = print_, centre
        return masks

    def _is_one(self, loaded: np.ndarray) -> bool:
        """Whether all that is pressed lies within a box, turned as it lies."""
        places = np.argwhere(loaded > 0.0) * np.array(self.pitch_m)
        away = places - places.mean(axis=0)
        across, along = np.linalg.eigh(away.T @ away)[1].T
        if abs(along[1]) > math.sin(MOST_TURNED_RAD):
            return False
        sizes = [np.ptp(away @ axis) for axis in (along, across)]
        return all(size <= ROOM * most for size, most in zip(sizes, self.box_m, strict=True))

    def _box(self, loaded: np.ndarray) -> np.ndarray:
        """The loaded cells of the box that holds the most around the highest cell."""
        row, column = (int(i) for i in np.unravel_index(int(np.argmax(loaded)), loaded.shape))
        sums = np.pad(loaded.cumsum(axis=0).cumsum(axis=1), ((1, 0), (1, 0)))
        best, chosen = -1.0, (0, 0, 0, 0)
        high, wide = (2 * half + 1 for half in self._half)
        for top in range(max(row - high + 1, 0), row + 1):
            left = np.arange(max(column - wide + 1, 0), column + 1)
            bottom, right = min(top + high, loaded.shape[0]), np.minimum(left + wide, loaded.shape[1])
            held = sums[bottom, right] - sums[top, right] - sums[bottom, left] + sums[top, left]
            most = int(np.argmax(held))
            if held[most] > best + 1e-9 * abs(best):
                best, chosen = float(held[most]), (top, bottom, int(left[most]), int(right[most]))
        mask = np.zeros(loaded.shape, dtype=bool)
        top, bottom, first, last = chosen
        mask[top:bottom, first:last] = loaded[top:bottom, first:last] > 0.0
        return mask

    def _parted(self, loaded: np.ndarray, one: np.ndarray, other: np.ndarray) -> list[np.ndarray]:
        """Two prints, each of the loaded cells that are nearest to its middle, in lengths of the box."""
        cells = np.argwhere(loaded > 0.0)
        places = cells * np.array(self.pitch_m) / np.array(self.box_m)
        chosen = np.array([one[tuple(cells.T)], other[tuple(cells.T)]])
        middles = np.array([places[mask].mean(axis=0) for mask in chosen])
        for _ in range(ROUNDS):
            nearer = np.linalg.norm(places[None] - middles[:, None], axis=2).argmin(axis=0)
            middles = np.array([places[nearer == i].mean(axis=0) for i in (0, 1)])
        prints = [np.zeros(loaded.shape, dtype=bool) for _ in (0, 1)]
        for i in (0, 1):
            prints[i][tuple(cells[nearer == i].T)] = True
        return prints

    def _nearest(self, centre: np.ndarray) -> int:
        """The foot that was last nearest to a lone print; where neither was seen, the one of its side of the mat's middle."""
        away = np.linalg.norm(self.places_m - centre, axis=1)
        if np.isnan(away).all():
            return 0 if centre[1] >= 0.0 else 1
        return int(np.nanargmin(away))


def least_of(pressure: Pressure) -> float:
    """The pressure from which on a cell of a sequence counts as loaded."""
    return LEAST_OF_PEAK * float(pressure.images.max())


def foot_masks(pressure: Pressure) -> np.ndarray:
    """Masks (T, 2, rows, columns) of the left and the right foot in every frame; an insole's foot is known."""
    least = least_of(pressure)
    if pressure.place != MAT:
        masks = np.zeros((len(pressure), 2, *pressure.images.shape[1:]), dtype=bool)
        if pressure.place == SOLES:
            side = pressure.columns_m > 0.0
            return np.stack([pressure.images > least] * 2, axis=1) & np.stack([side, ~side])[None, :, None]
        masks[:, 0 if pressure.place == LEFT else 1] = pressure.images > least
        return masks
    finder = FeetFinder(pressure.pitch_m, least)
    return np.stack([finder.find(image, pressure.rows_m, pressure.columns_m) for image in pressure.images])


def ankles_m(pressure: Pressure, masks: np.ndarray) -> np.ndarray:
    """Where the ankles are (T, 2, 2) [m], ahead of the middle of the last three rows of a whole print; Yin 2007, appendix B,
    takes that itself. Not a number while a foot is not wholly down."""
    rows, columns = pressure.rows_m, pressure.columns_m
    found = np.full((*masks.shape[:2], 2), np.nan)
    touched = masks.any(axis=3)
    long = touched.sum(axis=2)
    for foot in (0, 1):
        whole = long[:, foot] >= max(FULL_SHARE * long[:, foot].max(), 3)
        ahead = (ANKLE_SHARE * long[:, foot].max() - 1.5) * pressure.pitch_m[0]
        for frame in np.nonzero(whole)[0]:
            heel = np.nonzero(touched[frame, foot])[0][:3]
            weight = masks[frame, foot, heel].astype(float)
            total = weight.sum()
            found[frame, foot] = (weight.sum(axis=1) @ rows[heel] / total + ahead, weight.sum(axis=0) @ columns / total)
    return found

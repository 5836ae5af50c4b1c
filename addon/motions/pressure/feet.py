# SPDX-License-Identifier: GPL-3.0-or-later
"""Which cells of a mat's image are the left foot, which the right one.

Yin 2007, appendix B, takes a box around the highest cell for one foot and a box around the highest of what is left for the other,
frame by frame. Here every frame's blobs are given to two feet in all ways, and the cheapest way through all frames is gone
(Viterbi 1967): a foot fits a box, and what stands does not become the other foot.
"""

from __future__ import annotations

import numpy as np

from .images import LEFT, MAT, SOLES, Pressure
from .ways import ORDER, Ways, changes, ways_of

LEAST_OF_PEAK = 0.06
"""Cells below this share of the sequence's highest pressure count as unloaded: noise of 8 bits is far below it, and the patch at
a sole's rim about as high."""
FAINT = 0.35
"""Share of that from which on a cell tells where feet are: what is hardly loaded presses too."""


class FeetFinder:
    """Finds the feet frame after frame, from nothing but the frames so far. `least` is the pressure of a loaded cell."""

    def __init__(self, least: float) -> None:
        self.least = least
        self._last: Ways | None = None
        self._costs = np.zeros(1)

    def step(self, image: np.ndarray, rows_m: np.ndarray, columns_m: np.ndarray) -> tuple[Ways, np.ndarray] | None:
        """The ways of the next frame, and which way of the frame before each comes from; None where nothing presses. The cheapest
        so far is `best`."""
        ways = ways_of(image, FAINT * self.least, rows_m, columns_m)
        if ways is None:
            return None
        total = ORDER * ways.order[None] if self._last is None else self._costs[:, None] + changes(self._last, ways)
        before = total.argmin(axis=0)
        costs = total.min(axis=0) + ways.cost
        self._last, self._costs = ways, costs - costs.min()
        return ways, before

    @property
    def best(self) -> int:
        """The way of the last frame that is cheapest with all before it."""
        return int(self._costs.argmin())

    def find(self, image: np.ndarray, rows_m: np.ndarray, columns_m: np.ndarray) -> np.ndarray:
        """Masks (2, rows, columns) of the loaded cells of the left and the right foot."""
        found = self.step(image, rows_m, columns_m)
        if found is None:
            return np.zeros((2, *image.shape), dtype=bool)
        return np.asarray(found[0].masks(self.best) & (image > self.least))


def least_of(pressure: Pressure) -> float:
    """The pressure from which on a cell of a sequence counts as loaded."""
    return LEAST_OF_PEAK * float(pressure.images.max())


def foot_masks(pressure: Pressure, faint: bool = False) -> np.ndarray:
    """Masks (T, 2, rows, columns) of the left and the right foot in every frame, with all frames known; an insole's foot is
    known. With `faint` also of cells that hardly press."""
    least = least_of(pressure)
    loaded = pressure.images > (FAINT * least if faint else least)
    masks = np.zeros((len(pressure), 2, *pressure.images.shape[1:]), dtype=bool)
    if pressure.place == SOLES:
        side = pressure.columns_m > 0.0
        return np.asarray(loaded[:, None] & np.stack([side, ~side])[None, :, None])
    if pressure.place != MAT:
        masks[:, 0 if pressure.place == LEFT else 1] = loaded
        return masks
    finder = FeetFinder(least)
    steps = [finder.step(image, pressure.rows_m, pressure.columns_m) for image in pressure.images]
    way = finder.best
    for frame in range(len(steps) - 1, -1, -1):
        found = steps[frame]
        if found is not None:
            masks[frame] = found[0].masks(way)
            way = int(found[1][way])
    return masks & loaded[:, None]

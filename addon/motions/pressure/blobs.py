# SPDX-License-Identifier: GPL-3.0-or-later
"""What presses in an image, cut at its valleys: heels, balls, toes, and whatever else has a peak of its own."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.ndimage import gaussian_filter

SMOOTH_M = 0.008
"""Deviation of the bell curve an image is smoothed by: noise has no peaks beyond it, toes side by side do."""
MOST_BLOBS = 9
"""More are joined, the faintest first: each doubles the ways to share them between two feet."""


@dataclass(frozen=True, eq=False)
class Blobs:
    """The loaded cells of an image (C, 2), which of the n blobs each is in (C,), and the blobs' cells (n,)."""

    cells: np.ndarray
    of: np.ndarray
    sizes: np.ndarray

    def __len__(self) -> int:
        return len(self.sizes)


def blobs_of(image: np.ndarray, least: float, pitch_m: tuple[float, float]) -> Blobs:
    """The blobs of cells above `least`: from each of its cells the way uphill ends at the same peak."""
    cells = np.argwhere(image > least)
    if not len(cells):
        return Blobs(cells, np.zeros(0, dtype=int), np.zeros(0, dtype=int))
    low = cells.min(axis=0)
    part = image[tuple(slice(a, b + 1) for a, b in zip(low, cells.max(axis=0), strict=True))]
    smooth = np.pad(gaussian_filter(part, [SMOOTH_M / pitch for pitch in pitch_m], mode="constant"), 1)
    wide = smooth.shape[1]
    flat = (cells - low + 1) @ (wide, 1)
    around = np.array([row * wide + column for row in (-1, 0, 1) for column in (-1, 0, 1)])
    row_of = np.full(smooth.size, -1)
    row_of[flat] = np.arange(len(flat))
    heights = np.where(row_of[flat[:, None] + around] >= 0, smooth.ravel()[flat[:, None] + around], -1.0)
    up = row_of[flat + around[heights.argmax(axis=1)]]
    while not np.array_equal(further := up[up], up):
        up = further
    peaks, of = np.unique(up, return_inverse=True)
    of = _joined(of, cells * np.array(pitch_m), smooth.ravel()[flat[peaks]], cells[peaks] * np.array(pitch_m))
    return Blobs(cells, of, np.bincount(of))


def _joined(of: np.ndarray, places: np.ndarray, heights: np.ndarray, peaks: np.ndarray) -> np.ndarray:
    """Blobs (C,), the faintest joined to the one whose peak is nearest, until there are few enough."""
    left = np.argsort(-heights)
    for row in left[:MOST_BLOBS - 1:-1]:
        away = np.linalg.norm(peaks[left[:MOST_BLOBS]] - peaks[row], axis=1)
        of = np.where(of == row, left[int(away.argmin())], of)
    return np.unique(of, return_inverse=True)[1]

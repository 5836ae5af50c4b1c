# SPDX-License-Identifier: GPL-3.0-or-later
"""What is seen in a frame of pressure: ten numbers (Yin 2007, section 3.4.1).

The velocity of the centre of pressure (2) [m/s], the areas of left and right contact (2) [m^2], and the first six of Hu's moment
invariants (6), which change neither with the place nor with the turn of what presses (Hu 1962).
"""

from __future__ import annotations

import numpy as np

from .feet import LEAST_OF_PEAK, FeetFinder, foot_masks, least_of
from .images import Pressure

HU_LEAST = np.array([0.1, 0.01, 1e-3, 1e-3, 1e-6, 1e-4])
"""From where on moments count by their powers of ten: below, they are noise (feet side by side have about the tenfold)."""
NAMES = ("velocity_ahead", "velocity_left", "area_left", "area_right", *(f"hu_{i}" for i in range(1, 7)))


def hu_moments(images: np.ndarray, rows_m: np.ndarray, columns_m: np.ndarray) -> np.ndarray:
    """The first six moment invariants (T, 6) of images (T, rows, columns) over places [m]; 0 where an image is empty.

    An image counts in units of its own mean pressure, over the area (sum p)^2 / sum p^2: neither the weight of who presses nor
    the size of the cells changes them."""
    total = images.sum(axis=(1, 2))
    safe = np.where(total > 0.0, total, 1.0)
    across, along = images.sum(axis=1), images.sum(axis=2)
    x = rows_m[None] - (along @ rows_m / safe)[:, None]
    y = columns_m[None] - (across @ columns_m / safe)[:, None]
    cell = (rows_m[1] - rows_m[0]) * (columns_m[1] - columns_m[0])
    squares = np.einsum("trc,trc->t", images, images)
    area = np.where(total > 0.0, cell * safe**2 / np.where(squares > 0.0, squares, 1.0), 1.0)

    def eta(p: int, q: int) -> np.ndarray:
        """The central moment, over the power of the area that makes it free of the size."""
        return np.einsum("tr,trc,tc->t", x**p, images, y**q, optimize=True) / safe / area ** (0.5 * (p + q))

    e20, e02, e11 = eta(2, 0), eta(0, 2), eta(1, 1)
    e30, e03, e12, e21 = eta(3, 0), eta(0, 3), eta(1, 2), eta(2, 1)
    a, b = e30 + e12, e21 + e03
    found = np.stack([
        e20 + e02,
        (e20 - e02) ** 2 + 4.0 * e11**2,
        (e30 - 3.0 * e12) ** 2 + (3.0 * e21 - e03) ** 2,
        a**2 + b**2,
        (e30 - 3.0 * e12) * a * (a**2 - 3.0 * b**2) + (3.0 * e21 - e03) * b * (3.0 * a**2 - b**2),
        (e20 - e02) * (a**2 - b**2) + 4.0 * e11 * a * b], axis=1)
    return np.where(total[:, None] > 0.0, found, 0.0)


def features_of(pressure: Pressure) -> np.ndarray:
    """The numbers (T, 10) of every frame."""
    masks = foot_masks(pressure)
    centre = pressure.centre_m
    velocity = np.zeros((len(pressure), 2))
    velocity[1:] = np.diff(centre, axis=0) * pressure.rate_hz
    velocity[~np.isfinite(velocity)] = 0.0
    areas = masks.sum(axis=(2, 3)) * pressure.cell_m2
    return np.concatenate([velocity, areas, _even(hu_moments(pressure.images, pressure.rows_m, pressure.columns_m))], axis=1)


def _even(moments: np.ndarray) -> np.ndarray:
    """Moments, which go over many powers of ten, by their powers: one large one would be all of the variance."""
    return np.sign(moments) * np.log10(1.0 + np.abs(moments) / HU_LEAST)


class FrameFeatures:
    """The same, frame by frame as they come. `least` is the pressure from which on a cell counts as loaded; a `live` one takes it
    from the strongest so far, since nobody knows what comes."""

    def __init__(self, like: Pressure, least: float | None = None, live: bool = False) -> None:
        """For frames as those of a sequence, whose strongest tells `least` where it is not told."""
        self._live, self._peak = live, 0.0
        self._like, self._finder = like, FeetFinder(like.pitch_m, least_of(like) if least is None else least)
        self._centre = np.full(2, np.nan)

    def of(self, image: np.ndarray) -> np.ndarray:
        """The numbers (10,) of the next frame."""
        like, rows, columns = self._like, self._like.rows_m, self._like.columns_m
        if self._live:
            self._peak = max(self._peak, float(image.max()))
            self._finder.least = LEAST_OF_PEAK * self._peak
        total = float(image.sum())
        centre = np.full(2, np.nan)
        if total > 0.0:
            centre = np.array([image.sum(axis=1) @ rows, image.sum(axis=0) @ columns]) / total
        velocity = (centre - self._centre) * like.rate_hz
        self._centre = centre
        areas = self._finder.find(image, rows, columns).sum(axis=(1, 2)) * like.cell_m2
        velocity[~np.isfinite(velocity)] = 0.0
        return np.concatenate([velocity, areas, _even(hu_moments(image[None], rows, columns))[0]])


def live_features(pressure: Pressure) -> np.ndarray:
    """The numbers (T, 10) of every frame as a live stream has them, from nothing but the frames so far."""
    frames = FrameFeatures(pressure, live=True)
    return np.array([frames.of(image) for image in pressure.images])

# SPDX-License-Identifier: GPL-3.0-or-later
"""Pressure as it is drawn on the ground: of every frame the loaded cells alone, so that a way of any length can be shown."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.ndimage import distance_transform_edt

from ..errors import InputError
from ..motions.pressure.feet import foot_masks
from ..motions.pressure.images import LEFT, MAT, MAT_PITCH_M, MAT_RATE_HZ, RIGHT, Pressure, patch_m, shares
from ..motions.pressure.synthesis import pressure_in
from ..sim.take import Take
from .pressure import PATCHES, check_lasts, colours, sampled_hz, way_cells

FEET = (LEFT, RIGHT)
NOBODYS = -1
RIM_M = 0.05
"""How far from a foot's mask a cell may be that it presses a little."""
LEAST_COUNTS = 0.5
"""Of 255: what is less is drawn as ground."""
ABOVE_GROUND_M = 0.004
"""Cells over the ground, and what lies on them over them."""
CENTRE_M, RING_M = 0.009, 0.014
"""Radii of the dot at the centre of pressure and of the ring around it."""
Height = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""The ground's height [m] over places."""


@dataclass(frozen=True, eq=False)
class Loaded:
    """What is loaded in a frame: `cells` (N, 2), rows and columns; their `pressure` (N,); the `foot` (N,) that presses, a row of
    `FEET` or `NOBODYS`; and the centre of pressure (2,) [m], not a number where nothing presses."""

    cells: np.ndarray
    pressure: np.ndarray
    foot: np.ndarray
    centre_m: np.ndarray


@dataclass(frozen=True, eq=False)
class OnGround:
    """Frames of a mat of `size` (rows, columns), the middle of whose cell (i, j) lies at `origin_m` + (i, j) * `pitch_m` (2,) on
    the ground, `rate_hz` a second from `start_s` on. `most` [`unit`] is what counts as 255."""

    frames: tuple[Loaded, ...]
    size: tuple[int, int]
    pitch_m: tuple[float, float]
    origin_m: tuple[float, float]
    rate_hz: float
    start_s: float
    most: float
    unit: str = "Pa"

    def at(self, time_s: float) -> int | None:
        """The frame that a time [s] lies in; None before the first, and later than a frame's time after the last."""
        frame = math.floor((time_s - self.start_s) * self.rate_hz + 1e-6)
        return min(frame, len(self.frames) - 1) if 0 <= frame <= len(self.frames) else None

    def middles_m(self, frame: int) -> np.ndarray:
        """The middles (N, 2) [m] of a frame's cells."""
        return self.frames[frame].cells * np.array(self.pitch_m) + self.origin_m

    def corners_m(self, cells: np.ndarray) -> np.ndarray:
        """The corners (N, 4, 2) [m] of cells (N, 2), one after the other around each."""
        around = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
        return (cells[:, None] + around) * self.pitch_m + self.origin_m

    def colours(self, frame: int) -> np.ndarray:
        """Colours (N, 3), whole numbers up to 255, of a frame's cells."""
        return colours(self.frames[frame].pressure, self.most)

    def outline_m(self, frame: int, foot: int) -> np.ndarray:
        """The edges (2 M, 2) [m] between cells of a foot and others, ends in pairs."""
        loaded = self.frames[frame]
        mine = loaded.cells[loaded.foot == foot]
        if not len(mine):
            return np.zeros((0, 2))
        low = mine.min(axis=0) - 1
        inside = np.zeros(mine.max(axis=0) - low + 2, dtype=bool)
        inside[tuple((mine - low).T)] = True
        found = []
        for axis in (0, 1):  # between a cell and the next along this axis
            cells = np.argwhere(np.diff(inside, axis=axis)) + low
            ends = np.array([(0.5, -0.5), (0.5, 0.5)] if axis == 0 else [(-0.5, 0.5), (0.5, 0.5)])
            found.append((cells[:, None] + ends).reshape(-1, 2))
        return np.concatenate(found) * self.pitch_m + self.origin_m

    @property
    def edge_m(self) -> np.ndarray:
        """The mat's corners (4, 2) [m], around it."""
        half = 0.5 * np.array(self.pitch_m)
        low, high = self.origin_m - half, self.origin_m + (np.array(self.size) - 0.5) * self.pitch_m
        return np.array([low, (high[0], low[1]), high, (low[0], high[1])])


def on_ground(places: np.ndarray, height: Height, above: float = 1.0) -> np.ndarray:
    """Places (N, 3) over a ground at (N, 2), so many times `ABOVE_GROUND_M` above it."""
    x, y = places.T
    return np.column_stack([places, np.broadcast_to(height(x, y), x.shape) + above * ABOVE_GROUND_M])


def seen_under(take: Take) -> OnGround:
    """The pressure that a Take was read from, or of every other Take what it leaves. Raises InputError, also as `of_take`."""
    mat = take.stats.get("mat")
    if mat is None:
        return of_take(take)
    if not Path(mat["file"]).exists():
        raise InputError(f"This take was read from the pressure {mat['file']}, which is no longer there: put it back, or read "
                         "another.")
    return of_mat(pressure_in(mat["file"]), (mat["at_m"][0], mat["at_m"][1]), float(take.time_s[0]))


def of_mat(mat: Pressure, at_m: tuple[float, float] = (0.0, 0.0), start_s: float | None = None) -> OnGround:
    """A mat's sequence, its middle at `at_m` (2,) [m], from `start_s` (default its own). Raises InputError for insoles."""
    if mat.place != MAT:
        raise InputError(f"{mat.source.capitalize()} is of an insole, which does not tell where a foot stands: only a mat can be "
                         "laid on the ground.")
    most = float(mat.images.max())
    masks = foot_masks(mat) if most > 0.0 else np.zeros((len(mat), 2, *mat.images.shape[1:]), dtype=bool)
    return of_frames(mat, masks, most, at_m, start_s)


def of_frames(mat: Pressure, masks: np.ndarray, most: float, at_m: tuple[float, float], start_s: float | None = None) -> OnGround:
    """The same of frames whose feet are known, by masks (T, 2, rows, columns), in colours up to `most`."""
    frames = []
    for image, mask, centre in zip(mat.images, masks, mat.centre_m, strict=True):
        cells = np.argwhere(image >= _least(most))
        rows, columns = cells.T
        frames.append(Loaded(cells, image[rows, columns], _nearest(mask, mat.pitch_m)[rows, columns], centre + at_m))
    origin = mat.rows_m[0] + at_m[0], mat.columns_m[0] + at_m[1]
    size = mat.images.shape[1], mat.images.shape[2]
    start = mat.start_s if start_s is None else start_s
    return OnGround(tuple(frames), size, mat.pitch_m, origin, mat.rate_hz, start, most, mat.unit)


def of_take(take: Take, *, rate_hz: float = MAT_RATE_HZ, pitch_m: float = MAT_PITCH_M) -> OnGround:
    """What a mat under a Take feels, however far it goes, foot by foot. Raises InputError, BodyError for one without feet."""
    check_lasts(take, rate_hz)
    force = np.maximum(take.contact_point_force_n, 0.0)
    if not force.any():
        raise InputError("No foot presses on the ground in this take, so there is no pressure to be shown.")
    size, middle = way_cells(take, force, pitch_m)
    origin = (middle[0] - 0.5 * (size[0] - 1) * pitch_m, middle[1] - 0.5 * (size[1] - 1) * pitch_m)
    spread, step = patch_m(take.body), sampled_hz(take) / rate_hz
    patches = [_Patches(list(foot.points), FEET.index(foot.side) if foot.side in FEET else NOBODYS) for foot in take.body.feet]
    found = []
    for k in range(int(len(take.time_s) / step + 1e-9)):
        first, last = int(k * step), min(math.ceil((k + 1) * step - 1e-9), len(take.time_s))
        rows = np.arange(first, last)
        weight = (np.minimum(rows + 1.0, (k + 1) * step) - np.maximum(rows, k * step)) / step
        parts = [one.image(take.contact_point_m[rows], weight[:, None] * force[rows], origin, pitch_m, size, spread)
                 for one in patches]
        found.append([(foot, *part) for foot, part in zip((one.foot for one in patches), parts, strict=True) if part is not None])
    summed = [_summed(parts, pitch_m) for parts in found]
    most = max((float(pressure.max()) for _, pressure, _ in summed if len(pressure)), default=0.0)
    frames = tuple(_frame(*one, most=most, origin_m=origin, pitch_m=pitch_m) for one in summed)
    return OnGround(frames, size, (pitch_m, pitch_m), origin, rate_hz, float(take.time_s[0]), most)


@dataclass(frozen=True)
class _Patches:
    points: list[int]
    foot: int

    def image(self, point_m: np.ndarray, force_n: np.ndarray, origin_m: tuple[float, float], pitch_m: float,
              size: tuple[int, int], spread_m: float) -> tuple[np.ndarray, np.ndarray] | None:
        """Force (rows, columns) [N] on the cells around what this foot presses, and the first of those (2,); None if nothing."""
        force = force_n[:, self.points]
        pressed = force.sum(axis=1) > 0.0
        if not pressed.any():
            return None
        places = point_m[:, self.points, :2]
        touched = places[force > 0.0]
        low = np.floor((touched.min(axis=0) - PATCHES * spread_m - origin_m) / pitch_m).astype(int)
        high = np.ceil((touched.max(axis=0) + PATCHES * spread_m - origin_m) / pitch_m).astype(int)
        low, high = np.clip(low, 0, np.array(size) - 1), np.clip(high, 0, np.array(size) - 1)
        places, force = places[pressed], force[pressed]
        share = [shares(places[:, :, axis], origin_m[axis] + pitch_m * low[axis], pitch_m, int(high[axis] - low[axis] + 1),
                        spread_m) for axis in (0, 1)]
        return np.einsum("tp,tpr,tpc->rc", force, *share, optimize=True), low


def _summed(parts: list[tuple[int, np.ndarray, np.ndarray]], pitch_m: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Cells (N, 2), pressure (N,) [Pa] and foot (N,) of the images of single feet, which may overlap."""
    if not parts:
        return np.zeros((0, 2), dtype=int), np.zeros(0), np.zeros(0, dtype=int)
    low = np.min([first for _, _, first in parts], axis=0)
    high = np.max([first + image.shape for _, image, first in parts], axis=0)
    layers = np.zeros((len(parts), *(high - low)))
    for layer, (_, image, first) in zip(layers, parts, strict=True):
        row, column = first - low
        layer[row:row + image.shape[0], column:column + image.shape[1]] = image
    whole = layers.sum(axis=0) / pitch_m**2
    cells = np.argwhere(whole > 0.0)
    rows, columns = cells.T
    foot = np.array([foot for foot, _, _ in parts])[layers.argmax(axis=0)]
    return cells + low, whole[rows, columns], foot[rows, columns]


def _frame(cells: np.ndarray, pressure: np.ndarray, foot: np.ndarray, *, most: float, origin_m: tuple[float, float],
           pitch_m: float) -> Loaded:
    """A frame of what is at least half a count."""
    with np.errstate(invalid="ignore", divide="ignore"):
        centre = np.asarray(pressure @ cells / pressure.sum() * pitch_m + origin_m)
    kept = pressure >= _least(most)
    return Loaded(cells[kept], pressure[kept], foot[kept], centre)


def _nearest(mask: np.ndarray, pitch_m: tuple[float, float]) -> np.ndarray:
    """The foot (rows, columns) nearest to each cell by masks (2, rows, columns); `NOBODYS` over `RIM_M` from both."""
    away = np.stack([distance_transform_edt(~one, sampling=pitch_m) if one.any() else np.full(one.shape, np.inf) for one in mask])
    return np.where(away.min(axis=0) <= RIM_M, away.argmin(axis=0), NOBODYS)


def _least(most: float) -> float:
    return max(LEAST_COUNTS * most / 255.0, float(np.finfo(float).tiny))


def told(mat: Pressure, masks: np.ndarray, most: float, at_m: tuple[float, float]) -> dict[str, Any]:
    """A sequence of one frame as `of_frames` takes it; lists in place of arrays, a centre that is not there is None."""
    picture = of_frames(mat, masks[None], most, at_m)
    loaded = picture.frames[0]
    centre = [round(float(place), 4) for place in loaded.centre_m] if np.isfinite(loaded.centre_m).all() else None
    return {"cells": loaded.cells.tolist(), "pressure": [float(f"{one:.4g}") for one in loaded.pressure],
            "foot": loaded.foot.tolist(), "centre_m": centre, "size": list(picture.size), "pitch_m": list(picture.pitch_m),
            "origin_m": [round(float(place), 4) for place in picture.origin_m], "most": most, "unit": picture.unit}


def heard(values: dict[str, Any]) -> OnGround:
    """What is drawn of that: its one frame begins at 0 s."""
    centre = values["centre_m"]
    loaded = Loaded(np.array(values["cells"], dtype=int).reshape(-1, 2), np.array(values["pressure"], dtype=float),
                    np.array(values["foot"], dtype=int), np.full(2, np.nan) if centre is None else np.array(centre))
    size, pitch, origin = ((one[0], one[1]) for one in (values["size"], values["pitch_m"], values["origin_m"]))
    return OnGround((loaded,), size, pitch, origin, 1.0, 0.0, values["most"], values["unit"])

# SPDX-License-Identifier: GPL-3.0-or-later
"""A sequence of pressure images, of a mat or of an insole, and what presses in one, cut at its valleys: heels, balls, toes. From
the forces on contact points to what the cells feel: a point of the simulated sole stands for the flesh around it. Its force is
spread as a Gaussian over the cells, each of which gets the integral over itself, so that neither force nor centre change."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.ndimage import gaussian_filter
from scipy.special import erf

from ...bodies.body import Body
from ...errors import BodyError, InputError

UNITS_PA = {"Pa": 1.0, "kPa": 1e3, "N/cm2": 1e4, "psi": 6894.757}
COUNTS = "counts"
"""The unit of a sensor's raw numbers, whose size nobody told."""
UNITS = (*UNITS_PA, COUNTS)
MAT, LEFT, RIGHT, SOLES = "mat", "L", "R", "soles"
PLACES = (MAT, LEFT, RIGHT, SOLES)
"""Where the cells are: on the ground, in a shoe, along with the foot, or in both shoes, laid side by side."""
APART_M = 0.3
"""From ankle to ankle of insoles that are laid side by side: wider than any sole."""
RATE_RANGE_HZ, PITCH_RANGE_M = (1.0, 1000.0), (0.001, 0.2)
PLACE_RANGE_M, START_RANGE_S, MOST_PRESSED = (-1e4, 1e4), (-1e6, 1e6), 1e12
MOST_MEAN_N = 6500.0
"""Over a recording nobody presses more than he weighs: the heaviest person known had 635 kg."""
LEAST_PEAK_N = 10.0
"""Whoever stands presses more at some time: a child that learns to weighs 13 N on the Moon."""


MOST_CELLS = 60_000_000
"""Of all images of a sequence together: half a gigabyte."""


@dataclass(frozen=True, eq=False)
class Pressure:
    """Images (T, rows, columns) in `unit`. Rows go forward, columns to the left: the middle of cell (i, j) lies at `origin_m` +
    (i, j) * `pitch_m` (2,), for a mat on the ground's axes, for an insole on the foot's, from under the ankle. `start_s` is the
    time of the first frame. Raises InputError for what is no such sequence, naming `source`."""

    images: np.ndarray
    pitch_m: tuple[float, float]
    rate_hz: float
    unit: str = "Pa"
    place: str = MAT
    origin_m: tuple[float, float] | None = None
    start_s: float = 0.0
    source: str = "the pressure"

    def __post_init__(self) -> None:
        what = self.source
        check_cells(np.shape(self.images), what)
        images = np.asarray(self.images, dtype=float)
        if images.ndim != 3 or not images.size:
            raise InputError(f"Pressure is images of rows and columns, one after the other: {what} has the shape {images.shape}.")
        if not np.isfinite(images).all() or images.min() < 0.0:
            frame, row, column = np.unravel_index(np.argmax(~(np.isfinite(images) & (images >= 0.0))), images.shape)
            raise InputError(f"Frame {frame} of {what} has {images[frame, row, column]:g} at row {row}, column {column}, all "
                             "counted from 0: pressure is a number from 0 on. Take the offset of unloaded sensors out, and write "
                             "0 for what a sensor did not tell.")
        for value, (low, high), called in ((self.rate_hz, RATE_RANGE_HZ, "rate [Hz]"), *(
                (pitch, PITCH_RANGE_M, "pitch [m]") for pitch in self.pitch_m), *(
                (place, PLACE_RANGE_M, "origin [m]") for place in self.origin_m or ()), (
                self.start_s, START_RANGE_S, "start [s]"), (float(images.max()), (0.0, MOST_PRESSED), "highest value")):
            if not low <= value <= high:
                raise InputError(f"The {called} of {what} must lie between {low:g} and {high:g}; got {value:g}.")
        if self.unit not in UNITS:
            raise InputError(f"The unit of {what} must be one of {', '.join(UNITS)}; got {self.unit!r}.")
        if self.place not in PLACES:
            raise InputError(f"{what.capitalize()} must be of one of {', '.join(PLACES)}; got {self.place!r}.")
        images.setflags(write=False)
        object.__setattr__(self, "images", images)
        if self.origin_m is None:  # the mat's middle
            half = [-0.5 * (n - 1) * pitch for n, pitch in zip(images.shape[1:], self.pitch_m, strict=True)]
            object.__setattr__(self, "origin_m", (half[0], half[1]))

    def __len__(self) -> int:
        return len(self.images)

    @property
    def cell_m2(self) -> float:
        return self.pitch_m[0] * self.pitch_m[1]

    @property
    def time_s(self) -> np.ndarray:
        """The frames' times (T,)."""
        return self.start_s + np.arange(len(self.images)) / self.rate_hz

    @property
    def rows_m(self) -> np.ndarray:
        """How far ahead the rows' middles lie (rows,)."""
        return self._origin[0] + self.pitch_m[0] * np.arange(self.images.shape[1])

    @property
    def columns_m(self) -> np.ndarray:
        """How far to the left the columns' middles lie (columns,)."""
        return self._origin[1] + self.pitch_m[1] * np.arange(self.images.shape[2])

    @property
    def _origin(self) -> tuple[float, float]:
        assert self.origin_m is not None
        return self.origin_m

    @property
    def force_n(self) -> np.ndarray:
        """The whole force (T,) [N]. Raises InputError where the unit is the sensor's own."""
        if self.unit == COUNTS:
            raise InputError(f"Nobody told what a count of {self.source} is in pascals: give its unit.")
        return self.images.sum(axis=(1, 2)) * (UNITS_PA[self.unit] * self.cell_m2)

    def check_load(self, stood: bool = True) -> None:
        """Raises InputError for the force of no person, also for that of nobody where somebody is to have `stood` there; what
        counts without a unit weigh nobody knows."""
        if self.unit == COUNTS:
            return
        force = self.force_n
        mean, peak = float(force.mean()), float(force.max())
        if mean > MOST_MEAN_N or (stood and peak < LEAST_PEAK_N):
            told = f"{mean:.0f} N in the mean" if mean > MOST_MEAN_N else f"{peak:.2g} N at most"
            raise InputError(f"{self.source} bears {told}, which is nobody's weight: a person's is {LEAST_PEAK_N:g} to "
                             f"{MOST_MEAN_N:g} N. Is the unit, {self.unit}, right, and the pitch, {1e3 * self.pitch_m[0]:g} mm?")

    @property
    def centre_m(self) -> np.ndarray:
        """The centre of pressure (T, 2) [m], not a number where nothing presses."""
        total = self.images.sum(axis=(1, 2))
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.stack([self.images.sum(axis=2) @ self.rows_m, self.images.sum(axis=1) @ self.columns_m], axis=1) / total[
                :, None]

    def within(self, begin: int, end: int) -> Pressure:
        return replace(self, images=self.images[begin:end], start_s=self.start_s + begin / self.rate_hz)

    def at_rate(self, rate_hz: float) -> Pressure:
        """The same at another rate: each new frame is the mean of the time that it stands for, so that no force is lost."""
        if rate_hz == self.rate_hz:
            return self
        whole = np.concatenate([np.zeros((1, *self.images.shape[1:])), np.cumsum(self.images, axis=0)])
        edges = np.arange(int(len(self) * rate_hz / self.rate_hz + 1e-9) + 1) * (self.rate_hz / rate_hz)
        if len(edges) < 2:
            raise InputError(f"{self.source.capitalize()} is too short for {rate_hz:g} frames a second.")
        check_cells((len(edges) - 1, *self.images.shape[1:]), f"{self.source} at {rate_hz:g} frames a second")
        before = np.minimum(edges.astype(int), len(self) - 1)
        past = (edges - before)[:, None, None]
        until = whole[before] + past * self.images[before]
        return replace(self, images=np.diff(until, axis=0) * (rate_hz / self.rate_hz), rate_hz=rate_hz)


def check_cells(shape: Sequence[int], what: str) -> None:
    """Raises InputError for images of more cells than a sequence may have, before they are made."""
    if math.prod(shape) > MOST_CELLS:
        raise InputError(f"{what} has {' x '.join(map(str, shape))} cells, {math.prod(shape):.3g} in all, and may have "
                         f"{MOST_CELLS:.3g}: take a part of it, larger cells, or fewer frames a second.")


def side_by_side(left: Pressure, right: Pressure) -> Pressure:
    """Both insoles as one image, toes ahead, the ankles `APART_M` from each other; left are columns over 0. Raises InputError for
    insoles that differ in rate, length, cells' size or unit."""
    for what, mine, others in (("rate", left.rate_hz, right.rate_hz), ("number of frames", len(left), len(right)),
                             ("pitch", left.pitch_m, right.pitch_m), ("unit", left.unit, right.unit)):
        if mine != others:
            raise InputError(f"The two insoles of {left.source} differ in their {what}: {mine} left, {others} right.")
    pitch, half = np.array(left.pitch_m), 0.5 * APART_M
    at = [np.rint((np.array(one._origin) + [0.0, aside]) / pitch - 0.5).astype(int)
          for one, aside in ((left, half), (right, -half))]
    size = [np.array(one.images.shape[1:]) for one in (left, right)]
    if at[0][1] < 0 or at[1][1] + size[1][1] > 0:
        raise InputError(f"The insoles of {left.source} reach more than {half:g} m inwards of the ankle: their origin is to be "
                         "from under the ankle, ahead and to the left.")
    low, high = np.min(at, axis=0), np.max([place + n for place, n in zip(at, size, strict=True)], axis=0)
    shape = (len(left), *map(int, high - low))
    check_cells(shape, left.source)
    images = np.zeros(shape)
    for one, place, n in zip((left, right), at, size, strict=True):
        row, column = place - low
        images[:, row:row + n[0], column:column + n[1]] = one.images
    origin = (low + 0.5) * pitch
    return replace(left, images=images, place=SOLES, origin_m=(float(origin[0]), float(origin[1])),
                   source=left.source if left.source == right.source else "the insoles")


def as_measured(pressure: Pressure, most_pa: float, noise: float = 0.0, seed: int = 0) -> Pressure:
    """The same as a sensor of 8 bits tells it: whole counts from 0 to 255, which `most_pa` is, with `noise` [counts] of standard
    deviation on each cell that is pressed. The counts' size stays known: the unit is pascal."""
    count = most_pa / (255.0 * UNITS_PA[pressure.unit])
    counts = pressure.images / count
    if noise:
        drawn = np.random.default_rng(seed).standard_normal(counts.shape)
        counts = np.where(counts > 0.5, counts + noise * drawn, counts)
    return replace(pressure, images=np.clip(np.rint(counts), 0.0, 255.0) * count)


def head_of(pressure: Pressure) -> dict[str, Any]:
    return {"pitch_m": list(pressure.pitch_m), "rate_hz": pressure.rate_hz, "unit": pressure.unit, "place": pressure.place,
            "origin_m": list(pressure._origin), "start_s": pressure.start_s}


MOST_COUNT = 255
MOST_PA = 345e3
"""The last count of the mat of a database: 50 psi, what FootSee used for two feet (Yin 2007, section 3.3.1)."""


@dataclass(frozen=True, eq=False)
class Counts:
    """Images (T, rows, columns) of 8 bits, what one count is in the pressure's unit, and its head (`images.head_of`)."""

    images: np.ndarray
    count: float
    head: dict[str, Any]

    @classmethod
    def of(cls, pressure: Pressure) -> Counts:
        """A sequence in counts of which the last is `MOST_PA`, or the sequence's highest pressure where that is more."""
        most = MOST_COUNT if pressure.unit == COUNTS else MOST_PA / UNITS_PA[pressure.unit]
        count = max(most, float(pressure.images.max())) / MOST_COUNT
        return cls(np.rint(pressure.images / count).astype(np.uint8), count, head_of(pressure))

    def check(self) -> None:
        """Raises InputError, KeyError or TypeError for a head that is none, by the first frame alone."""
        _ = replace(self, images=self.images[:1]).pressure

    @property
    def pressure(self) -> Pressure:
        """The sequence again. Raises InputError for a head that is none."""
        head = self.head
        return Pressure(self.images * self.count, tuple(head["pitch_m"]), head["rate_hz"], head["unit"], head["place"],
                        tuple(head["origin_m"]), head["start_s"])


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
    of = _joined(of, smooth.ravel()[flat[peaks]], cells[peaks] * np.array(pitch_m))
    return Blobs(cells, of, np.bincount(of))


def _joined(of: np.ndarray, heights: np.ndarray, peaks: np.ndarray) -> np.ndarray:
    """Blobs (C,), the faintest joined to the one whose peak is nearest, until there are few enough."""
    left = np.argsort(-heights)
    for row in left[:MOST_BLOBS - 1:-1]:
        away = np.linalg.norm(peaks[left[:MOST_BLOBS]] - peaks[row], axis=1)
        of = np.where(of == row, left[int(away.argmin())], of)
    return np.unique(of, return_inverse=True)[1]


PATCH_SHARE = 0.3
"""Standard deviation of a point's patch over the least distance between the points of one sole: heel and ball are pressed all
over, the arch is not (first guess, by eye beside published pressure pictures)."""
MAT_CELLS, MAT_PITCH_M, MAT_RATE_HZ = (80, 64), 0.0127, 12.0
"""The mat of FootSee: 80 by 64 cells of half an inch, 12 frames a second (Yin 2007, section 3.3)."""
INSOLE_PITCH_M, INSOLE_RATE_HZ = 0.007, 50.0
"""Insoles of the same time (Yin 2007, section 3.3.1)."""
MARGIN_M = 0.02
"""Of an insole around the points of its sole."""


def patch_m(body: Body) -> float:
    """Standard deviation [m] of the patch that a contact point stands for. Raises BodyError without feet."""
    nearest = []
    for foot in body.feet:
        places = np.array([_neutral(body, row)[:2] for row in foot.points])
        apart = np.linalg.norm(places[:, None] - places[None], axis=2) + np.diag(np.full(len(places), np.inf))
        nearest.append(apart.min())
    if not nearest:
        raise BodyError("This body has no feet, so it leaves no pressure.")
    return PATCH_SHARE * float(min(nearest))


@dataclass(frozen=True)
class MatGrid:
    """A mat's cells, how far they are apart, its frames a second, and its middle: where the feet are at first unless told."""

    cells: tuple[int, int] = MAT_CELLS
    middle_m: tuple[float, float] | None = None
    pitch_m: float = MAT_PITCH_M
    rate_hz: float = MAT_RATE_HZ


STANDARD_GRID = MatGrid()


def mat_pressure(body: Body, time_s: np.ndarray, point_m: np.ndarray, force_n: np.ndarray,
                 grid: MatGrid = STANDARD_GRID) -> Pressure:
    """What a mat on the ground feels of contact points at `point_m` (T, P, 3) that press with `force_n` (T, P), at evenly spaced
    times (T,); what is beside the mat presses nobody. Raises BodyError for a body without feet."""
    cells, pitch_m, middle_m = grid.cells, grid.pitch_m, grid.middle_m
    if middle_m is None:
        first = point_m[0, :, :2].mean(axis=0)
        middle_m = (float(first[0]), float(first[1]))
    spread = patch_m(body)
    origin = [middle - 0.5 * (n - 1) * pitch_m for middle, n in zip(middle_m, cells, strict=True)]
    share = [shares(point_m[:, :, axis], origin[axis], pitch_m, cells[axis], spread) for axis in (0, 1)]
    images = np.einsum("tp,tpr,tpc->trc", np.maximum(force_n, 0.0), *share, optimize=True) / pitch_m**2
    whole = Pressure(images, (pitch_m, pitch_m), _rate_hz(time_s), "Pa", MAT, (origin[0], origin[1]), float(time_s[0]),
                     "the mat's pressure")
    return whole.at_rate(grid.rate_hz)


def insole_pressure(body: Body, time_s: np.ndarray, force_n: np.ndarray, *, rate_hz: float = INSOLE_RATE_HZ,
                    pitch_m: float = INSOLE_PITCH_M) -> tuple[Pressure, ...]:
    """What insoles feel of contact points that press with `force_n` (T, P), one for each of the body's feet. Raises BodyError
    for a body without feet."""
    spread, found = patch_m(body), []
    for foot in body.feet:
        at = np.array([_neutral(body, row) - _ankle(body, foot.segment) for row in foot.points])[:, :2]
        low, high = at.min(axis=0) - 2.0 * spread - MARGIN_M, at.max(axis=0) + 2.0 * spread + MARGIN_M
        cells = np.ceil((high - low) / pitch_m).astype(int)
        share = [shares(at[:, axis], low[axis], pitch_m, int(cells[axis]), spread) for axis in (0, 1)]
        weights = np.einsum("pr,pc->prc", *share) / pitch_m**2
        images = np.einsum("tp,prc->trc", np.maximum(force_n[:, list(foot.points)], 0.0), weights, optimize=True)
        found.append(Pressure(images, (pitch_m, pitch_m), _rate_hz(time_s), "Pa", foot.side, (float(low[0]), float(low[1])),
                              float(time_s[0]), f"the insole {foot.name}").at_rate(rate_hz))
    return tuple(found)


def shares(at: np.ndarray, origin_m: float, pitch_m: float, cells: int, spread_m: float) -> np.ndarray:
    """Share (..., cells) of a point's force in each cell along one axis; `at` (...) are the points' places."""
    edges = origin_m + pitch_m * (np.arange(cells + 1) - 0.5)
    return 0.5 * np.diff(erf((edges - at[..., None]) / (np.sqrt(2.0) * spread_m)), axis=-1)


def _rate_hz(time_s: np.ndarray) -> float:
    return round((len(time_s) - 1) / float(time_s[-1] - time_s[0]), 9)


def _neutral(body: Body, row: int) -> np.ndarray:
    """Place (3,) of a contact point in the neutral pose, from the root."""
    point = body.contact_points[row]
    return _ankle(body, point.segment) + point.position


def _ankle(body: Body, segment: str) -> np.ndarray:
    return np.sum([body.segment(name).offset for name in body.way_to(segment)[1:]], axis=0)

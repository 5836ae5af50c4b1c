# SPDX-License-Identifier: GPL-3.0-or-later
"""Which cells of a mat's image are the left foot, which the right one. Yin 2007, appendix B, takes a box around the highest cell
for one foot and a box around the highest of what is left for the other, frame by frame, and the last three rows of a print, of
feet that look along the mat, for the heel. Here every frame's blobs are given to two feet in all ways, and the cheapest way
through all frames is gone (Viterbi 1967): a foot fits a box, and what stands does not become the other foot. What a foot presses
over all of its stance tells where it is, also while only its heel or its ball is down."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.ndimage import gaussian_filter, map_coordinates
from scipy.optimize import minimize

from .images import LEFT, MAT, SOLES, Blobs, Pressure, blobs_of

FOOT_M = (0.35, 0.165)
"""A box slightly larger than a foot's print, along it and across: a tall man's sole is 0.29 by 0.11 m, its print wider."""
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


LEAST_OF_PEAK = 0.06
"""Cells below this share of the sequence's highest pressure count as unloaded: noise of 8 bits is far below it."""
FAINT = 0.35
"""Share of that from which on a cell tells where feet are: what is hardly loaded presses too."""


class FeetFinder:
    """Finds the feet frame after frame, from nothing but the frames so far. `least` is the pressure of a loaded cell."""

    def __init__(self, least: float) -> None:
        self.least = least
        self._last: Ways | None = None
        self._costs = np.zeros(1)

    def step(self, image: np.ndarray, rows_m: np.ndarray, columns_m: np.ndarray) -> tuple[Ways, np.ndarray] | None:
        """The ways of the next frame, and which way of the frame before each comes from; `best` is the cheapest."""
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


ANKLE_SHARE = 0.28
"""Of a sole's length from the heel's end, where the ankle is above it."""
ENDS = 0.5
"""Share of a sole's most from which on it is pressed: where heel and toes end."""
STAYS = 0.3
"""Share of the smaller of two prints that is in both where a foot stays where it is."""
WITHIN = 0.75
"""Share of what a frame presses that lies on a sole which stands there."""
WHOLE = 0.55
"""Share of a sole that has to be pressed at some time of a stance, to tell where the foot is."""
FULL = 0.8
"""Share of a stance's largest area from which on a frame shows its print."""
SETTLED_FRAMES = 6
"""A print of fewer frames shows a sole the less."""
GRID_M, HALF_M, SOFT_M = 0.005, 0.25, 0.006
"""Pitch and half a side of a sole's picture, and by how much it is smoothed."""
NEAR_RAD, TURNED_PRICE = 1.3, 0.1
"""How far a foot may have turned since it stood last, and the share of likeness that costs at most."""
FIRST_TURNS = 17
FIRST_SHIFTS = np.stack(np.meshgrid(np.arange(-12, 13, 3), np.arange(-12, 13, 3), indexing="ij"), axis=-1).reshape(-1, 2)
"""Poses that are tried first: so many turns, and shifts by so many cells of the picture."""


@dataclass(frozen=True, eq=False)
class Print:
    """What a foot presses: places on the mat (C, 2) and how much each is pressed (C,), from 0 to 1."""

    places_m: np.ndarray
    weights: np.ndarray


@dataclass(frozen=True)
class Footfall:
    """A foot (0 left, 1 right) that stands from frame `begin` up to but not with `end`: its ankle on the mat [m], and where it
    looks to [rad], from straight ahead to the left."""

    foot: int
    begin: int
    end: int
    ankle_m: tuple[float, float]
    heading_rad: float


@dataclass(frozen=True, eq=False)
class Sole:
    """A foot's sole: how much it presses over places from its ankle, ahead and to the left, cells of `GRID_M`; and where the foot
    looked to whose print it was [rad]."""

    picture: np.ndarray
    heading_rad: float

    @classmethod
    def of(cls, shown: Print) -> Sole:
        """From a print of all of a sole, of a foot that looks more ahead than back."""
        ankle, heading = _ankle(shown)
        return cls(_picture(_turned(shown.places_m - ankle, -heading), shown.weights), heading)

    def mirrored(self) -> Sole:
        return Sole(self.picture[:, ::-1], -self.heading_rad)

    @cached_property
    def middle_m(self) -> np.ndarray:
        """The middle (2,) of what it presses, from the ankle."""
        places = np.arange(len(self.picture)) * GRID_M - HALF_M
        return np.array([self.picture.sum(axis=1) @ places, self.picture.sum(axis=0) @ places]) / self.picture.sum()

    def at(self, places_m: np.ndarray, pose: np.ndarray) -> np.ndarray:
        """How much the sole presses at places (C, 2) on the mat where it stands at `pose` (3,): ankle and heading."""
        return np.asarray(map_coordinates(self.picture, (_turned(places_m - pose[:2], -pose[2]) + HALF_M).T / GRID_M, order=1))

    def laid(self, shown: Print, near_rad: float) -> np.ndarray:
        """The pose (3,) at which the sole is most like a print of a foot that looked about there."""
        middle = shown.weights @ shown.places_m / shown.weights.sum()

        def unlike(pose: np.ndarray) -> float:
            return -float(shown.weights @ self.at(shown.places_m, pose))

        def price(pose: np.ndarray) -> float:
            return unlike(pose) * (1.0 - TURNED_PRICE * ((pose[2] - near_rad) / NEAR_RAD) ** 2)

        tried = []
        for turn in near_rad + np.linspace(-NEAR_RAD, NEAR_RAD, FIRST_TURNS):
            ankle = middle - _turned(self.middle_m[None], turn)[0]
            cells = np.rint((_turned(shown.places_m - ankle, -turn) + HALF_M) / GRID_M).astype(int)
            moved = np.clip(cells[None] + FIRST_SHIFTS[:, None], 0, len(self.picture) - 1)
            like = self.picture[moved[..., 0], moved[..., 1]] @ shown.weights
            shift = -_turned(GRID_M * FIRST_SHIFTS[int(like.argmax())][None], turn)[0]
            tried.append(np.array([*(ankle + shift), turn]))
        best = min(tried, key=price)
        simplex = best + np.array([[0.0, 0.0, 0.0], [0.01, 0.0, 0.0], [0.0, 0.01, 0.0], [0.0, 0.0, 0.1]])
        return np.asarray(minimize(unlike, best, method="Nelder-Mead",
                                   options={"initial_simplex": simplex, "xatol": 1e-4, "fatol": 1e-6}).x)

    def shown(self, shown: Print, pose: np.ndarray) -> float:
        pressed = _picture(_turned(shown.places_m - pose[:2], -pose[2]), shown.weights)
        return float(np.minimum(pressed, self.picture).sum() / self.picture.sum())


def footfalls(pressure: Pressure) -> list[Footfall]:
    """Where both feet stand on a mat, in the order in which they come to; what never shows enough of a sole is left out."""
    masks = foot_masks(pressure, faint=True)
    soft = pressure.images / (pressure.images + least_of(pressure)) if pressure.images.any() else pressure.images
    images = [soft * masks[:, foot] for foot in (0, 1)]
    stances = [list(_stances(masks[:, foot])) for foot in (0, 1)]
    soles = _soles(pressure, images, stances)
    found: list[Footfall] = []
    for foot, sole in enumerate(soles):
        if sole is None:
            continue
        near = sole.heading_rad
        for begin, end in stances[foot]:
            for fall in _laid(pressure, images[foot], sole, foot, begin, end, near):
                found.append(fall)
                near = fall.heading_rad
    return sorted(found, key=lambda fall: (fall.begin, fall.foot))


def ankles_m(pressure: Pressure) -> np.ndarray:
    """Where the ankles are (T, 2, 2) [m], left and right; not a number while a foot is up, or too little of it is down."""
    found = np.full((len(pressure), 2, 2), np.nan)
    for fall in footfalls(pressure):
        found[fall.begin:fall.end, fall.foot] = fall.ankle_m
    return found


def _stances(masks: np.ndarray) -> Iterator[tuple[int, int]]:
    """From when to when a foot (T, rows, columns) presses about the same place."""
    begin = None
    for frame, mask in enumerate(masks):
        if begin is not None:
            before = masks[frame - 1]
            if not (mask & before).sum() > STAYS * min(mask.sum(), before.sum()):
                yield begin, frame
                begin = None
        if begin is None and mask.any():
            begin = frame
    if begin is not None:
        yield begin, len(masks)


def _print(pressure: Pressure, image: np.ndarray) -> Print:
    """An image (rows, columns) of one foot as a print."""
    cells = np.nonzero(image)
    return Print(np.stack([pressure.rows_m[cells[0]], pressure.columns_m[cells[1]]], axis=1), image[cells])


def _soles(pressure: Pressure, images: list[np.ndarray], stances: list[list[tuple[int, int]]]) -> list[Sole | None]:
    """Each foot's sole by the stance that shows it best; a foot that shows too little has the other one's, mirrored."""
    best: list[tuple[float, Sole | None]] = []
    for foot in (0, 1):
        most, chosen = 0.0, None
        for begin, end in stances[foot]:
            part = images[foot][begin:end]
            areas = part.sum(axis=(1, 2))
            full = part[areas >= FULL * areas.max()]
            middle = np.median(full, axis=0)
            worth = float(middle.sum()) * min(len(full) / SETTLED_FRAMES, 1.0)
            if worth > most:
                most, chosen = worth, middle
        if chosen is None:
            best.append((0.0, None))
            continue
        best.append((most, Sole.of(_print(pressure, chosen))))
    (left, left_sole), (right, right_sole) = best
    if left_sole is not None and (right_sole is None or right < WHOLE * left):
        right_sole = left_sole.mirrored()
    elif right_sole is not None and (left_sole is None or left < WHOLE * right):
        left_sole = right_sole.mirrored()
    return [left_sole, right_sole]


def _laid(pressure: Pressure, images: np.ndarray, sole: Sole, foot: int, begin: int, end: int, near: float) -> list[Footfall]:
    """The footfalls of a stance: one, or where the foot turns or slides one after the other."""
    shown = _print(pressure, images[begin:end].max(axis=0))
    pose = sole.laid(shown, near)
    within = np.array([_within(_print(pressure, image), sole, pose) for image in images[begin:end]])
    if within.min() < WITHIN and end - begin > 1:
        cut = begin + max(int(within.argmin()), 1)
        if within[0] < WITHIN <= within[-1]:
            cut = begin + int(np.flatnonzero(within < WITHIN)[-1]) + 1
        cut = min(max(cut, begin + 1), end - 1)
        first = _laid(pressure, images, sole, foot, begin, cut, near)
        return first + _laid(pressure, images, sole, foot, cut, end, first[-1].heading_rad if first else near)
    if sole.shown(shown, pose) < WHOLE:
        return []
    return [Footfall(foot, begin, end, (float(pose[0]), float(pose[1])), float(pose[2]))]


def _within(shown: Print, sole: Sole, pose: np.ndarray) -> float:
    """The share of a print that lies on the sole at a pose."""
    on = sole.at(shown.places_m, pose) > FAINT * sole.picture.max()
    return float(shown.weights @ on) / float(shown.weights.sum())


def _ankle(shown: Print) -> tuple[np.ndarray, float]:
    """The ankle (2,) of a whole print and where it looks to: from the middle of its hind third to that of the front one."""
    places = shown.places_m[shown.weights >= ENDS * shown.weights.max()]
    middle = places.mean(axis=0)
    axis = np.linalg.eigh(np.cov((places - middle).T))[1][:, 1]
    for _ in range(3):
        axis = axis if axis[0] >= 0.0 else -axis
        along = (places - middle) @ axis
        low, high = along.min(), along.max()
        third = (high - low) / 3.0
        hind, front = (places[part].mean(axis=0) for part in (along < low + third, along > high - third))
        axis = (front - hind) / np.linalg.norm(front - hind)
    along = (places - hind) @ axis
    return hind + (along.min() + ANKLE_SHARE * np.ptp(along)) * axis, float(np.arctan2(axis[1], axis[0]))


def _picture(places_m: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """A print around the ankle, looking ahead, on a fine grid: cells lie as they do, not as the mat's rows."""
    count = 2 * round(HALF_M / GRID_M) + 1
    at = np.rint((places_m + HALF_M) / GRID_M).astype(int)
    inside = ((at >= 0) & (at < count)).all(axis=1)
    picture = np.zeros((count, count))
    np.add.at(picture, tuple(at[inside].T), weights[inside])
    return np.asarray(gaussian_filter(picture, SOFT_M / GRID_M))


def _turned(places_m: np.ndarray, turn_rad: float) -> np.ndarray:
    """Places (C, 2) turned to the left about 0, 0."""
    cosine, sine = np.cos(turn_rad), np.sin(turn_rad)
    return places_m @ np.array([[cosine, sine], [-sine, cosine]])

# SPDX-License-Identifier: GPL-3.0-or-later
"""Where feet stand and where they look to: every print on a mat is laid on the sole that the sequence's best print shows.

A foot that stands presses in the same place with more and less of its sole; what it presses over all of its stance tells where it
is, also while only its heel or its ball is down. Yin 2007, appendix B, takes the last three rows of a print for the heel, of feet
that look along the mat.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.ndimage import gaussian_filter, map_coordinates
from scipy.optimize import minimize

from .feet import FAINT, foot_masks, least_of
from .images import Pressure

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
        """The other foot's."""
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
        """The share of the sole at a pose that a print presses."""
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

# SPDX-License-Identifier: GPL-3.0-or-later
"""What is seen in a frame of pressure: ten numbers, each against the person's own quiet stance, a normal distribution (Yin 2007,
section 3.4.2). Of a mat: the velocity of the centre of pressure (2) [m/s] and the areas of left and right contact (2), as in Yin
2007, section 3.4.1; then how far the centre is from its place in the last quiet stance (2) [m], the left foot's share of the load
(1), how the left foot lies from the right one (2) [m], and the weight (1). Insoles do not tell how feet lie: in place of that,
how far ahead in each sole its load is. Areas count in the person's own mean area, the weight in the mean weight; shares and
places against quiet stance. All is known from the frames so far."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np

from ...errors import InputError
from ...maths.curves import runs
from .feet import FeetFinder
from .images import SOLES, Pressure

LOADED, SOLES_M2 = 0.3, 0.04
"""A cell is loaded from this share on of the weight over two soles of this area: 5 kPa for 70 kg, what insoles take for contact,
and over the noise of 8 bits. The highest pressure is no measure: it comes with a landing, and later."""
STILL_S, STILL_M = 0.5, 0.01
"""Who has stood on both feet for so long with the centre within so much (standard deviation) is in quiet stance (first guess)."""
LEAST_SHARE = 0.1
"""Of the load on a foot that stands too."""
LEARN_S = 1.0
"""How fast a stance is learned (first guess)."""
STEP_M = 0.3
"""The centre is not said to be farther than a step from quiet stance: where walks lead to is no motion's own."""
NAMES = ("velocity_ahead", "velocity_left", "area_left", "area_right", "ahead", "left", "share_left", "apart_ahead", "apart_left",
         "weight")


def features_of(pressure: Pressure) -> np.ndarray:
    """The numbers (T, 10) of every frame of a mat, or of both insoles side by side."""
    frames = FrameFeatures(pressure)
    return np.array([frames.of(image) for image in pressure.images])


class FrameFeatures:
    def __init__(self, like: Pressure) -> None:
        """For frames as those of a sequence, of which nothing but rate, cells and place is taken."""
        self._like, self._finder = like, FeetFinder(0.0)
        self._rows, self._columns = like.rows_m, like.columns_m
        self._weight, self._area = _Mean(), _Mean()
        self._centre = np.full(2, np.nan)
        self._lie = np.full(2, np.nan)
        self._stance = _Stance(like.rate_hz)
        self.masks = np.zeros((2, len(self._rows), len(self._columns)), dtype=bool)
        """The cells (2, rows, columns) that the left and the right foot press in the last frame."""

    def of(self, image: np.ndarray) -> np.ndarray:
        """The numbers (10,) of the next frame."""
        total = float(image.sum())
        weight = self._weight.of(total)
        self.masks = masks = self._masks(image, LOADED * weight * self._like.cell_m2 / SOLES_M2)
        areas = masks.sum(axis=(1, 2)) * self._like.cell_m2
        feet = [self._loads(np.where(mask, image, 0.0)) for mask in masks]
        loads = np.array([load for load, _ in feet])
        _, centre = self._loads(image)
        velocity = np.nan_to_num((centre - self._centre) * self._like.rate_hz)
        self._centre = np.where(np.isfinite(centre), centre, self._centre)
        middles = np.array([middle for _, middle in feet])
        lie = middles[:, 0] if self._like.place == SOLES else middles[0] - middles[1]
        self._lie = np.where(np.isfinite(lie), lie, self._lie)
        share = loads[0] / loads.sum() if loads.sum() > 0.0 else 0.5
        away = self._stance.away(self._centre, share, self._lie)
        return np.concatenate([velocity, areas / max(self._area.of(float(areas.sum())), self._like.cell_m2),
                               np.clip(away[:2], -STEP_M, STEP_M), away[2:], [total / weight - 1.0 if weight else 0.0]])

    def _masks(self, image: np.ndarray, least: float) -> np.ndarray:
        """The loaded cells (2, rows, columns) of the left and the right foot."""
        if self._like.place == SOLES:
            loaded = image > least
            return np.stack([loaded & (self._columns > 0.0), loaded & (self._columns < 0.0)])
        self._finder.least = least
        return self._finder.find(image, self._rows, self._columns)

    def _loads(self, image: np.ndarray) -> tuple[float, np.ndarray]:
        """How much presses, and its centre (2,), not a number where nothing does."""
        total = float(image.sum())
        if total <= 0.0:
            return 0.0, np.full(2, np.nan)
        return total, np.array([image.sum(axis=1) @ self._rows, image.sum(axis=0) @ self._columns]) / total


class _Mean:
    def __init__(self) -> None:
        self._sum, self._count = 0.0, 0

    def of(self, value: float) -> float:
        if value > 0.0:
            self._sum, self._count = self._sum + value, self._count + 1
        return self._sum / max(self._count, 1)


class _Stance:
    """The quiet stance that somebody was in last: centre, share of the left foot, and how the feet lie."""

    def __init__(self, rate_hz: float) -> None:
        self._last: deque[np.ndarray] = deque(maxlen=max(round(STILL_S * rate_hz), 3))
        self._most, self._seen = max(round(LEARN_S * rate_hz), 1), 1
        self._base: np.ndarray | None = None

    def away(self, centre: np.ndarray, share: float, lie: np.ndarray) -> np.ndarray:
        """How far (5,) the next frame is from it; the first frame is taken for a stance until there is one."""
        now = np.concatenate([centre, [share], lie])
        if self._base is None:
            self._base = now
        self._base = np.where(np.isfinite(self._base), self._base, now)
        self._last.append(centre)
        if self._still(share):
            self._seen = min(self._seen + 1, self._most)
            self._base = np.where(np.isfinite(now), self._base + (now - self._base) / self._seen, self._base)
        else:
            self._seen = min(self._seen, 3)  # another stance may come: learn it fast
        return np.nan_to_num(now - self._base)

    def _still(self, share: float) -> bool:
        places = np.array(self._last)
        return (len(places) >= 3 and LEAST_SHARE < share < 1.0 - LEAST_SHARE
                and float(np.sqrt(places.var(axis=0).sum())) < STILL_M)


QUIET_SHARE = 0.25
"""Where nobody says which frames are quiet, so large a share of them is taken for it: those that change least."""
QUIET_STILL_S = 0.5
"""Time over which a frame's changes are looked at."""
LEAST_SIGMA_SHARE = 0.05
"""Least deviation of a feature in quiet stance over that in the whole sequence: a simulated stance may not move at all."""
RISE, LAST = 6.0, 3.0
"""Scores, in deviations a feature (root mean square), from which a motion begins, and down to which it goes on (first guess)."""
LEAST_S, GAP_S = 0.4, 0.6
"""The shortest motion; pauses within one."""


@dataclass(frozen=True, eq=False)
class Quiet:
    """Mean and deviation (F,) of the features of quiet stance."""

    mean: np.ndarray
    sigma: np.ndarray

    def score(self, features: np.ndarray) -> np.ndarray:
        """How far frames (..., F) are from quiet stance, in deviations, the root mean square over the features."""
        return np.sqrt(np.mean(((features - self.mean) / self.sigma) ** 2, axis=-1))


def quiet_of(features: np.ndarray, rate_hz: float) -> Quiet:
    """Quiet stance in a sequence (T, F): where it is stillest. Raises InputError for too short a one."""
    if len(features) < max(2, round(2.0 * QUIET_STILL_S * rate_hz)):
        raise InputError(f"Pressure of {len(features)} frames is too short to tell quiet stance in: record two seconds at least.")
    spread = np.std(features, axis=0)
    spread = np.where(spread > 0.0, spread, 1.0)
    still = features[_stillest(features / spread, rate_hz)]
    return Quiet(still.mean(axis=0), np.maximum(still.std(axis=0), LEAST_SIGMA_SHARE * spread))


def _stillest(scaled: np.ndarray, rate_hz: float) -> np.ndarray:
    """The frames (T,) of the quarter of a sequence whose surroundings change least."""
    half = max(round(0.5 * QUIET_STILL_S * rate_hz), 1)
    padded = np.pad(scaled, ((half, half), (0, 0)), mode="edge")
    windows = np.lib.stride_tricks.sliding_window_view(padded, 2 * half + 1, axis=0)
    moving = windows.std(axis=-1).sum(axis=1)
    return moving <= np.quantile(moving, QUIET_SHARE)


def active_spans(score: np.ndarray, rate_hz: float) -> list[tuple[int, int]]:
    """Begin and end (not with it) of every stretch of a sequence's scores (T,) that is a motion: it reaches `RISE`, stays over
    `LAST` but for short pauses, and is no twitch."""
    over = score > LAST
    spans: list[tuple[int, int]] = []
    for begin, end in runs(over):
        if spans and begin - spans[-1][1] < GAP_S * rate_hz:
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((begin, end))
    return [(begin, end) for begin, end in spans if end - begin >= LEAST_S * rate_hz and score[begin:end].max() > RISE]

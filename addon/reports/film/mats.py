# SPDX-License-Identifier: GPL-3.0-or-later
"""A mat's image seen from above, ahead being up: cells in FootSee's colours, feet outlined, the centre of pressure a dot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.ndimage import gaussian_filter1d

from ...motions.pressure.feet import foot_masks
from ...motions.pressure.images import COUNTS, UNITS_PA, Pressure
from ..pressure_colours import colours

OUTLINE = np.array([[255, 225, 0], [255, 70, 60]], dtype=np.uint8)
"""Of the left foot and of the right one."""
BESIDE = np.array([52, 56, 62], dtype=np.uint8)
"""Where no cell is."""
ROOM_M = 0.08
"""Around what is pressed."""
LEAST_M, MOST_M = 0.55, 1.5
"""Height of the least and of the largest window; beyond that it goes along."""
SMOOTH_S = 0.5
"""Standard deviation over which a window that goes along is smoothed."""
LINE, DOT = 0.004, 0.011
"""Width of an outline and radius of the dot, in heights of the picture that a panel is part of."""


@dataclass(frozen=True, eq=False)
class Shown:
    """A sequence with all that is drawn of it. `most` [its unit] is what counts as 255; `feet` (T, 2, rows, columns) are the
    cells of the left and the right foot where somebody knows them."""

    pressure: Pressure
    most: float
    feet: np.ndarray | None = None

    @cached_property
    def masks(self) -> np.ndarray:
        """The feet's cells (T, 2, rows, columns)."""
        return foot_masks(self.pressure) if self.feet is None else self.feet

    def drawn(self, frame: int, middle_m: np.ndarray, metre: float, size: tuple[int, int], tall: int) -> np.ndarray:
        """A frame (height, width, 3) as a window of `size` pixels sees it, `metre` pixels a metre; its middle is `middle_m` (2,),
        ahead and to the left. `tall` is the height of the whole picture."""
        one, (width, height) = self.pressure, size
        ahead = middle_m[0] + (0.5 * height - np.arange(height) - 0.5) / metre
        left = middle_m[1] + (0.5 * width - np.arange(width) - 0.5) / metre
        rows, on_rows = _cells(ahead, one.rows_m, one.pitch_m[0])
        columns, on_columns = _cells(left, one.columns_m, one.pitch_m[1])
        picture = colours(one.images[frame], self.most)[np.ix_(rows, columns)]
        picture[~(on_rows[:, None] & on_columns)] = BESIDE
        for foot, colour in enumerate(OUTLINE):
            mask = self.masks[frame, foot]
            if mask.any():
                fine = mask[np.ix_(rows, columns)] & on_rows[:, None] & on_columns
                picture[_rim(fine, max(round(LINE * tall), 1))] = colour
        centre = one.centre_m[frame]
        if np.isfinite(centre).all():
            away = np.hypot(*np.meshgrid(ahead - centre[0], left - centre[1], indexing="ij")) * metre
            picture[away < DOT * tall] = 255
            picture[away < 0.72 * DOT * tall] = 0
        return picture


def pressed(shown: Shown, frame: int) -> list[str]:
    """What presses in a frame, in words: the force where the unit is known, and how it is shared."""
    one = shown.pressure
    feet = [float(one.images[frame][mask].sum()) for mask in shown.masks[frame]]
    if not any(feet):
        return ["nothing presses"]
    left = round(100.0 * feet[0] / sum(feet))
    said = [] if one.unit == COUNTS else [f"{force_n(shown, frame):.0f} N"]
    return [*said, f"left {left} %, right {100 - left} %"]


def force_n(shown: Shown, frame: int) -> float:
    """The whole force of a frame [N], whose unit is known."""
    one = shown.pressure
    return float(one.images[frame].sum()) * UNITS_PA[one.unit] * one.cell_m2


def common_most(one: Pressure, other: Sequence[Pressure]) -> tuple[float, float]:
    """What counts as 255 in a sequence and in others beside it [each one's unit]: the same pressure where both have a unit."""
    mine, theirs = float(one.images.max()), max((float(each.images.max()) for each in other), default=0.0)
    units = [UNITS_PA.get(each.unit) for each in (one, *other[:1])]
    if len(units) < 2 or units[0] is None or units[1] is None:
        return mine, theirs
    top = max(mine * units[0], theirs * units[1])
    return top / units[0], top / units[1]


@dataclass(frozen=True, eq=False)
class Window:
    """What is seen of a mat: its middle at each of T frames (T, 2) [m], and how high it is [m]."""

    middle_m: np.ndarray
    high_m: float


def window_of(pressure: Pressure, masks: np.ndarray, aspect: float, beside: Sequence[np.ndarray] = ()) -> Window:
    """A window, `aspect` as wide as high, around all that is pressed, as large as that and each of the boxes (2, 2) beside need;
    where that is too much it goes along with the centre of pressure."""
    own = box_of(masks.any(axis=(0, 1)), pressure)
    if own is None:  # nobody presses: the middle of all cells
        own = np.array([[pressure.rows_m.mean(), pressure.columns_m.mean()]] * 2)
    ahead, across = np.max([box[1] - box[0] for box in (own, *beside)], axis=0) + 2.0 * ROOM_M
    need = max(float(ahead), float(across) / aspect, LEAST_M)
    if float(np.max(own[1] - own[0])) + 2.0 * ROOM_M <= MOST_M:
        return Window(np.broadcast_to(own.mean(axis=0), (len(pressure), 2)), min(need, MOST_M))
    centre, at = pressure.centre_m, np.arange(len(pressure))
    known = np.isfinite(centre).all(axis=1)
    way = np.stack([np.interp(at, at[known], column[known]) for column in centre.T], axis=1)
    return Window(gaussian_filter1d(way, SMOOTH_S * pressure.rate_hz, axis=0, mode="nearest"), MOST_M)


def box_of(pressed: np.ndarray, pressure: Pressure) -> np.ndarray | None:
    """Low and high corner (2, 2) [m] of pressed cells (rows, columns); None where there are none."""
    if not pressed.any():
        return None
    rows, columns = pressure.rows_m[pressed.any(axis=1)], pressure.columns_m[pressed.any(axis=0)]
    return np.array([[rows[0], columns[0]], [rows[-1], columns[-1]]])


def _cells(places: np.ndarray, cells_m: np.ndarray, pitch_m: float) -> tuple[np.ndarray, np.ndarray]:
    """The cells that places (n,) are in, and whether they are in one at all."""
    at = np.rint((places - cells_m[0]) / pitch_m).astype(int)
    return np.clip(at, 0, len(cells_m) - 1), (at >= 0) & (at < len(cells_m))


def _rim(mask: np.ndarray, width: int) -> np.ndarray:
    """The pixels of a mask so near to its edge, and their neighbours outside."""
    from scipy.ndimage import binary_dilation, binary_erosion

    grown = binary_dilation(mask, iterations=(width + 1) // 2)
    return np.asarray(grown & ~binary_erosion(mask, iterations=max(width // 2, 1)))

# SPDX-License-Identifier: GPL-3.0-or-later
"""A film's picture as it is put together: panels, words and lines on it. Needs Pillow and matplotlib, whose font it is."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.ndimage import gaussian_filter1d

from ...checks import check_number
from ...errors import InputError
from ...files import written_whole
from ...motions.pressure.features import LAST, RISE
from ...motions.pressure.feet import foot_masks
from ...motions.pressure.images import COUNTS, UNITS_PA, Pressure
from ..pressure import colours

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont


Colour = tuple[int, int, int]
INK, QUIET_INK, PAPER, FRAME = (32, 36, 42), (96, 104, 114), (246, 247, 249), (70, 76, 84)
ON_DARK, QUIET_ON_DARK = (236, 238, 240), (156, 162, 170)
TALL = 720.0
"""Height of the picture [pixels] that sizes are given for."""
SIZE, FPS = (1280, 720), 30.0
LEAST, MOST, RATES = (480, 270), 4096, (1.0, 120.0)
"""Least width and height, and most of both [pixels]; frames a second."""


@dataclass(frozen=True, eq=False)
class Film:
    """Pictures of equal size (height, width, 3), each made when it is asked for; `fps` a second."""

    count: int
    fps: float
    picture: Callable[[int], np.ndarray]

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[np.ndarray]:
        return (self.picture(i) for i in range(self.count))


def check_drawing() -> None:
    """Raises InputError where words cannot be drawn on pictures."""
    try:
        import matplotlib  # noqa: F401
        import PIL  # noqa: F401
    except ImportError as error:
        raise InputError(f"Pictures of pressure are drawn by Pillow and matplotlib; {error.name} is not installed here: install "
                         "Lope with its extra \"plot\" (pip install 'lope[plot]').") from None


def check_film(size: tuple[int, int], fps: float) -> None:
    """Raises InputError for a size or a rate that no film has."""
    for what, pixels, least in (("width", size[0], LEAST[0]), ("height", size[1], LEAST[1])):
        check_number(f"The film's {what}", pixels, least, MOST, "pixels")
    if size[0] % 2 or size[1] % 2:
        raise InputError(f"A film's width and height must be even, got {size[0]}x{size[1]}.")
    check_number("Frames a second", fps, *RATES, "1/s")


def write_pictures(film: Film, folder: Path, progress: Callable[[float, str], None] | None = None) -> list[Path]:
    """Write a film as `frame_NNNN.png`, each whole or not there. Raises InputError where that cannot be."""
    from PIL import Image

    paths = [folder / f"frame_{i + 1:04d}.png" for i in range(len(film))]
    for i, (path, picture) in enumerate(zip(paths, film, strict=True)):
        with written_whole(path, "picture") as partial, partial.open("xb") as file:
            Image.fromarray(picture).save(file, format="PNG", compress_level=3)
        if progress is not None:
            progress((i + 1.0) / len(paths), f"frame {i + 1} of {len(paths)}")
    return paths


@cache
def _font(pixels: int, bold: bool) -> FreeTypeFont:
    import matplotlib
    from PIL import ImageFont

    name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
    return ImageFont.truetype(str(Path(matplotlib.get_data_path()) / "fonts" / "ttf" / name), pixels)


class Canvas:
    """One picture of some size [pixels]; places are from its upper left corner, sizes of words for a picture `TALL` high."""

    def __init__(self, size: tuple[int, int], paper: Colour = PAPER) -> None:
        from PIL import Image, ImageDraw

        self.size, self.scale = size, size[1] / TALL
        self._image = Image.new("RGB", size, paper)
        self.draw: Any = ImageDraw.Draw(self._image)

    def paste(self, picture: np.ndarray, x: int, y: int) -> None:
        """Put a picture (height, width, 3) on it."""
        from PIL import Image

        self._image.paste(Image.fromarray(picture), (x, y))

    def text(self, at: tuple[float, float], words: str, size: float = 15.0, ink: Colour = INK, *, bold: bool = False,
             anchor: str = "la", most: float | None = None) -> None:
        """Write a line at (x, y), in `most` pixels: what is too long for them ends in dots. `anchor` is Pillow's."""
        font = _font(max(round(size * self.scale), 7), bold)
        if most is not None and font.getlength(words) > most:
            while words and font.getlength(words + "…") > most:
                words = words[:-1]
            words += "…"
        self.draw.text(at, words, font=font, fill=ink, anchor=anchor)

    def wide(self, words: str, size: float = 15.0, bold: bool = False) -> float:
        """How wide a line is [pixels]."""
        return float(_font(max(round(size * self.scale), 7), bold).getlength(words))

    def picture(self) -> np.ndarray:
        """What is on it (height, width, 3)."""
        return np.array(self._image)


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
    """A sequence with all that is drawn of it; `most` [its unit] counts as 255, `feet` (T, 2, rows, columns) are the cells."""

    pressure: Pressure
    most: float
    feet: np.ndarray | None = None

    @cached_property
    def masks(self) -> np.ndarray:
        """The feet's cells (T, 2, rows, columns)."""
        return foot_masks(self.pressure) if self.feet is None else self.feet

    def drawn(self, frame: int, middle_m: np.ndarray, metre: float, size: tuple[int, int], tall: int) -> np.ndarray:
        """A frame as a window of `size` pixels around `middle_m` (2,), `metre` to a metre; `tall` is the picture's."""
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
    """A window, `aspect` as wide as high, around what is pressed and the boxes (2, 2) beside; else it goes with the centre."""
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


SPANS: tuple[Colour, ...] = ((33, 102, 172), (193, 68, 14), (46, 139, 87), (142, 68, 173), (181, 133, 11), (20, 156, 148))
STANDS: Colour = (214, 218, 224)
LOW, HIGH = 0.3, 300.0
"""Ends of the score's axis, in deviations, by powers of ten."""
WHOLE_S, SEEN_S = 24.0, 16.0
"""A recording that lasts no longer is seen as a whole; of a longer one so much."""


@dataclass(frozen=True, eq=False)
class Score:
    """The activity (T,) of frames and what went on: `motion`, `from_s`, `to_s` from the first frame, `pace` unless standing."""

    activity: np.ndarray
    rate_hz: float
    rows: Sequence[dict[str, Any]]

    def draw(self, canvas: Canvas, box: tuple[int, int, int, int], time_s: float) -> None:
        """Draw it into a box (left, top, right, bottom) [pixels], with a line at a time [s]."""
        s, draw = canvas.scale, canvas.draw
        left, top, right, bottom = box
        left, right, bars = left + round(58 * s), right - round(20 * s), bottom - round(96 * s)
        begin, end = self._seen(time_s)
        lasts = end - begin

        def across(at: float) -> float:
            return left + (at - begin) / lasts * (right - left)

        def up(value: float) -> float:
            share = (math.log10(min(max(value, LOW), HIGH)) - math.log10(LOW)) / (math.log10(HIGH) - math.log10(LOW))
            return bars - share * (bars - top - 44 * s)

        for value, said in ((LAST, "ends"), (RISE, "begins")):
            draw.line([(left, up(value)), (right, up(value))], fill=(178, 184, 192), width=1)
            canvas.text((left - 6 * s, up(value)), f"{value:g}", 12, QUIET_INK, anchor="rm")
            canvas.text((right, up(value) - (1 if value == RISE else -15) * s), said, 11, QUIET_INK, anchor="rb")
        for value in (1.0, 30.0, 100.0):
            canvas.text((left - 6 * s, up(value)), f"{value:g}", 12, QUIET_INK, anchor="rm")
        draw.line([(left, top + 40 * s), (left, bars), (right, bars)], fill=QUIET_INK, width=1)
        self._rows(canvas, across, (bars + 8 * s, bars + 34 * s), (left, right), time_s)
        frames = range(max(int(begin * self.rate_hz) - 1, 0), min(int(end * self.rate_hz) + 2, len(self.activity)))
        draw.line([(min(max(across((frame + 0.5) / self.rate_hz), left), right), up(float(self.activity[frame])))
                   for frame in frames], fill=INK, width=max(round(2 * s), 1), joint="curve")
        for tick in np.arange(math.ceil(begin), end + 1e-9, 1.0 if lasts < 10.0 else 2.0):
            canvas.text((across(float(tick)), bars + 62 * s), f"{tick:g} s", 12, QUIET_INK, anchor="ma")
        at = across(time_s)
        draw.line([(at, top + 36 * s), (at, bars + 56 * s)], fill=(200, 30, 30), width=max(round(2 * s), 1))

    def _seen(self, time_s: float) -> tuple[float, float]:
        """From when to when is seen [s]."""
        lasts = len(self.activity) / self.rate_hz
        if lasts <= WHOLE_S:
            return 0.0, lasts
        begin = min(max(time_s - 0.6 * SEEN_S, 0.0), lasts - SEEN_S)
        return begin, begin + SEEN_S

    def _rows(self, canvas: Canvas, across: Any, bar: tuple[float, float], sides: tuple[float, float], time_s: float) -> None:
        """A bar for each motion, with its name where it has room, stance in grey."""
        kinds = list(dict.fromkeys(row["motion"] for row in self.rows if "pace" in row))
        for row in self.rows:
            left, right = (min(max(across(row[end]), sides[0]), sides[1]) for end in ("from_s", "to_s"))
            if right - left < 1.0:
                continue
            moves = "pace" in row
            fill = SPANS[kinds.index(row["motion"]) % len(SPANS)] if moves else STANDS
            now = row["from_s"] <= time_s < row["to_s"]
            canvas.draw.rectangle([left, bar[0], right - 1, bar[1]], fill=fill, outline=FRAME if now else None)
            if right - left > canvas.wide("stands", 12) * 0.7:
                canvas.text((0.5 * (left + right), 0.5 * sum(bar)), row["motion"], 12, PAPER if moves else QUIET_INK, anchor="mm",
                            most=right - left - 6 * canvas.scale)

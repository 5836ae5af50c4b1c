# SPDX-License-Identifier: GPL-3.0-or-later
"""A film's picture as it is put together: panels, words and lines on it. Needs Pillow and matplotlib, whose font it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...checks import check_number
from ...errors import InputError

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
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for i, (path, picture) in enumerate(zip(paths, film, strict=True)):
            partial = path.with_suffix(".part")
            Image.fromarray(picture).save(partial, format="PNG", compress_level=3)
            partial.replace(path)
            if progress is not None:
                progress((i + 1.0) / len(paths), f"frame {i + 1} of {len(paths)}")
    except OSError as error:
        raise InputError(f"The pictures cannot be written to {folder}: {error.strerror or error}.") from error
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

    def text(self, x: float, y: float, words: str, size: float = 15.0, ink: Colour = INK, *, bold: bool = False,
             anchor: str = "la", most: float | None = None) -> None:
        """Write a line, in `most` pixels: what is too long for them ends in dots. `anchor` is Pillow's."""
        font = _font(max(round(size * self.scale), 7), bold)
        if most is not None and font.getlength(words) > most:
            while words and font.getlength(words + "…") > most:
                words = words[:-1]
            words += "…"
        self.draw.text((x, y), words, font=font, fill=ink, anchor=anchor)

    def wide(self, words: str, size: float = 15.0, bold: bool = False) -> float:
        """How wide a line is [pixels]."""
        return float(_font(max(round(size * self.scale), 7), bold).getlength(words))

    def picture(self) -> np.ndarray:
        """What is on it (height, width, 3)."""
        return np.array(self._image)

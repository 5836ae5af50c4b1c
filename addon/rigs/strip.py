# SPDX-License-Identifier: GPL-3.0-or-later
"""Contact sheets: rows of pictures side by side with a title above each row and a caption under each picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import blf
import bpy
import imbuf
import numpy as np

from ..errors import InputError

BACKGROUND = (0.055, 0.058, 0.065)
INK, FAINT_INK = (0.93, 0.93, 0.91, 1.0), (0.62, 0.64, 0.67, 1.0)
_FONT = 0  # Blender's own


@dataclass(frozen=True)
class Row:
    """One row of a sheet: its title, the picture files, and a caption for each picture (or none)."""

    label: str
    pictures: Sequence[str | Path]
    captions: Sequence[str] = field(default_factory=tuple)


@dataclass(frozen=True)
class _Text:
    """A line of text: where its baseline starts, from the lower left corner [pixels]; `centred` moves it left by half."""

    text: str
    x: float
    y: float
    size: float
    ink: tuple[float, float, float, float]
    centred: bool = False


def contact_sheet(rows: Sequence[Row | tuple[str, Sequence[str | Path]]], out_png: str | Path) -> Path:
    """Write a PNG with the rows one under the other; returns its path.

    All pictures must have one size. Raises InputError for missing or unequal pictures, captions that do not match, or a
    file that cannot be written.
    """
    rows = [row if isinstance(row, Row) else Row(*row) for row in rows]
    pictures = [[read_picture(path) for path in row.pictures] for row in rows]
    shapes = {picture.shape for row in pictures for picture in row}
    if not shapes:
        raise InputError("A contact sheet needs at least one picture.")
    if len(shapes) > 1:
        sizes = ", ".join(sorted(f"{w}x{h}" for h, w, _ in shapes))
        raise InputError(f"The pictures of a contact sheet must have one size, these have {sizes}.")
    for row in rows:
        if row.captions and len(row.captions) != len(row.pictures):
            raise InputError(f"The row {row.label!r} has {len(row.pictures)} pictures and {len(row.captions)} captions.")
    canvas, texts = _laid_out(rows, pictures, *shapes.pop()[:2])
    out = Path(out_png)
    write_picture(canvas, out)
    _letter(out, texts)
    return out


def _laid_out(rows: Sequence[Row], pictures: list[list[np.ndarray]], height: int,
              width: int) -> tuple[np.ndarray, list[_Text]]:
    """The sheet (H, W, 3), top row first, and the texts to put on it."""
    unit = max(height / 20.0, 8.0)
    gap, margin = max(2, round(0.12 * unit)), round(0.9 * unit)
    title, caption = round(2.1 * unit), round(1.35 * unit)
    columns = max(len(row) for row in pictures)
    total_width = 2 * margin + columns * width + (columns - 1) * gap
    total_height = len(rows) * (title + height + caption) + margin
    canvas = np.empty((total_height, total_width, 3), dtype=np.float32)
    canvas[:] = BACKGROUND
    texts, top = [], 0
    for row, row_pictures in zip(rows, pictures):
        texts.append(_Text(row.label, margin, total_height - top - 1.45 * unit, 1.15 * unit, INK))
        top += title
        for k, picture in enumerate(row_pictures):
            left = margin + k * (width + gap)
            canvas[top:top + height, left:left + width] = picture
            if row.captions:
                texts.append(_Text(row.captions[k], left + width / 2, total_height - top - height - 0.95 * unit, 0.72 * unit,
                                   FAINT_INK, True))
        top += height + caption
    return canvas, texts


def read_picture(path: str | Path) -> np.ndarray:
    """A picture file's stored values (H, W, 3) in 0 to 1, top row first. Raises InputError where there is none."""
    if not Path(path).is_file():
        raise InputError(f"There is no picture at {path}.")
    image = bpy.data.images.load(str(Path(path).resolve()), check_existing=False)
    try:
        width, height = image.size
        values = np.empty(width * height * image.channels, dtype=np.float32)
        image.pixels.foreach_get(values)
        return values.reshape(height, width, image.channels)[::-1, :, :3]
    finally:
        bpy.data.images.remove(image)


def write_picture(values: np.ndarray, path: Path) -> None:
    """Write values (H, W, 3), top row first, as an 8-bit PNG. Raises InputError where that fails."""
    height, width = values.shape[:2]
    image = bpy.data.images.new("Lope sheet", width, height, alpha=False)
    try:
        full = np.ones((height, width, 4), dtype=np.float32)
        full[..., :3] = values[::-1]
        image.pixels.foreach_set(full.ravel())
        image.file_format, image.filepath_raw = "PNG", str(path.resolve())
        image.save()
    except RuntimeError as error:
        raise InputError(f"The picture {path} cannot be written: {error}.") from error
    finally:
        bpy.data.images.remove(image)


def _letter(path: Path, texts: Sequence[_Text]) -> None:
    """Draw the texts into a picture file with Blender's own font."""
    buffer = imbuf.load(str(path.resolve()))
    with blf.bind_imbuf(_FONT, buffer):
        for text in texts:
            blf.size(_FONT, text.size)
            blf.color(_FONT, *text.ink)
            shift = blf.dimensions(_FONT, text.text)[0] / 2 if text.centred else 0.0
            blf.position(_FONT, text.x - shift, text.y, 0.0)
            blf.draw_buffer(_FONT, text.text)
    imbuf.write(buffer, filepath=str(path.resolve()))

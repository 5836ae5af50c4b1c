# SPDX-License-Identifier: GPL-3.0-or-later
"""Contact sheets: rows of pictures side by side with a title above each row and a caption under each picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import bpy
import numpy as np

from ...errors import InputError
from .pictures import Text, read_picture, shrunk, write_picture

BACKGROUND = (0.055, 0.058, 0.065)
INK, FAINT_INK = (0.93, 0.93, 0.91, 1.0), (0.62, 0.64, 0.67, 1.0)

WIDEST = 4096
"""Pixels that a sheet's pictures are shrunk to keep within: a page or a browser shows no more."""


LONGEST_ROW = 9


@dataclass(frozen=True)
class Row:
    """One row of a sheet: its title (none for a row that goes on), the picture files, and a caption for each (or none)."""

    label: str
    pictures: Sequence[str | Path]
    captions: Sequence[str] = field(default_factory=tuple)


def contact_sheet(rows: Sequence[Row | tuple[str, Sequence[str | Path]]], out_png: str | Path,
                  scene: bpy.types.Scene | None = None) -> Path:
    """Write a PNG with the rows one under the other; returns its path.

    All pictures must have one size; linear ones (EXR) go through the look of `scene`. Raises InputError for missing or
    unequal pictures, captions that do not match, or a file that cannot be written.
    """
    rows = [row if isinstance(row, Row) else Row(*row) for row in rows]
    for row in rows:
        if row.captions and len(row.captions) != len(row.pictures):
            raise InputError(f"The row {row.label!r} has {len(row.pictures)} pictures and {len(row.captions)} captions.")
    pictures = equal_pictures([row.pictures for row in rows], max((len(row.pictures) for row in rows), default=0), scene)
    canvas, texts = _laid_out(rows, pictures)
    write_picture(canvas, Path(out_png), texts)
    return Path(out_png)


def wrapped(label: str, pictures: Sequence[str | Path], captions: Sequence[str]) -> list[Row]:
    """The pictures of one shot as rows of equal length, one after the other, where they are too many for one row."""
    rows = -(-len(pictures) // LONGEST_ROW)
    length = -(-len(pictures) // rows)
    return [Row("" if start else label, pictures[start:start + length], captions[start:start + length])
            for start in range(0, len(pictures), length)]


def equal_pictures(groups: Sequence[Sequence[str | Path]], across: int,
                   scene: bpy.types.Scene | None = None) -> list[list[np.ndarray]]:
    """The pictures (H, W, 3) of each group, shrunk so that `across` of them keep within `WIDEST`.

    Raises InputError unless there are some, all of one size.
    """
    first = next((read_picture(path, scene) for group in groups for path in group), None)
    if first is None:
        raise InputError("A contact sheet needs at least one picture.")
    factor = -(-across * first.shape[1] // WIDEST)
    return [[shrunk(_of_size(read_picture(path, scene), first.shape), factor) for path in group] for group in groups]


def _of_size(picture: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """The picture. Raises InputError when it is of another shape than the first."""
    if picture.shape != shape:
        sizes = ", ".join(f"{w}x{h}" for h, w, _ in (shape, picture.shape))
        raise InputError(f"The pictures of a contact sheet must have one size, these have {sizes}.")
    return picture


def empty_sheet(height: int, width: int) -> np.ndarray:
    """A sheet (H, W, 3) of nothing but background."""
    canvas = np.empty((height, width, 3), dtype=np.float32)
    canvas[:] = BACKGROUND
    return canvas


def _laid_out(rows: Sequence[Row], pictures: list[list[np.ndarray]]) -> tuple[np.ndarray, list[Text]]:
    """The sheet (H, W, 3), top row first, and the texts to put on it."""
    height, width = next(row for row in pictures if row)[0].shape[:2]
    unit = max(height / 20.0, 8.0)
    gap, margin = max(2, round(0.12 * unit)), round(0.9 * unit)
    title, caption = round(2.1 * unit), round(1.35 * unit)
    columns = max(len(row) for row in pictures)
    total_width = 2 * margin + columns * width + (columns - 1) * gap
    total_height = sum((title if row.label else 0) + height + caption for row in rows) + margin
    canvas, texts, top = empty_sheet(total_height, total_width), [], 0
    for row, row_pictures in zip(rows, pictures, strict=True):
        if row.label:
            texts.append(Text(row.label, margin, total_height - top - 1.45 * unit, 1.15 * unit, INK,
                              most=total_width - 2 * margin))
            top += title
        for k, picture in enumerate(row_pictures):
            left = margin + k * (width + gap)
            canvas[top:top + height, left:left + width] = picture
            if row.captions:
                texts.append(Text(row.captions[k], left + width / 2, total_height - top - height - 0.95 * unit, 0.72 * unit,
                                  FAINT_INK, centred=True, most=width))
        top += height + caption
    return canvas, texts

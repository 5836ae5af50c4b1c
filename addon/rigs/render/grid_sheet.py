# SPDX-License-Identifier: GPL-3.0-or-later
"""One sheet of many shots: a grid with a name on each row and column, and in each cell a picture with numbers under it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import InputError
from .pictures import Text, write_picture
from .strip import FAINT_INK, INK, empty_sheet, equal_pictures

LINES = 3
"""Lines of numbers under a cell's pictures, at most."""

_FIELDS = {"row": str, "column": str, "pictures": list, "lines": list}


@dataclass(frozen=True)
class Cell:
    """One shot in the grid: the names of its row and column, its pictures side by side, and lines of text under them.

    A shot that has no picture has its lines alone, such as why it failed.
    """

    row: str
    column: str
    pictures: Sequence[str | Path] = ()
    lines: Sequence[str] = field(default_factory=tuple)


def read_cells(path: Path) -> list[Cell]:
    """The cells in a JSON file: a list of objects with "row" and "column", and lists "pictures" and "lines".

    The two lists hold texts and may be left out. Paths of pictures are relative to the file. Raises InputError saying which
    entry is wrong and how.
    """
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"The cells {path} cannot be read: {error}.") from error
    if not isinstance(entries, list) or not entries:
        raise InputError(f'The cells {path} must be a list of objects, each with "row" and "column".')
    return [_cell(entry, f"Entry {number} of {path}", path.parent) for number, entry in enumerate(entries, start=1)]


def _cell(entry: Any, what: str, folder: Path) -> Cell:
    """One checked entry of a file of cells."""
    if not isinstance(entry, dict) or not {"row", "column"} <= set(entry) <= set(_FIELDS):
        raise InputError(f'{what} must have "row" and "column", may have "pictures" and "lines", and nothing else.')
    for name, value in entry.items():
        texts = value if isinstance(value, list) else [value]
        if not isinstance(value, _FIELDS[name]) or not all(isinstance(text, str) for text in texts):
            raise InputError(f'{what} has no {"list of texts" if _FIELDS[name] is list else "text"} in "{name}".')
    pictures = tuple(folder / picture for picture in entry.get("pictures", ()))
    return Cell(entry["row"], entry["column"], pictures, tuple(entry.get("lines", ())))


def grid_sheet(cells: Sequence[Cell], out_png: str | Path) -> Path:
    """Write a PNG with the cells' rows and columns in their order of appearance; returns its path.

    All pictures must have one size, of PNG. Raises InputError for missing or unequal pictures, no picture at all, two cells
    at one place, more than `LINES` lines in a cell, or a file that cannot be written.
    """
    if not any(cell.pictures for cell in cells):
        raise InputError("A sheet needs at least one picture, and none of its cells has one.")
    places = [(cell.row, cell.column) for cell in cells]
    for place, cell in zip(places, cells, strict=True):
        if places.count(place) > 1:
            raise InputError(
                f"Two cells of the sheet stand at row {cell.row!r}, column {cell.column!r}; give each its own place.")
        if len(cell.lines) > LINES:
            raise InputError(
                f"The cell at row {cell.row!r}, column {cell.column!r} has {len(cell.lines)} lines; at most {LINES} fit.")
    rows, columns = (list(dict.fromkeys(names)) for names in zip(*places, strict=True))
    across = len(columns) * max(len(cell.pictures) for cell in cells)
    grid = _Grid(rows, columns, equal_pictures([cell.pictures for cell in cells], across))
    texts = grid.names()
    for cell, group in zip(cells, grid.pictures, strict=True):
        texts += grid.put(cell, group)
    write_picture(grid.canvas, Path(out_png), texts)
    return Path(out_png)


class _Grid:
    """The sheet being laid out. Sizes follow from the pictures'; `unit` is the size of a line of text."""

    def __init__(self, rows: list[str], columns: list[str], pictures: list[list[np.ndarray]]) -> None:
        self.rows, self.columns, self.pictures = rows, columns, pictures
        self.height, self.width = next(p for group in pictures for p in group).shape[:2]
        across = max(map(len, pictures))
        self.unit = unit = max(self.height / 18.0, 9.0)
        self.gap = max(2, round(0.12 * unit))
        self.cell_width = max(across * self.width + (across - 1) * self.gap, round(9 * unit))
        self.cell_height = self.height + round((1.2 * LINES + 0.8) * unit)
        self.side, self.head = round((1.0 + 0.72 * max(map(len, rows))) * unit), round(2.6 * unit)
        self.step = (self.cell_height, self.cell_width + round(unit))
        self.total = (self.head + len(rows) * self.cell_height + round(0.4 * unit),
                      self.side + len(columns) * self.step[1] + round(0.4 * unit))
        self.canvas = empty_sheet(*self.total)

    def names(self) -> list[Text]:
        """The names of rows, at the left of each, and of columns, above each."""
        unit, height = self.unit, self.total[0]
        texts = [Text(name, 0.6 * unit, height - self.head - k * self.cell_height - self.height / 2, 1.15 * unit, INK,
                      most=self.side - unit) for k, name in enumerate(self.rows)]
        return texts + [Text(name, self.side + k * self.step[1] + self.cell_width / 2, height - 1.7 * unit, 1.15 * unit, INK,
                             centred=True, most=self.cell_width) for k, name in enumerate(self.columns)]

    def put(self, cell: Cell, pictures: list[np.ndarray]) -> list[Text]:
        """Put a cell's pictures at their place; gives its lines."""
        top = self.head + self.rows.index(cell.row) * self.step[0]
        left = self.side + self.columns.index(cell.column) * self.step[1]
        filled = len(pictures) * (self.width + self.gap) - self.gap
        for k, picture in enumerate(pictures):
            start = left + (self.cell_width - filled) // 2 + k * (self.width + self.gap)
            self.canvas[top:top + self.height, start:start + self.width] = picture
        under = top + (self.height if pictures else self.height // 2)
        return [Text(line, left + self.cell_width / 2, self.total[0] - under - (1.1 + 1.2 * k) * self.unit, 0.85 * self.unit,
                     FAINT_INK, centred=True, most=self.cell_width) for k, line in enumerate(cell.lines)]

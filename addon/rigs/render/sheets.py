# SPDX-License-Identifier: GPL-3.0-or-later
"""Contact sheets and grids of pictures with titles and captions, and what is written on the pictures of a shot."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import bpy
import numpy as np

from ...errors import InputError, RigError
from ...files import read_json, reading
from ...specs.motions import Stand
from ...specs.shot import HEIGHT_RANGE_M, BodySpec, Shot, World
from ...worlds.planets import label_of
from ..bake.placing import hips_of, shown_figure
from ..bake.provenance import CALLED_KEY, FELL_KEY, START_KEY, provenance
from ..bake.sampling import FootEvent
from ..read.actions import frame_rate
from ..read.armature import metres_per_unit
from .camera import bone_path, character_of
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
    """Write a PNG with the rows one under the other; returns its path. Linear pictures (EXR) go through the look of `scene`.
    Raises InputError for missing or unequal pictures, captions that do not match, or a failed write."""
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
    """The pictures (H, W, 3) of each group, `across` of them within `WIDEST`. Raises InputError unless all are of one size."""
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


LINES = 3
"""Lines of numbers under a cell's pictures, at most."""

_FIELDS = {"row": str, "column": str, "pictures": list, "lines": list}


@dataclass(frozen=True)
class Cell:
    """One shot in the grid: its row and column, its pictures side by side, and lines of text under, or in place of, them."""

    row: str
    column: str
    pictures: Sequence[str | Path] = ()
    lines: Sequence[str] = field(default_factory=tuple)


def read_cells(path: Path) -> list[Cell]:
    """The cells in a JSON file: objects with "row" and "column", and maybe lists of texts "pictures" (paths relative to the file)
    and "lines". Raises InputError saying which entry is wrong and how."""
    with reading(f"The cells {path} cannot be read"):
        entries = read_json(path)
    if not isinstance(entries, list) or not entries:
        raise InputError(f'The cells {path} must be a list of objects, each with "row" and "column".')
    return [_cell(entry, f"Entry {number} of {path}", path.parent) for number, entry in enumerate(entries, start=1)]


def _cell(entry: Any, what: str, folder: Path) -> Cell:
    if not isinstance(entry, dict) or not {"row", "column"} <= set(entry) <= set(_FIELDS):
        raise InputError(f'{what} must have "row" and "column", may have "pictures" and "lines", and nothing else.')
    for name, value in entry.items():
        texts = value if isinstance(value, list) else [value]
        if not isinstance(value, _FIELDS[name]) or not all(isinstance(text, str) for text in texts):
            raise InputError(f'{what} has no {"list of texts" if _FIELDS[name] is list else "text"} in "{name}".')
    pictures = tuple(folder / picture for picture in entry.get("pictures", ()))
    return Cell(entry["row"], entry["column"], pictures, tuple(entry.get("lines", ())))


def grid_sheet(cells: Sequence[Cell], out_png: str | Path) -> Path:
    """Write a PNG with the cells' rows and columns in their order of appearance; returns its path. Raises InputError for missing
    or unequal pictures, two cells at one place, more than `LINES` lines, or a failed write."""
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


GAP = "    "


def world_label(world: World) -> str:
    return label_of(world.name)


def shown_range(scene: bpy.types.Scene) -> tuple[int, int]:
    """First and last frame of the scene's range at which baked motion goes on; the whole range where none lies in it."""
    first, last = scene.frame_start, scene.frame_end
    try:
        action = character_of(scene).animation_data.action
        provenance(action)
    except (AttributeError, RigError):  # no animation, no action, or not Lope's
        return first, last
    low, high = (round(frame) for frame in action.frame_range)
    low, high = max(first, low), min(last, high)
    return (low, high) if low < high and not action.use_cyclic else (first, last)


def scene_title(scene: bpy.types.Scene, frames: tuple[int, int]) -> str:
    """What a scene shows over those frames, its speed until a fall; its name where Lope baked nothing in it."""
    try:
        armature = character_of(scene)
        action = armature.animation_data.action
        baked = provenance(action)
    except (AttributeError, RigError):  # no animation, no action, or not Lope's
        return scene.name
    shot: Shot = baked.shot
    facts = [f"{action.get(CALLED_KEY, shot.called)}, {world_label(shot.world)}", _gravity(shot.world)]
    low, high = shown_range(scene)
    fell = action.get(FELL_KEY)
    gone = max(frames[0], low), min(frames[1], high if fell is None else max(low, int(fell)))
    goes = shot.controller not in Stand.CONTROLLERS
    if goes and gone[1] > gone[0]:
        facts.append(_speed(scene, armature, gone, shot.body))
    landed = landings(baked.events, "L")
    if goes and len(landed) > 2:
        facts.append(f"{frame_rate(scene) / float(np.median(np.diff(landed))):.2f} strides/s")
    if fell is not None:
        facts.append(f"falls after {(fell - action.get(START_KEY, low)) / frame_rate(scene):.1f} s")
    return GAP.join(facts)


def landings(events: Iterable[FootEvent], side: str) -> list[float]:
    """Frames at which a foot strikes after a swing of at least half its longest: one that strikes may leave again a moment."""
    own = sorted((event for event in events if event.side == side), key=lambda event: event.frame)
    swings = [(after.frame - before.frame, after.frame) for before, after in pairwise(own)
              if (before.kind, after.kind) == ("off", "strike")]
    longest = max((length for length, _ in swings), default=0.0)
    return [frame for length, frame in swings if length >= 0.5 * longest]


def _gravity(world: World) -> str:
    return f"{world.gravity_m_s2:.2f} m/s²"


def _speed(scene: bpy.types.Scene, armature: bpy.types.Object, frames: tuple[int, int], body: BodySpec) -> str:
    """How fast the hips go; of a rig of no person's height as fast as the body that was simulated, for which it stands."""
    figure, (low, high) = shown_figure(armature, scene), HEIGHT_RANGE_M
    times, path = bone_path(scene, armature, hips_of(armature, figure), frames)
    scale = 1.0 if body.creature is not None or low <= figure.height_m <= high else body.height_m / figure.height_m
    way = float(np.linalg.norm(np.diff(path[:, :2], axis=0), axis=1).sum()) * metres_per_unit(scene) * scale
    return f"{way / (times[-1] - times[0]) * frame_rate(scene):.2f} m/s"

# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws a `Board` of plots over every 3D viewport, with a line at the present moment. One board at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import blf
import bpy
import gpu
import numpy as np
from gpu_extras.batch import batch_for_shader

from .free import free_of
from .overlay import COLOURS as PLAN_COLOURS
from .plots import LEFT, TOP, Board, Sheet, cursor, sheet

COLOURS = {**PLAN_COLOURS, "grid": (1.0, 1.0, 1.0, 0.16), "speed": (0.55, 0.9, 0.5, 1.0), "load": (0.85, 0.65, 1.0, 1.0)}
BACK, CURSOR, WORDS = (0.07, 0.07, 0.08, 0.82), (1.0, 1.0, 1.0, 0.75), (1.0, 1.0, 1.0, 0.92)
WIDTH, LABEL_SIZE = 1.5, 11.0
MARGIN, ABOVE = 12.0, 44.0
"""Pixels beside and below the plots; below them lies the plan's line of figures."""


@dataclass(frozen=True)
class _Batch:
    """What is drawn in one go; `wide` lines want a width."""

    shader: gpu.types.GPUShader
    batch: gpu.types.GPUBatch
    wide: bool


_board: Board | None = None
_now: Callable[[], float | None] = lambda: None  # noqa: E731
_drawn: dict[tuple, tuple[Sheet, list[tuple[_Batch, tuple[float, ...]]]]] = {}
_handles: list[object] = []


def show(board: Board, now: Callable[[], float | None]) -> None:
    """Draw this from now on. `now()` gives the present time in the take, None where nothing is to be drawn."""
    global _board, _now
    _board, _now = board, now
    _drawn.clear()
    if not _handles:
        _handles.append(bpy.types.SpaceView3D.draw_handler_add(_draw, (), "WINDOW", "POST_PIXEL"))


def hide() -> None:
    """Draw nothing, and leave no handler behind."""
    global _board
    _board = None
    _drawn.clear()
    while _handles:
        bpy.types.SpaceView3D.draw_handler_remove(_handles.pop(), "WINDOW")


def is_shown() -> bool:
    """Whether anything is drawn."""
    return bool(_handles)


def free_view(area: bpy.types.Area, region: bpy.types.Region, scale: float) -> tuple[float, float, float, float]:
    """Rectangle (x, y, width, height) of a view that no other region covers, in its own pixels, margins taken off."""
    free = free_of(area, region)
    return (free.left + MARGIN * scale, free.bottom + ABOVE * scale, free.right - free.left - 2.0 * MARGIN * scale,
            region.height - free.bottom - 2.0 * ABOVE * scale)


def _draw() -> None:
    time = _now()
    if _board is None or time is None:
        return
    context = bpy.context
    scale, region = context.preferences.system.ui_scale, context.region
    view, page = free_view(context.area, region, scale), _board.page(time)
    key = (view, page, scale)
    if key not in _drawn:
        if len(_drawn) > 8:
            _drawn.clear()
        made = sheet(_board, view, page, scale)
        _drawn[key] = made, _batches(made, scale)
    made, batches = _drawn[key]
    gpu.state.blend_set("ALPHA")
    for batch, colour in batches:
        _run(batch, colour, region)
    ends = cursor(_board, made, page, time)
    if len(ends):
        _run(_lines(ends), CURSOR, region)
    gpu.state.blend_set("NONE")
    _draw_words(made, scale)


def _batches(made: Sheet, scale: float) -> list[tuple[_Batch, tuple[float, ...]]]:
    """Batches of a sheet: a dark card behind each plot, so that it can be read over any scene; round numbers' lines, then
    the curves' and the bars, one a colour."""
    found = [(_triangles(np.array([corner for frame in made.frames for corner in _card(frame, scale)])), BACK)] if len(
        made.frames) else []
    found += [(_lines(np.concatenate(pieces)), COLOURS[colour])
              for colour, pieces in sorted(made.lines.items(), key=lambda item: item[0] != "grid") if sum(map(len, pieces))]
    return found + [(_triangles(np.concatenate(pieces)), COLOURS[colour]) for colour, pieces in made.fills.items()]


def _card(frame: np.ndarray, scale: float) -> list[tuple[float, float]]:
    """Two triangles around a plot, its title and its numbers."""
    x, y, width, height = frame
    a, b, c, d = x - LEFT * scale, y - 2.0 * scale, x + width + 4.0 * scale, y + height + TOP * scale
    return [(a, b), (c, b), (c, d), (a, b), (c, d), (a, d)]


def _lines(ends: np.ndarray) -> _Batch:
    shader = gpu.shader.from_builtin("POLYLINE_UNIFORM_COLOR")
    return _Batch(shader, batch_for_shader(shader, "LINES", {"pos": _flat(ends)}), True)


def _triangles(corners: np.ndarray) -> _Batch:
    shader = gpu.shader.from_builtin("UNIFORM_COLOR")
    return _Batch(shader, batch_for_shader(shader, "TRIS", {"pos": _flat(corners)}), False)


def _flat(points: np.ndarray) -> list[list[float]]:
    """Pixels (N, 2) as places on the screen."""
    return np.pad(points, ((0, 0), (0, 1))).tolist()


def _run(drawn: _Batch, colour: tuple[float, ...], region: bpy.types.Region) -> None:
    """Draw a batch in a colour."""
    drawn.shader.bind()
    if drawn.wide:
        drawn.shader.uniform_float("viewportSize", (region.width, region.height))
        drawn.shader.uniform_float("lineWidth", WIDTH * bpy.context.preferences.system.pixel_size)
    drawn.shader.uniform_float("color", colour)
    drawn.batch.draw(drawn.shader)


def _draw_words(made: Sheet, scale: float) -> None:
    """Titles, and the round numbers beside their lines."""
    blf.size(0, LABEL_SIZE * scale)
    blf.color(0, *WORDS)
    for x, y, text, right in made.labels:
        blf.position(0, x - (blf.dimensions(0, text)[0] if right else 0.0), y, 0.0)
        blf.draw(0, text)

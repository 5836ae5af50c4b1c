# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws a `Drawing` over every 3D viewport, with Blender's `gpu` module. One overlay at a time."""

from __future__ import annotations

from collections.abc import Callable

import blf
import bpy
import gpu
import numpy as np
from bpy_extras.view3d_utils import location_3d_to_region_2d
from gpu_extras.batch import batch_for_shader
from mathutils import Matrix, Vector

from .sketch import Drawing, segments
from .views import free_of

COLOURS = {"L": (0.95, 0.35, 0.25, 1.0), "R": (0.25, 0.75, 0.95, 1.0), "com": (1.0, 0.85, 0.25, 1.0), "cart": (0.7, 0.7,
                                                                                                               0.7, 0.8)}
MARKED = (1.0, 1.0, 1.0, 1.0)
WIDTH, LOCKED_WIDTH, LABEL_SIZE, WORDS_SIZE = 2.0, 5.0, 14.0, 13.0
MARGIN = 16

_shown: Drawing | None = None
_place: Callable[[], Matrix | None] = lambda: None  # noqa: E731
_marked: int | None = None
_batches: list[tuple[gpu.types.GPUBatch, tuple[float, ...], float]] = []
_handles: list[object] = []


def show(drawing: Drawing, place: Callable[[], Matrix | None]) -> None:
    """Draw this from now on. `place()` gives the matrix from a take's places to the world, None where nothing is to be drawn."""
    global _shown, _place
    _shown, _place = drawing, place
    _batches.clear()
    if not _handles:
        view = bpy.types.SpaceView3D
        _handles.append(view.draw_handler_add(_draw_lines, (), "WINDOW", "POST_VIEW"))
        _handles.append(view.draw_handler_add(_draw_words, (), "WINDOW", "POST_PIXEL"))


def hide() -> None:
    global _shown
    _shown = None
    _batches.clear()
    while _handles:
        bpy.types.SpaceView3D.draw_handler_remove(_handles.pop(), "WINDOW")


def mark(number: int | None) -> None:
    """Draw the footprint of this number as the one under the mouse; None for none."""
    global _marked
    _marked = number


def labels() -> list[tuple[float, float, float]]:
    """Places [m] of the footprints' labels, as drawn; none where nothing is."""
    return [] if _shown is None else _shown.labels.tolist()


def is_shown() -> bool:
    """Whether anything is drawn."""
    return bool(_handles)


def _build(drawing: Drawing) -> None:
    """Batches of the drawing's lines, one a colour; locked footprints thicker, in ones of their own."""
    shader = gpu.shader.from_builtin("POLYLINE_UNIFORM_COLOR")
    lines = {("com", WIDTH): [segments(drawing.com)], ("cart", WIDTH): [segments(drawing.cart)]}
    for number, (side, outline) in enumerate(zip(drawing.sides, drawing.prints, strict=True)):
        width = LOCKED_WIDTH if number in drawing.locked else WIDTH
        lines.setdefault((side, width), []).append(segments(outline, closed=True))
    for (key, width), pieces in lines.items():
        _batches.append((_batch(shader, np.concatenate(pieces)), COLOURS[key], width))


def _batch(shader: gpu.types.GPUShader, places: np.ndarray) -> gpu.types.GPUBatch:
    """A batch of lines between pairs of places (2 M, 3)."""
    return batch_for_shader(shader, "LINES", {"pos": places.astype(np.float32).tolist()})


def _draw_lines() -> None:
    matrix = _place()
    if _shown is None or matrix is None:
        return
    if not _batches:
        _build(_shown)
    shader = gpu.shader.from_builtin("POLYLINE_UNIFORM_COLOR")
    region = bpy.context.region
    gpu.state.blend_set("ALPHA")
    gpu.state.depth_test_set("LESS_EQUAL")
    shader.bind()
    shader.uniform_float("viewportSize", (region.width, region.height))
    marked = []
    if _marked is not None and _marked < len(_shown.prints):
        marked.append((_batch(shader, segments(_shown.prints[_marked], closed=True)), MARKED, WIDTH))
    with gpu.matrix.push_pop():
        gpu.matrix.multiply_matrix(matrix)
        for batch, colour, width in (*_batches, *marked):
            shader.uniform_float("lineWidth", width * bpy.context.preferences.system.pixel_size)
            shader.uniform_float("color", colour)
            batch.draw(shader)
    gpu.state.depth_test_set("NONE")
    gpu.state.blend_set("NONE")


def _draw_words() -> None:
    """Which foot each print is of, and the plan's numbers at the bottom left, above the last operator's panel."""
    matrix = _place()
    if _shown is None or matrix is None:
        return
    region, view = bpy.context.region, bpy.context.region_data
    scale = bpy.context.preferences.system.ui_scale
    blf.size(0, LABEL_SIZE * scale)
    for number, (side, place) in enumerate(zip(_shown.sides, _shown.labels, strict=True)):
        at = location_3d_to_region_2d(region, view, matrix @ Vector(place))
        if at is not None:
            told = number in _shown.locked or number == _marked
            blf.color(0, *(MARKED if told else COLOURS[side]))
            blf.position(0, at.x - 4 * scale, at.y - 5 * scale, 0.0)
            blf.draw(0, f"{side} {number}" if told else side)
    for x, y, speed in _shown.speeds:
        at = location_3d_to_region_2d(region, view, matrix @ Vector((x, y, 0.0)))
        if at is not None:
            blf.color(0, *COLOURS["com"])
            blf.position(0, at.x + 10 * scale, at.y + 6 * scale, 0.0)
            blf.draw(0, f"{speed:.2f} m/s")
    bottom = free_of(bpy.context.area, region).bottom + MARGIN * scale
    blf.size(0, WORDS_SIZE * scale)
    blf.color(0, 1.0, 1.0, 1.0, 0.9)
    for row, line in enumerate(reversed(_shown.words)):
        blf.position(0, MARGIN * scale, bottom + 1.4 * WORDS_SIZE * row * scale, 0.0)
        blf.draw(0, line)

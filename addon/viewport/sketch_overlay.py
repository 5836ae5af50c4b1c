# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws a `Sketch` over every 3D viewport, with Blender's `gpu` module: it walks while a search goes on. One at a time."""

from __future__ import annotations

import time
from collections.abc import Callable

import blf
import bpy
import gpu
import numpy as np
from bpy_extras.view3d_utils import location_3d_to_region_2d
from gpu_extras.batch import batch_for_shader
from mathutils import Matrix, Vector

from .sketch import LEFT, MIDDLE, RIGHT, Sketch
from .views import free_of

COLOURS = {LEFT: (0.95, 0.35, 0.25, 1.0), RIGHT: (0.25, 0.75, 0.95, 1.0), MIDDLE: (1.0, 0.85, 0.25, 1.0)}
WIDTH, WORDS_SIZE, ABOVE_M, GAP_PX = 6.0, 13.0, 0.1, 8.0
BELOW_PX = 110.0
"""So far below a view's upper edge its own headers and lines of text reach."""

_shown: Sketch | None = None
_place: Callable[[], Matrix | None] = lambda: None  # noqa: E731
_began_s = 0.0
_handles: list[object] = []


def show(sketch: Sketch, place: Callable[[], Matrix | None]) -> None:
    """Draw this from now on, from its beginning. `place()` gives the matrix from a take's places to the world, None where
    nothing is to be drawn."""
    global _shown, _place, _began_s
    _shown, _place, _began_s = sketch, place, time.perf_counter()
    if not _handles:
        view = bpy.types.SpaceView3D
        _handles.append(view.draw_handler_add(_draw_lines, (), "WINDOW", "POST_VIEW"))
        _handles.append(view.draw_handler_add(_draw_words, (), "WINDOW", "POST_PIXEL"))


def hide() -> None:
    global _shown
    _shown = None
    while _handles:
        bpy.types.SpaceView3D.draw_handler_remove(_handles.pop(), "WINDOW")


def is_shown() -> bool:
    """Whether anything is drawn."""
    return bool(_handles)


def _draw_lines() -> None:
    matrix = _place()
    if _shown is None or matrix is None:
        return
    row = _shown.row(time.perf_counter() - _began_s)
    shader = gpu.shader.from_builtin("POLYLINE_UNIFORM_COLOR")
    region = bpy.context.region
    gpu.state.blend_set("ALPHA")
    shader.bind()
    shader.uniform_float("viewportSize", (region.width, region.height))
    shader.uniform_float("lineWidth", WIDTH * bpy.context.preferences.system.pixel_size)
    with gpu.matrix.push_pop():
        gpu.matrix.multiply_matrix(matrix)
        for side, colour in COLOURS.items():
            places = _shown.lines(row, side)
            if len(places):
                shader.uniform_float("color", colour)
                batch_for_shader(shader, "LINES", {"pos": places.astype(np.float32).tolist()}).draw(shader)
    gpu.state.blend_set("NONE")


def _draw_words() -> None:
    matrix = _place()
    if _shown is None or matrix is None or not _shown.words:
        return
    ends = _shown.ends[_shown.row(time.perf_counter() - _began_s)].reshape(-1, 3)
    over = (*ends.mean(axis=0)[:2], float(ends[:, 2].max()) + ABOVE_M)
    at = location_3d_to_region_2d(bpy.context.region, bpy.context.region_data, matrix @ Vector(over))
    if at is None:
        return
    scale = bpy.context.preferences.system.ui_scale
    blf.size(0, WORDS_SIZE * scale)
    width, _ = blf.dimensions(0, _shown.words)
    free, gap = free_of(bpy.context.area, bpy.context.region), GAP_PX * scale
    left = max(min(at.x - 0.5 * width, free.right - width - gap), free.left + gap)
    blf.color(0, 1.0, 1.0, 1.0, 0.9)
    blf.position(0, left, min(at.y, bpy.context.region.height - BELOW_PX * scale), 0.0)
    blf.draw(0, _shown.words)

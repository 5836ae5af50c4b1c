# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws a `Sketch` over every 3D viewport, with Blender's `gpu` module: it walks while a search goes on. One at a time."""

from __future__ import annotations

import time

import blf
import bpy
import gpu

from .drawing import Handlers, Place, draw_words, lines, nowhere, on_screen
from .sketch import LEFT, MIDDLE, RIGHT, Sketch
from .views import free_of

COLOURS = {LEFT: (0.95, 0.35, 0.25, 1.0), RIGHT: (0.25, 0.75, 0.95, 1.0), MIDDLE: (1.0, 0.85, 0.25, 1.0)}
WIDTH, WORDS_SIZE, ABOVE_M, GAP_PX = 6.0, 13.0, 0.1, 8.0
BELOW_PX = 110.0
"""So far below a view's upper edge its own headers and lines of text reach."""

_shown: Sketch | None = None
_place: Place = nowhere
_began_s = 0.0


def show(sketch: Sketch, place: Place) -> None:
    global _shown, _place, _began_s
    _shown, _place, _began_s = sketch, place, time.perf_counter()
    _handlers.begin()


def hide() -> None:
    global _shown
    _shown = None
    _handlers.end()


def is_shown() -> bool:
    return bool(_handlers)


def _draw_lines() -> None:
    matrix = _place()
    if _shown is None or matrix is None:
        return
    row = _shown.row(time.perf_counter() - _began_s)
    gpu.state.blend_set("ALPHA")
    with gpu.matrix.push_pop():
        gpu.matrix.multiply_matrix(matrix)
        for side, colour in COLOURS.items():
            places = _shown.lines(row, side)
            if len(places):
                lines(places, colour, WIDTH).draw()
    gpu.state.blend_set("NONE")


def _draw_words() -> None:
    matrix = _place()
    if _shown is None or matrix is None or not _shown.words:
        return
    ends = _shown.ends[_shown.row(time.perf_counter() - _began_s)].reshape(-1, 3)
    over = (*ends.mean(axis=0)[:2], float(ends[:, 2].max()) + ABOVE_M)
    at = on_screen(matrix, over)
    if at is None:
        return
    scale = bpy.context.preferences.system.ui_scale
    blf.size(0, WORDS_SIZE * scale)
    width, _ = blf.dimensions(0, _shown.words)
    free, gap = free_of(bpy.context.area, bpy.context.region), GAP_PX * scale
    left = max(min(at.x - 0.5 * width, free.right - width - gap), free.left + gap)
    draw_words(left, min(at.y, bpy.context.region.height - BELOW_PX * scale), _shown.words, (1.0, 1.0, 1.0, 0.9))


_handlers = Handlers(_draw_lines, _draw_words)

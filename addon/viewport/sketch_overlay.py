# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws a `Sketch` over every 3D viewport, with Blender's `gpu` module: it walks while a search goes on, one at a time. Ghosts of
takes, as many as are shown, at the scene's frame."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass

import blf
import bpy
import numpy as np
from mathutils import Matrix

from .drawing import Handlers, Place, draw_words, drawn_at, free_of, lines, nowhere, on_screen
from .sketch import LEFT, MIDDLE, RIGHT, Sketch

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
    with drawn_at(matrix):
        for side, colour in COLOURS.items():
            places = _shown.lines(row, side)
            if len(places):
                lines(places, colour, WIDTH).draw()


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


GHOSTS = ((0.45, 0.8, 1.0), (1.0, 0.7, 0.35), (0.6, 1.0, 0.55), (1.0, 0.55, 0.85), (0.95, 0.95, 0.5))
GHOST_WIDTH, GHOST_ALPHA, ONION_WIDTH, ONION_ALPHA, ONION_S, MOST_ONIONS = 8.0, 0.5, 2.0, 0.16, 0.5, 60


@dataclass(frozen=True)
class Ghost:
    """A take as lines; `now` gives the matrix from its places to the world and the time [s], None where it is not seen."""

    sketch: Sketch
    now: Callable[[], tuple[Matrix, float] | None]

    def rows(self, time_s: float) -> tuple[int, np.ndarray]:
        """The row of that time, the first or the last one beside the take, and rows half a second apart before and after it."""
        count, apart = len(self.sketch.ends), max(round(ONION_S * self.sketch.rate_hz), 1)
        at = int(np.clip(round(time_s * self.sketch.rate_hz), 0, count - 1))
        others = np.arange(at % apart, count, apart)
        others = others[others != at]
        return at, others[np.argsort(np.abs(others - at), kind="stable")[:MOST_ONIONS]]


_ghosts: dict[Hashable, Ghost] = {}


def show_ghost(key: Hashable, ghost: Ghost) -> None:
    _ghosts[key] = ghost
    _ghost_handlers.begin()


def hide_ghost(key: Hashable) -> None:
    _ghosts.pop(key, None)
    if not _ghosts:
        _ghost_handlers.end()


def has_ghost(key: Hashable) -> bool:
    return key in _ghosts


def hide_ghosts() -> None:
    _ghosts.clear()
    _ghost_handlers.end()


def ghost_colour(key: Hashable) -> tuple[float, float, float]:
    return GHOSTS[list(_ghosts).index(key) % len(GHOSTS)]


def _draw_ghosts() -> None:
    for key, ghost in list(_ghosts.items()):
        now = ghost.now()
        if now is None:
            continue
        colour = ghost_colour(key)
        at, others = ghost.rows(now[1])
        with drawn_at(now[0]):
            if len(others):
                lines(ghost.sketch.ends[others].reshape(-1, 3), (*colour, ONION_ALPHA), ONION_WIDTH).draw()
            lines(ghost.sketch.ends[at].reshape(-1, 3), (*colour, GHOST_ALPHA), GHOST_WIDTH).draw()


def _draw_ghost_words() -> None:
    blf.size(0, WORDS_SIZE * bpy.context.preferences.system.ui_scale)
    for key, ghost in list(_ghosts.items()):
        now = ghost.now()
        if now is None:
            continue
        ends = ghost.sketch.ends[ghost.rows(now[1])[0]].reshape(-1, 3)
        at = on_screen(now[0], (*ends.mean(axis=0)[:2], float(ends[:, 2].max()) + ABOVE_M))
        if at is not None:
            draw_words(at.x, at.y, ghost.sketch.words, (*ghost_colour(key), 0.9))


_ghost_handlers = Handlers(_draw_ghosts, _draw_ghost_words)

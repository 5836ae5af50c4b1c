# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws a `Drawing` over every 3D viewport, with Blender's `gpu` module. One overlay at a time."""

from __future__ import annotations

import blf
import bpy
import numpy as np

from .drawing import Handlers, Place, Shape, draw_words, drawn_at, free_of, lines, nowhere, on_screen
from .sketch import Drawing, segments

COLOURS = {"L": (0.95, 0.35, 0.25, 1.0), "R": (0.25, 0.75, 0.95, 1.0), "com": (1.0, 0.85, 0.25, 1.0),
           "cart": (0.7, 0.7, 0.7, 0.8), "push": (1.0, 0.4, 0.9, 1.0)}
MARKED = (1.0, 1.0, 1.0, 1.0)
WIDTH, LOCKED_WIDTH, ARROW_WIDTH, LABEL_SIZE, WORDS_SIZE = 2.0, 5.0, 4.0, 14.0, 13.0
MARGIN = 16

_shown: Drawing | None = None
_place: Place = nowhere
_marked: int | None = None
_lines: list[Shape] = []


def show(drawing: Drawing, place: Place) -> None:
    """Draw this from now on."""
    global _shown, _place
    _shown, _place = drawing, place
    _lines.clear()
    _handlers.begin()


def hide() -> None:
    global _shown
    _shown = None
    _lines.clear()
    _handlers.end()


def mark(number: int | None) -> None:
    global _marked
    _marked = number


def labels() -> list[tuple[float, float, float]]:
    """Places [m] of the footprints' labels, as drawn; none where nothing is."""
    return [] if _shown is None else _shown.labels.tolist()


def is_shown() -> bool:
    return bool(_handlers)


def _build(drawing: Drawing) -> None:
    """The drawing's lines, a shape a colour; locked footprints thicker, in ones of their own."""
    found = {("com", WIDTH): [segments(drawing.com)], ("cart", WIDTH): [segments(drawing.cart)]}
    for number, (side, outline) in enumerate(zip(drawing.sides, drawing.prints, strict=True)):
        width = LOCKED_WIDTH if number in drawing.locked else WIDTH
        found.setdefault((side, width), []).append(segments(outline, closed=True))
    _lines.extend(lines(whole, COLOURS[key], width) for (key, width), pieces in found.items()
                  if len(whole := np.concatenate(pieces)))


def _draw_lines() -> None:
    matrix = _place()
    if _shown is None or matrix is None:
        return
    if not _lines:
        _build(_shown)
    marked = []
    if _marked is not None and _marked < len(_shown.prints):
        marked.append(lines(segments(_shown.prints[_marked], closed=True), MARKED, WIDTH))
    with drawn_at(matrix, "LESS_EQUAL"):
        for shape in (*_lines, *marked):
            shape.draw()
    if len(_shown.arrows):  # they end within the body, and are seen through it
        with drawn_at(matrix):
            lines(_shown.arrows, COLOURS["push"], ARROW_WIDTH).draw()


def _draw_words() -> None:
    """Which foot each print is of, and the plan's numbers at the bottom left, above the last operator's panel."""
    matrix = _place()
    if _shown is None or matrix is None:
        return
    scale = bpy.context.preferences.system.ui_scale
    blf.size(0, LABEL_SIZE * scale)
    for number, (side, place) in enumerate(zip(_shown.sides, _shown.labels, strict=True)):
        at = on_screen(matrix, place)
        if at is not None:
            told = number in _shown.locked or number == _marked
            draw_words(at.x - 4 * scale, at.y - 5 * scale, f"{side} {number}" if told else side,
                       MARKED if told else COLOURS[side])
    for x, y, speed in _shown.speeds:
        at = on_screen(matrix, (x, y, 0.0))
        if at is not None:
            draw_words(at.x + 10 * scale, at.y + 6 * scale, f"{speed:.2f} m/s", COLOURS["com"])
    bottom = free_of(bpy.context.area, bpy.context.region).bottom + MARGIN * scale
    blf.size(0, WORDS_SIZE * scale)
    for row, line in enumerate(reversed(_shown.words)):
        draw_words(MARGIN * scale, bottom + 1.4 * WORDS_SIZE * row * scale, line, (1.0, 1.0, 1.0, 0.9))


_handlers = Handlers(_draw_lines, _draw_words)

# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws a push dial over every 3D viewport: the domain map on the ground, the push's arrow, figures and legend. One at a time."""

from __future__ import annotations

from collections.abc import Sequence

import blf
import bpy
import gpu
from mathutils import Matrix

from .dial import Aim, Dial, surface
from .drawing import BACK, Free, Handlers, Place, Shape, draw_words, free_of, lines, nowhere, on_screen, rectangle, triangles
from .sketch import segments

COLOURS = ((0.25, 0.75, 0.45), (0.95, 0.85, 0.3), (0.95, 0.6, 0.2), (0.85, 0.42, 0.75))
"""Of the areas from the innermost on."""
FALLS = (0.85, 0.2, 0.2)
FILLED, OUTLINED, RING = 0.3, 0.9, (1.0, 1.0, 1.0, 0.3)
ARROW, WORDS = (1.0, 1.0, 1.0, 1.0), (1.0, 1.0, 1.0, 0.95)
WIDTH, RING_WIDTH, ARROW_WIDTH = 2.0, 1.0, 5.0
LABEL_SIZE, RING_SIZE, LEGEND_SIZE = 14.0, 11.0, 12.0
MARGIN, LEADING, ASIDE, HEADER = 16.0, 1.5, 18.0, 90.0
"""Pixels, and rows' heights over letters'; the headers lie over the uppermost pixels of a view."""
RING_LOOKS = 5
"""Every so many corners of a ring are looked at for a place for its words."""

_dial: Dial | None = None
_aim: Aim | None = None
_label: tuple[str, ...] = ()
_legend: tuple[str, ...] = ()
_place: Place = nowhere
_map: list[Shape] = []


def show(dial: Dial, legend: Sequence[str], place: Place) -> None:
    """Draw this from now on. `legend`: a headline, then a line for each area and one for the falls."""
    global _dial, _legend, _place
    _dial, _legend, _place = dial, tuple(legend), place
    _map.clear()
    _handlers.begin()


def point(aim: Aim | None, label: Sequence[str] = ()) -> None:
    """Draw the arrow of a push, and lines of words beside it; None for none."""
    global _aim, _label
    _aim, _label = aim, tuple(label)


def hide() -> None:
    global _dial
    _dial = None
    point(None)
    _map.clear()
    _handlers.end()


def is_shown() -> bool:
    return bool(_handlers)


def colour(number: int, areas: int) -> tuple[float, float, float]:
    """The colour of an area, of so many; the number after the last one's is that of the falls."""
    return FALLS if number == areas else COLOURS[min(number, len(COLOURS) - 1)]


def _build(dial: Dial) -> None:
    shades = [colour(number, dial.areas) for number in range(dial.areas + 1)]
    _map.extend(triangles(surface(dial, number), (*shade, FILLED)) for number, shade in enumerate(shades))
    _map.extend(lines(segments(dial.outline(number), closed=True), (*shade, OUTLINED), WIDTH)
                for number, shade in enumerate(shades))
    _map.extend(lines(segments(dial.ring(speed), closed=True), RING, RING_WIDTH) for speed in dial.ring_speeds())


def _draw_map() -> None:
    matrix = _place()
    if _dial is None or matrix is None:
        return
    if not _map:
        _build(_dial)
    gpu.state.blend_set("ALPHA")
    gpu.state.depth_test_set("LESS_EQUAL")
    with gpu.matrix.push_pop():
        gpu.matrix.multiply_matrix(matrix)
        for shape in _map:
            shape.draw()
        if _aim is not None:  # over feet and legs, too
            gpu.state.depth_test_set("NONE")
            shaft, head = _dial.arrow(_aim)
            lines(shaft, ARROW, ARROW_WIDTH).draw()
            triangles(head, ARROW).draw()
    gpu.state.depth_test_set("NONE")
    gpu.state.blend_set("NONE")


def _draw_words() -> None:
    matrix = _place()
    if _dial is None or matrix is None:
        return
    free, scale = free_of(bpy.context.area, bpy.context.region), bpy.context.preferences.system.ui_scale
    _draw_ring_words(matrix, free, scale)
    taken = _draw_legend(free, scale)
    if _aim is not None and _label:
        _draw_label(matrix, free, scale, taken)


def _draw_ring_words(matrix: Matrix, free: Free, scale: float) -> None:
    """The speed of each ring, where it reaches farthest to the right: beside the character, whichever way one looks."""
    blf.size(0, RING_SIZE * scale)
    for speed in _dial.ring_speeds():
        places, words = _dial.ring(speed)[::RING_LOOKS].tolist(), f"{speed:g} m/s"
        seen = (on_screen(matrix, place) for place in places)
        at = max((place for place in seen if place is not None), key=lambda place: place.x, default=None)
        if at is not None:
            room = free.right - blf.dimensions(0, words)[0] - 6 * scale
            draw_words(min(at.x + 3 * scale, room), at.y + 3 * scale, words, WORDS)


def _draw_label(matrix: Matrix, free: Free, scale: float, taken: tuple[float, float]) -> None:
    """The push's figures beyond the arrow's tip, kept within what is free of the view, and off its lower left corner, which is
    `taken` so far."""
    middle, at = (on_screen(matrix, (*place, 0.0)) for place in (_dial.centre_m, _dial.place(_aim)))
    if at is None or middle is None:
        return
    blf.size(0, LABEL_SIZE * scale)
    wide = max(blf.dimensions(0, line)[0] for line in _label)
    row = LEADING * LABEL_SIZE * scale
    high, edge, aside = row * len(_label), MARGIN * scale, ASIDE * scale
    x = at.x + aside if at.x >= middle.x else at.x - aside - wide
    y = at.y + aside if at.y >= middle.y else at.y - aside - high
    x = min(max(x, free.left + edge), free.right - wide - edge)
    y = min(max(y, free.bottom + edge), bpy.context.region.height - high - HEADER * scale)
    if x < taken[0] + edge and y < taken[1] + edge:
        y = taken[1] + edge
    _draw_back(x, y, wide, high, scale)
    for number, line in enumerate(reversed(_label)):
        draw_words(x, y + number * row + 0.3 * row, line, WORDS)


def _draw_legend(free: Free, scale: float) -> tuple[float, float]:
    """What the colours mean, at the lower left; gives how far right and up it reaches."""
    blf.size(0, LEGEND_SIZE * scale)
    row, square = LEADING * LEGEND_SIZE * scale, LEGEND_SIZE * scale
    wide = max(blf.dimensions(0, _legend[0])[0], 1.6 * square + max(blf.dimensions(0, line)[0] for line in _legend[1:]))
    x, y = free.left + MARGIN * scale, free.bottom + MARGIN * scale
    _draw_back(x, y, wide, row * len(_legend), scale)
    areas = _dial.areas
    for number, line in enumerate(_legend[1:]):
        at = y + (areas - number) * row + 0.3 * row
        _draw_box(x, at, square, 0.8 * square, (*colour(number, areas), 1.0))
        draw_words(x + 1.6 * square, at, line, WORDS)
    draw_words(x, y + (len(_legend) - 1) * row + 0.3 * row, _legend[0], WORDS)
    return x + wide + 0.4 * MARGIN * scale, y + row * len(_legend) + 0.4 * MARGIN * scale


def _draw_back(x: float, y: float, wide: float, high: float, scale: float) -> None:
    edge = 0.4 * MARGIN * scale
    _draw_box(x - edge, y - edge, wide + 2 * edge, high + 2 * edge, BACK)


def _draw_box(x: float, y: float, wide: float, high: float, shade: tuple[float, ...]) -> None:
    gpu.state.blend_set("ALPHA")
    triangles(rectangle(x, y, wide, high), shade).draw()
    gpu.state.blend_set("NONE")


_handlers = Handlers(_draw_map, _draw_words)

# SPDX-License-Identifier: GPL-3.0-or-later
"""A push dial over every 3D viewport, one at a time: the domain map on the ground, the push's arrow, figures and legend; in a
shot's places [m], x forward and y left as the character stands at its start. And what a dial does next."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import blf
import bpy
import gpu
import numpy as np
from mathutils import Matrix

from ..gaits.push_domain import FALLS, MORE_STEPS, PushDomain
from . import drawing
from .sketch import ABOVE_GROUND_M, segments

REACH_LEGS = 1.1
"""So many leg lengths from the character lies the quickest push that it survives (first guess: beyond the feet, in the view)."""
EDGE = 1.25
"""The dial ends at this multiple of the quickest push that is survived: so much of the falls is seen around it."""
LEAST_SHARE = 0.04
"""A drag of less than this share of the dial is none."""
LEAST_M_S = 0.02
"""A dial reaches at least as far where nothing is survived."""
STEP_RAD = math.radians(3.0)
"""Angle from corner to corner of what is drawn."""
RINGS = 4
"""No more rings of speed than these are drawn."""
ARROW_HEAD = 0.06
"""Length of the arrow's head over the dial's radius."""


@dataclass(frozen=True)
class Aim:
    """A push: its direction (2,), of unit length, in the shot's axes; its impulse over the body's mass; its force."""

    way: tuple[float, float]
    speed_m_s: float
    force_n: float


@dataclass(frozen=True)
class Dial:
    """A dial around somebody who stands at `centre_m` (2,) and faces `heading_rad`. Its areas are those of the `domain` that lie
    within `steps`, the most that may be taken, None: any number. A push lasts `duration_s` and moves `mass_kg`."""

    centre_m: tuple[float, float]
    heading_rad: float
    domain: PushDomain
    steps: int | None
    mass_kg: float
    duration_s: float
    leg_length_m: float

    def at(self, centre_m: tuple[float, float], heading_rad: float) -> Dial:
        return replace(self, centre_m=centre_m, heading_rad=heading_rad)

    @property
    def areas(self) -> int:
        """How many areas there are, without the falls."""
        return MORE_STEPS + 1 if self.steps is None else min(self.steps, MORE_STEPS) + 1

    @property
    def fastest_m_s(self) -> float:
        return max(float(np.max(self.domain.limits_m_s[self.areas - 1])), LEAST_M_S)

    @property
    def metres_per_m_s(self) -> float:
        """How far from the middle a push of 1 m/s lies [m]."""
        return REACH_LEGS * self.leg_length_m / self.fastest_m_s

    @property
    def radius_m(self) -> float:
        return EDGE * REACH_LEGS * self.leg_length_m

    def aim(self, place_m: Sequence[float]) -> Aim | None:
        """The push of a place (2,) on the ground, no faster than the dial's edge; None in its middle."""
        away = np.asarray(place_m, dtype=float)[:2] - self.centre_m
        far = float(np.hypot(*away))
        if far < LEAST_SHARE * self.radius_m:
            return None
        speed = min(far, self.radius_m) / self.metres_per_m_s
        return Aim((float(away[0] / far), float(away[1] / far)), speed, speed * self.mass_kg / self.duration_s)

    def place(self, aim: Aim) -> tuple[float, float]:
        far = aim.speed_m_s * self.metres_per_m_s
        return self.centre_m[0] + far * aim.way[0], self.centre_m[1] + far * aim.way[1]

    def direction_rad(self, aim: Aim) -> float:
        """Whither a push goes as the character faces: 0 ahead, positive to its left."""
        return math.remainder(math.atan2(aim.way[1], aim.way[0]) - self.heading_rad, 2.0 * math.pi)

    def area(self, aim: Aim) -> int:
        """The number of the area that a push lies in; after the last one's, that of the falls."""
        found = self.domain.strategy(self.direction_rad(aim), aim.speed_m_s, self.steps)
        return self.areas if found == FALLS else found

    def outline(self, number: int) -> np.ndarray:
        """The outline (K, 3) of an area, a closed polygon; the number after the last one's is the dial's edge."""
        turns = np.arange(0.0, 2.0 * math.pi, STEP_RAD)
        if number == self.areas:
            return self._around(turns, np.full(len(turns), self.radius_m))
        return self._around(turns, self.metres_per_m_s * np.array([self.domain.limit_m_s(number, turn) for turn in turns]))

    def ring(self, speed_m_s: float) -> np.ndarray:
        """The circle (K, 3) of a speed."""
        turns = np.arange(0.0, 2.0 * math.pi, STEP_RAD)
        return self._around(turns, np.full(len(turns), speed_m_s * self.metres_per_m_s))

    def ring_speeds(self) -> tuple[float, ...]:
        """Speeds [m/s] with a ring of their own: round ones, `RINGS` at most."""
        most = EDGE * self.fastest_m_s
        step = next(step for step in (0.1, 0.2, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, math.inf) if most / step < RINGS + 1)
        return tuple(round(step * k, 3) for k in range(1, RINGS + 1) if step * k < most)

    def arrow(self, aim: Aim) -> tuple[np.ndarray, np.ndarray]:
        """A push's arrow: its shaft (2, 3), and its head as a triangle (3, 3)."""
        middle, tip = np.array(self.centre_m), np.array(self.place(aim))
        along, across = np.array(aim.way), np.array((-aim.way[1], aim.way[0]))
        length = min(ARROW_HEAD * self.radius_m, float(np.hypot(*(tip - middle))))
        neck = tip - length * along
        raised = [(*place, 2.0 * ABOVE_GROUND_M)
                  for place in (middle, neck, tip, neck + 0.5 * length * across, neck - 0.5 * length * across)]
        return np.array(raised[:2]), np.array(raised[2:])

    def _around(self, turns: np.ndarray, far: np.ndarray) -> np.ndarray:
        """Places (K, 3) so far away, by turns from where the character faces."""
        angle = turns + self.heading_rad
        return np.stack([self.centre_m[0] + far * np.cos(angle), self.centre_m[1] + far * np.sin(angle),
                         np.full(len(turns), ABOVE_GROUND_M)], axis=1)


def surface(dial: Dial, number: int) -> np.ndarray:
    """Triangles (3 M, 3) of an area without those within it; the number after the last one's is that of the falls."""
    outer = dial.outline(number)
    inner = dial.outline(number - 1) if number else np.broadcast_to((*dial.centre_m, ABOVE_GROUND_M), outer.shape)
    after, within = np.roll(outer, -1, axis=0), np.roll(inner, -1, axis=0)
    return np.stack([inner, outer, after, inner, after, within], axis=1).reshape(-1, 3)


AIMING, DRAGGING, WAITING, SHOWN, ACCEPTED, GIVEN_UP = "aiming", "dragging", "waiting", "shown", "accepted", "given up"
"""Nothing is dialled; the mouse is held; it was let go; the response is shown; the push is added; all is as it was."""
PRESS, RELEASE, DROP, ARRIVE, ACCEPT, LEAVE = "press", "release", "drop", "arrive", "accept", "leave"
"""The mouse is pressed; let go over a push; let go where there is none; the simulated response is there; take it; leave."""
ENDED = (ACCEPTED, GIVEN_UP)

_NEXT = {
    (AIMING, PRESS): DRAGGING, (DRAGGING, RELEASE): WAITING, (DRAGGING, DROP): AIMING, (WAITING, ARRIVE): SHOWN,
    **{(state, PRESS): DRAGGING for state in (WAITING, SHOWN)}, **{(state, ACCEPT): ACCEPTED for state in (WAITING, SHOWN)},
    **{(state, LEAVE): GIVEN_UP for state in (AIMING, DRAGGING, WAITING, SHOWN)},
}


def after(state: str, what: str) -> str:
    """The state after something has happened: the same one where it means nothing there."""
    return _NEXT.get((state, what), state)


COLOURS = ((0.25, 0.75, 0.45), (0.95, 0.85, 0.3), (0.95, 0.6, 0.2), (0.85, 0.42, 0.75))
"""Of the areas from the innermost on."""
FALLEN = (0.85, 0.2, 0.2)
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
_place: drawing.Place = drawing.nowhere
_map: list[drawing.Shape] = []


def show(dial: Dial, legend: Sequence[str], place: drawing.Place) -> None:
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


def colour(number: int, areas: int) -> tuple[float, float, float]:
    """The colour of an area, of so many; the number after the last one's is that of the falls."""
    return FALLEN if number == areas else COLOURS[min(number, len(COLOURS) - 1)]


def _build(dial: Dial) -> None:
    shades = [colour(number, dial.areas) for number in range(dial.areas + 1)]
    _map.extend(drawing.triangles(surface(dial, number), (*shade, FILLED)) for number, shade in enumerate(shades))
    _map.extend(drawing.lines(segments(dial.outline(number), closed=True), (*shade, OUTLINED), WIDTH)
                for number, shade in enumerate(shades))
    _map.extend(drawing.lines(segments(dial.ring(speed), closed=True), RING, RING_WIDTH) for speed in dial.ring_speeds())


def _draw_map() -> None:
    matrix = _place()
    if _dial is None or matrix is None:
        return
    if not _map:
        _build(_dial)
    with drawing.drawn_at(matrix, "LESS_EQUAL"):
        for shape in _map:
            shape.draw()
        if _aim is not None:  # over feet and legs, too
            gpu.state.depth_test_set("NONE")
            shaft, head = _dial.arrow(_aim)
            drawing.lines(shaft, ARROW, ARROW_WIDTH).draw()
            drawing.triangles(head, ARROW).draw()


def _draw_words() -> None:
    matrix = _place()
    if _dial is None or matrix is None:
        return
    free, scale = drawing.free_of(bpy.context.area, bpy.context.region), bpy.context.preferences.system.ui_scale
    _draw_ring_words(matrix, free, scale)
    taken = _draw_legend(free, scale)
    if _aim is not None and _label:
        _draw_label(matrix, free, scale, taken)


def _draw_ring_words(matrix: Matrix, free: drawing.Free, scale: float) -> None:
    """The speed of each ring, where it reaches farthest to the right: beside the character, whichever way one looks."""
    blf.size(0, RING_SIZE * scale)
    for speed in _dial.ring_speeds():
        places, words = _dial.ring(speed)[::RING_LOOKS].tolist(), f"{speed:g} m/s"
        seen = (drawing.on_screen(matrix, place) for place in places)
        at = max((place for place in seen if place is not None), key=lambda place: place.x, default=None)
        if at is not None:
            room = free.right - blf.dimensions(0, words)[0] - 6 * scale
            drawing.draw_words(min(at.x + 3 * scale, room), at.y + 3 * scale, words, WORDS)


def _draw_label(matrix: Matrix, free: drawing.Free, scale: float, taken: tuple[float, float]) -> None:
    """The push's figures beyond the arrow's tip, within what is free of the view, off its lower left corner, `taken` so far."""
    middle, at = (drawing.on_screen(matrix, (*place, 0.0)) for place in (_dial.centre_m, _dial.place(_aim)))
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
        drawing.draw_words(x, y + number * row + 0.3 * row, line, WORDS)


def _draw_legend(free: drawing.Free, scale: float) -> tuple[float, float]:
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
        drawing.draw_words(x + 1.6 * square, at, line, WORDS)
    drawing.draw_words(x, y + (len(_legend) - 1) * row + 0.3 * row, _legend[0], WORDS)
    return x + wide + 0.4 * MARGIN * scale, y + row * len(_legend) + 0.4 * MARGIN * scale


def _draw_back(x: float, y: float, wide: float, high: float, scale: float) -> None:
    edge = 0.4 * MARGIN * scale
    _draw_box(x - edge, y - edge, wide + 2 * edge, high + 2 * edge, drawing.BACK)


def _draw_box(x: float, y: float, wide: float, high: float, shade: tuple[float, ...]) -> None:
    gpu.state.blend_set("ALPHA")
    drawing.triangles(drawing.rectangle(x, y, wide, high), shade).draw()
    gpu.state.blend_set("NONE")


_handlers = drawing.Handlers(_draw_map, _draw_words)

# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws pressure on the ground of every 3D viewport, of as many characters as are shown, as triangles and lines; a frame is made
into batches when it is first drawn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import blf
import bpy
import gpu
import numpy as np
from gpu_extras.batch import batch_for_shader
from mathutils import Matrix

from ..motions.pressure.images import UNITS_PA
from ..reports.pressure import HEAVY, LIGHT
from ..reports.pressure_on_ground import CENTRE_M, FEET, RING_M, Height, OnGround, on_ground
from .drawing import BACK, Handlers, Shape, draw_words, drawn_at, free_of, lines, rectangle, triangles
from .sketch import segments

CORNERS = 16
"""Of the dot at the centre of pressure, and of the ring around it."""
EDGE_STEP_M = 0.1
"""Of the mat's edge on ground that is not level."""

@dataclass(frozen=True)
class Tiles:
    """What is drawn of a frame: triangles (3 N, 3) [m] in colours (3 N, 3), each foot's outline, ends in pairs (2 M, 3), and the
    triangles of the centre's ring and dot, none where nothing presses."""

    corners: np.ndarray
    colours: np.ndarray
    outlines: dict[str, np.ndarray]
    ring: np.ndarray
    dot: np.ndarray


def tiles(picture: OnGround, frame: int, height: Height) -> Tiles:
    """What is drawn of a frame, on a ground of that height."""
    loaded = picture.frames[frame]
    around = picture.corners_m(loaded.cells)[:, (0, 1, 2, 0, 2, 3)].reshape(-1, 2)
    colours = np.repeat(picture.colours(frame) / 255.0, 6, axis=0)
    outlines = {side: on_ground(picture.outline_m(frame, foot), height, 2.0) for foot, side in enumerate(FEET)}
    ring, dot = np.zeros((0, 3)), np.zeros((0, 3))
    if np.isfinite(loaded.centre_m).all():
        ring, dot = (on_ground(loaded.centre_m + _disc(radius), height, above)
                     for radius, above in ((RING_M, 2.5), (CENTRE_M, 3.0)))
    return Tiles(on_ground(around, height), colours, outlines, ring, dot)


def edge(picture: OnGround, height: Height) -> np.ndarray:
    """The mat's edge (2 M, 3) [m], ends in pairs."""
    corners = picture.edge_m
    sides = []
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        count = max(int(np.ceil(np.linalg.norm(end - start) / EDGE_STEP_M)), 1)
        sides.append(start + np.arange(count)[:, None] / count * (end - start))
    return segments(on_ground(np.concatenate(sides), height), closed=True)


def shades(count: int) -> np.ndarray:
    """The legend's colours (count, 3), from the first count's to the last one's."""
    return (LIGHT + np.linspace(0.0, 1.0, count)[:, None] * (HEAVY - LIGHT)) / 255.0


def most_in_words(picture: OnGround) -> str:
    """What the last count is, in kPa where the unit is known."""
    if picture.unit in UNITS_PA:
        return f"{picture.most * UNITS_PA[picture.unit] / 1e3:.0f} kPa"
    return f"{picture.most:g} {picture.unit}"


def _disc(radius: float) -> np.ndarray:
    """Triangles (3 N, 2) of a round dot."""
    turn = 2.0 * np.pi * np.arange(CORNERS + 1) / CORNERS
    rim = radius * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    return np.stack([np.zeros((CORNERS, 2)), rim[:-1], rim[1:]], axis=1).reshape(-1, 2)


OUTLINES = {"L": (1.0, 0.9, 0.1, 1.0), "R": (1.0, 0.15, 0.1, 1.0)}
"""As on the sheets (`reports/pressure.py`): the left foot yellow, the right one red."""
EDGE, RING, DOT, WORDS = (0.85, 0.85, 0.85, 0.45), (1.0, 1.0, 1.0, 1.0), (0.0, 0.0, 0.0, 1.0), (1.0, 1.0, 1.0, 0.92)
COVERED = 0.5
"""How much of it is seen through what lies over it, a foot above all."""
LINE, LABEL_SIZE, MARGIN = 2.0, 11.0, 12.0
BAR = (120.0, 9.0)
"""Width and height of the legend's bar, in pixels."""
SHADES = 12
"""Of that bar."""

Now = Callable[[], tuple[Matrix, float] | None]


@dataclass
class _Shown:
    """A character's pressure: `now()` gives the matrix from the take's places to the world and the time, None: not drawn."""

    picture: OnGround
    height: Height
    now: Now
    name: str
    frame: int | None = None
    seen: list[Shape] = field(default_factory=list)
    covered: list[Shape] = field(default_factory=list)
    edge: list[Shape] = field(default_factory=list)


_shown: dict[int, _Shown] = {}


def show(key: int, picture: OnGround, height: Height, now: Now, name: str) -> None:
    """Draw this from now on, in place of what was shown under the same key; its legend says the name where there are several."""
    _shown[key] = _Shown(picture, height, now, name)
    _handlers.begin()


def hide(key: int | None = None) -> None:
    """Draw no longer what is shown under a key, or nothing at all, and leave no handler behind."""
    if key is None:
        _shown.clear()
    else:
        _shown.pop(key, None)
    if not _shown:
        _handlers.end()


def is_shown(key: int | None = None) -> bool:
    """Whether anything is drawn, or what is shown under a key."""
    return bool(_handlers) if key is None else key in _shown


def _draw() -> None:
    """What is loaded at this moment: in full where it is seen, and faintly through what covers it."""
    found = [(one, *there) for one in _shown.values() if (there := one.now()) is not None]
    for one, matrix, time in found:
        _make(one, one.picture.at(time))
        with drawn_at(matrix, "GREATER"):
            for shape in one.covered:
                shape.draw()
            gpu.state.depth_test_set("LESS_EQUAL")
            for shape in (*one.edge, *one.seen):
                shape.draw()


def _make(one: _Shown, frame: int | None) -> None:
    if not one.edge:
        one.edge = [lines(edge(one.picture, one.height), EDGE, LINE)]
    if frame == one.frame:
        return
    made = None if frame is None else tiles(one.picture, frame, one.height)
    one.frame = frame
    one.seen, one.covered = ([], []) if made is None else (_shapes(made, 1.0), _shapes(made, COVERED))


def _shapes(made: Tiles, alpha: float) -> list[Shape]:
    """What is drawn of a frame, so far to be seen through, in the order in which they lie on one another."""
    found = []
    if len(made.corners):
        colours = np.column_stack([made.colours, np.full(len(made.colours), alpha)])
        found.append(Shape("FLAT_COLOR", batch_for_shader(gpu.shader.from_builtin("FLAT_COLOR"), "TRIS", {
            "pos": made.corners.astype(np.float32), "color": colours.astype(np.float32)}), None))
    found += [lines(ends, _faint(OUTLINES[side], alpha), LINE) for side, ends in made.outlines.items() if len(ends)]
    return found + [triangles(corners, _faint(colour, alpha))
                    for corners, colour in ((made.ring, RING), (made.dot, DOT)) if len(corners)]


def _faint(colour: tuple[float, ...], alpha: float) -> tuple[float, ...]:
    return (*colour[:3], alpha * colour[3])


def _draw_legend() -> None:
    """What the colours say: a bar from the first count to the last, at the lower right; one above the other for several."""
    found = [one for one in _shown.values() if one.now() is not None]
    if not found:
        return
    context = bpy.context
    scale = context.preferences.system.ui_scale
    free = free_of(context.area, context.region)
    width, height = (scale * size for size in BAR)
    x, y = free.right - (width + 2.0 * MARGIN * scale), free.bottom + MARGIN * scale
    blf.size(0, LABEL_SIZE * scale)
    for one in found:
        label = most_in_words(one.picture)
        if len(found) > 1:
            label = f"{one.name}, {label}"
        _legend(x, y, width, height, label, scale)
        y += height + 2.6 * LABEL_SIZE * scale


def _legend(x: float, y: float, width: float, height: float, label: str, scale: float) -> None:
    """A bar whose lower left corner is there, 0 over its left end, what the last count is over its right one."""
    pad, text = 6.0 * scale, 1.5 * LABEL_SIZE * scale
    gpu.state.blend_set("ALPHA")
    triangles(rectangle(x - pad, y - pad, width + 2.0 * pad, height + text + 2.0 * pad), BACK).draw()
    part, above = width / SHADES, y + height + 0.4 * LABEL_SIZE * scale
    for i, colour in enumerate(shades(SHADES)):
        triangles(rectangle(x + i * part, y, part, height), (*colour, 1.0)).draw()
    gpu.state.blend_set("NONE")
    draw_words(x, above, "0", WORDS)
    draw_words(x + width - blf.dimensions(0, label)[0], above, label, WORDS)


_handlers = Handlers(_draw, _draw_legend)

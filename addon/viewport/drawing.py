# SPDX-License-Identifier: GPL-3.0-or-later
"""What overlays of the 3D viewport draw with: handlers, shapes in one colour, words, and what of a view is free of tools, sidebar
and panels. Sizes are in pixels before the interface's scale."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import blf
import bpy
import gpu
import numpy as np
from bpy_extras.view3d_utils import location_3d_to_region_2d
from gpu_extras.batch import batch_for_shader
from mathutils import Matrix, Vector

ASIDE = {"TOOLS": 0, "UI": 1}
"""Regions that lie over a view at its left and its right."""
LAST_OPERATOR = "HUD"


@dataclass(frozen=True)
class Free:
    """Pixels of a view, from its lower left corner, that nothing covers: from `left` to `right`, from `bottom` up."""

    left: float
    right: float
    bottom: float


def free_of(area: bpy.types.Area, region: bpy.types.Region) -> Free:
    left, right, bottom = 0.0, float(region.width), 0.0
    for other in area.regions:
        if other.width <= 1 or other.height <= 1:
            continue
        low, high = other.x - region.x, other.x - region.x + other.width
        if other.type == LAST_OPERATOR:
            bottom = max(bottom, float(other.y - region.y + other.height))
        elif ASIDE.get(other.type) == 0 and low < 0.5 * region.width:
            left = max(left, float(high))
        elif ASIDE.get(other.type) == 1 and high > 0.5 * region.width:
            right = min(right, float(low))
    return Free(left, right, bottom if bottom < 0.5 * region.height else 0.0)


EDGE = 0.1
"""How near the edge, as a share of what is free, the middle of a character may be to count as seen."""


def bring_into_view(armature: bpy.types.Object, window: bpy.types.Window | None) -> None:
    """Move a window's 3D views in which the character's middle is not seen so that it is; views through cameras stay."""
    if window is None or not armature.pose.bones:
        return
    middle = _middle(armature)
    for area in window.screen.areas:
        if area.type != "VIEW_3D":
            continue
        view = area.spaces.active.region_3d
        region = next(part for part in area.regions if part.type == "WINDOW")
        if view.view_perspective != "CAMERA" and not seen(location_3d_to_region_2d(region, view, middle), free_of(area, region),
                                                          region.height):
            view.view_location = middle


def let_stay(view: bpy.types.SpaceView3D) -> tuple[bpy.types.Object | None, str]:
    """Let a view follow nobody, and look where it looked; gives the object and the bone that it followed."""
    item, name = view.lock_object, view.lock_bone
    if item is not None:
        bone = item.pose.bones.get(name) if item.pose is not None else None
        view.region_3d.view_location = item.matrix_world @ (Vector() if bone is None else bone.head)
        view.lock_object = None
    return item, name


def seen(at: tuple[float, float] | None, free: Free, height: float) -> bool:
    """Whether a place of a view [pixels], None for one behind it, lies in what is free of it, and not at its very edge."""
    if at is None:
        return False
    aside, above = EDGE * (free.right - free.left), EDGE * (height - free.bottom)
    return free.left + aside <= at[0] <= free.right - aside and free.bottom + above <= at[1] <= height - above


def _middle(armature: bpy.types.Object) -> Vector:
    places = [armature.matrix_world @ bone.head for bone in armature.pose.bones]
    return Vector([(min(axis) + max(axis)) / 2.0 for axis in zip(*places, strict=True)])


LINES, TRIANGLES = "POLYLINE_UNIFORM_COLOR", "UNIFORM_COLOR"
BACK = (0.07, 0.07, 0.08, 0.82)
"""Dark ground under what is to be read over any scene."""

Colour = tuple[float, ...]
Place = Callable[[], Matrix | None]
"""Gives the matrix from a take's places to the world, None where nothing is to be drawn."""


def nowhere() -> None:
    """The `Place` of what is not shown."""


class Handlers:
    """What draws over every 3D viewport between `begin` and `end`: `scene` in its places, `words` in its pixels."""

    def __init__(self, scene: Callable[[], None] | None, words: Callable[[], None]) -> None:
        self.draws = [(draw, kind) for draw, kind in ((scene, "POST_VIEW"), (words, "POST_PIXEL")) if draw is not None]
        self._handles: list[object] = []

    def __bool__(self) -> bool:
        return bool(self._handles)

    def begin(self) -> None:
        if not self._handles:
            self._handles += [bpy.types.SpaceView3D.draw_handler_add(draw, (), "WINDOW", kind) for draw, kind in self.draws]

    def end(self) -> None:
        while self._handles:
            bpy.types.SpaceView3D.draw_handler_remove(self._handles.pop(), "WINDOW")


@contextmanager
def drawn_at(matrix: Matrix, depth: str = "NONE") -> Iterator[None]:
    """Draw in a take's places, which `matrix` brings to the world, seen through, or hidden as `depth` says."""
    gpu.state.blend_set("ALPHA")
    gpu.state.depth_test_set(depth)
    with gpu.matrix.push_pop():
        gpu.matrix.multiply_matrix(matrix)
        yield
    gpu.state.depth_test_set("NONE")
    gpu.state.blend_set("NONE")


@dataclass(frozen=True)
class Shape:
    """What is drawn in one go. Lines have a `width`; the `colour` is None where corners have their own."""

    shader: str
    batch: gpu.types.GPUBatch
    colour: Colour | None
    width: float = 0.0

    def draw(self) -> None:
        shader = gpu.shader.from_builtin(self.shader)
        shader.bind()
        if self.width:
            region = bpy.context.region
            shader.uniform_float("viewportSize", (region.width, region.height))
            shader.uniform_float("lineWidth", self.width * bpy.context.preferences.system.pixel_size)
        if self.colour is not None:
            shader.uniform_float("color", self.colour)
        self.batch.draw(shader)


def lines(ends: np.ndarray, colour: Colour, width: float) -> Shape:
    """Lines between pairs of places (2 M, 3)."""
    return Shape(LINES, _batch(LINES, "LINES", ends), colour, width)


def triangles(corners: np.ndarray, colour: Colour) -> Shape:
    """Triangles (3 M, 3)."""
    return Shape(TRIANGLES, _batch(TRIANGLES, "TRIS", corners), colour)


def _batch(shader: str, kind: str, places: np.ndarray) -> gpu.types.GPUBatch:
    return batch_for_shader(gpu.shader.from_builtin(shader), kind, {"pos": places.astype(np.float32)})


def rectangle(x: float, y: float, width: float, height: float) -> np.ndarray:
    """Two triangles (6, 3) [pixels]."""
    a, b, c, d = (x, y, 0.0), (x + width, y, 0.0), (x + width, y + height, 0.0), (x, y + height, 0.0)
    return np.array([a, b, c, a, c, d])


def draw_words(x: float, y: float, text: str, colour: Colour) -> None:
    """Words from there on [pixels], in the size that was set last."""
    blf.color(0, *colour)
    blf.position(0, x, y, 0.0)
    blf.draw(0, text)


def on_screen(matrix: Matrix, place: tuple[float, float, float]) -> Vector | None:
    """Where in the view [pixels] a place is seen; None behind it."""
    return location_3d_to_region_2d(bpy.context.region, bpy.context.region_data, matrix @ Vector(place))

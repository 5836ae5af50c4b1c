# SPDX-License-Identifier: GPL-3.0-or-later
"""What of a 3D viewport is free to be drawn on, beside tools, sidebar and the last operator's panel; views follow a character
that has left them."""

from __future__ import annotations

from dataclasses import dataclass

import bpy
from bpy_extras.view3d_utils import location_3d_to_region_2d
from mathutils import Vector

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
    """Move the 3D views of a window in which the character's middle is not to be seen, so that it is; whence they look, and from
    how far, stays. Views through a camera are the artist's."""
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


def seen(at: tuple[float, float] | None, free: Free, height: float) -> bool:
    """Whether a place of a view [pixels], None for one behind it, lies in what is free of it, and not at its very edge."""
    if at is None:
        return False
    aside, above = EDGE * (free.right - free.left), EDGE * (height - free.bottom)
    return free.left + aside <= at[0] <= free.right - aside and free.bottom + above <= at[1] <= height - above


def _middle(armature: bpy.types.Object) -> Vector:
    places = [armature.matrix_world @ bone.head for bone in armature.pose.bones]
    return Vector([(min(axis) + max(axis)) / 2.0 for axis in zip(*places, strict=True)])

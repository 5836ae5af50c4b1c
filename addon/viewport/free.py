# SPDX-License-Identifier: GPL-3.0-or-later
"""What of a 3D viewport is free to be drawn on: tools, sidebar and the panel of the last operator lie over it."""

from __future__ import annotations

from dataclasses import dataclass

import bpy

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
    """What is free of a view's region in its area."""
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

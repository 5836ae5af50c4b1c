# SPDX-License-Identifier: GPL-3.0-or-later
"""The page of hits: what strikes the character, and how it takes that."""

from __future__ import annotations

import bpy

from ..operators.context import words
from ..operators.hit import action_to_hit
from .base import fold, lines, switched
from .lists import draw_list

SIZES = {"BALL": ("radius_m", "density"), "PUNCH": (), "OBJECT": ("density",)}
"""What else there is to say of what strikes."""


def draw_hits(layout: bpy.types.UILayout, context: bpy.types.Context, armature: bpy.types.Object) -> None:
    """The hits, the chosen one, and the action that is hit."""
    settings = armature.lope
    hit = draw_list(layout, settings, "hits")
    by_length = hit is not None and hit.by_length and hit.arrow is not None
    if hit is not None:
        _hit(layout, armature, hit, by_length)
    layout.prop(settings, "hit_action")
    own = action_to_hit(armature)
    if settings.hit_action is None:
        lines(layout, context, words("It has no action yet; hits count for what is simulated") if own is None
              else words("Its own action {name} is hit", name=own.name), "INFO")
    body = fold(layout, "more", words("More"))
    if body is None:
        return
    if hit is not None:
        _from_where(body, hit)
    body.prop(settings, "hit_law")
    body.prop(settings, "hit_looseness")
    switched(body, settings, "use_hit_after", "hit_after_s")


def _hit(layout: bpy.types.UILayout, armature: bpy.types.Object, hit: bpy.types.PropertyGroup, by_length: bool) -> None:
    """The chosen hit: when, where, what, how hard."""
    layout.prop(hit, "frame")
    row = layout.row(align=True)
    row.prop_search(hit, "bone", armature.data, "bones")
    row.operator("lope.hit_pick", text="", icon="EYEDROPPER")
    row.operator("lope.hit_bone", text="", icon="BONE_DATA")
    layout.prop(hit, "kind")
    if hit.kind == "OBJECT":
        layout.prop(hit, "thrown")
    if not by_length:
        layout.prop(hit, "impulse_ns" if hit.kind == "PUNCH" else "speed_m_s")


def _from_where(layout: bpy.types.UILayout, hit: bpy.types.PropertyGroup) -> None:
    """How large it is, and where it comes from."""
    for name in SIZES[hit.kind]:
        layout.prop(hit, name)
    layout.prop(hit, "arrow")
    layout.prop(hit, "direction" if hit.arrow is None else "by_length")

# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel Hits: what strikes the character, how it takes that, and the button that hits its action."""

from __future__ import annotations

import bpy

from ..operators.context import active_armature, words
from ..operators.hit import action_to_hit
from .base import PersonPanel, lines, split, switched
from .lists import draw_list


class LOPE_PT_hits(PersonPanel, bpy.types.Panel):
    """What hits it"""

    bl_label = "Hits"
    bl_idname = "LOPE_PT_hits"
    bl_options = {"DEFAULT_CLOSED"}
    page = "hits"

    def draw(self, context: bpy.types.Context) -> None:
        layout = split(self.layout)
        armature = active_armature(context)
        settings = armature.lope
        row = layout.row()
        row.enabled = len(settings.hits) > 0 and action_to_hit(armature) is not None
        row.operator("lope.simulate_hit", icon="FORCE_FORCE")
        layout.prop(settings, "hit_action")
        if settings.hit_action is None:
            own = action_to_hit(armature)
            lines(layout, context, words("It has no action yet; hits count for what is simulated above") if own is None
                  else words("Its own action {name} is hit", name=own.name), "INFO")
        hit = draw_list(layout, settings, "hits")
        if hit is not None:
            _draw_hit(layout, armature, hit)
        layout.prop(settings, "hit_law")
        layout.prop(settings, "hit_looseness")
        switched(layout, settings, "use_hit_after", "hit_after_s")


def _draw_hit(layout: bpy.types.UILayout, armature: bpy.types.Object, hit: bpy.types.PropertyGroup) -> None:
    """The chosen hit."""
    layout.prop(hit, "frame")
    row = layout.row(align=True)
    row.prop_search(hit, "bone", armature.data, "bones")
    row.operator("lope.hit_pick", text="", icon="EYEDROPPER")
    row.operator("lope.hit_bone", text="", icon="BONE_DATA")
    layout.prop(hit, "kind")
    by_length = hit.by_length and hit.arrow is not None
    names = {"BALL": ("radius_m", "density"), "PUNCH": (), "OBJECT": ("thrown", "density")}[hit.kind]
    for name in names:
        layout.prop(hit, name)
    if not by_length:
        layout.prop(hit, "impulse_ns" if hit.kind == "PUNCH" else "speed_m_s")
    layout.prop(hit, "arrow")
    if hit.arrow is None:
        layout.prop(hit, "direction")
    else:
        layout.prop(hit, "by_length")


PANELS = (LOPE_PT_hits,)

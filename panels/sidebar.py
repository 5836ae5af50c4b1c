# SPDX-License-Identifier: GPL-3.0-or-later
"""The tab Lope: who walks, how and where, and the two buttons that make it happen."""

from __future__ import annotations

import textwrap

import bpy

from ..addon.worlds.planets import CUSTOM
from ..operators.context import active_armature


class _LopePanel:
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Lope"


class LOPE_PT_character(_LopePanel, bpy.types.Panel):
    """Who walks"""

    bl_label = "Character"
    bl_idname = "LOPE_PT_character"

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        armature = active_armature(context)
        if armature is None:
            layout.label(text="Select an armature, or:", icon="INFO")
            layout.operator("lope.add_astronaut", icon="OUTLINER_OB_ARMATURE")
            return
        layout.label(text=armature.name, icon="ARMATURE_DATA")
        if armature.lope.figure:
            _lines(layout.column(align=True), context, armature.lope.figure)
        row = layout.row(align=True)
        row.operator("lope.detect_rig", icon="VIEWZOOM")
        row.operator("lope.add_astronaut", text="", icon="ADD")
        layout.use_property_split = True
        layout.use_property_decorate = False
        layout.prop(armature.lope, "mass_kg")


class LOPE_PT_walk(_LopePanel, bpy.types.Panel):
    """How it walks, and where"""

    bl_label = "Walk"
    bl_idname = "LOPE_PT_walk"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return active_armature(context) is not None

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        settings, shot = active_armature(context).lope, context.scene.lope
        layout.prop(settings, "gait")
        layout.prop(shot, "world")
        if shot.world == CUSTOM:
            layout.prop(shot, "gravity_m_s2")
        column = layout.column(heading="Speed (m/s)")
        row = column.row(align=True)
        row.prop(settings, "use_speed", text="")
        value = row.row()
        value.active = settings.use_speed
        value.prop(settings, "speed_m_s", text="")
        layout.prop(shot, "duration_s")
        layout.prop(settings, "seed")


class LOPE_PT_go(_LopePanel, bpy.types.Panel):
    """Simulate, then bake"""

    bl_label = "Simulate and Bake"
    bl_idname = "LOPE_PT_go"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return active_armature(context) is not None

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        column = layout.column(align=True)
        column.scale_y = 1.4
        column.operator("lope.simulate", icon="PHYSICS")
        column.operator("lope.bake", icon="KEYFRAME_HLT")
        text = active_armature(context).lope.take_summary
        if text:
            _lines(layout.column(align=True), context, text)


def _lines(layout: bpy.types.UILayout, context: bpy.types.Context, text: str) -> None:
    """Labels that wrap `text` to the sidebar's width."""
    width = max(int(context.region.width / (7.0 * context.preferences.system.ui_scale)), 16)
    for paragraph in text.splitlines():
        for line in textwrap.wrap(paragraph, width):
            layout.label(text=line)


PANELS = (LOPE_PT_character, LOPE_PT_walk, LOPE_PT_go)

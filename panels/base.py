# SPDX-License-Identifier: GPL-3.0-or-later
"""What the panels share: their place, their help button, and labels that wrap."""

from __future__ import annotations

import textwrap

import bpy

from ..operators.context import active_armature


class LopePanel:
    """A panel on the tab Lope; `page` is the handbook's page that its help button opens, `presets` its popover of
    presets."""

    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Lope"
    page = "panel"
    presets = ""

    def draw_header_preset(self, _context: bpy.types.Context) -> None:
        if self.presets:
            getattr(bpy.types, self.presets).draw_panel_header(self.layout)
        self.layout.operator("lope.help", text="", icon="QUESTION", emboss=False).page = self.page


class ArmaturePanel(LopePanel):
    """A panel that is there only where there is an armature."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return active_armature(context) is not None


def split(layout: bpy.types.UILayout) -> bpy.types.UILayout:
    """The layout with names to the left of values, as Blender's own panels have it."""
    layout.use_property_split = True
    layout.use_property_decorate = False
    return layout


def switched(layout: bpy.types.UILayout, settings: bpy.types.PropertyGroup, switch: str, value: str) -> None:
    """A value with a box in front of it that switches it on."""
    column = layout.column(heading=settings.bl_rna.properties[value].name)
    row = column.row(align=True)
    row.prop(settings, switch, text="")
    part = row.row()
    part.active = getattr(settings, switch)
    part.prop(settings, value, text="")


def lines(layout: bpy.types.UILayout, context: bpy.types.Context, text: str, icon: str = "NONE") -> None:
    """Labels that wrap `text` to the sidebar's width; the first may have an icon. The text is translated already, or
    data."""
    width = max(int(context.region.width / (7.0 * context.preferences.system.ui_scale)), 16)
    column = layout.column(align=True)
    for paragraph in text.splitlines():
        for line in textwrap.wrap(paragraph, width):
            column.label(text=line, icon=icon, translate=False)
            icon = "BLANK1" if icon != "NONE" else "NONE"

# SPDX-License-Identifier: GPL-3.0-or-later
"""What the panels share: their place, their help button, and labels that wrap."""

from __future__ import annotations

from collections.abc import Iterator

import blf
import bpy

from ..operators.context import active_armature
from ..operators.creature import by_creature

TALL = 1.4
"""How much higher than others the buttons are that make it go."""
LABEL_PX, EDGES_PX, ICON_PX, LEAST_PX = 11.0, 58.0, 26.0, 80.0
"""Size of a label's letters; what the sidebar's edges and tabs, and a label's icon, take of its width; the least that is left
for words. In pixels before the interface's scale, measured in Blender 5.2's window."""


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


class PersonPanel(ArmaturePanel):
    """A panel that is there only where there is an armature that goes as a person."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        armature = active_armature(context)
        return armature is not None and not by_creature(armature.lope)


def split(layout: bpy.types.UILayout) -> bpy.types.UILayout:
    """The layout with names to the left of values, as Blender's own panels have it."""
    layout.use_property_split = True
    layout.use_property_decorate = False
    return layout


def switched(layout: bpy.types.UILayout, settings: bpy.types.PropertyGroup, switch: str, value: str,
             called: str = "") -> None:
    """A value with a box in front of it that switches it on, under the name of the value, or of the setting `called`: then the
    value's unit stands in its field."""
    names = settings.bl_rna.properties
    column = layout.column(heading=names[called or value].name)
    row = column.row(align=True)
    row.prop(settings, switch, text="")
    part = row.row()
    part.active = getattr(settings, switch)
    part.use_property_split = part.use_property_split and not called
    part.prop(settings, value, text=names[value].name.partition("(")[2].rstrip(")") if called else "")


def sentence(text: str) -> str:
    """A part of a sentence as one of its own, with a capital."""
    return text[:1].upper() + text[1:]


def lines(layout: bpy.types.UILayout, context: bpy.types.Context, text: str, icon: str = "NONE") -> None:
    """Labels that wrap `text` to the sidebar's width; the first may have an icon. The text is translated already, or
    data. The layout must have that width: what stands beside them in a row would cut them."""
    scale = context.preferences.system.ui_scale
    room = context.region.width - scale * (EDGES_PX + (ICON_PX if icon != "NONE" else 0.0))
    blf.size(0, LABEL_PX * scale)
    column = layout.column(align=True)
    for paragraph in text.splitlines():
        for line in wrapped(paragraph, max(room, LEAST_PX * scale)):
            column.label(text=line, icon=icon, translate=False)
            icon = "BLANK1" if icon != "NONE" else "NONE"


def wrapped(text: str, room: float) -> Iterator[str]:
    """Lines of a text no wider than `room` pixels in the size that `blf` is set to, but for words that are wider alone."""
    line = ""
    for word in text.split():
        longer = f"{line} {word}" if line else word
        if line and blf.dimensions(0, longer)[0] > room:
            yield line
            longer = word
        line = longer
    if line:
        yield line

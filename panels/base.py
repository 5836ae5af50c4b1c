# SPDX-License-Identifier: GPL-3.0-or-later
"""What the panels share: their place, their help button, and labels that wrap."""

from __future__ import annotations

import math
from collections.abc import Iterator

import blf
import bpy

from ..operators import context as notes
from ..operators.context import active_armature

GRADES = {"green": "CHECKMARK", "amber": "ERROR", "red": "CANCEL", "not judged": "QUESTION"}
"""The icon of a card's line, or of the whole card, by its grade."""
TALL = 1.4
"""How much higher than others the buttons are that make it go."""
STATUS_LINES = 3
"""Lines of the status, always: what stands below must not move."""
LABEL_PX, EDGES_PX, ICON_PX, LEAST_PX, UNIT_PX = 11.0, 58.0, 26.0, 80.0, 19.0
"""Size of a label's letters; what the sidebar's edges and tabs, and a label's icon, take of its width; the least that is left
for words; a popover's unit of width. In pixels before the interface's scale, measured in Blender 5.2's window."""


class LopePanel:
    """A panel on the tab Lope; `page` is the handbook's page that its help button opens, None for no button; `presets` its
    popover of presets, "" for none."""

    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Lope"
    page: str | None = None
    presets = ""

    def draw_header_preset(self, _context: bpy.types.Context) -> None:
        if self.presets:
            getattr(bpy.types, self.presets).draw_panel_header(self.layout)
        if self.page:
            self.layout.operator("lope.help", text="", icon="QUESTION", emboss=False).page = self.page


class ArmaturePanel(LopePanel):
    """A panel that is there only where there is an armature."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return active_armature(context) is not None


class Popover:
    """A panel that opens from a button of the tab."""

    bl_space_type = "VIEW_3D"
    bl_region_type = "HEADER"
    bl_ui_units_x = 16


def fold(layout: bpy.types.UILayout, name: str, title: str, closed: bool = True) -> bpy.types.UILayout | None:
    """What stands under a title that folds; None while it is folded. The title is translated already, or data."""
    header, body = layout.panel(f"LOPE_PT_fold_{name}", default_closed=closed)
    header.label(text=title, translate=False)
    return body


def asking(layout: bpy.types.UILayout, context: bpy.types.Context, name: str, icon: str = "NONE",
           text: str | None = None) -> bpy.types.OperatorProperties:
    """The button of an operator; why it could not do its work stands at its side, in a popover. `text` is translated already."""
    row = layout.row(align=True)
    given = {} if text is None else {"text": text, "translate": False}
    button = row.operator(name, icon=icon, **given)
    armature = active_armature(context)
    note = None if armature is None else notes.of(armature)
    if note is not None and note.button == f"LOPE_OT_{name.removeprefix('lope.')}":
        row.popover("LOPE_PT_said", text="", icon=note.icon)
    return button


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


def lines(layout: bpy.types.UILayout, context: bpy.types.Context, text: str, icon: str = "NONE", units: float = 0.0) -> None:
    """Labels that wrap `text` to the sidebar's width; the first may have an icon. The text is translated already, or
    data. The layout must have that width: what stands beside them in a row would cut them. In a popover, of a width of so many
    `units`."""
    room = _room(context, icon, units)
    column = layout.column(align=True)
    for paragraph in text.splitlines():
        for line in wrapped(paragraph, room):
            column.label(text=line, icon=icon, translate=False)
            icon = "BLANK1" if icon != "NONE" else "NONE"


def status(layout: bpy.types.UILayout, context: bpy.types.Context, text: str, icon: str) -> None:
    """The same in `STATUS_LINES` lines, whatever its length, beside a button of its width for the rest."""
    room = _room(context, icon) - ICON_PX * context.preferences.system.ui_scale
    found = list(wrapped(" ".join(text.split()), room))
    if len(found) > STATUS_LINES:
        found[STATUS_LINES - 1] += " ..."
    column = layout.column(align=True)
    for at in range(STATUS_LINES):
        column.label(text=found[at] if at < len(found) else "", icon=icon if at == 0 else "BLANK1", translate=False)


def _room(context: bpy.types.Context, icon: str, units: float = 0.0) -> float:
    """Width [pixels] of a line beside an icon; `blf` is set to a label's size. Endless without a window."""
    scale = context.preferences.system.ui_scale
    if not scale:
        return math.inf
    blf.size(0, LABEL_PX * scale)
    room = units * UNIT_PX * scale if units else context.region.width - scale * EDGES_PX
    return max(room - scale * (ICON_PX if icon != "NONE" else 0.0), LEAST_PX * scale)


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

# SPDX-License-Identifier: GPL-3.0-or-later
"""A closed panel within Character: which bone is which, and buttons to say it by hand."""

from __future__ import annotations

import bpy

from ..operators.bone_map import PARTS, map_of, name_of
from ..operators.context import active_armature
from ..operators.texts import said, words
from .base import ArmaturePanel, lines


class LOPE_PT_bone_map(ArmaturePanel, bpy.types.Panel):
    """Which bone is which"""

    bl_label = "Bone Map"
    bl_idname = "LOPE_PT_bone_map"
    bl_parent_id = "LOPE_PT_character"
    bl_options = {"DEFAULT_CLOSED"}
    page = "your-rig"

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        armature = active_armature(context)
        bones, wrong = map_of(armature)
        lines(layout, context, said(wrong) or words("Every part of the body has its bone"), "ERROR" if wrong else "CHECKMARK")
        column = layout.column(align=True)
        for part in PARTS:
            row = column.split(factor=0.4, align=True)
            row.label(text=name_of(part))
            row.operator("lope.map_bone", text=bones.get(part, "-"), translate=False).segment = part
        row = layout.row(align=True)
        row.operator("lope.map_load", icon="IMPORT")
        row.operator("lope.map_save", icon="EXPORT")
        row.operator("lope.map_forget", text="", icon="X")

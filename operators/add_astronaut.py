# SPDX-License-Identifier: GPL-3.0-or-later
"""Button: add the built-in astronaut."""

from __future__ import annotations

import bpy

from .context import reports_errors
from .figures import figure_of
from .texts import words

SUIT = "apollo-a7lb"
"""What the figure looks like it wears."""


class LOPE_OT_add_astronaut(bpy.types.Operator):
    """Add a suited astronaut with an armature that Lope can walk"""

    bl_idname = "lope.add_astronaut"
    bl_label = "Add Astronaut"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if context.mode != "OBJECT":
            cls.poll_message_set(words("Leave Edit or Pose mode first"))
            return False
        return True

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        from ..addon.rigs.astronaut.astronaut import add_astronaut

        armature = add_astronaut(context)
        armature.lope.suit = SUIT
        armature.location = context.scene.cursor.location
        for selected in context.selected_objects:
            selected.select_set(False)
        armature.select_set(True)
        context.view_layer.objects.active = armature
        if context.scene.lope.armature is not None:
            context.scene.lope.armature = armature
        context.view_layer.update()
        figure_of(armature, context.scene)  # reading it takes a moment: now, not at the first press of Simulate
        return {"FINISHED"}

# SPDX-License-Identifier: GPL-3.0-or-later
"""Button: the pressure under the last take as objects on the ground, which render."""

from __future__ import annotations

import bpy

from .baked import baked_action
from .context import active_armature, poll_take, reports_errors
from .texts import words


class LOPE_OT_add_pressure(bpy.types.Operator):
    """Add this take's pressure on the ground as objects that render. Pressed again it replaces them and nothing of yours"""

    bl_idname = "lope.add_pressure"
    bl_label = "Add Pressure"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if not poll_take(cls, context):
            return False
        if baked_action(active_armature(context)) is None:
            cls.poll_message_set(words("Bake first: pressure lies where the baked feet come down"))
            return False
        return True

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        from ..addon.rigs.dust.pressed import add_pressure
        from ..addon.take import Take

        armature = active_armature(context)
        collection = add_pressure(context.scene, armature, Take.load(armature.lope.take_path))
        self.report({"INFO"}, words("Added the collection {name}", name=collection.name))
        return {"FINISHED"}

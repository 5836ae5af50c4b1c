# SPDX-License-Identifier: GPL-3.0-or-later
"""Buttons: show the muscles of the last take on its armature, and take them away again."""

from __future__ import annotations

import bpy
from bpy.props import BoolProperty

from ..addon.rigs.muscles.shown import hide_muscles, show_muscles, shown_muscles
from .baked import baked_action
from .context import active_armature, poll_armature, poll_take, reports_errors
from .texts import words

COLOURS_KEY = "lope_colours"
"""Property of the collection: the colours that solid view had before the muscles were shown in it."""


class LOPE_OT_show_muscles(bpy.types.Operator):
    """Show this take's muscles as tubes on the bones, blue at rest, red at work. Pressed again it replaces nothing of yours"""

    bl_idname = "lope.show_muscles"
    bl_label = "Show Muscles"
    bl_options = {"REGISTER", "UNDO"}

    bones: BoolProperty(name="Bones", default=True, description="Plain bones for the muscles to lie on")

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if not poll_take(cls, context):
            return False
        if baked_action(active_armature(context)) is None:
            cls.poll_message_set(words("Bake first: muscles go with the baked bones"))
            return False
        return True

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        from ..addon.take import Take

        armature = active_armature(context)
        collection = show_muscles(context.scene, armature, Take.load(armature.lope.take_path), with_bones=self.bones)
        shading = _shading(context)
        if shading is not None and shading.color_type == "MATERIAL":  # one colour for all of them
            collection[COLOURS_KEY], shading.color_type = shading.color_type, "OBJECT"
        self.report({"INFO"}, words("Added the collection {name}", name=collection.name))
        return {"FINISHED"}


class LOPE_OT_hide_muscles(bpy.types.Operator):
    """Take the muscles of this armature away again, and nothing of yours"""

    bl_idname = "lope.hide_muscles"
    bl_label = "Remove Muscles"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if not poll_armature(cls, context):
            return False
        if shown_muscles(active_armature(context)) is None:
            cls.poll_message_set(words("This armature shows no muscles"))
            return False
        return True

    def execute(self, context: bpy.types.Context) -> set[str]:
        armature = active_armature(context)
        before = shown_muscles(armature).get(COLOURS_KEY)
        hide_muscles(armature)
        shading = _shading(context)
        if before is not None and shading is not None and shading.color_type == "OBJECT":
            shading.color_type = before
        return {"FINISHED"}


def _shading(context: bpy.types.Context) -> bpy.types.View3DShading | None:
    """How the view in which the button is draws solid things; None where it is in none."""
    space = context.space_data
    return space.shading if space is not None and space.type == "VIEW_3D" else None


CLASSES = (LOPE_OT_show_muscles, LOPE_OT_hide_muscles)

# SPDX-License-Identifier: GPL-3.0-or-later
"""Buttons of a condition: add a shipped one to the list, and make the body healthy again."""

from __future__ import annotations

import bpy
from bpy.props import EnumProperty

from ..addon.specs.muscles import RULES, UNLOADED, condition_preset
from .choices import condition_items
from .condition_settings import fill
from .context import active_armature, not_own, poll_armature, words
from .properties import changed


class _OfArmature:
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return poll_armature(cls, context)

    def settings(self, context: bpy.types.Context) -> bpy.types.PropertyGroup | None:
        """The armature's settings; None, said why, where they cannot be changed."""
        armature = active_armature(context)
        why = not_own(armature)
        if why:
            self.report({"ERROR"}, why)
        return None if why else armature.lope


class LOPE_OT_condition_add(_OfArmature, bpy.types.Operator):
    """Add a condition to the list; what is there stays, and both add up"""

    bl_idname = "lope.condition_add"
    bl_label = "Add Condition"

    name: EnumProperty(name="Condition", description="The condition that is added", items=condition_items())

    def execute(self, context: bpy.types.Context) -> set[str]:
        settings = self.settings(context)
        if settings is None:
            return {"CANCELLED"}
        for change in condition_preset(self.name).changes:
            if change.kind == UNLOADED:
                settings.unloaded_months = min(settings.unloaded_months + change.value, RULES[UNLOADED].high)
            else:
                fill(settings.condition_changes.add(), change)
        settings.condition_index = max(len(settings.condition_changes) - 1, 0)
        changed()
        return {"FINISHED"}


class LOPE_OT_condition_clear(_OfArmature, bpy.types.Operator):
    """Make the body healthy: empty the list, and no months without gravity"""

    bl_idname = "lope.condition_clear"
    bl_label = "Healthy"

    def execute(self, context: bpy.types.Context) -> set[str]:
        settings = self.settings(context)
        if settings is None:
            return {"CANCELLED"}
        if not len(settings.condition_changes) and not settings.unloaded_months:
            self.report({"ERROR"}, words("The body is healthy already"))
            return {"CANCELLED"}
        settings.condition_changes.clear()
        settings.condition_index, settings.unloaded_months = 0, 0.0
        changed()
        return {"FINISHED"}


CLASSES = (LOPE_OT_condition_add, LOPE_OT_condition_clear)

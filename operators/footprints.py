# SPDX-License-Identifier: GPL-3.0-or-later
"""Buttons on the plan's footprints: lock one where it is, set them all free. What the list of locked ones is changed by."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.props import IntProperty

from ..addon.errors import InputError
from ..addon.specs.footprints import MOST_NUMBER
from . import plan_board
from .changes import changed
from .context import active_armature, poll_own_armature, reports_errors
from .texts import words

PLACE_DIGITS = 4
"""A footprint is kept to a tenth of a millimetre."""


def entry_of(settings: bpy.types.PropertyGroup, number: int) -> bpy.types.PropertyGroup | None:
    """The entry that locks a footprint; None where it is free."""
    return next((entry for entry in settings.footprints if entry.number == number), None)


def lock(settings: bpy.types.PropertyGroup, preview: Any, number: int) -> bpy.types.PropertyGroup:
    """Lock a footprint where the plan has it; its entry. Raises InputError for one that the plan has not, or that cannot
    move."""
    if not 1 <= number < len(preview.footstep_m):
        raise InputError(f"The plan has footprints 1 to {len(preview.footstep_m) - 1} that can be locked, got {number}; the "
                         "foot on which the shot starts cannot be moved.")
    entry = entry_of(settings, number)
    if entry is None:
        entry = settings.footprints.add()
        entry.number = number
        place(entry, *preview.footstep_m[number, :2])
    return entry


def place(entry: bpy.types.PropertyGroup, x_m: float, y_m: float) -> None:
    """Lay a locked footprint somewhere else."""
    entry.x_m, entry.y_m = round(float(x_m), PLACE_DIGITS), round(float(y_m), PLACE_DIGITS)


def unlock(settings: bpy.types.PropertyGroup, number: int) -> bool:
    """Set a footprint free again; whether it was locked."""
    for i, entry in enumerate(settings.footprints):
        if entry.number == number:
            settings.footprints.remove(i)
            settings.footprint_index = max(min(settings.footprint_index, len(settings.footprints) - 1), 0)
            return True
    return False


class LOPE_OT_lock_footprint(bpy.types.Operator):
    """Lock a footprint where the plan has it, so that it stays there whatever else changes; a locked one is set free"""

    bl_idname = "lope.lock_footprint"
    bl_label = "Lock or Free Footprint"
    bl_options = {"REGISTER", "UNDO"}

    number: IntProperty(name="Number", default=1, min=1, max=MOST_NUMBER,
                        description="Which landing it is, counted from the shot's start: odd ones are the right foot's")

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return poll_own_armature(cls, context)

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        settings = active_armature(context).lope
        if not unlock(settings, self.number):
            lock(settings, plan_board.make_now(context, walked=True).preview, self.number)
        changed()
        return {"FINISHED"}


class LOPE_OT_reset_footprints(bpy.types.Operator):
    """Set every locked footprint free: the plan lays them again"""

    bl_idname = "lope.reset_footprints"
    bl_label = "Reset Footprints"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if not poll_own_armature(cls, context):
            return False
        if not len(active_armature(context).lope.footprints):
            cls.poll_message_set(words("No footprint is locked"))
            return False
        return True

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        active_armature(context).lope.footprints.clear()
        changed()
        return {"FINISHED"}

# SPDX-License-Identifier: GPL-3.0-or-later
"""Buttons beside the panel's lists: add and remove pushes, targets, gravities and settings."""

from __future__ import annotations

import contextlib

import bpy
from bpy.props import EnumProperty

from ..addon.errors import InputError, LopeError
from .context import active_armature, not_own, reports_errors, words
from .figures import figure_of
from .properties import changed
from .settings import given_by

LISTS = {"changed_settings": "setting_index", "keys": "key_index", "pushes": "push_index", "targets": "target_index",
         "gravity_ramp": "gravity_index", "pose_changes": "pose_change_index", "hits": "hit_index",
         "condition_changes": "condition_index", "pressure_motions": "pressure_motion_index"}
NAMES = (("keys", "Keys", "The keys of gait and speed"),
         ("pose_changes", "Changes", "The changes of a gait from key poses"), ("pushes", "Pushes", "The pushes"),
         ("hits", "Hits", "The hits"), ("condition_changes", "Condition", "The changes of a condition"),
         ("pressure_motions", "Motions", "The motions of a database of pressure"),
         ("targets", "Targets", "The targets of the path"), ("gravity_ramp", "Gravities", "The gravities of the ramp"),
         ("changed_settings", "Settings", "The controller's changed settings"))


TRUNK = "chest"
"""What a new hit strikes."""


SEEN_M_S = 0.4
"""The speed that a new push gives: it is seen, and walks stand it from all sides."""


class _ListButton:
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}
    name: EnumProperty(name="List", description="The list that is meant", items=NAMES, options={"HIDDEN"})

    def owner(self, context: bpy.types.Context) -> bpy.types.PropertyGroup:
        """The settings that hold the list. Raises InputError where there is no armature, or it cannot be changed."""
        if self.name == "gravity_ramp":
            return context.scene.lope
        armature = active_armature(context)
        why = words("Pick a character at the top of the tab, or add one") if armature is None else not_own(armature)
        if why:
            raise InputError(why)
        return armature.lope


class LOPE_OT_list_add(_ListButton, bpy.types.Operator):
    """Add an entry to this list; selected objects are taken as targets, the present frame as its frame"""

    bl_idname = "lope.list_add"
    bl_label = "Add"

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        settings = self.owner(context)
        entries = getattr(settings, self.name)
        chosen = [item for item in context.selected_objects if item.type != "ARMATURE"] if self.name == "targets" else []
        for target in chosen or [None]:
            entry = entries.add()
            if self.name == "targets":
                entry.target = target
            elif hasattr(entry, "frame"):
                entry.frame = _frame_for(entry, context.scene)
            if self.name == "hits":
                _aim(entry, settings.id_data, context)
            elif self.name == "pushes":
                entry.force_n = 10.0 * round(SEEN_M_S * given_by(entry, settings)["mass"] / entry.duration_s / 10.0)
        setattr(settings, LISTS[self.name], len(entries) - 1)
        changed()
        return {"FINISHED"}


def _frame_for(entry: bpy.types.PropertyGroup, scene: bpy.types.Scene) -> int:
    """The frame of a new entry: the present one; where that is the first, at which nobody is pushed or struck, its default so
    much later."""
    if scene.frame_current > scene.frame_start:
        return scene.frame_current
    return scene.frame_start + (entry.bl_rna.properties["frame"].default - 1 if hasattr(entry, "direction") else 0)


def _aim(hit: bpy.types.PropertyGroup, armature: bpy.types.Object, context: bpy.types.Context) -> None:
    """A new hit strikes the active bone, else the chest, along the arrow that is selected."""
    active = armature.data.bones.active
    with contextlib.suppress(LopeError):
        bones = figure_of(armature, context.scene).bone_of
        hit.bone = bones.get(TRUNK) or bones["pelvis"]
    if active is not None:
        hit.bone = active.name
    hit.arrow = next((item for item in context.selected_objects if item.type == "EMPTY"), None)


class LOPE_OT_list_remove(_ListButton, bpy.types.Operator):
    """Remove the chosen entry from this list"""

    bl_idname = "lope.list_remove"
    bl_label = "Remove"

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        settings = self.owner(context)
        entries = getattr(settings, self.name)
        if not len(entries):
            self.report({"WARNING"}, words("The list is empty"))
            return {"CANCELLED"}
        at = min(getattr(settings, LISTS[self.name]), len(entries) - 1)
        entries.remove(at)
        setattr(settings, LISTS[self.name], max(at - 1, 0))
        changed()
        return {"FINISHED"}

# SPDX-License-Identifier: GPL-3.0-or-later
"""Buttons: the artist's own bone map. Which bone is which, kept on the armature, saved to a file, loaded, forgotten."""

from __future__ import annotations

from pathlib import Path

import bpy
from bpy.props import BoolProperty, EnumProperty, StringProperty

from ..addon.errors import LopeError
from ..addon.rigs.read.armature import guess_of, mirror_of
from ..addon.rigs.read.maps import REQUIRED, SEGMENTS
from ..addon.rigs.read.own_map import forget_map, kept_text, load_map, save_map, store_map
from ..addon.rigs.read.recognise import Guess
from .context import active_armature, poll_armature, poll_own_armature, reports_errors
from .texts import words

PARTS = (*SEGMENTS, "root")
_NAMES = {"pelvis": "Hips", "root": "Root Bone", "shank": "Shin"}
_SIDES = {"_L": "Left ", "_R": "Right "}


def name_of(part: str) -> str:
    """A part of the body as artists call it: "Left Upper Arm"."""
    side = _SIDES.get(part[-2:], "")
    kind = part[:-2] if side else part
    return side + _NAMES.get(kind, kind.replace("_", " ").title())


_ITEMS = tuple((part, name_of(part), "") for part in PARTS)


REQUIRED_PARTS = frozenset(REQUIRED)
"""Parts that must have a bone."""


def other_side(part: str) -> str | None:
    """The same part on the other side; None for one in the middle."""
    return part[:-1] + {"L": "R", "R": "L"}[part[-1]] if part[-2:] in _SIDES else None


def map_of(armature: bpy.types.Object) -> Guess:
    """The armature's map as it is now (kept, or the best guess by names and structure), what in it is unsure, and what is
    wrong with it, or ""."""
    try:
        return guess_of(armature)
    except LopeError as error:
        return Guess({}, frozenset(), str(error))


class _MapButton:
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return poll_own_armature(cls, context)


class LOPE_OT_map_bone(_MapButton, bpy.types.Operator):
    """Say which bone this part of the body is; the map is kept on the armature, in the file"""

    bl_idname = "lope.map_bone"
    bl_label = "Set Bone"

    segment: EnumProperty(name="Part", description="The part of the body", items=_ITEMS)
    bone: StringProperty(name="Bone", description="The bone that moves this part. Empty: none does")
    both: BoolProperty(name="Other Side Too", default=True,
                       description="Give the same part on the other side the bone that is the mirror image of this one")

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        active = context.active_pose_bone
        self.bone = active.name if active is not None else map_of(active_armature(context)).bone_of.get(self.segment, "")
        return context.window_manager.invoke_props_dialog(self)

    def draw(self, context: bpy.types.Context) -> None:
        self.layout.prop(self, "segment")
        self.layout.prop_search(self, "bone", active_armature(context).data, "bones", text="")
        if other_side(self.segment) is not None:
            self.layout.prop(self, "both")

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        armature = active_armature(context)
        found = map_of(armature)
        given = {self.segment: self.bone}
        other = other_side(self.segment) if self.both else None
        if other is not None:
            image = mirror_of(armature, self.bone) if self.bone else ""
            if image is not None:
                given[other] = image
        bones = {part: bone for part, bone in found.bone_of.items() if part not in given and bone not in given.values()}
        bones |= {part: bone for part, bone in given.items() if bone}
        store_map(armature, bones, whole=False, unsure=found.unsure - given.keys())
        return {"FINISHED"}


class LOPE_OT_map_save(_MapButton, bpy.types.Operator):
    """Save which bone is which to a JSON file, to use it on other rigs of the kind and to share it"""

    bl_idname = "lope.map_save"
    bl_label = "Save Bone Map"
    bl_options = {"REGISTER"}  # nothing is written on the armature

    filepath: StringProperty(name="File", description="The JSON file to write", subtype="FILE_PATH")
    filter_glob: StringProperty(default="*.json", options={"HIDDEN"})
    check_existing: BoolProperty(default=True, options={"HIDDEN"})

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return poll_armature(cls, context)

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        if not self.filepath:
            self.filepath = f"{bpy.path.clean_name(active_armature(context).name)} bones.json"
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        armature = active_armature(context)
        path = Path(bpy.path.abspath(self.filepath)).with_suffix(".json")
        bones = map_of(armature).bone_of
        save_map(path, bones, armature.name)
        self.report({"INFO"}, words("{count} bones written to {path}", count=len(bones), path=path))
        return {"FINISHED"}


class LOPE_OT_map_load(_MapButton, bpy.types.Operator):
    """Load which bone is which from a JSON file, and keep it on this armature"""

    bl_idname = "lope.map_load"
    bl_label = "Load Bone Map"

    filepath: StringProperty(name="File", description="The JSON file to read", subtype="FILE_PATH")
    filter_glob: StringProperty(default="*.json", options={"HIDDEN"})

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        store_map(active_armature(context), load_map(bpy.path.abspath(self.filepath)))
        return {"FINISHED"}


class LOPE_OT_map_forget(_MapButton, bpy.types.Operator):
    """Forget the bone map kept on this armature; its bones are then found by names and structure again"""

    bl_idname = "lope.map_forget"
    bl_label = "Forget Bone Map"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if not poll_own_armature(cls, context):
            return False
        if kept_text(active_armature(context)) is None:
            cls.poll_message_set(words("No bone map is kept on this armature; its bones are found by names and structure"))
            return False
        return True

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        forget_map(active_armature(context))
        return {"FINISHED"}


CLASSES = (LOPE_OT_map_bone, LOPE_OT_map_save, LOPE_OT_map_load, LOPE_OT_map_forget)

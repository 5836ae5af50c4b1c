# SPDX-License-Identifier: GPL-3.0-or-later
"""Buttons: the artist's own bone map. Which bone is which, kept on the armature, saved to a file, loaded, forgotten."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import bpy
from bpy.props import BoolProperty, EnumProperty, StringProperty

from ..addon.errors import LopeError
from ..addon.rigs.read.detect import check_mapping, detect, guess
from ..addon.rigs.read.maps import SEGMENTS
from ..addon.rigs.read.own_map import MAP_KEY, forget_map, load_map, read_text, save_map, store_map
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


@lru_cache(maxsize=8)
def _found(names: tuple[str, ...], kept: str | None) -> tuple[dict[str, str], str]:
    """The map of a rig with these bones, and what is wrong with it ("" for a whole one)."""
    bones: dict[str, str] = {}
    try:
        if kept is None:
            return dict(detect(names).bone_of), ""
        bones = read_text(kept, words("The bone map kept on this armature"))
        check_mapping(bones, names)
        return bones, ""
    except LopeError as error:
        return bones if kept is not None else guess(names), str(error)


def map_of(armature: bpy.types.Object) -> tuple[dict[str, str], str]:
    """The armature's map as it is now (kept, found by names, or guessed), and what is wrong with it, or ""."""
    return _found(tuple(armature.data.bones.keys()), armature.get(MAP_KEY))


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

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        active = context.active_pose_bone
        self.bone = active.name if active is not None else map_of(active_armature(context))[0].get(self.segment, "")
        return context.window_manager.invoke_props_dialog(self)

    def draw(self, context: bpy.types.Context) -> None:
        self.layout.prop(self, "segment")
        self.layout.prop_search(self, "bone", active_armature(context).data, "bones", text="")

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        armature = active_armature(context)
        bones = {part: bone for part, bone in map_of(armature)[0].items() if part != self.segment and bone != self.bone}
        if self.bone:
            bones[self.segment] = self.bone
        store_map(armature, bones, whole=False)
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
        bones, _ = map_of(armature)
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
    """Forget the bone map kept on this armature; its bones are then found by their names again"""

    bl_idname = "lope.map_forget"
    bl_label = "Forget Bone Map"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if not poll_own_armature(cls, context):
            return False
        if MAP_KEY not in active_armature(context):
            cls.poll_message_set(words("No bone map is kept on this armature; its bones are found by their names"))
            return False
        return True

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        forget_map(active_armature(context))
        return {"FINISHED"}


CLASSES = (LOPE_OT_map_bone, LOPE_OT_map_save, LOPE_OT_map_load, LOPE_OT_map_forget)

# SPDX-License-Identifier: GPL-3.0-or-later
"""Buttons: the artist's own word on a creature's bones: at which bone a part begins, kept on the armature, or forgotten again."""

from __future__ import annotations

import bpy
from bpy.props import EnumProperty, StringProperty

from ..addon.errors import LopeError
from ..addon.rigs.read.creature_map import CREATURE_MAP, PLACES, forget_said, store_said, stored_said
from .bone_map import name_of
from .context import active_armature, poll_own_armature, reports_errors
from .creature_figures import creature_read_of
from .texts import words

_NAMES = {"trunk": "Trunk", "leg_L": "Left Leg", "leg_R": "Right Leg", "arm_L": "Left Arm", "arm_R": "Right Arm", "tail": "Tail"}
ITEMS = tuple((part, _NAMES.get(part, name_of(part)), "") for part in PLACES)


def bones_of(armature: bpy.types.Object, scene: bpy.types.Scene) -> dict[str, str]:
    """At which bones the parts of a creature begin, as far as they were found."""
    try:
        return dict(creature_read_of(armature, scene).bones)
    except LopeError:
        return {}


class LOPE_OT_creature_bone(bpy.types.Operator):
    """Say at which bone this part of the creature begins; what is not said is found by the bones' structure"""

    bl_idname = "lope.creature_bone"
    bl_label = "Set Bone"
    bl_options = {"REGISTER", "UNDO"}

    part: EnumProperty(name="Part", description="The part of the body", items=ITEMS)
    bone: StringProperty(name="Bone", description="The bone at which this part begins. Empty: it has none")

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return poll_own_armature(cls, context)

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        active = context.active_pose_bone
        found = bones_of(active_armature(context), context.scene)
        self.bone = active.name if active is not None else found.get(self.part, "")
        return context.window_manager.invoke_props_dialog(self)

    def draw(self, context: bpy.types.Context) -> None:
        self.layout.prop(self, "part")
        self.layout.prop_search(self, "bone", active_armature(context).data, "bones", text="")

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        armature = active_armature(context)
        said = {part: bone for part, bone in stored_said(armature).items() if not bone or bone != self.bone}
        store_said(armature, {**said, self.part: self.bone})
        return {"FINISHED"}


class LOPE_OT_creature_map_forget(bpy.types.Operator):
    """Forget what was said of this creature's bones; they are found by structure again"""

    bl_idname = "lope.creature_map_forget"
    bl_label = "Forget Bone Map"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if not poll_own_armature(cls, context):
            return False
        if CREATURE_MAP.kept_text(active_armature(context)) is None:
            cls.poll_message_set(words("Nothing was said of this creature's bones; they are found by structure"))
            return False
        return True

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        forget_said(active_armature(context))
        return {"FINISHED"}


CLASSES = (LOPE_OT_creature_bone, LOPE_OT_creature_map_forget)

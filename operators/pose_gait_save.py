# SPDX-License-Identifier: GPL-3.0-or-later
"""Buttons: keep the character's own gait from key poses as a preset; remove one."""

from __future__ import annotations

from dataclasses import replace

import bpy
from bpy.props import BoolProperty, StringProperty

from ..addon.errors import InputError
from ..addon.gaits.pose_gaits import pose_gait_names
from ..addon.gaits.tuned_maps import write_json
from ..addon.specs.pose_gait import pose_gait_file
from ..addon.specs.presets import named_file, names_in
from .changes import changed
from .context import active_armature, poll_own_armature, pose_gaits_folder, reports_errors
from .pose_gait_entries import gait_in, text_of
from .pose_gait_settings import KEPT
from .texts import words


def named_alike(name: str, names: list[str]) -> str | None:
    """The one of some names that a file system may take for this one; None where there is none."""
    return next((one for one in names if one.casefold() == name.casefold()), None)


class LOPE_OT_pose_gait_save(bpy.types.Operator):
    """Save this gait as a preset of yours, for all your files"""

    bl_idname = "lope.pose_gait_save"
    bl_label = "Save as Preset"
    bl_options = {"REGISTER", "UNDO"}

    name: StringProperty(name="Name", description="What the preset is called", options={"SKIP_SAVE"})
    replace: BoolProperty(name="Replace It", description="Put this gait in the place of the preset of that name",
                          options={"SKIP_SAVE"})

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if not poll_own_armature(cls, context):
            return False
        if not active_armature(context).lope.own_gait.states:
            cls.poll_message_set(words("This character has no key poses of its own"))
            return False
        return True

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        self.name = active_armature(context).lope.own_gait.title
        return context.window_manager.invoke_props_dialog(self)

    def draw(self, _context: bpy.types.Context) -> None:
        self.layout.prop(self, "name")
        if named_alike(self.name.strip(), names_in(pose_gaits_folder())):
            self.layout.label(text="You have a gait of that name", icon="ERROR")
            self.layout.prop(self, "replace")

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        own, folder = active_armature(context).lope.own_gait, pose_gaits_folder()
        name = self.name.strip() or own.title.strip()
        shipped, mine = named_alike(name, pose_gait_names()), named_alike(name, names_in(folder))
        if shipped is not None:
            raise InputError(f"{shipped} is a gait that comes with Lope, and stays as it is: save yours under another name.")
        if mine is not None and not self.replace:
            raise InputError(f"You have a gait called {mine} already: tick Replace It, or save this one under another name.")
        gait = replace(gait_in(own), name=mine or name)
        path = named_file(folder, "gait", gait.name)
        write_json(path, pose_gait_file(gait))
        own.title, own.opened = gait.name, text_of(gait)
        changed()
        self.report({"INFO"}, words("Saved in {path}", path=path))
        return {"FINISHED"}


class LOPE_OT_pose_gait_forget(bpy.types.Operator):
    """Remove this preset of yours; characters that go in it keep nothing of it"""

    bl_idname = "lope.pose_gait_forget"
    bl_label = "Remove Preset"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return poll_own_armature(cls, context) and active_armature(context).lope.pose_gait.startswith(KEPT)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        return context.window_manager.invoke_confirm(self, event)

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        settings = active_armature(context).lope
        named_file(pose_gaits_folder(), "gait", settings.pose_gait.removeprefix(KEPT)).unlink(missing_ok=True)
        settings.property_unset("pose_gait")
        changed()
        return {"FINISHED"}


CLASSES = (LOPE_OT_pose_gait_save, LOPE_OT_pose_gait_forget)

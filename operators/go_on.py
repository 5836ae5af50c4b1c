# SPDX-License-Identifier: GPL-3.0-or-later
"""Buttons: let the next shot go on from the end of the last take, or start by itself again."""

from __future__ import annotations

import bpy

from ..addon.onward import check_end
from ..addon.rigs.bake.bake import frame_rate
from ..addon.take import Take
from .baked import start_frame
from .changes import changed
from .context import active_armature, poll_own_armature, poll_own_take, reports_errors
from .texts import words


class LOPE_OT_go_on(bpy.types.Operator):
    """Let the next shot start where this armature's last take ends: pose, speed, place and direction. Then simulate"""

    bl_idname = "lope.go_on"
    bl_label = "Go On from Here"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return poll_own_take(cls, context)

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        armature, scene = active_armature(context), context.scene
        settings = armature.lope
        take = Take.load(settings.take_path)
        check_end(take, settings.take_path)
        settings.after_frame = start_frame(armature, scene) + float(take.time_s[-1] - take.time_s[0]) * frame_rate(scene)
        settings.after_path = settings.take_path
        settings.start = "moving"
        changed()
        self.report({"INFO"}, words("The next shot goes on from frame {frame:.0f}", frame=settings.after_frame))
        return {"FINISHED"}


class LOPE_OT_start_anew(bpy.types.Operator):
    """Let the next shot start by itself again, at the scene's first frame"""

    bl_idname = "lope.start_anew"
    bl_label = "Start Anew"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if not poll_own_armature(cls, context):
            return False
        if not active_armature(context).lope.after_path:
            cls.poll_message_set(words("The shot starts by itself"))
            return False
        return True

    def execute(self, context: bpy.types.Context) -> set[str]:
        active_armature(context).lope.after_path = ""
        changed()
        return {"FINISHED"}

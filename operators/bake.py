# SPDX-License-Identifier: GPL-3.0-or-later
"""Button: write the last take to the armature as a new action, in one undo step."""

from __future__ import annotations

from pathlib import Path

import bpy

from .context import active_armature, poll_armature, reports_errors


class LOPE_OT_bake(bpy.types.Operator):
    """Write the last simulation to a new action of this armature. The old action stays in the file"""

    bl_idname = "lope.bake"
    bl_label = "Bake"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if not poll_armature(cls, context):
            return False
        path = active_armature(context).lope.take_path
        if not path or not Path(path).is_file():
            cls.poll_message_set("Simulate first: this armature has no take to bake")
            return False
        return True

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        from ..addon.rigs.bake import bake_take
        from ..addon.take import Take

        armature = active_armature(context)
        scene = context.scene
        take = Take.load(armature.lope.take_path)
        action = bake_take(armature, take, start_frame=scene.frame_start, scene=scene)
        scene.frame_end = max(scene.frame_end, int(action.frame_range[1]))
        self.report({"INFO"}, f"Baked {take.time_s[-1] - take.time_s[0]:.1f} s to the action {action.name}")
        return {"FINISHED"}

# SPDX-License-Identifier: GPL-3.0-or-later
"""Button: go to the frame that a line of the physics card speaks of."""

from __future__ import annotations

import bpy
from bpy.props import IntProperty

from ..addon.rigs.bake.bake import frame_rate
from .baked import start_frame
from .context import active_armature


class LOPE_OT_go_to_frame(bpy.types.Operator):
    """Go to this frame, and let the view follow the character there"""

    bl_idname = "lope.go_to_frame"
    bl_label = "Go to Frame"
    bl_options = {"REGISTER", "INTERNAL"}

    frame: IntProperty(name="Frame", description="The frame to go to")

    def execute(self, context: bpy.types.Context) -> set[str]:
        show_frame(context, self.frame)
        return {"FINISHED"}


def show_frame(context: bpy.types.Context, frame: int) -> None:
    """Go to a frame, and let views that do not see the character in hand there follow it."""
    from ..addon.viewport.into_view import bring_into_view

    context.scene.frame_set(frame)
    armature = active_armature(context)
    if armature is not None:
        bring_into_view(armature, context.window)


def frame_at(time_s: float, armature: bpy.types.Object, scene: bpy.types.Scene) -> int:
    """The scene's frame nearest to a time in an armature's last take."""
    return round(start_frame(armature, scene) + time_s * frame_rate(scene))

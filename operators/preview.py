# SPDX-License-Identifier: GPL-3.0-or-later
"""Button: show the plan now."""

from __future__ import annotations

import bpy

from . import plan_board
from .context import active_armature, poll_armature, reports_errors


class LOPE_OT_preview(bpy.types.Operator):
    """Plan the shot without simulating all of it: footprints, the way of the centre of mass, speed and Froude number"""

    bl_idname = "lope.preview"
    bl_label = "Preview"
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return poll_armature(cls, context)

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        plan = plan_board.make_now(context)
        self.report({"INFO"}, f"{active_armature(context).name}: {plan_board.figures_of(plan)[0]}")
        return {"FINISHED"}

# SPDX-License-Identifier: GPL-3.0-or-later
"""Button: put right one of the things that the doctor found on an armature."""

from __future__ import annotations

import bpy
from bpy.props import StringProperty

from .context import active_armature, poll_armature, reports_errors
from .texts import said


class LOPE_OT_doctor_fix(bpy.types.Operator):
    """Put this right on the armature, in one undo step"""

    bl_idname = "lope.doctor_fix"
    bl_label = "Fix"
    bl_options = {"REGISTER", "UNDO"}

    key: StringProperty(name="Finding", description="Which of the doctor's findings to put right")

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return poll_armature(cls, context)

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        from ..addon.rigs.read.doctor_fixes import fix

        self.report({"INFO"}, said(fix(active_armature(context), self.key, context.scene)))
        return {"FINISHED"}

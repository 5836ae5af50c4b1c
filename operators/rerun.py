# SPDX-License-Identifier: GPL-3.0-or-later
"""Button: simulate again what an action was baked from."""

from __future__ import annotations

import json

import bpy

from ..addon.rigs.bake.provenance import shot_of
from .bake import PRESSURE_KEY
from .baked import baked_action
from .context import active_armature, poll_own_armature, reports_errors
from .pressure import read_again
from .simulate import run_shot
from .texts import words


class LOPE_OT_rerun(bpy.types.Operator):
    """Simulate the shot stored in this armature's action once more; the same shot gives the same motion"""

    bl_idname = "lope.rerun"
    bl_label = "Run Again"
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if not poll_own_armature(cls, context):
            return False
        if baked_action(active_armature(context)) is None:
            cls.poll_message_set(words("The armature's action was not baked by Lope"))
            return False
        return True

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        action = baked_action(active_armature(context))
        if PRESSURE_KEY in action:
            return read_again(self, context, json.loads(action[PRESSURE_KEY]))
        return run_shot(self, context, shot_of(action))

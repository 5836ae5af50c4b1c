# SPDX-License-Identifier: GPL-3.0-or-later
"""Button: simulate again what an action was baked from."""

from __future__ import annotations

import json

import bpy

from ..addon.errors import InputError
from ..addon.specs.shot import Shot
from .context import active_armature, poll_own_armature, reports_errors
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
        return run_shot(self, context, shot_of(baked_action(active_armature(context))))


def baked_action(armature: bpy.types.Object) -> bpy.types.Action | None:
    """The armature's action that Lope baked: its own, or the last pushed down to the NLA; None where there is none."""
    from ..addon.rigs.bake.bake import SHOT_KEY

    data = armature.animation_data
    if data is None:
        return None
    strips = [strip.action for track in reversed(data.nla_tracks) for strip in reversed(track.strips)]
    return next((action for action in (data.action, *strips) if action is not None and SHOT_KEY in action), None)


def shot_of(action: bpy.types.Action) -> Shot:
    """The Shot stored in an action. Raises InputError where it cannot be read."""
    from ..addon.rigs.bake.bake import SHOT_KEY

    try:
        return Shot.from_dict(json.loads(action[SHOT_KEY]))
    except (ValueError, TypeError) as error:
        raise InputError(f"The shot stored in the action {action.name!r} cannot be read: {error}.") from error

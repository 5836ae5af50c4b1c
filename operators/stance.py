# SPDX-License-Identifier: GPL-3.0-or-later
"""Buttons: the stance taken from the armature's present pose; dropped again."""

from __future__ import annotations

import json
from dataclasses import asdict

import bpy

from ..addon.bodies.makers import make_body
from ..addon.rigs.bake.hands import palm_turns
from ..addon.rigs.read.posed import pose_now
from .context import active_armature, poll_own_armature, reports_errors
from .figures import figure_of, plain
from .texts import words

MOVED_M = 0.01
"""A weight that has to be moved farther than this to be over the soles is told of."""


def take_stance(armature: bpy.types.Object, context: bpy.types.Context) -> float:
    """Let the armature's shots stand as it is posed now; gives how far [m] its weight was from being over the soles.
    Raises LopeError for an armature that cannot be read, and a pose that does not stand."""
    from ..addon.controllers.standing.from_pose import stance_from_pose

    figure = figure_of(armature, context.scene)
    body = make_body(figure.body_spec(plain(armature.lope.mass_kg)))
    depsgraph = context.evaluated_depsgraph_get()
    depsgraph.update()
    pose, found = stance_from_pose(body, *pose_now(armature, depsgraph, figure, body, palm_turns(figure)))
    armature.lope.stand_pose = json.dumps(asdict(pose))
    return found.moved_m


class LOPE_OT_stance_from_pose(bpy.types.Operator):
    """Let the character stand as its armature is posed at this frame: feet, weight, trunk and arms. Nothing is keyed"""

    bl_idname = "lope.stance_from_pose"
    bl_label = "From Pose"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return poll_own_armature(cls, context)

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        moved_m = take_stance(active_armature(context), context)
        if moved_m > MOVED_M:
            self.report({"INFO"}, words("It stands as posed; its weight, not over its feet, is brought over them by "
                                        "{moved:.0f} cm", moved=100.0 * moved_m))
        else:
            self.report({"INFO"}, words("It stands as posed"))
        return {"FINISHED"}


class LOPE_OT_stance_drop(bpy.types.Operator):
    """Drop the stance that was posed: the character stands upright again, its feet as the settings say"""

    bl_idname = "lope.stance_drop"
    bl_label = "Drop the Stance"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if not poll_own_armature(cls, context):
            return False
        if not active_armature(context).lope.stand_pose:
            cls.poll_message_set(words("No stance was posed for this armature"))
            return False
        return True

    def execute(self, context: bpy.types.Context) -> set[str]:
        active_armature(context).lope.stand_pose = ""
        return {"FINISHED"}


CLASSES = (LOPE_OT_stance_from_pose, LOPE_OT_stance_drop)

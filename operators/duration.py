# SPDX-License-Identifier: GPL-3.0-or-later
"""Button: give the shot the length that it needs."""

from __future__ import annotations

import math

import bpy
from bpy.props import FloatProperty

from ..addon.specs.shot import DURATION_RANGE_S
from . import notes
from .context import active_armature

STEP_S = 0.5
"""Lengths that are offered are multiples of this."""


def offered_s(needs_s: float) -> float:
    """The length that is offered to a shot that needs at least so much."""
    return STEP_S * math.ceil(needs_s / STEP_S)


class LOPE_OT_set_duration(bpy.types.Operator):
    """Give the shot the length that it needs"""

    bl_idname = "lope.set_duration"
    bl_label = "Set Duration"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    seconds: FloatProperty(name="Duration (s)", description="Length of the simulation", default=10.0,
                           min=DURATION_RANGE_S[0], max=DURATION_RANGE_S[1])

    def execute(self, context: bpy.types.Context) -> set[str]:
        context.scene.lope.duration_s = self.seconds
        armature = active_armature(context)
        if armature is not None:
            notes.drop(armature.session_uid)
        return {"FINISHED"}

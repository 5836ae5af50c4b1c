# SPDX-License-Identifier: GPL-3.0-or-later
"""Button: tune the gait's foot paths for this body and gravity, in the background."""

from __future__ import annotations

import bpy
from bpy.props import IntProperty

from ..addon.bodies.human.suit import load_suit
from ..addon.bodies.makers import make_body
from ..addon.children.protocol import Task
from ..addon.gaits.choice import with_gait
from .context import active_armature, poll_armature, reports_errors, tuning_folder
from .creature_figures import by_creature
from .reflex_settings import by_reflexes
from .shot_builder import make_shot
from .simulate import run_task
from .texts import words

STRIDES = 10
"""Strides over which each variation is judged."""


class LOPE_OT_tune(bpy.types.Operator):
    """Try many small changes of how the feet move and keep what goes best under this gravity. Takes long; finish any time"""

    bl_idname = "lope.tune"
    bl_label = "Tune"
    bl_options = {"REGISTER"}

    iterations: IntProperty(name="Iterations", default=60, min=1, max=10000, soft_max=200,
                            description="Rounds of the search, a dozen variations each; more of them find a better one")

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if not poll_armature(cls, context):
            return False
        if by_reflexes(active_armature(context).lope):
            cls.poll_message_set(words("A reflex walker is searched on the command line: lope tune --gait reflex"))
            return False
        if by_creature(active_armature(context).lope):
            cls.poll_message_set(words("A creature's gait is searched by Find a Gait"))
            return False
        return True

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        asked = make_shot(active_armature(context), context.scene)
        shot = with_gait(asked, make_body(asked.body, load_suit(asked.suit))).to_dict()
        options = {"iterations": self.iterations, "strides": STRIDES}
        return run_task(self, context, Task("tune", shot, str(tuning_folder() / f"{shot['gait']}.json"), options))

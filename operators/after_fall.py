# SPDX-License-Identifier: GPL-3.0-or-later
"""Buttons after a fall: show it, and try again as advised."""

from __future__ import annotations

import bpy

from ..addon.gaits.remedy import SEARCH
from .bake import bake_kept
from .baked import baked_action
from .context import active_armature, poll_own_armature, poll_own_take, reports_errors
from .fall import apply, fall_of
from .gait_search import search_gait
from .go_to_frame import frame_at, show_frame
from .pressure import read_pressure
from .pressure_outcome import found_of
from .shot_builder import make_shot
from .simulate import run_shot
from .texts import words


def is_baked(armature: bpy.types.Object) -> bool:
    """Whether the armature's action holds its last take. Raises LopeError for a take or an action that cannot be read."""
    from ..addon.rigs.bake.provenance import shot_of
    from ..addon.take import Take

    action = baked_action(armature)
    return action is not None and shot_of(action) == Take.load(armature.lope.take_path).shot


class LOPE_OT_show_fall(bpy.types.Operator):
    """Go to the frame at which the character falls, and look there. A take that is not baked yet is baked as far as it goes"""

    bl_idname = "lope.show_fall"
    bl_label = "Show the Fall"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return poll_own_take(cls, context) and _poll_fall(cls, context)

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        armature, scene = active_armature(context), context.scene
        if not is_baked(armature):
            self.report({"INFO"}, bake_kept(armature, scene))
        show_frame(context, frame_at(fall_of(armature).fell_s, armature, scene))
        return {"FINISHED"}


class LOPE_OT_try_again(bpy.types.Operator):
    """Change the one setting that the fall speaks against most, as the button says, and simulate again"""

    bl_idname = "lope.try_again"
    bl_label = "Try Again"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return poll_own_armature(cls, context) and _poll_fall(cls, context)

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        armature = active_armature(context)
        fall = fall_of(armature)
        if fall.remedy.field == SEARCH:
            return search_gait(self, context)
        apply(fall, armature.lope)
        if found_of(armature):
            return read_pressure(self, context)
        return run_shot(self, context, make_shot(armature, context.scene))


def _poll_fall(cls: type[bpy.types.Operator], context: bpy.types.Context) -> bool:
    """Whether the last take of the armature in hand ended in a fall for which the button can do something."""
    fall = fall_of(active_armature(context))
    if fall is None:
        cls.poll_message_set(words("The last take of this armature did not end in a fall"))
        return False
    if cls is LOPE_OT_try_again and fall.remedy is None:
        cls.poll_message_set(words("Nothing is known that would help; see the help page"))
        return False
    return True

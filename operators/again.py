# SPDX-License-Identifier: GPL-3.0-or-later
"""Buttons after a fall: show it, and try again as advised.

Buttons: let the next shot go on from the end of the last take, or start by itself again.

Button: simulate again what an action was baked from.

Button: give the shot the length that it needs.
"""

from __future__ import annotations

import json
import math

import bpy
from bpy.props import FloatProperty

from ..addon.rigs.bake.provenance import frame_rate, shot_of
from ..addon.specs.shot import DURATION_RANGE_S
from . import context as notes
from .bake import PRESSURE_KEY, bake_kept, baked_action, start_frame
from .context import active_armature, allows, poll_own_armature, poll_own_take, reports_errors, words
from .gait_search import search_gait
from .outcomes import apply, fall_of
from .pressure import read_again, read_pressure
from .pressure_outcome import found_of
from .properties import changed
from .shot_builder import make_shot
from .show_plots import frame_at, show_frame
from .simulate import run_shot


def is_baked(armature: bpy.types.Object) -> bool:
    """Whether the armature's action holds its last take. Raises LopeError for a take or an action that cannot be read."""
    from ..addon.rigs.bake.provenance import shot_of
    from ..addon.sim.take import Take

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
        from ..addon.gaits.remedy import SEARCH

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


class LOPE_OT_go_on(bpy.types.Operator):
    """Let the next shot start where this armature's last take ends: pose, speed, place and direction. Then simulate"""

    bl_idname = "lope.go_on"
    bl_label = "Go On from Here"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return poll_own_take(cls, context)

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        from ..addon.sim.sequence import check_end
        from ..addon.sim.take import Take

        armature, scene = active_armature(context), context.scene
        settings = armature.lope
        take = Take.load(settings.take_path)
        check_end(take, settings.take_path)
        settings.after_frame = start_frame(armature, scene) + float(take.time_s[-1] - take.time_s[0]) * frame_rate(scene)
        settings.after_path = settings.take_path
        settings.start = "moving"
        changed()
        self.report({"INFO"}, words("The next shot goes on from frame {frame:.0f}", frame=settings.after_frame))
        return {"FINISHED"}


class LOPE_OT_start_anew(bpy.types.Operator):
    """Let the next shot start by itself again, at the scene's first frame"""

    bl_idname = "lope.start_anew"
    bl_label = "Start Anew"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return poll_own_armature(cls, context) and allows(
            cls, active_armature(context).lope.after_path, words("The shot starts by itself"))

    def execute(self, context: bpy.types.Context) -> set[str]:
        active_armature(context).lope.after_path = ""
        changed()
        return {"FINISHED"}


class LOPE_OT_rerun(bpy.types.Operator):
    """Simulate the shot stored in this armature's action once more; the same shot gives the same motion"""

    bl_idname = "lope.rerun"
    bl_label = "Run Again"
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return poll_own_armature(cls, context) and allows(
            cls, baked_action(active_armature(context)) is not None, words("The armature's action was not baked by Lope"))

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        action = baked_action(active_armature(context))
        if PRESSURE_KEY in action:
            return read_again(self, context, json.loads(action[PRESSURE_KEY]))
        return run_shot(self, context, shot_of(action))


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

# SPDX-License-Identifier: GPL-3.0-or-later
"""Buttons after a fall: show it, and try again as advised.

Buttons: let the next shot go on from the end of the last take, or start by itself again.

Button: simulate again what an action was baked from.

Button: give the shot the length that it needs.

Button: let swing what hangs on an armature.
"""

from __future__ import annotations

import dataclasses
import json
import math

import bpy
from bpy.props import BoolProperty, FloatProperty

from ..addon.errors import InputError, LopeError
from ..addon.rigs.bake.provenance import TAKE_KEY, shot_of
from ..addon.rigs.read.actions import animation_of, frame_rate
from ..addon.specs.motion import digest_of
from ..addon.specs.shot import DURATION_RANGE_S, Shot
from . import context as notes
from . import desk
from .bake import PRESSURE_KEY, bake_kept, baked_action, start_frame
from .context import (
    active_armature,
    allows,
    found_file,
    poll_own_armature,
    poll_own_take,
    reports_errors,
    take_of,
    words,
)
from .gait_search import search_gait
from .outcomes import apply, fall_of
from .pressure import read_again, read_pressure
from .pressure_outcome import found_of
from .properties import changed
from .shot_builder import make_shot, make_world
from .show_plots import frame_at, show_frame
from .simulate import run_shot
from .takes import chosen, is_present, make_present, named, remove, set_back


def is_baked(armature: bpy.types.Object) -> bool:
    """Whether the armature's action holds its last take. Raises LopeError for a take or an action that cannot be read."""
    from ..addon.rigs.bake.provenance import shot_of
    from ..addon.sim.take import Take

    action = baked_action(armature)
    return action is not None and shot_of(action) == Take.load(take_of(armature)).shot


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
    return (allows(cls, fall is not None, words("The last take of this armature did not end in a fall"))
            and allows(cls, cls is not LOPE_OT_try_again or fall.remedy is not None,
                       words("Nothing is known that would help; see the help page")))


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
        file = take_of(armature)
        take = Take.load(file)
        check_end(take, file)
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

    chosen: BoolProperty(name="Chosen Take", default=False, options={"HIDDEN"},
                         description="Simulate the take that is chosen in the list, not the one of the action")

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if not poll_own_armature(cls, context):
            return False
        armature = active_armature(context)
        entry = chosen(armature)
        return allows(cls, baked_action(armature) is not None or (entry is not None and (entry.recipe or entry.pressure)),
                      words("The armature's action was not baked by Lope"))

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        armature = active_armature(context)
        action = baked_action(armature)
        entry = chosen(armature) if self.chosen or action is None else None
        if entry is None and action is None:
            raise InputError("The armature's action was not baked by Lope, and the list of takes is empty: simulate first.")
        laid = action.get(PRESSURE_KEY) if entry is None else entry.pressure if not entry.recipe else None
        if laid is not None:
            laid = json.loads(laid)
            return read_again(self, context, {name: laid[name] for name in ("pressure", "database")})
        shot = shot_of(action) if entry is None else Shot.from_dict(json.loads(entry.recipe))
        if entry is None:
            entry = next((one for one in armature.lope.takes if one.sha256 == action.get(TAKE_KEY)), None)
        return run_shot(self, context, with_after(shot, armature), "" if entry is None else entry.made_by)


def with_after(shot: Shot, armature: bpy.types.Object) -> Shot:
    """A shot that goes on from a take whose file has moved since, with the place where it lies now."""
    after = shot.motion.after
    found = None if after is None else found_file(after.take, armature)
    if found is None or digest_of(found) != after.sha256:
        return shot
    after = dataclasses.replace(after, take=str(found.absolute()))
    return dataclasses.replace(shot, motion=dataclasses.replace(shot.motion, after=after))


class _OnTake:
    """A button on the chosen take of the list."""

    needs_file = True

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if not poll_own_armature(cls, context):
            return False
        armature = active_armature(context)
        entry = chosen(armature)
        if not allows(cls, entry is not None, words("The list of takes is empty")):
            return False
        return not cls.needs_file or allows(cls, found_file(entry.path, armature), words("The file of this take is gone"))


class LOPE_OT_take_use(_OnTake, bpy.types.Operator):
    """Go back to the chosen take: its keys and its settings come back, and plots, dust and Go On are about it"""

    bl_idname = "lope.take_use"
    bl_label = "Go Back to This Take"
    bl_options = {"REGISTER", "UNDO"}

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        armature = active_armature(context)
        before, entry = armature.lope.take_path, chosen(armature)
        make_present(armature, named(entry.path))
        try:
            told = bake_kept(armature, context.scene)
        except (LopeError, RuntimeError):
            if any(named(one.path) == named(before) for one in armature.lope.takes):
                make_present(armature, named(before))
            raise
        if entry.made_by:
            set_back(armature, context.scene, entry.made_by)
        notes.drop(armature.session_uid)
        desk.tell_renewed(armature)
        self.report({"INFO"}, told)
        return {"FINISHED"}


class LOPE_OT_take_remove(_OnTake, bpy.types.Operator):
    """Take the chosen take off the list. Its file goes when the .blend is saved, unless another .blend lies there"""

    bl_idname = "lope.take_remove"
    bl_label = "Delete Take"
    bl_options = {"REGISTER", "UNDO"}
    needs_file = False

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        armature = active_armature(context)
        entry = chosen(armature)
        was_present = is_present(armature, entry)
        remove(armature, entry)
        if was_present:
            desk.tell_renewed(armature)
        return {"FINISHED"}


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


class LOPE_OT_swing(bpy.types.Operator):
    """Let hair, hoses, straps and tails swing in this action, also one of your own, by the gravity and the air of the world"""

    bl_idname = "lope.swing"
    bl_label = "Swing"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return poll_own_armature(cls, context) and allows(
            cls, animation_of(active_armature(context)).action, words("This armature has no action of its own"))

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        from ..addon.rigs.bake.hang import hang_anew

        armature = active_armature(context)
        hung = hang_anew(armature, context.scene, make_world(context.scene))
        told = words("{count} chains swing in {name}: {bones}", count=len(hung.chains), name=hung.action.name,
                     bones=", ".join(hung.chains))
        if hung.left:
            told = words("{text}. {count} that keys of yours move were left as they are", text=told, count=len(hung.left))
        notes.drop(armature.session_uid)
        self.report({"INFO"}, told)
        return {"FINISHED"}

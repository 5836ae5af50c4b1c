# SPDX-License-Identifier: GPL-3.0-or-later
"""Buttons: a state's pose shown on the armature, to be changed with Blender's own tools; taken back into the state; left.

Nothing is keyed. How the armature stood is kept in its settings meanwhile, and so in the file and in every undo step.
"""

from __future__ import annotations

import contextlib
import json
import math
from dataclasses import asdict
from typing import TYPE_CHECKING

import bpy
from bpy.app.translations import pgettext_iface

from ..addon.errors import InputError
from ..addon.specs.bake_options import BakeOptions
from ..addon.specs.pose_gait import PoseState
from . import driving
from .context import active_armature, allows, poll_own_armature, reports_errors, words
from .figures import figure_of, plain
from .pose_gait_settings import LopePoseState, fill_state, gait_in, state_in
from .properties import changed

if TYPE_CHECKING:
    from ..addon.locomotion.key_poses.shown import Posed


def chosen_state(armature: bpy.types.Object) -> int:
    """The place of the state that is chosen. Raises InputError where there are none."""
    own = armature.lope.own_gait
    if not own.states:
        raise InputError("This character has no key poses of its own yet; choose a gait under Key Poses and press Edit.")
    return min(max(own.state_index, 0), len(own.states) - 1)


def show(armature: bpy.types.Object, context: bpy.types.Context) -> None:
    """Show the chosen state's pose on the armature. Raises LopeError where it cannot be posed."""
    from ..addon.bodies.human.body import Human
    from ..addon.locomotion.key_poses.shown import pose_of
    from ..addon.rigs.bake.live import LivePose, kept_pose

    settings, scene = armature.lope, context.scene
    at, gait = chosen_state(armature), gait_in(settings.own_gait)
    if gait.curves is not None:
        raise InputError(f"{gait.name} goes along the curves of a clip: its states have no poses to be shown.")
    figure = figure_of(armature, scene)
    body = Human.from_landmarks(figure.landmarks, plain(settings.mass_kg))
    kept = json.loads(settings.pose_kept) if settings.pose_kept else {
        **kept_pose(armature, figure), "mode": armature.mode, "auto_key": scene.tool_settings.use_keyframe_insert_auto}
    live = LivePose(armature, scene, figure, body, BakeOptions(controls="fk"))
    live.show(*pose_of(body, gait, gait.states[at]))
    settings.pose_kept, settings.pose_state = json.dumps(kept), at
    settings.pose_shown = json.dumps(asdict(now_posed(armature, context, gait.states[at])))
    scene.tool_settings.use_keyframe_insert_auto = False
    _enter(armature, context, "POSE")


def now_posed(armature: bpy.types.Object, context: bpy.types.Context, state: PoseState) -> Posed:
    """How the armature is posed now, as a state has it."""
    from ..addon.bodies.human.body import Human
    from ..addon.locomotion.key_poses.shown import posed
    from ..addon.rigs.bake.hands import palm_turns
    from ..addon.rigs.read.poses import pose_now

    figure = figure_of(armature, context.scene)
    body = Human.from_landmarks(figure.landmarks, plain(armature.lope.mass_kg))
    depsgraph = context.evaluated_depsgraph_get()
    depsgraph.update()
    return posed(body, *pose_now(armature, depsgraph, figure, body, palm_turns(figure)), state.swing or "R")


def take(armature: bpy.types.Object, context: bpy.types.Context) -> tuple[dict[str, tuple[float, float]], bool]:
    """Write what was changed in the pose into the state that was shown; gives what had to be cut, and whether a standing thigh
    was turned, which no state draws."""
    from ..addon.locomotion.key_poses.shown import Posed, standing_thigh_turned, taken

    settings = armature.lope
    own = settings.own_gait
    if settings.pose_state >= len(own.states):
        raise InputError("The state whose pose was shown has been removed; leave the pose.")
    entry = own.states[settings.pose_state]
    state, shown = state_in(entry, own.symmetric), json.loads(settings.pose_shown)
    now = now_posed(armature, context, state)
    before = Posed(shown["angles"], shown["upper"])
    state, cut = taken(state, before, now)
    fill_state(entry, state)
    changed()
    return cut, standing_thigh_turned(state, before, now)


def leave(armature: bpy.types.Object, context: bpy.types.Context) -> None:
    """Let the armature stand as it stood before."""
    from ..addon.rigs.bake.live import put_back

    kept = json.loads(armature.lope.pose_kept)
    armature.lope.pose_kept = armature.lope.pose_shown = ""
    put_back(armature, kept)
    context.scene.tool_settings.use_keyframe_insert_auto = kept["auto_key"]
    _enter(armature, context, kept["mode"])


def _enter(armature: bpy.types.Object, context: bpy.types.Context, mode: str) -> None:
    """Make the armature active in a mode, where the view layer has it to be seen."""
    if armature.mode == mode or context.view_layer.objects.get(armature.name) is None:
        return
    with contextlib.suppress(RuntimeError):  # hidden: it is posed all the same, its bones cannot be picked
        if context.object is not None and context.object is not armature and context.object.mode != "OBJECT":
            bpy.ops.object.mode_set(mode="OBJECT")
        context.view_layer.objects.active = armature
        armature.select_set(True)
        bpy.ops.object.mode_set(mode=mode)


def is_posed(armature: bpy.types.Object) -> bool:
    """Whether a state's pose is shown on the armature."""
    return bool(armature.lope.pose_kept)


class LOPE_OT_pose_on_rig(bpy.types.Operator):
    """Show the chosen state's pose on the armature, to change it there with Blender's own tools. Nothing is keyed, and it \
stands as before when you take or leave the pose"""

    bl_idname = "lope.pose_on_rig"
    bl_label = "Pose on Rig"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return (poll_own_armature(cls, context)
                and allows(cls, driving.going is None, words("The character is driven; stop that first"))
                and allows(cls, active_armature(context).lope.own_gait.states,
                           words("This character has no key poses of its own")))

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        show(active_armature(context), context)
        return {"FINISHED"}


class _Posed:
    """Of an armature on which a pose is shown."""

    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return poll_own_armature(cls, context) and allows(
            cls, is_posed(active_armature(context)), words("No key pose is shown on this armature"))


class LOPE_OT_take_from_rig(_Posed, bpy.types.Operator):
    """Write the pose of the armature into the state, and let the armature stand as before. The standing thigh is not taken: \
it follows from the balance"""

    bl_idname = "lope.take_from_rig"
    bl_label = "Take from Rig"

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        armature = active_armature(context)
        cut, turned = take(armature, context)
        leave(armature, context)
        names = LopePoseState.bl_rna.properties
        for name, (angle, held) in cut.items():
            self.report({"WARNING"}, words("State {state}: the {joint} was posed at {angle:.0f}°, and is taken as {held:.0f}°",
                                           state=armature.lope.pose_state + 1, joint=pgettext_iface(names[name].name).lower(),
                                           angle=math.degrees(angle), held=math.degrees(held)))
        if turned:
            self.report({"WARNING"}, words("The standing thigh follows from the balance and is not taken"))
        return {"FINISHED"}


class LOPE_OT_leave_rig(_Posed, bpy.types.Operator):
    """Let the armature stand as before, and the state as it is"""

    bl_idname = "lope.leave_rig"
    bl_label = "Leave"

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        leave(active_armature(context), context)
        return {"FINISHED"}

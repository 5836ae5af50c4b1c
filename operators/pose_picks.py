# SPDX-License-Identifier: GPL-3.0-or-later
"""Buttons: pick the poses that a gait is to be made of, frames of actions; drop one.

Button: make a gait of the picked poses, in the background.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import bpy
from bpy.props import EnumProperty

from ..addon.errors import InputError
from ..addon.gaits.pose_gaits import pose_gait_names
from ..addon.rigs.read.actions import curves_of, frame_rate
from ..addon.specs.pose_gait import pose_gait_file
from ..addon.specs.settings import named_file, names_in
from .context import OnOwnArmature, active_armature, allows, poll_own_armature, pose_gaits_folder, reports_errors, words
from .figures import figure_of, plain
from .simulate import run_task

if TYPE_CHECKING:
    from ..addon.rigs.shots.action_clip import Drawn

FROM = (("NOW", "Pose as It Is", "The pose that the character is in now, kept as an action of one frame"),
        ("FRAME", "Present Frame", "The present frame of the character's action"),
        ("MARKERS", "Markers", "The frames of the timeline's markers, those that are selected if any are, and of the action's "
                               "own"))
TURNS = {"QUATERNION": "rotation_quaternion", "AXIS_ANGLE": "rotation_axis_angle"}
"""Channel of a bone's rotation by its mode; the others are Euler angles."""


def drawn_of(settings: bpy.types.PropertyGroup) -> list[Drawn]:
    """The picked poses. Raises InputError where one has no action."""
    from ..addon.rigs.shots.action_clip import Drawn

    for i, pick in enumerate(settings.pose_picks, 1):
        if pick.action is None:
            raise InputError(f"Pose {i} of the list has no action any more: choose one, or remove it.")
    return [Drawn(pick.action, pick.frame) for pick in settings.pose_picks]


def of_several_actions(settings: bpy.types.PropertyGroup) -> bool:
    """Whether the picked poses have no time in common."""
    return len({pick.action for pick in settings.pose_picks}) > 1


class LOPE_OT_pose_pick(OnOwnArmature, bpy.types.Operator):
    """Add poses to the list that a gait is made of"""

    bl_idname = "lope.pose_pick"
    bl_label = "Add Pose"
    bl_options = {"REGISTER", "UNDO"}

    source: EnumProperty(name="From", items=FROM, description="Where the pose is taken from")

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        from ..addon.motions.key_poses import MOST_POSES

        armature = active_armature(context)
        if self.source == "NOW":
            picked = [(_kept(armature), 1)]
        else:
            action = armature.animation_data.action if armature.animation_data is not None else None
            if action is None:
                raise InputError(f"{armature.name} has no action whose frames could be picked: key the poses, or add the pose as "
                                 "it is.")
            frames = [context.scene.frame_current] if self.source == "FRAME" else _marked(context.scene, action)
            picked = [(action, frame) for frame in frames]
        settings = armature.lope
        if len(settings.pose_picks) + len(picked) > MOST_POSES:
            raise InputError(f"A gait takes at most {MOST_POSES} key poses: remove some from the list first.")
        for action, frame in picked:
            entry = settings.pose_picks.add()
            entry.action, entry.frame = action, frame
        settings.pose_pick_index = len(settings.pose_picks) - 1
        return {"FINISHED"}


def _marked(scene: bpy.types.Scene, action: bpy.types.Action) -> list[int]:
    """Frames of markers within an action. Raises InputError where there are none."""
    from ..addon.rigs.shots.action_clip import frames_of

    first, last = frames_of(action)
    chosen = [marker for marker in scene.timeline_markers if marker.select] or list(scene.timeline_markers)
    frames = sorted({marker.frame for marker in (*chosen, *action.pose_markers) if first <= marker.frame <= last})
    if not frames:
        raise InputError(f"No marker stands within the action {action.name!r}, frames {first} to {last}: press M on the timeline "
                         "at each pose.")
    return frames


def _kept(armature: bpy.types.Object) -> bpy.types.Action:
    """An action of one frame with the pose that an armature is in."""
    data = armature.animation_data_create()
    before, slot = data.action, data.action_slot
    try:
        data.action = action = bpy.data.actions.new(f"{armature.name} {words('pose')}")
        action.use_fake_user = True
        for bone in armature.pose.bones:
            for channel in ("location", TURNS.get(bone.rotation_mode, "rotation_euler"), "scale"):
                bone.keyframe_insert(channel, frame=1)
    finally:
        data.action = before
        if before is not None and slot is not None:
            data.action_slot = slot
    for curve in curves_of(action):
        curve.update()
    return action


class LOPE_OT_pose_drop(bpy.types.Operator):
    """Remove the chosen pose from the list; its action stays"""

    bl_idname = "lope.pose_drop"
    bl_label = "Remove Pose"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return poll_own_armature(cls, context) and allows(
            cls, active_armature(context).lope.pose_picks, words("The list is empty"))

    def execute(self, context: bpy.types.Context) -> set[str]:
        settings = active_armature(context).lope
        at = min(settings.pose_pick_index, len(settings.pose_picks) - 1)
        settings.pose_picks.remove(at)
        settings.pose_pick_index = max(at - 1, 0)
        return {"FINISHED"}


class LOPE_OT_gait_from_poses(bpy.types.Operator):
    """Search, in the background, for the gait that comes nearest to these poses and walks. Takes some minutes; finish any time"""

    bl_idname = "lope.gait_from_poses"
    bl_label = "Make Gait from Poses"
    bl_options = {"REGISTER"}

    evaluations: bpy.props.IntProperty(name="Trials", default=100, min=0, max=100000, soft_max=1000,
                                       description="How many gaits are tried; more of them come nearer to the poses")

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return poll_own_armature(cls, context) and allows(
            cls, len(active_armature(context).lope.pose_picks) >= 2, words("Pick two poses or more first"))

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        from ..addon.children.protocol import Task
        from ..addon.motions.key_poses import gait_of
        from ..addon.rigs.shots.action_clip import read_poses

        armature, scene = active_armature(context), context.scene
        settings = armature.lope
        figure = figure_of(armature, scene)
        poses = read_poses(armature, figure, drawn_of(settings), frame_rate(scene), plain(settings.poses_apart_s))
        name = free_name(settings.poses_name.strip() or "my gait")
        source = f"poses of {', '.join(dict.fromkeys(pick.action.name for pick in settings.pose_picks))}"
        gait = gait_of(poses, name, source)
        if settings.poses_use_speed:
            gait = dataclasses.replace(gait, speed_m_s=plain(settings.poses_speed_m_s))
        options = {"poses": pose_gait_file(gait), "evaluations": self.evaluations, "seed": settings.seed,
                   "body": dataclasses.asdict(figure.body_spec(plain(settings.mass_kg)))}
        return run_task(self, context, Task("poses", {}, str(named_file(pose_gaits_folder(), "gait", name)), options))


def free_name(name: str) -> str:
    """The name, with a number where a gait is called so already."""
    taken = {one.casefold() for one in (*pose_gait_names(), *names_in(pose_gaits_folder()))}
    found, number = name, 2
    while found.casefold() in taken:
        found, number = f"{name} {number}", number + 1
    return found

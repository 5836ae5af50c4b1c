# SPDX-License-Identifier: GPL-3.0-or-later
"""Poses keyed on the astronaut: bones turned as the segments are, the lower foot on the ground, one action a set."""

from __future__ import annotations

import bpy
import numpy as np

from lope.addon.bodies.human.landmarks import neutral_alignments
from lope.addon.maths.quaternions import matrix_from_quat, quat_from_matrix, quat_from_rotvec
from lope.addon.rigs.read.armature import read_figure
from lope.addon.rigs.read.figure import Figure

from .sets import Pose, PoseSet


def key_set(armature: bpy.types.Object, name: str, poses: PoseSet, first: int = 1) -> bpy.types.Action:
    """An action of that name with both poses, the first one at a frame; the armature is left with it."""
    action = bpy.data.actions.new(name)
    action.use_fake_user = True
    armature.animation_data_create().action = action
    figure = read_figure(armature)
    for frame, pose in ((first, poses.passing), (first + poses.apart, poses.landing)):
        set_pose(armature, figure, pose)
        for bone in armature.pose.bones:
            bone.keyframe_insert("rotation_quaternion", frame=frame)
        armature.pose.bones[figure.bone_of["pelvis"]].keyframe_insert("location", frame=frame)
    return action


def set_pose(armature: bpy.types.Object, figure: Figure, pose: Pose) -> None:
    """Pose an armature whose bones are the segments, its lower ankle as high as at rest. Raises KeyError for a joint that it
    lacks."""
    turns = _orientations(figure, pose)
    placed: dict[str, np.ndarray] = {}
    align = neutral_alignments(figure.points)
    segment_of = {bone: segment for segment, bone in figure.bone_of.items()}
    for bone in figure.bones:
        segment = segment_of[bone.name]
        placed[bone.name] = figure.axes @ turns[segment] @ align[segment] @ figure.axes.T @ bone.rotation
        rest, parent = bone.rotation, figure.bone.get(bone.parent or "")
        local, posed = (rest, placed[bone.name]) if parent is None else (
            parent.rotation.T @ rest, placed[parent.name].T @ placed[bone.name])
        target = armature.pose.bones[bone.name]
        target.rotation_mode = "QUATERNION"
        target.rotation_quaternion = quat_from_matrix(local.T @ posed)
        target.location = (0.0, 0.0, 0.0)
    bpy.context.view_layer.update()
    feet = [armature.pose.bones[figure.bone_of[f"foot_{side}"]].head.z for side in "LR"]
    root = figure.bone[figure.bone_of["pelvis"]]
    down = min(feet) - figure.bone[figure.bone_of["foot_L"]].head[2]
    armature.pose.bones[root.name].location = root.rotation.T @ np.array([0.0, 0.0, -down])
    bpy.context.view_layer.update()


def _orientations(figure: Figure, pose: Pose) -> dict[str, np.ndarray]:
    """Orientation (3, 3) of every segment in the body's axes."""
    unknown = set(pose) - set(figure.bone_of)
    if unknown:
        raise KeyError(f"no joints {', '.join(sorted(unknown))}")
    segment_of, found = {bone: segment for segment, bone in figure.bone_of.items()}, {}
    for bone in figure.bones:
        segment = segment_of[bone.name]
        turn = matrix_from_quat(quat_from_rotvec(np.radians(np.array(pose.get(segment, (0.0, 0.0, 0.0)), dtype=float))))
        found[segment] = turn if bone.parent is None else found[segment_of[bone.parent]] @ turn
    return found

# SPDX-License-Identifier: GPL-3.0-or-later
"""Bake a Take on an armature: a new action in its bones' own rotation modes, at the scene's frame rate, root motion on."""

from __future__ import annotations

import json
from collections.abc import Mapping

import bpy
import numpy as np

from ..errors import RigError
from ..take import Take
from .action import ActionWriter, key_kinds
from .figure import RestBone
from .pose import BoneChannels, Motion, resampled, solve
from .read import read_figure
from .rotation import channels

CONSTRAINTS_KEY = "lope_constraints"
"""Property of a baked action: JSON of the influences (constraint's path -> value) that the action holds at 0."""

SHOT_KEY = "lope_shot"
"""Property of a baked action: JSON of the Shot that made the take."""

_REST = {
    "rotation_quaternion": (1.0, 0.0, 0.0, 0.0),
    "rotation_axis_angle": (0.0, 0.0, 1.0, 0.0),
    "rotation_euler": (0.0, 0.0, 0.0),
}


def bake_take(armature: bpy.types.Object, take: Take, *, name: str | None = None, start_frame: int = 1,
              bone_map: Mapping[str, str] | None = None, scene: bpy.types.Scene | None = None) -> bpy.types.Action:
    """Write the take's motion on the armature as a new action, and make it the armature's action.

    The take's first sample falls on `start_frame`; one key a frame at the scene's rate, marked GENERATED, or EXTREME where a
    foot strikes; pose markers name strikes and offs. The hips carry the root motion, away from where the figure stands at
    rest and the way it faces. On the figure that the take's body was made from every joint stands where it was simulated;
    on another one bones turn as simulated and the path scales by leg length. Constraints of the baked bones are held at
    influence 0 by the action. The old action keeps a fake user; an armature shown in its rest position is set to show its
    pose; nothing else is touched. Raises RigError before anything is written.
    """
    scene = scene or bpy.context.scene
    figure = read_figure(armature, bone_map, scene)
    _check_free(armature)
    frames, motion = _at_frames(take, scene, start_frame)
    solved = solve(figure, take.body, motion)
    _check_drivers(armature, solved)
    events = _events(take, scene, start_frame, frames)
    writer = ActionWriter(name or f"{armature.name} {take.shot.gait} {take.shot.world.name}", armature)
    kinds = key_kinds(frames, [frame for frame, label in events if label.endswith("strike")])
    for bone_name, found in solved.items():
        _write_bone(writer, armature, figure.bone[bone_name], found, frames, kinds)
    _hold_constraints(writer, armature, solved, int(frames[0]))
    for frame, label in events:
        writer.mark(label, frame)
    writer.action[SHOT_KEY] = json.dumps(take.shot.to_dict(), sort_keys=True)
    writer.action.use_frame_range = True
    writer.action.frame_start, writer.action.frame_end = float(frames[0]), float(frames[-1])
    writer.assign(armature)
    if armature.data.pose_position != "POSE":
        armature.data.pose_position = "POSE"
    return writer.action


def frame_rate(scene: bpy.types.Scene) -> float:
    """Frames a second of a scene."""
    return scene.render.fps / scene.render.fps_base


def _at_frames(take: Take, scene: bpy.types.Scene, start_frame: int) -> tuple[np.ndarray, Motion]:
    """Frame numbers (T,) and the take's motion at them."""
    time = take.time_s
    for part in ("root_position_m", "root_quaternion", "joint_quaternions"):
        if not np.all(np.isfinite(take.arrays[part])):
            raise RigError(f"This take cannot be baked: its {part} holds values that are not finite; simulate again.")
    rate = frame_rate(scene)
    count = int(np.floor((time[-1] - time[0]) * rate + 1e-6)) + 1
    motion = Motion(take.root_position_m, take.root_quaternion, take.joint_quaternions)
    return start_frame + np.arange(count), resampled(time, motion, time[0] + np.arange(count) / rate)


def _events(take: Take, scene: bpy.types.Scene, start_frame: int, frames: np.ndarray) -> list[tuple[int, str]]:
    """Frame and label ("L strike", "R off") of every foot event within the baked frames."""
    found = []
    for time, kind, side in zip(take.event_time_s, take.event_kind, take.event_side):
        frame = int(np.rint(start_frame + (float(time) - float(take.time_s[0])) * frame_rate(scene)))
        if frames[0] <= frame <= frames[-1]:
            found.append((frame, f"{'LR'[int(side)]} {('strike', 'off')[int(kind)]}"))
    return found


def _write_bone(writer: ActionWriter, armature: bpy.types.Object, bone: RestBone, found: BoneChannels, frames: np.ndarray,
                kinds: np.ndarray) -> None:
    """Curves of one bone; what stays at rest gets one key, so that no earlier pose shines through."""
    pose_bone = armature.pose.bones[bone.name]
    first = frames[:1]
    still = np.array([[1.0, 0.0, 0.0, 0.0]])
    prop, values = channels(still if found.rotation is None else found.rotation, bone.mode)
    if found.rotation is None:
        writer.write(pose_bone.path_from_id(prop), bone.name, first, np.array([_REST[prop]]), kinds[:1])
    else:
        writer.write(pose_bone.path_from_id(prop), bone.name, frames, values, kinds)
    if found.location is not None:
        writer.write(pose_bone.path_from_id("location"), bone.name, frames, found.location, kinds)
    elif not bone.connected:
        writer.write(pose_bone.path_from_id("location"), bone.name, first, np.zeros((1, 3)), kinds[:1])
    writer.write(pose_bone.path_from_id("scale"), bone.name, first, np.ones((1, 3)), kinds[:1])


def _hold_constraints(writer: ActionWriter, armature: bpy.types.Object, solved: Mapping[str, BoneChannels],
                      frame: int) -> None:
    """Key the influence of every working constraint of the baked bones to 0 and note what it was before any bake."""
    data = armature.animation_data
    earlier = json.loads(data.action.get(CONSTRAINTS_KEY, "{}")) if data is not None and data.action is not None else {}
    held = {}
    for bone_name in solved:
        for constraint in armature.pose.bones[bone_name].constraints:
            path = constraint.path_from_id("influence")
            influence = earlier.get(path, constraint.influence)
            if not constraint.mute and influence > 0.0:
                held[path] = influence
                writer.write(path, bone_name, np.array([frame]), np.zeros(1), interpolation="CONSTANT")
    if held:
        writer.action[CONSTRAINTS_KEY] = json.dumps(held, sort_keys=True)


def _check_free(armature: bpy.types.Object) -> None:
    """Raises RigError where the armature cannot take an action now."""
    if armature.library is not None:
        raise RigError(f"Armature {armature.name!r} is linked from {armature.library.filepath}; make a library override of "
                       "it first.")
    data = armature.animation_data
    if data is not None and data.use_tweak_mode:
        raise RigError(f"Armature {armature.name!r} is in tweak mode in the NLA editor; leave tweak mode first.")


def _check_drivers(armature: bpy.types.Object, solved: Mapping[str, BoneChannels]) -> None:
    """Raises RigError where a driver rules a channel that has to be baked."""
    data = armature.animation_data
    for driver in data.drivers if data is not None else ():
        for bone_name in solved:
            path = armature.pose.bones[bone_name].path_from_id()
            if driver.data_path in (f"{path}.{p}" for p in (*_REST, "location", "scale")) and not driver.mute:
                raise RigError(f"Bone {bone_name!r} of {armature.name!r} is moved by a driver ({driver.data_path}), which "
                               "keys cannot overrule; remove or mute the driver before baking.")

# SPDX-License-Identifier: GPL-3.0-or-later
"""Bones of a pose turned on from where an action has them, and the keys that this takes: only of limbs that move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Euler, Matrix, Quaternion

from ...maths.quaternions import matrix_from_quat, quat_rotate
from ..read.figure import Figure
from .action import ActionWriter, Keys, key_kinds
from .chosen import same_limb
from .controls import build_chain
from .held import hold_constraints
from .own_motion import OwnMotion
from .rotation import axis_angles

Values = Mapping[tuple[str, int], float]
"""What curves show at a frame, by path and index."""

STILL_RAD, STILL_SHARE = np.radians(0.05), 1e-4
"""A bone that turns by less, or moves by a smaller share of the figure's height, is left as it is."""
_PROPERTIES = {"QUATERNION": "rotation_quaternion", "AXIS_ANGLE": "rotation_axis_angle"}


@dataclass(frozen=True)
class Posed:
    """Bones as an action poses them: matrices (T, 4, 4) in armature space by name; and the way (T, 4, 4) from there to armature
    space as it stands in the action's first frame."""

    poses: dict[str, np.ndarray]
    way: np.ndarray

    def part(self, rows: slice) -> Posed:
        """Some of its frames."""
        return Posed({bone: pose[rows] for bone, pose in self.poses.items()}, self.way[rows])


@dataclass(frozen=True)
class BoneKeys:
    """Values of a bone's property: its path and `values` (T, C); `before` (C,) is what it shows where no curve moves it."""

    bone: str
    path: str
    values: np.ndarray
    before: np.ndarray


def keys_of(armature: bpy.types.Object, figure: Figure, posed: Posed, away: dict[str, np.ndarray], motion: OwnMotion,
            values: Values) -> list[BoneKeys]:
    """What the bones need that a motion turns away from rest so: segment -> (T, 4), armature space as in the first frame of all.
    Bones between and below keep to those that carry them, as in the action, whose curves have these `values` in the first row."""
    final = _final(figure, posed, away, motion)
    bases = {name: (_bases(armature, name, posed.poses), _bases(armature, name, final)) for name in figure.bone_of.values()}
    small = STILL_SHARE * figure.height_m * figure.units_per_m
    moving = {segment for segment, name in figure.bone_of.items() if _moves(*bases[name], small)}
    found = []
    for segment, name in figure.bone_of.items():
        if any(same_limb(segment, other) for other in moving):
            found += _keys(armature.pose.bones[name], *bases[name], values, moved=segment == "pelvis")
    return found


def write_keys(writer: ActionWriter, armature: bpy.types.Object, figure: Figure, tracks: Sequence[BoneKeys],
               frames: np.ndarray) -> None:
    """Write them, with the constraints of their bones held off meanwhile."""
    kinds = key_kinds(frames, ())
    for track in tracks:
        for index in range(track.values.shape[1]):
            writer.write(track.path, track.bone, index, Keys(frames, track.values[:, index], kinds), float(track.before[index]))
    chain = build_chain(figure, frozenset(figure.bone_of), ik=False, root=False)
    hold_constraints(writer, armature, chain, {track.bone for track in tracks}, float(frames[0]))


def _final(figure: Figure, posed: Posed, away: dict[str, np.ndarray], motion: OwnMotion) -> dict[str, np.ndarray]:
    """The pose (T, 4, 4) of every bone, armature space."""
    segments = {bone: segment for segment, bone in figure.bone_of.items()}
    there = np.linalg.inv(posed.way)
    final: dict[str, np.ndarray] = {}
    for bone in figure.bones:
        before = posed.poses[bone.name]
        if bone.parent is None:
            pose = before.copy()
        else:
            pose = final[bone.parent] @ np.linalg.inv(posed.poses[bone.parent]) @ before
            if not bone.inherits_rotation:
                pose[:, :3, :3] = before[:, :3, :3]
        segment = segments.get(bone.name)
        if segment in away:
            turn = matrix_from_quat(away[segment])
            size = np.linalg.norm(before[:, :3, :3], axis=1)[:, None, :]
            pose[:, :3, :3] = there[:, :3, :3] @ turn @ bone.rotation * size
            if segment == "pelvis":
                joint = figure.origin + figure.units_per_m * (figure.axes @ figure.points["pelvis"])
                offset = np.broadcast_to(bone.head - joint, (len(turn), 3))
                head = figure.in_armature(motion.places[:, 0]) + quat_rotate(away[segment], offset)
                pose[:, :3, 3] = np.einsum("tij,tj->ti", there[:, :3, :3], head) + there[:, :3, 3]
        final[bone.name] = pose
    return final


def _bases(armature: bpy.types.Object, name: str, poses: dict[str, np.ndarray]) -> list[Matrix]:
    """The bone's own matrices that give these poses."""
    bone = armature.data.bones[name]
    if bone.parent is None:
        return [bone.convert_local_to_pose(Matrix(pose), bone.matrix_local, invert=True) for pose in poses[name]]
    return [bone.convert_local_to_pose(Matrix(pose), bone.matrix_local, parent_matrix=Matrix(above),
                                       parent_matrix_local=bone.parent.matrix_local, invert=True)
            for pose, above in zip(poses[name], poses[bone.parent.name], strict=True)]


def _moves(before: list[Matrix], after: list[Matrix], small: float) -> bool:
    """Whether any frame's matrix is another one."""
    return any(one.to_quaternion().rotation_difference(other.to_quaternion()).angle > STILL_RAD
               or (one.translation - other.translation).length > small for one, other in zip(before, after, strict=True))


def _keys(bone: bpy.types.PoseBone, before: list[Matrix], after: list[Matrix], values: Values, moved: bool) -> list[BoneKeys]:
    """A bone's rotation, and its place where it is `moved`, going on from the action's own values."""
    prop = _PROPERTIES.get(bone.rotation_mode, "rotation_euler")
    path = bone.path_from_id(prop)
    shown = _rotations(prop, bone.rotation_mode, before[:1], np.array(getattr(bone, prop), float))[0]
    start = np.array([values.get((path, index), value) for index, value in enumerate(shown)])
    found = [BoneKeys(bone.name, path, _rotations(prop, bone.rotation_mode, after, start), start)]
    if moved:
        places = np.array([matrix.translation for matrix in after])
        found.append(BoneKeys(bone.name, bone.path_from_id("location"), places, np.array(before[0].translation)))
    return found


def _rotations(prop: str, mode: str, matrices: list[Matrix], start: np.ndarray) -> np.ndarray:
    """Values (T, C) of a rotation property, each as near as can be to the one before, the first to `start`."""
    if prop == "rotation_axis_angle":
        return axis_angles(np.array([matrix.to_quaternion() for matrix in matrices]))
    values: list[Euler | Quaternion] = []
    last: Euler | Quaternion = Euler(start, mode) if prop == "rotation_euler" else Quaternion(start)
    for matrix in matrices:
        if isinstance(last, Euler):
            last = matrix.to_euler(mode, last)
        else:
            last = _near(matrix.to_quaternion(), last)
        values.append(last)
    return np.array(values)


def _near(turn: Quaternion, last: Quaternion) -> Quaternion:
    """The one of the two quaternions of a turn that is nearer to another."""
    return turn if turn.dot(last) >= 0.0 else -turn

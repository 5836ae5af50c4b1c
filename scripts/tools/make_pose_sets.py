# SPDX-License-Identifier: GPL-3.0-or-later
"""Make OUT.blend: the astronaut with one action a set of key poses, to make gaits of.

    scripts/tools/make_pose_sets.py OUT.blend
    lope poses --blend OUT.blend --action swagger --frames 1,7 --out swagger.json
"""

from __future__ import annotations

from lope.scripts.tools.common import parser_of

# isort: split
import sys
from dataclasses import dataclass
from pathlib import Path

import bpy
import numpy as np

from lope.addon.bodies.human.landmarks import neutral_alignments
from lope.addon.maths.rotations import matrix_from_quat, quat_from_matrix, quat_from_rotvec
from lope.addon.rigs.read.armature import read_figure
from lope.addon.rigs.read.blend_file import save_copy
from lope.addon.rigs.read.figure import Figure
from lope.addon.rigs.shots.open_rig import open_rig

FPS = 24


def main() -> int:
    """Key the sets and write the file."""
    parser = parser_of(__doc__)
    parser.add_argument("out", type=Path, metavar="OUT.blend")
    out = parser.parse_args().out
    armature = open_rig(None, None)
    bpy.context.scene.render.fps = FPS
    for name, poses in SETS.items():
        key_set(armature, name, poses)
        print(f"{name}: frames 1,{1 + poses.apart}")
    save_copy(out)
    return 0


Pose = dict[str, tuple[float, float, float]]


@dataclass(frozen=True)
class PoseSet:
    """Two poses, and how many frames of 24 a second lie between them."""

    passing: Pose
    landing: Pose
    apart: int


SWAGGER = PoseSet(
    passing={"pelvis": (0, -6, 0), "chest": (0, -6, -8), "head": (0, 8, 6),
             "thigh_R": (-4, -38, 0), "shank_R": (0, 62, 0), "foot_R": (0, 5, 0),
             "thigh_L": (4, 8, 0), "shank_L": (0, 8, 0), "foot_L": (0, -8, 0),
             "upper_arm_L": (32, -22, 0), "forearm_L": (0, -50, 0), "upper_arm_R": (-32, 18, 0), "forearm_R": (0, -40, 0)},
    landing={"pelvis": (0, -6, 0), "chest": (0, -6, 14), "head": (0, 8, -8),
             "thigh_R": (-6, -28, 0), "shank_R": (0, 6, 0), "foot_R": (0, -8, 0),
             "thigh_L": (4, 22, 0), "shank_L": (0, 10, 0), "foot_L": (0, 8, 0),
             "upper_arm_L": (32, -38, 0), "forearm_L": (0, -60, 0), "upper_arm_R": (-32, 34, 0), "forearm_R": (0, -30, 0)},
    apart=6)
CREEP = PoseSet(
    passing={"pelvis": (0, 14, 0), "chest": (0, 16, 0), "head": (0, -24, 0),
             "thigh_R": (0, -82, 0), "shank_R": (0, 96, 0), "foot_R": (0, 30, 0),
             "thigh_L": (0, -26, 0), "shank_L": (0, 26, 0), "foot_L": (0, 18, 0),
             "upper_arm_L": (20, -62, 0), "forearm_L": (0, -95, 0), "hand_L": (0, 40, 0),
             "upper_arm_R": (-20, -62, 0), "forearm_R": (0, -95, 0), "hand_R": (0, 40, 0)},
    landing={"pelvis": (0, 14, 0), "chest": (0, 20, 0), "head": (0, -28, 0),
             "thigh_R": (0, -44, 0), "shank_R": (0, 22, 0), "foot_R": (0, 24, 0),
             "thigh_L": (0, -4, 0), "shank_L": (0, 34, 0), "foot_L": (0, 14, 0),
             "upper_arm_L": (20, -74, 0), "forearm_L": (0, -100, 0), "hand_L": (0, 45, 0),
             "upper_arm_R": (-20, -74, 0), "forearm_R": (0, -100, 0), "hand_R": (0, 45, 0)},
    apart=10)
SOLDIER = PoseSet(
    passing={"thigh_R": (0, -58, 0), "shank_R": (0, 4, 0), "foot_R": (0, 12, 0),
             "thigh_L": (0, 2, 0), "shank_L": (0, 2, 0),
             "upper_arm_L": (6, -72, 0), "forearm_L": (0, -4, 0), "upper_arm_R": (-6, 30, 0), "forearm_R": (0, -4, 0)},
    landing={"thigh_R": (0, -28, 0), "shank_R": (0, 2, 0), "foot_R": (0, 4, 0),
             "thigh_L": (0, 20, 0), "shank_L": (0, 3, 0), "foot_L": (0, -12, 0),
             "upper_arm_L": (6, -50, 0), "forearm_L": (0, -4, 0), "upper_arm_R": (-6, 24, 0), "forearm_R": (0, -4, 0)},
    apart=7)
OLD = PoseSet(
    passing={"pelvis": (0, 16, 0), "lower_spine": (0, 12, 0), "chest": (0, 20, 0), "neck": (0, -18, 0), "head": (0, -14, 0),
             "thigh_R": (0, -42, 0), "shank_R": (0, 48, 0), "foot_R": (0, -20, 0),
             "thigh_L": (0, -24, 0), "shank_L": (0, 28, 0), "foot_L": (0, -16, 0),
             "upper_arm_L": (10, 26, 0), "forearm_L": (0, -78, 0), "upper_arm_R": (-8, -34, 0), "forearm_R": (0, -48, 0)},
    landing={"pelvis": (0, 16, 0), "lower_spine": (0, 12, 0), "chest": (0, 24, 0), "neck": (0, -20, 0), "head": (0, -16, 0),
             "thigh_R": (0, -36, 0), "shank_R": (0, 22, 0), "foot_R": (0, -2, 0),
             "thigh_L": (0, -8, 0), "shank_L": (0, 30, 0), "foot_L": (0, -18, 0),
             "upper_arm_L": (10, 22, 0), "forearm_L": (0, -78, 0), "upper_arm_R": (-8, -28, 0), "forearm_R": (0, -52, 0)},
    apart=8)
ZOMBIE = PoseSet(
    passing={"pelvis": (0, 4, 0), "chest": (6, 8, 0), "head": (-14, 10, 0),
             "thigh_R": (-8, -30, 0), "shank_R": (0, 42, 0), "foot_R": (0, -12, 0),
             "thigh_L": (2, 0, 0), "shank_L": (0, 12, 0), "foot_L": (0, -8, 0),
             "upper_arm_L": (8, -84, 0), "forearm_L": (0, -8, 0), "hand_L": (0, 30, 0),
             "upper_arm_R": (-8, -70, 0), "forearm_R": (0, -20, 0), "hand_R": (0, 40, 0)},
    landing={"pelvis": (0, 6, 0), "chest": (-6, 10, 0), "head": (10, 12, 0),
             "thigh_R": (-8, -24, 0), "shank_R": (0, 8, 0), "foot_R": (0, 4, 0),
             "thigh_L": (2, 12, 0), "shank_L": (0, 14, 0), "foot_L": (0, -4, 0),
             "upper_arm_L": (8, -80, 0), "forearm_L": (0, -8, 0), "hand_L": (0, 30, 0),
             "upper_arm_R": (-8, -74, 0), "forearm_R": (0, -20, 0), "hand_R": (0, 40, 0)},
    apart=9)
SETS = {"swagger": SWAGGER, "creep": CREEP, "soldier": SOLDIER, "old": OLD, "zombie": ZOMBIE}
"""The first three are those on which the search was made what it is; the others it saw for the first time when it was done."""


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


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: GPL-3.0-or-later
"""The pose that an armature stands in now, as its body has it: what a bake does, read backwards."""

from __future__ import annotations

import bpy
import numpy as np

from ...bodies.body import Body
from ...bodies.human.landmarks import neutral_alignments
from ...maths.axis_turns import about_z
from ...motions.retarget import joint_quaternions
from .figure import Figure


def pose_now(armature: bpy.types.Object, depsgraph: bpy.types.Depsgraph, figure: Figure, body: Body,
             palms: dict[str, float]) -> tuple[np.ndarray, np.ndarray]:
    """Place of the root (3,) [m] in a take and turns (S, 4) of the figure's body, the root's first, each other one relative to
    its parent. `palms`: side -> how far [rad] a bake turns the hands about their length (`bake.hands.palm_turns`)."""
    pose = armature.evaluated_get(depsgraph).pose.bones
    align = neutral_alignments(figure.points)
    turns: dict[str, np.ndarray] = {}
    for segment, name in figure.bone_of.items():
        linear = np.array(pose[name].matrix, dtype=float)[:3, :3]
        linear = linear / np.cbrt(np.linalg.det(linear))
        away = figure.axes.T @ (linear @ figure.bone[name].rotation.T) @ figure.axes
        turns[segment] = (away @ align[segment].T)[None]
    for side, angle in palms.items():
        if f"hand_{side}" in turns:
            turns[f"hand_{side}"] = turns[f"hand_{side}"] @ about_z(-angle)
    name = figure.bone_of["pelvis"]
    head = np.array(pose[name].matrix, dtype=float)[:3, 3]
    from_head = figure.points["pelvis"] - figure.in_body(figure.bone[name].head)  # on many rigs it lies above or behind the hips
    hips = figure.in_take(head) + turns["pelvis"][0] @ align["pelvis"] @ from_head
    return hips, joint_quaternions(body, turns)[0]

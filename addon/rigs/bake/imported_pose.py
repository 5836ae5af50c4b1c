# SPDX-License-Identifier: GPL-3.0-or-later
"""A T- or A-pose that an importer left on the pose bones of a rig which rests otherwise: nobody's pose of the fingers."""

from __future__ import annotations

import bpy
import numpy as np

from ...bodies.human.landmarks import SIDES
from ..read.curves import curves_of
from ..read.figure import Figure, RestBone
from ..read.fingers import finger_lines
from .ownership import AT_REST, lopes_channels

STRAIGHT_ARM, STRAIGHT_JOINT, STRAIGHT_FINGER = np.cos(np.radians([20.0, 12.0, 30.0]))
"""Cosines of the most that, in a T- or A-pose, a forearm is bent off the upper arm, a finger's joint, and a whole finger off the
palm, spread included: first guesses; Ready Player Me's has 2, 0.3 and 7 degrees, a VRM figure's 4, 5 and 12."""


def imported_fingers(armature: bpy.types.Object, figure: Figure) -> set[str]:
    """Finger bones of a figure that nobody but Lope has keyed and that stands with both arms off rest and straight, and with all
    its fingers straight. An artist who poses fingers bends some of them, or keys them, or leaves the arms at rest."""
    data = armature.animation_data
    action = None if data is None else data.action
    if action is not None and {c.data_path for c in curves_of(action, data.action_slot)} - lopes_channels(action):
        return set()
    found: set[str] = set()
    for side in SIDES:
        names = [figure.bone_of.get(f"{segment}_{side}") for segment in ("upper_arm", "forearm", "hand")]
        if None in names or np.abs(np.array(armature.pose.bones[names[0]].matrix_basis) - np.eye(4)).max() < AT_REST:
            return set()
        arm, forearm, hand = (figure.bone[name] for name in names)
        fingers, _ = finger_lines(figure.bones, hand, hand.head - forearm.head)
        if _way(armature, figure, arm, forearm) @ _way(armature, figure, forearm, hand) < STRAIGHT_ARM:
            return set()
        palm = sum(_way(armature, figure, hand, finger[0]) for finger in fingers)
        for finger in fingers:
            ways = [_way(armature, figure, bone, after) for bone, after in zip(finger, finger[1:], strict=False)]
            whole = sum(ways) / np.linalg.norm(sum(ways))
            if whole @ palm < STRAIGHT_FINGER * np.linalg.norm(palm):
                return set()
            if any(way @ after < STRAIGHT_JOINT for way, after in zip(ways, ways[1:], strict=False)):
                return set()
            found |= {bone.name for bone in finger}
    return found


def _way(armature: bpy.types.Object, figure: Figure, bone: RestBone, after: RestBone) -> np.ndarray:
    """Unit direction (3,) from a bone's joint to one that it carries, as posed, armature space."""
    way = after.head - bone.head
    name: str | None = bone.name
    while name is not None:
        rest = figure.bone[name]
        own = np.array(armature.pose.bones[name].matrix_basis.to_quaternion().to_matrix())
        way = rest.rotation @ own @ rest.rotation.T @ way
        name = rest.parent
    return way / max(float(np.linalg.norm(way)), 1e-12)

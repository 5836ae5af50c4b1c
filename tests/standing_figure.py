# SPDX-License-Identifier: GPL-3.0-or-later
"""A figure that stands, or is carried along standing, as the motion of a bake. No Blender."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lope.addon.bodies.body import Body
from lope.addon.bodies.human.anthropometry import standing_landmarks
from lope.addon.bodies.human.body import Human
from lope.addon.bodies.kinematics import segment_poses
from lope.addon.maths.rotations import quat_from_rotvec
from lope.addon.rigs.bake.foot_lock import Loads
from lope.addon.rigs.bake.own_motion import OwnMotion
from lope.addon.rigs.read.detect import Match
from lope.addon.rigs.read.figure import Figure, RestBone
from lope.addon.rigs.read.rest_pose import build_figure


def standing(frames: int = 60) -> tuple[Body, OwnMotion]:
    """A figure in the neutral pose that bends its knees a little, at rest for some frames."""
    body = Human.from_landmarks(standing_landmarks(1.8), 75.0)
    joints = np.tile([1.0, 0.0, 0.0, 0.0], (frames, len(body.segments) - 1, 1))
    for name, angle in (("thigh", -0.3), ("shank", 0.6), ("foot", -0.3)):
        for side in "LR":
            joints[:, body.joint_segments.index(f"{name}_{side}")] = quat_from_rotvec(np.array([0.0, angle, 0.0]))
    root = np.tile([0.0, 0.0, body.pelvis_height_m - 0.04], (frames, 1))
    places, turns = segment_poses(body, root, np.tile([1.0, 0.0, 0.0, 0.0], (frames, 1)), joints)
    return body, OwnMotion(body, places, turns, frozenset(body.index), 1.0)


def straight_figure(extra: Sequence[RestBone] = ()) -> Figure:
    """Bones between standing landmarks, body axes = armature axes, in decimetres; identity rest rotations; with more bones."""
    p = standing_landmarks(1.7)
    parents = {"pelvis": None, "lower_spine": "pelvis", "chest": "lower_spine", "neck": "chest", "head": "neck"}
    joints = dict(zip(parents, parents, strict=True))
    for side in "LR":
        for mark, segment, parent in (("clavicle", "clavicle", "chest"), ("shoulder", "upper_arm", "clavicle_S"),
                                      ("elbow", "forearm", "upper_arm_S"), ("wrist", "hand", "forearm_S"),
                                      ("hip", "thigh", "pelvis"), ("knee", "shank", "thigh_S"), ("ankle", "foot", "shank_S"),
                                      ("toes", "toes", "foot_S")):
            parents[f"{segment}_{side}"] = parent.replace("_S", f"_{side}")
            joints[f"{segment}_{side}"] = f"{mark}_{side}"
    bones = tuple(RestBone(name, parent, 10.0 * p[joints[name]], 10.0 * p[joints[name]] + [0.5, 0.0, 0.0], np.eye(3))
                  for name, parent in parents.items())
    bones += tuple(extra)
    match = Match.plain("lope", "Lope", {name: name for name in parents})
    return build_figure("Straight", match, bones, np.diag([0.1, 0.1, 0.1, 1.0]))


def sliding(slide: np.ndarray) -> tuple[OwnMotion, Loads]:
    """The standing figure carried along by `slide` (T,) [m], the left foot loaded in its first and last 20 frames."""
    body, motion = standing(len(slide))
    places = motion.places.copy()
    places[..., 0] += slide[:, None]
    motion = OwnMotion(body, places, motion.turns, motion.moved, 1.0)
    share = np.zeros((len(slide), len(body.contact_points)))
    share[:20] = share[-20:] = [0.2 if p.side == "L" else 0.0 for p in body.contact_points]
    return motion, Loads(share, standing(len(slide))[1].sole_points)

# SPDX-License-Identifier: GPL-3.0-or-later
"""A clip within its body's joints: what a joint cannot bend the next one takes over, so that limbs keep their directions.

A pose beyond a range is pushed back by the joint's stop, and that push bends the joints beside it: a shoulder captured 5 degrees
beyond its range kept the whole arm 7 degrees off.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from ...bodies.kinematics import centre_of_mass, segment_poses
from ...maths.quaternions import quat_conjugate, quat_from_rotvec, quat_multiply, rotvec_from_quat
from .clip import FollowedClip
from .track import hinge_angles

BALL_MARGIN_RAD, HINGE_MARGIN_RAD = math.radians(1.0), math.radians(2.0)
"""Distance that a pose keeps from the end of a joint's range; the tracker keeps hinges as far from it."""


def within_ranges(clip: FollowedClip) -> FollowedClip:
    """The clip with every joint within its range. Directions of segments stay but where a hinge would have to give."""
    body, turns = clip.body, clip.poses()[1]
    found, joints = {body.segments[0].name: turns[:, 0]}, clip.joint_quaternions.copy()
    for i, segment in enumerate(body.segments[1:]):
        low, high = segment.range_rad
        if segment.axis is not None:
            angles = hinge_angles(joints[:, i], segment.axis)
            angles = np.clip(angles, low + HINGE_MARGIN_RAD, high - HINGE_MARGIN_RAD)
            joints[:, i] = quat_from_rotvec(angles[:, None] * segment.axis)
        else:
            parent = found[segment.hangs_on]
            bend = rotvec_from_quat(quat_multiply(quat_conjugate(parent), turns[:, body.index[segment.name]]))
            size = np.linalg.norm(bend, axis=1)
            share = np.minimum(1.0, (high - BALL_MARGIN_RAD) / np.maximum(size, 1e-9))
            inside = share >= 1.0
            near = np.where(np.sum(joints[:, i] * quat_from_rotvec(bend), axis=1) < 0.0, -1.0, 1.0)
            joints[:, i] = near[:, None] * quat_from_rotvec(share[:, None] * bend)
            if inside.all() and np.array_equal(parent, turns[:, body.index[segment.hangs_on]]):
                joints[:, i] = clip.joint_quaternions[:, i]
        found[segment.name] = quat_multiply(found[segment.hangs_on], joints[:, i])
    positions, orientations = segment_poses(body, clip.root_m, clip.root_quaternion, joints)
    return replace(clip, joint_quaternions=joints, com_m=centre_of_mass(body, positions, orientations))

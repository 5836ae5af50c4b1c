# SPDX-License-Identifier: GPL-3.0-or-later
"""A captured motion as people would go it under another gravity: other steps, another carriage, another rise and fall. Exact
similarity (the time `planet`) makes of a walk on the Moon the Earth's in slow motion. People change their steps instead: the laws
of speed and stride frequency of `gaits.people` give how long steps last and are; its carriage gives lean, arms, crouch and
bounce. Only ways along the path change, so that feet stand as far apart as in the clip, and a turn turns as far."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from scipy.ndimage import gaussian_filter1d

from ...bodies.body import kind_of
from ...bodies.human.tree import ARM_CHAIN
from ...bodies.kinematics import centre_of_mass, segment_poses
from ...gaits.people import carriage, stride_change
from ...maths.rotations import quat_conjugate, quat_from_rotvec, quat_multiply, quat_rotate, rotvec_from_quat
from ...motions.style import ARMS, NECK, SPINE
from .clip import FollowedClip, unit_quats

WAY_S = 0.5
"""Standard deviation of the Gaussian that makes a way and a mean posture of places and joints that go to and fro [s]."""
NECK_SHARE = 0.7
"""Share of the trunk's lean that the neck takes back."""


def carried(clip: FollowedClip, gravity_m_s2: float) -> FollowedClip:
    """The clip with the steps and the carriage that go with a gravity, its contacts at their times: those of the clip."""
    own, length = carriage(gravity_m_s2, False), stride_change(gravity_m_s2).length
    width = WAY_S / clip.step_s
    joints, body = clip.joint_quaternions.copy(), clip.body
    held = {} if body.carries is None else body.carries.held
    row = {name: i for i, name in enumerate(body.joint_segments) if name not in held}
    for name, i in row.items():
        if kind_of(name) in ARM_CHAIN:
            joints[:, i] = _scaled(joints[:, i], own.arm_swing, width)
        elif name in SPINE:
            joints[:, i] = _scaled(joints[:, i], length, width)
    lean = math.radians(own.lean_deg)
    for names, total in ((SPINE, lean), (NECK, -NECK_SHARE * lean)):
        present = [name for name in names if name in row]
        for name in present:
            joints[:, row[name]] = quat_multiply(joints[:, row[name]], _turn(0.0, total / len(present)))
    spread = math.radians(own.arm_spread_deg)
    for name, sign in zip(ARMS, (1.0, -1.0), strict=True):
        if name in row:
            joints[:, row[name]] = quat_multiply(_turn(sign * spread, -lean), joints[:, row[name]])
    root_quat = _scaled(clip.root_quaternion, length, width)
    root, ankle = clip.root_m.copy(), clip.ankle_m.copy()
    left = quat_rotate(unit_quats(gaussian_filter1d(root_quat, width, axis=0, mode="nearest")), np.array([0.0, 1.0, 0.0]))
    left = left[:, :2] / np.linalg.norm(left[:, :2], axis=1, keepdims=True)
    way = gaussian_filter1d(root[:, :2], width, axis=0, mode="nearest")
    for places in (root, ankle[:, 0], ankle[:, 1]):
        aside = ((places[:, :2] - way) * left).sum(axis=1, keepdims=True) * left
        places[:, :2] = length * places[:, :2] + (1.0 - length) * aside
    level = gaussian_filter1d(root[:, 2], width, mode="nearest")
    root[:, 2] = level + own.bounce * (root[:, 2] - level) - own.crouch_legs * body.leg_length_m
    positions, orientations = segment_poses(body, root, root_quat, joints)
    return replace(clip, root_m=root, root_quaternion=root_quat, joint_quaternions=joints, ankle_m=ankle,
                   com_m=centre_of_mass(body, positions, orientations))


def _turn(roll: float, pitch: float) -> np.ndarray:
    return np.asarray(quat_from_rotvec(np.array([roll, pitch, 0.0])))


def _scaled(quats: np.ndarray, scale: float, width: float) -> np.ndarray:
    """Rotations (T, 4) whose swing about their own mean over `width` samples is scaled."""
    mean = unit_quats(gaussian_filter1d(quats, width, axis=0, mode="nearest"))
    swing = rotvec_from_quat(quat_multiply(quat_conjugate(mean), quats))
    return np.asarray(quat_multiply(mean, quat_from_rotvec(scale * swing)))

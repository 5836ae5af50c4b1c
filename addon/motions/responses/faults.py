# SPDX-License-Identifier: GPL-3.0-or-later
"""What may be wrong with feet on the ground in a played response: points under it, points that slide while they touch it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...bodies.body import Body
from ...bodies.coordinates import joint_quaternions, root_pose
from ...bodies.kinematics import contact_point_positions, segment_poses
from .measuring import spans

TOUCHING_M = 0.002
"""A point lower than this touches the ground."""


@dataclass(frozen=True)
class Faults:
    """The lowest place of any contact point [m], and the farthest that one went along the ground from where it touched down."""

    lowest_m: float
    slid_m: float


def faults_of(body: Body, qpos: np.ndarray) -> Faults:
    """The faults of poses (N, nq) on the level ground z = 0."""
    root, turn = root_pose(body, qpos)
    points = contact_point_positions(body, *segment_poses(body, root, turn, joint_quaternions(body, qpos)))
    slid = 0.0
    for i in range(points.shape[1]):
        for a, b in spans(points[:, i, 2] < TOUCHING_M):
            slid = max(slid, float(np.hypot(*(points[a:b, i, :2] - points[a, i, :2]).T).max()))
    return Faults(float(points[..., 2].min()), slid)

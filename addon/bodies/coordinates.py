# SPDX-License-Identifier: GPL-3.0-or-later
"""Generalised coordinates of a body as poses of its root and quaternions of its joints."""

from __future__ import annotations

import numpy as np

from ..maths.quaternions import quat_from_rotvec
from .body import Body


def root_pose(body: Body, qpos: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Place (T, 3) [m] of the root's origin and its orientation (T, 4) of generalised coordinates (T, nq)."""
    if body.segments[0].joint == "free":
        return qpos[:, :3], qpos[:, 3:7]
    place, turn = np.zeros((2, len(qpos), 3))
    place[:, 0], place[:, 2], turn[:, 1] = qpos[:, :3].T
    return place, quat_from_rotvec(turn)


def joint_quaternions(body: Body, qpos: np.ndarray) -> np.ndarray:
    """Joint quaternions (T, S-1, 4) of generalised coordinates (T, nq), in the order of `Body.joint_segments`."""
    out = np.empty((len(qpos), len(body.segments) - 1, 4))
    at = body.root_coordinates
    for i, segment in enumerate(body.segments[1:]):
        if segment.joint == "ball":
            out[:, i] = qpos[:, at:at + 4]
            at += 4
        else:
            out[:, i] = quat_from_rotvec(qpos[:, at:at + 1] * segment.axis)
            at += 1
    return out

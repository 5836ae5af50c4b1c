# SPDX-License-Identifier: GPL-3.0-or-later
"""The least rotation that turns one direction to another, and the one that stands the vertical on a slope."""

from __future__ import annotations

import math

import numpy as np

from .quaternions import quat_from_rotvec, quat_multiply, rotvec_from_quat

Normal = tuple[float, float, float]
"""A unit normal, its z positive."""


def rotation_between(source: np.ndarray, target: np.ndarray) -> np.ndarray:
    """Smallest rotation (3, 3) that turns direction `source` to direction `target` (Rodrigues' formula)."""
    a = source / np.linalg.norm(source)
    b = target / np.linalg.norm(target)
    cross, dot = np.cross(a, b), float(a @ b)
    if dot < -1.0 + 1e-9:
        axis = np.cross(a, [1.0, 0.0, 0.0])
        if np.linalg.norm(axis) < 1e-6:
            axis = np.cross(a, [0.0, 1.0, 0.0])
        axis /= np.linalg.norm(axis)
        return 2.0 * np.outer(axis, axis) - np.eye(3)
    skew = np.array([[0, -cross[2], cross[1]], [cross[2], 0, -cross[0]], [-cross[1], cross[0], 0]])
    return np.eye(3) + skew + skew @ skew / (1.0 + dot)


def quats_between(source: np.ndarray, target: np.ndarray) -> np.ndarray:
    """Smallest rotations (T, 4) that turn unit directions `source` to `target` (T, 3), less than half a turn apart."""
    q = np.concatenate([1.0 + np.sum(source * target, axis=1, keepdims=True), np.cross(source, target)], axis=1)
    return q / np.linalg.norm(q, axis=1, keepdims=True)


def tilts(normals: np.ndarray) -> np.ndarray:
    """Rotations (n, 3, 3), the least ones that turn the vertical to unit normals (n, 3)."""
    x, y, z = normals.T
    share = -x * y / (1.0 + z)
    columns = (1.0 - x * x / (1.0 + z), share, x, share, 1.0 - y * y / (1.0 + z), y, -x, -y, z)
    return np.column_stack(columns).reshape(-1, 3, 3)


def raised(vector: np.ndarray, normal: Normal) -> np.ndarray:
    """A horizontal vector (3,) after the least turn that brings the vertical to a normal."""
    x, y, z = normal
    rise = (x * vector[0] + y * vector[1]) / (1.0 + z)
    return np.array([vector[0] - x * rise, vector[1] - y * rise, -(x * vector[0] + y * vector[1])])


def laid_back(vector: np.ndarray, normal: Normal) -> np.ndarray:
    """A vector (3,) after the least turn that brings a normal upright."""
    x, y, z = normal
    slant = (x * vector[0] + y * vector[1]) / (1.0 + z)
    return np.array([vector[0] - x * (slant + vector[2]), vector[1] - y * (slant + vector[2]),
                     x * vector[0] + y * vector[1] + z * vector[2]])


def tilted(rotvec: np.ndarray, normal: Normal, heading: float) -> np.ndarray:
    """Rotation vector (3,), relative to a heading, of a foot on level ground once the ground is tilted to a normal."""
    x, y, z = normal
    c, s = math.cos(heading), math.sin(heading)
    axis = np.array([-(c * y - s * x), c * x + s * y, 0.0])  # vertical cross normal, in the heading's frame
    sine = math.hypot(x, y)
    tilt = quat_from_rotvec(axis * (math.atan2(sine, z) / sine))
    return rotvec_from_quat(quat_multiply(tilt, quat_from_rotvec(rotvec)))

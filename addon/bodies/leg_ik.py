# SPDX-License-Identifier: GPL-3.0-or-later
"""Closed-form inverse kinematics of a leg: hip ball, knee hinge, ankle ball."""

from __future__ import annotations

import math

import numpy as np

from ..maths.plain_rotations import Quaternion, Vector, from_axes, inverse, product
from ..maths.quaternions import quat_conjugate, quat_from_matrix, quat_multiply

REACH = 0.997
"""Largest share of the straight leg that is used: at full stretch the knee's speed would be unbounded."""


def solve_leg(
    ankle: Vector, foot: Quaternion, side_axis: Vector, thigh_m: float, shank_m: float,
) -> tuple[Quaternion, float, Quaternion]:
    """Hip rotation, knee flexion [rad] and ankle rotation that bring an ankle to its place.

    All in the pelvis' axes: `ankle` [m] from the hip, the `foot`'s rotation. The knee's axis is the direction nearest to
    `side_axis` that is square to the line from hip to ankle. Beyond reach the leg points at the ankle.
    """
    x, y, z = ankle
    distance = math.sqrt(x * x + y * y + z * z)
    length = min(max(distance, abs(thigh_m - shank_m) + 1e-3), REACH * (thigh_m + shank_m))
    cosine = (length * length - thigh_m * thigh_m - shank_m * shank_m) / (2.0 * thigh_m * shank_m)
    cosine = min(max(cosine, -1.0), 1.0)
    knee = math.acos(cosine)
    # The leg's triad: from hip to ankle, the knee's axis, and square to both.
    ax, ay, az = x / distance, y / distance, z / distance
    sx, sy, sz = side_axis
    along = sx * ax + sy * ay + sz * az
    kx, ky, kz = sx - along * ax, sy - along * ay, sz - along * az
    share = 1.0 / math.sqrt(kx * kx + ky * ky + kz * kz)
    kx, ky, kz = share * kx, share * ky, share * kz
    cx, cy, cz = ay * kz - az * ky, az * kx - ax * kz, ax * ky - ay * kx
    # In the thigh's own frame the ankle lies at (-shank sin k, 0, -thigh - shank cos k) = length (p, 0, r): the thigh's axes
    # in the triad are (p, 0, -r), (0, 1, 0), (r, 0, p).
    p, r = -shank_m * math.sin(knee) / length, -(thigh_m + shank_m * cosine) / length
    hip = from_axes((p * ax - r * cx, p * ay - r * cy, p * az - r * cz), (kx, ky, kz),
                    (r * ax + p * cx, r * ay + p * cy, r * az + p * cz))
    w, i, j, k = product(inverse(product(hip, (math.cos(0.5 * knee), 0.0, math.sin(0.5 * knee), 0.0))), foot)
    return hip, knee, (w, i, j, k) if w >= 0.0 else (-w, -i, -j, -k)


def solve_legs(
    ankle: np.ndarray, foot: np.ndarray, side_axis: np.ndarray, thigh_m: float, shank_m: float,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """`solve_leg` of many poses at once: hips (N, 4), knees (N,) [rad] and ankles (N, 4) of ankles (N, 3), feet (N, 4) and axes
    (N, 3)."""
    distance = np.sqrt(np.sum(ankle**2, axis=1))
    length = np.clip(distance, abs(thigh_m - shank_m) + 1e-3, REACH * (thigh_m + shank_m))
    cosine = np.clip((length * length - thigh_m * thigh_m - shank_m * shank_m) / (2.0 * thigh_m * shank_m), -1.0, 1.0)
    knee = np.arccos(cosine)
    along = ankle / distance[:, None]
    square = side_axis - np.sum(side_axis * along, axis=1)[:, None] * along
    square = square / np.sqrt(np.sum(square**2, axis=1))[:, None]
    across = np.cross(along, square)
    p, r = (-shank_m * np.sin(knee) / length)[:, None], (-(thigh_m + shank_m * cosine) / length)[:, None]
    hip = quat_from_matrix(np.stack([p * along - r * across, square, r * along + p * across], axis=2))
    bent = np.zeros((len(knee), 4))
    bent[:, 0], bent[:, 2] = np.cos(0.5 * knee), np.sin(0.5 * knee)
    sole = quat_multiply(quat_conjugate(quat_multiply(hip, bent)), foot)
    return hip, knee, np.where(sole[:, :1] < 0.0, -sole, sole)

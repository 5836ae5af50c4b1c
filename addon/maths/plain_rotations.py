# SPDX-License-Identifier: GPL-3.0-or-later
"""Quaternions as plain floats, w-x-y-z, unit: for one rotation at a time, where arrays cost more than the arithmetic.

For many at once there is `maths.quaternions`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

Quaternion = tuple[float, float, float, float]
Vector = tuple[float, float, float]


def product(a: Quaternion, b: Quaternion) -> Quaternion:
    """Hamilton product: the rotation `b`, then `a`."""
    aw, ax, ay, az = a
    bw, bx, by, bz = b
    return (aw * bw - ax * bx - ay * by - az * bz, aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx, aw * bz + ax * by - ay * bx + az * bw)


def inverse(q: Quaternion) -> Quaternion:
    """The inverse rotation."""
    w, x, y, z = q
    return w, -x, -y, -z


def rotated(q: Quaternion, v: Sequence[float]) -> Vector:
    """A vector turned by a rotation: v + 2 u x (u x v + w v), u being the vector part."""
    w, x, y, z = q
    vx, vy, vz = v
    cx, cy, cz = y * vz - z * vy + w * vx, z * vx - x * vz + w * vy, x * vy - y * vx + w * vz
    return vx + 2.0 * (y * cz - z * cy), vy + 2.0 * (z * cx - x * cz), vz + 2.0 * (x * cy - y * cx)


def from_rotvec(rotvec: Sequence[float]) -> Quaternion:
    """The rotation of a rotation vector [rad]."""
    x, y, z = rotvec
    angle = math.sqrt(x * x + y * y + z * z)
    if angle < 1e-12:
        return 1.0, 0.5 * x, 0.5 * y, 0.5 * z
    share = math.sin(0.5 * angle) / angle
    return math.cos(0.5 * angle), share * x, share * y, share * z


def to_rotvec(q: Quaternion) -> Vector:
    """The rotation vector [rad], of at most half a turn."""
    w, x, y, z = q
    sine = math.sqrt(x * x + y * y + z * z)
    if sine < 1e-12:
        share = 2.0 if w > 0.0 else -2.0
    else:
        share = 2.0 * math.atan2(sine, w) / sine if w > 0.0 else -2.0 * math.atan2(sine, -w) / sine
    return share * x, share * y, share * z


def about_z(angle: float) -> Quaternion:
    """A turn about the vertical [rad]."""
    return math.cos(0.5 * angle), 0.0, 0.0, math.sin(0.5 * angle)


def from_axes(x: Vector, y: Vector, z: Vector) -> Quaternion:
    """The rotation, of less than half a turn, that brings the axes to three unit vectors at right angles."""
    w = 0.5 * math.sqrt(max(1.0 + x[0] + y[1] + z[2], 1e-12))
    share = 0.25 / w
    return w, share * (y[2] - z[1]), share * (z[0] - x[2]), share * (x[1] - y[0])

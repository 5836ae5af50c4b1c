# SPDX-License-Identifier: GPL-3.0-or-later
"""Rotations: unit quaternions w-x-y-z in arrays of shape (..., 4), and as plain floats for one rotation at a time, where arrays
cost more than the arithmetic (for many at once: `maths.quaternions`); the least rotation from one direction to another, and the
one that stands the vertical on a slope; matrices about one axis; the angle of plane vectors, the same from run to run."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np


def _table(*entries: str) -> np.ndarray:
    """(16, n) coefficients of the products of two quaternions' parts in n results, each written as "+ww -xx"."""
    table = np.zeros((16, len(entries)))
    for column, entry in enumerate(entries):
        for term in entry.split():
            table[4 * "wxyz".index(term[1]) + "wxyz".index(term[2]), column] += float(f"{term[0]}1")
    return table


_PRODUCT = _table("+ww -xx -yy -zz", "+wx +xw +yz -zy", "+wy -xz +yw +zx", "+wz +xy -yx +zw")
_MATRIX = 2.0 * _table("-yy -zz", "+xy -wz", "+xz +wy", "+xy +wz", "-xx -zz", "+yz -wx", "+xz -wy", "+yz +wx", "-xx -yy")
_CONJUGATE = np.array([1.0, -1.0, -1.0, -1.0])
_IDENTITY = np.eye(3).ravel()


def _bilinear(a: np.ndarray, b: np.ndarray, table: np.ndarray) -> np.ndarray:
    """(..., n): all products of the parts of `a` and `b` (..., 4), times a table (16, n). One product, however many rows."""
    products = a[..., :, None] * b[..., None, :]
    return products.reshape(*products.shape[:-2], 16) @ table


def quat_multiply(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Hamilton product, shapes (..., 4)."""
    return _bilinear(a, b, _PRODUCT)


def quat_conjugate(q: np.ndarray) -> np.ndarray:
    """Inverse of unit quaternions (..., 4)."""
    return q * _CONJUGATE


def quat_rotate(q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Vectors (..., 3) rotated by quaternions (..., 4)."""
    return np.einsum("...ij,...j->...i", matrix_from_quat(q), v)


def quat_from_rotvec(rotvec: np.ndarray) -> np.ndarray:
    """Quaternions (..., 4) of rotation vectors (..., 3) [rad]."""
    angle = np.maximum(np.sqrt(np.einsum("...i,...i->...", rotvec, rotvec)), 1e-30)
    half = 0.5 * angle
    quat = np.empty((*rotvec.shape[:-1], 4))
    quat[..., 0] = np.cos(half)
    quat[..., 1:] = (np.sin(half) / angle)[..., None] * rotvec
    return quat


def continuous(quats: np.ndarray) -> np.ndarray:
    """Quaternions (N, ..., 4) without changes of sign from one to the next."""
    flips = np.where(np.sum(quats[1:] * quats[:-1], axis=-1) < 0.0, -1.0, 1.0)
    out = quats.copy()
    out[1:] *= np.cumprod(flips, axis=0)[..., None]
    return out


def rotvec_from_quat(q: np.ndarray) -> np.ndarray:
    """Rotation vectors (..., 3) [rad] of at most half a turn, of quaternions (..., 4)."""
    w, v = q[..., 0], q[..., 1:]
    sine = np.sqrt(np.einsum("...i,...i->...", v, v))
    angle = np.where(w < 0.0, -2.0, 2.0) * np.arctan2(sine, np.abs(w))
    return (angle / np.maximum(sine, 1e-30))[..., None] * v


def quat_from_matrix(m: np.ndarray) -> np.ndarray:
    """Quaternions (..., 4), w >= 0, of rotation matrices (..., 3, 3)."""
    from scipy.spatial.transform import Rotation

    q = Rotation.from_matrix(np.reshape(m, (-1, 3, 3))).as_quat()
    q = np.concatenate([q[:, 3:], q[:, :3]], axis=1)
    return np.where(q[:, :1] < 0.0, -q, q).reshape(*np.shape(m)[:-2], 4)


def matrix_from_quat(q: np.ndarray) -> np.ndarray:
    """Rotation matrices (..., 3, 3) of quaternions (..., 4)."""
    return (_bilinear(q, q, _MATRIX) + _IDENTITY).reshape(*q.shape[:-1], 3, 3)


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


def z_turn(angle: float) -> Quaternion:
    """A turn about the vertical [rad]."""
    return math.cos(0.5 * angle), 0.0, 0.0, math.sin(0.5 * angle)


def from_axes(x: Vector, y: Vector, z: Vector) -> Quaternion:
    """The rotation, of less than half a turn, that brings the axes to three unit vectors at right angles."""
    w = 0.5 * math.sqrt(max(1.0 + x[0] + y[1] + z[2], 1e-12))
    share = 0.25 / w
    return w, share * (y[2] - z[1]), share * (z[0] - x[2]), share * (x[1] - y[0])


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


_YZX, _ZXY = np.array([1, 2, 0]), np.array([2, 0, 1])


def cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Vector products (..., 3); numpy's own takes ten times as long on few."""
    return a.take(_YZX, -1) * b.take(_ZXY, -1) - a.take(_ZXY, -1) * b.take(_YZX, -1)


def length(vector: np.ndarray) -> np.ndarray:
    """Lengths (...) of vectors (..., n), to the bit as `np.linalg.norm` has them."""
    return np.sqrt(np.add.reduce(vector * vector, axis=-1))


def about_y(angle: np.ndarray | float) -> np.ndarray:
    """Matrices (..., 3, 3) about the left axis by angles (...) [rad]; positive bows forward."""
    out = np.zeros((*np.shape(angle), 3, 3))
    c, s = np.cos(angle), np.sin(angle)
    out[..., 0, 0] = out[..., 2, 2] = c
    out[..., 0, 2], out[..., 2, 0], out[..., 1, 1] = s, -s, 1.0
    return out


def about_z(angle: np.ndarray | float) -> np.ndarray:
    """Matrices (..., 3, 3) about the vertical by angles (...) [rad]; positive turns to the left."""
    out = np.zeros((*np.shape(angle), 3, 3))
    c, s = np.cos(angle), np.sin(angle)
    out[..., 0, 0] = out[..., 1, 1] = c
    out[..., 0, 1], out[..., 1, 0], out[..., 2, 2] = -s, s, 1.0
    return out


def plane_angle(y: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Angles (...) [rad] of the vectors (x, y), as `numpy.arctan2` gives them. The arguments are copied: numpy 1.26 has two ways
    to work arctan2 out on strided arrays, which differ in the last bit, and where the result happens to lie in memory decides
    which it takes: it takes what lies close behind a strided array for a part of it. So a clip's cycle differed in one run of
    four."""
    return np.arctan2(np.array(y, dtype=float, order="C"), np.array(x, dtype=float, order="C"))

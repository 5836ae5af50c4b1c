# SPDX-License-Identifier: GPL-3.0-or-later
"""The algebra of rotations: quaternions w-x-y-z, unit, in arrays of shape (..., 4)."""

from __future__ import annotations

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

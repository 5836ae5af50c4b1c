# SPDX-License-Identifier: GPL-3.0-or-later
"""Forward kinematics in plain numpy, for whole motions at once, and the quaternion algebra it needs.

Quaternions are w-x-y-z, unit, arrays of shape (..., 4). Used where no physics model is at hand: takes, clips, baking.
"""

from __future__ import annotations

import numpy as np

from .body import Body


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


def segment_poses(
    body: Body, root_position: np.ndarray, root_quat: np.ndarray, joint_quats: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """World joint centres (..., S, 3) [m] and segment orientations (..., S, 4) of all S segments.

    `root_position` (..., 3) is the pelvis origin, `root_quat` (..., 4) its orientation, `joint_quats` (..., S-1, 4) the
    rotation of each further segment relative to its parent, in the order of `body.joint_segments`.
    """
    shape = root_position.shape[:-1]
    positions = np.empty((*shape, len(body.segments), 3))
    orientations = np.empty((*shape, len(body.segments), 4))
    positions[..., 0, :], orientations[..., 0, :] = root_position, root_quat
    for i, segment in enumerate(body.segments[1:], start=1):
        parent = body.index[segment.parent]
        q = orientations[..., parent, :]
        positions[..., i, :] = positions[..., parent, :] + quat_rotate(q, np.broadcast_to(segment.offset, (*shape, 3)))
        orientations[..., i, :] = quat_multiply(q, joint_quats[..., i - 1, :])
    return positions, orientations


def centre_of_mass(body: Body, positions: np.ndarray, orientations: np.ndarray) -> np.ndarray:
    """Whole-body centre of mass (..., 3) [m] from `segment_poses`."""
    masses = np.array([s.mass_kg for s in body.segments])
    places = positions + quat_rotate(orientations, np.array([s.com for s in body.segments]))
    return np.einsum("...sk,s->...k", places, masses) / masses.sum()


def specific_spin(body: Body, positions: np.ndarray, orientations: np.ndarray, harmonics: int = 12) -> np.ndarray:
    """Angular momentum (N, 3) about the COM over mass [m^2 a period] of one period of N poses, equally spaced, from
    `segment_poses`: velocities are taken per period, from the first harmonics of the motion."""
    masses = np.array([s.mass_kg for s in body.segments])
    away = positions + quat_rotate(orientations, np.array([s.com for s in body.segments]))
    away = away - centre_of_mass(body, positions, orientations)[:, None]
    turns = matrix_from_quat(orientations)
    spin_matrix = periodic_derivative(turns, harmonics) @ np.swapaxes(turns, -1, -2)
    spin = 0.5 * np.stack([spin_matrix[..., i, j] - spin_matrix[..., j, i] for i, j in ((2, 1), (0, 2), (1, 0))], axis=-1)
    inertias = turns @ np.array([s.inertia for s in body.segments]) @ np.swapaxes(turns, -1, -2)
    orbital = np.cross(away, periodic_derivative(away, harmonics))
    return (np.einsum("s,nsi->ni", masses, orbital) + np.einsum("nsij,nsj->ni", inertias, spin)) / masses.sum()


def periodic_derivative(samples: np.ndarray, harmonics: int = 12) -> np.ndarray:
    """Derivative per period (N, ...) of samples (N, ...) of one period, from its first harmonics."""
    spectrum = np.fft.rfft(samples, axis=0)
    orders = np.arange(len(spectrum))
    factor = np.where(orders <= harmonics, 2j * np.pi * orders, 0.0)
    return np.fft.irfft(spectrum * factor.reshape(-1, *[1] * (samples.ndim - 1)), len(samples), axis=0)


def contact_point_positions(body: Body, positions: np.ndarray, orientations: np.ndarray) -> np.ndarray:
    """World places (..., P, 3) [m] of the lowest point of each contact sphere, from `segment_poses`."""
    rows = [body.index[p.segment] for p in body.contact_points]
    local = np.array([p.position for p in body.contact_points]).reshape(-1, 3)
    places = positions[..., rows, :] + quat_rotate(orientations[..., rows, :], local)
    places[..., 2] -= np.array([p.radius_m for p in body.contact_points])
    return places

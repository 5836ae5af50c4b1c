# SPDX-License-Identifier: GPL-3.0-or-later
"""Forward kinematics in plain numpy, for whole motions at once, and the quaternion algebra it needs.

Quaternions are w-x-y-z, unit, arrays of shape (..., 4). Used where no physics model is at hand: takes, clips, baking.
"""

from __future__ import annotations

import numpy as np

from .body import Body


def quat_multiply(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Hamilton product, shapes (..., 4)."""
    aw, ax, ay, az = np.moveaxis(a, -1, 0)
    bw, bx, by, bz = np.moveaxis(b, -1, 0)
    return np.stack([
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    ], axis=-1)


def quat_conjugate(q: np.ndarray) -> np.ndarray:
    """Inverse of unit quaternions (..., 4)."""
    return q * np.array([1.0, -1.0, -1.0, -1.0])


def quat_rotate(q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Vectors (..., 3) rotated by quaternions (..., 4)."""
    w, u = q[..., :1], q[..., 1:]
    t = 2.0 * np.cross(u, v)
    return v + w * t + np.cross(u, t)


def quat_from_rotvec(rotvec: np.ndarray) -> np.ndarray:
    """Quaternions (..., 4) of rotation vectors (..., 3) [rad]."""
    angle = np.linalg.norm(rotvec, axis=-1, keepdims=True)
    half = 0.5 * angle
    scale = np.where(angle > 1e-8, np.sin(half) / np.maximum(angle, 1e-12), 0.5 - angle**2 / 48.0)
    return np.concatenate([np.cos(half), scale * rotvec], axis=-1)


def rotvec_from_quat(q: np.ndarray) -> np.ndarray:
    """Rotation vectors (..., 3) [rad] of at most half a turn, of quaternions (..., 4)."""
    q = np.where(q[..., :1] < 0.0, -q, q)
    sine = np.linalg.norm(q[..., 1:], axis=-1, keepdims=True)
    angle = 2.0 * np.arctan2(sine, q[..., :1])
    return np.where(sine > 1e-9, angle / np.maximum(sine, 1e-12), 2.0) * q[..., 1:]


def quat_from_matrix(m: np.ndarray) -> np.ndarray:
    """Quaternions (..., 4), w >= 0, of rotation matrices (..., 3, 3)."""
    from scipy.spatial.transform import Rotation

    q = Rotation.from_matrix(np.reshape(m, (-1, 3, 3))).as_quat()
    q = np.concatenate([q[:, 3:], q[:, :3]], axis=1)
    return np.where(q[:, :1] < 0.0, -q, q).reshape(*np.shape(m)[:-2], 4)


def matrix_from_quat(q: np.ndarray) -> np.ndarray:
    """Rotation matrices (..., 3, 3) of quaternions (..., 4)."""
    w, x, y, z = np.moveaxis(q, -1, 0)
    return np.stack([
        np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)], axis=-1),
        np.stack([2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)], axis=-1),
        np.stack([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], axis=-1),
    ], axis=-2)


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


def contact_point_positions(body: Body, positions: np.ndarray, orientations: np.ndarray) -> np.ndarray:
    """World places (..., P, 3) [m] of the lowest point of each contact sphere, from `segment_poses`."""
    rows = [body.index[p.segment] for p in body.contact_points]
    local = np.array([p.position for p in body.contact_points])
    places = positions[..., rows, :] + quat_rotate(orientations[..., rows, :], local)
    places[..., 2] -= np.array([p.radius_m for p in body.contact_points])
    return places

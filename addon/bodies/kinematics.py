# SPDX-License-Identifier: GPL-3.0-or-later
"""Forward kinematics in plain numpy, for whole motions at once.

Used where no physics model is at hand: takes, clips, baking.
"""

from __future__ import annotations

import numpy as np

from ..maths.periodic import periodic_derivative
from ..maths.quaternions import matrix_from_quat, quat_multiply, quat_rotate
from .body import Body


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
        parent = body.index[segment.hangs_on]
        q = orientations[..., parent, :]
        positions[..., i, :] = positions[..., parent, :] + quat_rotate(q, np.broadcast_to(segment.offset, (*shape, 3)))
        orientations[..., i, :] = quat_multiply(q, joint_quats[..., i - 1, :])
    return positions, orientations


def centre_of_mass(body: Body, positions: np.ndarray, orientations: np.ndarray) -> np.ndarray:
    """Whole-body centre of mass (..., 3) [m] from `segment_poses`."""
    masses = np.array([s.mass_kg for s in body.segments])
    places = positions + quat_rotate(orientations, np.array([s.com for s in body.segments]))
    return np.einsum("...sk,s->...k", places, masses) / masses.sum()


def specific_angular_momentum(body: Body, positions: np.ndarray, orientations: np.ndarray, harmonics: int = 12) -> np.ndarray:
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


def contact_point_positions(body: Body, positions: np.ndarray, orientations: np.ndarray) -> np.ndarray:
    """World places (..., P, 3) [m] of the lowest point of each contact sphere, from `segment_poses`."""
    rows = [body.index[p.segment] for p in body.contact_points]
    local = np.array([p.position for p in body.contact_points]).reshape(-1, 3)
    places = positions[..., rows, :] + quat_rotate(orientations[..., rows, :], local)
    places[..., 2] -= np.array([p.radius_m for p in body.contact_points])
    return places

# SPDX-License-Identifier: GPL-3.0-or-later
"""Kinematics in plain numpy, where no physics model is at hand: segments' poses, centre of mass and angular momentum of whole
motions, closed-form inverse kinematics of a leg, and the turn of a joint nearest to one that is wished for."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from ..maths.curves import periodic_derivative
from ..maths.rotations import (
    Quaternion,
    Vector,
    from_axes,
    matrix_from_quat,
    product,
    quat_conjugate,
    quat_from_matrix,
    quat_multiply,
    quat_rotate,
    rotvec_from_quat,
)
from .body import Body, Segment


def segment_poses(body: Body, root_position: np.ndarray, root_quat: np.ndarray,
                  joint_quats: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """World joint centres (..., S, 3) [m] and segment orientations (..., S, 4) of all S segments. `root_position` (..., 3) is the
    pelvis origin, `root_quat` (..., 4) its orientation, `joint_quats` (..., S-1, 4) the rotation of each further segment relative
    to its parent, in the order of `body.joint_segments`."""
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


HARMONICS = 12
"""Of a period's motion that its velocities are taken from."""


def specific_angular_momentum(body: Body, positions: np.ndarray, orientations: np.ndarray) -> np.ndarray:
    """Angular momentum (N, 3) about the COM over mass [m^2 a period] of one period of N poses, equally spaced, from
    `segment_poses`: velocities are taken per period."""
    turns = matrix_from_quat(orientations)
    spin_matrix = periodic_derivative(turns, HARMONICS) @ np.swapaxes(turns, -1, -2)
    spin = 0.5 * np.stack([spin_matrix[..., i, j] - spin_matrix[..., j, i] for i, j in ((2, 1), (0, 2), (1, 0))], axis=-1)
    return _specific_momentum(body, positions, orientations, spin, lambda away: periodic_derivative(away, HARMONICS))


def _specific_momentum(body: Body, positions: np.ndarray, orientations: np.ndarray, spin: np.ndarray,
                       rate: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """Angular momentum (N, 3) over mass of segments that turn at rates (N, S, 3), places' by `rate`."""
    masses = np.array([s.mass_kg for s in body.segments])
    away = positions + quat_rotate(orientations, np.array([s.com for s in body.segments]))
    away = away - centre_of_mass(body, positions, orientations)[:, None]
    turns = matrix_from_quat(orientations)
    inertias = turns @ np.array([s.inertia for s in body.segments]) @ np.swapaxes(turns, -1, -2)
    orbital = np.cross(away, rate(away))
    return (np.einsum("s,nsi->ni", masses, orbital) + np.einsum("nsij,nsj->ni", inertias, spin)) / masses.sum()


def contact_point_positions(body: Body, positions: np.ndarray, orientations: np.ndarray) -> np.ndarray:
    """World places (..., P, 3) [m] of the lowest point of each contact sphere, from `segment_poses`."""
    rows = [body.index[p.segment] for p in body.contact_points]
    local = np.array([p.position for p in body.contact_points]).reshape(-1, 3)
    places = positions[..., rows, :] + quat_rotate(orientations[..., rows, :], local)
    places[..., 2] -= np.array([p.radius_m for p in body.contact_points])
    return places


REACH = 0.997
"""Largest share of the straight leg that is used: at full stretch the knee's speed would be unbounded."""


def solve_leg(ankle: Vector, foot: Quaternion, side_axis: Vector, thigh_m: float,
              shank_m: float) -> tuple[Quaternion, float, Quaternion]:
    """Hip rotation, knee flexion [rad] and ankle rotation that bring an ankle to its place. All in the pelvis' axes: `ankle` [m]
    from the hip, the `foot`'s rotation. The knee's axis is the direction nearest to `side_axis` that is square to the line from
    hip to ankle. Beyond reach the leg points at the ankle."""
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
    hip = w, i, j, k = from_axes((p * ax - r * cx, p * ay - r * cy, p * az - r * cz), (kx, ky, kz),
                                 (r * ax + p * cx, r * ay + p * cy, r * az + p * cz))
    c, s = math.cos(0.5 * knee), math.sin(0.5 * knee)
    w, i, j, k = product((w * c - j * s, -(i * c - k * s), -(w * s + j * c), -(i * s + k * c)), foot)
    return hip, knee, (w, i, j, k) if w >= 0.0 else (-w, -i, -j, -k)


def solve_legs(ankle: np.ndarray, foot: np.ndarray, side_axis: np.ndarray, thigh_m: float,
               shank_m: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
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


def specific_angular_momentum_of_poses(body: Body, positions: np.ndarray, orientations: np.ndarray, step_s: float) -> np.ndarray:
    """Angular momentum (N, 3) about the centre of mass over mass [m^2/s], world axes, of joint centres (N, S, 3) and segments'
    orientations (N, S, 4) `step_s` apart, by central differences."""
    steps = quat_multiply(orientations[1:], quat_conjugate(orientations[:-1]))
    between = rotvec_from_quat(steps) / step_s
    spin = 0.5 * (np.concatenate([between[:1], between]) + np.concatenate([between, between[-1:]]))
    return _specific_momentum(body, positions, orientations, spin, lambda away: np.gradient(away, step_s, axis=0))


def within_reach(segment: Segment, turn: np.ndarray) -> np.ndarray:
    """The rotation vector (3,) [rad] that the joint above a segment can do, nearest to one that is wished for: no farther than
    its limits, of a hinge about its axis alone."""
    low, high = segment.limits_rad or (-math.inf, math.inf)
    if segment.axis is not None:
        return segment.axis * min(max(float(segment.axis @ turn), low), high)
    angle = float(np.linalg.norm(turn))
    return turn if angle <= high else turn * (high / angle)

# SPDX-License-Identifier: GPL-3.0-or-later
"""Rotations over time in the form a pose bone wants them: continuous quaternions, Euler angles of any order, axis-angle."""

from __future__ import annotations

import warnings

import numpy as np
from scipy.spatial.transform import Rotation

from ...errors import RigError
from ...maths.angles import plane_angle
from ...maths.quaternions import quat_conjugate, quat_from_rotvec, quat_multiply, rotvec_from_quat
from .blocks import in_blocks

EULER_ORDERS = ("XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX")
_GIMBAL_COSINE = 1e-6  # below it the first and last angle turn about one axis, and only their sum is known


_CLEAR_OF_LOCK, _SMALL_STEP = np.radians(75.0), np.radians(45.0)


def channels(quaternions: np.ndarray, mode: str) -> tuple[str, np.ndarray]:
    """The rotation property of a bone of that mode and its values over time.

    `quaternions` (T, 4) w-x-y-z. Gives ("rotation_quaternion", (T, 4)), ("rotation_axis_angle", (T, 4)) with the angle
    first, or ("rotation_euler", (T, 3)) [rad]. Raises RigError for a mode Blender does not have.
    """
    if mode == "QUATERNION":
        return "rotation_quaternion", continuous_quaternions(quaternions)
    if mode == "AXIS_ANGLE":
        return "rotation_axis_angle", axis_angles(quaternions)
    if mode in EULER_ORDERS:
        return "rotation_euler", euler_angles(quaternions, mode)
    raise RigError(f"Unknown rotation mode {mode!r}; known: QUATERNION, AXIS_ANGLE, {', '.join(EULER_ORDERS)}.")


def quaternions(values: np.ndarray, mode: str) -> np.ndarray:
    """Unit quaternions (T, 4) w-x-y-z of a rotation property's values, as Blender reads them: the inverse of `channels`."""
    if mode == "QUATERNION":
        return values / np.linalg.norm(values, axis=-1, keepdims=True)
    if mode == "AXIS_ANGLE":
        axis = values[:, 1:] / np.maximum(np.linalg.norm(values[:, 1:], axis=1, keepdims=True), 1e-30)
        return quat_from_rotvec(values[:, :1] * axis)
    ordered = values[:, ["XYZ".index(letter) for letter in mode]]
    return np.roll(Rotation.from_euler(mode.lower(), ordered).as_quat(), 1, axis=-1)


def continuous_quaternions(quaternions: np.ndarray) -> np.ndarray:
    """The same rotations (T, 4), each quaternion on the same side as the one before, the first with w >= 0."""
    q = quaternions / np.linalg.norm(quaternions, axis=-1, keepdims=True)
    jumps = np.sum(q[1:] * q[:-1], axis=-1) < 0.0
    first = -1.0 if q[0, 0] < 0.0 else 1.0
    signs = np.concatenate([[first], first * np.cumprod(np.where(jumps, -1.0, 1.0))])
    return q * signs[:, None]


def axis_angles(quaternions: np.ndarray) -> np.ndarray:
    """Angle [rad] and unit axis (T, 4), continuous: the axis does not flip and the angle does not jump by whole turns."""
    q = continuous_quaternions(quaternions)
    sine = np.linalg.norm(q[:, 1:], axis=1)
    known = sine > 1e-9
    if not known.any():
        return np.tile([0.0, 0.0, 1.0, 0.0], (len(q), 1))
    last = np.maximum.accumulate(np.where(known, np.arange(len(q)), -1))
    last = np.where(last < 0, int(known.argmax()), last)
    axis = q[last, 1:] / sine[last, None]
    flips = np.sum(axis[1:] * axis[:-1], axis=1) < 0.0
    sign = np.concatenate([[1.0], np.cumprod(np.where(flips, -1.0, 1.0))])
    angle = np.unwrap(2.0 * plane_angle(sign * sine, q[:, 0]), period=4.0 * np.pi)
    return np.column_stack([angle, sign[:, None] * axis])


def euler_angles(quaternions: np.ndarray, order: str) -> np.ndarray:
    """Euler angles (T, 3) [rad] about x, y, z, for Blender's `order` (the first letter turns first, about fixed axes).

    Of the two triples that give a rotation, and their whole turns, each frame takes the one nearest to the frame before.
    """
    sequence = order.lower()
    rotations = Rotation.from_quat(np.roll(quaternions, -1, axis=-1))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # gimbal lock is dealt with below
        principal = rotations.as_euler(sequence)
    if _stays_on_branch(principal):
        columns = ["xyz".index(letter) for letter in sequence]
        return np.unwrap(principal, axis=0)[:, np.argsort(columns)]
    angles = np.empty_like(principal)
    previous = np.zeros(3)
    for i, triple in enumerate(principal):
        if abs(np.cos(triple[1])) < _GIMBAL_COSINE:
            triple = _keeping_last(rotations[i], sequence, previous[2])
        other = np.array([triple[0] + np.pi, np.pi - triple[1], triple[2] + np.pi])
        near = [t + 2.0 * np.pi * np.round((previous - t) / (2.0 * np.pi)) for t in (triple, other)]
        previous = angles[i] = min(near, key=lambda t: float(np.abs(t - previous).sum()))
    columns = ["xyz".index(letter) for letter in sequence]
    return angles[:, np.argsort(columns)]


def _stays_on_branch(principal: np.ndarray) -> bool:
    """Whether principal angles (T, 3), whole turns apart, never come near gimbal lock nor jump: then the other triple is
    always farther from the one before."""
    steps = np.abs(np.diff(np.unwrap(principal, axis=0), axis=0)).sum(axis=1)
    start = np.abs(principal[0]).sum()
    return bool(np.abs(principal[:, 1]).max() < _CLEAR_OF_LOCK and steps.max(initial=0.0) < _SMALL_STEP
                and start < 0.5 * np.pi)


def _keeping_last(rotation: Rotation, sequence: str, last: float) -> np.ndarray:
    """The triple in gimbal lock whose last angle is `last`."""
    rest = Rotation.from_euler(sequence[2], last).inv() * rotation
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        first, middle, third = rest.as_euler(sequence)
    return np.array([first, middle, last + third])


def slerp(times: np.ndarray, quaternions: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Rotations (W, ..., 4) at `wanted` (W,) between samples (T, ..., 4) at rising `times` (T,); ends are held."""
    row, share = _between(times, wanted)

    def turned(rows: slice) -> np.ndarray:
        a, b = quaternions[row[rows]], quaternions[row[rows] + 1]
        step = rotvec_from_quat(quat_multiply(quat_conjugate(a), b))
        return quat_multiply(a, quat_from_rotvec(step * share[rows].reshape(-1, *[1] * (step.ndim - 1))))

    return in_blocks(turned, len(wanted))


def lerp(times: np.ndarray, values: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Vectors (W, ...) at `wanted` (W,) between samples (T, ...) at rising `times` (T,); ends are held."""
    row, share = _between(times, wanted)
    share = share.reshape(-1, *[1] * (values.ndim - 1))
    return (1.0 - share) * values[row] + share * values[row + 1]


def _between(times: np.ndarray, wanted: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    row = np.clip(np.searchsorted(times, wanted, side="right") - 1, 0, len(times) - 2)
    return row, np.clip((wanted - times[row]) / (times[row + 1] - times[row]), 0.0, 1.0)

# SPDX-License-Identifier: GPL-3.0-or-later
"""Quaternion algebra against scipy's rotations, single and stacked, at its awkward places; legs by inverse kinematics."""

import numpy as np
import pytest
from lope.addon.maths.quaternions import (
    matrix_from_quat, quat_conjugate, quat_from_matrix, quat_from_rotvec, quat_multiply, quat_rotate, rotvec_from_quat
)
from lope.addon.controllers.tracking.planners.leg_ik import REACH, solve_legs
from lope.addon.controllers.tracking.planners.pose import matrices_to_quats, turns
from scipy.spatial.transform import Rotation

RNG = np.random.default_rng(8)
A, B = RNG.normal(size=(2, 40, 4))
A, B = A / np.linalg.norm(A, axis=1, keepdims=True), B / np.linalg.norm(B, axis=1, keepdims=True)


def scipy_rotation(quats):
    """scipy's rotation of w-x-y-z quaternions."""
    return Rotation.from_quat(np.roll(quats, -1, axis=-1))


def test_products_matrices_and_rotated_vectors_are_scipys():
    vectors = RNG.normal(size=(40, 3))
    a, b = scipy_rotation(A), scipy_rotation(B)
    np.testing.assert_allclose(matrix_from_quat(quat_multiply(A, B)), (a * b).as_matrix(), atol=1e-12)
    np.testing.assert_allclose(matrix_from_quat(A), a.as_matrix(), atol=1e-12)
    np.testing.assert_allclose(quat_rotate(A, vectors), a.apply(vectors), atol=1e-12)
    np.testing.assert_allclose(matrix_from_quat(quat_conjugate(A)), a.inv().as_matrix(), atol=1e-12)
    np.testing.assert_allclose(rotvec_from_quat(A), a.as_rotvec(), atol=1e-12)


@pytest.mark.parametrize("shapes", [((4,), (4,)), ((4,), (5, 4)), ((3, 1, 4), (5, 4))], ids=str)
def test_stacks_of_any_shape_are_paired_as_numpy_does(shapes):
    a, b = A.ravel()[:np.prod(shapes[0])].reshape(shapes[0]), B.ravel()[:np.prod(shapes[1])].reshape(shapes[1])
    whole = quat_multiply(a, b)
    rotated = quat_rotate(a, b[..., 1:])
    wide_a, wide_b = np.broadcast_arrays(a, b)
    assert whole.shape == wide_a.shape
    for index in np.ndindex(*wide_a.shape[:-1]):
        np.testing.assert_allclose(whole[index], quat_multiply(wide_a[index], wide_b[index]), atol=1e-15)
        np.testing.assert_allclose(rotated[index], quat_rotate(wide_a[index], wide_b[index][1:]), atol=1e-15)


@pytest.mark.parametrize("angle", [0.0, 1e-200, 1e-12, 1e-6, 0.3, 3.1])
def test_rotation_vectors_there_and_back(angle):
    axis = np.array([0.6, -0.48, 0.64])
    quat = quat_from_rotvec(angle * axis)
    np.testing.assert_allclose(np.linalg.norm(quat), 1.0, atol=1e-15)
    np.testing.assert_allclose(rotvec_from_quat(quat), angle * axis, rtol=1e-9, atol=1e-30)
    np.testing.assert_allclose(rotvec_from_quat(-quat), angle * axis, rtol=1e-9, atol=1e-30)


def test_matrices_there_and_back():
    positive = np.where(A[:, :1] < 0.0, -A, A)
    np.testing.assert_allclose(quat_from_matrix(matrix_from_quat(A)), positive, atol=1e-12)
    usable = positive[positive[:, 0] > 0.1]
    np.testing.assert_allclose(matrices_to_quats(matrix_from_quat(usable)), usable, atol=1e-12)
    np.testing.assert_allclose(turns(0.4), quat_from_rotvec(np.array([0.0, 0.0, 0.4])), atol=1e-15)


def random_legs(count, rng):
    """Pelves, hips, ankles within reach, feet and side axes of some legs of 0.44 m and 0.42 m."""
    pelvis, foot = (Rotation.random(count, random_state=seed).as_matrix() for seed in (1, 2))
    hip, line = rng.normal(size=(2, count, 3))
    ankle = hip + line * (rng.uniform(0.3, 0.84, count) / np.linalg.norm(line, axis=1))[:, None]
    return pelvis, hip, ankle, foot, pelvis[:, :, 1]


def test_legs_reach_their_ankles_and_keep_their_feet():
    pelvis, hip, ankle, foot, side = random_legs(25, np.random.default_rng(4))
    hips, knees, ankles = solve_legs(pelvis, hip, ankle, foot, side, 0.44, 0.42)
    thigh = pelvis @ hips
    shank = thigh @ Rotation.from_rotvec(knees[:, None] * [0.0, 1.0, 0.0]).as_matrix()
    reached = hip - 0.44 * thigh[:, :, 2] - 0.42 * shank[:, :, 2]
    np.testing.assert_allclose(reached, ankle, atol=1e-12)
    np.testing.assert_allclose(shank @ ankles, foot, atol=1e-12)
    assert knees.min() > 0.0
    across = np.cross(ankle - hip, np.cross(side, ankle - hip))
    np.testing.assert_allclose(thigh[:, :, 1], across / np.linalg.norm(across, axis=1, keepdims=True), atol=1e-12)
    for rotation in (hips, ankles):
        np.testing.assert_allclose(np.linalg.det(rotation), 1.0, atol=1e-12)


def test_a_leg_out_of_reach_points_at_its_ankle_nearly_straight():
    pelvis, hip, ankle, foot, side = random_legs(5, np.random.default_rng(4))
    far = hip + 3.0 * (ankle - hip)
    hips, knees, _ = solve_legs(pelvis, hip, far, foot, side, 0.44, 0.42)
    thigh = pelvis @ hips
    shank = thigh @ Rotation.from_rotvec(knees[:, None] * [0.0, 1.0, 0.0]).as_matrix()
    reached = -0.44 * thigh[:, :, 2] - 0.42 * shank[:, :, 2]
    lengths = np.linalg.norm(far - hip, axis=1, keepdims=True)
    np.testing.assert_allclose(reached, REACH * 0.86 * (far - hip) / lengths, atol=1e-9)

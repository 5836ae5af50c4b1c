# SPDX-License-Identifier: GPL-3.0-or-later
"""Quaternion algebra against scipy's rotations, single and stacked, at its awkward places."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from lope.addon.maths.rotations import (
    matrix_from_quat,
    quat_conjugate,
    quat_from_matrix,
    quat_from_rotvec,
    quat_multiply,
    quat_rotate,
    rotvec_from_quat,
)

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

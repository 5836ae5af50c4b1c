# SPDX-License-Identifier: GPL-3.0-or-later
"""What several rooms need of geometry and analysis: least turns, curves with level ends, Fourier series of one period."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from lope.addon.maths.curves import (
    basis_at,
    bump,
    coefficients_of,
    cubic,
    derivative_of,
    periodic_derivative,
    shifted,
    smooth,
    smoothstep,
)
from lope.addon.maths.rotations import (
    laid_back,
    matrix_from_quat,
    quat_from_rotvec,
    quats_between,
    raised,
    rotation_between,
    tilted,
    tilts,
)

UP = np.array([0.0, 0.0, 1.0])
NORMALS = np.random.default_rng(3).normal(size=(20, 3)) * (0.5, 0.5, 0.0) + UP
NORMALS /= np.linalg.norm(NORMALS, axis=1, keepdims=True)


def least(source, target):
    """The least turn by scipy: about the cross product, by the angle between (unit vectors)."""
    axis = np.cross(source, target)
    return Rotation.from_rotvec(axis / np.linalg.norm(axis) * np.arccos(source @ target)).as_matrix()


def test_every_way_to_write_the_least_turn_is_the_same_turn():
    vectors = np.random.default_rng(4).normal(size=(20, 3))
    for normal, turn, vector in zip(NORMALS, tilts(NORMALS), vectors, strict=True):
        wanted, level = least(UP, normal), vector * (1.0, 1.0, 0.0)
        np.testing.assert_allclose(turn, wanted, atol=1e-12)
        np.testing.assert_allclose(rotation_between(3.0 * UP, 2.0 * normal), wanted, atol=1e-12)
        np.testing.assert_allclose(raised(level, tuple(normal)), wanted @ level, atol=1e-12)
        np.testing.assert_allclose(laid_back(vector, tuple(normal)), wanted.T @ vector, atol=1e-12)
        np.testing.assert_allclose(matrix_from_quat(quat_from_rotvec(tilted(np.zeros(3), tuple(normal), 0.0))), wanted, atol=1e-9)
    matrices = matrix_from_quat(quats_between(np.broadcast_to(UP, NORMALS.shape), NORMALS))
    np.testing.assert_allclose(matrices, tilts(NORMALS), atol=1e-12)


def test_opposite_directions_are_turned_by_half_a_turn():
    for axis in np.eye(3):
        turn = rotation_between(axis, -axis)
        np.testing.assert_allclose(turn @ axis, -axis, atol=1e-12)
        assert np.linalg.det(turn) == pytest.approx(1.0)


def test_curves_are_level_at_their_ends():
    s = np.linspace(0.0, 1.0, 101)
    np.testing.assert_array_equal(smoothstep(s), cubic(s))
    assert smoothstep(np.array([-1.0, 2.0])).tolist() == [0.0, 1.0] and [smooth(x) for x in (-1.0, 0.5, 2.0)] == [0.0, 0.5, 1.0]
    assert [bump(x) for x in (-1.0, 0.0, 0.5, 1.0, 2.0)] == [0.0, 0.0, 1.0, 0.0, 0.0]
    for curve in (smooth, bump):
        assert abs(curve(1e-6)) < 1e-10 and abs(curve(1.0 - 1e-6) - curve(1.0)) < 1e-10


def test_series_of_one_period():
    phases, period = np.random.default_rng(5).uniform(0.0, 1.0, 7), np.arange(64) / 64

    def wave(phase):
        turn = 2.0 * np.pi * np.asarray(phase)[..., None]
        return np.concatenate([3.0 + np.cos(turn) - 0.5 * np.sin(3.0 * turn), 2.0 * np.sin(2.0 * turn)], axis=-1)

    def slope(phase):
        turn = 2.0 * np.pi * np.asarray(phase)[..., None]
        return 2.0 * np.pi * np.concatenate([-np.sin(turn) - 1.5 * np.cos(3.0 * turn), 4.0 * np.cos(2.0 * turn)], axis=-1)

    found = coefficients_of(np.fft.rfft(wave(period), axis=0) / 64, 4)
    np.testing.assert_allclose(basis_at(phases, 4) @ found.T, wave(phases), atol=1e-12)
    np.testing.assert_allclose(basis_at(phases, 4) @ derivative_of(found).T, slope(phases), atol=1e-11)
    np.testing.assert_allclose(periodic_derivative(wave(period)), slope(period), atol=1e-11)
    np.testing.assert_allclose(basis_at(phases, 4) @ shifted(found, 0.3).T, wave(phases + 0.3), atol=1e-12)
    each = basis_at(phases, 4) @ shifted(found, np.array([0.3, -0.1])).T
    np.testing.assert_allclose(each, np.stack([wave(phases + 0.3)[:, 0], wave(phases - 0.1)[:, 1]], axis=1), atol=1e-12)

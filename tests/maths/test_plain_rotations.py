# SPDX-License-Identifier: GPL-3.0-or-later
"""Quaternions as plain floats do what the arrays' do."""

import math

import numpy as np
import pytest

from lope.addon.locomotion.legged.pose import turn_about
from lope.addon.maths import rotations as plain_rotations
from lope.addon.maths import rotations as quaternions

RNG = np.random.default_rng(3)
PAIRS = RNG.normal(size=(20, 2, 4))
PAIRS /= np.linalg.norm(PAIRS, axis=-1, keepdims=True)


@pytest.mark.parametrize("pair", PAIRS[:5])
def test_products_inverses_and_rotated_vectors(pair):
    (a, b), vector = pair, RNG.normal(size=3)
    near = {"atol": 1e-15, "rtol": 0.0}
    np.testing.assert_allclose(plain_rotations.product(a, b), quaternions.quat_multiply(a, b), **near)
    np.testing.assert_allclose(plain_rotations.inverse(a), quaternions.quat_conjugate(a), **near)
    np.testing.assert_allclose(plain_rotations.rotated(a, vector), quaternions.quat_rotate(a, vector), atol=2e-15)


@pytest.mark.parametrize("angle", [0.0, 1e-200, 1e-13, 1e-6, 0.3, 3.1])
def test_rotation_vectors_there_and_back(angle):
    rotvec = angle * np.array([0.6, -0.48, 0.64])
    quat = plain_rotations.from_rotvec(rotvec.tolist())
    np.testing.assert_allclose(quat, quaternions.quat_from_rotvec(rotvec), atol=1e-16, rtol=1e-15)
    for same in (quat, tuple(-part for part in quat)):
        np.testing.assert_allclose(plain_rotations.to_rotvec(same), rotvec, rtol=1e-9, atol=1e-30)


@pytest.mark.parametrize("pair", PAIRS)
def test_axes_there_and_back(pair):
    quat = pair[0] * math.copysign(1.0, pair[0][0])
    if quat[0] > 0.1:
        x, y, z = quaternions.matrix_from_quat(quat).T.tolist()
        np.testing.assert_allclose(plain_rotations.from_axes(x, y, z), quat, atol=1e-14)


def test_turns_about_the_vertical_and_leaning_ones():
    np.testing.assert_allclose(plain_rotations.z_turn(0.4), quaternions.quat_from_rotvec(np.array([0.0, 0.0, 0.4])), atol=1e-16)
    leaning = quaternions.quat_multiply(*(quaternions.quat_from_rotvec(np.array(v)) for v in ([0.0, 0.0, 0.4], [-0.1, 0.0, 0.0])))
    np.testing.assert_allclose(turn_about(0.4, 0.1), leaning, atol=1e-16)

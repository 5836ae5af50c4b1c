# SPDX-License-Identifier: GPL-3.0-or-later
"""Angles are the same wherever their arguments lie in memory."""

import numpy as np

from lope.addon.maths.rotations import plane_angle

TURNS = np.random.default_rng(0).normal(size=(317, 3, 3))


def test_angles_are_those_of_the_vectors():
    np.testing.assert_allclose(plane_angle(TURNS[:, 1, 0], TURNS[:, 0, 0]),
                               np.angle(TURNS[:, 0, 0] + 1j * TURNS[:, 1, 0]), atol=1e-14)
    assert plane_angle(1.0, 0.0) == 0.5 * np.pi


def test_angles_do_not_depend_on_where_their_arguments_lie():
    found, kept, rng = set(), [], np.random.default_rng(1)
    for _ in range(400):
        kept = [*kept[-50:], np.empty(int(rng.integers(1, 4000)))]
        turns = TURNS.copy()
        found.add(plane_angle(turns[:, 1, 0], turns[:, 0, 0]).tobytes())
    assert len(found) == 1

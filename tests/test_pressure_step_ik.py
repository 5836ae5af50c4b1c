# SPDX-License-Identifier: GPL-3.0-or-later
"""A step that lands elsewhere: legs as long as before, hips as high as one another, feet where they are to be."""

from __future__ import annotations

import numpy as np
import pytest

from lope.addon.maths.quaternions import quat_rotate
from lope.addon.motions.pressure.step_ik import step_change

LEAD, STANCE = np.array([0.25, -0.09, -0.80]), np.array([-0.20, 0.10, -0.82])


@pytest.mark.parametrize("degrees", range(0, 360, 30))
def test_a_step_lands_where_it_is_asked_to_in_twelve_directions(degrees):
    shift = 0.12 * np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))])
    found = step_change(LEAD, STANCE, shift)
    lead, stance = quat_rotate(found.lead, LEAD), quat_rotate(found.stance, STANCE)
    np.testing.assert_allclose(found.reached_m, shift)
    np.testing.assert_allclose((lead - stance)[:2] - (LEAD - STANCE)[:2], shift, atol=1e-9)
    assert np.linalg.norm(lead) == pytest.approx(np.linalg.norm(LEAD))
    assert lead[2] - LEAD[2] == pytest.approx(stance[2] - STANCE[2], abs=1e-7) == pytest.approx(found.drop_m, abs=1e-7)
    assert 0.0 <= found.lead_share <= 1.0


def test_legs_of_one_height_share_by_the_linear_equation():
    level = STANCE * [1.0, 1.0, 0.0] + [0.0, 0.0, LEAD[2]]
    found = step_change(LEAD, level, np.array([0.1, 0.05]))
    lead, stance = quat_rotate(found.lead, LEAD), quat_rotate(found.stance, level)
    assert lead[2] == pytest.approx(stance[2], abs=1e-9)


def test_what_is_beyond_reach_is_left_out_and_told():
    found = step_change(LEAD, STANCE, np.array([3.0, 0.0]))
    assert 0.0 < found.reached_m[0] < 3.0 and found.reached_m[1] == 0.0
    moved = quat_rotate(found.lead, LEAD) - quat_rotate(found.stance, STANCE) - (LEAD - STANCE)
    np.testing.assert_allclose(moved[:2], found.reached_m, atol=1e-9)


def test_no_shift_changes_nothing():
    found = step_change(LEAD, STANCE, np.zeros(2))
    np.testing.assert_allclose([found.lead, found.stance], [[1, 0, 0, 0]] * 2, atol=1e-12)
    assert found.drop_m == 0.0

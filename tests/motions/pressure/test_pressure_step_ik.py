# SPDX-License-Identifier: GPL-3.0-or-later
"""How two legs share a step that lands elsewhere: legs as long as before, hips as much lower as one another."""

from __future__ import annotations

import numpy as np
import pytest

from lope.addon.motions.pressure.steps import lead_share

LEAD, STANCE = np.array([0.25, -0.09, -0.80]), np.array([-0.20, 0.10, -0.82])


def lower_m(leg: np.ndarray, shift: np.ndarray) -> float:
    """How much lower a hip is when its leg, as long as it was, stands so far aside."""
    flat = leg[:2] + shift
    return float(-leg[2] - np.sqrt(leg @ leg - flat @ flat))


@pytest.mark.parametrize("degrees", range(0, 360, 30))
def test_both_hips_sink_alike_in_twelve_directions(degrees):
    shift = 0.12 * np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))])
    share = lead_share(LEAD, STANCE, shift)
    assert 0.0 <= share <= 1.0
    assert lower_m(LEAD, share * shift) == pytest.approx(lower_m(STANCE, (share - 1.0) * shift), abs=1e-7)


def test_legs_of_one_height_share_by_the_linear_equation():
    level = np.array([*STANCE[:2], LEAD[2]])
    shift = np.array([0.1, 0.05])
    share = lead_share(LEAD, level, shift)
    assert lower_m(LEAD, share * shift) == pytest.approx(lower_m(level, (share - 1.0) * shift), abs=1e-9)


def test_legs_that_mirror_one_another_share_evenly():
    behind = LEAD * [-1.0, -1.0, 1.0]
    assert lead_share(LEAD, behind, np.array([0.1, 0.05])) == pytest.approx(0.5)


def test_no_share_is_told_for_what_is_beyond_reach():
    assert lead_share(LEAD, STANCE, np.array([3.0, 0.0])) is None


def test_no_shift_is_shared_evenly():
    assert lead_share(LEAD, STANCE, np.zeros(2)) == 0.5

# SPDX-License-Identifier: GPL-3.0-or-later
"""Stances other than feet beside each other: who is pushed out of one comes back to it, and is quiet there."""

import cmath
import math

import numpy as np
import pytest

from lope.addon.sim.simulation import simulate
from lope.addon.specs.motions import Stand
from lope.addon.specs.shot import Push, Shot

pytestmark = pytest.mark.slow


def pushed(force, degrees, seconds, **stand):
    """A take of somebody in a stance who is pushed after half a second."""
    way = force * cmath.exp(1j * math.radians(degrees))
    return simulate(Shot(motion=Stand(**stand), pushes=(Push(0.5, 0.2, (way.real, way.imag, 0.0)),), duration_s=seconds))


def ankles(take, frame):
    """From the right ankle to the left (3,) at a frame."""
    left, right = (take.segment_poses[0][frame, take.body.index[f"foot_{side}"]] for side in "LR")
    return left - right


@pytest.mark.acceptance
@pytest.mark.parametrize("force, degrees, seconds, stand", [
    (200.0, 270.0, 5.5, {"ahead_m": 0.7}),  # trod in place: feet near each other were brought nearer still
    (200.0, 0.0, 5.5, {"apart_m": 0.5}),  # a leg too short for where its foot was held the weight back
])
def test_a_wide_stance_is_come_back_to(force, degrees, seconds, stand):
    take = pushed(force, degrees, seconds, **stand)
    assert not take.fell and 1 <= take.stats["steps_taken"] <= 4
    assert np.linalg.norm(ankles(take, -1) - ankles(take, 0)) < 0.08
    assert np.hypot(*take.com_velocity_m_s[-100:, :2].T).max() < 0.15


@pytest.mark.acceptance
def test_who_is_pushed_off_one_leg_lifts_the_other_again():
    take = pushed(230.0, 90.0, 6.5, one_leg="L")
    assert not take.fell and take.contact[:, 1].any() and not take.contact[-100:, 1].any()
    assert ankles(take, -1)[2] == pytest.approx(ankles(take, 0)[2], abs=0.03)
    assert np.hypot(*take.com_velocity_m_s[-1, :2]) < 0.05

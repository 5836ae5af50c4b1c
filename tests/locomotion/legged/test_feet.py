# SPDX-License-Identifier: GPL-3.0-or-later
"""Feet at the end of a late step: the waiting foot is led to its landing, and nowhere else."""

import numpy as np
import pytest

from planner_kit import Follower

pytestmark = pytest.mark.slow

EARTH_G = 9.81


def test_a_foot_that_waits_for_the_ground_goes_straight_down_at_its_speed(monkeypatch):
    walker = Follower(EARTH_G)
    monkeypatch.setattr(walker.planner.feet, "touches", lambda side: False)
    walker.load = False
    planner = walker.planner
    for _ in range(200):
        walker.step()
        foot = planner.feet[walker.swing_side]
        if foot.lowered_m > 0.02:
            break
    assert foot.lowered_m > 0.02, "the clock waits"
    before, now, after = planner.feet.poses(planner.course.heading, (-0.005, 0.0, 0.005))
    active, _ = planner.feet.contact_points()
    wanted = planner.feet.wanted(planner.course.heading, before, now, after, 0.005, active)[walker.swing_side]
    np.testing.assert_allclose(wanted.velocity, [0.0, 0.0, -planner.settings.lowering_m_s], atol=1e-9)
    np.testing.assert_allclose(wanted.acceleration, 0.0, atol=1e-6)


def test_the_standing_foot_rolls_on_while_the_clock_waits():
    walker = Follower(EARTH_G)
    walker.load = False
    planner = walker.planner
    for _ in range(200):
        walker.step()
        if planner.feet[walker.swing_side].lowered_m > 0.0:
            break
    side = planner.rhythm.stance
    first = planner.feet.poses(planner.course.heading, (0.0,))[0][side].rotvec[1]
    for _ in range(5):
        walker.step()
    assert planner.feet.poses(planner.course.heading, (0.0,))[0][side].rotvec[1] > first + 0.02

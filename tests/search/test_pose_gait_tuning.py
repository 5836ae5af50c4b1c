# SPDX-License-Identifier: GPL-3.0-or-later
"""The search around a gait from key poses: what it may change, and what costs."""

from dataclasses import replace

import numpy as np
import pytest

from lope.addon.gaits.pose_gaits import load_pose_gait
from lope.addon.search.pose_gait import PoseGaitProblem, pose_gait_shots, shot_cost
from lope.addon.sim.simulation import simulate
from lope.addon.specs.motions import KeyPoses
from lope.addon.specs.shot import Push, Shot

pytestmark = pytest.mark.slow

WALK = load_pose_gait("walk")


def shot(**values):
    return Shot(motion=KeyPoses(WALK, start="standing"), **values)


def test_a_search_stays_within_what_a_gait_can_be_and_asks_of_pushes():
    problem = PoseGaitProblem(WALK, pose_gait_shots(WALK))
    same, far = problem.gait_at(np.zeros(problem.size)), problem.gait_at(np.full(problem.size, 3.0))
    assert same == WALK and far.states[0].swing_knee == pytest.approx(-0.65) and far.states[1].lasts_s is None
    assert len(problem.shots[1].pushes) == 4
    bent = problem.gait_at(np.full(problem.size, 9.0))
    assert all(state.swing_knee <= 0.0 for state in bent.states)


def test_falls_cost_more_the_sooner_and_speed_is_that_of_the_gait():
    stood = simulate(shot(duration_s=5.0))
    slow = replace(stood, shot=stood.shot.with_motion(gait=replace(WALK, speed_m_s=2.0)))
    fell = simulate(shot(duration_s=5.0, pushes=(Push(1.0, 0.4, (0.0, 900.0, 0.0)),)))
    assert fell.fell and shot_cost(stood) + 8.0 < shot_cost(slow) and shot_cost(stood) + 10.0 < shot_cost(fell)

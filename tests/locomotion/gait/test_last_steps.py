# SPDX-License-Identifier: GPL-3.0-or-later
"""The last steps of a walk that stops: as ever where its feet can hold the body, more of them where it would run on."""

import numpy as np
import pytest

from lope.addon.bodies.makers import make_body
from lope.addon.locomotion.gait.shot_gait import body_cycle, gait_variables
from lope.addon.locomotion.gait.walk.pendulum import CAUGHT_LEGS, LONGEST_FIRST, MOST, EndSettings, ahead, last_shares, last_steps
from lope.addon.sim.simulation import preview, simulate
from lope.addon.specs.motion import Style
from lope.addon.specs.motions import PEOPLE, Gait
from lope.addon.specs.shot import BodySpec, Shot
from lope.addon.worlds.planets import load_world
from shot_kit import gait_shot

pytestmark = pytest.mark.slow

BODY, SETTINGS = make_body(BodySpec()), EndSettings()


def gait(world, **more):
    """Gait variables of a walk and its gravity."""
    shot = gait_shot(world=load_world(world), **more)
    return gait_variables(shot, body_cycle(shot, BODY), BODY), shot.world.gravity_m_s2


@pytest.mark.parametrize("world", ["ceres", "moon", "earth", "jupiter"])
def test_a_walk_of_similar_steps_stops_alike_everywhere(world):
    assert last_steps(*gait(world), SETTINGS) == list(SETTINGS.last)


def test_who_would_run_on_brakes_with_a_longer_step_first():
    shares = last_steps(*gait("moon", law=PEOPLE), SETTINGS)
    assert shares[1:] == list(SETTINGS.last) and 1.1 < shares[0] <= LONGEST_FIRST
    assert ahead(shares, 2.8) < 0.02 < CAUGHT_LEGS < ahead(SETTINGS.last, 2.8)
    quick, gravity = gait("moon", law=PEOPLE, speed_m_s=1.6, force=True)
    assert len(SETTINGS.last) + 1 < len(last_steps(quick, gravity, SETTINGS)) <= MOST


def test_a_paths_end_is_reached_by_steps_that_are_nearest_to_what_they_should_be():
    walk, gravity = gait("moon", law=PEOPLE)
    own = last_steps(walk, gravity, SETTINGS)
    assert last_shares(1.4 * sum(own), 99, walk, gravity, SETTINGS) == []
    for left, count in ((0.9, 4), (1.1, 4), (1.25, 5)):
        shares = last_shares(left * sum(own), 99, walk, gravity, SETTINGS)
        assert len(shares) == count and sum(shares) == pytest.approx(left * sum(own))


def test_short_steps_stop_before_they_have_gone_past_the_end():
    """Wherever a foot stands when the end is near, the steps from there on end within a tenth of a step of it."""
    walk, gravity = gait("moon", law=PEOPLE, speed_m_s=0.35, stride_frequency_hz=0.41, force=True)
    assert walk.stride_length_m < walk.leg_length_m
    for start in np.linspace(5.0, 6.0, 21):
        left = start
        while not (shares := last_shares(left, 99, walk, gravity, SETTINGS)):
            left -= 1.0
        assert sum(shares) == pytest.approx(left, abs=0.1)


@pytest.mark.acceptance
def test_a_walk_on_the_moon_comes_to_rest_where_it_was_planned_to():
    shot = Shot(motion=Gait(law=PEOPLE, stop="standing", style=Style(variation=0.0)), world=load_world("moon"), duration_s=8.0)
    take, plan = simulate(shot), preview(shot)
    assert not take.fell and np.linalg.norm(take.com_velocity_m_s[-1]) < 0.05
    assert np.abs(take.plan_footstep_m[-1, 0] - plan.footstep_m[-1, 0]) < 0.1
    assert abs(take.plan_footstep_m[-1, 0] - take.plan_footstep_m[-2, 0]) < 0.05

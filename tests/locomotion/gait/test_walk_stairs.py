# SPDX-License-Identifier: GPL-3.0-or-later
"""Walks on household stairs: every tread is stepped on once, at the planned speed, and no foot meets an edge."""

import numpy as np
import pytest

from lope.addon.bodies.human.suit import load_suit
from lope.addon.bodies.makers import make_body
from lope.addon.bodies.of_shot import edged
from lope.addon.errors import InputError
from lope.addon.reports.measures import measure
from lope.addon.sim.simulation import simulate
from lope.addon.specs.motion import Style
from lope.addon.specs.path import GroundSpec
from lope.addon.specs.shot import BodySpec, World
from shot_kit import gait_shot

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("rise, run", [(0.17, 0.28), (-0.17, 0.28), (0.15, 0.32), (-0.19, 0.25)])
def test_a_walk_climbs_and_descends_household_stairs(rise, run):
    spec = GroundSpec("steps", rise_m=rise, run_m=run)
    take = simulate(gait_shot("walk", world=World(ground=spec), duration_s=5.0, noise=0.05, seed=3))
    assert not take.fell
    found = measure(take)
    assert found["treads"] == len(take.plan_footstep_m) >= 7 and found["treads_skipped"] == 0, "one foot on each tread"
    later = take.time_s > 2.0
    speed = np.ptp(take.com_m[later, 0]) / np.ptp(take.time_s[later])
    assert speed == pytest.approx(take.stats["planned_speed_m_s"], rel=0.15)


@pytest.mark.parametrize("rise, run, seed", [(-0.19, 0.25, 0), (-0.19, 0.25, 1), (-0.17, 0.28, 0), (-0.15, 0.32, 0)])
def test_a_descent_knows_how_its_legs_swing(rise, run, seed):
    spec = GroundSpec("steps", rise_m=rise, run_m=run)
    take = simulate(gait_shot("walk", law="people", world=World(ground=spec), duration_s=6.5, noise=0.05, seed=seed))
    found = measure(take)
    assert not take.fell and found["treads"] >= 11 and found["treads_skipped"] == 0
    later = take.time_s > 2.0
    speed = np.ptp(take.com_m[later, 0]) / np.ptp(take.time_s[later])
    assert speed == pytest.approx(take.stats["planned_speed_m_s"], rel=0.15)


def test_soles_have_points_in_their_middle_where_ground_has_edges():
    body = make_body(BodySpec(), load_suit("none"))
    assert edged(body, GroundSpec("slope", slope_deg=4.0)) is body
    soled = edged(body, GroundSpec("steps"))
    for foot, bare in zip(soled.feet, body.feet, strict=True):
        assert foot.points[:len(bare.points)] == bare.points
        places = sorted(soled.contact_points[i].position[0] for i in foot.points if soled.contact_points[i].kind != "toe")
        assert np.diff(places).max() < 0.2 * (places[-1] - places[0]) + 0.02


def test_a_walk_that_varies_keeps_to_the_treads_and_flights_are_refused():
    spec = GroundSpec("steps", rise_m=0.17, run_m=0.28)
    take = simulate(gait_shot("walk", law="people", world=World(ground=spec), duration_s=5.0, style=Style(variation=1.0)))
    assert not take.fell and measure(take)["treads_skipped"] == 0
    with pytest.raises(InputError, match="choose a walk"):
        simulate(gait_shot("run", world=World(ground=spec), duration_s=3.0))

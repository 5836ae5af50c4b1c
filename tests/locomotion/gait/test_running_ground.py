# SPDX-License-Identifier: GPL-3.0-or-later
"""Gaits with flight on slopes and on ground with bumps."""

import math
from dataclasses import replace

import numpy as np
import pytest

from lope.addon.locomotion.gait.running.planner import RunningTerrain
from lope.addon.locomotion.legged.foot_path import FootGeometry, Footstep
from lope.addon.reports.measures import measure
from lope.addon.sim.simulation import Simulation, simulate
from lope.addon.specs.motions import Gait
from lope.addon.specs.path import GroundSpec
from lope.addon.specs.shot import Shot
from lope.addon.worlds.ground import Support, make_ground
from lope.addon.worlds.planets import load_world
from planner_kit import BODY

pytestmark = pytest.mark.slow
MORE = pytest.mark.acceptance

STEEPNESS = math.tan(math.radians(5.0))


def bumpy(height_m):
    """Bumps of 1 m length, trough to crest `height_m`, that begin half a metre ahead."""
    x, y = np.meshgrid(np.arange(-2.0, 20.0, 0.1), np.arange(-2.0, 2.05, 0.1), indexing="ij")
    heights = 0.5 * height_m * np.sin(2.0 * np.pi * x) * np.cos(2.0 * np.pi * y) * np.clip(x - 0.5, 0.0, 1.0)
    return GroundSpec("field", heights_m=tuple(map(tuple, heights.tolist())), spacing_m=0.1, origin_m=(-2.0, -2.0))


def on(world, ground):
    return replace(load_world(world), ground=ground)


def test_the_level_is_the_planes_under_the_com_elsewhere_the_footholds():
    geometry = FootGeometry(BODY, "L")
    terrain = RunningTerrain(make_ground(GroundSpec("slope", slope_deg=5.0)), geometry, BODY.leg_length_m)
    terrain.over(2.0 + 1.0j, Footstep("L", 0j, 0.0))
    assert terrain.level_m == pytest.approx(2.0 * STEEPNESS) and terrain.rate(3.0 + 1.0j) == pytest.approx(3.0 * STEEPNESS)
    terrain = RunningTerrain(make_ground(bumpy(0.05)), geometry, BODY.leg_length_m)
    terrain.over(2.0 + 0j, Footstep("L", 2.2 + 0j, 0.0, Support(0.031)))
    assert terrain.level_m == 0.031 and terrain.rate(3.0 + 0j) == 0.0


@pytest.mark.parametrize("degrees", [-5.0, 5.0])
def test_a_start_is_over_the_slope_with_feet_laid_on_it(degrees):
    simulation = Simulation(Shot(motion=Gait("run"), world=on("earth", GroundSpec("slope", slope_deg=degrees))))
    planner, state = simulation.controller.planner, simulation.state
    simulation.close()
    steepness = math.tan(math.radians(degrees))
    over = state.com[2] - steepness * state.com[0]
    assert over == pytest.approx(planner.heights.apex(planner.clock.index), abs=1e-6)
    assert state.com_velocity[2] == pytest.approx(steepness * state.com_velocity[0], abs=1e-6)
    for side in ("L", "R"):
        target = planner.feet[side].target
        assert target.support.height_m == pytest.approx(steepness * target.place.real)
        assert not target.support.level


def test_a_foot_that_lands_lower_than_it_is_left_lands_later():
    downhill, level = (Simulation(Shot(motion=Gait("run", speed_m_s=3.3, force=True), world=on("earth", ground)))
                       for ground in (GroundSpec("slope", slope_deg=-10.0), GroundSpec()))
    for simulation in (downhill, level):
        simulation.close()
    assert max(downhill.controller.planner.heights.touch_down_m) < min(level.controller.planner.heights.touch_down_m) - 0.005


@pytest.mark.acceptance
@pytest.mark.parametrize(("gait", "world", "degrees", "seconds"),
                         [pytest.param("run", "earth", 5.0, 4.0, marks=MORE), ("run", "earth", -5.0, 4.0),
                          ("lope", "moon", -5.0, 7.0)])
def test_it_bounces_up_and_down_slopes(gait, world, degrees, seconds):
    take = simulate(Shot(motion=Gait(gait), world=on(world, GroundSpec("slope", slope_deg=degrees)), duration_s=seconds))
    found = measure(take)
    assert not found["fell"]
    assert found["mean_speed_m_s"] == pytest.approx(found["planned_speed_m_s"], rel=0.05)
    assert found["grf_mean_over_mg"] == pytest.approx(1.0, abs=0.05)
    assert found["flight_fraction"] > 0.3
    over = take.com_m[:, 2] - math.tan(math.radians(degrees)) * take.com_m[:, 0]
    assert np.ptp(over[take.time_s > 1.0]) < 0.25 * BODY.leg_length_m


@pytest.mark.acceptance
def test_it_lopes_over_bumps_on_the_moon():
    take = simulate(Shot(motion=Gait("lope"), world=on("moon", bumpy(0.04)), duration_s=8.0))
    assert not take.fell

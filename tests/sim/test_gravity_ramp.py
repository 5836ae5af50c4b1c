# SPDX-License-Identifier: GPL-3.0-or-later
"""Gravity that changes within a shot: every part follows it, and the walk goes on."""

import numpy as np
import pytest

from lope.addon.engines.engine import make_engine
from lope.addon.sim.simulation import Simulation, simulate
from lope.addon.specs.motions import Gait
from lope.addon.specs.shot import Shot, World
from lope.addon.worlds.planets import gravity_at
from planner_kit import BODY, EARTH_G, MOON_G, gait_at

pytestmark = pytest.mark.slow

MARS_G, NEAR_G = 3.73, 2.0

RAMP = World("ramp", MOON_G, gravity_ramp=((0.5, MOON_G), (3.5, EARTH_G)))


def test_gravity_goes_linearly_from_one_to_the_next_and_stays():
    assert gravity_at(RAMP, 0.0) == gravity_at(RAMP, 0.5) == MOON_G
    assert gravity_at(RAMP, 2.0) == pytest.approx(0.5 * (MOON_G + EARTH_G))
    assert gravity_at(RAMP, 60.0) == EARTH_G
    assert gravity_at(World("x", 2.0, gravity_ramp=((4.0, 6.0),)), 1.0) == pytest.approx(3.0)


@pytest.mark.parametrize("name", ["mujoco", "pybullet"])
def test_engines_let_a_body_fall_with_the_gravity_set(name):
    if name == "pybullet":
        pytest.importorskip("pybullet")
    engine, falls = make_engine(name, BODY, World()), []
    qpos = engine.qpos.copy()
    qpos[2] = 5.0
    for gravity in (EARTH_G, MOON_G):
        engine.reset(qpos, np.zeros_like(engine.qvel))
        engine.set_gravity(gravity)
        engine.advance(np.zeros(len(engine.qvel) - 6), 50)
        falls.append(engine.qvel[2] / (50 * engine.step_s))
    engine.close()
    np.testing.assert_allclose(falls, [-EARTH_G, -MOON_G], rtol=1e-3)


def test_every_part_follows_the_ramp():
    ramp = World("quick", MOON_G, gravity_ramp=((0.2, 1.3 * MOON_G),))
    there, ramped = Simulation(Shot(world=World("there", 1.3 * MOON_G))), Simulation(Shot(world=ramp))
    assert ramped.controller.gait == gait_at(MOON_G)
    while ramped.time_s < 0.25:
        ramped.step()
    assert ramped.controller.gait == there.controller.gait and ramped.gravity_m_s2 == pytest.approx(1.3 * MOON_G)
    assert ramped.state.gravity[2] == pytest.approx(-1.3 * MOON_G) == ramped.engine.model.opt.gravity[2]
    assert ramped.controller.tracker.settings == there.controller.tracker.settings
    np.testing.assert_allclose(ramped.controller.tracker.program.torque_limit, there.controller.tracker.program.torque_limit)
    assert ramped.recorder._loads.threshold_n == pytest.approx(there.recorder._loads.threshold_n)
    walk, other = ramped.controller.planner, there.controller.planner
    assert walk.omega == pytest.approx(other.omega) and walk.time_scale == pytest.approx(other.time_scale)
    assert walk.rhythm.frequency == pytest.approx(other.rhythm.frequency)
    np.testing.assert_allclose(walk.cart.pendulum.gains, other.cart.pendulum.gains)


@pytest.mark.acceptance
def test_a_walk_goes_from_the_moon_to_earth():
    take = simulate(Shot(world=RAMP, duration_s=5.0))
    assert not take.fell
    speed = take.com_velocity_m_s[:, 0]
    assert speed[take.time_s < 0.5].mean() == pytest.approx(gait_at(MOON_G).speed_m_s, rel=0.1)
    assert speed[take.time_s > 4.0].mean() == pytest.approx(gait_at(EARTH_G).speed_m_s, rel=0.1)


@pytest.mark.parametrize(("gait", "start", "end", "seconds"), [
    pytest.param("run", MOON_G, EARTH_G, 3.0, marks=pytest.mark.acceptance), ("lope", MOON_G, MARS_G, 2.5)])
def test_gaits_with_flight_follow_a_ramp(gait, start, end, seconds):
    ramp = World("ramp", start, gravity_ramp=((0.5, start), (0.5 + seconds, end)))
    take = simulate(Shot(motion=Gait(gait), world=ramp, duration_s=seconds + 3.0))
    there = Simulation(Shot(motion=Gait(gait), world=World("x", end)))
    there.close()
    assert not take.fell
    assert take.com_velocity_m_s[take.time_s > seconds + 1.5, 0].mean() == pytest.approx(there.controller.gait.speed_m_s, rel=0.1)


def test_a_bounce_takes_over_the_gravity_at_once_and_its_variables_at_the_next_take_off():
    simulation = Simulation(Shot(motion=Gait("run", tuned=False), world=World("x", MOON_G)))
    planner, there = simulation.controller.planner, Simulation(Shot(motion=Gait("run", tuned=False), world=World("x", NEAR_G)))
    for running in (simulation, there):
        running.engine.close()
    before = planner.clock.ground_s, planner.heights
    planner.change(there.controller.gait, NEAR_G)
    assert planner.gravity == planner.heights.gravity == NEAR_G
    assert (planner.clock.ground_s, planner.heights) == before
    planner.clock.touch_down()
    planner.clock.fraction = 1.0
    planner._advance(0.0, {"L": False, "R": False}, 0.0)
    assert not planner.clock.grounded
    assert planner.clock.ground_s == pytest.approx(there.controller.planner.clock.ground_s)
    assert planner.heights.take_off_m_s == pytest.approx(there.controller.planner.heights.take_off_m_s)
    assert planner.heights.take_off_m == pytest.approx(there.controller.planner.heights.take_off_m)


@pytest.mark.acceptance
def test_one_bounce_changes_the_speed_by_no_more_than_it_can():
    world = World("quick", EARTH_G, gravity_ramp=((1.0, EARTH_G), (5.0, MOON_G)))
    take = simulate(Shot(motion=Gait("run"), world=world, duration_s=10.0))
    assert not take.fell
    assert take.com_velocity_m_s[-1, 0] < 2.3, "on its way from 3.7 m/s to the Moon's 1.5"

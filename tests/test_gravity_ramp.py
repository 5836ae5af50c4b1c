# SPDX-License-Identifier: GPL-3.0-or-later
"""Gravity that changes within a shot: every part follows it, and the walk goes on."""

import numpy as np
import pytest
from lope.addon.engines.factory import make_engine
from lope.addon.errors import InputError
from lope.addon.shot import Shot, World
from lope.addon.simulate import Simulation, gravity_at, simulate
from planner_kit import BODY, EARTH_G, MOON_G, gait_at

RAMP = World("ramp", MOON_G, gravity_ramp=((1.0, MOON_G), (6.0, EARTH_G)))


def test_gravity_goes_linearly_from_one_to_the_next_and_stays():
    assert gravity_at(RAMP, 0.0) == gravity_at(RAMP, 1.0) == MOON_G
    assert gravity_at(RAMP, 3.5) == pytest.approx(0.5 * (MOON_G + EARTH_G))
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
    assert ramped.gait == gait_at(MOON_G)
    while ramped.time_s < 0.25:
        ramped.step()
    assert ramped.gait == there.gait and ramped.gravity_m_s2 == pytest.approx(1.3 * MOON_G)
    assert ramped.state.gravity[2] == pytest.approx(-1.3 * MOON_G) == ramped.engine.model.opt.gravity[2]
    assert ramped.tracker.settings == there.tracker.settings
    np.testing.assert_allclose(ramped.tracker.torque_limit, there.tracker.torque_limit)
    assert ramped.recorder.threshold_n == pytest.approx(there.recorder.threshold_n)
    walk, other = ramped.planner, there.planner
    assert walk.omega == pytest.approx(other.omega) and walk.time_scale == pytest.approx(other.time_scale)
    assert walk.rhythm.frequency == pytest.approx(other.rhythm.frequency)
    np.testing.assert_allclose(walk.cart.pendulum.gains, other.cart.pendulum.gains)


def test_a_walk_goes_from_the_moon_to_earth():
    take = simulate(Shot(world=RAMP, duration_s=8.0))
    assert not take.fell
    speed = take.com_velocity_m_s[:, 0]
    assert speed[take.time_s < 1.0].mean() == pytest.approx(gait_at(MOON_G).speed_m_s, rel=0.1)
    assert speed[take.time_s > 7.0].mean() == pytest.approx(gait_at(EARTH_G).speed_m_s, rel=0.1)


def test_a_gait_with_flight_refuses_a_ramp():
    with pytest.raises(InputError, match="Only walking gaits follow a gravity that changes"):
        Simulation(Shot(gait="run", world=RAMP))

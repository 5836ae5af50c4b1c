# SPDX-License-Identifier: GPL-3.0-or-later
"""The walk on slopes, steps and uneven ground, and bad ground told before the walk."""

import math

import numpy as np
import pytest

from lope.addon.errors import InputError
from lope.addon.gaits.path_speeds import MOST_CLIMB, tread_step
from lope.addon.reports.measures import measure
from lope.addon.sim.simulation import Simulation, preview, simulate
from lope.addon.specs.path import GroundSpec, PathSpec
from lope.addon.specs.shot import Shot, World
from lope.addon.worlds.ground import make_ground
from shot_kit import gait_shot

pytestmark = pytest.mark.slow
MORE = pytest.mark.acceptance

BUMPS = GroundSpec("field", spacing_m=0.1, origin_m=(-2.0, -2.0), heights_m=tuple(map(tuple, (
    0.025 * np.sin(2.0 * np.pi * np.arange(120)[:, None] * 0.1) * np.cos(2.0 * np.pi * np.arange(40) * 0.1)).tolist())))


def shot(ground, gravity=9.81, **options):
    return gait_shot(world=World(gravity_m_s2=gravity, ground=ground), **options)


@pytest.mark.acceptance
@pytest.mark.parametrize("ground, gravity, engine", [
    (GroundSpec("slope", slope_deg=10.0), 9.81, "mujoco"),
    pytest.param(GroundSpec("slope", slope_deg=-10.0), 9.81, "mujoco", marks=MORE),
    pytest.param(GroundSpec("slope", slope_deg=8.0, direction_deg=90.0), 9.81, "mujoco", marks=MORE),
    pytest.param(GroundSpec("slope", slope_deg=5.0), 24.79, "mujoco", marks=MORE),
    (GroundSpec("steps", rise_m=0.1, run_m=0.6), 9.81, "mujoco"),
    pytest.param(BUMPS, 1.62, "mujoco", marks=MORE),
    (BUMPS, 9.81, "mujoco"),
    (GroundSpec("slope", slope_deg=-10.0), 9.81, "ideal"),
], ids=["up", "down", "across", "jupiter", "steps", "bumps-moon", "bumps", "ideal"])
def test_the_walk_stands_and_stays_on_the_ground(ground, gravity, engine):
    take = simulate(shot(ground, gravity, duration_s=4.0, engine=engine))
    assert not take.fell
    surface = make_ground(ground)
    x, y, z = take.com_m.T
    over = z - surface.height(x, y)
    assert 0.8 < over.min() and over.max() < 1.15
    x, y, z = np.moveaxis(take.contact_point_m, -1, 0)
    heights = z - surface.height(x, y)
    loaded = take.contact_point_force_n > 0.05 * take.body.mass_kg * gravity
    assert np.abs(np.median(heights[loaded])) < 0.005
    assert take.com_m[-1, 0] - take.com_m[0, 0] > 0.7 * 4.0 * take.stats["planned_speed_m_s"]


def test_feet_do_not_slip_on_a_slope():
    found = measure(simulate(shot(GroundSpec("slope", slope_deg=10.0), duration_s=7.0)))
    assert found["foot_slip_mm_per_stride"] < 15.0
    assert found["penetration_mm_max"] < 8.0
    assert found["grf_mean_over_mg"] == pytest.approx(1.0, abs=0.03)


def test_uphill_is_slower_unless_a_speed_is_asked():
    level = preview(shot(GroundSpec())).speed_m_s
    up = GroundSpec("slope", slope_deg=5.0)
    assert preview(shot(up)).speed_m_s == pytest.approx(0.9 * level, rel=0.01), "0.50 to 0.45 m/s (Kim 2017)"
    assert preview(shot(up, path=PathSpec(heading_deg=90.0))).speed_m_s == pytest.approx(level)
    assert preview(shot(up, path=PathSpec(heading_deg=180.0))).speed_m_s == pytest.approx(level)
    assert preview(shot(up, speed_m_s=1.2)).speed_m_s == 1.2


@pytest.mark.parametrize("step, run, rise, treads", [
    (0.7, 0.35, 0.05, 2), (0.7, 0.35, 0.2, 1), (0.7, 0.3, 0.05, 2), (0.7, 0.6, 0.3, 1)])
def test_steps_are_whole_treads(step, run, rise, treads):
    assert tread_step(step, run, rise, 0.9) == pytest.approx(treads * run)
    assert treads == 1 or treads * rise <= MOST_CLIMB * 0.9


def test_a_long_tread_takes_whole_steps():
    assert tread_step(0.7, 2.0, 0.2, 0.9) == pytest.approx(2.0 / 3.0)


@pytest.mark.parametrize("ground, friction, words", [
    (GroundSpec("steps", rise_m=0.8), 0.9, "knee"),
    (GroundSpec("slope", slope_deg=15.0), 0.2, "friction"),
])
def test_ground_that_cannot_be_walked_on_is_told_before_the_walk(ground, friction, words):
    with pytest.raises(InputError, match=words):
        Simulation(Shot(world=World(friction=friction, ground=ground)))


def test_a_heading_of_the_slope_does_not_matter():
    """The same slope ahead, seen along another heading, gives the same walk."""
    ahead = simulate(shot(GroundSpec("slope", slope_deg=6.0), duration_s=1.0))
    turned = simulate(shot(GroundSpec("slope", slope_deg=6.0, direction_deg=120.0), duration_s=1.0,
                           path=PathSpec(heading_deg=120.0)))
    way = (turned.com_m[-1, 0] + 1j * turned.com_m[-1, 1]) * np.exp(-1j * math.radians(120.0))
    assert way.real == pytest.approx(ahead.com_m[-1, 0], abs=0.02)
    assert turned.com_m[-1, 2] == pytest.approx(ahead.com_m[-1, 2], abs=0.01)

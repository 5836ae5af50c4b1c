# SPDX-License-Identifier: GPL-3.0-or-later
"""Plans of shots: every gait on every world, and whether they are what is then simulated."""

from dataclasses import replace

import numpy as np
import pytest
from lope.addon.simulate import preview, simulate
from lope.addon.specs.shot import Shot
from lope.addon.worlds.planets import load_world, world_names

WORLDS = [name for name in world_names() if name != "custom"]
GAITS = ("walk", "run", "turn", "lope", "skip", "hop")
EXTREMES = ("ceres", "moon", "earth", "jupiter")


def landings(plan, count):
    """Numbers of the first footprints that are no standing feet."""
    return np.flatnonzero(plan.footstep_time_s > 0.0)[:count]


@pytest.mark.parametrize("gait", GAITS)
def test_every_gait_has_a_plan_on_every_world(gait):
    for name in WORLDS if gait in ("walk", "turn") else EXTREMES:
        world = load_world(name)
        plan = preview(Shot(gait=gait, world=world, duration_s=6.0 * (9.81 / world.gravity_m_s2) ** 0.5))
        steps = landings(plan, 99)
        assert len(steps) >= 6 and np.isfinite(plan.com_m).all() and np.isfinite(plan.cart_m).all(), name
        assert len(plan.com_m) == len(plan.cart_m) == len(plan.time_s), name
        assert (np.diff(plan.footstep_time_s) >= 0.0).all() and not plan.note, name
        sides = plan.footstep_side[steps]
        assert sides.mean() == pytest.approx(0.5, abs=0.1) and (gait == "hop" or (np.diff(sides) != 0).all()), name
        assert (np.hypot(*np.diff(plan.com_m[:, :2], axis=0).T) > 0.0).all() and plan.com_m[:, 2].min() > 0.4, name


@pytest.mark.parametrize("gait", ["run", "lope", "skip", "hop"])
def test_where_a_gait_with_flight_goes_over_from_its_first_bounces_to_its_orbit_nothing_jumps(gait):
    plan = preview(Shot(gait=gait, world=load_world("moon"), duration_s=10.0))
    speed = np.linalg.norm(np.diff(plan.com_m, axis=0), axis=1) / np.diff(plan.time_s)
    assert speed.max() < 1.8 * plan.speed_m_s + 1.0
    stride = np.diff(plan.footstep_m[plan.footstep_side == 0][:, 0])
    np.testing.assert_allclose(stride, plan.speed_m_s / plan.stride_frequency_hz, rtol=0.15)


@pytest.mark.parametrize(("gait", "world"), [("walk", "earth"), ("run", "moon"), ("hop", "earth")])
def test_the_first_landings_are_where_they_were_planned(gait, world):
    shot = Shot(gait=gait, world=load_world(world), duration_s=20.0)
    plan = preview(shot)
    steps = landings(plan, 4)
    take = simulate(replace(shot, duration_s=float(plan.footstep_time_s[steps[-1]]) + 0.2 / plan.stride_frequency_hz))
    assert (take.plan_footstep_side[:4] == plan.footstep_side[steps]).all()
    off = np.linalg.norm(take.plan_footstep_m[:4, :2] - plan.footstep_m[steps, :2], axis=1)
    assert off.max() < 0.05

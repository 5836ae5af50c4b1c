# SPDX-License-Identifier: GPL-3.0-or-later
"""Plans of shots: every gait on every world, and whether they are what is then simulated."""

from dataclasses import replace

import numpy as np
import pytest

from lope.addon.sim.simulation import preview, simulate
from lope.addon.specs.motions import Gait
from lope.addon.specs.muscles import Actuation
from lope.addon.specs.shot import Push, Shot
from lope.addon.specs.steering import Key
from lope.addon.worlds.planets import load_world, world_names

WORLDS = [name for name in world_names() if name != "custom"]
GAITS = ("walk", "run", "turn", "lope", "skip", "hop")
EXTREMES = ("ceres", "moon", "earth", "jupiter")


def landings(plan, count):
    """Numbers of the first footprints that are no standing feet."""
    return np.flatnonzero(plan.footstep_time_s > 0.0)[:count]


@pytest.mark.slow
@pytest.mark.parametrize("gait", [
    "walk", "turn", "hop", *(pytest.param(name, marks=pytest.mark.acceptance) for name in ("run", "lope", "skip"))])
def test_every_gait_has_a_plan_on_every_world(gait):
    for name in WORLDS if gait in ("walk", "turn") else EXTREMES:
        world = load_world(name)
        plan = preview(Shot(motion=Gait(gait), world=world, duration_s=6.0 * (9.81 / world.gravity_m_s2) ** 0.5))
        steps = landings(plan, 99)
        assert len(steps) >= 6 and np.isfinite(plan.com_m).all() and np.isfinite(plan.cart_m).all(), name
        assert len(plan.com_m) == len(plan.cart_m) == len(plan.time_s), name
        assert (np.diff(plan.footstep_time_s) >= 0.0).all() and not plan.note, name
        sides = plan.footstep_side[steps]
        assert sides.mean() == pytest.approx(0.5, abs=0.1) and (gait == "hop" or (np.diff(sides) != 0).all()), name
        assert (np.hypot(*np.diff(plan.com_m[:, :2], axis=0).T) > 0.0).all() and plan.com_m[:, 2].min() > 0.4, name


@pytest.mark.slow
@pytest.mark.parametrize("gait", ["run", "lope", "skip", "hop"])
def test_where_a_gait_with_flight_goes_over_from_its_first_bounces_to_its_orbit_nothing_jumps(gait):
    plan = preview(Shot(motion=Gait(gait), world=load_world("moon"), duration_s=10.0))
    speed = np.linalg.norm(np.diff(plan.com_m, axis=0), axis=1) / np.diff(plan.time_s)
    assert speed.max() < 1.8 * plan.speed_m_s + 1.0
    stride = np.diff(plan.footstep_m[plan.footstep_side == 0][:, 0])
    np.testing.assert_allclose(stride, plan.speed_m_s / plan.stride_frequency_hz, rtol=0.2)  # the first skip is 16 % long


@pytest.mark.slow
@pytest.mark.parametrize(("gait", "world"), [
    ("walk", "earth"), pytest.param("run", "moon", marks=pytest.mark.acceptance), ("hop", "earth")])
def test_the_first_landings_are_where_they_were_planned(gait, world):
    shot = Shot(motion=Gait(gait), world=load_world(world), duration_s=20.0)
    plan = preview(shot)
    steps = landings(plan, 4)
    take = simulate(replace(shot, duration_s=float(plan.footstep_time_s[steps[-1]]) + 0.2 / plan.stride_frequency_hz))
    assert (take.plan_footstep_side[:4] == plan.footstep_side[steps]).all()
    off = np.linalg.norm(take.plan_footstep_m[:4, :2] - plan.footstep_m[steps, :2], axis=1)
    assert off.max() < 0.05


@pytest.mark.acceptance
@pytest.mark.slow
def test_the_first_bounces_of_a_body_with_muscles_are_rehearsed_by_these():
    shot = Shot(motion=Gait("lope"), world=load_world("moon"), duration_s=10.0)
    torques, muscles = preview(shot), preview(replace(shot, actuation=Actuation()))
    steps = landings(torques, 3)
    off = np.linalg.norm(muscles.footstep_m[steps, :2] - torques.footstep_m[steps, :2], axis=1)
    assert len(landings(muscles, 99)) >= 6 and 0.0 < off.max() < 0.3


@pytest.mark.slow
@pytest.mark.parametrize(("gait", "world"), [("lope", "neptune"), ("skip", "earth")])
def test_the_first_bounces_are_those_of_the_simulation_pushes_or_not(gait, world):
    shot = Shot(motion=Gait(gait), world=load_world(world), duration_s=4.0, noise=0.01, seed=2)
    plan = preview(replace(shot, pushes=(Push(0.1, 0.3, (200.0, 0.0, 0.0)),)))
    take = simulate(replace(shot, duration_s=1.5))
    np.testing.assert_allclose(plan.footstep_m[:4, :2], take.plan_footstep_m[:4, :2], atol=1e-9)
    np.testing.assert_allclose(plan.footstep_time_s[:4], take.plan_footstep_time_s[:4], atol=1e-9)


def test_a_plan_says_that_the_first_bounces_fall():
    plan = preview(Shot(motion=Gait("run", speed_m_s=1.4, force=True), duration_s=10.0))
    assert "falls" in plan.note and len(plan.time_s) == len(plan.com_m) and plan.time_s[-1] < 3.0
    assert (plan.footstep_time_s <= plan.time_s[-1] + 0.1).all()


@pytest.mark.parametrize("world", ["earth", "moon"])
def test_a_walk_from_standing_to_standing_begins_and_ends_at_rest(world):
    scale = (9.81 / load_world(world).gravity_m_s2) ** 0.5
    shot = Shot(motion=Gait(start="standing", stop="standing"), world=load_world(world), duration_s=8.0 * scale)
    plan = preview(shot)
    assert plan.footstep_side.tolist()[:3] == [1, 0, 1] and (plan.footstep_time_s[:2] == 0.0).all()
    assert plan.footstep_time_s[2] > 1.2 * scale, "first the weight shifts"
    ways, step = np.diff(plan.footstep_m[1:, 0]), 0.5 * plan.speed_m_s / plan.stride_frequency_hz
    np.testing.assert_allclose(ways[:5] / step, [0.4, 0.6, 0.8, 1.0, 1.0], atol=1e-6)
    np.testing.assert_allclose(ways[-3:] / step, [0.85, 0.5, 0.0], atol=1e-6)
    speed = np.linalg.norm(np.diff(plan.com_m[:, :2], axis=0), axis=1) / np.diff(plan.time_s)
    assert speed[0] < 1e-9 and speed[-1] < 0.01 * plan.speed_m_s and speed.max() < 1.4 * plan.speed_m_s
    assert plan.com_m[-1, 0] == pytest.approx(plan.footstep_m[-1, 0], abs=0.08)


@pytest.mark.slow
def test_a_plan_says_what_it_cannot_know():
    plan = preview(Shot(motion=Gait("run", stop="standing"), duration_s=12.0))
    assert "slows down" in plan.note and plan.time_s[-1] < 11.0 and plan.footstep_time_s[-1] < 11.0
    world = replace(load_world("earth"), gravity_ramp=((2.0, 1.62),))
    assert "Gravity changes" in preview(Shot(world=world)).note
    assert not preview(Shot(motion=Gait("run"), duration_s=3.0)).note


@pytest.mark.slow
def test_a_run_from_standing_walks_first():
    plan = preview(Shot(motion=Gait("run", start="standing"), duration_s=10.0))
    assert plan.footstep_side.tolist()[:6] == [1, 0, 1, 0, 1, 0]
    assert plan.footstep_time_s[2] > 1.2 and (np.diff(plan.footstep_side) != 0).all()
    strides = np.diff(plan.footstep_m[1:, 0])
    assert strides[0] < 0.5 * strides[-1] == pytest.approx(0.25 * plan.speed_m_s / plan.stride_frequency_hz, rel=0.05)


@pytest.mark.slow
@pytest.mark.parametrize("start", ["moving", pytest.param("standing", marks=pytest.mark.acceptance)])
def test_a_plan_follows_the_keys_of_a_walks_speed(start):
    """Landings of the first six seconds, in which the walk becomes half as fast again: near the simulated ones, and not where a
    walk without keys lands, a stride further back."""
    shot = Shot(motion=Gait(speed_m_s=1.0, start=start, keys=(Key(2.0, None, 1.0), Key(4.0, None, 1.5))), duration_s=6.0)
    plan, take = preview(shot), simulate(shot)
    steps = landings(plan, 99)
    at = np.flatnonzero(take.plan_footstep_time_s <= plan.footstep_time_s[steps[-1]])[-1]
    time_s, last = take.plan_footstep_time_s[at], take.plan_footstep_m[at, 0]
    assert not plan.note and abs(len(steps) - len(take.plan_footstep_time_s)) <= 1
    planned = np.interp(time_s, plan.footstep_time_s[steps], plan.footstep_m[steps, 0])
    plain = preview(shot.with_motion(keys=()))
    steady = np.interp(time_s, plain.footstep_time_s[landings(plain, 99)],
                       plain.footstep_m[landings(plain, 99), 0])
    assert last == pytest.approx(planned, abs=0.3) and last > steady + 0.6
    speed = np.linalg.norm(np.diff(plan.com_m[:, :2], axis=0), axis=1) / np.diff(plan.time_s)
    assert speed[plan.time_s[1:] > 5.0].mean() == pytest.approx(1.5, rel=0.05)


def test_a_plan_knows_keys_that_lie_behind_a_change_of_gait():
    shot = Shot(motion=Gait(speed_m_s=1.0, keys=(Key(3.0, "run"), Key(4.0, None, 3.0))), duration_s=6.0)
    plan = preview(shot)
    assert "the gait changes" in plan.note and "Speed is keyed" not in plan.note
    speed = np.linalg.norm(np.diff(plan.com_m[:, :2], axis=0), axis=1) / np.diff(plan.time_s)
    assert speed[-20:].mean() > 1.6

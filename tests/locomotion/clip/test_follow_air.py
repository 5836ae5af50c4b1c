# SPDX-License-Identifier: GPL-3.0-or-later
"""A followed body in the air: when it comes down, how its clip keeps time with it, where its feet are, what a landing does."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from follow_kit import BODY, END_S, RISE_M, START_S, captured, follow_shot, hop, walk_read
from lope.addon.bodies.model import Stepping, build_model
from lope.addon.engines.engine import make_engine
from lope.addon.locomotion.clip.clip_plan import ClipSteps, divergence, make_plan
from lope.addon.locomotion.clip.flights import Air
from lope.addon.locomotion.clip.prints import Print, stance_pitch
from lope.addon.locomotion.clip.schedule import Stance, lands_on_both
from lope.addon.locomotion.clip.settings import PlanSettings
from lope.addon.locomotion.registry import find_controller
from lope.addon.reports.feet import flights
from lope.addon.sim.simulation import simulate
from lope.addon.specs.motions import Moves
from lope.addon.specs.shot import Shot
from lope.addon.worlds.planets import load_world
from lope.scripts.suites.follow import momentum_change

pytestmark = pytest.mark.slow

GRAVITY = 8.0 * RISE_M / (END_S - START_S) ** 2


def test_an_error_grows_by_the_force_on_the_ground_and_not_in_the_air():
    times, omega = np.linspace(0.0, 2.0, 241), 3.0
    level = CubicSpline(times, np.full(len(times), GRAVITY / omega**2))
    steady = divergence(times, level, np.zeros(len(times), dtype=bool), GRAVITY, omega)
    assert steady.lead(0.3) == pytest.approx(1.0 / omega) and steady.grown(0.2, 1.2) == pytest.approx(omega)
    flies = (times > 0.5) & (times < 1.0)
    jump = divergence(times, level, flies, GRAVITY, omega)
    assert jump.lead(0.7) == pytest.approx(1.0 / omega + 0.3, abs=0.02)
    assert jump.grown(0.55, 0.95) == pytest.approx(0.0, abs=1e-6)
    assert jump.lead(0.0) > 1.0 / omega


def test_a_hard_landing_asks_for_feet_nearer_to_the_body():
    """What the ground pushes with turns a body by how far it is beside its feet, long before it would tip over them."""
    times, omega, landing_s, give_s = np.linspace(0.0, 2.0, 241), 1.2, 1.0, 0.3
    left = np.clip(landing_s + give_s - times, 0.0, give_s)
    height = CubicSpline(times, 1.0 + 5.0 * left**2 + 10.0 * give_s * np.maximum(landing_s - times, 0.0))
    flies = times < landing_s
    hard, soft = (divergence(times, spline, flies, 1.6, omega) for spline in (height, CubicSpline(times, np.ones(len(times)))))
    assert hard.lead(landing_s) < 0.6 * soft.lead(landing_s)


def test_the_clip_keeps_time_with_the_fall_and_the_feet_come_back_to_their_way():
    clip = hop()
    plan = make_plan(ClipSteps.of(clip), GRAVITY, PlanSettings())
    start, end = plan.flights[0]
    air, planned = Air(plan, 1.0, GRAVITY), plan.com.at(start)
    com = np.array([planned.place.real, planned.place.imag, planned.height])
    velocity = np.array([planned.velocity.real + 0.1, planned.velocity.imag, 0.8 * planned.rising])
    times = np.linspace(0.0, 1.0, 400)
    now, clip_s = 0.0, start
    for later in times[1:]:
        dt = later - now
        air.fly(now, clip_s, end, com, velocity)
        if air.left_s <= dt:
            break
        clip_s += dt * air.pace
        com, velocity = com + dt * velocity - [0.0, 0.0, 0.5 * GRAVITY * dt**2], velocity - [0.0, 0.0, GRAVITY * dt]
        now = later
    assert now < 0.9 * (end - start)  # it took off too slowly
    assert clip_s == pytest.approx(end, abs=0.01)
    np.testing.assert_allclose(air.over_m, 0.0, atol=0.005)
    air.touch()
    assert not air.flies and not air.over_m.any()


def test_who_lands_on_one_foot_strides_on_in_the_clips_time():
    plan = make_plan(ClipSteps.of(hop()), GRAVITY, PlanSettings())
    start, end = plan.flights[0]
    planned = plan.com.at(start)
    com, velocity = np.array([planned.place.real, planned.place.imag, planned.height]), np.array([1.0, 0.0, 0.5 * planned.rising])
    jump, run = Air(plan, 1.0, GRAVITY), Air(plan, 1.0, GRAVITY)
    for time_s in (0.0, 0.05):
        jump.fly(time_s, start + time_s, end, com, velocity)
        run.fly(time_s, start + time_s, end, com, velocity, strides=True)
    assert jump.pace > 1.2 and np.abs(jump.over_m).max() > 1e-3
    assert run.pace == 1.0 and not run.over_m.any() and run.left_s == jump.left_s


def test_a_jump_lands_on_both_feet_and_a_run_on_one():
    left, right = Stance("L", 1.0, 1.1, 1.3, 1.4), Stance("R", 1.1, 1.15, 1.3, 1.4)
    assert lands_on_both({"L": [left], "R": [right]}, 1.0)
    assert not lands_on_both({"L": [left], "R": [replace(right, strike_s=1.15)]}, 1.0)
    assert all(prints[-1].both for prints in make_plan(ClipSteps.of(hop()), GRAVITY, PlanSettings()).prints.values())
    walked = make_plan(ClipSteps.of(walk_read()), 9.81, PlanSettings())
    assert not any(one.both for prints in walked.prints.values() for one in prints)


@pytest.mark.acceptance
def test_a_captured_run_with_turns_stands_on_mars():
    """The slow test: six flights that end on one foot at speed."""
    take = simulate(follow_shot(captured("snu_run_cancan_uturn"), "mars"))
    assert not take.fell and take.lost is None


def test_a_foot_that_lands_on_its_toes_lets_the_heel_down():
    stance = Stance("L", 1.0, 1.1, 1.5, 1.6)
    jump, walk = (Print(stance, 0j, 0.0, 0.0, jumps) for jumps in (True, False))
    assert stance_pitch(jump, 0.4, 1.0) == pytest.approx(0.38)
    assert 0.0 < stance_pitch(jump, 0.4, 1.09) < 0.2 and stance_pitch(jump, 0.1, 1.1) == 0.0
    assert stance_pitch(jump, -0.4, 1.0) < 0.0
    assert stance_pitch(walk, 0.4, 1.0) == 0.0


def test_clips_without_flights_have_one_rate():
    plan = make_plan(ClipSteps.of(walk_read()), 9.81, PlanSettings()).com
    assert not plan.flies and plan.lead_s(0.3) == 1.0 / plan.omega and plan.grown(0.1, 0.3) == plan.omega * (0.3 - 0.1)


@pytest.mark.acceptance
def test_a_captured_jump_that_keeps_its_velocity_lands_and_stands_on_the_moon():
    """The slow test: two flights of three seconds; nothing but gravity acts there."""
    take = simulate(follow_shot(captured("snu_jump_up_twice"), "moon", flight="velocity"))
    assert not take.fell and take.stats["followed_fraction"] > 0.97
    aloft = take.grf_n[:, :, 2].sum(axis=1) <= 0.0
    edges = np.flatnonzero(np.diff(np.concatenate([[False], aloft, [False]]).astype(int))).reshape(-1, 2)
    jumps = [(first, last) for first, last in edges if take.time_s[last - 1] - take.time_s[first] > 2.5]
    assert len(jumps) == 2
    for first, last in jumps:
        assert take.com_velocity_m_s[first + 1, 2] > 2.0
        fall = np.ptp(take.com_velocity_m_s[first + 1:last - 1, 2]) / np.ptp(take.time_s[first + 1:last - 1])
        assert fall == pytest.approx(take.shot.world.gravity_m_s2, rel=0.01)
    assert math.isfinite(take.stats["touchdown_timing_ms_median"])
    assert take.contact_point_m[:, :, 2].min() > -0.007


def test_jumps_that_keep_their_velocity_meet_ground_as_stiff_as_on_earth():
    """Made for motions similar to Earth's, the Moon's ground let feet that come down as fast as on Earth sink by 2 cm."""
    shot = follow_shot(captured("snu_jump_up_twice"), "moon", flight="velocity")
    quicker = find_controller("follow").physics(shot).quicker
    assert quicker == pytest.approx((9.81 / 1.62) ** 0.5, rel=0.02)
    assert find_controller("follow").physics(shot.with_motion(flight="height")).quicker == 1.0
    moves = Shot(motion=Moves(flight="velocity"), world=shot.world)
    assert find_controller("follow").physics(moves).quicker == 1.0
    moon, earth = (build_model(BODY, load_world(name), Stepping(quicker=factor)).geom_solref[0]
                   for name, factor in (("moon", quicker), ("earth", 1.0)))
    np.testing.assert_allclose(moon, earth, rtol=0.02)
    kept = make_engine("mujoco", BODY, load_world("moon"), Stepping(quicker=quicker)).model.geom_solref[0]
    np.testing.assert_array_equal(kept, moon)


@pytest.mark.acceptance
def test_what_nothing_can_change_in_the_air_is_kept():
    take = simulate(follow_shot(captured("snu_jump_up_twice")))
    flight = max(flights(take), key=lambda one: one.duration_s)
    linear, angular = momentum_change(take, flight)
    assert flight.over_ballistic == pytest.approx(1.0, abs=0.01) and linear < 0.01 and angular < 0.01
    assert momentum_change(take, replace(flight, end_s=flight.start_s + 0.02)) is None

# SPDX-License-Identifier: GPL-3.0-or-later
"""Gaits with flight: their bounces, vertical plan, footholds, variables, and whole runs."""

import math

import mujoco
import numpy as np
import pytest

from lope.addon.bodies.human.anthropometry import standing_landmarks
from lope.addon.bodies.makers import make_body
from lope.addon.gaits.froude import predict_running
from lope.addon.locomotion.gait.factory import has_flight, running_variables
from lope.addon.locomotion.gait.running.contact_schedule import (
    Contact,
    ContactClock,
    contact_schedule,
    ground_fraction,
)
from lope.addon.locomotion.gait.running.feet import TOES_FIRST, RunningPath
from lope.addon.locomotion.gait.running.heights import (
    INTERVALS,
    GroundMap,
    Orbit,
    Quintic,
    fall_time,
    ground_phase,
    load_fractions,
    take_off_speed,
)
from lope.addon.locomotion.gait.running.planner import RunningPlanner
from lope.addon.locomotion.gait.walk.planner import WalkPlanner
from lope.addon.locomotion.legged.pose import FootPhases, GaitTables
from lope.addon.maths.rotations import matrix_from_quat
from lope.addon.motions.library import load_gait
from lope.addon.reports.gaps import crossing_mm
from lope.addon.reports.measures import measure
from lope.addon.sim.simulation import Simulation, simulate
from lope.addon.specs.motions import Gait
from lope.addon.specs.path import PathSpec
from lope.addon.specs.shot import BodySpec, Shot
from lope.addon.worlds.planets import load_world

MORE = pytest.mark.acceptance

EARTH_G, MOON_G = 9.81, 1.62
LEG = make_body(BodySpec()).leg_length_m


def stance(strike, toe_off):
    return FootPhases(strike, 0.0, 0.5 * toe_off, toe_off)


def test_a_run_has_two_bounces_a_hop_one_a_walk_none():
    run = contact_schedule({"L": stance(0.0, 0.3), "R": stance(0.5, 0.3)})
    assert [[c.side for c in b.contacts] for b in run] == [["L"], ["R"]]
    assert [b.flight for b in run] == pytest.approx([0.2, 0.2])
    hop, = contact_schedule({"L": stance(0.0, 0.4), "R": stance(0.02, 0.4)})
    assert (hop.ground, hop.flight) == pytest.approx((0.42, 0.58))
    assert contact_schedule({"L": stance(0.0, 0.6), "R": stance(0.5, 0.6)}) == ()
    assert ground_fraction({"L": stance(0.0, 0.6), "R": stance(0.5, 0.6)}) == 1.0


def test_a_skips_two_feet_make_one_bounce_even_across_phase_0():
    skip, = contact_schedule({"R": stance(0.1, 0.3), "L": stance(0.9, 0.25)})
    assert [c.side for c in skip.contacts] == ["L", "R"] and skip.start == pytest.approx(0.9)
    assert skip.ground + skip.flight == pytest.approx(1.0)
    assert skip.contacts[0].on == 0.0 and skip.contacts[1].off == pytest.approx(1.0)


def test_the_clock_keeps_time_and_an_early_landing_fades():
    clock = ContactClock(contact_schedule({"L": stance(0.0, 0.3), "R": stance(0.5, 0.3)}), 2.0, 0.6, 20.0)
    assert sum(clock.ground_s) + sum(clock.flight_s) == pytest.approx(0.5)
    before = clock.smooth_phase
    clock.touch_down()
    assert clock.phase == pytest.approx(0.0) and clock.smooth_phase == pytest.approx(before)
    for _ in range(40):
        clock.advance(0.005)
    assert clock.fraction == 1.0 and clock.smooth_phase == pytest.approx(clock.phase, abs=0.01)
    clock.take_off()
    assert not clock.grounded and clock.phase == pytest.approx(0.3)


def test_between_equal_heights_the_push_peaks_at_one_and_a_half_times_the_mean():
    ground, flight, g = 0.24, 0.13, EARTH_G
    v = take_off_speed(0.0, flight, g)
    plan = ground_phase(1.0, 1.0, (v, v), ground, g)
    middle = plan.at(0.5 * ground)
    assert middle.acceleration + g == pytest.approx(1.5 * g * (ground + flight) / ground, rel=1e-6)
    assert 1.0 - middle.height == pytest.approx(g * ground / 32.0 * (ground + 5.0 * flight), rel=1e-6)
    times = np.linspace(0.0, ground, 2001)
    impulse = np.trapezoid(plan.at(times).acceleration + g, times) if hasattr(np, "trapezoid") else np.trapz(
        plan.at(times).acceleration + g, times)
    assert impulse == pytest.approx(g * (ground + flight), rel=1e-4), "the mean force is the weight"


def test_a_quintic_meets_its_ends_and_its_derivatives_agree():
    plan = Quintic((1.0, -0.7, -9.0), (1.02, 0.5, -9.81), 0.2)
    assert plan.at(0.0)[:3] == pytest.approx((1.0, -0.7, -9.0)) and plan.at(0.2)[:3] == pytest.approx((1.02, 0.5, -9.81))
    a, b, c = plan.at(0.1 - 1e-5), plan.at(0.1), plan.at(0.1 + 1e-5)
    for i in range(3):
        assert (c[i] - a[i]) / 2e-5 == pytest.approx(b[i + 1], rel=1e-5)


def test_fall_time_is_the_parabolas():
    assert fall_time(0.0, 0.5, MOON_G) == pytest.approx(2.0 * 0.5 / MOON_G)
    t = fall_time(0.1, 0.3, EARTH_G)
    assert 0.1 + 0.3 * t - 0.5 * EARTH_G * t * t == pytest.approx(0.0, abs=1e-12)
    assert fall_time(-1.0, -0.1, EARTH_G) == 0.0


def test_the_ground_map_is_the_integral_of_its_equation():
    plan = ground_phase(0.95, 0.97, (0.7, 0.6), 0.22, EARTH_G)
    shares = (np.arange(INTERVALS) + 0.5) / INTERVALS
    loads, rolls = np.ones((INTERVALS, 1)), 0.1 + 0.1 * shares
    ground, foot = GroundMap(plan, EARTH_G, loads, rolls), 0.2
    state, feet, own = ground.at(0.0)
    end = state @ np.array([0.0, 3.5]) + feet @ np.array([foot]) + own
    c, v, n = 0.0, 3.5, 20000
    dt = 0.22 / n
    for i in range(n):
        motion = plan.at((i + 0.5) * dt)
        v += dt * (EARTH_G + motion.acceleration) / motion.height * (c - foot - 0.1 - 0.1 * (i + 0.5) / n)
        c += dt * v
    assert end.real == pytest.approx([c, v], rel=2e-3)


def test_the_orbit_comes_back_to_itself_shifted_by_a_stride():
    plan = ground_phase(0.95, 0.95, (0.64, 0.64), 0.22, EARTH_G)
    maps = [GroundMap(plan, EARTH_G, np.ones((INTERVALS, 1)), np.full(INTERVALS, 0.1))] * 2
    orbit = Orbit(maps, (0.22, 0.22), (0.13, 0.13), [np.zeros(1)] * 2, [np.array([0.06j]), np.array([-0.06j])])
    rows = [orbit.at(k, 3.0 + 0j) for k in (0, 1)]
    assert (rows[1].com - rows[0].com).real == pytest.approx(3.0 * 0.35)
    assert rows[1].com.imag == pytest.approx(-rows[0].com.imag)
    assert rows[1].velocity.imag == pytest.approx(-rows[0].velocity.imag)
    assert rows[0].velocity.real == pytest.approx(rows[0].leaving.real), "braking and pushing balance"
    assert rows[0].velocity.imag * rows[0].leaving.imag < 0.0, "the foot on the left pushes back to the right"


def test_loads_are_shared_between_the_feet_that_are_down():
    shares = np.linspace(0.0, 1.0, 50)
    loads = load_fractions((Contact("L", 0.0, 0.6), Contact("R", 0.4, 1.0)), shares)
    np.testing.assert_allclose(loads.sum(axis=1), 1.0)
    assert loads[2, 0] > 0.99 and loads[-3, 1] > 0.99 and 0.2 < loads[25, 0] < 0.8
    both = load_fractions((Contact("L", 0.0, 1.0), Contact("R", 0.0, 1.0)), shares)
    np.testing.assert_allclose(both, 0.5)


def test_variables_are_similar_across_gravities_and_a_slower_run_stays_longer_on_the_ground():
    run = load_gait("run")
    earth, moon = (running_variables(run, LEG, g) for g in (EARTH_G, MOON_G))
    scale = math.sqrt(EARTH_G / MOON_G)
    assert earth.froude == pytest.approx(moon.froude) and moon.flight_s == pytest.approx(scale * earth.flight_s)
    slow = running_variables(run, LEG, EARTH_G, 2.5)
    assert slow.ground_s > earth.ground_s and slow.flight_s < earth.flight_s and slow.speed_m_s == 2.5
    assert slow.stride_length_m < earth.stride_length_m
    heavy = running_variables(run, LEG, 24.8)
    assert heavy.froude < earth.froude
    quick = predict_running(run, 0.58, LEG, EARTH_G, 3.6, 1.7)
    assert quick.stride_frequency_hz == 1.7 and quick.ground_fraction > earth.ground_fraction


def test_the_planner_goes_by_the_flight():
    assert has_flight(load_gait("run")) and has_flight(load_gait("hop")) and not has_flight(load_gait("walk"))
    for gait, kind in (("run", RunningPlanner), ("walk", WalkPlanner)):
        simulation = Simulation(Shot(motion=Gait(gait), duration_s=0.5))
        simulation.close()
        assert isinstance(simulation.controller.planner, kind)


@pytest.mark.slow
@pytest.mark.parametrize("gait", ["run", "lope", "skip", "hop"])
def test_a_start_is_on_the_orbit_and_its_angular_momentum_is_the_flights(gait):
    simulation = Simulation(Shot(motion=Gait(gait), world=load_world("moon"), duration_s=2.0))
    planner, state = simulation.controller.planner, simulation.state
    first = planner.footholds.orbit.at(planner.clock.next_index, planner.footholds.velocity)
    assert complex(*state.com_velocity[:2]) == pytest.approx(first.velocity, abs=1e-6)
    assert complex(*state.com[:2]) + planner.clock.left_s * first.velocity == pytest.approx(first.com, abs=1e-6)
    for contact, place in zip(planner.clock.steps[planner.clock.next_index].contacts, first.places.tolist(), strict=True):
        assert planner.feet[contact.side].target.place == pytest.approx(place, abs=2e-3), "no foothold has to move"
    assert state.com[2] == pytest.approx(planner.heights.apex(planner.clock.index), abs=1e-6)
    assert not simulation.controller.targets.active.any() and not simulation.controller.targets.expected.any()
    start = state.angular_momentum()[0] @ state.qvel
    clock, index = planner.clock, planner.clock.index
    while not (clock.grounded and clock.index == index and clock.fraction > 0.5):  # until such a flight is foreseen again
        simulation.step()
    flight = planner.angular_momentum.wanted(planner.frame.direction)
    simulation.close()
    if gait == "hop":  # both legs swing at once, so that at its top, before its middle, a flight has not what it has on average
        assert np.abs(start[[0, 2]]).max() < 1e-9 and np.abs(flight[[0, 2]]).max() < 1e-9 and abs(start[1] - flight[1]) < 2.5
    else:
        assert np.linalg.norm(start - flight) < max(0.75 * np.linalg.norm(flight), 0.8)


def test_the_rate_of_angular_momentum_is_its_slope():
    simulation = Simulation(Shot(motion=Gait("run"), duration_s=0.5))
    state, step = simulation.state, 1e-5
    place, velocity = state.qpos.copy(), state.qvel.copy()
    found = []
    for time in (step, -step):
        moved = place.copy()
        mujoco.mj_integratePos(state.model, moved, velocity, time)
        state.update(moved, velocity)
        found.append(state.angular_momentum()[0] @ velocity)
    state.update(place, velocity)
    _, rate = state.angular_momentum()
    simulation.close()
    assert np.linalg.norm(rate) > 5.0
    np.testing.assert_allclose((found[0] - found[1]) / (2.0 * step), rate, atol=1e-6)


def test_angular_momentum_stays_in_a_free_flight():
    simulation = Simulation(Shot(motion=Gait("run"), duration_s=0.5))
    state, engine = simulation.state, simulation.engine
    matrix, _ = state.angular_momentum()
    before = matrix @ state.qvel
    engine.advance(np.zeros(state.model.nv - 6), 5)
    state.update(engine.qpos, engine.qvel)
    matrix, _ = state.angular_momentum()
    engine.close()
    np.testing.assert_allclose(matrix @ state.qvel, before, atol=0.05)


@pytest.mark.slow
@pytest.mark.parametrize(("gait", "world", "seconds"), [
    ("run", "earth", 4.0), pytest.param("run", "moon", 7.0, marks=MORE), ("lope", "moon", 7.0)])
def test_it_runs_with_flights_at_its_speed(gait, world, seconds):
    take = simulate(Shot(motion=Gait(gait), world=load_world(world), duration_s=seconds))
    found = measure(take)
    assert not found["fell"]
    assert found["mean_speed_m_s"] == pytest.approx(found["planned_speed_m_s"], rel=0.05)
    assert found["grf_mean_over_mg"] == pytest.approx(1.0, abs=0.05)
    assert found["flight_fraction"] > 0.3 and found["duty_factor"] < 0.4


@pytest.mark.acceptance
@pytest.mark.slow
@pytest.mark.parametrize(("gait", "world", "seconds"), [("skip", "moon", 7.0), ("hop", "mars", 5.0)])
def test_it_skips_and_hops_upright_and_lands_softly(gait, world, seconds):
    take = simulate(Shot(motion=Gait(gait), world=load_world(world), duration_s=seconds, noise=0.02, seed=1))
    found = measure(take)
    assert not found["fell"] and found["flight_fraction"] > 0.45
    assert found["grf_mean_over_mg"] == pytest.approx(1.0, abs=0.03)
    assert found["grf_peak_over_mg"] < 6.5
    _, turns = take.segment_poses
    chest = matrix_from_quat(turns[take.time_s > 1.0, take.body.index["chest"]])
    pitch = np.degrees(np.arctan2(chest[:, 0, 2], chest[:, 2, 2]))
    assert np.abs(pitch).max() < 25.0


def forward_of(take, segment):
    """Forward axis (T, 3) of a segment after the first second."""
    return matrix_from_quat(take.segment_poses[1][take.time_s > 1.0, take.body.index[segment]])[:, :, 0]


def a_figure(height, mass, head=1.0, legs=1.0):
    """A body with a head and legs that are so much longer than a man's."""
    points = standing_landmarks(height)
    hip = points["hip_L"][2]
    for name, point in points.items():
        if name.startswith(("hip", "knee", "ankle")):
            point[2] *= legs
        elif not name.startswith(("heel", "toe")):
            point[2] -= (1.0 - legs) * hip
    points["head_top"] = points["head"] + head * (points["head_top"] - points["head"])
    return BodySpec(height, mass, {name: tuple(point.tolist()) for name, point in points.items()})


@pytest.mark.slow
def test_a_trunk_does_not_nod_over_short_legs():
    take = simulate(
        Shot(motion=Gait("run"), body=a_figure(1.15, 21.0, head=1.5, legs=0.85), world=load_world("mars"), duration_s=3.5)
    )
    assert not take.fell
    assert np.ptp(np.degrees(np.arcsin(forward_of(take, "chest")[:, 2]))) < 14.0, "three times the clip's"


@pytest.mark.slow
@pytest.mark.parametrize("head", [1.0, 2.5])
def test_the_head_looks_where_it_goes(head):
    take = simulate(Shot(motion=Gait("lope"), body=a_figure(1.6, 60.0, head=head), world=load_world("mars"), duration_s=4.0))
    assert not take.fell
    face = forward_of(take, "head")
    assert np.ptp(np.degrees(np.arcsin(face[:, 2]))) < 7.0 and np.ptp(np.degrees(np.arctan2(face[:, 1], face[:, 0]))) < 9.0


def test_a_hop_lands_on_the_ball_a_run_flat():
    body = make_body(BodySpec())
    hop, run = (RunningPath(GaitTables(load_gait(gait), body), "L", 0.0).strike_pitch() for gait in ("hop", "run"))
    assert 0.05 < hop <= TOES_FIRST and run == 0.0


@pytest.mark.slow
def test_flights_last_as_long_as_their_take_off_velocity_says():
    take = simulate(Shot(motion=Gait("run"), duration_s=4.0))
    air = ~take.contact.any(axis=1)
    edges = np.flatnonzero(np.diff(air.astype(int)))
    flights = [(a, b) for a, b in zip(edges, edges[1:], strict=False) if air[a + 1] and b - a > 5 and take.time_s[a] > 1.0]
    assert len(flights) > 4
    for start, end in flights:
        v0, v1 = take.com_velocity_m_s[start + 1, 2], take.com_velocity_m_s[end, 2]
        assert v0 - v1 == pytest.approx(EARTH_G * (take.time_s[end] - take.time_s[start + 1]), rel=0.03)


@pytest.mark.acceptance
@pytest.mark.slow
def test_a_run_follows_a_circle():
    shot = Shot(motion=Gait("run", path=PathSpec("circle", radius_m=15.0)), world=load_world("moon"), duration_s=8.0)
    take = simulate(shot)
    assert not take.fell
    turned = np.unwrap(take.plan_heading_rad)
    assert turned[-1] - turned[0] == pytest.approx(8.0 * 1.49 / 15.0, rel=0.15)
    away = np.abs(np.abs(take.com_m[:, 0] + 1j * take.com_m[:, 1] - 15.0j) - 15.0)
    assert away.max() < 0.3


@pytest.mark.slow
def test_the_same_shot_gives_the_same_run():
    takes = [simulate(Shot(motion=Gait("run"), duration_s=1.0)) for _ in range(2)]
    np.testing.assert_array_equal(takes[0].com_m, takes[1].com_m)


@pytest.mark.slow
def test_a_skips_second_foot_goes_where_it_was_led_to_in_flight():
    simulation = Simulation(Shot(motion=Gait("skip"), world=load_world("moon"), duration_s=9.0))
    planner, jumps = simulation.controller.planner, []
    while simulation.time_s < 6.0:
        flying, before = not planner.clock.grounded, planner.feet["R"].target.place
        simulation.step()
        if flying and planner.clock.grounded:
            jumps.append(abs(planner.feet["R"].target.place - before))
    simulation.close()
    assert len(jumps) > 3 and max(jumps) < 0.02


def test_a_later_foot_that_brushes_the_ground_in_flight_has_not_landed():
    left, right = stance(0.0, 0.25), stance(0.2, 0.25)
    clock = ContactClock(contact_schedule({"L": left, "R": right}), 1.0, 0.6, 20.0)
    assert not clock.grounded and clock.may_land() == ["L"]
    clock.touch_down()
    assert clock.may_land() == ["L"]
    clock.fraction = 0.3
    assert clock.may_land() == ["L", "R"]
    hop = ContactClock(contact_schedule({"L": stance(0.0, 0.4), "R": stance(0.02, 0.4)}), 1.0, 0.6, 20.0)
    assert hop.may_land() == ["L", "R"]


@pytest.mark.acceptance
@pytest.mark.parametrize(("gait", "world", "seed"), [("run", "earth", 0), ("lope", "moon", 3)])
def test_steps_that_vary_neither_fall_nor_sink(gait, world, seed):
    take = simulate(Shot(motion=Gait(gait, law="people"), world=load_world(world), seed=seed, duration_s=14.0))
    assert not take.fell
    assert measure(take)["penetration_mm_max"] < 9.0


def test_knees_of_a_hop_do_not_fall_in_at_its_landings():
    take = simulate(Shot(motion=Gait(name="hop"), duration_s=3.0))
    assert not take.fell and crossing_mm(take) == 0.0

# SPDX-License-Identifier: GPL-3.0-or-later
"""Feet that turn on the ground while they stand: found in a clip, planned, and followed."""

from dataclasses import replace

import numpy as np
import pytest

from follow_kit import BODY, captured, follow_shot, walk_clip, walk_read
from lope.addon.locomotion.clip import prints as turning
from lope.addon.locomotion.clip.clip_plan import ClipSteps, make_plan
from lope.addon.locomotion.clip.feet import Feet
from lope.addon.locomotion.clip.over_standing.motion import Resting
from lope.addon.locomotion.clip.prints import make_prints, stance_pitch
from lope.addon.locomotion.clip.schedule import FOREVER_S, Stance, flights, make_schedule
from lope.addon.locomotion.clip.settings import PlanSettings
from lope.addon.locomotion.legged.foot_geometry import FootGeometry
from lope.addon.motions.strides import Contact
from lope.addon.sim.simulation import Simulation, simulate
from lope.addon.specs.shot import EARTH_GRAVITY_M_S2

pytestmark = pytest.mark.slow
MORE = pytest.mark.acceptance

GEOMETRY = FootGeometry(BODY, "L")
BALL = next(complex(*p.position[:2]) for p in BODY.contact_points if p.name == "ball_in_L")
STANDS = Stance("L", -FOREVER_S, -FOREVER_S, FOREVER_S, FOREVER_S)
RIGHT = replace(STANDS, side="R")


def turned_clip(by_rad=2.0, from_s=0.4, to_s=1.0, pivot=BALL, seconds=1.6):
    """A clip that stands still but for its left foot, which turns about a point of its sole."""
    walk = walk_read()
    count = round(seconds / walk.step_s) + 1
    share = np.clip((walk.step_s * np.arange(count) - from_s) / (to_s - from_s), 0.0, 1.0)
    angle = by_rad * share**2 * (3.0 - 2.0 * share)
    still = {name: np.repeat(getattr(walk, name)[:1], count, axis=0) for name in
             ("root_m", "root_quaternion", "joint_quaternions", "com_m", "ankle_m", "foot_quaternion", "foot_yaw", "foot_pitch")}
    still["foot_yaw"][:, 0], still["foot_pitch"][:] = angle, 0.0
    place = 0.3 + 0.1j - np.exp(1j * angle) * pivot
    still["ankle_m"][:, 0] = np.column_stack([place.real, place.imag, np.full(count, GEOMETRY.ankle_height_m)])
    return replace(walk, contacts=(), **still)


def turned_print(**turn):
    return make_prints(turned_clip(**turn), {"L": [STANDS], "R": [RIGHT]}, GEOMETRY)["L"][0]


def test_a_foot_that_turns_has_a_print_that_turns_about_its_ball():
    one = turned_print()
    assert one.turn is not None and one.turn.pivot == BALL and one.turn.at(1.5)[0] == pytest.approx(2.0, abs=0.02)
    for time_s, yaw in ((0.2, 0.0), (0.7, 1.0), (1.4, 2.0)):
        step = one.planned(time_s)
        assert step.yaw == pytest.approx(yaw, abs=0.03)
        assert abs(step.place + np.exp(1j * step.yaw) * BALL - (0.3 + 0.1j)) < 1e-3, "the ball stays where it is"


def test_a_foot_turns_about_the_point_that_stays_still_and_carries():
    heel = next(complex(*p.position[:2]) for p in BODY.contact_points if p.name == "heel_in_L")
    one = turned_print(pivot=heel)
    assert one.turn.pivot == heel and one.turn.beside == heel.conjugate()
    assert one.turn.about(heel.conjugate() + 0.005).pivot == heel.conjugate() and one.turn.about(heel) is one.turn


def test_only_what_turns_far_and_quickly_turns():
    assert turned_print(by_rad=0.2).turn is None, "a sole gives"
    assert turned_print(by_rad=0.4, from_s=0.1, to_s=1.5).turn is None, "so slowly somebody shifts a foot"
    assert all(one.turn is None for found in make_prints(walk_read(), make_schedule(walk_read()), GEOMETRY).values()
               for one in found)


def test_the_rest_of_the_sole_is_off_the_ground_while_a_foot_turns():
    front, heel = turned_print(), turned_print(pivot=-0.07 - 0.03j)
    for one in (front, heel):
        assert stance_pitch(one, 0.0, 0.2) == pytest.approx(0.0, abs=1e-9)
    assert stance_pitch(front, 0.0, 0.7) == pytest.approx(turning.RAISED_RAD)
    assert stance_pitch(heel, 0.0, 0.7) == pytest.approx(-turning.RAISED_RAD)
    assert stance_pitch(replace(front, stance=replace(STANDS, heel_off_s=0.3)), 0.5, 0.7) > 0.4


def test_what_turns_over_a_joint_of_two_pieces_goes_on():
    turn = turned_print().turn
    whole = turning.joined(turn, turn, 0.7)
    for time_s in (0.5, 0.7, 0.9, 1.5):
        assert whole.at(time_s)[0] == pytest.approx(turn.at(time_s)[0], abs=1e-3)
    assert turn.moved(0.4).at(0.3) == pytest.approx(turn.at(0.7)) and turn.since(0.7).at(1.5)[0] == pytest.approx(1.0, abs=0.02)
    assert turning.joined(turn, None, 0.7) is turn and turning.joined(None, turn, 0.7).at(0.6)[0] == pytest.approx(0.0)
    assert turning.joined(None, None, 0.7) is None


def test_the_points_of_a_turning_foot_slide_about_its_pivot():
    state = Simulation(follow_shot(walk_clip())).state
    frame, rows = state.frame("foot_L"), [i for i, p in enumerate(BODY.contact_points) if p.segment == "foot_L"]
    turn, points = turned_print().turn, state.contact_point_m[rows]
    speed, pull = turning.sliding_points(frame, points, turn, 0.7, 0.5, GEOMETRY.ankle_height_m)
    spin = 0.5 * turn.at(0.7)[1]
    away = np.abs((points - points[[BODY.contact_points[i].name == "ball_in_L" for i in rows]]) @ [1.0, 1j, 0.0])
    np.testing.assert_allclose(np.linalg.norm(speed, axis=1), spin * away, atol=0.02 * spin)
    assert (np.sum(speed * pull, axis=1)[away > 0.05] > -1.0).all() and not speed[:, 2].any()


def test_a_foot_that_spins_too_fast_for_a_contact_has_one_stance():
    clip = turned_clip()
    spun = [Contact("L", np.nan, np.nan, 0.4, 0.5), Contact("L", 0.9, 0.9, np.nan, np.nan)]
    schedule = make_schedule(replace(clip, contacts=tuple(spun)))
    assert len(schedule["L"]) == 1 and schedule["L"][0].off_s == FOREVER_S and flights(schedule) == []
    high = replace(clip, root_m=clip.root_m + 0.1 * np.exp(-(((clip.times_s - 0.7) / 0.1) ** 2))[:, None] * [0.0, 0.0, 1.0])
    assert len(make_schedule(replace(high, contacts=tuple(spun)))["L"]) == 2, "one that hops has two"


def test_a_clip_is_taken_up_on_a_foot_as_it_has_turned_by_then():
    clip = turned_clip()
    plan = make_plan(ClipSteps.of(clip, {"L": [STANDS], "R": [RIGHT]}), EARTH_GRAVITY_M_S2 * clip.leg_ratio, PlanSettings())
    waits, planner = Resting(plan, 1.0, 0.1, 1.4, 0.6), Simulation(follow_shot(walk_clip())).controller.planner
    own, turned = waits.prints["L"], plan.prints["L"][0].planned(1.4)
    assert own.turn is None and own.yaw == pytest.approx(2.0, abs=0.03)
    assert (own.place, own.yaw) == (turned.place, turned.yaw)
    feet = Feet(planner.state, plan.track, plan.prints, planner.settings, planner.terrain)
    stands = planner.terrain.footstep(replace(turned, place=turned.place + 0.2, yaw=turned.yaw + 0.1))
    feet.stand_on("L", 1.4, stands)
    again = feet.stood("L", 1.4)
    assert abs(again.place - stands.place) < 1e-9 and again.yaw == pytest.approx(stands.yaw), "it has turned already"


def test_a_follower_begins_on_its_plan():
    simulation = Simulation(follow_shot(walk_clip()))
    state, plan = simulation.state, simulation.controller.planned.plan.com.at(0.0)
    slow = simulation.controller.planned.slow
    assert abs(complex(*state.com[:2]) - plan.place) < 1e-3
    assert abs(complex(*state.com_velocity[:2]) - plan.velocity / slow) < 5e-3


def test_no_foot_begins_in_the_ground():
    simulation = Simulation(follow_shot(walk_clip()))
    planner = simulation.controller.planner
    swinging = next(side for side in "LR" if planner.feet[side].swing is not None)
    track = planner.plan.track
    track.at, own = lambda times: [one._replace(ankle_m=one.ankle_m - [0.0, 0.0, 0.3]) for one in own(times)], track.at
    feet = Feet(simulation.state, track, planner.plan.prints, planner.settings, planner.terrain)
    feet.begin(planner._footstep)
    low = [p.position[2] - p.radius_m for p in BODY.contact_points if p.segment == f"foot_{swinging}"]
    assert feet[swinging].swing.away_m[2] > 0.0
    assert feet[swinging].swing.away_m[2] < 0.3 + max(map(abs, low))


@pytest.mark.parametrize(("clip", "turned_s"), [
    ("snu_spin_one_foot_right", 1.6), pytest.param("snu_walk_spin_three_left", 6.0, marks=MORE)])
def test_who_turns_about_on_one_foot_stands(clip, turned_s):
    """The slow test of two captured spins, by one turn and by three."""
    take = simulate(follow_shot(captured(clip), "mars"))
    turns = take.channels["follow_clip_time_s"].values < turned_s
    assert not take.fell and np.sqrt(np.mean(take.channels["follow_joint_error_deg"].values[turns] ** 2)) < 9.0

# SPDX-License-Identifier: GPL-3.0-or-later
"""The way of a foot: it rolls over pivots that stay on the ground, swings from pose to pose, and never dips below."""

import dataclasses
import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from lope.addon.bodies.human.anthropometry import standing_landmarks
from lope.addon.bodies.human.body import Human
from lope.addon.bodies.kinematics import contact_point_positions
from lope.addon.locomotion.gait.running.feet import BALL_RISE_LEGS, TIP_PITCH, RunningPath
from lope.addon.locomotion.gait.walk.planner import WalkSettings
from lope.addon.locomotion.legged.foot_geometry import BALL_RISE, FootGeometry, FootPose, Footstep, pitched
from lope.addon.locomotion.legged.foot_path import FootPath
from lope.addon.locomotion.legged.pose import GaitTables
from lope.addon.maths.curves import smooth
from lope.addon.maths.rotations import matrix_from_quat, quat_from_rotvec
from lope.addon.motions.library import load_gait
from planner_kit import BODY, tables

SIDES = ("L", "R")
CLEARANCE = WalkSettings().clearance_m
STEP = Footstep("L", 0.7 + 0.2j, 0.15)
HEADING = 0.4


def foot_points(pose, heading, side="L"):
    """World places (P, 3) of the lowest points of the foot's spheres, and their kinds."""
    foot, toes = f"foot_{side}", f"toes_{side}"
    turn = Rotation.from_rotvec([0.0, 0.0, heading]) * Rotation.from_rotvec(pose.rotvec)
    toe_turn = turn * Rotation.from_rotvec(pose.toe * BODY.segment(toes).axis)
    places, kinds = [], []
    for point in BODY.contact_points:
        if point.side != side:
            continue
        if point.segment == foot:
            place = pose.ankle + turn.apply(point.position)
        else:
            place = pose.ankle + turn.apply(BODY.segment(toes).offset) + toe_turn.apply(point.position)
        places.append(place - [0.0, 0.0, point.radius_m])
        kinds.append(point.kind)
    return np.array(places), np.array(kinds)


def path(side="L", amplitude=1.0):
    return FootPath(tables(), side, CLEARANCE, amplitude)


def pivot_of(geometry, pose, x, heading, above=0.0):
    """World place of the point at `x` ahead of the ankle and some height above the flat sole."""
    turn = Rotation.from_rotvec([0.0, 0.0, heading]) * Rotation.from_rotvec(pose.rotvec)
    return pose.ankle + turn.apply([x, 0.0, above - geometry.ankle_height_m])


@pytest.mark.parametrize("pitch", [-0.5, -0.2, -1e-3, 0.0, 1e-3, 0.2, BALL_RISE])
@pytest.mark.parametrize("heading", [0.0, HEADING, -2.0])
def test_a_rolled_foot_rolls_on_its_balls_or_heels_spheres(pitch, heading):
    geometry = FootGeometry(BODY, "L")
    flat, rolled = geometry.rolled(STEP, 0.0, heading), geometry.rolled(STEP, pitch, heading)
    x = geometry.ball_x if pitch > 0.0 else geometry.heel_x
    along = geometry.radius_m * pitch * np.array([math.cos(STEP.yaw), math.sin(STEP.yaw), 0.0])
    centre, before = (pivot_of(geometry, pose, x, heading, geometry.radius_m) for pose in (rolled, flat))
    np.testing.assert_allclose(centre, before + along, atol=1e-12)
    assert centre[2] == pytest.approx(geometry.radius_m, abs=1e-12)
    other = pivot_of(geometry, rolled, geometry.heel_x if pitch > 0.0 else geometry.ball_x, heading, geometry.radius_m)
    rise = abs(math.sin(pitch)) * (geometry.ball_x - geometry.heel_x)
    assert other[2] == pytest.approx(geometry.radius_m + rise, abs=1e-9)
    forward = Rotation.from_rotvec([0.0, 0.0, heading]).apply(Rotation.from_rotvec(rolled.rotvec).apply([1.0, 0.0, 0.0]))
    assert math.atan2(forward[1], forward[0]) == pytest.approx(STEP.yaw, abs=1e-9)
    assert forward[2] == pytest.approx(-math.sin(pitch), abs=1e-9)


@pytest.mark.parametrize("pitch", [BALL_RISE + 0.01, 0.6, 1.1])
def test_a_foot_that_rises_further_turns_on_the_tip_of_its_bent_toes(pitch):
    geometry, heading = FootGeometry(BODY, "L"), 0.0
    joint, tip = BODY.segment("toes_L").offset, next(p.position for p in BODY.contact_points if p.name == "toe_L")

    def tip_centre(pose):
        turn = Rotation.from_rotvec(pose.rotvec)
        return pose.ankle + turn.apply(joint + Rotation.from_rotvec([0.0, -pose.toe, 0.0]).apply(tip))

    step = Footstep("L", 0j, 0.0)
    before, after = (tip_centre(geometry.rolled(step, p, heading)) for p in (BALL_RISE, pitch))
    assert geometry.rolled(step, pitch, heading).toe == pytest.approx(geometry.rolled(step, BALL_RISE, heading).toe)
    assert after[0] - before[0] == pytest.approx(geometry.radius_m * (pitch - BALL_RISE), abs=2e-3)
    assert after[2] == pytest.approx(before[2], abs=2e-3)


@pytest.mark.parametrize("pitch", [-0.4, 0.0, 0.6])
def test_the_place_of_a_standing_foot_is_found_again(pitch):
    geometry = FootGeometry(BODY, "R")
    pose = geometry.rolled(STEP, pitch, HEADING)
    assert geometry.place_of(pose.ankle, STEP.yaw, pitch) == pytest.approx(STEP.place, abs=1e-12)


def test_pitched_is_a_yaw_after_a_pitch():
    for yaw, pitch in np.random.default_rng(7).uniform(-1.4, 1.4, (30, 2)):
        expected = Rotation.from_euler("ZY", [yaw, pitch]).as_rotvec()
        np.testing.assert_allclose(pitched(yaw, pitch), expected, atol=1e-9)
    assert not pitched(0.0, 0.0).any()


def test_smooth_is_level_at_both_ends():
    assert (smooth(-1.0), smooth(0.0), smooth(0.5), smooth(1.0), smooth(2.0)) == (0.0, 0.0, 0.5, 1.0, 1.0)
    assert smooth(1e-4) < 1e-7 and 1.0 - smooth(1.0 - 1e-4) < 1e-7


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("amplitude", [0.4, 1.0, 1.15])
def test_the_standing_foot_comes_down_lies_flat_and_rises_without_a_jump(side, amplitude):
    foot = path(side, amplitude)
    phases = np.linspace(0.0, foot.phases.toe_off, 2001)
    pitches = np.array(foot.stance_pitches(phases.tolist()))
    assert np.abs(np.diff(pitches)).max() < 0.01
    assert pitches[0] == pytest.approx(foot.strike_pitch(), abs=1e-9)
    assert foot.strike_pitch() < -0.1 * amplitude, "walkers land on the heel"
    flat = pitches[(phases > 0.15) & (phases < 0.4 * foot.phases.toe_off)]
    np.testing.assert_allclose(flat, 0.0, atol=1e-12)
    assert pitches[-1] > 0.3 * amplitude
    assert foot.phases.flat < foot.heel_rise() < foot.phases.toe_off
    assert foot.stance_pitch(foot.heel_rise() - 0.01) < foot.stance_pitch(foot.heel_rise())


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("amplitude", [0.4, 1.0])
def test_a_swing_leads_from_the_lift_to_the_landing(side, amplitude):
    foot = path(side, amplitude)
    target = Footstep(side, 1.5 - 0.3j, 0.2)
    lift = FootPose(np.array([0.1, -0.2, 0.21]), np.array([0.05, 0.8, -0.1]), 0.5)
    start, end = foot.swinging(lift, target, (foot.phases.toe_off, 1.0), HEADING)
    landing = foot.geometry.rolled(target, foot.strike_pitch(), HEADING)
    for pose, wanted in ((start, lift), (end, landing)):
        np.testing.assert_allclose(pose.ankle, wanted.ankle, atol=1e-9)
        np.testing.assert_allclose(pose.rotvec, wanted.rotvec, atol=1e-9)
        assert pose.toe == pytest.approx(wanted.toe, abs=1e-12)
    np.testing.assert_allclose(foot.standing(target, (0.0,), HEADING)[0].ankle, landing.ankle, atol=1e-9)


DEEPEST_TOE, DEEPEST = -0.003, -0.001
"""Lowest that toe tips, and heels and balls, may be planned [m]."""


def walked(side, stride):
    """A stance and a swing of some stride over the cycle's: lowest points by kind, swing's progress, and ankles."""
    foot = path(side, min(max(stride, 0.3), 1.15))
    step, target = Footstep(side, 0j, 0.1), Footstep(side, complex(stride * tables().stride_m), 0.1)
    off = foot.phases.toe_off
    lift = foot.standing(step, (off,), 0.0)[0]
    stance = foot.standing(step, np.linspace(0.0, off, 100).tolist(), 0.0)
    swing = foot.swinging(lift, target, np.linspace(off, 1.0, 101).tolist(), 0.0)
    heights = []
    for poses in (stance, swing):
        points = [foot_points(pose, 0.0, side) for pose in poses]
        heights.append({kind: np.array([p[k == kind, 2].min() for p, k in points]) for kind in ("heel", "ball", "toe")})
    return *heights, np.array([pose.ankle for pose in swing])


@pytest.mark.parametrize("stride", [0.5, 1.0, 1.25])
@pytest.mark.parametrize("side", SIDES)
def test_no_point_of_the_sole_dips_far_into_the_ground(side, stride):
    stance, swing, ankles = walked(side, stride)
    for heights in (stance, swing):
        assert min(heights["heel"].min(), heights["ball"].min()) > DEEPEST
        assert heights["toe"].min() > DEEPEST_TOE
    lowest = np.minimum.reduce(list(stance.values()))
    assert lowest.max() < 0.001, "a standing foot touches"
    lowest = np.minimum.reduce(list(swing.values()))
    assert lowest[15:70].min() > 0.002, "a swinging foot does not scuff"
    assert lowest[-1] == pytest.approx(0.0, abs=0.003), "and comes down to the ground"
    assert np.diff(ankles[:, 0]).min() > -0.01 * stride, "the foot swings forward"
    assert np.abs(np.diff(ankles[:, 2])).max() < 0.02, "without a jump"


@pytest.mark.parametrize("pitch", [-0.4, -0.1, 0.0, 0.2, 0.8])
def test_a_stiff_foot_turns_on_its_tip(pitch):
    body = Human.from_landmarks({k: v for k, v in BODY.landmarks.items() if not k.startswith("toes")}, 75.0)
    geometry = FootGeometry(body, "L")
    pose = geometry.rolled(Footstep("L", 0j, 0.0), pitch, 0.0)
    turn = Rotation.from_rotvec(pose.rotvec)
    points = [p for p in body.contact_points if p.side == "L"]
    assert {p.segment for p in points} == {"foot_L"} and not geometry.has_toes
    heights = {p.kind: (pose.ankle + turn.apply(p.position))[2] - p.radius_m for p in points}
    assert min(heights.values()) > -0.006, "no part of a foot without toes is bent into the ground"
    assert min(heights.values()) < 0.001
    down = "toe" if pitch > 0.0 else "heel"
    assert heights[down] == pytest.approx(min(heights.values()), abs=1e-12)


def test_a_stiff_foot_lifts_its_ankle_as_high_as_one_with_toes():
    stiff = Human.from_landmarks({k: v for k, v in BODY.landmarks.items() if not k.startswith("toes")}, 75.0)
    paths = [FootPath(GaitTables(load_gait("walk"), body), "L", CLEARANCE) for body in (BODY, stiff)]
    ankles = [one.standing(STEP, [one.phases.toe_off], 0.0)[0].ankle[2] for one in paths]
    assert ankles[1] == pytest.approx(ankles[0], abs=0.02)
    assert paths[1].stance_pitch(paths[1].phases.toe_off) < 0.8 * paths[0].stance_pitch(paths[0].phases.toe_off)


def test_a_long_stiff_foot_lifts_its_ankle_no_higher_than_peoples():
    """A tip at 0.37 leg lengths and the ball at 0.26, as a public block figure has them: pitched as far as a captured foot it
    threw the body ahead."""
    marks = {name: (x + 0.14 if name.startswith("toe_tip") else x, y, z) for name, (x, y, z) in BODY.landmarks.items()
             if not name.startswith("toes")}
    paths = [FootPath(GaitTables(load_gait("walk"), body), "L", CLEARANCE) for body in (BODY, Human.from_landmarks(marks, 75.0))]
    ankles = [one.standing(STEP, [one.phases.toe_off], 0.0)[0].ankle[2] for one in paths]
    assert ankles[1] < ankles[0] + 0.02


@pytest.mark.parametrize("side", SIDES)
def test_lowest_is_the_lowest_of_the_flat_soles_points(side):
    geometry = FootGeometry(BODY, side)
    for pitch in (-0.4, 0.0, 0.3):
        pose = geometry.rolled(Footstep(side, 0j, 0.0), pitch, 0.0)
        assert geometry.lowest(pose) == pytest.approx(0.0, abs=3e-3)
        raised = FootPose(pose.ankle + [0.0, 0.0, 0.05], pose.rotvec, pose.toe)
        assert geometry.lowest(raised) == pytest.approx(0.05, abs=3e-3)
        assert geometry.lowest(raised) == pytest.approx(foot_points(raised, 0.0, side)[0][:, 2].min(), abs=0.008)


@pytest.mark.parametrize("asked", [0.0, 0.03, 0.2])
def test_the_clearance_is_at_least_what_is_asked(asked):
    assert FootPath(tables(), "L", asked).clearance_m >= asked


def test_the_contact_points_of_the_kit_are_those_of_the_body():
    """The helper above against the plain kinematics, the foot flat."""
    pose = FootGeometry(BODY, "L").rolled(STEP, 0.0, HEADING)
    places, kinds = foot_points(pose, HEADING)
    assert np.abs(places[:, 2]).max() < 1e-9
    assert sorted(kinds) == ["ball", "ball", "heel", "heel", "toe"]
    positions = np.zeros((len(BODY.segments), 3))
    orientations = np.tile([1.0, 0.0, 0.0, 0.0], (len(BODY.segments), 1))
    orientations[:] = quat_from_rotvec(np.array([0.0, 0.0, STEP.yaw]))
    turn = matrix_from_quat(orientations[0])
    foot, toes = BODY.index["foot_L"], BODY.index["toes_L"]
    positions[foot], positions[toes] = pose.ankle, pose.ankle + turn @ BODY.segment("toes_L").offset
    rows = [i for i, p in enumerate(BODY.contact_points) if p.side == "L"]
    np.testing.assert_allclose(contact_point_positions(BODY, positions, orientations)[rows], places, atol=1e-9)


def long_toed():
    """A body whose toes reach 0.31 leg lengths ahead of its ankles (a human's 0.22), as those of public avatars do."""
    landmarks = {name: tuple(point) for name, point in standing_landmarks(1.8).items()}
    for side in SIDES:
        x, y, z = landmarks[f"toe_tip_{side}"]
        landmarks[f"toe_tip_{side}"] = (1.4 * x, y, z)
    return Human.from_landmarks(landmarks, 75.0)


def lowest_in_mid_swing(path):
    """Least height [m] of the sole in the middle half of a swing from the planned lift."""
    toe_off = path.phases.toe_off
    lift = path.standing(Footstep("L", 0j, 0.0), [toe_off], 0.0)[0]
    landing = Footstep("L", complex(path.tables.stride_m), 0.0)
    phases = [toe_off + share * (1.0 - toe_off) for share in np.linspace(0.3, 0.75, 10)]
    return min(path.geometry.lowest(pose) for pose in path.swinging(lift, landing, phases, 0.0))


def test_a_long_foot_points_down_less_and_clears_the_ground_as_far_as_a_usual_one():
    cycle = load_gait("run").symmetrised()
    usual, long = (lowest_in_mid_swing(RunningPath(GaitTables(cycle, body), "L", CLEARANCE)) for body in (BODY, long_toed()))
    assert usual > 0.03 and long > 0.75 * usual, f"{1e3 * long:.0f} mm, of a usual foot {1e3 * usual:.0f}"


def steep_lift(path, more):
    """The planned lift, the foot steeper by `more` [rad] on its ball."""
    lift = path.standing(Footstep("L", 0j, 0.0), [path.phases.toe_off], 0.0)[0]
    steeper = path.geometry.rolled(Footstep("L", 0j, 0.0), lift.rotvec[1] + more, 0.0)
    return dataclasses.replace(steeper, toe=lift.toe)


def test_a_long_foot_that_lifts_steeply_is_raised_over_the_ground():
    cycle, target = load_gait("walk").symmetrised(), Footstep("L", 1.4 + 0j, 0.0)
    for body, raised in ((long_toed(), True), (BODY, False)):
        path = FootPath(GaitTables(cycle, body), "L", 0.012, 1.15)  # a higher swing clears the ground anyway
        lift = steep_lift(path, 0.5)
        cleared = path.cleared(lift, target, 0.0)
        phases = [path.phases.toe_off + share * (1.0 - path.phases.toe_off) for share in np.linspace(0.3, 0.6, 10)]
        low = [min(path.geometry.lowest(pose) for pose in path.swinging(one, target, phases, 0.0)) for one in (lift, cleared)]
        assert (cleared.clear_m > 0.0) == raised
        assert not raised or (low[0] < 0.012 and low[1] > 0.019), f"{1e3 * low[0]:.0f} mm, then {1e3 * low[1]:.0f}"


def test_long_toes_stand_less_steeply_before_a_flight():
    cycle = load_gait("run").symmetrised()
    for body, most in ((BODY, TIP_PITCH), (long_toed(), TIP_PITCH - 0.2)):
        path = RunningPath(GaitTables(cycle, body), "L", CLEARANCE)
        pitch = path.tip_pitch(path.phases.toe_off)
        toes = path.geometry.tip_x - path.geometry.ball_x
        assert pitch <= most and toes * math.sin(pitch) <= 1.001 * BALL_RISE_LEGS * body.leg_length_m
    assert RunningPath(GaitTables(cycle, BODY), "L", CLEARANCE).tip_pitch(path.phases.toe_off) == TIP_PITCH


def test_many_pitches_at_once_are_each_the_same():
    geometry = FootGeometry(BODY, "L")
    pitches = np.linspace(-0.5, 1.2, 35)
    step = Footstep("L", 0.3 + 0.2j, 0.7)
    ankles, toes = geometry.ways(step.place, step.yaw, pitches)
    lowest = geometry.lowest_of(ankles[:, 2], pitches, toes)
    for pitch, ankle, toe, low in zip(pitches.tolist(), ankles, toes.tolist(), lowest.tolist(), strict=True):
        pose = geometry.rolled(step, pitch, 0.0)
        np.testing.assert_allclose(ankle, pose.ankle, atol=1e-12)
        assert abs(toe - pose.toe) < 1e-12
        assert abs(low - geometry.lowest(FootPose(ankle, np.array([0.0, pitch, 0.0]), toe))) < 1e-12


@pytest.mark.parametrize("side", SIDES)
def test_a_swing_in_a_sharp_turn_goes_round_the_standing_leg(side):
    """Its ankle passes the standing one no nearer than asked, seen from above; a straight step is left as it is."""
    foot, out, apart = path(side), 1.0 if side == "L" else -1.0, 0.08
    off = foot.phases.toe_off
    shares = np.linspace(0.2, 0.8, 31)
    for cut, around in ((0.0, False), (0.12, True)):
        lift = foot.standing(Footstep(side, complex(-0.5, out * (0.11 - cut)), 0.0), [off], 0.0)[0]
        target = Footstep(side, complex(0.5, out * (0.11 - cut)), 0.0)
        aside = foot.round_m(lift, target, 0.0, 0j, apart)
        assert (aside > 0.0) == around
        swing = foot.swinging(dataclasses.replace(lift, aside_m=aside), target, off + shares * (1.0 - off), 0.0)
        places = np.array([complex(*pose.ankle[:2]) for pose in swing])
        assert np.abs(places).min() > 0.95 * apart and (out * places.imag[np.abs(places.real) < apart] > 0.0).all()
        ends = foot.swinging(dataclasses.replace(lift, aside_m=aside), target, (off, 1.0), 0.0)
        plain = foot.swinging(lift, target, (off, 1.0), 0.0)
        assert all(np.allclose(one.ankle, other.ankle) for one, other in zip(ends, plain, strict=True))

# SPDX-License-Identifier: GPL-3.0-or-later
"""Gaits from key poses: the machine, the law, and that the walk as printed stands without tuning."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest

from lope.addon.bodies.human.suit import load_suit
from lope.addon.bodies.makers import make_body
from lope.addon.bodies.model import build_model
from lope.addon.bodies.state import BodyState
from lope.addon.errors import InputError
from lope.addon.gaits.pose_gaits import load_pose_gait, pose_gait_names
from lope.addon.locomotion.key_poses.controller import MOST_M_S, Pace, hurry
from lope.addon.locomotion.key_poses.law import Law, lean_under_load
from lope.addon.locomotion.key_poses.machine import ROW, Machine
from lope.addon.locomotion.key_poses.strength import PoseGaitSettings, Scale
from lope.addon.locomotion.registry import find_controller
from lope.addon.reports.measures import measure
from lope.addon.sim.simulation import simulate
from lope.addon.specs.motions import KeyPoses
from lope.addon.specs.path import PathSpec
from lope.addon.specs.pose_gait import PoseGait, PoseState, pose_gait_file
from lope.addon.specs.shot import BodySpec, Push, Shot, World
from lope.addon.specs.steering import Steering
from lope.addon.worlds.planets import load_world
from shot_kit import shot_with

WALK = load_pose_gait("walk")
IN_AIR = {"L": False, "R": False}


def still():
    return np.zeros(9)


def shot(**values):
    return shot_with(KeyPoses(WALK, start="standing"), **values)


def machine(gait=WALK, slow=1.0, ramp_s=0.05):
    made = Machine(gait, slow, ramp_s, 0.02)
    made.begin(np.zeros(9))
    return made


def law(gravity=9.81, spec=None):
    body = make_body(spec or BodySpec())
    state = BodyState(body, build_model(body, World(gravity_m_s2=gravity)))
    qpos = state.model.qpos0.copy()
    qpos[2] += body.pelvis_height_m
    state.update(qpos, np.zeros(state.model.nv))
    return state, Law(state, Scale.of(body, gravity), PoseGaitSettings())


def test_states_take_turns_by_time_and_by_touch_down():
    it, legs = machine(), []
    for _ in range(61):
        it.advance(0.005, IN_AIR, still)
    assert it.at == 1 and it.state.swing == "R"
    for _ in range(100):
        it.advance(0.005, IN_AIR, still)
    assert it.at == 1  # it waits for the foot
    for _ in range(65 + 5):
        it.advance(0.005, {"L": True, "R": True}, still)
        legs.append(it.state.swing)
    assert legs[0] == "L" and it.steps == 2


def test_a_touch_down_that_is_there_already_counts_after_a_moment():
    it = machine()
    for _ in range(60):
        it.advance(0.005, {"L": True, "R": True}, still)
    assert it.at == 1
    for _ in range(5):
        it.advance(0.005, {"L": True, "R": True}, still)
    assert it.at == 2


def test_targets_go_evenly_from_where_they_were():
    it = machine()
    it.advance(0.025, IN_AIR, still)
    halfway = it.targets()[ROW["hip_R"]]
    it.advance(0.025, IN_AIR, still)
    assert halfway == pytest.approx(0.25) and it.targets()[ROW["hip_R"]] == 0.5


def test_a_state_that_ends_with_the_touch_down_ends_early_but_not_before_the_foot_has_left():
    early = replace(WALK, states=(replace(WALK.states[0], touch_ends=True), WALK.states[1]))
    it, down = machine(early), {"L": True, "R": True}
    for _ in range(20):
        it.advance(0.005, down, still)
    assert it.at == 0  # the foot stands there still
    it.advance(0.005, IN_AIR, still)
    it.advance(0.005, down, still)
    assert it.at == 1


def test_a_pose_is_come_to_in_its_own_time_and_springs_with_it():
    soft = replace(WALK, knee_damping=0.5,
                   states=(replace(WALK.states[0], comes_s=0.1, swing_knee_spring=0.5, stance_ankle_spring=2.0), WALK.states[1]))
    it = machine(soft, slow=2.0)
    for _ in range(20):
        it.advance(0.005, IN_AIR, still)
    assert it.targets()[ROW["hip_R"]] == pytest.approx(0.25)
    springs, damped = it.springs()
    assert springs.tolist() == [1.0, 0.5, 2.0, 1.0] and damped.tolist() == [0.5, 0.25, 2.0, 1.0]
    for _ in range(130):
        it.advance(0.005, IN_AIR, still)
    there = it.springs()[0]
    assert it.at == 1 and there.tolist() == [1.0, 1.0, 1.0, 1.0]  # those of the second state, which takes the settings' time


def test_springs_and_dampings_of_a_state_reach_the_torques():
    state, it = law()
    pose, targets = WALK.cycle[0], machine(ramp_s=0.0).targets()
    knee = int(state.model.joint("shank_R").dofadr[0]) - 6
    before, damped = it.torques(pose, targets, 0.0, 0.0, 0.0)[knee], it.damping[knee]
    it.spring_by(np.array([[1.0, 0.5, 1.0, 1.0], [1.0, 0.25, 1.0, 1.0]]))
    assert it.torques(pose, targets, 0.0, 0.0, 0.0)[knee] == pytest.approx(0.5 * before)
    assert it.damping[knee] == pytest.approx(0.25 * damped)


def test_a_foot_pushes_off_as_far_as_it_is_behind():
    state, it = law()
    pose, targets = replace(WALK.cycle[0], swing_ankle_cd=2.0), machine(ramp_s=0.0).targets()
    place = int(state.model.joint("foot_R").qposadr[0])

    def stretched(spread):
        qpos = it.begin(0.0, 0.0, spread)[0]
        qpos[2] = state.qpos[2]
        state.update(qpos, np.zeros(state.model.nv))
        it.torques(pose, targets, 0.0, 0.0, 0.0)
        return -2.0 * math.asin(it._drawn[place + 2]) - targets[ROW["ankle_R"]]

    assert stretched(0.0) == pytest.approx(0.0, abs=0.01)
    assert stretched(0.3) == pytest.approx(-2.0 * 0.2612, abs=0.01)  # legs of 0.8838 m


def test_it_begins_in_the_state_that_is_named():
    assert machine(replace(WALK, begins_in=2)).at == 1
    with pytest.raises(InputError, match="begins in state 3, but has 2"):
        replace(WALK, begins_in=3)


def test_a_pace_asks_for_what_is_missing_and_for_no_more_than_it_may():
    scale = Scale.of(make_body(BodySpec()), 9.81)
    pace, slow = Pace(), np.array([0.6, 0.0, 0.0])
    for _ in range(100):
        asked = pace.go(0.0, 1.0, slow, 0.005 / 5.0, scale)
    assert asked == pytest.approx(0.04, rel=1e-3)
    for _ in range(5000):
        asked = pace.go(0.0, 1.0, slow, 0.005 / 5.0, scale)
    assert asked == pytest.approx(MOST_M_S * scale.speed)


def test_states_last_longer_where_things_fall_slowly():
    it = machine(slow=2.0)
    for _ in range(119):
        it.advance(0.005, IN_AIR, still)
    assert it.at == 0
    it.advance(0.01, IN_AIR, still)
    assert it.at == 1


def test_another_gait_comes_at_the_next_change_of_state():
    it, other = machine(), replace(WALK, name="other")
    it.change_to(other)
    assert it.gait is WALK
    for _ in range(61):
        it.advance(0.005, IN_AIR, still)
    assert it.gait is other and it.at == 1


def test_the_standing_hip_gives_what_trunk_and_swinging_thigh_take():
    state, it = law()
    targets = machine(ramp_s=0.0).targets()
    torque = it.torques(WALK.cycle[0], targets, 0.0, 0.0, 0.0)
    hip = {side: int(state.model.joint(f"thigh_{side}").dofadr[0]) - 6 for side in "LR"}
    up, knee = -torque[hip["R"] + 1], torque[hip["L"] + 1]
    assert 100.0 < up < 400.0 and knee == pytest.approx(up)  # the trunk is upright and wants nothing


def test_a_body_that_is_ahead_of_its_foot_steps_farther():
    state, it = law()
    _, still = it.balance("R", 0.0, 0.0, 0.0)
    assert still == 0.0
    qvel = np.zeros(state.model.nv)
    qvel[0] = 1.0
    state.update(state.qpos.copy(), qvel)
    away, beyond = it.balance("R", 0.0, 0.4, 0.0)
    assert beyond.real == pytest.approx(0.6) and away.imag < 0.0 and abs(away.real) < 1e-9
    _, turned = it.balance("R", 0.5 * math.pi, 0.0, 0.0)
    assert turned.imag == pytest.approx(-1.0)


def test_strength_goes_with_weight_times_length():
    small, large = BodySpec(height_m=1.2, mass_kg=25.0), BodySpec()
    scale, standard = Scale.of(make_body(small), 9.81), Scale.of(make_body(large), 9.81)
    assert standard.moment == pytest.approx(1.0, rel=1e-3) and scale.moment == pytest.approx(25 / 75 * scale.length)
    assert Scale.of(make_body(large), 9.81 / 4).time == pytest.approx(2.0 * standard.time)


@pytest.mark.acceptance
def test_the_walk_stands_on_three_planets_alike():
    speeds = []
    for world in ("earth", "moon", "jupiter"):
        scale = math.sqrt(load_world(world).gravity_m_s2 / 9.81)
        take = simulate(shot(world=load_world(world), duration_s=round(8.0 / scale, 2)))
        assert not take.fell
        speeds.append(measure(take)["mean_speed_m_s"] / scale)
    assert speeds[0] == pytest.approx(0.98, abs=0.05) and np.ptp(speeds) < 0.05 * speeds[0]  # 3 % over a minute


@pytest.mark.slow
def test_a_suited_body_leans_under_its_pack_and_stands_on_two_worlds():
    bare, suited = (make_body(BodySpec(), load_suit(name)) for name in ("none", "apollo-a7lb"))
    assert lean_under_load(bare, bare) == 0.0
    assert math.degrees(lean_under_load(suited, bare)) == pytest.approx(20.0, abs=3.0)
    for world, seconds in (("moon", 12.0), ("mars", 9.0)):  # without the lean it falls after 6.1 and 3.2 s
        assert not simulate(shot(world=load_world(world), duration_s=seconds, suit="apollo-a7lb")).fell


def test_it_takes_a_push_and_goes_round_a_bend():
    push = Push(4.0, 0.4, (0.0, 130.0, 0.0))
    pushed = simulate(shot(duration_s=8.0, pushes=(push,), path=PathSpec(kind="circle", radius_m=3.0)))
    assert not pushed.fell
    assert measure(pushed)["heading_change_deg"] > 45.0


@pytest.mark.slow
def test_the_same_shot_is_the_same_take():
    one, other = (simulate(shot(duration_s=2.0, noise=0.1, seed=3)) for _ in range(2))
    assert all(np.array_equal(one.arrays[name], other.arrays[name], equal_nan=True) for name in one.arrays)
    assert Shot.from_dict(one.shot.to_dict()) == one.shot


@pytest.mark.parametrize("name", pose_gait_names())
def test_shipped_pose_gaits_can_be_read_and_name_their_source(name):
    gait = load_pose_gait(name)
    assert gait.name == name and gait.source and len({state.swing for state in gait.cycle}) == 2


@pytest.mark.parametrize("states, words", [
    ((), "has 0 states: it needs 1 to 16"),
    ((PoseState(lasts_s=0.0), PoseState(lasts_s=0.0)), "never rests in a state"),
    ((PoseState(swing="L"),), "State 1 of the pose gait tiptoe says that the leg L swings"),
])
def test_machines_that_make_no_sense_are_told(states, words):
    with pytest.raises(InputError, match=words):
        PoseGait(name="tiptoe", summary="s", source="t", states=states)


def test_a_side_is_asked_for_where_legs_differ():
    with pytest.raises(InputError, match="State 2 of the pose gait limp does not say which leg swings"):
        PoseGait(name="limp", summary="s", source="t", symmetric=False, states=(PoseState(swing="L"), PoseState()))


def test_an_angle_that_no_joint_has_names_its_state():
    with pytest.raises(InputError, match="swinging knee's angle must lie between -2.7 and 0 rad, got 0.5"):
        PoseState(swing_knee=0.5)


def test_controller_and_key_poses_belong_together():
    with pytest.raises(InputError, match="this shot has no pose gait"):
        Shot.from_dict({"controller": "pose_gait"})
    with pytest.raises(InputError, match="moved by the controller pose_gait, not by tracking"):
        Shot.from_dict({"controller": "tracking", "pose_gait": pose_gait_file(WALK)})


def test_a_file_of_ones_own_is_read_and_its_faults_are_told(tmp_path):
    path = tmp_path / "mine.json"
    path.write_text('{"name": "mine", "summary": "s", "source": "t", "states": [{"swing_knee": "bent"}]}', encoding="utf-8")
    with pytest.raises(InputError, match=r"mine\.json cannot be used"):
        load_pose_gait(str(path))
    with pytest.raises(InputError, match="There is no file"):
        load_pose_gait(str(tmp_path / "gone.json"))


@pytest.mark.slow
def test_it_is_steered_to_another_speed_heading_and_gait():
    steering = (Steering(3.0, speed_m_s=0.6, turn_rad=1.0), Steering(6.0, gait="march"))
    take = simulate(shot(duration_s=10.0, steering=steering))
    assert not take.fell
    heading = take.plan_heading_rad
    assert heading[-1] - heading[take.time_s < 3.0][-1] == pytest.approx(1.0, abs=0.01)
    assert measure(take)["heading_change_deg"] > 30.0 and take.stats["planned_speed_m_s"] == pytest.approx(0.8)
    with pytest.raises(InputError, match="march"):
        simulate(shot(duration_s=2.0, steering=(Steering(0.5, gait="marsh"),)))


def test_a_gait_that_is_edited_goes_on_at_once_and_smoothly():
    """Where the same legs swing; a state more is taken at the next change."""
    it = machine()
    for _ in range(30):
        it.advance(0.005, IN_AIR, still)
    assert it.at == 0 and it.targets()[ROW["knee_R"]] == pytest.approx(-1.1)
    bent = replace(WALK, states=(replace(WALK.states[0], swing_knee=-1.5, cd=0.9), WALK.states[1]))
    it.revise(bent)
    assert it.at == 0 and it.state.cd == 0.9 and it.targets()[ROW["knee_R"]] == pytest.approx(-1.1)
    it.advance(0.025, IN_AIR, still)
    assert it.targets()[ROW["knee_R"]] == pytest.approx(-1.3)
    it.advance(0.025, IN_AIR, still)
    assert it.at == 0 and it.targets()[ROW["knee_R"]] == pytest.approx(-1.5)
    it.revise(replace(WALK, states=(*WALK.states, WALK.states[1])))
    assert it.gait is bent
    while it.gait is bent:
        it.advance(0.005, IN_AIR, still)
    assert len(it.states) == 6


@pytest.mark.slow
def test_a_gait_that_is_edited_at_the_wheel_is_in_the_shot():
    edited = replace(WALK, states=(replace(WALK.states[0], swing_knee=-1.5), WALK.states[1]))
    first = shot(duration_s=3.0, steering=(Steering(1.0, speed_m_s=0.5), Steering(1.5, pose_gait=edited)))
    again = Shot.from_dict(json.loads(json.dumps(first.to_dict())))
    assert again == first and "pose_gait" not in first.to_dict()["motion"]["steering"][0]
    one, other, plain = simulate(first), simulate(again), simulate(first.with_motion(steering=first.motion.steering[:1]))
    assert np.array_equal(one.joint_quaternions, other.joint_quaternions)
    assert not np.array_equal(one.joint_quaternions, plain.joint_quaternions)


def test_a_gait_that_is_written_is_read_again(tmp_path):
    gait = replace(load_pose_gait("march"), name="own")
    path = tmp_path / "own.json"
    path.write_text(json.dumps(pose_gait_file(gait)), encoding="utf-8")
    assert load_pose_gait(str(path)) == gait


def test_at_the_wheel_it_goes_from_standing_to_faster_than_its_own_speed():
    can = find_controller("pose_gait").steerable(shot(world=load_world("moon")))
    assert (can.low_m_s, can.speed_m_s) == (0.0, pytest.approx(0.406, abs=0.002)) and can.high_m_s > can.speed_m_s
    assert dict(can.gaits).keys() == set(pose_gait_names())


def test_it_hurries_only_when_it_is_carried_off():
    scale, own = Scale.of(make_body(BodySpec()), 9.81), PoseGaitSettings()

    def hurried(x, y, wished=1.0 + 0.0j):
        return hurry(own, np.array([x, y, 0.0]), 0.0, wished, scale)

    assert hurried(0.0, 0.0) == hurried(1.3, 0.2) == 0.0  # slower than wished, and about as fast
    assert hurried(2.0, 0.0) == pytest.approx(0.6, abs=1e-3) and hurried(1.0, -1.0) == hurried(1.0, 1.0) > 0.5
    it = machine()
    it.hasten(0.25)
    for _ in range(11):
        it.advance(0.005, IN_AIR, still)
    assert it.at == 1
    it.hasten(9.0)
    assert it.at == 1  # waits for the foot as long as it takes

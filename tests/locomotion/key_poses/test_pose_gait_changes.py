# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes from one gait of key poses to another: what goes over, when, and what lies between two."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lope.addon.batch.plan import plan_list, shot_from_values
from lope.addon.batch.shot_list import read_list
from lope.addon.bodies.makers import make_body
from lope.addon.bodies.model import build_model
from lope.addon.bodies.state import BodyState
from lope.addon.engines.engine import Torques
from lope.addon.errors import InputError
from lope.addon.gaits import pose_gaits
from lope.addon.gaits.pose_gaits import interpolated, load_pose_gait
from lope.addon.locomotion.controller import Sensed, Setup
from lope.addon.locomotion.key_poses.controller import PoseGaitController
from lope.addon.locomotion.key_poses.machine import ROW, Machine, alike
from lope.addon.options.shot_options import shot_fields, shot_from, steering_from
from lope.addon.sim.drive_script import read_script
from lope.addon.sim.live import Drive
from lope.addon.sim.simulation import simulate
from lope.addon.specs.motions import KeyPoses
from lope.addon.specs.pose_gait import PoseGait, PoseState
from lope.addon.specs.shot import BodySpec, Shot, World
from lope.addon.specs.steering import Steering
from shot_kit import shot_with

WALK, TIRED = load_pose_gait("walk"), load_pose_gait("tired")
LIST = Path(__file__).parents[3] / "docs" / "lists" / "planar-chain.toml"
IN_AIR = {"L": False, "R": False}
UPPER = {"chest": (0.0, 0.3, 0.0), "upper_arm_L": (0.0, -0.8, 0.0), "upper_arm_R": (0.0, -0.8, 0.0)}
BENT = replace(
    replace(WALK, speed_m_s=0.5),
    name="bent",
    arm_swing=0.0,
    elbow=1.4,
    sideways_m_s=0.2,
    ahead_m_s=0.3,
    states=tuple(replace(state, torso=-0.6, upper=UPPER) for state in WALK.states),
)


def shot(**values):
    return shot_with(KeyPoses(WALK, start="standing"), **values)


def controller():
    asked = shot()
    body = make_body(asked.body)
    state = BodyState(body, build_model(body, asked.world))
    made = PoseGaitController(Setup(asked, body, state, Torques))
    made.start()
    made.sense(Sensed(0.0, state.qpos, state.qvel, None))
    return made


def drawn(made, name, size=1):
    place = int(made.state.model.joint(name).qposadr[0])
    return made.law._drawn[place:place + size].copy()


def acts(made, seconds):
    for _ in range(round(seconds / made.control_step_s)):
        made.act()


def test_arms_speeds_and_lean_go_over_with_the_gait_and_not_at_once():
    made = controller()
    acts(made, 0.2)
    made.steer({"gait": "bent", "pose_gait": BENT})
    acts(made, 0.095)
    assert made.machine.gait is WALK and drawn(made, "forearm_L") == pytest.approx(0.3)
    assert made.course.speed_m_s == pytest.approx(0.925, abs=0.01) and made.course.sideways_m_s == 0.0
    acts(made, 0.1)
    assert made.machine.gait is BENT
    assert 0.3 < drawn(made, "forearm_L") < 0.6 and -0.2 < made.machine.targets()[ROW["torso"]] < 0.0
    assert 0.0 < made.machine.ahead_m_s < 0.1 and 0.0 < made.course.sideways_m_s < 0.1 and 0.8 < made.course.speed_m_s < 0.9
    acts(made, 1.0)
    assert drawn(made, "forearm_L") == pytest.approx(1.4) and made.machine.targets()[ROW["torso"]] == pytest.approx(-0.6)
    assert made.machine.arms == (0.0, 1.4) and made.machine.ahead_m_s == pytest.approx(0.3)
    assert made.course.sideways_m_s == pytest.approx(0.2) and made.course.speed_m_s == pytest.approx(0.5)


def test_what_is_posed_of_the_upper_body_comes_and_goes_evenly():
    made = controller()
    acts(made, 0.1)
    steps = []
    for gait, turned in ((BENT, np.sin(0.15)), (WALK, 0.0)):
        made.steer({"gait": gait.name, "pose_gait": gait})
        for _ in range(round(1.2 / made.control_step_s)):
            before = drawn(made, "upper_arm_L", 4)
            made.act()
            steps.append(np.abs(drawn(made, "upper_arm_L", 4) - before).max())
        assert drawn(made, "chest", 4)[2] == pytest.approx(turned)
    assert 0.0 < max(steps) < 0.02  # 0.8 rad in 0.4 s, in steps of 5 ms


def test_another_gait_begins_in_the_state_that_is_like_this_one():
    two, three, four = (tuple(PoseState(swing=side) for side in "RL" for _ in range(n)) for n in (2, 3, 4))
    assert [alike(two, i, two) for i in range(4)] == [0, 1, 2, 3]
    assert [alike(two, i, four) for i in range(4)] == [0, 2, 4, 6]
    assert [alike(three, i, two) for i in range(6)] == [0, 1, 1, 2, 3, 3]
    other = tuple(PoseState(swing=side) for side in "LLRR")
    assert [alike(two, i, other) for i in range(4)] == [2, 3, 0, 1]
    assert alike(two, 2, tuple(PoseState(swing="R") for _ in range(4))) == 2


def test_between_two_gaits_every_number_lies_between():
    half = interpolated(WALK, BENT, 0.5)
    assert half.name == "walk:0.5:bent" and half.speed_m_s == 0.75 and half.elbow == pytest.approx(0.85) and half.symmetric
    assert half.states[1].torso == pytest.approx(-0.3) and half.states[0].lasts_s == 0.3 and half.states[1].lasts_s is None
    assert half.states[0].upper["chest"] == (0.0, 0.3, 0.0) and half.states[0].upper_share["chest"] == 0.5
    assert interpolated(WALK, BENT, 0.0) is WALK and interpolated(WALK, BENT, 1.0) is BENT
    assert interpolated(half, BENT, 1.0 / 3.0).states[0].upper_share["chest"] == pytest.approx(2.0 / 3.0)
    limp = replace(WALK, symmetric=False, states=WALK.cycle)
    assert len(interpolated(WALK, limp, 0.3).cycle) == 4
    assert load_pose_gait("walk:0.25:tired") == interpolated(WALK, TIRED, 0.25)


@pytest.mark.parametrize("other, share, words", [
    (replace(WALK, states=(*WALK.states, WALK.states[1])), 0.5, "which have 4 and 6 states a cycle"),
    (replace(WALK, states=WALK.states[::-1]), 0.5, "their states 1 do not swing the same leg, stand on as many, or end alike"),
    (TIRED, 1.5, "share of one gait in another must lie between 0 and 1"),
])
def test_where_nothing_lies_between_it_is_told(other, share, words):
    with pytest.raises(InputError, match=words):
        interpolated(WALK, other, share)


def test_a_gait_can_be_come_to_little_by_little():
    it = Machine(WALK, 1.0, 0.05, 0.02)
    it.begin(np.zeros(9))
    it.blend_to(BENT, 0.2)
    for _ in range(20):
        it.advance(0.005, IN_AIR, lambda: np.zeros(9))
    assert it.at == 0 and it.targets()[ROW["torso"]] == pytest.approx(-0.3) and it.arms == pytest.approx((0.2, 0.85))
    for _ in range(20):
        it.advance(0.005, IN_AIR, lambda: np.zeros(9))
    assert it.gait is BENT and [name for _, name in it.changed] == ["bent"]
    with pytest.raises(InputError, match="nothing between"):
        it.blend_to(replace(WALK, states=WALK.states[::-1]), 1.0)


@pytest.mark.acceptance
@pytest.mark.slow
def test_the_walk_bows_and_rises_again():
    take = simulate(shot(duration_s=9.0, steering=(Steering(2.0, gait="walk:0.5:tired", over_s=1.5),
                                                   Steering(5.0, gait="walk", over_s=1.5))))
    assert not take.fell and [name for _, name in take.stats["pose_changes"]] == ["walk:0.5:tired", "walk"]


@pytest.mark.slow
def test_a_shot_carries_the_gaits_that_it_is_steered_to(tmp_path):
    path = tmp_path / "mine.json"
    path.write_text(json.dumps({"name": "mine", "summary": "s", "source": "t", "elbow": 1.0, "states": [
        {"lasts_s": 0.3, "swing_hip": 0.5, "swing_knee": -1.1, "swing_ankle": 0.6, "stance_knee": -0.05},
        {"lasts_s": None, "swing_hip": -0.1, "swing_knee": -0.05, "swing_ankle": 0.15, "stance_knee": -0.1}]}), encoding="utf-8")
    fields = shot_fields()
    made = shot_from(fields.parse({"pose_gait": "walk", "steer": [f"1,{path}", "1.5,0.5", "2,march,over=0.5"], "seconds": 3.0}))
    path.unlink()
    assert made.motion.steering[0].pose_gait.elbow == 1.0 and made.motion.steering[2].pose_gait == load_pose_gait("march")
    assert made.motion.steering[1].to_dict().keys() == {"time_s", "speed_m_s", "turn_rad_s", "turn_rad", "gait"}
    assert Shot.from_dict(json.loads(json.dumps(made.to_dict()))) == made
    take = simulate(made)
    assert take.shot == made and [name for _, name in take.stats["pose_changes"]] == ["mine", "march"]
    with pytest.raises(InputError, match="nothing between the pose gaits walk and other"):
        simulate(shot(duration_s=2.0, steering=(Steering(1.0, pose_gait=PoseGait(
            name="other", summary="s", source="t", states=(PoseState(), PoseState(lasts_s=0.2), PoseState())), over_s=1.0),)))


@pytest.mark.parametrize("text, wish", [
    ("4,march", {"gait": "march"}), ("6,0.5", {"speed_m_s": 0.5}), ("8,run,2", {"gait": "run", "speed_m_s": 2.0}),
    ("9,turn=90", {"turn_rad": pytest.approx(np.pi / 2)}), ("9,turn-rate=-10", {"turn_rad_s": pytest.approx(-0.1745, abs=1e-4)}),
    ("10,walk:0.5:tired,over=2", {"gait": "walk:0.5:tired", "over_s": 2.0}),
])
def test_steering_is_written_in_a_line(text, wish):
    assert steering_from(text).wish == wish


@pytest.mark.parametrize("text", ["4", "x,march", "4,march,run", "4,", "4,1,2"])
def test_steering_that_cannot_be_read_is_told(text):
    with pytest.raises(InputError, match="Steering is written T,GAIT"):
        steering_from(text)


def test_a_time_to_come_to_no_gait_is_told():
    with pytest.raises(InputError, match="wishes for no gait"):
        Steering(1.0, speed_m_s=1.0, over_s=2.0)


def test_a_gait_is_waited_for_until_the_body_is_as_slow_as_it_takes_over():
    made = controller()
    slow = replace(WALK, speed_m_s=0.2, name="slow", enter_m_s=(-0.5, 0.5))
    going = made.state.qvel.copy()
    going[0] = 1.4
    made.state.update(made.state.qpos.copy(), going)
    acts(made, 0.1)
    made.steer({"gait": "slow", "pose_gait": slow})
    acts(made, 1.0)
    assert made.machine.gait is WALK and made.course.speed_m_s == pytest.approx(0.35, abs=0.15)
    made.state.update(made.state.qpos.copy(), 0.2 * going)
    acts(made, 1.5)
    assert made.machine.gait is slow and made.course.speed_m_s == pytest.approx(0.2)
    with pytest.raises(InputError, match="between 1 and 0.5 m/s, which is no range"):
        replace(WALK, enter_m_s=(1.0, 0.5))


@pytest.mark.slow
def test_the_planar_body_stands_still_on_both_feet_and_steps_on():
    plane = Shot(
        motion=KeyPoses(
            load_pose_gait("in_place", "planar"),
            start="standing",
            steering=(Steering(2.0, gait="stand"), Steering(4.5, gait="in_place")),
        ),
        body=BodySpec(kind="planar", mass_kg=90.0),
        world=World(friction=0.65),
        engine="springs",
        duration_s=6.0,
    )
    take = simulate(plane)
    assert not take.fell and [name for _, name in take.stats["pose_changes"]] == ["stand", "in_place"]
    still = (take.time_s > 4.2) & (take.time_s < 4.5)
    assert np.ptp(take.com_m[still, 0]) < 0.05


@pytest.mark.slow
def test_the_shipped_chain_names_planar_gaits_and_begins():
    shot = shot_from_values({"planar": True, "engine": "springs", "friction": 0.65, "pose_gait": "walk", "start": "standing",
                             "seconds": 4.0, "steer": ["1.8,in_place"]})
    listed = plan_list(read_list(LIST)).shots[0].shot
    assert len(listed.motion.steering) == 24 and listed.motion.steering[0].pose_gait == load_pose_gait("in_place", "planar")
    assert replace(listed.with_motion(steering=()), duration_s=4.0) == shot.with_motion(steering=())
    assert not simulate(shot).fell


@pytest.mark.slow
def test_a_gait_is_gone_through_for_some_steps_where_it_is_known_to_help(tmp_path, monkeypatch):
    table = tmp_path / "routes.json"
    table.write_text('{"through": {"human": {"walk": {"tired": "in_place"}}}}', encoding="utf-8")
    monkeypatch.setattr(pose_gaits, "ROUTES", table)
    drive = Drive(shot(), tmp_path / "a.drive")
    drive.go(0.5)
    drive.steer({"gait": "tired"})
    drive.go(4.0)
    take = drive.end()
    drive.close()
    (_, first), (at, second) = take.stats["pose_changes"]
    assert (first, second) == ("in_place", "tired") and at > 2.0
    assert (
        read_script(tmp_path / "a.drive").motion.steering == take.shot.motion.steering
        and take.shot.motion.steering[0].via.name == "in_place"
    )

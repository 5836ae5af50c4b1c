# SPDX-License-Identifier: GPL-3.0-or-later
"""Gaits from key poses of a motion: which leg swings, what the states are drawn to, and what gives so that it walks."""

import json
import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from follow_kit import captured
from lope.addon.bodies.makers import make_body
from lope.addon.cli import main
from lope.addon.controllers.pose_gait.machine import Machine
from lope.addon.errors import InputError
from lope.addon.gaits.pose_gaits import load_pose_gait
from lope.addon.maths.quaternions import quat_from_rotvec
from lope.addon.motions.key_poses import gait_of, key_poses
from lope.addon.specs.pose_gait import PoseState, mirrored
from lope.addon.specs.shot import BodySpec
from lope.addon.tuning import from_poses
from lope.addon.tuning.from_poses import mixed, nearest_that_stands, what_gave

WALK = load_pose_gait("walk")


def still():
    return np.zeros(9)


def motion(*poses, heading=0.0):
    """A motion of 10 frames a second whose frames are poses: rotation vectors of joints by name."""
    body = make_body(BodySpec())
    turns = np.zeros((len(poses), len(body.joint_segments), 4))
    turns[..., 0] = 1.0
    for row, pose in enumerate(poses):
        for name, vector in pose.items():
            turns[row, body.joint_segments.index(name)] = quat_from_rotvec(np.array(vector, dtype=float))
    root = np.tile(quat_from_rotvec(np.array([0.0, 0.0, heading])), (len(poses), 1))
    return SimpleNamespace(body=body, frame_time_s=0.1, root_position=np.zeros((len(poses), 3)), root_quaternion=root,
                           joint_quaternions=turns, clip=SimpleNamespace(path="drawn.bvh"))


PASSING = {"thigh_R": (0.0, -0.7, 0.0), "shank_R": (0.0, 1.2, 0.0), "foot_R": (0.0, -0.2, 0.0), "chest": (0.0, 0.3, 0.0),
           "upper_arm_L": (0.0, -0.4, 0.0)}
LANDING = {"thigh_R": (0.0, -0.4, 0.0), "thigh_L": (0.0, 0.3, 0.0), "shank_R": (0.0, 0.1, 0.0)}


@pytest.mark.parametrize("heading", [0.0, 2.0])
def test_a_pose_becomes_what_it_draws_to_whichever_way_it_faces(heading):
    pose = key_poses(motion(PASSING, LANDING, heading=heading), [1, 2])[0].state
    assert (pose.swing, pose.swing_hip, pose.swing_knee, pose.swing_ankle) == ("R", 0.7, -1.2, 0.2)
    assert pose.upper == {"chest": (0.0, 0.3, 0.0), "upper_arm_L": (0.0, -0.4, 0.0)}


def test_the_foot_that_is_up_swings_and_else_the_one_in_front():
    first, second = key_poses(motion(PASSING, LANDING), [1, 2])
    assert first.state.swing == "R" and second.state.swing == "R" and second.time_s == pytest.approx(0.1)
    back = {"thigh_R": (0.0, 0.4, 0.0), "thigh_L": (0.0, -0.4, 0.0)}
    assert key_poses(motion(back, LANDING), [1, 2])[0].state.swing == "L"


def test_poses_of_one_step_are_half_a_cycle():
    gait = gait_of(key_poses(motion(PASSING, LANDING), [1, 2]), "mine", "drawn")
    assert gait.symmetric and [state.lasts_s for state in gait.states] == [0.1, None]
    assert gait.cycle[2].swing == "L" and gait.cycle[2].upper == mirrored(gait.states[0].upper)
    assert mirrored({"upper_arm_L": (0.1, 0.2, 0.3)}) == {"upper_arm_R": (-0.1, 0.2, -0.3)}


def test_poses_of_the_left_step_are_mirrored():
    left = {name.replace("_R", "_X").replace("_L", "_R").replace("_X", "_L"): (-x, y, -z) for name, (x, y, z) in PASSING.items()}
    other = {"thigh_L": (0.0, -0.4, 0.0), "thigh_R": (0.0, 0.3, 0.0), "shank_L": (0.0, 0.1, 0.0)}
    assert gait_of(key_poses(motion(left, other), [1, 2]), "mine", "drawn") == gait_of(
        key_poses(motion(PASSING, LANDING), [1, 2]), "mine", "drawn")


def test_poses_of_both_steps_make_a_gait_that_may_limp():
    other = {"thigh_L": (0.0, -0.5, 0.0), "shank_L": (0.0, 0.9, 0.0)}
    gait = gait_of(key_poses(motion(PASSING, LANDING, other), [1, 2, 3]), "limp", "drawn")
    assert not gait.symmetric
    assert [(state.swing, state.lasts_s) for state in gait.states] == [("R", 0.1), ("R", None), ("L", None)]
    with pytest.raises(InputError, match="the legs swing R, L, R, L"):
        gait_of(key_poses(motion(PASSING, other, PASSING, other), [1, 2, 3, 4]), "no", "drawn")


@pytest.mark.parametrize("frames, words", [((1,), "2 to 8 key poses"), ((2, 1), "in the order of their frames"),
                                           ((1, 9), "There is no frame 9 in drawn.bvh: it has frames 1 to 2")])
def test_frames_that_will_not_do_are_told(frames, words):
    with pytest.raises(InputError, match=words):
        key_poses(motion(PASSING, LANDING), frames)


def test_the_upper_body_is_drawn_to_its_pose_and_comes_there_evenly():
    gait = replace(WALK, states=(replace(WALK.states[0], upper={"chest": (0.0, 0.4, 0.0)}),
                                 replace(WALK.states[1], upper={"chest": (0.0, 0.0, 0.0)})))
    machine = Machine(gait, 1.0, 0.1, 0.02)
    machine.begin(np.zeros(9))
    for _ in range(6):
        machine.advance(0.05, {"L": False, "R": False}, still)
    machine.advance(0.05, {"L": False, "R": False}, still)
    assert machine.at == 1 and machine.upper()["chest"][0][1] == pytest.approx(0.2)


def test_a_mixture_lies_between_base_and_poses_and_what_it_lacks_is_told():
    gait = gait_of(key_poses(motion(PASSING, LANDING), [1, 2]), "mine", "drawn")
    half = mixed(WALK, gait, dict.fromkeys(from_poses.PARTS, 0.5))
    assert half.states[0].swing_knee == pytest.approx(0.5 * (-1.1 - 1.2)) and half.states[0].upper == gait.states[0].upper
    assert mixed(WALK, gait, dict.fromkeys(from_poses.PARTS, 1.0)) == gait
    told = [str(one) for one in what_gave(gait, half)]
    assert any(words.startswith("pose 2: swinging thigh's angle by -14") for words in told) and what_gave(gait, gait) == []


def test_the_nearest_that_stands_is_found_part_by_part(monkeypatch):
    gait = gait_of(key_poses(motion(PASSING, LANDING), [1, 2]), "mine", "drawn")

    def stands(trial, worlds=None):
        return trial.states[1].swing_hip < 0.16 and trial.ahead_m_s < -0.2

    monkeypatch.setattr(from_poses, "stands", stands)
    found, gave = nearest_that_stands(gait, WALK)
    assert found.ahead_m_s == -0.3 and 0.1 < found.states[1].swing_hip < 0.16
    assert found.states[0].swing_knee == gait.states[0].swing_knee and {one.words for one in gave} == {"swinging thigh's angle"}
    monkeypatch.setattr(from_poses, "stands", lambda trial: False)
    with pytest.raises(InputError, match="not even the legs of the gait walk go"):
        nearest_that_stands(gait, WALK)


def test_poses_as_drawn_are_written_and_read(tmp_path, capsys):
    out = tmp_path / "hers.json"
    clip = captured("snu_walk_left_90")
    assert main(["poses", str(clip), "--frames", "40,50", "--as-drawn", "--out", str(out), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["states"] == 2
    assert load_pose_gait(str(out)).states[0].upper
    assert main(["poses", str(clip), "--frames", "40;50", "--out", str(out)]) == 2


def test_a_state_says_which_joints_of_the_upper_body_there_are():
    with pytest.raises(InputError, match="upper_arm_L"):
        PoseState(upper={"upper_arm": (0.0, 0.0, 0.0)})
    with pytest.raises(InputError, match="upper body"):
        PoseState(upper={"chest": (0.0, math.tau, 0.0)})

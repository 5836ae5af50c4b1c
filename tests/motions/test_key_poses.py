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
from lope.addon.errors import InputError
from lope.addon.gaits.pose_gaits import load_pose_gait
from lope.addon.locomotion.key_poses.machine import Machine
from lope.addon.maths.rotations import quat_from_rotvec
from lope.addon.motions.key_poses import gait_of, key_poses, speed_of
from lope.addon.search.gait_from_poses import mixed
from lope.addon.specs.pose_gait import PoseState, mirrored
from lope.addon.specs.shot import BodySpec

pytestmark = pytest.mark.slow

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


def test_a_mixture_lies_between_base_and_poses():
    gait = gait_of(key_poses(motion(PASSING, LANDING), [1, 2]), "mine", "drawn")
    half = mixed(WALK, gait, 0.5, 0.8, gait.speed_m_s - 0.4)
    assert half.states[0].swing_knee == pytest.approx(0.5 * (WALK.states[0].swing_knee - 1.2)) and half.ahead_m_s == -0.4
    assert half.states[0].upper["chest"] == gait.states[0].upper["chest"] and half.states[0].lasts_s == pytest.approx(0.08)
    whole = mixed(WALK, gait, 1.0)
    assert [replace(state, upper=None) for state in whole.states] == [replace(state, upper=None) for state in gait.states]


def test_poses_ask_for_a_speed():
    poses = [replace(pose, time_s=0.4 * i) for i, pose in enumerate(key_poses(motion(PASSING, LANDING), [1, 2]))]
    assert speed_of(poses) == pytest.approx(poses[1].before_m / 0.8, abs=0.01)
    along = [replace(pose, along_m=0.24 * i) for i, pose in enumerate(poses)]
    assert speed_of(along) == pytest.approx(0.6)
    assert speed_of([replace(pose, along_m=9.0 * i) for i, pose in enumerate(poses)]) == 1.6


def test_poses_as_drawn_are_written_and_read(tmp_path, capsys):
    out = tmp_path / "hers.json"
    clip = captured("snu_walk_left_90")
    assert main(["poses", str(clip), "--frames", "40,50", "--as-drawn", "--out", str(out), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["states"] == 2
    assert load_pose_gait(str(out)).states[0].upper
    assert main(["poses", str(clip), "--frames", "40;50", "--out", str(out)]) == 2


@pytest.mark.parametrize("clip, which, out, words", [
    ("x.glb", ["--frames", "1,10"], "new/a.json", "use `lope poses --blend x.glb --action NAME --frames 1,10`."),
    ("x.FBX", ["--cycles"], "new/a.json", "use `lope poses --blend x.FBX --action NAME --cycles`."),
    ("x.bvh", ["--frames", "1,10"], "new/a.txt", "A gait is a .json file: write --out new/a.json, not new/a.txt."),
])
def test_files_of_another_kind_are_refused_before_anything_is_made(tmp_path, monkeypatch, capsys, clip, which, out, words):
    monkeypatch.chdir(tmp_path)
    (tmp_path / clip).touch()
    assert main(["poses", clip, *which, "--out", out]) == 2
    assert words in capsys.readouterr().err and not (tmp_path / "new").exists()


def test_help_is_this_verbs_own(capsys):
    assert main(["poses", "--help"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "as the action itself numbers them" in told and "--moves" not in told and "followed step by step" not in told


def test_a_state_says_which_joints_of_the_upper_body_there_are():
    with pytest.raises(InputError, match="upper_arm_L"):
        PoseState(upper={"upper_arm": (0.0, 0.0, 0.0)})
    with pytest.raises(InputError, match="upper body"):
        PoseState(upper={"chest": (0.0, math.tau, 0.0)})

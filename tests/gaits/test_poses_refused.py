# SPDX-License-Identifier: GPL-3.0-or-later
"""Gaits from key poses that will not do: one sentence each, which names the state and the joint."""

import json

import pytest

from lope.addon.bodies.makers import make_body
from lope.addon.errors import InputError
from lope.addon.gaits.pose_gaits import check_reach, load_pose_gait, pose_gait_names
from lope.addon.motions.key_poses import check_frames
from lope.addon.sim.simulation import simulate
from lope.addon.specs.motions import KeyPoses
from lope.addon.specs.path import PathSpec
from lope.addon.specs.pose_gait import PoseGait, PoseState
from lope.addon.specs.shot import BodySpec, Shot


def read(folder, **changed):
    """The pose gait of a file whose second state is changed."""
    path = folder / "mine.json"
    states = [{"lasts_s": 0.3, "swing_knee": -1.1}, {"lasts_s": None, "swing_knee": -0.05, **changed}]
    path.write_text(json.dumps({"name": "mine", "summary": "s", "source": "t", "states": states}), encoding="utf-8")
    return load_pose_gait(str(path))


@pytest.mark.parametrize("changed, words", [
    ({"cd": float("nan")}, "State 2 .*gain of the distance, forward must lie between -5 and 5 rad/m, got nan"),
    ({"cv": float("inf")}, "State 2 .*gain of the speed, forward must lie between -5 and 5 rad s/m, got inf"),
    ({"cv_outward": "much"}, "State 2 .*gain of the speed, to the side must be a number in rad s/m, got 'much'"),
    ({"swing_knee": 0.4}, "State 2 .*swinging knee's angle must lie between -2.7 and 0 rad, got 0.4"),
    ({"lasts_s": float("inf")}, "State 2 .*duration must lie between 0 and 10 s, got inf"),
    ({"upper": {"upper_arm": [0, 0, 0]}}, "State 2 .*no joint of the upper body named 'upper_arm'"),
    ({"upper": {"chest": [0, "far", 0]}}, "State 2 .*upper body, chest.*must be a number in rad, got 'far'"),
    ({"swing_knee": -2.4}, "^[^:]*: State 2 of the pose gait mine can never be left: .* knee, bent by 138 degrees"),
])
def test_a_file_is_refused_by_state_and_joint(tmp_path, changed, words):
    with pytest.raises(InputError, match=words):
        read(tmp_path, **changed)


def test_a_knee_that_stays_bent_is_left_by_time_or_above_a_bent_leg(tmp_path):
    assert read(tmp_path, swing_knee=-2.4, lasts_s=0.4).states[1].lasts_s == 0.4
    assert read(tmp_path, swing_knee=-1.9, stance_knee=-1.6).states[1].lasts_s is None


@pytest.mark.parametrize("upper, words", [
    ({"forearm_L": (0.0, 0.5, 0.0)}, "State 1 of the pose gait bent turns the joint of forearm_L 29 degrees beyond what it does"),
    ({"head": (0.0, 0.0, 1.6)}, "joint of head 47 degrees beyond what it does, 0 to 45 degrees: turn it less"),
])
def test_an_upper_body_beyond_its_joints_is_refused(upper, words):
    gait = PoseGait("bent", "s", "t", (PoseState(lasts_s=0.3, upper=upper), PoseState()))
    with pytest.raises(InputError, match=words):
        simulate(Shot(motion=KeyPoses(gait, start="standing"), duration_s=0.5))


def test_a_file_that_is_no_json_is_told_by_line(tmp_path):
    path = tmp_path / "cut.json"
    path.write_text('{\n "name": "cut",\n "states": [{"lasts_s": 0.3, ', encoding="utf-8")
    with pytest.raises(InputError, match=r"^The pose gait .*cut\.json is no JSON: .* at line 3, column \d+\. Mend it there"):
        load_pose_gait(str(path))


def test_a_planar_gait_s_name_as_it_is_listed_asks_for_the_planar_body():
    assert load_pose_gait("planar/walk", "planar") == load_pose_gait("walk", "planar") != load_pose_gait("walk")
    with pytest.raises(InputError, match=r"^The pose gait planar/walk is one of the planar body: go as .*\(--planar\), or"):
        load_pose_gait("planar/walk")


@pytest.mark.parametrize("path", [PathSpec("circle", radius_m=3.0), PathSpec(heading_deg=90.0)])
def test_a_planar_body_goes_straight_on(path):
    with pytest.raises(InputError, match=r"^A planar body goes straight on, along \+x: leave its path and heading out"):
        simulate(
            Shot(
                motion=KeyPoses(load_pose_gait("walk", "planar"), path=path, start="standing"),
                body=BodySpec(kind="planar", mass_kg=90.0),
                duration_s=0.5,
            )
        )


def test_a_frame_given_twice_is_named():
    with pytest.raises(InputError, match="^Frame 10 is there twice among the key poses"):
        check_frames([10, 10], (1, 20), "a clip")


@pytest.mark.parametrize("name", pose_gait_names())
def test_what_ships_is_within_reach(name):
    check_reach(load_pose_gait(name), make_body(BodySpec()))

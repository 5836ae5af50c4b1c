# SPDX-License-Identifier: GPL-3.0-or-later
"""Poses read off a rig: frames of an action by their own numbers, one-frame actions, and what is refused."""

from argparse import Namespace

import pytest

bpy = pytest.importorskip("bpy", reason="needs the bpy module")

from lope.addon.commands.poses import TRIED_ON, for_people, tried_on  # noqa: E402
from lope.addon.errors import InputError  # noqa: E402
from lope.addon.motions.key_poses import gait_of  # noqa: E402
from lope.addon.rigs.astronaut.astronaut import add_astronaut  # noqa: E402
from lope.addon.rigs.read.armature import read_figure  # noqa: E402
from lope.addon.rigs.shots.action_clip import Drawn, poses_of_named, read_poses  # noqa: E402
from lope.addon.specs.shot import BodySpec  # noqa: E402
from lope.scripts.tools.make_pose_sets import SETS, SOLDIER, key_set, set_pose  # noqa: E402

pytestmark = pytest.mark.slow


@pytest.fixture
def astronaut():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    return add_astronaut(bpy.context)


def one_frame(armature, name, pose):
    """A pose asset: an action of one frame."""
    action = bpy.data.actions.new(name)
    armature.animation_data_create().action = action
    set_pose(armature, read_figure(armature), pose)
    for bone in armature.pose.bones:
        bone.keyframe_insert("rotation_quaternion", frame=1)
    return action


@pytest.mark.parametrize("name", SETS)
def test_the_sets_are_a_step_of_the_right_leg_each(astronaut, name):
    poses = SETS[name]
    key_set(astronaut, name, poses, first=101)
    read = poses_of_named(name, astronaut, [101, 101 + poses.apart])
    assert [pose.state.swing for pose in read] == ["R", "R"]
    gait = gait_of(read, name, "drawn")
    assert gait.symmetric and 0.5 < gait.speed_m_s < 1.6
    assert gait.states[0].lasts_s == pytest.approx(poses.apart / 24.0, abs=1e-3) and gait.states[1].lasts_s is None


def test_joints_are_read_as_they_were_turned(astronaut):
    key_set(astronaut, "soldier", SOLDIER)
    first = poses_of_named("soldier", astronaut, [1, 8])[0].state
    assert first.swing_hip == pytest.approx(1.012, abs=2e-3) and first.swing_knee == pytest.approx(-0.07, abs=2e-3)
    assert first.upper["forearm_L"] == pytest.approx((0.0, -0.07, 0.0), abs=3e-3)
    assert first.upper["upper_arm_L"] == pytest.approx((0.105, -1.257, 0.0), abs=3e-3)


def test_poses_of_a_library_are_a_walks_time_apart(astronaut):
    actions = [one_frame(astronaut, "lift", SOLDIER.passing), one_frame(astronaut, "land", SOLDIER.landing)]
    figure = read_figure(astronaut)
    read = read_poses(astronaut, figure, [Drawn(action, 1) for action in actions], 24.0, apart_s=0.25)
    key_set(astronaut, "keyed", SOLDIER)
    keyed = poses_of_named("keyed", astronaut, [1, 8])
    assert [pose.state for pose in read] == [pose.state for pose in keyed] and read[1].time_s == 0.25


def test_frames_are_the_actions_own(astronaut):
    key_set(astronaut, "late", SOLDIER, first=101)
    with pytest.raises(InputError, match="no frame 1 in the action 'late': it has frames 101 to 108"):
        poses_of_named("late", astronaut, [1, 8])
    with pytest.raises(InputError, match="no action named 'lat'. Did you mean 'late'"):
        poses_of_named("lat", astronaut, [1, 8])


def test_poses_of_another_rig_are_refused(astronaut):
    action = bpy.data.actions.new("theirs")
    other = bpy.data.objects.new("other", astronaut.data.copy())
    bpy.context.scene.collection.objects.link(other)
    for bone in other.data.bones:
        bone.name = f"mixamorig:{bone.name}"
    other.animation_data_create().action = action
    bpy.context.view_layer.update()
    for frame in (1, 9):
        for bone in other.pose.bones:
            bone.keyframe_insert("rotation_quaternion", frame=frame)
    with pytest.raises(InputError, match="'theirs' poses another rig: Astronaut has no bone 'mixamorig:pelvis', nor"):
        poses_of_named("theirs", astronaut, [1, 9])
    with pytest.raises(InputError, match="'empty' keys no bones"):
        bpy.data.actions.new("empty")
        poses_of_named("empty", astronaut, [1, 9])


@pytest.mark.parametrize("joint, turn, words", [
    ("shank_R", (0, -40, 0), "frame 1 of bad has the swinging knee's angle at 40 degrees, .* from -155 to 0"),
    ("head", (0, 0, 90), "frame 1 of bad turns the joint of head by 90 degrees, .* from 0 to 45"),
])
def test_a_pose_beyond_what_joints_do_is_refused(astronaut, joint, turn, words):
    import dataclasses

    key_set(astronaut, "bad", dataclasses.replace(SOLDIER, passing={**SOLDIER.passing, joint: turn}))
    with pytest.raises(InputError, match=words):
        poses_of_named("bad", astronaut, [1, 8])


def test_a_gait_is_tried_on_the_rig_that_it_was_posed_on(astronaut):
    key_set(astronaut, "soldier", SOLDIER)
    body, words = tried_on(Namespace(action="soldier", blend=None, armature="Astronaut"))
    assert body == read_figure(astronaut).body_spec() and words == "Astronaut's own body, 1.86 m and 75 kg"
    assert tried_on(Namespace(action=None, blend=None, armature=None)) == (BodySpec(), "Lope's standard body, 1.80 m and 75 kg")
    told = for_people({"cpu_s": 3.0, "off_deg": 2.0, "speed_m_s": 0.7, TRIED_ON: words})
    assert "0.7" in told and words in told and "cpu_s" not in told and "off_deg" not in told

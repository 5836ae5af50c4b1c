# SPDX-License-Identifier: GPL-3.0-or-later
"""Actions as motion clips: what moves the object as a whole is in the clip, and the scene stays as it was."""

import numpy as np
import pytest

bpy = pytest.importorskip("bpy", reason="needs the bpy module")

from mathutils import Vector  # noqa: E402

import lope_scene  # noqa: E402
from lope.addon.motions.bvh import read_bvh  # noqa: E402
from lope.addon.rigs.read.armature import read_figure  # noqa: E402
from lope.addon.rigs.shots.action_clip import write_clip  # noqa: E402

pytestmark = pytest.mark.slow

scene = lope_scene.scene


@pytest.fixture
def slid(scene):
    """The astronaut, who faces -Y and stands at (2, 3, 0), with an action that slides the object by 1.5 m forward and turns it a
    quarter to its left in 30 frames."""
    bpy.ops.lope.add_astronaut()
    armature = bpy.context.object
    for frame, place, yaw in ((1, (2.0, 3.0, 0.0), 0.0), (31, (2.0, 1.5, 0.0), np.pi / 2)):
        armature.location, armature.rotation_euler = place, (0.0, 0.0, yaw)
        armature.keyframe_insert("location", frame=frame)
        armature.keyframe_insert("rotation_euler", frame=frame)
    return armature


def test_what_moves_the_object_is_in_the_clip(slid, tmp_path):
    scene = bpy.context.scene
    scene.frame_set(1)
    figure, action = read_figure(slid), slid.animation_data.action
    before = scene.frame_current, len(bpy.data.objects), len(bpy.data.scenes), slid.matrix_world.copy()
    path = write_clip(slid, action, figure, 30.0, tmp_path)
    assert path.stem == bpy.path.clean_name(action.name)  # what sheets, messages and bakes call it
    clip = read_bvh(path)
    assert (scene.frame_current, len(bpy.data.objects), len(bpy.data.scenes), slid.matrix_world) == before
    assert clip.frames == 31 and clip.frame_time_s == pytest.approx(1.0 / 30.0)
    travel = clip.root_positions[-1] - clip.root_positions[0]  # x forward, y left, z up
    hips = figure.in_body(figure.bone[figure.bone_of["pelvis"]].head)
    swung = np.array([-hips[1] - hips[0], hips[0] - hips[1], 0.0])  # the hips turn about the object's origin with it
    np.testing.assert_allclose(travel, np.array([1.5, 0.0, 0.0]) + swung, atol=1e-4)
    np.testing.assert_allclose(clip.world()[1][-1, 0], [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]], atol=1e-5)


def test_an_object_that_stays_adds_nothing(slid, tmp_path):
    slid.animation_data_clear()
    slid.pose.bones[0].keyframe_insert("location", frame=1)
    slid.pose.bones[0].location.x += 0.2
    slid.pose.bones[0].keyframe_insert("location", frame=21)
    action, figure = slid.animation_data.action, read_figure(slid)
    slid.location = (0.0, 0.0, 0.0)
    bpy.context.view_layer.update()
    here = write_clip(slid, action, figure, 30.0, tmp_path).read_text()
    slid.location = (4.0, -2.0, 0.0)
    bpy.context.view_layer.update()
    assert write_clip(slid, action, figure, 30.0, tmp_path).read_text() == here


def test_an_action_with_other_keys_is_another_clip(slid, tmp_path, monkeypatch):
    """Also where a clip of this session would do, as for the plan."""
    from lope.operators.follow import clip_of

    monkeypatch.setattr("lope.operators.follow.takes_folder", lambda: tmp_path)
    action = slid.animation_data.action
    first = clip_of(slid, action, bpy.context.scene, fresh=False)
    assert clip_of(slid, action, bpy.context.scene, fresh=False) == first
    slid.location.x += 0.3
    slid.keyframe_insert("location", frame=16)
    assert clip_of(slid, action, bpy.context.scene, fresh=False) != first


def test_a_hand_whose_bone_ends_anywhere_goes_on_as_the_forearm_does(scene, tmp_path):
    """Bones from a file without tails, such as glTF, may point anywhere; the wrist would be bent by that much."""
    bpy.ops.lope.add_astronaut()
    armature = bpy.context.object
    bone = read_figure(armature).bone_of["hand_L"]
    with bpy.context.temp_override(object=armature, active_object=armature):
        bpy.ops.object.mode_set(mode="EDIT")
        edit = armature.data.edit_bones[bone]
        for child in edit.children_recursive:
            armature.data.edit_bones.remove(child)
        edit.tail = edit.head + Vector((0.0, 3.0, 0.0))
        bpy.ops.object.mode_set(mode="OBJECT")
    armature.pose.bones[bone].rotation_mode = "QUATERNION"
    for frame in (1, 21):
        armature.pose.bones[bone].keyframe_insert("rotation_quaternion", frame=frame)
    clip = read_bvh(write_clip(armature, armature.animation_data.action, read_figure(armature), 30.0, tmp_path))
    hand, forearm = clip.names.index("LeftHand"), clip.names.index("LeftForeArm")
    along, tip = clip.offsets[hand], clip.ends[hand]
    assert clip.parents[hand] == forearm
    assert along @ tip > 0.99 * np.linalg.norm(along) * np.linalg.norm(tip) and np.linalg.norm(tip) < np.linalg.norm(along)

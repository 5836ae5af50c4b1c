# SPDX-License-Identifier: GPL-3.0-or-later
"""What is baked is the take's own motion: measured through Blender's evaluated pose, on every rig, however it is placed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bake_check import body_of, check
from blender_scene import (
    FACING_MINUS_Y,
    angle_deg,
    bpy,
    curves,
    fresh_scene,
    load,
    pose_in_world,
    rest_in_world,
    set_rate,
    turn_between,
)
from creature_take import creature_take
from lope.addon.bodies.kinematics import segment_poses
from lope.addon.bodies.makers import make_body
from lope.addon.errors import RigError
from lope.addon.maths.rotations import matrix_from_quat
from lope.addon.rigs.bake.bake import bake_take
from lope.addon.rigs.read.armature import meshes_of, read_figure
from lope.addon.rigs.read.doctor import doctor
from lope.addon.sim.take import Take
from synthetic_take import motion, synthetic_take

RIGS = ["rigs/kaykit_rogue.glb", "rigs/mpfb_female_unreal.glb", "rigs/mpfb_male_cmu.glb", "rigs/mpfb_male_mixamo.glb",
        "rigs/mpfb_male_mixamo_cm.fbx", "rigify"]
CLIPS = {"bvh/07_01_walk_normal.bvh": 0.0254 / 0.45, "bvh/131_03_hop_spin_stylised_3dsmax.bvh": 0.0254 / 0.45,
         "bvh/12_01_walk_slow_cgspeed.bvh": 0.0254 / 0.45, "bvh/snu_walk_left_90.bvh": 0.0254,
         "bvh/snu_walk_backward.bvh": 0.01, "bvh/snu_walk_uphill.bvh": 1.0}
MODES = ("QUATERNION", "AXIS_ANGLE", "XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX")


@pytest.mark.slow
@pytest.mark.parametrize("source", RIGS)
def test_every_rig_stands_where_it_was_simulated(source):
    armature = load(source)
    figure, rest = read_figure(armature), rest_in_world(armature)
    body = body_of(figure)
    bake_take(armature, synthetic_take(body))
    check(armature, figure, body, rest, degrees=0.01, metres=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("source", CLIPS)
def test_every_armature_imported_from_a_clip(source):
    armature = load(source)
    armature.scale = (CLIPS[source],) * 3
    figure, rest = read_figure(armature), rest_in_world(armature)
    assert {bone.rotation_mode for bone in armature.pose.bones} <= {"ZYX", "ZXY"}
    body = body_of(figure)
    bake_take(armature, synthetic_take(body))
    hips = 0.5 * (rest[figure.bone_of["thigh_L"]][:3, 3] + rest[figure.bone_of["thigh_R"]][:3, 3])
    sole = hips[2] - figure.landmarks["pelvis"][2]
    assert abs(sole) < 0.05 or figure.ground[2] == pytest.approx(0.0)
    ground = np.array([hips[0], hips[1], sole if abs(sole) < 0.05 else 0.0])
    check(armature, figure, body, rest, ground=ground, degrees=0.01, metres=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("axis", [(1.0, 0.0, 0.0), (0.8, 0.0, 0.6)])
def test_a_rest_pose_that_is_tilted_as_a_whole_stands(axis):
    """Bones and skin turned by 35 degrees within an object that stands: read and baked as the figure that is not."""
    from mathutils import Matrix

    armature = load("rigs/mpfb_male_mixamo.glb")
    figure = read_figure(armature)
    take = synthetic_take(body_of(figure))
    bake_take(armature, take)
    before = pose_in_world(armature, 12)
    armature = load("rigs/mpfb_male_mixamo.glb")
    tilt = Matrix.Rotation(np.radians(35.0), 4, axis)
    for item in (armature, *(mesh for mesh, _, _ in meshes_of(armature))):
        item.data.transform(item.matrix_world.inverted() @ tilt @ item.matrix_world)
    tilted = read_figure(armature)
    for mark in ("hip_L", "knee_R", "ankle_L", "head", "wrist_R", "heel_L", "toe_tip_R"):
        np.testing.assert_allclose(tilted.points[mark], figure.points[mark], atol=0.02)
    assert (np.array(armature.matrix_world) @ [*tilted.ground, 1.0])[2] == pytest.approx(0.0, abs=1e-6)
    assert [finding.key for finding in doctor(armature, bpy.context.scene) if finding.key in ("lying", "leaning")] == ["leaning"]
    bake_take(armature, take)
    after = pose_in_world(armature, 12)
    hips = figure.bone_of["pelvis"]
    for segment in ("head", "hand_L", "shank_R", "foot_L"):  # it may face another way
        one, other = (pose[figure.bone_of[segment]][:3, 3] - pose[hips][:3, 3] for pose in (before, after))
        assert one[2] == pytest.approx(other[2], abs=0.02)
        assert np.linalg.norm(one) == pytest.approx(np.linalg.norm(other), abs=0.02)


@pytest.mark.slow
def test_the_builtin_astronaut():
    astronaut = pytest.importorskip("lope.addon.rigs.astronaut.astronaut")
    armature = astronaut.add_astronaut(fresh_scene())
    figure, rest = read_figure(armature), rest_in_world(armature)
    body = body_of(figure)
    assert figure.family == "lope" and body.degrees_of_freedom == 54
    bake_take(armature, synthetic_take(body))
    check(armature, figure, body, rest, degrees=0.01, metres=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
def test_every_rotation_mode(mode):
    armature = load("rigs/kaykit_rogue.glb")
    for bone in armature.pose.bones:
        bone.rotation_mode = mode
    figure, rest = read_figure(armature), rest_in_world(armature)
    body = body_of(figure)
    action = bake_take(armature, synthetic_take(body, reach=0.6))
    check(armature, figure, body, rest, reach=0.6, degrees=0.01, metres=1e-4)
    prop = {"QUATERNION": "rotation_quaternion", "AXIS_ANGLE": "rotation_axis_angle"}.get(mode, "rotation_euler")
    turns = {path for path, _ in curves(action, armature) if ".rotation" in path}
    assert turns and all(path.endswith(prop) for path in turns)
    assert {bone.rotation_mode for bone in armature.pose.bones} == {mode}


@pytest.mark.slow
def test_placed_turned_scaled_and_parented():
    armature = load("rigs/mpfb_female_unreal.glb")
    rest = rest_in_world(armature)
    middle = 0.5 * (rest["thigh_l"][:3, 3] + rest["thigh_r"][:3, 3])
    plain = read_figure(armature)
    empty = bpy.data.objects.new("Mount", None)
    bpy.context.scene.collection.objects.link(empty)
    empty.location, empty.rotation_euler, empty.scale = (3.0, -2.0, 0.5), (0.0, 0.0, 0.7), (0.8, 0.8, 0.8)
    armature.parent = empty
    armature.matrix_parent_inverse.identity()
    figure, rest = read_figure(armature), rest_in_world(armature)
    for mark, place in figure.points.items():
        np.testing.assert_allclose(place, 0.8 * plain.points[mark], atol=1e-5)
    body = body_of(figure)
    bake_take(armature, synthetic_take(body))
    turn = np.array([[np.cos(0.7), -np.sin(0.7), 0.0], [np.sin(0.7), np.cos(0.7), 0.0], [0.0, 0.0, 1.0]])
    ground = turn @ (0.8 * np.array([middle[0], middle[1], 0.0])) + [3.0, -2.0, 0.5]
    check(armature, figure, body, rest, ground=ground, axes=turn @ FACING_MINUS_Y, degrees=0.01, metres=1e-4)


@pytest.mark.slow
def test_armature_whose_bones_lie_down_in_a_standing_object():
    """As FBX files come: bones y up in centimetres, the object turned by 90 degrees and scaled by 0.01."""
    from mathutils import Matrix

    armature = load("rigs/mpfb_male_mixamo_cm.fbx")
    before = rest_in_world(armature)
    skin = next(item for item in bpy.data.objects if item.type == "MESH" and item.parent == armature)
    for data in (armature.data, skin.data):
        data.transform(Matrix.Rotation(-np.pi / 2.0, 4, "X"))
    armature.rotation_mode = "XYZ"
    armature.rotation_euler = (np.pi / 2.0, 0.0, 0.0)
    figure, rest = read_figure(armature), rest_in_world(armature)
    np.testing.assert_allclose(rest["mixamorig:Head"], before["mixamorig:Head"], atol=1e-5)
    assert figure.units_per_m == pytest.approx(100.0, rel=1e-5)
    body = body_of(figure)
    bake_take(armature, synthetic_take(body))
    check(armature, figure, body, rest, degrees=0.01, metres=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("fps, base, start", [(24, 1.0, 1), (30, 1.001, 101), (60, 1.0, -7)])
def test_scene_frame_rate_and_start(fps, base, start):
    armature = load("rigs/kaykit_rogue.glb")
    set_rate(fps, base)
    figure, rest = read_figure(armature), rest_in_world(armature)
    body = body_of(figure)
    action = bake_take(armature, synthetic_take(body), start_frame=start)
    count = int(1.2 * fps / base + 1e-6) + 1
    assert tuple(action.frame_range) == (start, start + count - 1)
    frames = [start + k for k in (0, 3, 7, 16, count - 1)]
    check(armature, figure, body, rest, start=start, frames=frames, degrees=0.05, metres=5e-4)


@pytest.mark.slow
def test_scene_units_of_a_centimetre():
    armature = load("rigs/mpfb_female_unreal.glb")
    plain = read_figure(armature)
    bpy.context.scene.unit_settings.scale_length = 0.01
    armature.scale = (100.0,) * 3
    figure = read_figure(armature)
    for mark, place in figure.points.items():
        np.testing.assert_allclose(place, plain.points[mark], atol=1e-5)
    assert figure.units_per_m == pytest.approx(1.0)


@pytest.mark.slow
def test_take_of_another_body_scales_the_path_by_leg_length():
    armature = load("rigs/kaykit_rogue.glb")
    figure, rest = read_figure(armature), rest_in_world(armature)
    body = make_body(replace(figure.body_spec(70.0), landmarks=None))
    take = synthetic_take(body)
    bake_take(armature, take)
    own = body_of(figure)
    scale = own.leg_length_m / body.leg_length_m
    pose = {frame: pose_in_world(armature, frame) for frame in (1, 26)}
    _, turns = segment_poses(body, *motion(body, np.array([0.0, 1.0])))
    for k, frame in enumerate((1, 26)):
        wanted = FACING_MINUS_Y @ matrix_from_quat(turns[k, body.index["pelvis"]]) @ FACING_MINUS_Y.T
        assert angle_deg(turn_between(rest["hips"], pose[frame]["hips"]), wanted) < 0.01

    def hips(frame):
        return 0.5 * (pose[frame]["upperleg.l"][:3, 3] + pose[frame]["upperleg.r"][:3, 3])

    path = FACING_MINUS_Y @ (take.root_position_m[125] - take.root_position_m[0])
    np.testing.assert_allclose(hips(26) - hips(1), scale * path, atol=1e-4)
    height = own.pelvis_height_m + scale * (take.root_position_m[0, 2] - body.pelvis_height_m)
    assert hips(1)[2] == pytest.approx(height, abs=1e-4)
    assert 0.3 < scale < 0.5


@pytest.mark.slow
def test_a_take_of_format_1_is_baked():
    """As the first Lope wrote it: the body from landmarks, in a suit."""
    armature, take = load("rigs/kaykit_rogue.glb"), Take.load(Path(__file__).parents[2] / "data" / "take_v1.npz")
    scale = body_of(read_figure(armature)).leg_length_m / take.body.leg_length_m
    bake_take(armature, take)
    frames = int((take.time_s[-1] - take.time_s[0]) * bpy.context.scene.render.fps)
    at = take.time_s.searchsorted(take.time_s[0] + frames / bpy.context.scene.render.fps - 1e-9)
    hips = [0.5 * sum(pose_in_world(armature, frame)[f"upperleg.{side}"][:3, 3] for side in "lr") for frame in (1, 1 + frames)]
    path = scale * FACING_MINUS_Y @ (take.root_position_m[at] - take.root_position_m[0])
    np.testing.assert_allclose((hips[1] - hips[0])[:2], path[:2], atol=1e-3)  # planted feet lower the hips a little
    assert np.linalg.norm(path[:2]) > 0.1


def test_a_take_of_no_human_is_refused():
    armature = load("rigs/kaykit_rogue.glb")
    before = armature.animation_data and armature.animation_data.action
    with pytest.raises(RigError, match="of the kind creature; an armature is keyed by takes of humans, of creatures"):
        bake_take(armature, creature_take(3))
    assert armature.animation_data is None or armature.animation_data.action is before


def test_figure_far_from_human_size_bakes_the_take_of_its_scaled_body():
    armature = load("bvh/07_01_walk_normal.bvh")
    figure, rest = read_figure(armature), rest_in_world(armature)
    with pytest.raises(RigError, match="stands .* m tall, expected 0.5 to 3 m"):
        figure.body_spec(70.0)
    body = make_body(figure.body_spec(70.0, height_m=1.75))
    bake_take(armature, synthetic_take(body))
    hips = 0.5 * (rest["LeftUpLeg"][:3, 3] + rest["RightUpLeg"][:3, 3])
    check(armature, figure, body, rest, ground=np.array([hips[0], hips[1], 0.0]), scale=figure.height_m / 1.75, degrees=0.01,
          metres=1e-3)

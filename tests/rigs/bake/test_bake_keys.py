# SPDX-License-Identifier: GPL-3.0-or-later
"""How it is baked: keys, markers, what stays untouched, constraints, odd bone settings, and what is refused."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from bake_check import body_of, check
from blender_scene import (
    FACING_MINUS_Y,
    angle_deg,
    bpy,
    build_armature,
    curves,
    fresh_scene,
    load,
    pose_in_world,
    rest_in_world,
    turn_between,
)
from lope.addon.bodies.human.body import Human
from lope.addon.errors import RigError
from lope.addon.rigs.bake.bake import bake_take
from lope.addon.rigs.bake.controls import CONSTRAINTS_KEY
from lope.addon.rigs.bake.provenance import SHOT_KEY
from lope.addon.rigs.read.armature import read_figure
from lope.addon.specs.bake_options import BakeOptions
from lope.addon.specs.shot import Shot
from synthetic_take import synthetic_take

pytestmark = pytest.mark.slow


def test_old_action_armature_and_other_objects_stay():
    armature = load("rigs/kaykit_rogue.glb")
    clips = [action.name for action in bpy.data.actions]
    old = armature.animation_data.action or bpy.data.actions[0]
    armature.animation_data.action = old
    old.use_fake_user = False
    bpy.ops.mesh.primitive_cube_add(location=(1.0, 2.0, 3.0))
    cube = bpy.context.object
    state = {key: [tuple(point.co) for point in curve.keyframe_points] for key, curve in curves(old, armature).items()}
    objects = {item.name: tuple(map(tuple, item.matrix_basis)) for item in bpy.data.objects}
    rest = rest_in_world(armature)
    slot = armature.animation_data.action_slot
    action = bake_take(armature, synthetic_take(body_of(read_figure(armature))), options=BakeOptions(name="Moon walk"))
    assert action.name == "Moon walk" and armature.animation_data.action == action
    assert old.users and old.name in bpy.data.actions and set(clips) <= {a.name for a in bpy.data.actions}
    bag = old.layers[0].strips[0].channelbag(slot)
    assert state == {(c.data_path, c.array_index): [tuple(p.co) for p in c.keyframe_points] for c in bag.fcurves}
    for name, matrix in rest_in_world(armature).items():
        np.testing.assert_array_equal(matrix, rest[name])
    assert {item.name: tuple(map(tuple, item.matrix_basis)) for item in bpy.data.objects} == objects
    assert cube.animation_data is None


def test_keys_markers_and_shot():
    armature = load("rigs/mpfb_male_cmu.glb")
    take = synthetic_take(body_of(read_figure(armature)))
    action = bake_take(armature, take)
    found = curves(action, armature)
    frames = 31
    wave = found['pose.bones["LeftUpLeg"].rotation_quaternion', 0]
    assert [int(point.co[0]) for point in wave.keyframe_points] == list(range(1, frames + 1))
    assert {point.interpolation for point in wave.keyframe_points} == {"LINEAR"}
    extreme = {int(point.co[0]) for point in wave.keyframe_points if point.type == "EXTREME"}
    strikes = {round(1 + 25 * 0.2), round(1 + 25 * 0.7)}
    assert extreme == strikes
    assert {point.type for point in wave.keyframe_points} == {"EXTREME", "GENERATED"}
    marks = sorted((marker.frame, marker.name) for marker in action.pose_markers)
    assert marks == [(6, "L strike"), (14, "R off"), (18, "R strike"), (24, "L off")]
    assert wave.group.name == "LeftUpLeg"
    moved = {path for path, _ in found if path.endswith(".location") and len(found[path, 0].keyframe_points) > 1}
    assert moved == {'pose.bones["Hips"].location'}
    assert len(found['pose.bones["Spine1"].rotation_quaternion', 0].keyframe_points) == 1
    assert not any("Finger" in path for path, _ in found)
    assert Shot.from_dict(json.loads(action[SHOT_KEY])) == take.shot
    for bone in ("LeftUpLeg", "RightArm", "Hips"):
        values = np.array([[p.co[1] for p in found[f'pose.bones["{bone}"].rotation_quaternion', i].keyframe_points]
                           for i in range(4)])
        assert np.all(np.sum(values[:, 1:] * values[:, :-1], axis=0) > 0.0)


def test_bones_posed_by_hand_before_do_not_shine_through():
    armature = load("rigs/mpfb_male_mixamo.glb")
    figure, rest = read_figure(armature), rest_in_world(armature)
    for bone in armature.pose.bones:
        bone.rotation_mode = "XYZ"
        bone.rotation_euler, bone.location, bone.scale = (0.3, -0.2, 0.4), (0.02, 0.01, 0.03), (1.1, 1.1, 1.1)
    body = body_of(figure)
    bake_take(armature, synthetic_take(body))
    check(armature, figure, body, rest, degrees=0.01, metres=1e-4)


def test_constraints_are_held_off_by_the_action_and_noted():
    armature = load("rigify")
    figure, rest = read_figure(armature), rest_in_world(armature)
    target = bpy.data.objects.new("Target", None)
    bpy.context.scene.collection.objects.link(target)
    target.location = (2.0, 2.0, 2.0)
    track = armature.pose.bones["shin.L"].constraints.new("IK")
    track.target, track.chain_count, track.influence = target, 2, 0.75
    muted = armature.pose.bones["foot.R"].constraints.new("COPY_ROTATION")
    muted.target, muted.mute = target, True
    body = body_of(figure)
    action = bake_take(armature, synthetic_take(body))
    check(armature, figure, body, rest, degrees=0.01, metres=1e-4)
    noted = {'pose.bones["shin.L"].constraints["IK"].influence': 0.75}
    assert json.loads(action[CONSTRAINTS_KEY]) == noted
    again = bake_take(armature, synthetic_take(body, seed=1))
    assert json.loads(again[CONSTRAINTS_KEY]) == noted
    check(armature, figure, body, rest, seed=1, degrees=0.01, metres=1e-4)


def test_bones_that_do_not_inherit_rotation_or_hang_elsewhere():
    armature = load("rigs/mpfb_male_mixamo.glb")
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    edit = armature.data.edit_bones
    for bone in edit:
        bone.use_connect = False
    edit["mixamorig:LeftUpLeg"].parent = None
    edit["mixamorig:LeftUpLeg"].use_local_location = False
    edit["mixamorig:RightUpLeg"].use_inherit_rotation = False
    edit["mixamorig:Spine2"].use_inherit_rotation = False
    edit["mixamorig:RightFoot"].parent = edit["mixamorig:Hips"]
    edit["mixamorig:RightFoot"].use_local_location = False
    bpy.ops.object.mode_set(mode="OBJECT")
    figure, rest = read_figure(armature), rest_in_world(armature)
    body = body_of(figure)
    bake_take(armature, synthetic_take(body))
    check(armature, figure, body, rest, degrees=0.01, metres=1e-4)


def test_rest_position_is_left_so_that_the_walk_shows():
    armature = load("rigs/kaykit_rogue.glb")
    figure, rest = read_figure(armature), rest_in_world(armature)
    armature.data.pose_position = "REST"
    body = body_of(figure)
    bake_take(armature, synthetic_take(body))
    check(armature, figure, body, rest, frames=(9,))


def test_mesh_follows():
    armature = load("rigs/mpfb_male_mixamo_cm.fbx")
    figure = read_figure(armature)
    body = body_of(figure)
    take = synthetic_take(body, reach=0.1)
    bake_take(armature, take)
    mesh = next(item for item in bpy.data.objects if item.type == "MESH" and item.parent == armature)
    bpy.context.scene.frame_set(26)
    evaluated = mesh.evaluated_get(bpy.context.evaluated_depsgraph_get())
    world = np.array(evaluated.matrix_world)
    places = np.array([vertex.co for vertex in evaluated.to_mesh().vertices]) @ world[:3, :3].T + world[:3, 3]
    centre = FACING_MINUS_Y @ take.com_m[125]
    assert np.abs(places.mean(axis=0)[:2] - centre[:2]).max() < 0.35
    assert 1.0 < np.ptp(places[:, 2]) < 2.2


def test_a_take_with_numbers_missing_is_refused():
    armature = load("rigs/kaykit_rogue.glb")
    take = synthetic_take(body_of(read_figure(armature)))
    root = take.root_position_m.copy()
    root[40] = np.nan
    actions = len(bpy.data.actions)
    with pytest.raises(RigError, match="root_position_m holds values that are not finite"):
        bake_take(armature, replace(take, arrays={**take.arrays, "root_position_m": root}))
    assert len(bpy.data.actions) == actions


def test_nla_tweak_mode_is_named():
    armature = load("rigs/kaykit_rogue.glb")
    take = synthetic_take(body_of(read_figure(armature)))
    bake_take(armature, take)
    data = armature.animation_data
    strip = data.nla_tracks.new().strips.new("walk", 1, data.action)
    data.action = None
    data.nla_tracks.active = data.nla_tracks[-1]
    strip.select = True
    data.use_tweak_mode = True
    assert data.use_tweak_mode
    with pytest.raises(RigError, match="tweak mode"):
        bake_take(armature, take)


def test_a_driver_on_a_bone_is_named():
    armature = load("rigs/kaykit_rogue.glb")
    armature.pose.bones["chest"].driver_add("rotation_quaternion", 0)
    take = synthetic_take(body_of(read_figure(armature)))
    actions = len(bpy.data.actions)
    with pytest.raises(RigError, match="'chest'.*driver"):
        bake_take(armature, take)
    assert len(bpy.data.actions) == actions


def test_a_connected_bone_that_hangs_on_the_wrong_bone_is_named():
    armature = load("rigs/mpfb_male_mixamo.glb")
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    foot, extra = armature.data.edit_bones["mixamorig:LeftFoot"], armature.data.edit_bones.new("Extra")
    extra.head, extra.tail = (0.3, 0.0, 0.6), foot.head
    foot.parent, foot.use_connect = extra, True
    bpy.ops.object.mode_set(mode="OBJECT")
    with pytest.raises(RigError, match="'mixamorig:LeftFoot'.*connected to its parent 'Extra'"):
        bake_take(armature, synthetic_take(body_of(read_figure(armature))))


def test_segments_the_body_lacks_stay_at_rest():
    armature = load("rigs/mpfb_male_mixamo.glb")
    figure, rest = read_figure(armature), rest_in_world(armature)
    welded = {k: v for k, v in figure.landmarks.items() if k.split("_")[0] not in ("toes", "neck", "clavicle")}
    body = Human.from_landmarks(welded, 70.0)
    assert "toes_L" not in body.index
    bake_take(armature, synthetic_take(body))
    pose = pose_in_world(armature, 15)
    for bone, parent in (("LeftToeBase", "LeftFoot"), ("Neck", "Spine2"), ("RightShoulder", "Spine2")):
        child, above = (turn_between(rest[f"mixamorig:{n}"], pose[f"mixamorig:{n}"]) for n in (bone, parent))
        assert angle_deg(child, above) < 0.01


def test_an_armature_made_by_hand_with_its_own_map():
    scene = fresh_scene()
    bones = {"base": ((0, 0, 1.0), (0, 0, 1.1), None), "top": ((0, 0, 1.5), (0, 0, 1.8), "base")}
    wanted = {"pelvis": "base", "head": "top"}
    for side, x in (("L", 1), ("R", -1)):
        for segment, head, tail, parent in (
                ("upper_arm", (0.2, 0, 1.4), (0.2, 0, 1.1), "base"),
                ("forearm", (0.2, 0, 1.1), (0.2, 0, 0.9), f"upper_arm {side}"),
                ("thigh", (0.1, 0, 0.95), (0.1, 0, 0.5), "base"), ("shank", (0.1, 0, 0.5), (0.1, 0, 0.08), f"thigh {side}"),
                ("foot", (0.1, 0, 0.08), (0.1, -0.2, 0.0), f"shank {side}")):
            place = [tuple(np.multiply(point, (x, 1, 1))) for point in (head, tail)]
            bones[f"{segment} {side}"] = (*place, parent)
            wanted[f"{segment}_{side}"] = f"{segment} {side}"
    armature = build_armature(bones)
    figure, rest = read_figure(armature, wanted), rest_in_world(armature)
    assert figure.family == "custom" and scene.objects.get("Rig") is armature
    body = body_of(figure)
    bake_take(armature, synthetic_take(body), bone_map=wanted)
    check(armature, figure, body, rest, degrees=0.01, metres=1e-4)

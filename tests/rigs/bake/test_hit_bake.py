# SPDX-License-Identifier: GPL-3.0-or-later
"""What a hit changes of an action, baked on a copy of it: only around the hit, from the action's own pose and back to it."""

import dataclasses

import numpy as np
import pytest

bpy = pytest.importorskip("bpy", reason="needs the bpy module")

import lope_scene  # noqa: E402
from bake_check import body_of  # noqa: E402
from bake_kit import everything  # noqa: E402
from blender_scene import angle_deg, pose_in_world  # noqa: E402
from lope.addon.errors import RigError  # noqa: E402
from lope.addon.maths.rotations import quat_from_rotvec, quat_multiply  # noqa: E402
from lope.addon.rigs.bake.artist_keys import untouched  # noqa: E402
from lope.addon.rigs.bake.bake import bake_take  # noqa: E402
from lope.addon.rigs.bake.hit_bake import action_of, bake_hit  # noqa: E402
from lope.addon.rigs.read.armature import read_figure  # noqa: E402
from lope.addon.sim.take import Take  # noqa: E402
from lope.addon.specs.disturbances import Hit, Reaction  # noqa: E402
from synthetic_take import synthetic_take  # noqa: E402

pytestmark = pytest.mark.slow

scene = lope_scene.scene
HIT_S, RATE = 0.8, 24
FINGER, LIMB = "f_index.01.L", ("upper_arm_L", "forearm_L", "hand_L")


def bump(time_s, since_s, long_s):
    return np.where((time_s > since_s) & (time_s < since_s + long_s), np.sin(np.pi * (time_s - since_s) / long_s) ** 2, 0.0)


def takes(body, way_m=0.0, **reaction) -> tuple[Take, Take]:
    """A made-up motion of 2.4 s without a hit; and with one, after which the left arm flies back by a radian within 0.6 s and the
    hips by so many metres."""
    unstruck = synthetic_take(body, 2.4, reach=0.15)
    shape = bump(unstruck.time_s, HIT_S, 0.6)
    arrays = {name: values.copy() for name, values in unstruck.arrays.items()}
    arm = body.index["upper_arm_L"] - 1
    arrays["joint_quaternions"][:, arm] = quat_multiply(arrays["joint_quaternions"][:, arm],
                                                        quat_from_rotvec(shape[:, None] * np.array([0.0, 1.0, 0.0])))
    arrays["root_position_m"][:, 0] -= way_m * shape
    shot = dataclasses.replace(unstruck.shot, hits=(Hit(HIT_S, "upper_arm_L", kind="punch"),), reaction=Reaction(**reaction))
    return dataclasses.replace(unstruck, arrays=arrays, shot=shot), unstruck


@pytest.fixture
def actor(scene):
    """The astronaut with an action of a key at every tenth frame, as an animator has it, some degrees off what is simulated."""
    bpy.ops.lope.add_astronaut()
    armature, rate = bpy.context.object, bpy.context.scene.render
    rate.fps, rate.fps_base = RATE, 1.0
    figure = read_figure(armature)
    body = body_of(figure)
    bake_take(armature, takes(body)[1])
    action = armature.animation_data.action
    made = bpy.data.actions.new("Acted")
    armature.animation_data.action = made
    for frame in range(1, 59, 10):
        armature.animation_data.action = action
        bpy.context.scene.frame_set(frame)
        held = {bone.name: bone.matrix_basis.copy() for bone in armature.pose.bones}
        armature.animation_data.action = made
        for bone in armature.pose.bones:
            bone.matrix_basis = held[bone.name]
            for path in ("location", {"QUATERNION": "rotation_quaternion"}.get(bone.rotation_mode, "rotation_euler")):
                bone.keyframe_insert(path, frame=frame)
    return armature, figure, body, made


def off(armature, action, made, frame) -> tuple[dict, dict]:
    """How far [degrees] and [m] each bone of one action is off its place in another at a frame."""
    poses = []
    for one in (action, made):
        armature.animation_data.action = one
        poses.append(pose_in_world(armature, frame))
    a, b = poses
    return ({name: angle_deg(a[name][:3, :3], b[name][:3, :3]) for name in a},
            {name: float(np.linalg.norm(a[name][:3, 3] - b[name][:3, 3])) for name in a})


def test_only_the_time_around_the_hit_is_another_one(actor):
    armature, figure, body, action = actor
    before = everything(action)
    done = bake_hit(armature, action, takes(body))
    assert armature.animation_data.action == done.action != action and everything(action) == before and action.use_fake_user
    assert done.back and done.first == int(1 + (HIT_S - 0.1) * RATE) and HIT_S + 0.5 < (done.last - 1) / RATE < 2.4
    for frame in (1, 9, done.first - 1, done.first, int(1 + HIT_S * RATE), done.last, done.last + 1, 57):
        angles, places = off(armature, action, done.action, frame)
        assert max(angles.values()) < 0.05 and max(places.values()) < 1e-4, frame
    angles, places = off(armature, action, done.action, int(1 + (HIT_S + 0.3) * RATE))
    names = [figure.bone_of[segment] for segment in LIMB]
    assert all(angles[name] == pytest.approx(np.degrees(1.0), abs=1.5) for name in names)
    assert max(angle for name, angle in angles.items() if name.endswith(".R") or name in ("pelvis", "head")) < 0.05
    untouched = {path: keys for path, keys in everything(done.action).items() if "arm.R" in path[0] or "thigh" in path[0]}
    assert untouched and all(before[path] == keys for path, keys in untouched.items())  # limbs that no hit moves keep their keys


def test_hips_and_feet_go_where_the_hit_moves_them(actor):
    armature, figure, body, action = actor
    done = bake_hit(armature, action, takes(body, way_m=0.06))
    _, places = off(armature, action, done.action, int(1 + (HIT_S + 0.3) * RATE))
    assert places[figure.bone_of["pelvis"]] == pytest.approx(0.06, abs=0.005)
    assert places[figure.bone_of["foot_L"]] == pytest.approx(0.06, abs=0.012)  # in the take, too, the legs come along


def test_again_takes_the_place_of_the_last_one(actor):
    armature, _, body, action = actor
    first = bake_hit(armature, action, takes(body)).action
    name, actions = first.name, len(bpy.data.actions)
    assert action_of(first) == action
    second = bake_hit(armature, action_of(first), takes(body, after_s=0.4))
    assert second.action.name == name and len(bpy.data.actions) == actions
    assert second.last == pytest.approx(1 + (HIT_S + 0.4) * RATE, abs=1.0)
    curve = next(iter(second.action.layers[0].strips[0].channelbags[0].fcurves))
    curve.keyframe_points[0].co[1] += 0.1  # polished by hand: it stays
    bake_hit(armature, action, takes(body))
    assert len(bpy.data.actions) == actions + 1


def test_a_hit_of_lopes_own_bake_leaves_no_keys_of_the_artists(actor):
    armature, _, body, made = actor
    baked = next(action for action in bpy.data.actions if action not in (made, None) and untouched(action, action.slots[0]))
    written = bake_hit(armature, baked, takes(body)).action
    assert untouched(written, armature.animation_data.action_slot)
    assert not untouched(bake_hit(armature, made, takes(body)).action, armature.animation_data.action_slot)


def test_an_action_that_goes_on_by_a_modifier_is_refused(actor):
    armature, _, body, action = actor
    next(iter(action.layers[0].strips[0].channelbags[0].fcurves)).modifiers.new("CYCLES")
    with pytest.raises(RigError, match="has modifiers on its curves"):
        bake_hit(armature, action, takes(body))
    assert armature.animation_data.action == action

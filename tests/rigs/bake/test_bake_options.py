# SPDX-License-Identifier: GPL-3.0-or-later
"""What a bake may be asked for: target, range, step, root motion, loop, fewer keys, NLA, exact contacts, origin, diff."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from bake_kit import everything, hand_keyed, keys, rig_and_take
from blender_scene import bpy, curves, load, pose_in_world, set_rate
from foot_slip import walk
from lope.addon import VERSION
from lope.addon.errors import InputError, RigError
from lope.addon.rigs.bake.artist_keys import diff
from lope.addon.rigs.bake.bake import bake_take, prepare
from lope.addon.rigs.bake.provenance import EVENTS_KEY, body_hash, provenance
from lope.addon.rigs.read.actions import curves_of
from lope.addon.rigs.read.armature import read_figure
from lope.addon.specs.bake_options import BakeOptions
from synthetic_take import synthetic_take


@pytest.mark.parametrize("wrong, match", [
    ({"target": "newest"}, "bake target.*'newest'.*Did you mean 'new'"), ({"controls": "pk"}, "kind of controls"),
    ({"root_motion": "feet"}, "root motion"), ({"frame_step": 0}, "frame step"), ({"frame_step": 1.5}, "frame step"),
    ({"start_frame": True}, "start frame"), ({"frame_range": (5, 5)}, "not after its start"),
    ({"frame_range": (5,)}, "Frame range must be a list of 2 values, got 1"),
    ({"lock_feet": 1}, "Lock feet must be true or false"), ({"reduce_error_m": 0.0}, "error of key reduction"),
    ({"loop": True, "frame_range": (1, 9)}, "loop")])
def test_wrong_options_are_refused(wrong, match):
    with pytest.raises(InputError, match=match):
        BakeOptions(**wrong)


@pytest.mark.slow
def test_replace_keeps_every_other_key_and_the_old_action():
    armature, take = rig_and_take()
    old = hand_keyed(armature)
    slot, before = armature.animation_data.action_slot, everything(old)
    action = bake_take(armature, take, options=BakeOptions(target="replace", frame_range=(3, 20)))
    assert action != old and everything(old) == before and old.use_fake_user
    assert armature.animation_data.action == action
    assert armature.animation_data.action_slot.identifier == slot.identifier
    now = everything(action)
    for path in (('pose.bones["handslot.l"].location', 0), ("location", 2)):
        assert now[path] == before[path]
    chest = ('pose.bones["chest"].rotation_quaternion', 1)
    frames = [key[0][0] for key in now[chest]]
    assert frames == [-20.0, 2.0, *map(float, range(3, 21)), 21.0, 60.0]
    assert next(key for key in now[chest] if not 2.0 <= key[0][0] <= 21.0)[0] == before[chest][0][0]
    curve = next(c for c in curves_of(old) if (c.data_path, c.array_index) == chest)
    edges = [key[0][1] for key in now[chest] if key[0][0] in (2.0, 21.0)]
    np.testing.assert_allclose(edges, [curve.evaluate(2), curve.evaluate(21)], atol=1e-5)


@pytest.mark.slow
def test_slot_leaves_the_keys_of_the_other_slot():
    armature, take = rig_and_take()
    old = hand_keyed(armature)
    before, name = everything(old), armature.animation_data.action_slot.identifier
    action = bake_take(armature, take, options=BakeOptions(target="slot"))
    assert len(action.slots) == 2 and armature.animation_data.action_slot.identifier != name
    assert everything(old) == before
    mine = {(c.data_path, c.array_index) for c in curves_of(action, armature.animation_data.action_slot)}
    theirs = {(c.data_path, c.array_index) for c in curves_of(action, action.slots[name])}
    assert ('pose.bones["handslot.l"].location', 0) in theirs - mine
    assert {(c.data_path, c.array_index): keys(c) for c in curves_of(action, action.slots[name])} == {
        path: [key[0] for key in found] for path, found in before.items()}


@pytest.mark.slow
def test_without_an_action_replace_and_slot_are_new():
    for target in ("replace", "slot"):
        armature, take = rig_and_take()
        action = bake_take(armature, take, options=BakeOptions(target=target))
        assert len(action.slots) == 1 and armature.animation_data.action_slot == action.slots[0]


@pytest.mark.slow
def test_range_step_and_start():
    armature, take = rig_and_take()
    action = bake_take(armature, take, options=BakeOptions(start_frame=100, frame_range=(105, 118), frame_step=4))
    wave = curves(action, armature)['pose.bones["chest"].rotation_quaternion', 0]
    assert [k[0] for k in keys(wave)] == [105.0, 109.0, 113.0, 117.0, 118.0]
    sparse = pose_in_world(armature, 109)["foot.l"]
    bake_take(armature, take, options=BakeOptions(start_frame=100))
    np.testing.assert_allclose(pose_in_world(armature, 109)["foot.l"], sparse, atol=1e-5)
    with pytest.raises(RigError, match="covers no two frames of the range 500 to 600.*ends at frame 130"):
        bake_take(armature, take, options=BakeOptions(start_frame=100, frame_range=(500, 600)))


@pytest.mark.slow
def test_subframe_events_are_keys_at_their_exact_times():
    armature, take = rig_and_take()
    set_rate(24, 1.001)
    action = bake_take(armature, take, options=BakeOptions(subframe_events=True))
    exact = 1.0 + 24.0 / 1.001 * np.array([0.2, 0.5, 0.7, 0.9])
    wave = curves(action, armature)['pose.bones["chest"].rotation_quaternion', 0]
    frames = np.array([k[0] for k in keys(wave)])
    assert np.abs(frames[:, None] - exact).min(axis=0).max() < 1e-4
    extreme = [p.co[0] for p in wave.keyframe_points if p.type == "EXTREME"]
    np.testing.assert_allclose(extreme, exact[[0, 2]], atol=1e-4)
    noted = json.loads(action[EVENTS_KEY])
    np.testing.assert_allclose([e["frame"] for e in noted], exact, atol=1e-9)
    assert [(e["side"], e["kind"]) for e in noted] == [("L", "strike"), ("R", "off"), ("R", "strike"), ("L", "off")]
    assert len(action.pose_markers) == 4
    assert len(bake_take(armature, take, options=BakeOptions(markers=False)).pose_markers) == 0


@pytest.mark.slow
@pytest.mark.parametrize("source", ["rigs/mpfb_female_unreal.glb", "rigify rig"])
def test_root_motion_adds_up_to_the_same_motion(source):
    """Whatever carries the travel, bones stand in the same place in the world; in place, they do not travel."""
    found, take = {}, walk()
    for root in ("hips", "root_bone", "object", "in_place"):
        armature = load(source, 24)
        armature.location, armature.rotation_mode = (1.0, 2.0, 0.0), "XYZ"
        armature.rotation_euler = (0.0, 0.0, 0.6)
        figure = read_figure(armature)
        action = bake_take(armature, take, options=BakeOptions(root_motion=root, controls="fk"))
        foot = {"unreal": "foot_l", "rigify_generated": "ORG-foot.L"}[figure.family]
        found[root] = [pose_in_world(armature, frame)[foot] for frame in (1, 30, 60)]
        moving = {c.data_path for c in curves_of(action) if c.data_path in ("location", "rotation_euler")}
        assert moving == ({"location", "rotation_euler"} if root == "object" else set())
        if root == "object":
            heights = {p.co[1] for c in curves_of(action) if (c.data_path, c.array_index) == ("location", 2)
                       for p in c.keyframe_points}
            assert np.ptp(list(heights)) < 1e-6
    for root in ("root_bone", "object"):
        np.testing.assert_allclose(found[root], found["hips"], atol=1e-4)
    way = np.linalg.norm(np.subtract(found["hips"][2], found["hips"][0])[:2, 3])
    assert way > 2.0 > 1.0 > np.linalg.norm(np.subtract(found["in_place"][2], found["in_place"][0])[:2, 3])


@pytest.mark.slow
def test_root_bone_is_smooth_and_object_mode_minds_parents_and_scale():
    armature = load("rigs/mpfb_male_mixamo_cm.fbx", 24)
    empty = bpy.data.objects.new("Mount", None)
    bpy.context.scene.collection.objects.link(empty)
    empty.location, empty.rotation_euler = (3.0, -2.0, 0.5), (0.0, 0.0, 0.7)
    armature.parent = empty
    take = walk()
    bake_take(armature, take)
    plain = [pose_in_world(armature, frame)["mixamorig:LeftFoot"] for frame in (1, 40)]
    bake_take(armature, take, options=BakeOptions(root_motion="object"))
    assert tuple(armature.scale) == pytest.approx((0.01, 0.01, 0.01))
    np.testing.assert_allclose([pose_in_world(armature, f)["mixamorig:LeftFoot"] for f in (1, 40)], plain, atol=1e-4)
    with pytest.raises(RigError, match="no root bone above its hips.*object"):
        bake_take(armature, take, options=BakeOptions(root_motion="root_bone"))
    armature.delta_location = (0.0, 1.0, 0.0)
    with pytest.raises(RigError, match="delta transforms"):
        bake_take(armature, take, options=BakeOptions(root_motion="object"))


@pytest.mark.slow
def test_ik_is_refused_where_there_is_none():
    armature, take = rig_and_take()
    with pytest.raises(RigError, match="no IK controls"):
        bake_take(armature, take, options=BakeOptions(controls="ik"))


@pytest.mark.slow
@pytest.mark.parametrize("source, root", [("rigs/mpfb_male_cmu.glb", "hips"), ("rigify rig", "root_bone")])
def test_loop_joins_pose_and_velocity(source, root):
    armature = load(source, 24)
    take = walk("earth", 5.0)
    action = bake_take(armature, take, options=BakeOptions(loop=True, root_motion=root))
    first, last = map(int, action.frame_range)
    assert action.use_cyclic and 20 < last - first < 34
    moving = [c for c in curves_of(action) if len(c.keyframe_points) > 1]
    assert moving and all(len(c.modifiers) == 1 and c.modifiers[0].type == "CYCLES" for c in moving)
    foot = "LeftFoot" if root == "hips" else "ORG-foot.L"
    hips = "Hips" if root == "hips" else "ORG-spine"
    poses = {f: pose_in_world(armature, f) for f in (*range(first, last + 2), 2 * last - first)}
    drift = poses[last][hips][:3, 3] - poses[first][hips][:3, 3]
    assert np.linalg.norm(drift) > 0.8 and abs(drift[2]) < 2e-3
    for bone in (foot, hips):
        np.testing.assert_allclose(poses[last][bone][:3, 3] - drift, poses[first][bone][:3, 3], atol=1e-3)
        np.testing.assert_allclose(poses[last][bone][:3, :3], poses[first][bone][:3, :3], atol=1e-3)
        np.testing.assert_allclose(poses[last + 1][bone][:3, 3] - drift, poses[first + 1][bone][:3, 3], atol=1e-3)
        np.testing.assert_allclose(poses[2 * last - first][bone][:3, 3] - 2 * drift, poses[first][bone][:3, 3], atol=2e-3)
        path = np.array([poses[frame][bone][:3, 3] for frame in range(first, last + 2)])
        jerks = np.linalg.norm(np.diff(path, n=2, axis=0), axis=1)
        assert jerks[-1] < 1.3 * jerks[:-1].max(), "the seam is no sharper than the landing next to it"
    with pytest.raises(RigError, match="two whole strides"):
        bake_take(armature, walk("earth", 1.0), options=BakeOptions(loop=True))


@pytest.mark.slow
@pytest.mark.parametrize("source", ["rigs/mpfb_male_cmu.glb", "rigify rig", "bvh/snu_walk_left_90.bvh"])
def test_fewer_keys_stay_within_the_error(source):
    ends = {"rigify rig": ("ORG-hand.L", "ORG-foot.R", "ORG-toe.R", "ORG-spine.006")}.get(
        source, ("LeftHand", "RightFoot", "Head"))
    poses, counts = [], []
    for error in (None, 0.002):
        armature = load(source, 24)
        if source.startswith("bvh"):
            armature.scale = (0.0254,) * 3
        action = bake_take(armature, walk(), options=BakeOptions(reduce_error_m=error))
        counts.append(sum(len(c.keyframe_points) for c in curves_of(action)))
        poses.append([[pose_in_world(armature, frame)[bone][:3, 3] for bone in ends] for frame in range(1, 96, 3)])
    off = np.linalg.norm(np.subtract(*poses), axis=-1)
    assert 1e-4 < off.max() < 0.002 + 3e-4
    assert counts[1] < 0.62 * counts[0]
    assert prepare(armature, walk(), BakeOptions(reduce_error_m=0.002), None, bpy.context.scene).error_m <= 0.002
    strikes = {round(p.co[0]) for c in curves_of(action) for p in c.keyframe_points if p.type == "EXTREME"}
    assert strikes == {m.frame for m in action.pose_markers if m.name.endswith("strike")}


@pytest.mark.slow
def test_push_down_puts_the_action_on_a_track_that_plays():
    armature, take = rig_and_take()
    old = hand_keyed(armature)
    before = everything(old)
    bake_take(armature, take)
    plain = pose_in_world(armature, 15)["foot.l"]
    armature, take = rig_and_take()
    old = hand_keyed(armature)
    action = bake_take(armature, take, options=BakeOptions(push_down=True))
    data = armature.animation_data
    assert data.action is None and everything(old) == before
    assert [strip.action for track in data.nla_tracks for strip in track.strips] == [old, action], "what was there plays on below"
    strip = data.nla_tracks[-1].strips[0]
    assert strip.action == action and strip.action_slot is not None and tuple(action.frame_range) == (1.0, 31.0)
    assert (strip.frame_start, strip.frame_end) == (1.0, 31.0)
    np.testing.assert_allclose(pose_in_world(armature, 15)["foot.l"], plain, atol=1e-5)
    bake_take(armature, take, options=BakeOptions(push_down=True, target="new"))
    assert [track.name for track in data.nla_tracks] == [old.name, "Lope", "Lope.001"]


@pytest.mark.slow
def test_provenance_comes_back():
    armature, take = rig_and_take()
    options = BakeOptions(frame_range=(2, 30), reduce_error_m=0.001)
    action = bake_take(armature, replace(take, shot=replace(take.shot, seed=2**40)), options=options)
    found = provenance(action)
    assert found.shot.world == take.shot.world and found.seed == 2**40 and found.version == VERSION
    assert found.options == options and found.body_hash == body_hash(take.body) and len(found.events) == 4
    assert body_hash(take.body) != body_hash(synthetic_take(replace_mass(take)).body)
    with pytest.raises(RigError, match="does not say how Lope baked it"):
        provenance(bpy.data.actions.new("By hand"))


def replace_mass(take):
    from lope.addon.bodies.human.body import Human

    return Human.from_landmarks(take.body.landmarks, take.body.mass_kg + 1.0)


@pytest.mark.slow
def test_diff_counts_controls_keys_and_bytes():
    armature, take = rig_and_take()
    first = bake_take(armature, take)
    assert diff(first, first).controls == () and "No key differs" in diff(first, first).sentence()
    second = first.copy()
    curve = next(c for c in curves_of(second) if c.data_path == 'pose.bones["chest"].rotation_quaternion')
    curve.keyframe_points[4].co[1] += 0.5
    curve.keyframe_points.remove(curve.keyframe_points[9])
    curve.keyframe_points.insert(99.0, 0.0)
    found = diff(first, second)
    assert [(c.control, c.added, c.removed, c.changed) for c in found.controls] == [("chest", 1, 1, 1)]
    assert found.keys_before == found.keys_after
    total = diff(None, first)
    assert found.controls[0].own == 0 and "none of your own keys" in found.sentence()
    assert total.keys_before == 0 and total.keys_after == sum(c.added for c in total.controls)
    assert {c.control for c in total.controls} >= {"hips", "chest", "foot.l"}


@pytest.mark.slow
def test_what_is_prepared_is_what_is_written():
    armature, take = rig_and_take("rigs/mpfb_male_cmu.glb")
    options = BakeOptions()
    baking = prepare(armature, take, options, None, bpy.context.scene)
    action = bake_take(armature, take, options=options)
    found = curves(action, armature)
    for track in baking.written.tracks:
        path = armature.pose.bones[track.bone].path_from_id(track.prop)
        for index in range(track.values.shape[1]):
            written = np.array([p.co[1] for p in found[path, index].keyframe_points], dtype=np.float32)
            np.testing.assert_array_equal(written, track.values[:, index].astype(np.float32))


@pytest.mark.slow
def test_feet_of_a_loop_stand():
    armature = load("rigs/mpfb_male_cmu.glb", 24)
    take = walk("earth", 5.0)
    action = bake_take(armature, take, options=BakeOptions(loop=True))
    frames = np.arange(action.frame_range[0], action.frame_range[1] + 1.0)
    poses = [pose_in_world(armature, int(frame)) for frame in frames]
    for bone in ("LeftToeBase", "RightToeBase"):
        place = np.array([pose[bone][:2, 3] for pose in poses])
        steps = np.linalg.norm(np.diff(place, axis=0), axis=1)
        still = steps < 3e-4
        assert still.sum() >= 0.25 * len(steps), "a planted foot stands for the better part of its stance"

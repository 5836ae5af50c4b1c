# SPDX-License-Identifier: GPL-3.0-or-later
"""A second bake: parts of the body, the last action written anew, whose keys are whose, the frame shown, strips in a row."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bake_kit import everything, hand_keyed, rig_and_take
from blender_scene import bpy, load, pose_in_world, set_rate
from foot_slip import walk
from lope.addon.errors import RigError
from lope.addon.rigs.bake.artist_keys import control_of, diff, snapshot
from lope.addon.rigs.bake.bake import bake_take
from lope.addon.rigs.bake.going_on import last_end
from lope.addon.rigs.read.actions import curves_of
from lope.addon.sim.take import ARRAYS
from lope.addon.specs.bake_options import BakeOptions
from lope.addon.specs.motion import After
from synthetic_take import synthetic_take

ARMS = {"upperarm.l", "upperarm.r", "lowerarm.l", "lowerarm.r"}


def controls(action) -> set[str]:
    return {control_of(curve.data_path) for curve in curves_of(action)}


def by_hand(armature, bone, frames=(1, 12, 25)):
    """Hand keys that turn a bone to and fro; gives the curves' numbers."""
    pose = armature.pose.bones[bone]
    pose.rotation_mode = "QUATERNION"
    for number, frame in enumerate(frames):
        pose.rotation_quaternion = (1.0, 0.1 + 0.1 * number, 0.0, 0.0)
        pose.keyframe_insert("rotation_quaternion", frame=frame)
    return of_bone(armature.animation_data.action, bone)


def of_bone(action, bone):
    return {path: keys for path, keys in everything(action).items() if control_of(path[0]) == bone}


@pytest.mark.slow
@pytest.mark.parametrize("parts, target", [("legs", "update"), ("legs", "new"), ("legs", "replace"), ("no_arms", "replace"),
                                           ("bones", "update")])
def test_keys_of_the_bones_that_are_left_out_stay(parts, target):
    armature, take = rig_and_take()
    arm, chest = by_hand(armature, "upperarm.l"), by_hand(armature, "chest")
    bones = ("upperleg.l", "lowerleg.l", "hips", "handslot.l") if parts == "bones" else ()
    action = bake_take(armature, take, options=BakeOptions(target=target, parts=parts, bones=bones))
    assert of_bone(action, "upperarm.l") == arm and (of_bone(action, "chest") == chest) == (parts != "no_arms")
    wanted = {"legs": {"hips", "foot.r", "upperleg.l"}, "no_arms": {"head", "foot.r"}, "bones": {"hips", "lowerleg.l"}}[parts]
    assert wanted <= controls(action) and not (ARMS - {"upperarm.l"}) & controls(action)
    assert max(len(keys) for keys in of_bone(action, "lowerleg.l").values()) >= 31


@pytest.mark.slow
@pytest.mark.parametrize("root", ["hips", "object"])
def test_the_trunk_does_not_rock_over_legs_that_are_baked_alone_unless_the_artist_moves_it(root):
    tilts = []
    for by_the_artist in (False, True):
        armature, take = rig_and_take()
        for pose in armature.pose.bones:  # as it rests, not as it was imported
            pose.matrix_basis.identity()
        spine = by_hand(armature, "spine") if by_the_artist else None
        action = bake_take(armature, take, options=BakeOptions(parts="legs", root_motion=root))
        assert spine is None or of_bone(action, "spine") == spine
        ups = np.array([pose_in_world(armature, frame)["chest"][:3, 1] for frame in range(1, 32)])
        tilts.append(np.degrees(np.arccos(np.clip(ups @ ups[0], -1.0, 1.0))).max())
    assert tilts[0] < 1.0 < 5.0 < tilts[1]


@pytest.mark.slow
def test_bones_that_no_bake_moves_are_refused():
    armature, take = rig_and_take()
    with pytest.raises(RigError, match="no bone named 'upperlegl'. Did you mean 'upperleg.l'"):
        bake_take(armature, take, options=BakeOptions(parts="bones", bones=("upperlegl",)))
    with pytest.raises(RigError, match="moves none of the chosen bones.*handslot.l"):
        bake_take(armature, take, options=BakeOptions(parts="bones", bones=("handslot.l",)))


@pytest.mark.slow
def test_legs_of_a_rig_with_controls_leave_the_arms_and_the_heads_switches():
    armature = load("rigify rig", 24)
    action = bake_take(armature, walk("earth", 2.0), options=BakeOptions(parts="legs"))
    keyed = {curve.data_path for curve in curves_of(action)}
    assert {"foot_ik.L", "thigh_ik_target.R", "torso", "spine_fk"} <= controls(action)
    assert 'pose.bones["thigh_parent.L"]["IK_FK"]' in keyed and 'pose.bones["torso"]["torso_parent"]' in keyed
    assert not any("upper_arm" in path or "head_follow" in path or '"chest"' in path for path in keyed)


@pytest.mark.slow
def test_the_last_action_is_written_anew():
    armature, take = rig_and_take()
    first = bake_take(armature, take)
    finger = by_hand(armature, "handslot.l")
    name, before = first.name, snapshot(first)
    again = bake_take(armature, take)
    assert len(bpy.data.actions) == len({a.name for a in bpy.data.actions}) and again.name == name
    assert [a.name for a in bpy.data.actions if a.name.startswith(name)] == [name] and not again.use_fake_user
    assert of_bone(again, "handslot.l") == finger and diff(before, again).sentence().startswith("No key differs")
    legs = bake_take(armature, take, options=BakeOptions(parts="legs", start_frame=11))
    assert [a.name for a in bpy.data.actions if a.name.startswith(name)] == [name]
    assert tuple(legs.frame_range) == (1.0, 41.0) and len(legs.pose_markers) == 4, "markers are not doubled"


@pytest.mark.slow
def test_keys_of_the_artist_on_other_bones_are_not_written_over_by_a_whole_bake():
    armature, take = rig_and_take()
    arm = by_hand(armature, "upperarm.l")
    legs = bake_take(armature, take, options=BakeOptions(parts="legs"))
    name = legs.name
    legs = bake_take(armature, take, options=BakeOptions(parts="legs"))
    assert legs.name == name, "the legs alone are Lope's, and are written anew"
    whole = bake_take(armature, take)
    assert whole != legs and of_bone(legs, "upperarm.l") == arm and legs.use_fake_user
    assert whole.name != name and len(of_bone(whole, "upperarm.l")) > 4


@pytest.mark.slow
def test_an_action_with_keys_of_the_artist_among_lopes_stays():
    armature, take = rig_and_take()
    first = bake_take(armature, take)
    armature.pose.bones["chest"].rotation_quaternion = (0.9, 0.3, 0.1, 0.0)
    armature.pose.bones["chest"].keyframe_insert("rotation_quaternion", frame=10.5)
    before = everything(first)
    second = bake_take(armature, take)
    assert second != first and everything(first) == before and first.use_fake_user
    found = diff(first, second)
    assert sum(control.own for control in found.controls) == 4 and "4 of your own keys gave way" in found.sentence()
    for curve in (c for c in curves_of(second) if len(c.keyframe_points) > 3):  # moved without a new key
        curve.keyframe_points[3].co[1] += 0.01
    assert bake_take(armature, take) != second


@pytest.mark.slow
def test_lopes_own_action_gets_no_fake_user_unless_asked():
    armature, take = rig_and_take()
    first = bake_take(armature, take)
    second = bake_take(armature, take, options=BakeOptions(target="new"))
    assert not first.use_fake_user and not second.use_fake_user
    bake_take(armature, take, options=BakeOptions(target="new", keep_old=True))
    assert second.use_fake_user and not first.use_fake_user
    armature, take = rig_and_take()
    old = hand_keyed(armature)
    bake_take(armature, take)
    assert old.use_fake_user, "the artist's own work is not lost when the file is saved"


@pytest.mark.slow
@pytest.mark.parametrize("roots, target", [
    (("object", "hips"), "update"), (("object", "hips"), "new"), (("object", "hips"), "replace"),
    (("object", "object"), "update"), (("root_bone", "hips"), "replace"), (("hips", "object"), "update")])
def test_a_second_bake_does_not_depend_on_the_frame_shown(roots, target):
    source = "rigs/mpfb_female_unreal.glb"
    found = []
    for shown in (1, 40):
        armature = load(source, 24)
        armature.location = (1.0, 2.0, 0.0)
        take = walk()
        bake_take(armature, take, options=BakeOptions(root_motion=roots[0]))
        plain = pose_in_world(armature, 30)
        bpy.context.scene.frame_set(shown)
        bake_take(armature, take, options=BakeOptions(root_motion=roots[1], target=target))
        assert bpy.context.scene.frame_current == shown
        found.append(pose_in_world(armature, 30))
        assert pose_in_world(armature, 1)["foot_l"][:2, 3] == pytest.approx([1.0, 2.0], abs=0.8)
    for bone in ("foot_l", "head"):
        np.testing.assert_allclose(found[0][bone], found[1][bone], atol=1e-5)
        np.testing.assert_allclose(found[0][bone], plain[bone], atol=1e-4)


@pytest.mark.slow
def test_a_refused_bake_leaves_the_object_where_it_is():
    armature = load("rigs/mpfb_female_unreal.glb", 24)
    take = walk()
    bake_take(armature, take, options=BakeOptions(root_motion="object"))
    bpy.context.scene.frame_set(40)
    place = armature.location.copy()
    assert place.length > 0.5
    with pytest.raises(RigError, match="covers no two frames"):
        bake_take(armature, take, options=BakeOptions(frame_range=(5000, 5010)))
    assert armature.location == place


@pytest.mark.slow
@pytest.mark.parametrize("root", ["hips", "object"])
def test_two_strips_in_a_row_and_the_second_goes_on_where_the_first_ended(root):
    set_rate(24)
    armature = load("rigs/mpfb_female_unreal.glb", 24)
    armature.location = (1.0, 2.0, 0.0)
    take, options = walk(), BakeOptions(push_down=True, root_motion=root)
    first = bake_take(armature, take, options=options)
    end = last_end(armature)
    alone = {frame: pose_in_world(armature, frame) for frame in (1, 30, round(end.frame))}
    second = bake_take(armature, take, options=BakeOptions(push_down=True, root_motion=root, go_on=True))
    strips = [strip for track in armature.animation_data.nla_tracks for strip in track.strips]
    assert [strip.action for strip in strips] == [first, second] and strips[0].frame_end == strips[1].frame_start
    for frame, pose in alone.items():
        np.testing.assert_allclose(pose_in_world(armature, frame)["foot_l"], pose["foot_l"], atol=1e-4)
    last = round(end.frame)
    hips = [pose_in_world(armature, frame)["pelvis"][:2, 3] for frame in (1, last, last + 1, 2 * last - 1, 2 * last + 50)]
    assert np.linalg.norm(hips[2] - hips[1]) < 0.12, "it goes on there"
    assert np.linalg.norm(hips[3] - hips[0]) == pytest.approx(2.0 * np.linalg.norm(hips[1] - hips[0]), rel=0.05)
    np.testing.assert_allclose(hips[4], hips[3], atol=1e-4)


def part(take, rows, after):
    """Some samples of a take, as a take that was simulated on from another if `after`."""
    arrays = {name: values[rows] if ARRAYS[name].startswith("(T") else values for name, values in take.arrays.items()}
    noted = After("before.npz", "0" * 64, (0.0, 0.0), 0.0, 1.0) if after else None
    return replace(take, arrays=arrays, channels={}, shot=take.shot.with_motion(after=noted))


@pytest.mark.slow
@pytest.mark.parametrize("push_down", [True, False])
def test_a_motion_simulated_on_from_another_joins_it_between_frames_too(push_down):
    """At 23.976 frames a second a take hardly ever ends on a frame: its two halves make the same walk as the whole."""
    source, bone = "rigs/mpfb_female_unreal.glb", "hand_l"
    take, middle = walk(), 145
    half = slice(0, middle + 1), slice(middle, None)
    found = []
    for halved in (False, True):
        armature = load(source, 24)
        set_rate(24, 1.001)
        armature.location = (1.0, 2.0, 0.0)
        if halved:
            bake_take(armature, part(take, half[0], False), options=BakeOptions(push_down=push_down))
            bake_take(armature, part(take, half[1], True), options=BakeOptions(push_down=push_down, go_on=True))
        else:
            bake_take(armature, take)
        joint = round(1 + (take.time_s[middle] - take.time_s[0]) * 24 / 1.001)
        found.append(np.array([pose_in_world(armature, frame)[bone][:3, 3] for frame in range(joint - 4, joint + 6)]))
    np.testing.assert_allclose(found[1], found[0], atol=6e-3)  # feet are locked without the other half


@pytest.mark.slow
def test_a_strip_is_baked_anew_in_its_place():
    armature, take = rig_and_take()
    first = bake_take(armature, take, options=BakeOptions(push_down=True)).name
    for _ in range(2):
        bake_take(armature, take, options=BakeOptions(push_down=True))
    strips = [strip for track in armature.animation_data.nla_tracks for strip in track.strips]
    assert len(strips) == 1 and strips[0].extrapolation == "HOLD"
    assert [a.name for a in bpy.data.actions if a.name.startswith(first)] == [strips[0].action.name]
    bake_take(armature, take, options=BakeOptions(push_down=True, target="new"))
    assert len([strip for track in armature.animation_data.nla_tracks for strip in track.strips]) == 2


@pytest.mark.slow
def test_going_on_in_one_action():
    armature, take = rig_and_take()
    with pytest.raises(RigError, match="no motion of Lope's to go on from"):
        bake_take(armature, take, options=BakeOptions(go_on=True))
    first = bake_take(armature, take)
    kept = everything(first)
    action = bake_take(armature, take, options=BakeOptions(go_on=True))
    assert tuple(action.frame_range) == (1.0, 61.0) and len(action.pose_markers) == 8
    wave = ('pose.bones["chest"].rotation_quaternion', 0)
    assert [k[0] for k in everything(action)[wave]][:29] == [k[0] for k in kept[wave]][:29]


@pytest.mark.slow
def test_a_strip_below_that_lasts_longer_is_not_frozen():
    armature, take = rig_and_take()
    long = bake_take(armature, take, options=BakeOptions(push_down=True, frame_range=(1, 31)))
    short = bake_take(armature, take, options=BakeOptions(push_down=True, frame_range=(5, 10)))
    strips = [strip for track in armature.animation_data.nla_tracks for strip in track.strips]
    assert [(strip.action, strip.extrapolation) for strip in strips] == [(long, "HOLD"), (short, "NOTHING")]
    moving = [pose_in_world(armature, frame)["foot.l"] for frame in (20, 25)]
    assert np.abs(moving[0] - moving[1]).max() > 1e-3


@pytest.mark.slow
def test_strips_that_overlap_blend_without_a_jump():
    armature, take = rig_and_take()
    other = synthetic_take(take.body, seed=4)
    bake_take(armature, take, options=BakeOptions(push_down=True, frame_range=(1, 25)))
    bake_take(armature, other, options=BakeOptions(push_down=True, start_frame=16, target="new"))
    below, above = [strip for track in armature.animation_data.nla_tracks for strip in track.strips]
    assert (below.blend_out, above.blend_in, above.blend_out) == (0.0, pytest.approx(9.0), 0.0)
    assert above.blend_type == "REPLACE" and above.action_slot.identifier == "OB" + armature.name
    hands = np.array([pose_in_world(armature, frame)["hand.l"][:3, 3] for frame in range(10, 36)])
    steps = np.linalg.norm(np.diff(hands, axis=0), axis=1)
    above.mute = True
    alone = np.array([pose_in_world(armature, frame)["hand.l"][:3, 3] for frame in range(10, 26)])
    np.testing.assert_allclose(hands[:7], alone[:7], atol=1e-5)
    above.mute, above.blend_in = False, 0.0
    hard = np.linalg.norm(np.diff([pose_in_world(armature, frame)["hand.l"][:3, 3] for frame in (15, 16)], axis=0))
    assert steps[5] < 0.5 * hard

# SPDX-License-Identifier: GPL-3.0-or-later
"""Every kind of rig an artist may bring: the right family, a whole map, a bake that puts the joints where they belong."""

from __future__ import annotations

import json

import numpy as np
import pytest

from bake_check import body_of, check
from blender_scene import MOTION, angle_deg, bpy, build_armature, fresh_scene, load, pose_in_world, rest_in_world, turn_between
from lope.addon.bodies.human.landmarks import neutral_alignments
from lope.addon.bodies.kinematics import segment_poses
from lope.addon.errors import RigError
from lope.addon.maths.rotations import matrix_from_quat
from lope.addon.rigs.bake.bake import bake_take
from lope.addon.rigs.bake.controls import PROPERTIES_KEY, build_chain
from lope.addon.rigs.read.armature import match_of, read_figure
from lope.addon.rigs.read.maps import SEGMENTS, known_maps
from lope.addon.rigs.read.own_map import BONE_MAP, forget_map, load_map, save_map, store_map, stored_map
from lope.addon.specs.bake_options import BakeOptions
from synthetic_take import motion, synthetic_take

WHOLE = {
    "rigs/kaykit_rogue.glb": ("kaykit", {"neck", "clavicle_L", "clavicle_R"}),
    "rigs/mpfb_female_unreal.glb": ("unreal", set()),
    "rigs/mpfb_male_cmu.glb": ("cmu", set()), "rigs/mpfb_male_mixamo.glb": ("mixamo", set()),
    "rigs/mpfb_male_mixamo_cm.fbx": ("mixamo", set()), "fbx/09_11_run_cmu.fbx": ("cmu", set()), "rigify": ("rigify", set()),
    "rigify human": ("rigify", set()), "rigify rig": ("rigify_generated", set()),
    "rigify human rig": ("rigify_generated", set()),
}
SNU_LACKS = {"lower_spine", "neck"}


@pytest.mark.slow
@pytest.mark.parametrize("source", WHOLE)
def test_every_rig_is_told_with_a_whole_map(source):
    family, lacking = WHOLE[source]
    match = match_of(load(source))
    assert match.family == family and set(SEGMENTS) - set(match.bone_of) == lacking


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted((MOTION / "bvh").glob("*.bvh")), ids=lambda path: path.stem)
def test_every_clip_is_told(path):
    armature = load(f"bvh/{path.name}")
    match = match_of(armature)
    names = {bone.name for bone in armature.data.bones}
    assert match.family == ("snu" if path.name.startswith("snu") else "3dsmax" if "3dsmax" in path.name else "cmu")
    lacking = set(SEGMENTS) - set(match.bone_of)
    if match.family != "snu":
        assert lacking == set()
    elif "LeftHand" in names:
        assert lacking - SNU_LACKS <= {"toes_L", "toes_R", "head", "clavicle_L", "clavicle_R"}
        assert not {"Head", "LeftToes", "LeftShoulder1"} & names - set(match.bone_of.values())


@pytest.mark.slow
@pytest.mark.parametrize(("source", "controls"), [
    ("rigify rig", "fk"), ("rigify rig", "ik"), ("rigify human rig", "fk"),
    pytest.param("rigify human rig", "ik", marks=pytest.mark.acceptance)])
def test_generated_rigify_rig_stands_where_it_was_simulated(source, controls):
    """Bones of the skeleton that Rigify's constraints make of the controls, against the simulated segments."""
    armature = load(source)
    figure, rest = read_figure(armature), rest_in_world(armature)
    body = body_of(figure)
    for name, place in (("hips", (0.05, 0.0, 0.1)), ("chest", (0.0, 0.04, 0.0)), ("foot_heel_ik.L", None)):
        bone = armature.pose.bones[name]  # earlier poses on helper controls must not shine through
        if place is not None:
            bone.location = place
        else:
            bone.rotation_euler = (0.3, 0.0, 0.0)
    action = bake_take(armature, synthetic_take(body), options=BakeOptions(controls=controls))
    joints = match_of(armature).joint_of
    axes = np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    middle = 0.5 * (rest[joints["thigh_L"]][:3, 3] + rest[joints["thigh_R"]][:3, 3])
    ground = np.array([middle[0], middle[1], middle[2] - figure.landmarks["pelvis"][2]])
    alignments = neutral_alignments(figure.points)
    metres, degrees = (1e-3, 0.05) if controls == "ik" else (1e-4, 0.02)
    for frame in (1, 9, 22, 31):
        places, turns = segment_poses(body, *motion(body, np.array([(frame - 1) / 25.0])))
        pose = pose_in_world(armature, frame)
        for segment, bone in joints.items():
            row = body.index[segment]
            wanted = axes @ matrix_from_quat(turns[0, row]) @ alignments[segment] @ axes.T
            # Rigify's IK legs stretch and shrink a little by themselves; its knees lie up to 3 cm off in this wild motion.
            knee = controls == "ik" and segment[:-2] in ("thigh", "shank")
            if segment not in ("lower_spine", "chest", "neck"):  # these stretch between tweaks, and so lean by their ends
                turn = turn_between(rest[bone], pose[bone])
                assert angle_deg(turn / np.linalg.norm(turn, axis=0), wanted) < (4.0 if knee else degrees), (segment, frame)
            if segment != "pelvis":
                place = ground + axes @ places[0, row]
                limit = 0.03 if knee and segment.startswith("shank") else metres
                assert np.abs(pose[bone][:3, 3] - place).max() < limit, (segment, frame)
    keyed = {p.split('"')[1] for p in (c.data_path for c in action.layers[0].strips[0].channelbags[0].fcurves)}
    assert ("foot_ik.L" in keyed) == (controls == "ik") and ("thigh_fk.L" in keyed) == (controls == "fk")
    assert json.loads(action[PROPERTIES_KEY])['pose.bones["thigh_parent.L"]["IK_FK"]'] == 0.0


def human_bones(names: dict[str, str]) -> dict[str, tuple]:
    """A standing human from segment -> bone name (sided ones with {side}), its bones hung as segments hang."""
    p = {"pelvis": ((0, 0, 1.0), None), "lower_spine": ((0, 0, 1.08), "pelvis"), "chest": ((0, 0, 1.2), "lower_spine"),
         "neck": ((0, 0, 1.5), "chest"), "head": ((0, 0, 1.58), "neck")}
    sided = {"clavicle": ((0.03, 0, 1.45), "chest"), "upper_arm": ((0.18, 0, 1.44), "clavicle"),
             "forearm": ((0.2, 0.01, 1.14), "upper_arm"), "hand": ((0.21, 0, 0.88), "forearm"),
             "thigh": ((0.09, 0, 0.95), "pelvis"), "shank": ((0.09, -0.01, 0.5), "thigh"),
             "foot": ((0.09, 0.01, 0.08), "shank"), "toes": ((0.09, -0.13, 0.02), "foot")}
    tails = {"head": (0, 0, 1.78), "hand": (0.21, 0, 0.72), "toes": (0.09, -0.2, 0.02)}
    bones = {}
    below = [{parent: segment for segment, (_, parent) in part.items()} for part in (p, sided)]
    for segment, (head, parent) in p.items():
        tail = tails.get(segment) or p[below[0][segment]][0]
        bones[names[segment]] = (head, tail, names[parent] if parent else None)
    for side, sign in (("l", 1), ("r", -1)):
        for segment, (head, parent) in sided.items():
            tail = tails.get(segment) or sided[below[1][segment]][0]
            above = names[parent].format(side=side)
            place = [tuple(np.multiply(point, (sign, 1, 1))) for point in (head, tail)]
            bones[names[segment].format(side=side)] = (*place, above)
    return bones


def test_auto_rig_pro_names_on_controls():
    fresh_scene(25)
    arp = next(m for m in known_maps() if m.name == "auto_rig_pro")
    names = {}
    for segment, found in arp.bones.items():
        kind = segment[:-2] if segment[-2:] in ("_L", "_R") else segment
        names[kind] = found[0][:-1] + "{side}" if segment[-2:] == "_L" else names.get(kind, found[0])
    bones = human_bones(names)
    bones["c_traj"] = ((0, 0, 0), (0, 0.2, 0), None)
    bones[names["pelvis"]] = (*bones[names["pelvis"]][:2], "c_traj")
    bones["c_foot_ik.l"] = ((0.09, 0, 0.08), (0.09, -0.1, 0.08), "c_traj")
    armature = build_armature(_parents_first(bones))
    armature.pose.bones["c_foot_ik.l"]["ik_fk_switch"] = 0.0
    figure, rest = read_figure(armature), rest_in_world(armature)
    assert figure.family == "auto_rig_pro" and set(figure.bone_of) == set(SEGMENTS) and figure.root == "c_traj"
    body = body_of(figure)
    bake_take(armature, synthetic_take(body), options=BakeOptions(root_motion="root_bone"))
    check(armature, figure, body, rest, degrees=0.01, metres=1e-4)
    assert armature.pose.bones["c_foot_ik.l"]["ik_fk_switch"] == 1.0


def _parents_first(bones: dict[str, tuple]):
    done: dict[str, tuple] = {}
    while len(done) < len(bones):
        done |= {name: bone for name, bone in bones.items() if bone[2] is None or bone[2] in done}
    return done


def odd_rig():
    """A rig whose names mean nothing, and its true map."""
    fresh_scene(25)
    wanted, names = {}, {}
    for i, segment in enumerate(SEGMENTS):
        kind = segment[:-2] if segment[-2:] in ("_L", "_R") else segment
        names.setdefault(kind, f"b{i}" + (" {side}" if kind != segment else ""))
        side = {"_L": "l", "_R": "r"}.get(segment[-2:], "")
        wanted[segment] = names[kind].format(side=side)
    return build_armature(_parents_first(human_bones(names))), wanted


def test_own_map_is_kept_on_the_armature_and_in_the_file(tmp_path):
    armature, wanted = odd_rig()
    assert match_of(armature).family == "structure" and match_of(armature).bone_of == wanted
    with pytest.raises(RigError, match="has no legs"):
        store_map(armature, {k: v for k, v in wanted.items() if not k.startswith("foot")})
    with pytest.raises(RigError, match="does not have: nothing"):
        store_map(armature, {**wanted, "head": "nothing"})
    assert BONE_MAP.key not in armature
    store_map(armature, wanted)
    figure, rest = read_figure(armature), rest_in_world(armature)
    assert figure.family == "custom" and figure.bone_of == wanted
    body = body_of(figure)
    bake_take(armature, synthetic_take(body))
    check(armature, figure, body, rest, degrees=0.01, metres=1e-4)
    save_map(tmp_path / "odd.json", stored_map(armature), armature.name)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "odd.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "odd.blend"))
    armature = bpy.data.objects["Rig"]
    assert match_of(armature).bone_of == wanted
    forget_map(armature)
    assert match_of(armature).family == "structure"
    store_map(armature, load_map(tmp_path / "odd.json"))
    assert stored_map(armature) == wanted


def test_a_map_that_is_still_being_made_is_kept_too():
    armature, wanted = odd_rig()
    store_map(armature, {"pelvis": wanted["pelvis"]}, whole=False)
    with pytest.raises(RigError, match="has no legs and arms"):
        match_of(armature)
    assert stored_map(armature) == {"pelvis": wanted["pelvis"]}


@pytest.mark.parametrize("text, match", [
    ("{", "damaged"), ("[]", "damaged"), ('{"format": "other", "version": 1, "bones": {}}', "of format 'other'"),
    ('{"format": "lope bone map", "version": 9, "bones": {}}', "version 9"),
    ('{"format": "lope bone map", "version": 1, "bones": {"pelvis": 3}}', "damaged")])
def test_damaged_maps_are_named(tmp_path, text, match):
    path = tmp_path / "map.json"
    path.write_text(text)
    with pytest.raises(RigError, match=match):
        load_map(path)
    armature, _ = odd_rig()
    armature[BONE_MAP.key] = text
    with pytest.raises(RigError, match=match):
        match_of(armature)


def test_a_map_with_a_root_bone_of_its_own():
    armature, wanted = odd_rig()
    with pytest.raises(RigError, match="root bone it does not have"):
        store_map(armature, {**wanted, "root": "nowhere"})
    store_map(armature, {**wanted, "root": wanted["pelvis"]})
    with pytest.raises(RigError, match="no root bone above its hips"):
        build_chain(read_figure(armature), frozenset(SEGMENTS), ik=False, root=True)


def test_buttons_make_save_load_and_forget_a_map(tmp_path):
    import lope

    armature, wanted = odd_rig()
    lope.register()
    try:
        bpy.context.view_layer.objects.active = armature
        assert not bpy.ops.lope.map_forget.poll()
        for segment, bone in wanted.items():
            assert bpy.ops.lope.map_bone(segment=segment, bone=bone) == {"FINISHED"}
        assert match_of(armature).bone_of == wanted
        assert bpy.ops.lope.map_bone(segment="head", bone="") == {"FINISHED"} and "head" not in stored_map(armature)
        assert bpy.ops.lope.map_bone(segment="head", bone=wanted["head"]) == {"FINISHED"}
        with pytest.raises(RuntimeError, match="does not have: nowhere"):
            bpy.ops.lope.map_bone(segment="neck", bone="nowhere")
        assert bpy.ops.lope.map_save(filepath=str(tmp_path / "odd")) == {"FINISHED"}
        assert bpy.ops.lope.map_forget() == {"FINISHED"} and BONE_MAP.key not in armature
        with pytest.raises(RuntimeError, match="cannot be read"):
            bpy.ops.lope.map_load(filepath=str(tmp_path / "none.json"))
        assert bpy.ops.lope.map_load(filepath=str(tmp_path / "odd.json")) == {"FINISHED"}
        assert stored_map(armature) == wanted
        assert bpy.ops.lope.detect_rig() == {"FINISHED"} and "own map" in armature.lope.figure
    finally:
        lope.unregister()

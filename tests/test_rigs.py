# SPDX-License-Identifier: GPL-3.0-or-later
"""Bone maps, the detection of rigs by their names, and the numpy core of baking. No Blender."""

from __future__ import annotations

import json

import numpy as np
import pytest
from synthetic_take import motion

from lope.addon.bodies.anthropometry import standing_landmarks
from lope.addon.bodies.body import Body
from lope.addon.bodies.kinematics import quat_multiply, quat_rotate, segment_poses
from lope.addon.errors import RigError
from lope.addon.rigs.detect import check_mapping, detect
from lope.addon.rigs.figure import RestBone, build_figure
from lope.addon.rigs.maps import REQUIRED, SEGMENTS, known_maps, read_map
from lope.addon.rigs.pose import Motion, fitted_root, resampled, solve
from lope.addon.rigs.rotation import channels, slerp

MAPS = {bone_map.name: bone_map for bone_map in known_maps()}


def names_of(family: str) -> list[str]:
    """The names a rig of this family has: each segment's first choice, and those that sign for it."""
    bone_map = MAPS[family]
    return list(dict.fromkeys([*(names[0] for names in bone_map.bones.values()), *bone_map.signature]))


def test_families():
    assert set(MAPS) == {"lope", "cmu", "3dsmax", "snu", "mixamo", "unreal", "kaykit", "rigify"}
    for bone_map in MAPS.values():
        assert set(REQUIRED) <= set(bone_map.bones) <= set(SEGMENTS)
        firsts = [names[0] for names in bone_map.bones.values()]
        assert len(set(firsts)) == len(firsts)


@pytest.mark.parametrize("family", sorted(MAPS))
def test_each_family_is_told_from_the_others(family):
    match = detect(names_of(family))
    assert match.family == family
    assert match.bone_of == {s: MAPS[family].bones[s][0] for s in SEGMENTS if s in MAPS[family].bones}


@pytest.mark.parametrize("prefix", ["mixamorig:", "mixamorig1:", "mixamorig_", "mixamorig", "Hero:", ""])
def test_mixamo_with_and_without_prefix(prefix):
    match = detect([prefix + name for name in names_of("mixamo")])
    assert match.family == "mixamo" and match.bone_of["thigh_R"] == f"{prefix}RightUpLeg"


def test_snu_quirk_and_letter_case():
    names = [name for name in names_of("snu") if name != "RightShoulder1"] + ["RightShoulder"]
    match = detect(names)
    assert (match.bone_of["clavicle_L"], match.bone_of["clavicle_R"]) == ("LeftShoulder1", "RightShoulder")
    assert detect([name.upper() for name in names_of("unreal")]).bone_of["pelvis"] == "PELVIS"


def test_optional_bones_may_lack():
    missing = {"LeftToes", "RightToes", "LeftHand", "RightHand", "Head", "LeftShoulder1", "RightShoulder1"}
    match = detect([name for name in names_of("snu") if name not in missing])
    assert match.family == "snu" and set(REQUIRED) <= set(match.bone_of) and "head" not in match.bone_of


def test_no_legs_is_said_plainly():
    names = [name for name in names_of("mixamo") if not any(part in name for part in ("Leg", "Foot", "Toe"))]
    with pytest.raises(RigError) as caught:
        detect(names, "Ghost")
    text = str(caught.value)
    assert "'Ghost' has no legs" in text and "Mixamo" in text and "LeftUpLeg" in text and "thigh_L" in text
    assert "arms" not in text


def test_no_arms_no_bones_and_strange_names():
    arms = ("Arm", "Hand")
    with pytest.raises(RigError, match="has no arms: .*LeftForeArm"):
        detect([name for name in names_of("cmu") if not any(part in name for part in arms)])
    with pytest.raises(RigError, match="'Box' has no bones"):
        detect([], "Box")
    with pytest.raises(RigError, match="'Crane' .*no known family.*KayKit.*Mixamo"):
        detect(["hook", "boom", "cab", "winch", "rope"], "Crane")


def test_own_map_is_checked():
    names = names_of("kaykit")
    good = detect(names).bone_of
    assert check_mapping(good, names).bone_of == good
    with pytest.raises(RigError, match="segments tail"):
        check_mapping({**good, "tail": "hips"}, names)
    with pytest.raises(RigError, match="does not have: nothing"):
        check_mapping({**good, "head": "nothing"}, names)
    with pytest.raises(RigError, match="same bone: chest"):
        check_mapping({**good, "neck": "chest"}, names)
    with pytest.raises(RigError, match="no legs: give bones for foot_L"):
        check_mapping({s: b for s, b in good.items() if s != "foot_L"}, names)


def test_broken_map_file(tmp_path):
    path = tmp_path / "bad.json"
    path.write_text("{")
    with pytest.raises(RigError, match="bad.json cannot be read"):
        read_map(path)
    path.write_text(json.dumps({"name": "x", "label": "x", "sides": {"L": "l", "R": "r"}, "signature": [],
                                "bones": {"wing": "wing"}}))
    with pytest.raises(RigError, match="segment 'wing'"):
        read_map(path)


def test_unknown_mode():
    with pytest.raises(RigError, match="'XXX'"):
        channels(np.array([[1.0, 0.0, 0.0, 0.0]]), "XXX")


def test_slerp_turns_evenly():
    ends = np.array([[1.0, 0, 0, 0], [np.cos(0.5), 0, 0, np.sin(0.5)]])
    found = slerp(np.array([2.0, 4.0]), np.stack([ends, -ends], axis=1), np.array([1.0, 2.5, 4.0, 9.0]))
    np.testing.assert_allclose(found[:, 0, 0], np.cos([0.0, 0.125, 0.5, 0.5]))
    np.testing.assert_allclose(np.abs(found[:, 1, 0]), np.abs(found[:, 0, 0]))


def straight_figure():
    """Bones between standing landmarks, body axes = armature axes, in decimetres; identity rest rotations."""
    p = standing_landmarks(1.7)
    parents = {"pelvis": None, "lower_spine": "pelvis", "chest": "lower_spine", "neck": "chest", "head": "neck"}
    joints = dict(zip(parents, parents))
    for side in "LR":
        for mark, segment, parent in (("clavicle", "clavicle", "chest"), ("shoulder", "upper_arm", "clavicle_S"),
                                      ("elbow", "forearm", "upper_arm_S"), ("wrist", "hand", "forearm_S"),
                                      ("hip", "thigh", "pelvis"), ("knee", "shank", "thigh_S"), ("ankle", "foot", "shank_S"),
                                      ("toes", "toes", "foot_S")):
            parents[f"{segment}_{side}"] = parent.replace("_S", f"_{side}")
            joints[f"{segment}_{side}"] = f"{mark}_{side}"
    bones = tuple(RestBone(name, parent, 10.0 * p[joints[name]], 10.0 * p[joints[name]] + [0.5, 0.0, 0.0], np.eye(3))
                  for name, parent in parents.items())
    return build_figure("Straight", detect(list(parents)), bones, np.diag([0.1, 0.1, 0.1, 1.0]))


def test_core_reproduces_the_simulated_joints():
    figure = straight_figure()
    body = Body.build(figure.body_spec(70.0))
    root, turn, joints = motion(body, np.linspace(0.0, 1.0, 20))
    places, turns = segment_poses(body, root, turn, joints)
    found = solve(figure, body, Motion(root, turn, joints))
    heads, globe = {}, {}
    for bone in figure.bones:
        got, parent = found[bone.name], bone.parent
        if parent is None:
            heads[bone.name], globe[bone.name] = bone.head + got.location, got.rotation
        else:
            offset = np.broadcast_to(bone.head - figure.bone[parent].head, (20, 3))
            heads[bone.name] = heads[parent] + quat_rotate(globe[parent], offset)
            globe[bone.name] = quat_multiply(globe[parent], got.rotation)
            assert got.location is None
        row = body.index[bone.name]
        np.testing.assert_allclose(heads[bone.name], figure.in_armature(places[:, row]), atol=1e-9)
    np.testing.assert_allclose(figure.in_body(figure.in_armature(root)), root, atol=1e-12)


def test_fitted_root_keeps_its_own_and_scales_others():
    figure = straight_figure()
    own = Body.build(figure.body_spec(70.0))
    root = motion(own, np.linspace(0.0, 1.0, 9))[0]
    np.testing.assert_allclose(fitted_root(root, own, figure), root, atol=1e-12)
    half = Body.build(figure.body_spec(70.0, height_m=0.5 * figure.height_m))
    np.testing.assert_allclose(fitted_root(0.5 * root, half, figure), root, atol=1e-12)


def test_a_take_of_one_sample_is_refused():
    body = Body.build(straight_figure().body_spec(70.0))
    with pytest.raises(RigError, match="holds 1 samples"):
        resampled(np.zeros(1), Motion(*motion(body, np.zeros(1))), np.zeros(1))

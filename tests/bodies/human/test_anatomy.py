# SPDX-License-Identifier: GPL-3.0-or-later
"""Which joint is which, found by structure alone: names, order, spine, twist joints, axes and size change nothing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from lope.addon.bodies.human.anatomy.find import find_anatomy
from lope.addon.bodies.human.anatomy.limbs import hint, parts_of, side_of
from lope.addon.bodies.human.anatomy.skeleton import Skeleton, find_mirror
from lope.addon.bodies.human.anthropometry import standing_landmarks
from skeleton_kit import FACING_MINUS_Y, human, skeleton

LIMBS = [f"{part}_{side}" for part in ("thigh", "shank", "foot", "toes", "clavicle", "upper_arm", "forearm", "hand")
         for side in "LR"]


def turned(axis: str, degrees: float) -> np.ndarray:
    k = "xyz".index(axis)
    a, b = [i for i in range(3) if i != k]
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    out = np.eye(3)
    out[a, a], out[a, b], out[b, a], out[b, b] = c, -s, s, c
    return out


def check(bones: dict, axes: np.ndarray = FACING_MINUS_Y, **more):
    made, number = skeleton(bones, axes, **more)
    found = find_anatomy(made)
    name_of = {i: name for name, i in number.items()}
    got = {segment: name_of[joint] for segment, joint in found.joint_of.items()}
    assert {segment: got.get(segment) for segment in (*LIMBS, "pelvis", "neck", "head")} == {
        segment: segment for segment in (*LIMBS, "pelvis", "neck", "head")}
    np.testing.assert_allclose(found.axes, axes, atol=0.05)
    return found, got


@pytest.mark.parametrize("case", [
    {}, {"spine": 5}, {"spine": 7}, {"twist": True}, {"free_feet": True}, {"hair": 4},
    {"arms_deg": 90.0}, {"arms_deg": 5.0}], ids=str)
def test_numbers_for_names_in_any_order(case):
    found, _ = check(human(**case), seed=4)
    assert found.free_feet == case.get("free_feet", False)
    assert {segment for segment in found.unsure if segment.startswith(("thigh", "shank", "upper_arm", "pelvis"))} == set()


def test_ears_are_no_legs_where_the_feet_of_short_ones_hang_free():
    """What hangs together of such a leg is a tenth of the height."""
    bones = human(free_feet=True)
    for side, sign in (("L", 1.0), ("R", -1.0)):
        hip, sole = bones[f"thigh_{side}"][1], bones[f"foot_{side}"][1]
        for name in ("thigh", "shank", "foot", "toes", "toe end"):
            key = f"{name} {side}" if name == "toe end" else f"{name}_{side}"
            above, place = bones[key]
            bones[key] = above, sole + [place[0] - sole[0], place[1] - sole[1], 0.5 * (place[2] - sole[2])]
        drop = np.array([0.0, 0.0, 0.5 * (hip[2] - sole[2])])
        for link in range(3):
            above = "head" if link == 0 else f"ear {link - 1} {side}"
            bones[f"ear {link} {side}"] = above, bones["crown"][1] + [0.0, sign * 0.1, 0.3 * link]
    for name, (above, place) in bones.items():
        if not name.startswith(("thigh", "shank", "foot", "toe")):
            bones[name] = above, place - drop
    _, got = check(bones)
    assert "ear 0 L" not in got


def test_spine_joints_stand_in_order():
    for count in range(1, 8):
        _, got = check(human(spine=count), seed=count)
        chain = [int(got[segment].split()[1]) for segment in ("lower_spine", "chest") if segment in got]
        assert chain == sorted(set(chain)) and len(chain) == min(count, 2)


@pytest.mark.parametrize("axes", [turned("z", 37.0) @ FACING_MINUS_Y, turned("x", -90.0), turned("x", 90.0), turned("z", 180.0)],
                         ids=["turned", "on its back", "y up", "backward"])
@pytest.mark.parametrize("scale", [0.01, 100.0])
def test_any_axes_and_size(axes, scale):
    check(human(), axes, scale=scale, seed=1)


def test_without_hands_toes_or_head_the_rest_is_found():
    bones = {name: bone for name, bone in human().items() if not name.startswith(("finger", "toe", "head", "crown", "neck"))}
    found = find_anatomy(skeleton(bones)[0])
    assert {"thigh_L", "shank_R", "foot_L", "upper_arm_R", "forearm_L"} <= set(found.joint_of) and "head" not in found.joint_of


def test_hands_on_no_forearm_are_found_where_it_ends():
    bones = human()
    for side in "LR":
        bones[f"hand_{side}"] = (f"clavicle_{side}", bones[f"hand_{side}"][1])
    check(bones, seed=6)


def comic() -> dict[str, tuple]:
    """A human of bones in two halves, as exports of deform bones are, with palm bones, hands twice as long as the forearms, and
    shoes half as long as the legs; named after the segments, the second halves "forearm_L.001" and so on."""
    bones = human(arms_deg=90.0, spine=3)
    for side in "LR":
        for upper, lower in (("upper_arm", "forearm"), ("forearm", "hand"), ("thigh", "shank"), ("shank", "foot")):
            a, (_, b) = bones[f"{upper}_{side}"][1], bones[f"{lower}_{side}"]
            bones[f"{upper}_{side}.001"] = (f"{upper}_{side}", 0.5 * (a + b))
            bones[f"{lower}_{side}"] = (f"{upper}_{side}.001", b)
        hand, fore = bones[f"hand_{side}"][1], bones[f"forearm_{side}"][1]
        for k in range(3):
            del bones[f"finger {k} {side}"], bones[f"finger tip {k} {side}"]
        for k, off in enumerate((0.06, 0.02, -0.02, -0.06)):
            bones[f"palm {k} {side}"] = (f"hand_{side}", hand + 0.6 * (hand - fore) + [off, 0, 0])
            for part, along in enumerate((1.5, 1.7, 1.9)):
                above = f"palm {k} {side}" if part == 0 else f"finger {k} {part - 1} {side}"
                bones[f"finger {k} {part} {side}"] = (above, hand + along * (hand - fore) + [off, 0, 0])
        bones[f"thumb 0 {side}"] = (f"palm 0 {side}", hand + 0.6 * (hand - fore) + [0.1, 0, 0])
        bones[f"thumb 1 {side}"] = (f"thumb 0 {side}", hand + 0.9 * (hand - fore) + [0.12, 0, 0])
        ankle, leg = bones[f"foot_{side}"][1], bones[f"thigh_{side}"][1][2] - bones[f"foot_{side}"][1][2]
        bones[f"toes_{side}"] = (f"foot_{side}", np.array([ankle[0] + 0.5 * leg, ankle[1], 0.0]))
        del bones[f"toe end {side}"]
    return bones


def in_words(name: str) -> str:
    """A segment's name as Rigify's deform bones have it."""
    bone, dot, number = name.partition(".")
    stem, _, side = bone.replace(" ", "_").rpartition("_")
    if side not in ("L", "R"):
        return f"DEF-{bone}"
    stem = {"shank": "shin", "toes": "toe", "clavicle": "shoulder"}.get(stem, stem)
    return f"DEF-{stem}.{side}{dot}{number}"


@pytest.mark.parametrize("words", [True, False], ids=["named", "numbers"])
def test_bones_in_halves_with_big_hands_and_shoes(words):
    """A bone begins with its first half, a hand where palm bones part, and a shoe has toes that move skin however far ahead."""
    bones = comic()
    made, number = skeleton(bones)
    names = tuple(in_words(name) for name in number) if words else made.names
    found = find_anatomy(replace(made, names=names, skin=np.ones(len(names))))
    segment_of = {i: name for name, i in number.items()}
    got = {segment: segment_of[joint] for segment, joint in found.joint_of.items()}
    assert {segment: got.get(segment) for segment in LIMBS} == {segment: segment for segment in LIMBS}
    assert {segment for segment in found.unsure if segment in LIMBS} == (set() if words else {"toes_L", "toes_R"})


def test_a_dog_has_more_faults_than_any_figure():
    bones = {"root": (None, np.zeros(3)), "hip": ("root", np.array([-0.5, 0, 1.0])), "back": ("hip", np.array([0, 0, 1.02])),
             "chest": ("back", np.array([0.4, 0, 1.05])), "neck": ("chest", np.array([0.6, 0, 1.2])),
             "head": ("neck", np.array([0.8, 0, 1.5])), "tail": ("hip", np.array([-0.7, 0, 0.9]))}
    for side, y in (("L", 0.15), ("R", -0.15)):
        for name, at, carrier in (("hind", (-0.45, -0.35, -0.5, -0.42), "hip"), ("fore", (0.45, 0.4, 0.42, 0.5), "chest")):
            above = carrier
            for k, (x, z) in enumerate(zip(at, (0.9, 0.55, 0.15, 0.03), strict=True)):
                bones[f"{name} {k} {side}"] = (above, np.array([x, y, z]))
                above = f"{name} {k} {side}"
    assert find_anatomy(skeleton(bones, np.eye(3))[0]).faults > 9.2 > 3.0 > find_anatomy(skeleton(human())[0]).faults


def test_what_is_no_figure():
    line = Skeleton(("a", "b", "c"), np.array([-1, 0, 1]), np.array([[0, 0, 0], [0, 0, 1], [0, 0, 2.0]]),
                    np.array([[0, 0, 1], [0, 0, 2], [0, 0, 3.0]]))
    assert find_anatomy(line) is None
    assert find_mirror(Skeleton(("a",), np.array([-1]), np.zeros((1, 3)), np.ones((1, 3)))) is None


def test_skin_tells_controls_from_bones():
    bones = human()
    for side in "LR":  # targets without skin where hands and feet are, and helpers beside the limbs
        for part in ("foot", "hand", "thigh", "shank"):
            bones[f"{part} control {side}"] = (None, bones[f"{part}_{side}"][1] + [0.0, 0.0, 0.002])
    made, number = skeleton(bones, seed=2)
    skin = np.array([0.0 if "control" in name or "end" in name else 10.0 for name in number])
    found = find_anatomy(Skeleton(made.names, made.parents, made.heads, made.tails, skin))
    assert {s: j for s, j in found.joint_of.items() if s in LIMBS} == {s: number[s] for s in LIMBS} and not found.free_feet


def test_a_left_foot_by_its_name_where_nothing_else_tells():
    bones = {name: (parent, place * [0.0, 1.0, 1.0]) for name, (parent, place) in human().items()
             if not name.startswith(("toe", "finger"))}
    names = list(bones)
    made, number = skeleton(bones, names=lambda i: names[i])
    found = find_anatomy(made)
    assert found.joint_of["thigh_L"] == number["thigh_L"]
    assert find_anatomy(skeleton(bones)[0]).unsure >= {"thigh_L", "upper_arm_R"}


def test_skin_tells_where_feet_point_whose_tails_are_made_up():
    """Feet that end in no joint, tails metres away, and names that call left and right as seen from before the figure."""
    bones = {name: one for name, one in human().items() if not name.startswith(("toe", "finger", "hand"))}
    swap = {"L": "R", "R": "L"}
    names = [name[:-1] + swap[name[-1]] if name[-2:-1] == "_" else name for name in bones]
    made, number = skeleton(bones, names=lambda i: names[i])
    middles, tails, reach = made.tails.copy(), made.tails.copy(), standing_landmarks(1.75)["toe_tip_L"][0]
    for side in "LR":
        foot, elbow, shoulder = (number[f"{part}_{side}"] for part in ("foot", "forearm", "upper_arm"))
        middles[foot] = made.heads[foot] + [0.0, -0.4 * reach, -0.04]
        middles[elbow] = made.heads[elbow] + 0.45 * (made.heads[elbow] - made.heads[shoulder])
        tails[[foot, elbow]] = made.heads[[foot, elbow]] + [0.0, 45.0, 0.0]
    found = find_anatomy(Skeleton(made.names, made.parents, made.heads, tails, np.full(len(names), 10.0), middles))
    assert found.joint_of["thigh_L"] == number["thigh_L"] and found.joint_of["forearm_R"] == number["forearm_R"]
    assert "thigh_L" not in found.unsure and found.axes[:, 0] == pytest.approx([0.0, -1.0, 0.0], abs=1e-6)


@pytest.mark.parametrize("name, part, side", [
    ("mixamorig:LeftUpLeg", "thigh", "L"), ("Bip01 R Calf", "shank", "R"), ("lThighBend", "thigh", "L"), ("左ひざ", "shank", "L"),
    ("右足首", "foot", "R"), ("J_Bip_L_UpperArm", "upper_arm", "L"), ("허벅지_왼", "thigh", "L"),
    ("upper_arm.R", "upper_arm", "R"), ("Oberschenkel.L", "thigh", "L"), ("ForeArm_r", "forearm", "R")])
def test_names_hint(name, part, side):
    assert hint(name, part) == 1.0 and side_of(name) == side


def test_names_that_tell_nothing_or_other_things():
    assert hint("Bone.014", "thigh") == 0.0 and not parts_of("zorak7") and side_of("Bone.014") is None
    assert hint("thigh_twist_01_l", "thigh") == -1.0 and hint("foot_ik.L", "foot") == -1.0 and hint("LeftFoot", "thigh") == -1.0


def test_where_no_skin_is_known_every_joint_may_move_it():
    made, _ = skeleton(human(), FACING_MINUS_Y)
    kept, numbers = Skeleton(made.names, made.parents, made.heads, made.tails).with_skin()
    assert kept.names == made.names and numbers.tolist() == list(range(len(made.names)))

# SPDX-License-Identifier: GPL-3.0-or-later
"""Which joint begins which part of a creature, by structure alone; and what cannot walk, in a sentence that names the bone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from beast_kit import LEGS, beast, moves_skin
from lope.addon.bodies.creature.anatomy import find
from lope.addon.bodies.creature.anatomy.find import UP, find_creature
from lope.addon.bodies.creature.anatomy.limbs import Leg, leg_between
from lope.addon.bodies.creature.anatomy.shape import shape_of
from lope.addon.bodies.creature.body import make_creature
from lope.addon.bodies.human.anatomy.limbs import View
from lope.addon.bodies.human.anatomy.skeleton import find_mirror
from skeleton_kit import FACING_MINUS_Y, human, skeleton


def turned(degrees: float) -> np.ndarray:
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def parts_found(bones: dict, axes=FACING_MINUS_Y, seed=3, skin=False, **more):
    """The parts found in a beast of numbers for names, by the beast's own names: part -> joint."""
    made, number = skeleton(bones, axes, seed=seed, **more)
    if skin:
        order = sorted(number, key=number.get)
        made = replace(made, skin=moves_skin(order))
    search = find_creature(made, rig="beast")
    assert search.creature is not None, [fault.sentence for fault in search.faults]
    creature = shape_of("beast", made, search.creature, None, None)
    names = {made.names[i]: name for name, i in number.items()}
    return {part.name: names.get(part.bone) for part in creature.parts}, search, creature


def expected(bones: dict) -> dict[str, str]:
    """What should be found: every part that is called so."""
    return {name: name for name in bones if name.startswith(("neck_", "tail_", "thigh", "shank", "hock", "metatarsus", "foot_",
                                                             "upper_arm", "forearm", "hand", "head", "trunk"))}


@pytest.mark.parametrize("legs", LEGS)
@pytest.mark.parametrize("case", [
    {}, {"neck": 0, "tail": 0, "arms": 0}, {"twist": True}, {"free_feet": True}, {"carriers": True}, {"toes": 2},
    {"controls": True, "skin": True}, {"pitch_deg": 75.0, "neck": 1, "tail": 0}], ids=str)
def test_every_part_of_a_beast_is_found(legs, case):
    case = dict(case)
    skin = case.pop("skin", False)
    bones = beast(legs, **case)
    got, search, _ = parts_found(bones, skin=skin)
    wanted = expected(bones)
    if case.get("neck") == 0:
        got.pop("neck_1", None)  # without names a spine's last joint may be a neck
    assert {part: got.get(part) for part in wanted} == wanted and set(got) <= set(wanted)
    assert [fault.sentence for fault in search.faults] == []


@pytest.mark.parametrize("degrees", [0.0, 37.0, 90.0, 180.0, 270.0])
@pytest.mark.parametrize("scale", [0.01, 30.0])
def test_any_way_and_size(degrees, scale):
    bones = beast("raptor")
    got, search, _ = parts_found(bones, turned(degrees), scale=scale, seed=int(degrees))
    assert {part: got.get(part) for part in expected(bones)} == expected(bones)
    np.testing.assert_allclose(search.creature.axes, turned(degrees), atol=0.02)


def test_a_human_is_a_creature_too():
    for spine in (1, 3, 6):
        bones = human(spine=spine, twist=spine == 3)
        got, _, creature = parts_found(bones, seed=spine)
        for side in "LR":
            assert [got[f"{part}_{side}"] for part in ("thigh", "shank", "foot")] == [f"{part}_{side}" for part in (
                "thigh", "shank", "foot")]
            assert got[f"upper_arm_{side}"] == f"upper_arm_{side}"
        assert (got["trunk"], got["head"]) == ("pelvis", "head")
        assert len(make_creature(creature).feet) == 2


def test_the_shape_stands_in_its_own_frame():
    _, _, creature = parts_found(beast("bird", toes=1), turned(200.0), scale=2.0)
    by_name = creature.by_name
    assert by_name["thigh_L"].joint_m == pytest.approx((0.0, 0.28, 1.8 - 0.06), abs=0.03)
    assert by_name["thigh_R"].joint_m[1] == -by_name["thigh_L"].joint_m[1]
    assert min(part.tip_m[2] for part in creature.parts) >= 0.0
    assert by_name["head"].tip_m[0] > by_name["trunk"].tip_m[0] > 0.0 > by_name["tail_4"].tip_m[0]
    body = make_creature(creature)
    assert {segment.name for segment in body.segments} == set(by_name)


def faults(bones, **more):
    made, _ = skeleton(bones, FACING_MINUS_Y, seed=None, names=list(bones).__getitem__, **more)
    return {fault.key: fault for fault in find_creature(made, rig="beast").faults}


def test_four_legs_are_told_with_both_pairs():
    bones = beast("raptor", arms=0, tail=2)
    for side, sign in (("L", 1.0), ("R", -1.0)):
        above = "chest"
        for k, (x, z) in enumerate(((0.45, 0.9), (0.5, 0.5), (0.42, 0.08), (0.55, 0.03))):
            bones[f"fore {k} {side}"] = (above, np.array([x + 0.3, 0.14 * sign, z]))
            above = f"fore {k} {side}"
    found = faults(bones)
    assert found["four_legs"].stops and "'fore 0" in found["four_legs"].sentence and "'thigh_L'" in found["four_legs"].sentence


def test_a_third_leg_is_named():
    bones = beast("human", tail=0)
    for k, (x, z) in enumerate(((-0.3, 0.9), (-0.3, 0.5), (-0.3, 0.08))):
        bones[f"third {k}"] = ("trunk" if k == 0 else f"third {k - 1}", np.array([x, 0.0, z]))
    assert "'third 0'" in faults(bones)["three_legs"].sentence


def test_one_leg_is_named():
    every = beast("human", arms=0)
    bones = {name: bone for name, bone in every.items() if not name.endswith(("_R", " R", "_L"))}
    bones |= {name: (above, place * [1.0, 0.0, 1.0]) for name, (above, place) in every.items() if name.endswith("_L")}
    found = faults(bones)
    assert found["one_leg"].stops and "'thigh_L'" in found["one_leg"].sentence


def test_legs_of_unequal_bones_are_told_by_the_bone():
    bones = beast("raptor")
    low = bones["foot_L"][1] + [0.0, 0.0, 0.0]
    bones["extra"] = ("foot_R", low * [1.0, -1.0, 1.0] + [0.12, 0.0, -0.02])
    bones["extra end"] = ("extra", low * [1.0, -1.0, 1.0] + [0.35, 0.0, -0.02])
    assert "'extra'" in faults(bones)["unequal_bones"].sentence


def test_a_foot_over_the_ground_is_named():
    bones = beast("human")
    for name in ("foot_R", "end foot R"):
        bones[name] = (bones[name][0], bones[name][1] + [0.15, 0.0, 0.18])
    bones["shank_R"] = (bones["shank_R"][0], bones["shank_R"][1] + [0.2, 0.0, 0.05])
    found = faults(bones)
    assert {"foot_up", "unequal_length"} & set(found)


def test_legs_that_hang_on_nothing_have_no_hips():
    bones = {name: bone for name, bone in beast("human", neck=0, tail=0, arms=0).items()
             if name.startswith(("thigh", "shank", "foot", "end foot"))}
    bones |= {"thigh_L": (None, bones["thigh_L"][1]), "thigh_R": (None, bones["thigh_R"][1])}
    assert faults(bones)["no_hips"].stops


def test_legs_without_a_knee_are_named():
    bones = {name: (bone[0].replace("shank", "thigh") if bone[0] else None, bone[1])
             for name, bone in beast("straight").items() if not name.startswith("shank")}
    found = faults(bones)
    assert "'thigh_L'" in found["no_knee"].sentence or "'thigh_R'" in found["no_knee"].sentence


def test_a_bone_over_a_foot_that_hangs_on_nothing_hides_no_leg_under_it(monkeypatch):
    made, number = skeleton(beast("straight", free_feet=True), FACING_MINUS_Y, seed=5)
    foot = made.heads[number["foot_L"]]
    stump, under = (Leg(tuple(number[name] for name in names), (), foot, foot, faults, free, free) for names, faults, free in (
        (("upper_arm_L", "foot_L"), 2.8, True), (("thigh_L", "shank_L"), 9.6, False)))
    monkeypatch.setattr(find, "find_legs", lambda view, skin=None: [stump, under])
    search = find_creature(made)
    assert repr(made.names[number["thigh_L"]]) in search.faults[0].sentence and search.creature is None


def test_what_is_said_goes_before_structure():
    bones = beast("bird")
    made, number = skeleton(bones, FACING_MINUS_Y, seed=5)
    said = {"neck": number["neck_2"], "tail": -1, "arm_L": number["forearm_L"]}
    found = find_creature(made, said=said).creature
    assert found.neck.joints[0] == number["neck_2"] and found.tail is None
    assert found.arms["L"][0].joints == (number["forearm_L"],)
    assert find_creature(made, said={"arm_R": -1, "foot_L": number["metatarsus_L"]}).creature.arms["L"] == ()
    swapped = find_creature(made, said={"leg_L": number["thigh_R"]}).creature
    np.testing.assert_allclose(swapped.axes[:, 0], -found.axes[:, 0], atol=1e-6)


@pytest.mark.parametrize("legs", LEGS)
def test_a_leg_of_which_only_the_hip_is_said_goes_down_to_its_foot(legs):
    made, number = skeleton(beast(legs), FACING_MINUS_Y, seed=5)
    view = View.of(made, find_mirror(made), UP)
    leg = leg_between(view, number["thigh_L"], None)
    assert leg.has_foot and leg.joints[-1] == number["foot_L"] and leg.joints[0] == number["thigh_L"]


def test_what_lies_is_told_so():
    bones = beast("human", arms=3, neck=1, tail=0)
    on_its_back = np.array([[0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]])
    made, _ = skeleton(bones, on_its_back, seed=2)
    assert next(iter(find_creature(made).faults)).key in ("lying", "no_legs")
    assert "upright" in find_creature(made).faults[0].sentence


def test_ends_as_long_as_bones_do_not_lower_the_ground():
    bones = beast("human", free_feet=True)
    bones |= {f"shank_{side}_end": (f"shank_{side}", bones[f"foot_{side}"][1]) for side in "LR"}
    made, number = skeleton(bones, FACING_MINUS_Y, names=list(bones).__getitem__)
    tails = made.tails.copy()
    for side in "LR":
        tails[number[f"shank_{side}_end"]] -= [0.0, 0.0, 0.5]
    search = find_creature(replace(made, tails=tails))
    assert search.faults == () and [made.names[j] for j in search.creature.legs["L"].joints] == ["thigh_L", "shank_L", "foot_L"]


def test_strands_of_a_skirt_are_no_tail():
    bones = beast("human", tail=0, pitch_deg=80.0, neck=1)
    for name, y in (("back", 0.0), ("L", 0.1), ("R", -0.1)):
        above = "trunk"
        for link in range(3):
            bones[f"strand {link} {name}"] = (above, np.array([-0.28 - 0.02 * link, y, 0.8 - 0.15 * link]))
            above = f"strand {link} {name}"
    got, _, _ = parts_found(bones, seed=1)
    assert not any(part.startswith("tail") for part in got)

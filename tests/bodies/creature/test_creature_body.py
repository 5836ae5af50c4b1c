# SPDX-License-Identifier: GPL-3.0-or-later
"""The shape of creatures, their templates, and the bodies made of them."""

import json
from dataclasses import replace

import mujoco
import numpy as np
import pytest

from lope.addon.bodies.capsules import body_capsules
from lope.addon.bodies.creature.body import drawn_bends, make_creature
from lope.addon.bodies.creature.template import creature_names, find_creature
from lope.addon.bodies.makers import body_from_dict, make_body
from lope.addon.bodies.model import Stepping, build_model
from lope.addon.errors import InputError
from lope.addon.specs.creature import Creature, read_creature
from lope.addon.specs.shot import BodySpec, Shot, World

pytestmark = pytest.mark.slow

NAMES = creature_names()


def posed(body):
    """The body's model in its neutral pose, as it is drawn."""
    model = build_model(body, World())
    data = mujoco.MjData(model)
    data.qpos[:] = model.qpos0
    data.qpos[:3] = body.creature.parts[0].joint_m
    mujoco.mj_forward(model, data)
    return model, data


@pytest.mark.parametrize("name", NAMES)
def test_a_creature_stands_as_it_is_drawn_over_its_feet(name):
    creature = find_creature(name)
    body = make_creature(creature)
    _, data = posed(body)
    for part in creature.parts:
        assert data.body(part.name).xpos == pytest.approx(part.joint_m, abs=1e-9)
        assert np.allclose(data.body(part.name).xmat, np.eye(3).ravel(), atol=1e-12)
    soles = [data.geom(point.name).xpos - [0.0, 0.0, point.radius_m] for point in body.contact_points]
    assert np.allclose([sole[2] for sole in soles], 0.0, atol=1e-9)
    assert min(sole[0] for sole in soles) < data.subtree_com[0][0] < max(sole[0] for sole in soles)
    assert all(shape.radius_m > 0.0 for shape in body_capsules(body))


def test_the_papers_creatures_are_as_heavy_as_was_measured():
    weights = {"ostrich": 76, "long_legs": 91, "human": 72, "dinosaur": 35, "long_neck": 60}
    for name, mass_kg in weights.items():
        assert make_creature(find_creature(name)).mass_kg == pytest.approx(mass_kg, rel=0.12)


def test_joints_fold_to_their_own_side_alone():
    body = make_creature(find_creature("ostrich"))
    knee, hock = (body.segment(name).range_rad for name in ("shank_L", "metatarsus_L"))
    drawn = drawn_bends(body.creature.legs[0])
    assert knee == pytest.approx((-drawn[0], np.radians(150.0) - drawn[0]))
    assert hock == pytest.approx((-np.radians(150.0) - drawn[1], -drawn[1]))


def test_a_shape_travels_in_a_shot_and_is_left_out_where_there_is_none(tmp_path):
    creature = find_creature("dinosaur")
    shot = Shot(body=BodySpec(kind="creature", creature=creature))
    told = json.loads(json.dumps(shot.to_dict()))
    assert Shot.from_dict(told) == shot
    assert "creature" not in Shot().to_dict()["body"]
    file = tmp_path / "mine.json"
    file.write_text(json.dumps(creature.to_dict()), encoding="utf-8")
    assert read_creature(file) == creature == find_creature(str(file))
    body = make_body(shot.body)
    again = body_from_dict(json.loads(json.dumps(body.to_dict())))
    assert again.to_dict() == body.to_dict() and again.creature == creature


def test_a_rig_s_file_is_no_creature_yet(tmp_path):
    rig = tmp_path / "gobot.glb"
    rig.write_bytes(b"glTF")
    with pytest.raises(InputError, match="is a rig: read the creature from it first, lope creature from --blend"):
        find_creature(str(rig))
    rig.unlink()
    with pytest.raises(InputError, match="There is no"):
        find_creature(str(rig))


@pytest.mark.parametrize(("change", "words"), [
    (lambda parts: parts[1:], "hangs on 'trunk'"),
    (lambda parts: [*parts, parts[-1]], "Two parts"),
    (lambda parts: [*parts, {**parts[0], "name": "other"}], "hangs on nothing"),
])
def test_parts_that_are_no_tree_are_refused(change, words):
    told = find_creature("human").to_dict()
    with pytest.raises(InputError, match=words):
        Creature.from_dict({**told, "parts": change(told["parts"])})


def test_a_body_of_that_kind_needs_a_shape_and_no_other_has_one():
    with pytest.raises(InputError, match="needs a creature's shape"):
        BodySpec(kind="creature")
    with pytest.raises(InputError, match="no creature's shape"):
        BodySpec(creature=find_creature("human"))


def thrown(body, bars, seconds=0.4):
    """How far [m] a body's left shank stays left of the right one, at the least, whose thighs are thrown inward in the air."""
    model = build_model(body, World(gravity_m_s2=0.5), bars=bars)
    data = mujoco.MjData(model)
    data.qpos[2] = 5.0
    for side, sign in (("L", -1.0), ("R", 1.0)):
        data.qvel[model.joint(f"thigh_{side}").dofadr[0]] = 4.0 * sign
    least = np.inf
    for _ in range(round(seconds / model.opt.timestep)):
        mujoco.mj_step(model, data)
        left, right = (data.body(f"shank_{side}").xipos for side in "LR")
        least = min(least, (left - right)[1])
    return least


def test_a_foot_of_which_only_the_bone_is_told_has_plain_numbers():
    """Of NumPy 2 a number is written as np.float64(0.1), which no model's text takes."""
    human = find_creature("human")
    parts = tuple(replace(part, heel_m=None, width_m=None) for part in human.parts)
    body = make_creature(replace(human, parts=parts))
    assert all(type(point.radius_m) is float for point in body.contact_points)


def test_legs_do_not_cross():
    body = make_creature(find_creature("human"))
    assert thrown(body, {}) < -0.05
    assert thrown(body, None) > 0.0


def test_the_trunk_bars_the_neck_and_neighbours_do_not():
    body = make_creature(find_creature("ostrich"))
    bars = {frozenset(name.removesuffix("_capsule_bar") for name in pair) for pair in body.bars_itself()}
    assert {frozenset(pair) for pair in (("trunk", "head"), ("neck_5", "trunk"), ("shank_L", "shank_R"))} <= bars
    assert not {frozenset(pair) for pair in (("trunk", "neck_1"), ("trunk", "thigh_L"), ("thigh_L", "thigh_R"))} & bars
    model = build_model(body, World())
    assert all(model.geom(name).id >= 0 for pair in body.bars_itself() for name in pair)
    assert build_model(body, World(), Stepping(capsules=True)).npair == 0


def test_a_push_on_the_chest_acts_on_the_middle_of_the_trunk():
    body = make_creature(find_creature("ostrich"))
    name, place = body.pushed("chest")
    assert name == "trunk" and place == pytest.approx(body.segment("trunk").com)

# SPDX-License-Identifier: GPL-3.0-or-later
"""A Body of any kind: roles, feet, sizes from its legs, and the tree as JSON."""

import json
from dataclasses import replace

import numpy as np
import pytest

from body_kit import BONE_M, RADIUS_M, creature
from lope.addon.bodies.body import Body
from lope.addon.bodies.human.anthropometry import standing_landmarks
from lope.addon.bodies.human.body import Human
from lope.addon.bodies.human.suit import load_suit
from lope.addon.bodies.makers import body_from_dict, make_body
from lope.addon.errors import BodyError
from lope.addon.specs.shot import BodySpec

ADULT = make_body(BodySpec())


def assert_equal_parts(one, other):
    """Segments, points and feet of two bodies are equal to the last bit."""
    for parts in ("segments", "contact_points", "feet"):
        assert len(getattr(one, parts)) == len(getattr(other, parts))
        for a, b in zip(getattr(one, parts), getattr(other, parts), strict=True):
            assert type(a) is type(b) and vars(a).keys() == vars(b).keys()
            for field, value in vars(a).items():
                assert np.array_equal(value, vars(b)[field]), field


@pytest.mark.parametrize("body", [
    ADULT, make_body(BodySpec(1.3, 31.7), load_suit("apollo-a7lb")), creature(3), creature(2, "planar"), creature(0)],
    ids=["human", "in a suit", "three feet", "planar", "no feet"])
def test_a_body_of_any_kind_survives_its_json_form_to_the_last_bit(body):
    again = body_from_dict(json.loads(json.dumps(body.to_dict())))
    assert_equal_parts(again, body)
    assert type(again) is type(body) and again.to_dict() == body.to_dict()
    assert again.roles == body.roles and again.bare_mass_kg == body.bare_mass_kg and again.kind == body.kind


def test_a_body_stored_by_its_landmarks_loads_as_it_was():
    """What Lope stored before the tree: landmarks, mass without suit, suit."""
    suit = load_suit("apollo-a7lb")
    body = Human.from_landmarks(standing_landmarks(1.7), 61.5, suit)
    old = {"mass_kg": 61.5, "landmarks": {k: v.tolist() for k, v in body.landmarks.items()}, "suit": suit.to_dict()}
    assert_equal_parts(body_from_dict(old), body)
    bare = body_from_dict({name: value for name, value in old.items() if name != "suit"})
    assert bare.mass_kg == pytest.approx(61.5)


def test_the_roles_and_feet_of_a_human():
    assert ADULT.kind == "human" and ADULT.roles == {"root": "pelvis", "trunk": "chest", "head": "head"}
    left, right = ADULT.feet
    assert (left.name, left.side, left.segment, left.leg) == ("L", "L", "foot_L", ("thigh_L", "shank_L", "foot_L"))
    assert [ADULT.contact_points[i].name for i in right.points] == [p.name for p in ADULT.contact_points if p.side == "R"]
    assert ADULT.children(left.segment) == ("toes_L",) and ADULT.foot("R") is right
    assert ADULT.way_to("shank_R") == ("pelvis", "thigh_R", "shank_R")


@pytest.mark.parametrize("gone, trunk", [((), "chest"), (("chest",), "lower_spine"), (("chest", "lower_spine"), "pelvis")])
def test_the_trunk_of_a_human_is_the_highest_part_of_the_spine_that_it_has(gone, trunk):
    body = Human.from_landmarks({k: v for k, v in standing_landmarks(1.8).items() if k not in gone}, 75.0)
    assert body.role("trunk") == trunk


def test_sizes_come_from_the_legs():
    body = creature(3)
    assert body.leg_length_m == pytest.approx(BONE_M)
    assert body.sole_height_m == pytest.approx(-BONE_M - RADIUS_M)
    assert body.pelvis_height_m == pytest.approx(0.05 + 2 * BONE_M + RADIUS_M)
    assert (body.coordinates, body.degrees_of_freedom, body.root_coordinates, body.root_freedom) == (14, 13, 7, 6)
    flat = creature(2, "planar")
    assert (flat.coordinates, flat.degrees_of_freedom, flat.root_coordinates, flat.root_freedom) == (8, 8, 3, 3)


@pytest.mark.parametrize("size", ["leg_length_m", "sole_height_m", "pelvis_height_m"])
def test_a_body_without_feet_says_so_where_legs_are_needed(size):
    with pytest.raises(BodyError, match="no feet"):
        getattr(creature(0), size)


def test_what_is_not_there_is_told_with_what_is():
    with pytest.raises(BodyError, match="role 'tail'; it has root, trunk, head"):
        creature().role("tail")
    with pytest.raises(BodyError, match="no foot 'L'; its feet are: leg 0, leg 1"):
        creature().foot("L")
    with pytest.raises(BodyError, match="its feet are: none"):
        creature(0).foot("L")


def parts():
    body = creature()
    return {"segments": list(body.segments), "contact_points": list(body.contact_points), "feet": list(body.feet),
            "roles": body.roles}


@pytest.mark.parametrize("change, words", [
    (lambda p: p["segments"].clear(), "at least one segment"),
    (lambda p: p["segments"].append(p["segments"][1]), "Two segments of this body have the name crest"),
    (lambda p: p["segments"].reverse(), "joint of segment lower_1 is 'hinge'; there it must be free or planar"),
    (lambda p: p["segments"].__setitem__(2, replace(p["segments"][2], joint="free")), "upper_0 is .free.; there it must"),
    (lambda p: p["segments"].__setitem__(2, replace(p["segments"][2], parent="x")), "parent of segment upper_0, 'x'"),
    (lambda p: p["roles"].update(head="skull"), "role head is on segment 'skull'"),
    (lambda p: p["roles"].update(root="crest"), "root of a body is its first segment, beam"),
    (lambda p: p["contact_points"].__setitem__(0, replace(p["contact_points"][0], segment="x")), "contact point point_0 is on"),
    (lambda p: p["feet"].__setitem__(0, replace(p["feet"][0], leg=("lower_0",) * 2)), "leg of foot leg 0 must be a chain"),
    (lambda p: p["feet"].__setitem__(0, replace(p["feet"][0], points=(1,))), "foot leg 0 needs a contact point")])
def test_parts_that_make_no_body_are_refused(change, words):
    made = parts()
    change(made)
    with pytest.raises(BodyError, match=words):
        Body(made["segments"], made["contact_points"], made["feet"], kind="creature", roles=made["roles"])

# SPDX-License-Identifier: GPL-3.0-or-later
"""How thick a figure is: read off its skin at rest, carried by the shot, and met by the ground when it falls. No Blender."""

from __future__ import annotations

import json

import numpy as np
import pytest

from lope.addon.bodies.capsules import MOST_OVER_FLESH, body_capsules
from lope.addon.bodies.human.anthropometry import standing_landmarks
from lope.addon.bodies.human.suit import load_suit
from lope.addon.bodies.makers import body_from_dict, make_body
from lope.addon.errors import InputError
from lope.addon.rigs.read.rest_pose import skin_thickness
from lope.addon.specs.shot import BodySpec, Shot

MARKS = standing_landmarks(1.8)
LANDMARKS = {name: tuple(map(float, place)) for name, place in MARKS.items()}


def tube(start: str, end: str, radii: tuple[float, float], ahead: float = 0.0) -> np.ndarray:
    """Skin (N, 3) round the line from one landmark to another, as deep and wide as `radii` say, its middle `ahead` of it."""
    way = np.linspace(0.0, 1.0, 40)[:, None, None]
    turn = np.linspace(0.0, 2.0 * np.pi, 48, endpoint=False)
    ring = np.column_stack([ahead + radii[0] * np.cos(turn), radii[1] * np.sin(turn), 0.0 * turn])
    return ((1.0 - way) * MARKS[start] + way * MARKS[end] + ring).reshape(-1, 3)


def test_limbs_are_as_thick_as_their_skin_and_trunks_as_deep():
    thighs = [tube(f"hip_{side}", f"knee_{side}", (0.07, 0.07)) for side in "LR"]
    skin = np.concatenate([*thighs, tube("chest", "neck", (0.11, 0.15), 0.03)])
    found = skin_thickness(skin, MARKS)
    assert found["thigh"] == pytest.approx((0.07, 0.0), abs=2e-3)
    assert found["chest"] == pytest.approx((0.11, 0.03), abs=8e-3)
    assert "foot" not in found and "shank" not in found, "there is no skin"
    assert skin_thickness(np.empty((0, 3)), MARKS) == {}


def test_a_strap_over_a_limb_does_not_count():
    strap = tube("hip_L", "knee_L", (0.15, 0.15))[960:1152]
    skin = np.concatenate([tube("hip_L", "knee_L", (0.07, 0.07)), strap])
    assert skin_thickness(skin, MARKS)["thigh"][0] == pytest.approx(0.07, abs=2e-3)


def spec(**skin: tuple[float, float]) -> BodySpec:
    return BodySpec(landmarks=LANDMARKS, skin_m=skin or None)


def shapes(body) -> dict:
    return {shape.name: shape for shape in body_capsules(body)}


def test_the_ground_meets_the_skin_and_other_limbs_the_flesh():
    plain, thick = shapes(make_body(spec())), shapes(make_body(spec(thigh=(0.12, 0.0), chest=(0.13, 0.02), head=(0.06, 0.0))))
    assert thick["thigh_L_capsule"].radius_m == pytest.approx(0.12)
    assert thick["thigh_L_capsule"].core_m == plain["thigh_L_capsule"].core_m
    assert thick["chest_capsule_0"].radius_m == pytest.approx(0.13)
    assert thick["chest_capsule_0"].start[0] == pytest.approx(0.02) and plain["chest_capsule_0"].start[0] == 0.0
    assert thick["head_capsule"].radius_m == pytest.approx(0.06)
    assert thick["shank_L_capsule"].radius_m == plain["shank_L_capsule"].radius_m
    skirt = shapes(make_body(spec(thigh=(0.9, 0.0))))["thigh_L_capsule"].radius_m
    assert skirt == pytest.approx(MOST_OVER_FLESH * plain["thigh_L_capsule"].radius_m)


def test_a_suit_goes_over_it_and_a_body_keeps_it():
    suit = load_suit("apollo-a7lb")
    bare, suited = shapes(make_body(spec(thigh=(0.12, 0.0)))), shapes(make_body(spec(thigh=(0.12, 0.0)), suit))
    assert suited["thigh_L_capsule"].radius_m == pytest.approx(bare["thigh_L_capsule"].radius_m)
    body = make_body(spec(thigh=(0.12, 0.01)))
    again = body_from_dict(json.loads(json.dumps(body.to_dict())))
    assert again.segment("thigh_L").ahead_m == 0.01 and again.to_dict() == body.to_dict()


def test_a_shot_carries_it_and_one_without_stays_as_it_was():
    assert "skin_m" not in Shot(body=spec()).to_dict()["body"]
    shot = Shot(body=spec(thigh=(0.12, 0.0)))
    assert Shot.from_dict(json.loads(json.dumps(shot.to_dict()))).body.skin_m == {"thigh": (0.12, 0.0)}
    with pytest.raises(InputError, match="must be"):
        BodySpec(landmarks=LANDMARKS, skin_m={"thigh": 0.1})

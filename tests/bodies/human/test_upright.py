# SPDX-License-Identifier: GPL-3.0-or-later
"""Trunks that lean or are bowed at rest are set upright in the neutral pose; those that stand as people do are left alone."""

from __future__ import annotations

import numpy as np
import pytest

from lope.addon.bodies.human.anthropometry import standing_landmarks
from lope.addon.bodies.human.landmarks import LEAN_DEG, SIDES, neutral_alignments, trunk_turns
from lope.addon.bodies.human.tree import legs_away, neutral_landmarks
from lope.addon.bodies.makers import make_body
from lope.addon.specs.shot import BodySpec


def bowed(degrees: dict[str, float], height_m: float = 1.75) -> dict[str, np.ndarray]:
    """A standing figure, each trunk segment turned forward about its joint with all above it."""
    p = standing_landmarks(height_m)
    chain = ["pelvis", "lower_spine", "chest", "neck", "head"]
    arms = [f"{mark}_{side}" for mark in ("clavicle", "shoulder", "elbow", "wrist", "hand_tip") for side in SIDES]
    for name, angle in degrees.items():
        c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
        turn = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
        above = chain[chain.index(name) + 1:] + ["head_top"] + (arms if name in chain[:3] else [])
        joint = p[name].copy()
        for mark in above:
            p[mark] = joint + turn @ (p[mark] - joint)
    return p


@pytest.mark.parametrize("degrees", [{}, {"pelvis": 6.0}, {"chest": 10.0, "neck": -10.0}, {"pelvis": -8.0}], ids=str)
def test_who_stands_as_people_do_is_left_alone(degrees):
    p = bowed(degrees)
    assert trunk_turns(p) == {}
    assert all(np.array_equal(neutral_alignments(p)[name], np.eye(3)) for name in ("pelvis", "chest", "clavicle_L", "head"))
    np.testing.assert_array_equal(neutral_landmarks(p)["shoulder_L"], p["shoulder_L"])


def lean_deg(points):
    """How far the line from hips to shoulders leans forward."""
    x, _, z = 0.5 * (points["shoulder_L"] + points["shoulder_R"]) - points["pelvis"]
    return np.degrees(np.arctan2(x, z))


@pytest.mark.parametrize("degrees", [{"pelvis": 20.0}, {"pelvis": -25.0},
                                     {"lower_spine": 25.0, "chest": 30.0, "head": -30.0}], ids=str)
def test_who_leans_or_is_bowed_is_set_upright(degrees):
    p = bowed(degrees)
    neutral = neutral_landmarks(p)
    assert not LEAN_DEG[0] <= lean_deg(p) <= LEAN_DEG[1]
    assert LEAN_DEG[0] - 0.1 <= lean_deg(neutral) <= LEAN_DEG[1] + 0.1
    for a, b in (("chest", "neck"), ("shoulder_L", "elbow_L"), ("elbow_R", "wrist_R"), ("clavicle_L", "shoulder_L")):
        assert np.linalg.norm(neutral[b] - neutral[a]) == pytest.approx(np.linalg.norm(p[b] - p[a]))
    assert neutral["elbow_L"][:2] == pytest.approx(neutral["shoulder_L"][:2])
    body = make_body(BodySpec(1.75, 70.0, {name: tuple(point) for name, point in p.items()}))
    upright = make_body(BodySpec(1.75, 70.0, {name: tuple(point) for name, point in bowed({}).items()}))
    assert body.leg_length_m == pytest.approx(upright.leg_length_m)


def test_a_bowed_back_unbends_where_it_is_bowed():
    turns = trunk_turns(bowed({"chest": 45.0, "head": -45.0}))
    angle = {name: -np.degrees(np.arctan2(turn[0, 2], turn[0, 0])) for name, turn in turns.items()}
    assert angle["chest"] == pytest.approx(25.0 + angle["pelvis"], abs=1.0)
    assert angle["pelvis"] == angle["lower_spine"] == angle["head"]
    assert 0.0 <= angle["pelvis"] < 12.0


def legs_turned(thigh_deg: float, knee_deg: float) -> dict[str, np.ndarray]:
    """A standing figure with its thighs swung ahead and its knees bent."""
    p = standing_landmarks(1.75)

    def swung(vector: np.ndarray, degrees: float) -> np.ndarray:
        c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
        return np.array([c * vector[0] - s * vector[2], vector[1], s * vector[0] + c * vector[2]])

    for side in SIDES:
        hip, knee, ankle = (p[f"{mark}_{side}"].copy() for mark in ("hip", "knee", "ankle"))
        p[f"knee_{side}"] = hip + swung(knee - hip, thigh_deg)
        p[f"ankle_{side}"] = p[f"knee_{side}"] + swung(ankle - knee, thigh_deg - knee_deg)
    return p


@pytest.mark.parametrize("thigh, knee", [(0.0, 0.0), (35.0, 65.0), (10.0, 0.0), (60.0, 110.0)])
def test_legs_under_the_body_are_left_alone(thigh, knee):
    assert legs_away(legs_turned(thigh, knee)) is None


@pytest.mark.parametrize("thigh, knee, ahead", [(40.0, 4.0, True), (-30.0, 30.0, False), (90.0, 90.0, True)])
def test_legs_as_in_a_jump_or_on_a_chair_are_told(thigh, knee, ahead):
    found = legs_away(legs_turned(thigh, knee))
    assert (found.feet_m > 0.0) == ahead
    assert found.thighs_deg == pytest.approx(abs(thigh), abs=3.0) and found.knees_deg == pytest.approx(knee, abs=6.0)

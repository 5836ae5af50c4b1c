# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures of creatures: known answers of made-up walks, each fault seen by its own measure, and a card without people."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from body_kit import bone
from creature_take import creature_take
from creature_walk import creature_walk
from lope.addon.bodies.body import Body
from lope.addon.bodies.creature.body import make_creature
from lope.addon.bodies.creature.template import creature_names, find_creature
from lope.addon.reports.card import Card, Line, judged, physics_card
from lope.addon.reports.creature import (
    CREATURE_MUSCLED,
    CREATURE_RULES,
    CREATURE_UNITS,
    GROUPS,
    OF_WALKS,
    least_gaps_m,
    settled_strides,
    standing_legs_m,
    tail_of,
)
from lope.addon.reports.needs import answers
from lope.addon.reports.rules import AMBER, GREEN, NOT_JUDGED, RED
from lope.addon.sim.take import Take
from take_factory import Walk, make_take


def measure_creature(take):
    return answers(take, GROUPS, tuple(CREATURE_UNITS))


def changed(take: Take, **arrays: np.ndarray) -> Take:
    """The take with some of its arrays replaced."""
    return dataclasses.replace(take, arrays={**take.arrays, **arrays})


def with_tail(body: Body) -> Body:
    """The body with two bones that hang behind its root."""
    back = np.array([-0.3, 0.0, 0.0])
    tail = [dataclasses.replace(bone(name, parent, "ball", at), tip=back)
            for name, parent, at in (("t1", body.segments[0].name, (-0.1, 0.0, 0.1)), ("t2", "t1", back))]
    return Body([*body.segments, *tail], body.contact_points, body.feet, kind=body.kind, roles=body.roles)


@pytest.mark.parametrize("walk", [Walk(seconds=20.0), Walk(speed=0.5, frequency=0.52, gravity=1.62, seconds=60.0),
                                  Walk(duty=0.4, speed=2.5, heading=2.5, seconds=20.0)], ids=["walk", "moon", "run"])
def test_a_walk_of_known_measures(walk):
    take = make_take(walk)
    found, leg = measure_creature(take).values, take.body.leg_length_m
    time = np.sqrt(leg / walk.gravity)
    exact = {"settled_speed_m_s": walk.speed, "speed_over_leg_speed": walk.speed * time / leg,
             "settled_froude": walk.speed**2 / (walk.gravity * leg), "step_time_over_leg_time": 0.5 / walk.frequency / time,
             "step_length_over_leg": 0.5 * walk.speed / walk.frequency / leg, "force_mean_over_mg": 1.0, "slip_mm_per_step": 0.0,
             "step_time_unlike_percent": 0.0, "head_bob_over_leg": walk.bob / leg, "head_nod_deg": 0.0,
             "heading_drift_deg_s": 0.0, "leg_in_stance": 1.0, "toe_drag_share": 0.0, "toe_clearance_over_leg": 0.05 / leg,
             "settled_speed_over_asked": walk.speed / 1.2, "walked_s": walk.seconds}
    for name, value in exact.items():
        assert found[name] == pytest.approx(value, rel=0.02, abs=0.01), name
    assert found["stance_share"] == pytest.approx(walk.duty, abs=0.01)
    assert found["double_support_share"] == pytest.approx(max(0.0, 2.0 * walk.duty - 1.0), abs=0.01)
    assert found["flight_share"] == pytest.approx(max(0.0, 1.0 - 2.0 * walk.duty), abs=0.01)
    assert list(found) == list(CREATURE_UNITS)


def test_getting_under_way_does_not_count_nor_what_comes_after_a_fall():
    take = make_take(Walk(seconds=20.0), stats={"time_fell_s": 15.0, "planned_speed_m_s": 1.0})
    at_rest = dataclasses.replace(take, arrays={**take.arrays, "com_velocity_m_s": np.zeros((len(take.time_s), 3))})
    times = settled_strides(at_rest).time_s
    assert times[0] >= 6.0 and times[-1] <= 15.0
    assert settled_strides(take).time_s[0] < 2.0 and settled_strides(take).time_s[-1] == times[-1]
    assert settled_strides(make_take(Walk(seconds=1.2))) is None


def test_without_strides_feet_or_a_tail_it_says_why():
    for take in (creature_take(2), creature_take(1), creature_take(0), make_take(Walk(seconds=1.0))):
        found = measure_creature(take)
        silent = {name for name, value in found.values.items() if value is None} - set(found.reasons)
        assert not silent
    assert "no tail" in measure_creature(make_take(Walk(seconds=20.0))).reasons["tail_swing_deg"]
    hop = measure_creature(creature_take(2, seconds=10.0)).values
    assert hop["flight_share"] == pytest.approx(0.4, abs=0.01) and hop["settled_speed_m_s"] == 0.0


@pytest.mark.slow
def test_toes_that_drag_and_feet_that_cross():
    take = make_take(Walk(seconds=20.0))
    loads, places = take.contact_point_force_n.copy(), take.contact_point_m.copy()
    within = (take.time_s * 0.8) % 1.0
    left = [i for i, p in enumerate(take.body.contact_points) if p.side == "L"]
    loads[np.ix_((within > 0.75) & (within < 0.85), left)] = 50.0
    found = measure_creature(changed(take, contact_point_force_n=loads)).values
    assert found["toe_drag_share"] == pytest.approx(0.5, abs=0.05)
    places[:, left, 1] -= 0.1
    assert measure_creature(take).values["feet_crossed_share"] == 0.0
    assert measure_creature(changed(take, contact_point_m=places)).values["feet_crossed_share"] == 1.0


def test_the_tail_is_found_and_its_swing_against_the_legs():
    body = with_tail(make_take(Walk()).body)
    assert tail_of(body) == ("t1", "t2") and tail_of(make_take(Walk()).body) == ()
    take = make_take(Walk(seconds=20.0), body)
    joints = take.joint_quaternions.copy()
    k = body.joint_segments.index("t1")
    first, second = (take.contact_point_m[:, list(foot.points), 0].mean(axis=1) for foot in body.feet)
    feet = first - second
    angle = 0.1 * feet / np.abs(feet).max()  # about z: a tail behind goes right with a positive turn
    joints[:, k] = np.stack([np.cos(angle / 2), 0 * angle, 0 * angle, np.sin(angle / 2)], axis=1)
    found = measure_creature(changed(take, joint_quaternions=joints)).values
    assert found["tail_against_legs"] == pytest.approx(1.0, abs=0.05)
    assert found["tail_swing_deg"] == pytest.approx(np.degrees(0.1) * np.ptp(feet) / np.abs(feet).max(), rel=0.2)
    mirrored = joints * [1.0, 1.0, 1.0, -1.0]
    assert measure_creature(changed(take, joint_quaternions=mirrored)).values["tail_against_legs"] < -0.9


@pytest.mark.parametrize("name", creature_names())
def test_creatures_as_they_stand_are_apart(name):
    creature = find_creature(name)
    take = creature_take(body=make_creature(creature), seconds=0.1)
    assert tail_of(take.body) == tuple(part.name for part in creature.of_kind("tail"))
    gaps = least_gaps_m(take)
    assert gaps["legs"] > 0.0 and gaps["body"] > 0.0


@pytest.mark.slow
def test_a_bent_leg_is_a_crouch_and_legs_that_cross_have_no_gap():
    take = make_take(Walk(seconds=20.0))
    body = take.body
    joints = take.joint_quaternions.copy()
    for side in "LR":  # knees by 60 degrees
        joints[:, body.joint_segments.index(f"shank_{side}")] = [np.cos(np.pi / 6), 0.0, np.sin(np.pi / 6), 0.0]
    found = measure_creature(changed(take, joint_quaternions=joints)).values
    thigh, shank = (np.linalg.norm(body.segment(n).offset) for n in ("shank_L", "foot_L"))
    bent = np.sqrt(thigh**2 + shank**2 + thigh * shank)
    assert found["leg_in_stance"] == pytest.approx(bent / standing_legs_m(body)[0], rel=1e-3)
    gaps = []
    for turn in (0.0, 0.2, -0.2):
        aside = take.joint_quaternions.copy()
        aside[:, body.joint_segments.index("thigh_L")] = [np.cos(turn), np.sin(turn), 0.0, 0.0]
        gaps.append(least_gaps_m(changed(take, joint_quaternions=aside))["legs"])
    assert gaps[2] < 0.0 < gaps[0] < gaps[1]


@pytest.mark.slow
@pytest.mark.parametrize("name, key, values", [
    ("landing", "landing_peak_over_mg", (2.0, 3.0, 4.0)), ("crouch", "leg_in_stance", (0.95, 0.85, 0.7)),
    ("toes", "toe_drag_share", (0.0, 0.05, 0.5)), ("head", "head_bob_over_leg", (0.03, 0.1, 0.2)),
    ("speed", "settled_speed_over_asked", (1.04, 0.92, 0.7)), ("crossing", "legs_gap_m", (0.01, -0.01, -0.05)),
    ("heading", "heading_drift_deg_s", (-0.5, 2.0, -9.0)), ("tail", "tail_bob_deg", (10.0, 30.0, 50.0)),
    ("effort", "cost_of_transport_j_kg_m", (4.0, 10.0, 30.0)), ("slip", "slip_mm_per_step", (2.0, 20.0, 40.0)),
])
def test_each_rule_has_its_three_grades(name, key, values):
    rule = next(rule for rule in (*CREATURE_RULES, *CREATURE_MUSCLED) if rule.name == name)
    good = measure_creature(make_take(Walk(seconds=20.0))).values | {"one_sided": False}
    for value, grade in zip(values, (GREEN, AMBER, RED), strict=True):
        assert judged(rule, good | {key: value}).grade == grade
    assert judged(rule, dict.fromkeys(good)).grade == NOT_JUDGED
    assert not any(word in rule.says for word in ("people", "person", "human"))


def test_who_was_to_turn_is_not_judged_by_its_heading():
    rule = next(rule for rule in CREATURE_RULES if rule.name == "heading")
    assert judged(rule, {"heading_drift_deg_s": 9.0, "one_sided": True}).grade == NOT_JUDGED


def test_every_line_of_the_card_stands_in_the_handbook():
    text = (Path(__file__).resolve().parents[2] / "docs" / "measures.md").read_text(encoding="utf-8")
    table = text[text.index("A creature is judged by these lines"):]
    for rule in (*CREATURE_RULES, *CREATURE_MUSCLED):
        assert f"| {rule.name} |" in table, rule.name


def test_a_card_begins_with_what_makes_it_so_and_names_it():
    lines = tuple(Line(name, grade, 1.0, 0.0, 0.0, "", "so") for name, grade in
                  (("slip", AMBER), ("speed", RED), ("nod", GREEN), ("toes", RED)))
    rows = Card(lines, True).short().split("\n")
    assert [row.split(":")[0].strip() for row in rows] == ["physics card", "speed", "toes", "slip"]
    assert Card(lines, True).short().startswith("physics card: red (speed, toes)\n")
    assert Card(lines).short().startswith("physics card: red\n"), "a person's is as it was"


def test_who_falls_at_once_is_not_judged_as_one_who_walks():
    made = creature_walk(find_creature("dinosaur"))
    for fell_s, there in ((1.5, False), (2.5, True)):
        names = {line.name for line in physics_card(dataclasses.replace(made, stats={**made.stats, "time_fell_s": fell_s})).lines}
        assert "fall" in names
        for name in OF_WALKS:
            assert (name in names) is there, name

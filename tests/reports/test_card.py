# SPDX-License-Identifier: GPL-3.0-or-later
"""The physics card: each rule turns green, amber and red at its thresholds and says why."""

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest

from lope.addon.gaits.pose_gaits import load_pose_gait
from lope.addon.reports.card import MOMENTS, joint_words, judged, physics_card
from lope.addon.reports.measures import measure, measure_gait, study
from lope.addon.reports.rules import AMBER, FOLLOWED, GAITED, GREEN, MUSCLED, NOT_JUDGED, RED, RULES, rules_of
from lope.addon.sim.simulation import simulate
from lope.addon.specs.motions import KeyPoses, Reflex, Stand
from lope.addon.specs.path import PathSpec
from lope.addon.specs.shot import Shot
from lope.addon.specs.steering import Key
from take_factory import Walk, make_take


def measures(**more) -> dict:
    """Those of a good walk, with some replaced."""
    take = make_take(Walk())
    return measure(take) | measure_gait(take) | {
        "one_sided": False, "steered": False, "outcome": "stands", "joint": "the left knee"} | more


def line(name: str, **more):
    """One rule's line for the good walk's measures, some replaced."""
    return judged(next(rule for rule in GAITED if rule.name == name), measures(**more))


@pytest.mark.slow
@pytest.mark.parametrize("name, key, values", [
    ("fall", "fell", (False, None, True)),
    ("slip", "foot_slip_mm_per_stride", (15.4, 15.6, 31.0)),
    ("penetration", "penetration_mm_max", (8.0, 12.0, 16.0)),
    ("mean force", "grf_mean_over_mg", (0.981, 1.04, 1.06)),
    ("peak force", "grf_peak_over_soft", (1.2, 1.8, 2.1)),
    ("friction", "friction_use_typical", (0.3, 0.8, 0.95)),
    ("torque", "torque_over_human_max", (1.0, 1.1, 1.21)),
    ("symmetry", "asymmetry_stance_time_percent", (4.0, 9.0, 11.0)),
    ("smoothness", "jolt_over_clip", (1.9, 3.0, 4.1)),
    ("speed", "speed_over_planned", (0.96, 1.08, 1.2)),
    ("path", "path_error_m", (0.1, 0.4, 0.6)),
    ("heading", "heading_off_deg", (9.0, 20.0, 26.0)),
    ("crossing", "crossing_mm", (19.0, 40.0, 51.0)),
])
def test_each_rule_has_its_three_grades(name, key, values):
    for value, grade in zip(values, (GREEN, AMBER, RED), strict=True):
        if value is not None:
            found = line(name, **{key: value})
            assert found.grade == grade, (name, value)
            assert "green to" in found.reason and "amber to" in found.reason


def test_flights_are_judged_where_there_are_any():
    assert line("flight").grade == NOT_JUDGED
    assert line("flight", flights_per_stride=2.0, flight_over_ballistic_worst=1.2).grade == RED


@pytest.mark.parametrize("shot", [Shot(motion=KeyPoses(load_pose_gait("walk"))), Shot(motion=Stand()),
                                  Shot(motion=Reflex())], ids=["key poses", "standing", "reflexes"])
def test_nothing_is_advised_that_the_shot_does_not_have(shot):
    told = {rule.name: f"{rule.says} {rule.advice}" for rule in rules_of(shot)}
    assert list(told) == [rule.name for rule in RULES]
    for name, words in told.items():
        assert not any(absent in words for absent in ("Bounce", "Style", "the captured", "the gait's own", "clip")), name
    assert isinstance(shot.motion, KeyPoses) or "gait" not in " ".join(told.values())


def test_every_rule_gives_a_reason():
    for rule in GAITED:
        assert len(rule.why) > 20 and rule.green <= rule.amber


def test_a_good_walk_is_no_worse_than_its_made_up_landing():
    card = physics_card(make_take(Walk()))
    grades = {found.name: found.grade for found in card.lines}
    assert grades["mean force"] == GREEN and grades["slip"] == GREEN and grades["speed"] == GREEN
    assert card.grade in (GREEN, AMBER)
    assert json.loads(json.dumps(card.to_dict(), allow_nan=False)) == card.to_dict()


def test_the_worst_line_is_the_card_s_grade():
    slipping = physics_card(make_take(Walk(slip=0.05)))
    line = next(x for x in slipping.lines if x.name == "slip")
    assert slipping.grade == RED and "slide 49 mm" in line.reason
    assert "Lock Feet" in line.advice and 0.0 <= line.at_s <= 30.0 and f"worst at {line.at_s:.2f} s" in slipping.text()
    assert slipping.text().splitlines()[0] == "physics card: red"


def test_who_stands_and_does_otherwise_than_asked_is_not_done():
    slow = dataclasses.replace(make_take(Walk()), stats={**make_take(Walk()).stats, "planned_speed_m_s": 3.0})
    assert [words.partition(" is ")[0] for words in physics_card(slow).undone] == ["its speed"]
    assert physics_card(slow).to_dict()["undone"] and physics_card(make_take(Walk())).undone == ()
    fallen = dataclasses.replace(slow, stats={**slow.stats, "time_fell_s": 7.0})
    assert physics_card(fallen).undone == (), "a fall says enough"
    assert physics_card(make_take(Walk(slip=0.05))).undone == (), "red, and still the motion that was asked for"


def test_a_fall_is_red_and_told():
    card = physics_card(make_take(Walk(), stats={"time_fell_s": 7.0}))
    assert card.grade == RED and "falls after 7.0 s" in card.lines[0].reason


def test_too_short_a_take_is_not_judged_by_strides():
    card = physics_card(make_take(Walk(seconds=1.2)))
    grades = {found.name: found.grade for found in card.lines}
    assert grades["mean force"] == grades["symmetry"] == grades["smoothness"] == NOT_JUDGED
    assert grades["fall"] == GREEN and grades["penetration"] == GREEN
    assert card.grade == NOT_JUDGED, "nothing is known of the gait"
    assert card.short() == "physics card: not judged (nothing to judge: it is too short to hold a whole stride)"
    assert card.to_dict()["why"] == card.why and physics_card(make_take(Walk())).why == ""


def test_who_stands_is_not_judged_and_the_card_says_why():
    card = physics_card(simulate(Shot(motion=Stand(), duration_s=0.5)))
    assert card.short() == "physics card: not judged (nothing to judge: who stands has no strides)"
    assert card.text().startswith(card.short()) and "controller" not in card.text()


def test_every_line_stands_in_the_handbook():
    text = (Path(__file__).resolve().parents[2] / "docs" / "measures.md").read_text(encoding="utf-8")
    tables = text[text.index("\n## The physics card\n"):text.index("\nA creature is judged by these lines")]
    for rule in (*GAITED, *FOLLOWED, *MUSCLED):
        assert f"\n| {rule.name} |" in tables, rule.name


def test_every_line_with_a_moment_is_a_rule():
    assert set(MOMENTS) < {rule.name for rule in (*RULES, *FOLLOWED)}


@pytest.mark.parametrize("name", sorted(MOMENTS.keys() - {"pose", "way"}))
def test_every_moment_lies_in_the_take(name):
    take = make_take(Walk(slip=0.02), stats={"time_fell_s": 8.0} if name == "fall" else {})
    if name != "flight":  # this walk has none
        assert take.time_s[0] <= MOMENTS[name](take) <= take.time_s[-1]


def test_joints_are_called_as_people_call_them():
    assert joint_words("shank_L") == "the left knee" and joint_words("toes_R") == "the right toes"
    assert joint_words("wing") == "the joint of wing" and joint_words(None) == "the joint of None"


def test_skipping_and_curves_are_not_asked_for_symmetry():
    take = make_take(Walk())
    contact = take.contact.copy()
    contact[:, 0] |= np.roll(contact[:, 0], 12)
    uneven = dataclasses.replace(take, arrays={**take.arrays, "contact": contact})
    for more, grade in (({}, RED), ({"name": "skip"}, NOT_JUDGED), ({"path": PathSpec(kind="circle")}, NOT_JUDGED)):
        shot = take.shot.with_motion(**more)
        card = physics_card(dataclasses.replace(uneven, shot=shot))
        assert next(x for x in card.lines if x.name == "symmetry").grade == grade


def test_a_keyed_shot_is_not_held_to_the_speed_of_its_last_part():
    take = make_take(Walk(speed=0.8))
    assert next(line.grade for line in physics_card(take).lines if line.name == "speed") == RED
    keyed = dataclasses.replace(take, shot=take.shot.with_motion(keys=(Key(3.0, "lope"), Key(6.0, "walk"))))
    known = study(keyed)
    speed = next(line for line in physics_card(keyed, known).lines if line.name == "speed")
    assert speed.grade == NOT_JUDGED and "keyed" in speed.reason
    assert known.values["planned_speed_m_s"] is None and "keyed" in known.reasons["planned_stride_frequency_hz"]

# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures and physics card of a take that follows a clip: what is judged, what is not and why."""

import dataclasses
import json

import numpy as np
import pytest

from lope.addon.reports.card import MOMENTS, physics_card
from lope.addon.reports.following import FOLLOW_UNITS, JOINT_ERROR, OFF_PLAN
from lope.addon.reports.measures import GAIT_UNITS, UNITS, measure, study
from lope.addon.reports.needs import EVEN
from lope.addon.reports.rules import AMBER, FOLLOWED, GREEN, NOT_JUDGED, RED, rules_of
from lope.addon.sim.take import Channel
from lope.addon.specs.disturbances import punch
from lope.addon.specs.motions import Clip
from lope.addon.specs.shot import Push, Shot
from lope.addon.worlds.planets import load_world
from take_factory import Walk, make_take

pytestmark = pytest.mark.slow

TOLD = {"foot_off_print_m_max": 0.04, "touchdown_timing_ms_median": 12.0, "followed_fraction": 1.0,
        "planned_speed_m_s": None, "planned_stride_frequency_hz": None}


def followed(joint_deg=3.0, off_m=0.02, stats=None, walk=None):
    """A take that follows a clip, off it by so much, twice as far in its second half."""
    take = make_take(walk or Walk(), stats=TOLD | (stats or {}))
    shot = dataclasses.replace(take.shot, motion=Clip("clip.bvh"))
    late = 1.0 + (take.time_s > 5.0)
    return dataclasses.replace(take, shot=shot, channels={
        JOINT_ERROR: Channel("deg", joint_deg * late), OFF_PLAN: Channel("m", off_m * late)})


def test_how_well_the_clip_is_followed_is_measured():
    found = study(followed())
    assert list(found.values) == [*UNITS, *FOLLOW_UNITS, *GAIT_UNITS]
    assert found.values["joint_error_rms_deg"] == pytest.approx(3.0 * np.sqrt(2.5), rel=0.01)
    assert found.values["com_off_plan_m_mean"] == pytest.approx(0.03, rel=0.01)
    assert {name: found.values[name] for name in TOLD if name in FOLLOW_UNITS} == {
        "foot_off_print_m_max": 0.04, "touchdown_timing_ms_median": 12.0, "followed_fraction": 1.0}
    assert json.loads(json.dumps(found.values, allow_nan=False)) == found.values


def test_other_takes_have_none_of_it():
    assert not FOLLOW_UNITS.keys() & study(make_take(Walk())).values.keys()


def test_only_what_went_before_a_fall_counts():
    assert measure(followed(stats={"time_fell_s": 5.0}))["joint_error_rms_deg"] == pytest.approx(3.0)


def test_who_takes_over_at_a_fall_tells_nothing_of_the_clip():
    take = followed(stats={"time_fell_s": 5.0})
    gone = take.time_s >= 5.0
    limp = {name: Channel(one.unit, np.where(gone, np.nan, one.values)) for name, one in take.channels.items()}
    take = dataclasses.replace(take, channels=limp)
    assert measure(take)["joint_error_rms_deg"] == pytest.approx(3.0) and MOMENTS["way"](take) < 5.0


def test_measures_over_strides_say_why_they_are_not_there():
    found = study(followed())
    for name in ("mean_speed_m_s", "stride_frequency_hz", "flights_per_stride", "asymmetry_step_time_percent", "jolt_over_clip"):
        assert found.values[name] is None and found.reasons[name] == EVEN.absent
    silent = {name for name, value in found.values.items() if value is None} - found.reasons.keys()
    assert silent <= {"time_fell_s", "time_rest_s", "lost", "sim_s_per_cpu_s"}


def test_a_controller_that_tells_nothing_is_said_so():
    take = dataclasses.replace(followed(), channels={}, stats={"time_fell_s": None})
    reasons = study(take).reasons
    assert "does not tell" in reasons["joint_error_rms_deg"] and "does not tell" in reasons["followed_fraction"]


def test_flights_count_wherever_they_are():
    take = followed(walk=Walk(duty=0.3, frequency=1.0, seconds=4.0))  # in the air for the last 0.2 s of each half second
    velocity = take.com_velocity_m_s.copy()
    velocity[:, 2] = 9.81 * (0.1 - (take.time_s + 0.215) % 0.5)
    found = study(dataclasses.replace(take, arrays={**take.arrays, "com_velocity_m_s": velocity}))
    assert found.values["flight_time_s"] == pytest.approx(0.2, abs=0.011)
    assert found.values["flight_over_ballistic_worst"] == pytest.approx(1.0, abs=0.06)
    assert study(followed()).reasons["flight_time_s"] == "no flight"


def test_the_card_speaks_of_the_clip():
    card = physics_card(followed())
    assert [line.name for line in card.lines] == [rule.name for rule in FOLLOWED]
    grades = {line.name: line.grade for line in card.lines}
    assert grades["pose"] == grades["way"] == grades["slip"] == GREEN and card.grade != NOT_JUDGED
    bad = {line.name: line for line in physics_card(followed(joint_deg=4.0, off_m=0.2)).lines}
    assert bad["pose"].grade == AMBER and "6.3 degrees off the clip" in bad["pose"].reason and bad["pose"].at_s > 5.0
    assert bad["way"].grade == RED and "0.30 m off its plan" in bad["way"].reason and "Stretch" in bad["way"].advice
    undone = physics_card(followed(joint_deg=8.0, off_m=0.4)).undone
    assert [words.partition(" ")[0] for words in undone] == ["joints", "its"] and card.undone == ()
    assert "gait" not in card.text() and "Stretch" not in "".join(rule.advice for rule in rules_of(Shot()))


@pytest.mark.parametrize("struck", [
    {"pushes": (Push(1.0, 0.2, (50.0, 0.0, 0.0)),)}, {"hits": (punch(1.0, "chest", 20.0, (-1.0, 0.0, 0.0)),)},
], ids=["pushed", "hit"])
def test_who_is_pushed_or_hit_is_not_held_to_the_clip(struck):
    take = followed(joint_deg=8.0, off_m=0.4)
    card = physics_card(dataclasses.replace(take, shot=dataclasses.replace(take.shot, **struck)))
    lines = {line.name: line for line in card.lines}
    for name in ("pose", "way"):
        assert lines[name].grade == NOT_JUDGED and lines[name].advice == "" and "as was asked" in lines[name].reason
        assert {line.name: line.grade for line in physics_card(take).lines}[name] == RED
    assert lines["fall"].grade == lines["slip"].grade == GREEN


def test_every_rule_for_clips_gives_a_reason_and_its_moments_are_known():
    for rule in FOLLOWED:
        assert len(rule.why) > 20 and rule.green <= rule.amber
    take = followed()
    for name in {"pose", "way"}:
        assert take.time_s[0] <= MOMENTS[name](take) <= take.time_s[-1]


def test_advice_speaks_of_what_the_shot_has():
    moon, push = load_world("moon"), Push(1.0, 0.2, (50.0, 0.0, 0.0))

    def advice(flights=0, world=moon, pushes=(), **follow):
        follow = {"flight": "velocity", **follow}
        shot = Shot(motion=Clip("clip.bvh", **follow), world=world, pushes=pushes)
        return {rule.name: rule.advice for rule in rules_of(shot, flights)}["fall"]

    assert advice() == advice(1, flight="height") == advice(1, load_world("earth"), time="clip") == "a Stretch above 1"
    assert advice(stretch=1.5) == "a larger Stretch"
    assert advice(1) == "jumps that keep their height" and advice(time="clip") == "the planet's time"
    assert advice(1, pushes=(push,)) == "jumps that keep their height, or weaker pushes"


def test_the_card_knows_the_clips_flights():
    take = followed(stats={"clip_flights": 2, "time_fell_s": 5.0})
    shot = dataclasses.replace(take.shot, world=load_world("moon"), motion=Clip("clip.bvh", flight="velocity"))
    card = physics_card(dataclasses.replace(take, shot=shot))
    assert card.lines[0].advice == "jumps that keep their height"

# SPDX-License-Identifier: GPL-3.0-or-later
"""Feasible speed ranges: reading, interpolation, and the refusal of a speed outside."""

import json
import math
from dataclasses import replace

import pytest

from lope.addon.bodies.human.anthropometry import standing_landmarks
from lope.addon.bodies.makers import make_body
from lope.addon.commands.simulate import not_promised
from lope.addon.errors import InputError
from lope.addon.gaits import ranges
from lope.addon.gaits.choice import with_gait
from lope.addon.gaits.ranges import (
    OTHERS,
    OWN_ROOM,
    OWN_SLACK,
    check_feasible,
    feasible_range,
    gaits_for,
    held_speed,
    promised_range,
    read_ranges,
    top_heavy,
    unlike,
    usual,
)
from lope.addon.locomotion.gait.shot_gait import gait_variables, shot_cycle
from lope.addon.sim.simulation import preview, simulate
from lope.addon.specs.motions import Gait, Stand
from lope.addon.specs.shot import BodySpec, GroundSpec, Shot, World
from lope.scripts.tools.find_ranges import write_ranges

ROWS = [{"gravity_m_s2": 1.0, "low": 0.2, "high": 0.8}, {"gravity_m_s2": 16.0, "low": 0.4, "high": 0.6}]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder of ranges of two made-up gaits."""
    monkeypatch.setattr(ranges, "FOLDER", tmp_path)
    write_ranges(tmp_path / "walk.json", "walk", ROWS[::-1], 8, "made up")
    write_ranges(tmp_path / "run.json", "run", [{"gravity_m_s2": 9.81, "low": 0.55, "high": 2.0}], 8, "made up")
    return tmp_path


def test_written_ranges_are_read_back_sorted(folder):
    table = read_ranges(folder / "walk.json")
    assert (table.gait, table.gravity_m_s2, table.low, table.high) == ("walk", (1.0, 16.0), (0.2, 0.4), (0.8, 0.6))


def test_range_is_interpolated_over_the_logarithm_of_gravity(folder):
    low, high = feasible_range("walk", 4.0, 0.9)
    unit = math.sqrt(4.0 * 0.9)
    assert (low, high) == pytest.approx((0.3 * unit, 0.7 * unit))
    low, high = feasible_range("walk", 0.5, 0.9)
    assert (low, high) == pytest.approx((0.2 * math.sqrt(0.45), 0.8 * math.sqrt(0.45)))


def test_gait_without_a_stored_range_is_not_refused(folder):
    assert feasible_range("hop", 9.81, 0.9) is None
    check_feasible("hop", 9.0, 9.81, 0.9)


def test_speed_outside_is_refused_with_the_range_and_the_gait_that_can(folder):
    check_feasible("walk", 1.5, 9.81, 0.9)
    assert gaits_for(3.0, 9.81, 0.9) == ["run"]
    with pytest.raises(InputError, match=r"to 1\.89 m/s; run can do it.*force") as caught:
        check_feasible("walk", 3.0, 9.81, 0.9)
    assert "3 m/s" in str(caught.value) and "0.90 m" in str(caught.value)
    with pytest.raises(InputError, match="no other gait"):
        check_feasible("walk", 9.0, 9.81, 0.9)


def test_simulation_and_plan_refuse_unless_forced(folder):
    for ask in (simulate, preview):
        with pytest.raises(InputError, match="run can do it"):
            ask(Shot(motion=Gait(speed_m_s=3.0), duration_s=1.0))
    assert preview(Shot(motion=Gait(speed_m_s=3.0, force=True), duration_s=1.0)) is not None


def test_an_own_speed_outside_is_brought_inside(folder):
    unit = math.sqrt(9.81 * 0.9)
    for own, held in ((1.0, 1.0), (2.0 * OWN_SLACK, 2.0 * OWN_SLACK), (2.5, 2.0 / OWN_ROOM), (0.3, 0.55 * OWN_ROOM)):
        assert held_speed("run", own * unit, 9.81, 0.9) == pytest.approx(held * unit)
    assert held_speed("hop", 9.0, 9.81, 0.9) == 9.0
    write_ranges(folder / "skip.json", "skip", [{"gravity_m_s2": 9.81, "low": 0.5, "high": 0.55}], 8, "made up")
    assert 0.5 < held_speed("skip", 2.0 * unit, 9.81, 0.9) / unit < 0.55


def test_a_gait_that_falls_at_its_own_speed_takes_one_that_stands(folder):
    body, shot = make_body(BodySpec()), Shot(motion=Gait("run"), world=World("here", 9.81))
    own = gait_variables(shot, shot_cycle(shot), body)
    write_ranges(folder / "run.json", "run", [{"gravity_m_s2": 9.81, "low": 0.55, "high": 0.8}], 8, "made up")
    read_ranges.cache_clear()
    held = gait_variables(shot, shot_cycle(shot), body)
    assert held.speed_m_s == pytest.approx(0.8 / OWN_ROOM * math.sqrt(9.81 * body.leg_length_m))
    assert held.speed_m_s < own.speed_m_s
    assert gait_variables(shot.with_motion(force=True), shot_cycle(shot), body) == own
    uphill = replace(shot, world=World("here", 9.81, ground=GroundSpec(kind="slope", slope_deg=8.0)))
    assert gait_variables(uphill, shot_cycle(shot), body).speed_m_s < held.speed_m_s


@pytest.mark.parametrize(("change", "told"), [
    ({"rows": []}, "at least one row"),
    ({"rows": [{"gravity_m_s2": 1.0, "low": 0.2}]}, "Row 0 cannot be used: The row fields lack high"),
    ({"rows": [{"gravity_m_s2": 1.0, "low": 0.8, "high": 0.2}]}, "not below low"),
    ({"rows": ROWS[::-1]}, "sorted"),
    ({"gait": "run"}, "file's name"), ({"rows": [{"gravity_m_s2": 9.81, "low": "0", "high": 1.0}]}, "Row 0 cannot be used: Low"),
    ({"format": 99}, "Update Lope"),
    ({"more": 1}, "no speed range field named 'more'"), ({"strides": True}, "Strides must be a whole number"),
])
def test_bad_range_file_is_told(tmp_path, change, told):
    fields = {"format": 1, "gait": "walk", "strides": 8, "source": "made up", "rows": ROWS}
    path = tmp_path / "walk.json"
    path.write_text(json.dumps({**fields, **change}))
    with pytest.raises(InputError, match=told) as caught:
        read_ranges(path)
    assert "walk.json" in str(caught.value)


@pytest.mark.parametrize("path", sorted(ranges.FOLDER.glob("*.json")), ids=lambda p: p.stem)
def test_shipped_ranges_hold_the_gaits_own_speed_between_their_rows(path):
    table, body = read_ranges(path), make_body(BodySpec())
    for gravity in table.gravity_m_s2:
        shot = Shot(motion=Gait(path.stem), world=World("here", gravity))
        own = gait_variables(shot, shot_cycle(shot), body).speed_m_s
        low, high = table.at(gravity, body.leg_length_m)
        assert low <= own * 1.001 and own <= high * 1.001


def test_what_flies_on_usual_legs_is_not_promised_to_a_high_body_on_short_ones():
    usual = make_body(BodySpec())
    hip = usual.pelvis_height_m
    landmarks = {name: (x, y, 0.4 * z if z <= hip else 0.4 * hip + 1.6 * (z - hip))
                 for name, (x, y, z) in standing_landmarks(1.8).items()}
    high = make_body(BodySpec(landmarks=landmarks))
    assert not top_heavy(usual) and top_heavy(high)
    assert promised_range("run", 9.81, usual) == feasible_range("run", 9.81, usual.leg_length_m)
    assert promised_range("run", 9.81, high) is None and promised_range("walk", 9.81, high) is None
    assert with_gait(Shot(motion=Gait("auto", speed_m_s=3.0)), usual).motion.name == "run"
    assert with_gait(Shot(motion=Gait("auto", speed_m_s=3.0)), high).motion.name == "walk"


def changed(mark, axis, metres):
    """The standard body with landmarks of both sides moved along an axis, to the sides away from the middle."""
    landmarks = {name: list(point) for name, point in standing_landmarks(1.8).items()}
    for name, point in landmarks.items():
        if name.startswith(mark):
            point[axis] += math.copysign(metres, point[1]) if axis == 1 else metres
    return make_body(BodySpec(landmarks={name: tuple(point) for name, point in landmarks.items()}))


@pytest.mark.parametrize(("body", "told"), [
    (changed(("hip", "knee", "ankle", "heel", "toe"), 1, 0.15), "hips are 0.54 leg lengths apart, 0.10 to 0.45"),
    (changed("toe_tip", 0, 0.15), "toes reach 0.38 leg lengths ahead"),
    (changed("heel", 0, -0.1), "heels reach 0.19 leg lengths back")])
def test_a_body_unlike_all_that_were_tried_is_promised_nothing_and_told_why(body, told):
    assert told in unlike(body)
    assert promised_range("walk", 9.81, body) is None and feasible_range("walk", 9.81, body.leg_length_m) is not None


def test_gaits_with_flight_are_promised_less_speed_to_other_bodies_than_the_one_that_was_searched():
    same, other = make_body(BodySpec(height_m=1.5)), changed("toe_tip", 0, 0.06)
    assert unlike(same) is None and unlike(other) is None and usual(same) and not usual(other)
    known = feasible_range("run", 9.81, same.leg_length_m)
    assert promised_range("run", 9.81, same) == known
    low, high = feasible_range("run", 9.81, other.leg_length_m)
    assert promised_range("run", 9.81, other) == (low, pytest.approx(OTHERS * high))
    assert promised_range("walk", 9.81, other) == feasible_range("walk", 9.81, other.leg_length_m)


def test_a_body_that_is_promised_nothing_is_told_what_its_like_do_best():
    wide = changed(("hip", "knee", "ankle", "heel", "toe"), 1, 0.45)
    assert unlike(wide).endswith("; such bodies stand, and mostly fall as soon as they go")
    assert unlike(changed("heel", 0, -0.1)).endswith("; such bodies stand; where they fall as they go, try slower")
    spec = BodySpec(landmarks={name: tuple(map(float, point)) for name, point in wide.landmarks.items()})
    assert "hips are" in not_promised(Shot(body=spec)) and not_promised(Shot(motion=Stand(), body=spec)) is None

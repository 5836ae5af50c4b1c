# SPDX-License-Identifier: GPL-3.0-or-later
"""Foot events as a table: those of the walk, at its places, without bounces, and the file they are written to."""

import csv
from dataclasses import replace

import numpy as np
import pytest

from lope.addon.errors import InputError
from lope.addon.reports.events import clean_events, foot_events, write_events
from take_factory import Walk, make_take


def with_events(take, times, kinds, sides):
    arrays = dict(take.arrays) | {"event_time_s": np.array(times), "event_kind": np.array(kinds),
                                  "event_side": np.array(sides)}
    return replace(take, arrays=arrays)


def test_events_are_the_walks_own():
    take = make_take(Walk(speed=1.2, frequency=0.8))
    events = foot_events(take)
    assert [(e.time_s, "LR".index(e.foot), e.event) for e in events] == [
        (t, s, ("strike", "off")[k]) for t, k, s in zip(take.event_time_s, take.event_kind, take.event_side, strict=True)]
    strikes = [e for e in events if e.event == "strike" and e.foot == "L"]
    np.testing.assert_allclose(np.diff([e.x for e in strikes]), 1.5, atol=1e-9)
    assert all(e.force_n > 300.0 for e in strikes)


def test_bounces_and_chatter_are_no_events():
    take = make_take(Walk())
    times, kinds, sides = [0.0, 0.8, 1.3, 1.34, 1.38, 2.0, 2.02, 2.04], [0, 1, 0, 1, 0, 1, 0, 1], [0] * 8
    assert [(round(t, 2), k) for t, k, _ in clean_events(with_events(take, times, kinds, sides))] == [
        (0.0, 0), (0.8, 1), (1.3, 0), (2.04, 1)]


def test_a_take_that_begins_with_a_foot_down_has_its_off():
    take = with_events(make_take(Walk()), [0.5, 1.0], [1, 0], [1, 1])
    assert [(t, k) for t, k, _ in clean_events(take)] == [(0.5, 1), (1.0, 0)]


def test_places_are_turned_into_the_scenes(tmp_path):
    take = make_take(Walk())
    there = foot_events(take, lambda place: place + [10.0, 0.0, 0.0])
    assert [b.x - a.x for a, b in zip(foot_events(take), there, strict=True)] == pytest.approx([10.0] * len(there))
    write_events(there, tmp_path / "events.csv", lambda time: 1.0 + 24.0 * time)
    with open(tmp_path / "events.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(there) and list(rows[0])[:4] == ["frame", "time_s", "foot", "event"]
    assert float(rows[3]["frame"]) == pytest.approx(1.0 + 24.0 * there[3].time_s, rel=1e-4)


def test_a_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "no").write_text("a file", encoding="utf-8")
    with pytest.raises(InputError, match="cannot be written"):
        write_events([], tmp_path / "no" / "events.csv", float)

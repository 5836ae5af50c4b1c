# SPDX-License-Identifier: GPL-3.0-or-later
"""`lope tune --creature`: at which speed it searches, and what it says at its end."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from lope.addon.bodies.creature.template import find_creature
from lope.addon.bodies.makers import make_body
from lope.addon.cli import main
from lope.addon.commands.simulate import slower_creature
from lope.addon.commands.tune import ending
from lope.addon.locomotion.creature.controller import asked_speed_m_s
from lope.addon.locomotion.creature.stored import chosen
from lope.addon.search import creature as tuning
from lope.addon.search.creature import CreatureProblem, CreatureSearch
from lope.addon.search.search import Result
from lope.addon.specs.motions import Creature, CreatureGait
from lope.addon.specs.shot import BodySpec, Shot

pytestmark = pytest.mark.slow

FOUND = {"stood": 8, "starts": 8, "lacks": [], "speed_asked_m_s": 0.6}


def shot_of(name, **more):
    return Shot(motion=Creature(**more), body=BodySpec(kind="creature", creature=find_creature(name)))


@pytest.fixture
def searched(monkeypatch):
    """The problem that a command has searched; the search itself is left out."""
    seen = []

    def tune(problem, run, **rest):
        seen.append(problem)
        return Result({**FOUND, **found}, False)

    found = {}
    monkeypatch.setattr(tuning, "tune_creature", tune)
    return argparse.Namespace(seen=seen, found=found)


@pytest.mark.parametrize("name", ["long_neck", "ostrich"])
def test_a_search_takes_the_speed_that_a_simulation_takes(name, searched, tmp_path):
    assert main(["tune", "--creature", name, "--quick", "--out", str(tmp_path / "mine.json")]) == 0
    shot, _ = chosen(shot_of(name), quick=True)
    assert searched.seen[0].speed_m_s == pytest.approx(asked_speed_m_s(shot, make_body(shot.body)))


def test_a_search_that_is_told_no_speed_takes_the_untuned_laws():
    pytest.importorskip("cma", reason="tuning needs the package cma")
    shot = shot_of("long_neck")
    start = CreatureGait("mine", "long_neck", 1.0)
    search = CreatureSearch(CreatureProblem(shot.body, start=start), CreatureSearch.usual)
    assert search.speed_m_s == pytest.approx(asked_speed_m_s(shot, make_body(shot.body)))


def test_what_falls_from_every_start_is_told_at_the_end(searched, tmp_path, capfd):
    searched.found |= {"stood": 0, "lacks": ["standing"]}
    assert main(["tune", "--creature", "ostrich", "--out", str(tmp_path / "mine.json")]) == 1
    last = capfd.readouterr().err
    assert "falls from every one of 8 starts: mine.json holds the best there is" in last
    assert "--resume" in last and "--speed 0.4" in last


def test_the_end_says_how_good_the_gait_is():
    out = Path("mine.json")
    assert ending(FOUND, out) == "It stands from all 8 starts, as asked."
    assert "lacks speed, calm steps" in ending({**FOUND, "lacks": ["speed", "calm steps"]}, out)
    assert ending({**FOUND, "stood": 6, "lacks": ["standing"]}, out).startswith("It falls from 2 of 8 starts")
    assert "before any long trial" in ending({**FOUND, "stood": 0, "starts": 0, "lacks": ["a long trial"]}, out)


def test_who_falls_without_a_gait_of_its_own_is_told_a_slower_speed():
    shot = shot_of("long_neck", speed_m_s=0.6)
    assert "--speed 0.4" in slower_creature(shot) and "lope tune --creature" in slower_creature(shot)
    own = CreatureGait("mine", shot.body.creature.name, 0.6)
    assert slower_creature(shot_of("long_neck", speed_m_s=0.6, gait=own)) == ""
    assert slower_creature(Shot()) == ""

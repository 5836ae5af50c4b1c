# SPDX-License-Identifier: GPL-3.0-or-later
"""The search of a reflex walker as `lope tune` runs it: ended, taken up again, never worse for it."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from lope.addon.locomotion.reflex import walkers
from lope.addon.locomotion.reflex.parameters import PARAMETERS
from lope.addon.search import reflex as tuning
from lope.addon.search.search import Plan, Run
from lope.addon.specs.motions import Walker, walker_file
from lope.addon.specs.shot import World

pytestmark = pytest.mark.slow

BEGINNER = Walker("beginner", 1.25, 0.9, {})
"""As it is where a search begins: it takes a step and falls."""


def test_a_search_is_ended_with_the_best_so_far_and_taken_up_again(tmp_path, monkeypatch):
    """A stopped search keeps its checkpoint, and goes on from there."""
    pytest.importorskip("cma", reason="tuning needs the package cma")
    monkeypatch.setattr(tuning, "SECONDS", 0.2)
    monkeypatch.setattr(tuning, "TRIAL_S", 0.2)
    monkeypatch.setattr(tuning, "walked", lambda problem, parameters, name, source: Walker(name, 1.0, 0.7, dict(parameters)))
    problem = tuning.ReflexProblem(World(), None, BEGINNER.parameters)
    out, checkpoint = tmp_path / "mine.json", tmp_path / "mine.checkpoint.json"
    run = Run(Plan(2, 4, 0.01, 1), out, checkpoint)

    def stops(share: float, words: str) -> None:
        raise KeyboardInterrupt

    stopped = tuning.tune_reflex(problem, replace(run, callback=stops))
    assert stopped.stopped and checkpoint.is_file() and stopped.report["generations"] == 1
    found = tuning.tune_reflex(problem, replace(run, resume=True))
    assert not found.stopped and found.report["generations"] == 2 and not checkpoint.is_file()
    assert walkers.read_walker(out).parameters.keys() == PARAMETERS.keys()


def test_a_resumed_search_says_at_once_what_it_does_and_never_writes_a_worse_walker(tmp_path, monkeypatch):
    pytest.importorskip("cma", reason="tuning needs the package cma")
    monkeypatch.setattr(tuning, "SECONDS", 0.2)
    monkeypatch.setattr(tuning, "TRIAL_S", 1.0)
    monkeypatch.setattr(tuning, "walked", lambda problem, parameters, name, source: Walker(name, 1.0, 0.7, dict(parameters)))
    problem = tuning.ReflexProblem(World(), 1.25, BEGINNER.parameters)
    out, checkpoint, said = tmp_path / "mine.json", tmp_path / "mine.checkpoint.json", []
    good = replace(walkers.load_walker("walk"), name="mine")
    out.write_text(json.dumps(walker_file(good)), encoding="utf-8")

    def stops(share, text):
        raise KeyboardInterrupt

    tuning.tune_reflex(problem, Run(Plan(1, 4), out, checkpoint, resume=True, callback=stops, says=said.append))
    assert len(said) == 2 and "no checkpoint" in said[0] and str(checkpoint) in said[0]
    assert said[1].startswith("Stopped") and "--resume" in said[1]
    written = walkers.read_walker(out).parameters
    assert {name: written[name] for name in good.parameters} == pytest.approx(dict(good.parameters), rel=1e-4)

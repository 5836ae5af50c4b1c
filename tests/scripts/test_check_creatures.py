# SPDX-License-Identifier: GPL-3.0-or-later
"""scripts/check creatures: what is known is not done again, and what rows say of who walks."""

import argparse

import numpy as np
import pytest

from lope.addon.bodies.creature.template import creature_names
from lope.scripts.suites.runner import Case, Row
from lope.scripts.suites.validation import creatures
from lope.scripts.suites.validation import creatures as robust
from lope.scripts.suites.validation.creatures import random_creature

pytestmark = pytest.mark.slow

FIGURES = {"starts": 8, "stood": 8, "seconds": 30.0, "speed": 0.36, "force_peak": 2.0, "double_support": 0.1, "flight": 0.0}
TOLD = {"leg_in_stance": 0.95, "legs_gap_m": 0.02, "body_gap_m": None, "toe_drag_share": 0.0}


def test_cases_are_the_shipped_ones_and_those_drawn_and_differ_by_shape():
    drawn = {"one": random_creature(1), "two": random_creature(2)}
    every = list(creatures.cases(creatures.ROWS, drawn, 5.0))
    assert len({case.key for case in every}) == len(every)
    assert [case.name for case in every if case.row == creatures.WALKS] == [*creature_names(), "one", "two"]
    assert [case.name for case in every if case.row == creatures.PLANETS] == creature_names()
    assert creatures.case_key(every[0]) == creatures.case_key(every[len(creature_names()) + 2]), "one search for both rows"


def test_the_ground_that_changes_every_metre_is_level_at_the_start_and_never_steeper_than_asked():
    heights = np.array(robust.ground_of(robust.BROKEN).heights_m)[:, 0]
    steps = np.degrees(np.arctan(np.diff(heights)))
    assert np.abs(steps[:2 * robust.LEVEL_M]).max() == 0.0 and 2.0 < np.abs(steps).max() <= robust.SLOPE_DEG
    assert robust.ground_of(robust.UP).slope_deg == -robust.ground_of(robust.DOWN).slope_deg == robust.SLOPE_DEG


def test_what_is_known_is_not_done_again(tmp_path, monkeypatch):
    done = []
    monkeypatch.setitem(creatures.MADE, creatures.WALKS, lambda case, folder: done.append(case.name) or {"held": True})
    wanted = list(creatures.cases([creatures.WALKS], {}, 5.0))
    first = creatures.fill(wanted, tmp_path)
    next(first), next(first)
    first.close()
    with (tmp_path / creatures.RESULTS).open("a") as file:
        file.write('{"key": "cut sh')
    assert len(list(creatures.fill(wanted, tmp_path))) == len(wanted)
    assert done == [case.name for case in wanted], "each once"


def test_who_walks_stands_and_is_quick_enough():
    assert creatures.judged(FIGURES, TOLD) == {"walks": True, "lacks": []}
    assert creatures.judged(FIGURES | {"stood": 6}, TOLD) == {"walks": False, "lacks": ["2 of 8 fall"]}
    assert creatures.judged(FIGURES | {"speed": 0.2}, TOLD) == {"walks": False, "lacks": ["slow"]}
    hard, bent = {"force_peak": 5.0, "double_support": 0.0}, {"legs_gap_m": -0.05, "leg_in_stance": 0.7}
    lacks = ["hard landings", "crouch", "legs cross", "no double support"]
    assert creatures.judged(FIGURES | hard, TOLD | bent) == {"walks": True, "lacks": lacks}


def test_the_rows_tell_who_walks_and_what_is_wrong(monkeypatch):
    world = {"starts": FIGURES, "measures": TOLD, "card": "green", **creatures.judged(FIGURES, TOLD)}
    search = {"began": "the untuned law", "ended": "reached", "generations": 3, "cpu_s": 20.0}
    results = {"ostrich": {"search": search, "worlds": {"earth": world, "moon": world}, "held": True},
               "three_legs": {"error": "It has three legs."},
               "scaled": {"scaled": dict.fromkeys(creatures.FIVE, FIGURES), "spread": 0.012, "held": True,
                          "fixed_fell_s": {"moon": 2.0, "jupiter": 30.0}}}
    monkeypatch.setattr(creatures, "fill", lambda wanted, out, anew: iter(results[name] for name in wanted))
    args, bounds = argparse.Namespace(out=None, anew=False), creatures.SUITE.tables[creatures.WALKS].bounds
    rows = {name: Row("walks", name, creatures.measure(Case(name, name), args), bounds) for name in results}
    assert {name: row.broken for name, row in rows.items()} == {"ostrich": [], "three_legs": ["refused"], "scaled": []}
    assert rows["ostrich"].figures["moon_stood"] == 8 and rows["ostrich"].figures["earth_lacks"] is None
    assert rows["scaled"].figures["jupiter_by_earths_law_fell_s"] == 30.0

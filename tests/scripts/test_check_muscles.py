# SPDX-License-Identifier: GPL-3.0-or-later
"""scripts/check muscles goes on where it was stopped, and tells what holds."""

import argparse

import pytest

from lope.scripts.suites.runner import Case, Row
from lope.scripts.suites.validation import muscles


def skill(name, met, held=True):
    return {"row": muscles.SKILLS, "name": name, "met": met, "held": held}


def test_what_is_known_is_not_done_again(tmp_path, monkeypatch):
    done = []
    monkeypatch.setattr(muscles, "made", lambda case, folder: done.append(case.name) or {"held": True, "told": "fine"})
    wanted = list(muscles.cases([muscles.CURVES], 8.0))
    first = muscles.fill(wanted, tmp_path)
    next(first), next(first)
    first.close()
    with (tmp_path / muscles.RESULTS).open("a") as file:
        file.write('{"key": "cut sh')
    assert len(list(muscles.fill(wanted, tmp_path))) == len(wanted)
    assert done == [case.name for case in wanted], "each once"


def test_cases_differ_by_their_shots():
    every = list(muscles.cases(list(muscles.ROWS), 8.0))
    assert len({case.key for case in every}) == len(every)
    assert sum(case.row == muscles.PUSHES for case in every) == 8
    assert muscles.Case("pushes", "a", every[-1].shot).key != muscles.Case("pushes", "a", every[-2].shot).key


@pytest.mark.parametrize("met, broken", [(4.0, []), (7.0, ["normal_met"])])
def test_effort_is_judged_by_the_normal_walk_and_by_the_order(met, broken, monkeypatch):
    found = {"normal": met, "marching": 8.0, "leaning": 7.5}
    monkeypatch.setattr(muscles, "fill", lambda wanted, out: iter([skill(case, found.get(case, 9.0), case in found)
                                                                   for case in wanted]))
    args = argparse.Namespace(out=None)
    rows = [Row("effort", name, muscles.effort(Case(name, name), args), muscles.SUITE.tables["effort"].bounds)
            for name in (*found, "slow run")]
    assert rows[0].broken == broken
    (order,) = muscles.in_order(rows, args)
    assert order.figures == {"order": "normal < leaning < marching"} and order.broken, "who fell is not ranked"

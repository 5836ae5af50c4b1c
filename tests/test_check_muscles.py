# SPDX-License-Identifier: GPL-3.0-or-later
"""scripts/check muscles goes on where it was stopped, and tells what holds."""


import pytest

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


@pytest.mark.parametrize("met, ends", [(4.0, "| yes |"), (7.0, "| no |")])
def test_effort_is_judged_by_the_normal_walk_and_by_the_order(met, ends):
    lines = muscles.effort_lines([skill("normal", met), skill("marching", 8.0), skill("leaning", 7.5),
                                  skill("slow run", 9.0, held=False)])
    assert lines[0].startswith(f"| effort | normal | {met:.1f} MET (Lee 2014: 7.1") and lines[0].endswith(ends)
    assert lines[-1] == "| effort | order | normal < leaning < marching | no |", "who fell is not ranked"

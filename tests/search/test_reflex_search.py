# SPDX-License-Identifier: GPL-3.0-or-later
"""The search of a reflex walker: taken up where it stopped, what is kept stays; what a walk costs."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

from lope.addon.bodies.makers import make_body
from lope.addon.errors import InputError
from lope.addon.locomotion.reflex.parameters import HIGH, LOW, ORDER, START, named, vector_of
from lope.addon.locomotion.reflex.walkers import load_walker
from lope.addon.search import reflex
from lope.addon.search.reflex import Judge, ReflexPopulation, ReflexProblem, ReflexTrials, Wish
from lope.addon.search.search import Plan, Search
from lope.addon.specs.shot import BodySpec, Push, World

pytestmark = pytest.mark.slow

BODY = make_body(BodySpec())


def _search(generations: int, checkpoint: Path | None = None, world: World = World()) -> Search:
    asked = ReflexProblem(world, 1.25, named(START), seconds=0.3, noise=0.02, kept=("begin_", "swing_"))
    plan = Plan(generations, 4, seed=1)
    return Search(ReflexTrials(asked, plan), plan, checkpoint=checkpoint, resume=True)


def test_a_search_goes_on_where_it_stopped(tmp_path: Path) -> None:
    whole = _search(3)
    whole.go()
    _search(1, tmp_path / "search").go()
    rest = _search(3, tmp_path / "search")
    assert len(rest.log) == 1
    rest.go()
    assert [row["costs"] for row in rest.log] == [row["costs"] for row in whole.log]
    assert rest.mean == pytest.approx(whole.mean)


class _Planted:
    """What runs a command when it is unpickled."""

    def __init__(self, made: Path) -> None:
        self._made = made

    def __reduce__(self):
        return Path.touch, (self._made,)


def test_a_checkpoint_runs_nothing_and_only_its_own_search_takes_it_up(tmp_path: Path) -> None:
    checkpoint, made = tmp_path / "search.json", tmp_path / "made"
    checkpoint.write_bytes(pickle.dumps(_Planted(made)))
    with pytest.raises(InputError, match="cannot be read"):
        _search(1, checkpoint)
    assert not made.exists()
    checkpoint.unlink()
    _search(1, checkpoint).go()
    with pytest.raises(InputError, match="belongs to another search, which differs in world"):
        _search(2, checkpoint, World("mars", 3.71))


def test_what_is_kept_stays_and_all_is_within_its_range() -> None:
    search = _search(2)
    search.go()
    kept = [i for i, name in enumerate(ORDER) if name.startswith(("begin_", "swing_"))]
    for vector in search.problem.vectors(np.array([search.mean, search.x])):
        assert vector[kept] == pytest.approx(START[kept])
        assert np.abs(vector - START).max() > 0.01
        assert (vector >= LOW).all() and (vector <= HIGH).all()


def test_the_shipped_walk_stands_off_its_start_and_costs_little() -> None:
    walk = vector_of(load_walker("walk").parameters)
    fast, noise = walk.copy(), 0.03 * np.random.default_rng(2).standard_normal((3, BODY.degrees_of_freedom))
    fast[ORDER.index("force_SOL")] = 0.0  # no push-off: slower, or it falls
    tries = np.array([walk, walk, fast])
    judge = Judge(Wish(1.25), 3)
    fallen_s = ReflexPopulation(BODY, World(), 3).run(tries, 4.0, noise=noise, watch=judge.watch)
    costs = np.sum(list(judge.parts(fallen_s, 4.0).values()), axis=0)
    assert fallen_s[:2].tolist() == [4.0, 4.0]
    assert (costs[:2] < 40.0).all() and costs[2] > costs[:2].max() + 5.0
    assert judge.parts(fallen_s, 4.0)["effort"][:2] == pytest.approx(5.5, abs=1.0)
    assert judge.speeds_m_s()[:2] == pytest.approx(1.27, abs=0.1)


def test_a_walker_that_stands_from_all_starts_at_its_speed_is_good_enough_where_that_is_asked(monkeypatch) -> None:
    monkeypatch.setattr(reflex, "TRIAL_S", 5.0)

    def passes(speed_m_s: float, ends: bool) -> bool:
        asked = ReflexProblem(World(), speed_m_s, load_walker("walk").parameters, ends=ends)
        return ReflexTrials(asked, Plan(1, 2)).judged(np.zeros((1, len(ORDER))))[0].passes

    assert passes(1.27, True) and not passes(1.27, False) and not passes(1.6, True)


def test_a_walker_has_as_many_trials_as_starts_pushed_all_around() -> None:
    walk, pushes = load_walker("walk").parameters, (Push(0.0, 0.2, (0.0, 900.0, 0.0)),)
    asked = ReflexProblem(World(), 1.27, walk, seconds=0.6, pushes=pushes, starts=3)
    trials = ReflexTrials(asked, Plan(1, 2))
    one, other = trials.tried(np.zeros((2, len(ORDER))), 3)
    (shove,) = trials._population.shoves
    assert one.cost == pytest.approx(other.cost) and shove.force_n.shape == (6, 3)
    assert shove.force_n[:3] == pytest.approx(shove.force_n[3:]) and shove.force_n[:3].sum(axis=0) == pytest.approx(0.0, abs=1e-9)


def test_pushes_come_in_every_trial_and_are_those_of_the_draw() -> None:
    walk, drawn = load_walker("walk").parameters, []
    for pushes in ((), (Push(0.0, 0.2, (0.0, 900.0, 0.0)),)):
        asked = ReflexProblem(World(), 1.27, walk, seconds=3.0, pushes=pushes)
        trials = ReflexTrials(asked, Plan(1, 2))
        assert bool(trials.stamp["pushes"]) == bool(pushes)
        drawn.append([one.detail["stood"] for one in trials.tried(np.zeros((2, len(ORDER))), 3)])
    assert drawn[0] == [1.0, 1.0] and drawn[1][0] == drawn[1][1] < 1.0
    population = ReflexPopulation(BODY, World(), 8)
    population.draw_shoves(pushes, (1, 2), 3.0, starts=4, each=2)
    (shove,) = population.shoves
    assert (shove.start_s >= 1.0).all() and (shove.start_s <= 2.0).all() and len(set(shove.start_s[:4])) == 4
    assert shove.start_s[:4] == pytest.approx(shove.start_s[4:]) and np.hypot(*shove.force_n[:, :2].T) == pytest.approx(900.0)
    assert shove.force_n[:4] == pytest.approx(shove.force_n[4:]) and shove.force_n[:4].sum(axis=0) == pytest.approx(0.0, abs=1e-9)

# SPDX-License-Identifier: GPL-3.0-or-later
"""The solving of quadratic programs: right answers from both solvers, and the ladder of fallbacks with its counts."""

import numpy as np
import pytest

from lope.addon.locomotion.qp import program as solver
from lope.addon.locomotion.qp.program import BIG, LadderSolver, Problem, RestingSolver, solve_daqp, solve_quadprog

SOLVERS = [solve_daqp, solve_quadprog]


def small(**changes):
    """min 1/2 |x|^2 over three unknowns with x0 + x1 + x2 = 3; `changes` replace parts."""
    parts = {"hessian": np.eye(3), "gradient": np.zeros(3), "rows": np.ones((1, 3)), "values": np.array([3.0]),
             "equalities": 1, "low": np.full(3, -BIG), "high": np.full(3, BIG)}
    return Problem(**{**parts, **changes})


def random_problem(rng, n=30, equalities=6, others=20):
    """A problem of the tracker's kind: dense and badly scaled H, some bounds on one side, some on both, a feasible point."""
    factor = rng.normal(size=(n, n)) * np.geomspace(1e-2, 10.0, n)
    rows, inside = rng.normal(size=(equalities + others, n)), rng.uniform(0.1, 1.0, n)
    values = rows @ inside
    values[equalities:] -= rng.uniform(0.0, 0.5, others)
    low, high = np.full(n, -BIG), np.full(n, BIG)
    low[n // 2:] = 0.0
    low[:4], high[:4] = inside[:4] - 0.1, inside[:4] + 0.1
    return Problem(factor.T @ factor + 1e-4 * np.eye(n), 5.0 * rng.normal(size=n), rows, values, equalities, low, high)


@pytest.mark.parametrize("solve", SOLVERS)
@pytest.mark.parametrize(("changes", "answer"), [
    ({}, [1.0, 1.0, 1.0]),
    ({"high": np.array([0.5, BIG, BIG])}, [0.5, 1.25, 1.25]),
    ({"low": np.array([2.0, -BIG, -BIG])}, [2.0, 0.5, 0.5]),
    ({"rows": np.array([[1.0, 1.0, 1.0], [0.0, 1.0, -1.0]]), "values": np.array([3.0, 1.0])}, [1.0, 1.5, 0.5]),
    ({"gradient": np.array([-3.0, 0.0, 0.0])}, [3.0, 0.0, 0.0]),
    ({"values": np.array([-9.0]), "equalities": 0, "gradient": np.array([-1.0, 2.0, 0.0])}, [1.0, -2.0, 0.0]),
], ids=["equality", "upper bound", "lower bound", "inequality", "gradient", "nothing active"])
def test_small_problems_have_the_answers_worked_out_by_hand(solve, changes, answer):
    np.testing.assert_allclose(solve(small(**changes)), answer, atol=1e-9)


@pytest.mark.parametrize("seed", range(6))
def test_daqp_and_quadprog_agree_and_keep_all_limits(seed):
    problem = random_problem(np.random.default_rng(seed))
    x, other = solve_daqp(problem), solve_quadprog(problem)
    np.testing.assert_allclose(x, other, atol=1e-6)
    miss = problem.rows @ x - problem.values
    assert np.abs(miss[:6]).max() < 1e-8
    assert miss[6:].min() > -1e-5
    assert min((x - problem.low).min(), (problem.high - x).min()) > -1e-5
    assert (miss[6:] < 1e-6).any(), "a problem without an active inequality tests nothing"


@pytest.mark.parametrize("solve", SOLVERS)
@pytest.mark.parametrize("changes", [
    {"low": np.full(3, 2.0)},
    {"rows": np.array([[1.0, 1.0, 1.0], [-1.0, -1.0, -1.0]]), "values": np.array([3.0, -2.0])},
    {"gradient": np.full(3, np.nan)},
    {"hessian": np.full((3, 3), np.nan)},
    {"values": np.array([np.nan])},
    {"hessian": -np.eye(3)},
], ids=["bounds against equality", "row against equality", "gradient NaN", "hessian NaN", "value NaN", "not convex"])
def test_a_problem_without_an_answer_gets_none(solve, changes):
    assert solve(small(**changes)) is None


def test_the_ladder_counts_what_each_rung_answered(monkeypatch):
    ladder = LadderSolver()
    np.testing.assert_allclose(ladder.solve(small()), 1.0)
    assert (ladder.counts.solves, ladder.counts.fallbacks) == (1, 0)
    assert ladder.solve(small(low=np.full(3, 2.0))) is None
    assert (ladder.counts.solves, ladder.counts.quadprog, ladder.counts.held, ladder.counts.fallbacks) == (2, 0, 1, 1)
    monkeypatch.setattr(solver, "solve_daqp", lambda *_: None)
    np.testing.assert_allclose(ladder.solve(small()), 1.0)
    assert (ladder.counts.solves, ladder.counts.quadprog, ladder.counts.held, ladder.counts.fallbacks) == (3, 1, 1, 2)


@pytest.mark.parametrize("solve", SOLVERS)
def test_solving_leaves_the_problem_as_it_was(solve):
    problem, same = (random_problem(np.random.default_rng(3)) for _ in range(2))
    solve(problem)
    for name in ("hessian", "gradient", "rows", "values", "low", "high"):
        np.testing.assert_array_equal(getattr(problem, name), getattr(same, name))


def test_a_solver_that_leaves_out_who_rests_finds_the_same():
    rng, muscles, ladder = np.random.default_rng(5), 30, RestingSolver(30)
    root, columns = rng.standard_normal((12, 10)), rng.standard_normal((12, muscles))
    rows = np.concatenate([rng.standard_normal((3, 10)), np.zeros((3, muscles))], axis=1)
    low, high = np.full(10 + muscles, -BIG), np.full(10 + muscles, BIG)
    low[10:], high[10:] = 0.1, 0.9
    rest = []
    for target in np.cumsum(rng.standard_normal((12, 12)), axis=0):
        whole = np.concatenate([root, columns], axis=1)
        problem = Problem(whole.T @ whole + 0.5 * np.eye(10 + muscles), -whole.T @ target, rows, np.zeros(3), 1, low, high)
        x = ladder.solve(problem)
        np.testing.assert_allclose(x, solve_daqp(problem), atol=1e-7)
        rest.append(np.count_nonzero(x[10:] < 0.1 + 1e-9))
        assert ladder.counts.fallbacks == 0
    assert 0 < min(rest) and max(rest) < muscles and len(set(rest)) > 1
    held = Problem(problem.hessian, problem.gradient, np.ones((1, 10 + muscles)), np.full(1, 20.0), 1, low, high)
    np.testing.assert_allclose(ladder.solve(held), solve_daqp(held), atol=1e-7)

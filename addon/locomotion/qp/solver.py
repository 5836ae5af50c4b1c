# SPDX-License-Identifier: GPL-3.0-or-later
"""Solving the quadratic program: daqp first, quadprog second, a simpler program where there is one, the last solution at last;
every fallback is counted."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import daqp
import numpy as np
import quadprog

BIG = 1e20
EQUALITY = 5
"""daqp's mark of an equality: active, and never dropped."""


@dataclass
class Problem:
    """min 1/2 x'Hx + f'x with R x = r in the first `equalities` rows, R x >= r in the others, and low <= x <= high.

    A side that is free is -BIG or BIG. Shapes: hessian (n, n), symmetric and positive definite; gradient, low, high (n,);
    rows (m, n); values (m,)."""

    hessian: np.ndarray
    gradient: np.ndarray
    rows: np.ndarray
    values: np.ndarray
    equalities: int
    low: np.ndarray
    high: np.ndarray


@dataclass
class SolverCounts:
    """How often each rung of the ladder was reached."""

    solves: int = 0
    quadprog: int = 0
    held: int = 0
    simpler: int = 0

    @property
    def fallbacks(self) -> int:
        """Solves that daqp did not answer."""
        return self.quadprog + self.simpler + self.held


class LadderSolver:
    """Solves one problem after another, counting fallbacks; `solve` gives None when every solver refuses."""

    def __init__(self) -> None:
        self.counts = SolverCounts()

    def solve(self, problem: Problem, near: np.ndarray | None = None,
              simpler: Callable[[], np.ndarray | None] | None = None) -> np.ndarray | None:
        """The minimiser (n,), or None: the caller then holds its last torque. `near` (n,) is where daqp begins to look;
        `simpler` answers where no solver does."""
        self.counts.solves += 1
        x = solve_daqp(problem, near)
        if x is None:
            x = solve_quadprog(problem)
            self.counts.quadprog += x is not None
            if x is None and simpler is not None:
                x = simpler()
                self.counts.simpler += x is not None
            self.counts.held += x is None
        return x


def solve_daqp(p: Problem, near: np.ndarray | None = None) -> np.ndarray | None:
    """daqp's dual active set (Arnstrom et al. 2022); None when it does not report an optimum or the answer is not finite. The
    bounds and rows that are at their limits in `near` (n,) are the first active set."""
    n, e = len(p.gradient), p.equalities
    sense, free = _kinds(n, e, len(p.values))
    start = {} if near is None else {"primal_start": near}
    low, high = np.concatenate((p.low, p.values)), np.concatenate((p.high, p.values[:e], free))
    x, _, flag, _ = daqp.solve(p.hessian, p.gradient, p.rows, high, low, sense if near is None else sense.copy(),
                               iter_limit=400, eq_reduction=daqp.EQ_REDUCTION_ON, **start)
    return x if flag == 1 and math.isfinite(x.sum()) else None


@lru_cache(maxsize=256)
def _kinds(n: int, equalities: int, rows: int) -> tuple[np.ndarray, np.ndarray]:
    """daqp's mark of each bound and row, and the upper sides of the rows that are no equalities."""
    sense = np.zeros(n + rows, dtype=np.int32)
    sense[n:n + equalities] = EQUALITY
    return sense, np.full(rows - equalities, BIG)


def solve_quadprog(p: Problem) -> np.ndarray | None:
    """Goldfarb and Idnani's dual method, the thesis's own solver; None when it finds no solution.

    quadprog takes a row with a NaN for a satisfied one, so such problems are turned away before.
    """
    below, above, identity = p.low > -0.5 * BIG, p.high < 0.5 * BIG, np.eye(len(p.low))
    rows = np.concatenate([p.rows, identity[below], -identity[above]])
    values = np.concatenate([p.values, p.low[below], -p.high[above]])
    if not all(np.isfinite(part).all() for part in (p.hessian, p.gradient, rows, values)):
        return None
    try:
        x = quadprog.solve_qp(p.hessian, -p.gradient, rows.T, values, p.equalities)[0]
    except ValueError:
        return None
    return x if np.isfinite(x).all() else None

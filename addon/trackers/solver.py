# SPDX-License-Identifier: GPL-3.0-or-later
"""Solving the quadratic program: daqp first, quadprog second, the last solution third; every fallback is counted."""

from __future__ import annotations

from dataclasses import dataclass

import daqp
import numpy as np
import quadprog

BIG = 1e20


@dataclass
class Problem:
    """min 1/2 x'Hx + f'x, equalities E x = e, inequalities C x >= c, and low <= x <= high (BIG where free).
    Shapes (n, n), (n,), (m, n), (m,), (k, n), (k,), (n,), (n,)."""

    hessian: np.ndarray
    gradient: np.ndarray
    equality: np.ndarray
    equality_value: np.ndarray
    inequality: np.ndarray
    inequality_low: np.ndarray
    low: np.ndarray
    high: np.ndarray


@dataclass
class SolverCounts:
    """How often each rung of the ladder was reached."""

    solves: int = 0
    quadprog: int = 0
    kept: int = 0

    @property
    def fallbacks(self) -> int:
        """Solves that daqp did not answer."""
        return self.quadprog + self.kept


class LadderSolver:
    """Solves one problem after another, counting fallbacks; `solve` gives None when every solver refuses."""

    def __init__(self) -> None:
        self.counts = SolverCounts()

    def solve(self, problem: Problem) -> np.ndarray | None:
        """The minimiser (n,), or None: the caller then keeps its last torque."""
        self.counts.solves += 1
        x = solve_daqp(problem)
        if x is None:
            x = solve_quadprog(problem)
            self.counts.quadprog += x is not None
            self.counts.kept += x is None
        return x


def solve_daqp(p: Problem) -> np.ndarray | None:
    """daqp's dual active set (Arnstrom et al. 2022); None when it does not report an optimum or the answer is not finite."""
    n, m, k = len(p.gradient), len(p.equality_value), len(p.inequality_low)
    rows = np.empty((m + k, n))
    rows[:m], rows[m:] = p.equality, p.inequality
    low, high = np.empty(n + m + k), np.empty(n + m + k)
    low[:n], low[n:n + m], low[n + m:] = p.low, p.equality_value, p.inequality_low
    high[:n], high[n:n + m], high[n + m:] = p.high, p.equality_value, BIG
    sense = np.zeros(n + m + k, dtype=np.int32)
    sense[n:n + m] = 5
    x, _, flag, _ = daqp.solve(p.hessian, p.gradient, rows, high, low, sense, iter_limit=400)
    return x if flag == 1 and np.isfinite(x).all() else None


def solve_quadprog(p: Problem) -> np.ndarray | None:
    """Goldfarb and Idnani's dual method, the thesis's own solver; None when it finds no solution."""
    below, above, identity = p.low > -0.5 * BIG, p.high < 0.5 * BIG, np.eye(len(p.low))
    rows = np.concatenate([p.equality, p.inequality, identity[below], -identity[above]])
    values = np.concatenate([p.equality_value, p.inequality_low, p.low[below], -p.high[above]])
    try:
        x = quadprog.solve_qp(p.hessian, -p.gradient, rows.T, values, len(p.equality_value))[0]
    except ValueError:
        return None
    return x if np.isfinite(x).all() else None

# SPDX-License-Identifier: GPL-3.0-or-later
"""The whole-body program: tasks summed up, solved, and turned into torques (Kim 2017, eq. 6-15). Unknowns are the generalised
accelerations and the contact cones' coefficients; torques are eliminated by the equations of motion, whose six rows without
actuator remain as equalities. daqp solves it, else quadprog, else a simpler program where there is one, else the last solution
is held; every fallback is counted."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import daqp
import numpy as np
import quadprog

from ...bodies.state import BodyState
from .constraints import EDGES, Bounds, ContactSet, HingeLimits
from .tasks import ContactTask, PostureTask, Task, TorqueTask

BIG = 1e20
EQUALITY = 5
"""daqp's mark of an equality: active, and never dropped."""


@dataclass
class Problem:
    """min 1/2 x'Hx + f'x with R x = r in the first `equalities` rows, R x >= r in the others, and low <= x <= high; a side that
    is free is -BIG or BIG. Hessian (n, n), symmetric and positive definite; gradient, low, high (n,); rows (m, n); values
    (m,)."""

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
        """The minimiser (n,), or None. `near` (n,) is where daqp begins to look; `simpler` answers where no solver does."""
        self.counts.solves += 1
        x = self._first(problem, near)
        if x is None:
            x = solve_quadprog(problem)
            self.counts.quadprog += x is not None
            if x is None and simpler is not None:
                x = simpler()
                self.counts.simpler += x is not None
            self.counts.held += x is None
        return x

    def _first(self, problem: Problem, near: np.ndarray | None) -> np.ndarray | None:
        return solve_daqp(problem, near)


PRESSED = 5e-4
"""How far below its lower bound an unknown would go by itself, to be left out of the next problem (measured: with less more are
left out that should not be, with more the problems are larger)."""


class RestingSolver(LadderSolver):
    """Solves problems most of whose last `count` unknowns are at their lower bounds, and stay there from one problem to the next:
    smaller ones without those, into which whoever would rather be higher comes back. The minimiser is the same, since in the end
    no unknown that was left out is pulled off its bound. Where these are in rows, the problem is solved whole."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self._resting = np.zeros(count, dtype=bool)

    def _first(self, problem: Problem, near: np.ndarray | None) -> np.ndarray | None:
        p, resting, x = problem, self._resting, near
        first = len(p.gradient) - len(resting)
        if p.rows[:, first:].any():
            return solve_daqp(problem, near)
        least = PRESSED * p.hessian.diagonal()[first:]
        while True:
            awake = np.concatenate((np.arange(first), first + (~resting).nonzero()[0]))
            part, low = p.hessian.take(awake, axis=0), p.low.copy()
            low[awake] = 0.0
            found = solve_daqp(Problem(part.take(awake, axis=1), p.gradient[awake] + part @ low, p.rows.take(awake, axis=1),
                                       p.values, p.equalities, p.low[awake], p.high[awake]), None if x is None else x[awake])
            if found is None:
                return solve_daqp(problem, near) if resting.any() else None
            x = low
            x[awake] = found
            slope = p.hessian[first:] @ x + p.gradient[first:]
            if not (resting & (slope < 0.0)).any():
                break
            resting = resting & (slope > least)
        self._resting = slope > least
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
    """Goldfarb and Idnani's dual method, the thesis's own solver; None when it finds no solution. quadprog takes a row with a NaN
    for a satisfied one, so such problems are turned away before."""
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


@dataclass(frozen=True)
class Objective:
    """What a program minimises: the squares of what `tasks`, the `posture`, the `contact` points and the `effort` of the joints
    miss, and of the contact forces, by `force_weight`."""

    tasks: Sequence[Task]
    posture: PostureTask
    contact: ContactTask
    effort: TorqueTask
    force_weight: float


@dataclass(frozen=True)
class Limits:
    """What a program keeps to: `hinges` within their ranges, torques (nv-6,) [N m], `gaps` open, and `cone_damping` [1/s], the
    rate at which the velocity cone lets an approaching contact point stop (the offset o_c of Kim 2017, eq. 10)."""

    hinges: HingeLimits
    torque_nm: np.ndarray
    cone_damping: float
    gaps: Bounds | None = None


ROOT_WEIGHT = 1e-6
"""Weight of every acceleration beside its tasks': none may be free."""


class WholeBodyProgram:
    """One quadratic program a control step. After `solve`: `torque` (nv-6,), `acceleration` (nv,), `contact_force_n` (P, 3).
    Tasks keep their rows' places. `torque_limit` (nv-6,) [N m], `cone_damping` [1/s], `unloading` may change any time."""

    def __init__(self, state: BodyState, contacts: ContactSet, objective: Objective, limits: Limits) -> None:
        self.state, self.contacts, self.tasks, self.posture = state, contacts, tuple(objective.tasks), objective.posture
        self.contact, self.effort = objective.contact, objective.effort
        self.torque_limit, self.cone_damping = limits.torque_nm, limits.cone_damping
        self._hinges, self._gaps = limits.hinges, limits.gaps
        self.unloading: tuple[np.ndarray, float] | None = None
        self.solver = LadderSolver()
        nv, points = state.model.nv, len(state.body.contact_points)
        size, self._tasks_size = nv + EDGES * points, sum(task.size for task in self.tasks)
        self._least_squares = np.zeros((self._tasks_size + 3 * points + nv - 6, size))
        self._values = np.zeros(len(self._least_squares))
        self._rows = np.zeros((6 + EDGES * points, size))
        self._diagonal = np.full(size, objective.force_weight)
        self._diagonal[:nv] = self.posture.weight + ROOT_WEIGHT
        self._low, self._high = np.full(size, -BIG), np.full(size, BIG)
        self._low[nv:] = 0.0
        self.torque, self.acceleration = np.zeros(nv - 6), np.zeros(nv)
        self.contact_force_n = np.zeros((points, 3))

    def solve(self, ahead_s: float, limit_rate: float | None = None) -> None:
        """Solve for the present state and contacts, `ahead_s` after the tasks' targets were made; without an answer the last
        one is held. `limit_rate` replaces the cone damping [1/s]."""
        problem = self.build(ahead_s, limit_rate)
        x = self._solved(problem)
        if x is not None:
            self._take_over(*self._within_torque_limits(problem, x))

    def _solved(self, problem: Problem, near: np.ndarray | None = None) -> np.ndarray | None:
        """The solution of a problem; `near` is that of one which is nearly the same."""
        return self.solver.solve(problem)

    def build(self, ahead_s: float, limit_rate: float | None = None) -> Problem:
        """Assemble the problem. Its arrays are valid until the next call."""
        state, nv, contacts = self.state, self.state.model.nv, self.contacts
        n = nv + EDGES * contacts.count
        velocity = contacts.jacobian @ state.qvel - contacts.slip_velocity
        bias = contacts.bias_acceleration - contacts.slip_acceleration
        least_squares, values = self._sum_rows(ahead_s, velocity, bias)
        hessian = least_squares.T @ least_squares
        hessian.reshape(-1)[::n + 1] += self._diagonal[:n]
        gradient = -(values @ least_squares)
        gradient[:nv] -= self.posture.pull
        rows = self._rows[: 6 + EDGES * contacts.count, :n]
        rows[:6, :nv] = state.mass_matrix[:6]
        np.negative(contacts.edges[:, :6].T, out=rows[:6, nv:])
        rows[6:, :nv] = contacts.edges
        rows[6:, nv:] = 0.0
        rate = self.cone_damping if limit_rate is None else limit_rate
        limits = np.concatenate([-state.bias_force[:6], contacts.along_edges(-rate * velocity - bias)])
        self._hinges.fill(self._low, self._high)
        if self._gaps is not None:
            more, least = self._gaps.bounds()
            rows = np.concatenate([rows, np.concatenate([more, np.zeros((len(more), n - nv))], axis=1)])
            limits = np.concatenate([limits, least])
        if self.unloading is not None and (bounded := self.unloading[0][contacts.indices]).any():
            row = np.concatenate([np.zeros(nv), np.repeat(-1.0 * bounded, EDGES)])  # an edge's normal part is 1
            rows, limits = np.concatenate([rows, row[None]]), np.append(limits, -self.unloading[1])
        return Problem(hessian, gradient, rows, limits, 6, self._low[:n], self._high[:n])

    def _sum_rows(self, ahead_s: float, velocity: np.ndarray, bias: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Least-squares rows (r, n) and values (r,) of all tasks: the fixed ones', the contact points', the torques'."""
        nv, start = self.state.model.nv, self._tasks_size
        stop = start + len(velocity)
        n = nv + EDGES * self.contacts.count
        least_squares, values = self._least_squares[: stop + nv - 6, :n], self._values[: stop + nv - 6]
        at = 0
        for task in self.tasks:
            task.update(ahead_s)
            task.fill(least_squares[at:at + task.size, :nv], values[at:at + task.size])
            at += task.size
        self.contact.fill(least_squares[start:stop, :nv], values[start:stop], velocity, bias)
        least_squares[:stop, nv:] = 0.0
        self.effort.fill(least_squares[stop:], values[stop:])
        return least_squares, values

    def _torques(self, x: np.ndarray) -> np.ndarray:
        """Joint torques of a solution, by the equations of motion (eq. 7)."""
        state, nv = self.state, self.state.model.nv
        return state.mass_matrix[6:] @ x[:nv] + state.bias_force[6:] - x[nv:] @ self.contacts.edges[:, 6:]

    def _moved_by(self, torque: np.ndarray, coefficients: np.ndarray) -> np.ndarray:
        """Accelerations (nv,) that torques (nv-6,) and contact forces give the body, its free root too: what an engine that
        believes accelerations may be told where torques were cut."""
        driving = coefficients @ self.contacts.edges - self.state.bias_force
        driving[6:] += torque
        return np.linalg.solve(self.state.mass_matrix, driving)

    def _within_torque_limits(self, problem: Problem, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """A solution and its torques, solved again with violated torque limits as rows until others hold too; what exceeds them
        where there is no such solution is cut later. Cut after one more solution, hips that were to do what knees could not let
        both knees of a hop fall in at its landings."""
        torque = self._torques(x)
        held = np.zeros((2, len(torque)), dtype=bool)
        while (over := (np.array([torque, -torque]) > self.torque_limit * 1.0001) & ~held).any():
            held |= over
            side, joints = held.nonzero()
            sign = 2.0 * side - 1.0
            rows, rest = self._torque_rows(joints, len(x))
            rows, low = sign[:, None] * rows, -self.torque_limit[joints] - sign * rest
            again = self._solved(replace(problem, rows=np.concatenate([problem.rows, rows]),
                                         values=np.concatenate([problem.values, low])), x)
            if again is None:
                break
            x, torque = again, self._torques(again)
        return x, torque

    def _torque_rows(self, which: np.ndarray, unknowns: int) -> tuple[np.ndarray, np.ndarray]:
        """Rows (k, n) and what is added to them (k,): they give the torques `which` of a solution."""
        state, nv = self.state, self.state.model.nv
        rows = np.empty((len(which), unknowns))
        rows[:, :nv] = state.mass_matrix[6:][which]
        rows[:, nv:] = -self.contacts.edges[:, 6:].T[which]
        return rows, state.bias_force[6:][which]

    def _take_over(self, x: np.ndarray, torque: np.ndarray) -> None:
        nv = self.state.model.nv
        np.maximum(np.minimum(torque, self.torque_limit, out=self.torque), -self.torque_limit, out=self.torque)
        cut = not (self.torque == torque).all()
        self.acceleration[:] = self._moved_by(self.torque, x[nv:]) if cut else x[:nv]
        self.contact_force_n[:] = 0.0
        self.contact_force_n[self.contacts.indices] = self.contacts.point_forces(x[nv:])

# SPDX-License-Identifier: GPL-3.0-or-later
"""The whole-body program of a body with muscles: activations beside accelerations and cone coefficients (Lee 2014, 4.3).

The joints' equations of motion are no rows: what they leave over beside the muscles' torque, which is linear in the activations,
is a task that it be small. Where muscles pull it is a reserve, with a heavy weight and a narrow limit, elsewhere the joint's own
torque (docs/notes/muscle-qp.md has the other forms and what they cost).
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ...bodies.muscles.conditioned import Pain
from ...bodies.state import BodyState
from ...specs.shot import EARTH_GRAVITY_M_S2
from ..qp.cones import EDGES, ContactSet
from ..qp.contact_task import TorqueTask
from ..qp.program import WholeBodyProgram
from ..qp.solver import Problem, solve_daqp, solve_quadprog
from .effort import RestTask, effort_of
from .pull import Pull
from .settings import EffortSettings


class MuscledProgram(WholeBodyProgram):
    """See `WholeBodyProgram`. After `solve` there are besides `activation` (M,), `muscle_nm` (nv-6,), the muscles' torques, and
    `rest_nm` (nv-6,), those beside them; `torque` is their sum. `torque_limit` (nv-6,) holds for the rest alone."""

    def __init__(self, state: BodyState, contacts: ContactSet, pull: Pull, settings: EffortSettings, pain: Pain | None = None,
                 **parts: Any) -> None:
        """`parts` are those of `WholeBodyProgram`; its effort and torque limits, those of a body without muscles, hold where none
        pulls."""
        self.pull, self._settings, self._pain = pull, settings, pain
        super().__init__(state, contacts, **parts)
        self._free: TorqueTask = parts["effort"]
        self._rows_moved = pull.moved.nonzero()[0]
        self._rest = RestTask(state, contacts, np.where(pull.moved, settings.reserve_weight, self._free.weight), pull)
        nv, points, muscles = state.model.nv, len(state.body.contact_points), len(pull.names)
        self.activation, self.muscle_nm, self.rest_nm = np.zeros(muscles), *np.zeros((2, nv - 6))
        self._moves, self._coefficients = np.zeros(nv), np.zeros((points, EDGES))
        hurts = {} if pain is None else pain.foot
        self._sore_feet = [(np.isin(np.arange(points), foot.points), hurts[foot.side]) for foot in state.body.feet
                           if hurts.get(foot.side)]

    @property
    def torque_limit(self) -> np.ndarray:
        """The most (nv-6,) [N m] of torques beside the muscles'; it is set as that of a body without any."""
        return self._torque_limit

    @torque_limit.setter
    def torque_limit(self, limit: np.ndarray) -> None:
        self._torque_limit = np.where(self.pull.moved, self._settings.reserve_share, 1.0) * limit

    def build(self, ahead_s: float, limit_rate: float | None = None) -> Problem:
        """Assemble the problem: accelerations, cone coefficients, activations. Its arrays are valid until the next call."""
        self.pull.update(self.state)
        self.effort = self._rest
        return self._widened(super().build(ahead_s, limit_rate))

    def solve(self, ahead_s: float, limit_rate: float | None = None) -> None:
        """See `WholeBodyProgram.solve`: where no solver answers, the body is solved with torques, which muscles then share."""
        problem = self.build(ahead_s, limit_rate)
        near = np.concatenate([self._moves, self._coefficients[self.contacts.indices].ravel(), self.activation])
        x = self.solver.solve(problem, near, partial(self._shared, ahead_s, limit_rate))
        if x is not None:
            self._take_over(*self._within_torque_limits(problem, x))

    def _solved(self, problem: Problem, near: np.ndarray | None = None) -> np.ndarray | None:
        return self.solver.solve(problem, near)

    def _widened(self, p: Problem) -> Problem:
        """The problem of accelerations and cone coefficients with activations behind them."""
        pull, moved, n = self.pull, self._rows_moved, len(p.gradient)
        muscles, end = len(self.activation), self._tasks_size + 3 * len(self.contacts.expected)
        rest, values = self._least_squares[end + moved, :n], self._values[end + moved]
        columns = -self._rest.root[moved, None] * pull.active_nm[moved]
        hessian = np.empty((n + muscles, n + muscles))
        hessian[:n, :n] = p.hessian
        np.matmul(columns.T, rest, out=hessian[n:, :n])
        hessian[:n, n:] = hessian[n:, :n].T
        np.matmul(columns.T, columns, out=hessian[n:, n:])
        own = np.arange(n, n + muscles)
        line, square = self._effort_now()
        hessian[own, own] += square
        self._weigh_feet(hessian)
        rows = np.zeros((len(p.rows), n + muscles))
        rows[:, :n] = p.rows
        return Problem(hessian, np.concatenate([p.gradient, line - values @ columns]), rows, p.values, p.equalities,
                       np.concatenate([p.low, pull.low]), np.concatenate([p.high, pull.high]))

    def _effort_now(self) -> tuple[np.ndarray, np.ndarray]:
        return effort_of(self._settings, self._pain, self.pull, -float(self.state.gravity[2]))

    def _weigh_feet(self, hessian: np.ndarray) -> None:
        """Add what the feet's forces hurt: the square of the sum of a foot's coefficients, which is its force upright."""
        nv, weight_n = self.state.model.nv, self.state.mass_kg * EARTH_GRAVITY_M_S2
        for foot, hurts in self._sore_feet:
            own = nv + np.repeat(foot[self.contacts.indices], EDGES).nonzero()[0]
            hessian[np.ix_(own, own)] += self._settings.activation_weight * hurts / weight_n**2

    def _shared(self, ahead_s: float, limit_rate: float | None) -> np.ndarray | None:
        """Two programs in place of one: the body's with torques, then the muscles' that come nearest to them."""
        self.effort = self._free
        whole = super().build(ahead_s, limit_rate)
        x = solve_daqp(whole)
        x = solve_quadprog(whole) if x is None else x
        if x is None:
            return None
        pull, moved = self.pull, self._rows_moved
        active = self._rest.root[moved, None] * pull.active_nm[moved]
        wanted = self._rest.root[moved] * (super()._torques(x) - pull.passive_nm)[moved]
        line, square = self._effort_now()
        share = solve_daqp(Problem(active.T @ active + np.diag(square), line - wanted @ active, np.zeros((0, len(line))),
                                   np.zeros(0), 0, pull.low, pull.high))
        return None if share is None else np.concatenate([x, share])

    def _torques(self, x: np.ndarray) -> np.ndarray:
        """Torques beside the muscles' of a solution."""
        n = len(x) - len(self.activation)
        return super()._torques(x[:n]) - self._muscles_give(x[n:], x[:self.state.model.nv])

    def _muscles_give(self, activation: np.ndarray, acceleration: np.ndarray) -> np.ndarray:
        """The muscles' torques (nv-6,), the mean over the control step."""
        pull = self.pull
        return pull.active_nm @ activation + pull.passive_nm - pull.yielding_kg_m2 @ acceleration[6:]

    def _torque_rows(self, which: np.ndarray, unknowns: int) -> tuple[np.ndarray, np.ndarray]:
        rows = np.empty((len(which), unknowns))
        n, pull = unknowns - len(self.activation), self.pull
        rows[:, :n], rest = super()._torque_rows(which, n)
        rows[:, 6:self.state.model.nv] += pull.yielding_kg_m2[which]
        rows[:, n:] = -pull.active_nm[which]
        return rows, rest - pull.passive_nm[which]

    def _take_over(self, x: np.ndarray, torque: np.ndarray) -> None:
        pull, nv, n = self.pull, self.state.model.nv, len(x) - len(self.activation)
        np.clip(x[n:], pull.low, pull.high, out=self.activation)
        np.clip(torque, -self.torque_limit, self.torque_limit, out=self.rest_nm)
        self._moves[:] = x[:nv]
        self._coefficients[:] = 0.0
        self._coefficients[self.contacts.indices] = x[nv:n].reshape(-1, EDGES)
        cut = not np.array_equal(self.rest_nm, torque)
        self.acceleration[:] = self._moved_by(self.rest_nm, x[nv:n]) if cut else x[:nv]
        self.muscle_nm[:] = self._muscles_give(self.activation, self.acceleration)
        np.add(self.muscle_nm, self.rest_nm, out=self.torque)
        self.contact_force_n[:] = 0.0
        self.contact_force_n[self.contacts.indices] = self.contacts.point_forces(x[nv:n])

    def _moved_by(self, torque: np.ndarray, coefficients: np.ndarray) -> np.ndarray:
        """See `WholeBodyProgram`, of the torques beside the muscles', which are active as they are to be."""
        pull, mass = self.pull, self.state.mass_matrix.copy()
        mass[6:, 6:] += pull.yielding_kg_m2
        driving = coefficients @ self.contacts.edges - self.state.bias_force
        driving[6:] += torque + pull.active_nm @ self.activation + pull.passive_nm
        return np.linalg.solve(mass, driving)

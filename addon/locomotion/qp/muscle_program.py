# SPDX-License-Identifier: GPL-3.0-or-later
"""The whole-body program of a body with muscles: activations beside accelerations and cone coefficients (Lee 2014, 4.3), in
which the muscles' forces are linear. The joints' equations of motion are no rows: what they leave over beside the muscles'
torque is a task that it be small. Where muscles pull it is a reserve, with a heavy weight and a narrow limit, elsewhere the
joint's own torque (docs/notes/muscle-qp.md has the other forms and what they cost)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

import numpy as np

from ...bodies.body import Body
from ...bodies.muscle import MuscleSet
from ...bodies.muscles.conditioned import Pain, pain_weights
from ...bodies.muscles.mechanics import ElasticTendons, by_activation_w, make_mechanics
from ...bodies.muscles.paths import PathActuator, PathKinematics
from ...bodies.of_shot import DYNAMICS, muscles_of, own_coordinates_of
from ...bodies.state import BodyState
from ...engines.engine import Excitations
from ...specs.muscles import ELASTIC, Condition
from ...specs.settings import computed
from ...specs.shot import EARTH_GRAVITY_M_S2, Shot
from .constraints import EDGES, ContactSet
from .program import Limits, Objective, Problem, RestingSolver, WholeBodyProgram, solve_daqp, solve_quadprog
from .tasks import TorqueTask


class Pull(Protocol):
    """M muscles of a body whose root has r coordinates. After `update`: `active_nm` (nv - r, M) [N m], what each coordinate gets
    of a muscle that is wholly active; `passive_nm` (nv - r,), what all of them give at rest; `force_n` (M,) [N], the force along
    its tendon that one has when it is wholly active beside that at rest; `low` and `high` (M,), the activations that can be
    reached within the coming control step; `yielding_kg_m2` (nv - r, nv - r), by how much less all of them give through that step
    the faster it accelerates the joints: what they resist with their speed, times the step. The arrays are the same ones at every
    update. `moved` (nv - r,) bool tells which coordinates are theirs, `greatest_n` (M,) the greatest isometric forces."""

    names: tuple[str, ...]
    moved: np.ndarray
    greatest_n: np.ndarray
    active_nm: np.ndarray
    passive_nm: np.ndarray
    force_n: np.ndarray
    yielding_kg_m2: np.ndarray
    low: np.ndarray
    high: np.ndarray

    def update(self, state: BodyState) -> None:
        """Take over a state."""

    def spending_w(self) -> tuple[np.ndarray, np.ndarray]:
        """(line, square), each (M,) [W]: what activations a spend there, line a + square a^2."""


RATE_M_S = 0.02
"""Change of a path's rate over which its force is looked at: it bends at none, where it goes from shorter to longer."""
RATES_M_S = np.array([[0.0], [-RATE_M_S], [RATE_M_S]])


class BodyPull:
    """See `Pull`. The program's activations act at once, so it takes tendons for rigid; over elastic ones changes come later."""

    def __init__(self, body: Body, muscles: MuscleSet, moved: np.ndarray, control_step_s: float) -> None:
        """`moved` (nv - r,): the coordinates that are the muscles'; activations change within `control_step_s`."""
        self._muscles = muscles
        self.names, self.moved, self.greatest_n = muscles.names, moved, muscles.max_force_n
        self._paths, self._mechanics = PathKinematics(body, muscles), make_mechanics(muscles)
        self._arms = self._paths.arms_m[body.root_freedom:]
        self.active_nm, self.passive_nm = np.zeros(self._arms.shape), np.zeros(len(moved))
        self.force_n = np.zeros(len(muscles))
        self.yielding_kg_m2 = np.zeros((len(moved), len(moved)))
        self._step_s, self._activation = control_step_s, np.zeros(len(muscles))
        self.low, self.high = np.zeros(len(muscles)), np.ones(len(muscles))
        self._up = DYNAMICS.step(np.zeros(1), np.ones(1), control_step_s).item()
        self._least = DYNAMICS.least
        self._down = (1.0 - DYNAMICS.step(np.ones(1), np.zeros(1), control_step_s).item()) / (1.0 - self._least)

    def feel(self, activation: np.ndarray | None) -> None:
        """From these activations (M,) on those are reached that can be within a control step; None: any."""
        self._activation[:] = self._least if activation is None else activation
        if activation is None:
            self.low[:], self.high[:] = self._least, 1.0
        else:
            np.multiply(activation, 1.0 - self._down, out=self.low)
            self.low += self._down * self._least
            np.multiply(1.0 - activation, self._up, out=self.high)
            self.high += activation

    def spending_w(self) -> tuple[np.ndarray, np.ndarray]:
        return by_activation_w(self._muscles, self.force_n, -self._paths.rate_m_s)

    def feel_fibres(self, muscles: PathActuator | None) -> None:
        """What else there is to be felt of them: over rigid tendons nothing that joints do not tell."""

    def excitation(self, wanted: np.ndarray, activation: np.ndarray | None) -> np.ndarray:
        """Excitations (M,) that lead from these activations to wanted ones within a control step."""
        if activation is None:
            return wanted.copy()
        gap = wanted - activation
        return np.clip(activation + gap / np.where(gap > 0.0, self._up, self._down), 0.0, 1.0)

    def update(self, state: BodyState) -> None:
        paths = self._paths
        paths.update(state.qpos, state.qvel)
        active, passive = self._mechanics.by_activation(paths.length_m, paths.rate_m_s + RATES_M_S)
        self._give(active[0], passive[0])
        slower, faster = np.maximum(self._activation * active[1:] + passive[1:], 0.0)
        np.matmul(self._arms * (self._step_s / (2.0 * RATE_M_S) * (faster - slower)), self._arms.T, out=self.yielding_kg_m2)

    def _give(self, active: np.ndarray, passive: np.ndarray) -> None:
        """Take over forces (M,) [N] along the tendons, of activation and at rest. Where a fibre that shortens at rest would push,
        its force is taken as going from nothing to what it is when it is wholly active."""
        pushing = np.minimum(passive, 0.0)
        np.maximum(active + pushing, 0.0, out=self.force_n)
        np.multiply(self._arms, self.force_n, out=self.active_nm)
        np.matmul(self._arms, passive - pushing, out=self.passive_nm)


class ElasticPull(BodyPull):
    """See `Pull`. Taken for rigid, tendons would seem to damp at once, and a program that makes up for damping which is not
    there shakes the body. Before any fibres are felt they go along with the joints."""

    def __init__(self, body: Body, muscles: MuscleSet, *rest: Any) -> None:
        super().__init__(body, muscles, *rest)
        self._tendons = ElasticTendons(muscles)
        self._fibres: tuple[np.ndarray, np.ndarray] | None = None

    def feel_fibres(self, muscles: PathActuator | None) -> None:
        self._fibres = None if muscles is None else (muscles.fibre_length, muscles.fibre_velocity)

    def update(self, state: BodyState) -> None:
        super().update(state)
        if self._fibres is None:
            return
        self._give(*self._tendons.by_fibres(*self._fibres))
        yields = self._tendons.yielding_n_s_m(self._activation, *self._fibres, self._paths.length_m, self._step_s)
        np.matmul(self._arms * (self._step_s * yields), self._arms.T, out=self.yielding_kg_m2)


IN_NEED = {"activation_weight": 0.3, "metabolic_weight": 0.0, "reserve_weight": 0.03}
"""The most that these weights are in a condition: who is weak spares no effort, and torques beside the muscles, within
their narrow limits, hold what the muscles left cannot; without them weak walks fall within 5 s (docs/notes/conditions.md)."""


@dataclass(frozen=True)
class EffortSettings:
    """Weights of effort beside those of the tracker's tasks (Lee 2014, 4.3, prints none), first guesses but where said."""

    # Weight of the sum of squared activations (found by a sweep: what a walk costs against how it stands)
    activation_weight: float = 30.0
    metabolic_weight: float = 0.0  # Weight of what the muscles spend, on work and heat, on Earth [1/W]
    reserve_weight: float = 10.0  # Weight of squared torques [N m] beside the muscles', where they pull
    reserve_share: float = 0.05  # The most of these, over the torque limits of a body without muscles

    def under(self, condition: Condition | None) -> EffortSettings:
        """The settings of a body in a condition; the same for a healthy one."""
        if condition is None or condition.plain:
            return self
        return computed(self, **{name: min(most, getattr(self, name)) for name, most in IN_NEED.items()})


class RestTask(TorqueTask):
    """What joints need beside their muscles is small: rows over accelerations and cone coefficients. That torque is (M + D) qdd +
    h - V^T J f - A a - p, of the coordinates behind the root; the columns of the activations a are left to the program. D is what
    muscles yield as the joints get faster within the control step: on a light foot between calf and shin much more than its
    inertia."""

    def __init__(self, state: BodyState, contacts: ContactSet, weight: np.ndarray, pull: Pull) -> None:
        """`weight` (nv - 6,) of each squared torque; `pull` is kept up to date by whoever owns it."""
        super().__init__(state, contacts, 1.0)
        self.root, self._pull = np.sqrt(weight), pull

    def fill(self, rows: np.ndarray, values: np.ndarray) -> None:
        """Write the weighted rows (nv - 6, nv + 4 n) and values (nv - 6,)."""
        state, root, nv = self._state, self.root, self._state.model.nv
        rows[:, :nv] = state.mass_matrix[6:]
        rows[:, 6:nv] += self._pull.yielding_kg_m2
        rows[:, :nv] *= root[:, None]
        np.multiply(self._contacts.edges[:, 6:].T, -root[:, None], out=rows[:, nv:])
        values[:] = root * (self._pull.passive_nm - state.bias_force[6:])


def effort_of(settings: EffortSettings, pain: Pain | None, pull: Pull, gravity_m_s2: float) -> tuple[np.ndarray, np.ndarray]:
    """(line, square), each (M,): effort is line a + square a^2 / 2 of activations a. Under less gravity accelerations that are
    missed shrink with its square, what muscles spend, mostly heat, with itself."""
    square = np.full(len(pull.force_n), settings.activation_weight)
    if pain is not None:  # as much more as the force hurts that a wholly active muscle would pull with now
        square = settings.activation_weight * (1.0 + pain.muscle * (pull.force_n / pull.greatest_n) ** 2)
    if settings.metabolic_weight == 0.0:
        return np.zeros(len(square)), square
    weight, (line_w, square_w) = settings.metabolic_weight * gravity_m_s2 / EARTH_GRAVITY_M_S2, pull.spending_w()
    return weight * line_w, square + 2.0 * weight * square_w


class MuscledProgram(WholeBodyProgram):
    """See `WholeBodyProgram`. After `solve` there are besides `activation` (M,), `muscle_nm` (nv-6,), the muscles' torques, and
    `rest_nm` (nv-6,), those beside them; `torque` is their sum. `torque_limit` (nv-6,) holds for the rest alone."""

    def __init__(self, state: BodyState, contacts: ContactSet, objective: Objective, limits: Limits, pull: Pull,
                 settings: EffortSettings, pain: Pain | None = None) -> None:
        """Effort and torque limits, those of a body without muscles, hold where none pulls."""
        self.pull, self._settings, self._pain = pull, settings, pain
        super().__init__(state, contacts, objective, limits)
        self._free = objective.effort
        self._rows_moved = pull.moved.nonzero()[0]
        self._rest = RestTask(state, contacts, np.where(pull.moved, settings.reserve_weight, self._free.weight), pull)
        nv, points, muscles = state.model.nv, len(state.body.contact_points), len(pull.names)
        self.solver = RestingSolver(muscles)
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
        np.minimum(np.maximum(x[n:], pull.low, out=self.activation), pull.high, out=self.activation)
        np.minimum(np.maximum(torque, -self.torque_limit, out=self.rest_nm), self.torque_limit, out=self.rest_nm)
        self._moves[:] = x[:nv]
        self._coefficients[:] = 0.0
        self._coefficients[self.contacts.indices] = x[nv:n].reshape(-1, EDGES)
        cut = not (self.rest_nm == torque).all()
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


class Muscles:
    """The muscles of one body. `pull` is what they can do, in the state that the program last took over."""

    def __init__(self, shot: Shot, body: Body, control_step_s: float, settings: EffortSettings) -> None:
        """Raises LopeError for a body or a condition that the shot's muscles do not fit."""
        muscles = muscles_of(shot, body)
        elastic = shot.actuation is not None and shot.actuation.tendon == ELASTIC
        self.pull = (ElasticPull if elastic else BodyPull)(body, muscles, own_coordinates_of(shot, body), control_step_s)
        self._settings, self._pain = settings.under(shot.condition), pain_weights(muscles, shot.condition)
        self._activation: np.ndarray | None = None

    @property
    def sparing(self) -> bool:
        """Whether what they spend weighs anything."""
        return self._settings.metabolic_weight > 0.0

    def program(self, state: BodyState, contacts: ContactSet, objective: Objective, limits: Limits) -> MuscledProgram:
        pain = self._pain if self._pain.any else None
        return MuscledProgram(state, contacts, objective, limits, self.pull, self._settings, pain)

    def feel(self, muscles: PathActuator | None, begins: bool) -> None:
        """Take in how active they are. At a shot's begin, or where nobody tells, they are as active as they are told to be."""
        self._activation = None if begins or muscles is None else muscles.activation
        self.pull.feel(self._activation)
        self.pull.feel_fibres(None if begins else muscles)

    def command(self, program: WholeBodyProgram) -> Excitations:
        """What brings them to the activations of a program of theirs within the control step, and the torques beside theirs."""
        if not isinstance(program, MuscledProgram):
            raise TypeError("Muscles are told to be active by a program of muscles.")
        return Excitations(self.pull.excitation(program.activation, self._activation), program.rest_nm)


def muscles_at(shot: Shot, body: Body, control_step_s: float, settings: EffortSettings) -> Muscles | None:
    """The muscles of a shot, acted on once a control step; None where torques move its body. Raises LopeError as `Muscles`."""
    return None if shot.actuation is None else Muscles(shot, body, control_step_s, settings)

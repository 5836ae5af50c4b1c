# SPDX-License-Identifier: GPL-3.0-or-later
"""The tracker: one quadratic program a control step, from the planner's targets to joint torques (Kim 2017, eq. 6-15).

Unknowns are the generalised accelerations and the contact cones' coefficients; torques are eliminated by the equations of
motion, whose six rows without actuator remain as equalities.
"""

from __future__ import annotations

import math
from dataclasses import replace

import mujoco
import numpy as np

from ...bodies.state import BodyState
from .planners.targets import Targets
from ..qp.cones import EDGES, ContactSet
from .objectives import Objectives
from ..qp.solver import BIG, LadderSolver, Problem
from .weights import TrackerSettings, joint_weights, torque_limits


class Tracker:
    """Turns targets into torques. After `solve`: `torque` (nv-6,), `acceleration` (nv,), `contact_force_n` (P, 3)."""

    def __init__(self, state: BodyState, friction: float, settings: TrackerSettings | None = None) -> None:
        self.state, self._earthly = state, settings or TrackerSettings()
        self.settings = self._earthly.under(-float(state.gravity[2]))
        nv = state.model.nv
        self.contacts = ContactSet(state, friction * self.settings.friction_share)
        self.objectives = Objectives(state, self.settings)
        self.solver = LadderSolver()
        self.torque_limit = torque_limits(state.body, -float(state.gravity[2]))
        self._joint_weights = joint_weights(state.body, self.settings)
        points = len(state.body.contact_points)
        size = nv + EDGES * points
        self._squares = np.zeros((Objectives.ROWS + 3 * points + nv - 6, size))
        self._values = np.zeros(len(self._squares))
        self._rows = np.zeros((6 + EDGES * points, size))
        self._diagonal = np.full(size, self.settings.force_weight)
        self._diagonal[:nv] = self._joint_weights + 1e-6
        self._low, self._high = np.full(size, -BIG), np.full(size, BIG)
        self._low[nv:] = 0.0
        self._difference = np.zeros(nv)
        hinges = [state.model.joint(name) for name in state.body.joint_segments if state.body.segment(name).joint == "hinge"]
        self._hinge_qpos = np.array([int(j.qposadr[0]) for j in hinges])
        self._hinge_dof = np.array([int(j.dofadr[0]) for j in hinges])
        margin = np.radians(self.settings.limit_margin_deg)
        self._hinge_range = np.array([[j.range[0] + margin for j in hinges], [j.range[1] - margin for j in hinges]])
        self.torque, self.acceleration = np.zeros(nv - 6), np.zeros(nv)
        self.contact_force_n = np.zeros((points, 3))

    def set_gravity(self, gravity_m_s2: float) -> None:
        """Gains, dampings and torque limits for another gravity; the state must have it already."""
        self.settings = self._earthly.under(gravity_m_s2)
        self.objectives.set_gains(self.settings)
        self.torque_limit = torque_limits(self.state.body, gravity_m_s2)

    def solve(self, targets: Targets, ahead_s: float, *, limit_rate: float | None = None) -> np.ndarray:
        """Torques (nv-6,) for the state as it is, `ahead_s` after the plan step that made `targets`.

        `limit_rate` replaces the settings' cone damping [1/s] (the ideal engine stops contacts within one step).
        """
        problem = self.build(targets, ahead_s, limit_rate)
        x = self.solver.solve(problem)
        if x is not None:
            self._take_over(*self._within_torque_limits(problem, x))
        return self.torque

    def build(self, targets: Targets, ahead_s: float, limit_rate: float | None = None) -> Problem:
        """Assemble the problem for the present state. Its arrays are valid until the next call."""
        state, s, nv, contacts = self.state, self.settings, self.state.model.nv, self.contacts
        contacts.update(targets.active, targets.expected)
        n = nv + EDGES * contacts.count
        velocity, bias = contacts.jacobian @ state.qvel, contacts.bias_acceleration
        squares, values = self._square_rows(targets, ahead_s, velocity, bias)
        hessian = squares.T @ squares
        np.einsum("ii->i", hessian)[:] += self._diagonal[:n]
        gradient = -(values @ squares)
        gradient[:nv] -= self._joint_weights * self._wanted_joints(targets, ahead_s)
        rows = self._rows[: 6 + EDGES * contacts.count, :n]
        rows[:6, :nv] = state.mass_matrix[:6]
        np.negative(contacts.edges[:, :6].T, out=rows[:6, nv:])
        rows[6:, :nv] = contacts.edges
        rows[6:, nv:] = 0.0
        rate = s.cone_damping if limit_rate is None else limit_rate
        limits = np.concatenate([-state.bias_force[:6], contacts.along_edges(-rate * velocity - bias)])
        self._bound_hinges()
        return Problem(hessian, gradient, rows, limits, 6, self._low[:n], self._high[:n])

    def _square_rows(
        self, targets: Targets, ahead_s: float, velocity: np.ndarray, bias: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Rows (r, n) and values (r,) whose squared misses are objectives: Jacobians', contact points', small torques."""
        state, s, nv, contacts = self.state, self.settings, self.state.model.nv, self.contacts
        n, start = nv + EDGES * contacts.count, Objectives.ROWS
        stop = start + len(velocity)
        squares, values = self._squares[: stop + nv - 6, :n], self._values[: stop + nv - 6]
        self.objectives.fill(targets, ahead_s, squares[:start, :nv], values[:start])
        root = math.sqrt(s.contact_weight)
        np.multiply(contacts.jacobian, root, out=squares[start:stop, :nv])
        values[start:stop] = root * (self._contact_feedback(velocity) - bias)
        squares[:stop, nv:] = 0.0
        root = math.sqrt(s.torque_weight)
        np.multiply(state.mass_matrix[6:], root, out=squares[stop:, :nv])
        np.multiply(contacts.edges[:, 6:].T, -root, out=squares[stop:, nv:])
        values[stop:] = -root * state.bias_force[6:]
        return squares, values

    def _bound_hinges(self) -> None:
        """Accelerations that keep each hinge within its limits over the horizon of the settings."""
        horizon, state = self.settings.limit_horizon_s, self.state
        angle, rate = state.qpos[self._hinge_qpos], state.qvel[self._hinge_dof]
        low, high = (2.0 / horizon**2) * (self._hinge_range - (angle + horizon * rate))
        self._low[self._hinge_dof], self._high[self._hinge_dof] = np.minimum(low, 500.0), np.maximum(high, -500.0)

    def _contact_feedback(self, velocity: np.ndarray) -> np.ndarray:
        """Accelerations (3 m,) that stop the expected points and bring down those that hover."""
        s, count, hovering = self.settings, self.contacts.count, self.contacts.hovering
        wanted = -s.contact_damping * velocity
        normal, away = self.state.contact_normal[hovering], velocity[3 * count:].reshape(-1, 3)
        rising = np.einsum("nk,nk->n", away, normal)
        pull = -2.0 * math.sqrt(s.hover_gain) * rising - s.hover_gain * self.state.contact_height_m[hovering]
        wanted[3 * count:] = (pull[:, None] * normal - s.contact_damping * (away - rising[:, None] * normal)).ravel()
        return wanted

    def _wanted_joints(self, targets: Targets, ahead_s: float) -> np.ndarray:
        """Accelerations (nv,) that track the reference pose (eq. 11, 12)."""
        state, s = self.state, self.settings
        mujoco.mj_differentiatePos(state.model, self._difference, 1.0, state.qpos, targets.pose)
        error = self._difference + ahead_s * targets.pose_velocity
        damping = 2.0 * math.sqrt(s.joint_gain)
        return s.joint_gain * error + damping * (targets.pose_velocity - state.qvel) + targets.pose_acceleration

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
        """A solution and its torques, solved again with violated torque limits as rows; what still exceeds is cut later."""
        torque = self._torques(x)
        excess = (np.abs(torque) > self.torque_limit * 1.0001).nonzero()[0]
        if not len(excess):
            return x, torque
        state, nv = self.state, self.state.model.nv
        sign = -np.sign(torque[excess])[:, None]
        rows = np.empty((len(excess), len(x)))
        rows[:, :nv] = state.mass_matrix[6:][excess]
        rows[:, nv:] = -self.contacts.edges[:, 6:].T[excess]
        low = -self.torque_limit[excess] - sign[:, 0] * state.bias_force[6:][excess]
        limited = replace(problem, rows=np.concatenate([problem.rows, sign * rows]),
                          values=np.concatenate([problem.values, low]))
        again = self.solver.solve(limited)
        return (x, torque) if again is None else (again, self._torques(again))

    def _take_over(self, x: np.ndarray, torque: np.ndarray) -> None:
        nv = self.state.model.nv
        np.maximum(np.minimum(torque, self.torque_limit, out=self.torque), -self.torque_limit, out=self.torque)
        cut = not np.array_equal(self.torque, torque)
        self.acceleration[:] = self._moved_by(self.torque, x[nv:]) if cut else x[:nv]
        self.contact_force_n[:] = 0.0
        self.contact_force_n[self.contacts.indices] = self.contacts.point_forces(x[nv:])

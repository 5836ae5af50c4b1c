# SPDX-License-Identifier: GPL-3.0-or-later
"""The tracker: one quadratic program a control step, from the planner's targets to joint torques (Kim 2017, eq. 6-15).

Unknowns are the generalised accelerations and the contact cones' coefficients; torques are eliminated by the equations of
motion, whose six rows without actuator remain as equalities.
"""

from __future__ import annotations

import mujoco
import numpy as np

from ..bodies.state import BodyState
from ..planners.targets import Targets
from .contact_cone import EDGES, ContactSet
from .objectives import Objectives
from .solver import BIG, LadderSolver, Problem
from .weights import TrackerSettings, joint_weights, torque_limits


class Tracker:
    """Turns targets into torques. After `solve`: `torque` (nv-6,), `acceleration` (nv,), `contact_force_n` (P, 3)."""

    def __init__(self, state: BodyState, friction: float, settings: TrackerSettings | None = None) -> None:
        self.state, self.settings = state, (settings or TrackerSettings()).under(-float(state.gravity[2]))
        nv = state.model.nv
        self.contacts = ContactSet(state, friction * self.settings.friction_share)
        self.objectives = Objectives(state, self.settings)
        self.solver = LadderSolver()
        self.torque_limit = torque_limits(state.body)
        self._joint_weights = joint_weights(state.body, self.settings)
        points = len(state.body.contact_points)
        size = nv + EDGES * points
        self._rows = np.zeros((Objectives.MOST_ROWS + 3 * points + nv - 6, size))
        self._values = np.zeros(len(self._rows))
        self._difference = np.zeros(nv)
        hinges = [state.model.joint(name) for name in state.body.joint_segments if state.body.segment(name).joint == "hinge"]
        self._hinge_qpos = np.array([int(j.qposadr[0]) for j in hinges])
        self._hinge_dof = np.array([int(j.dofadr[0]) for j in hinges])
        margin = np.radians(self.settings.limit_margin_deg)
        self._hinge_low = np.array([j.range[0] for j in hinges]) + margin
        self._hinge_high = np.array([j.range[1] for j in hinges]) - margin
        self.torque, self.acceleration = np.zeros(nv - 6), np.zeros(nv)
        self.contact_force_n = np.zeros((points, 3))

    def solve(self, targets: Targets, ahead_s: float, *, limit_rate: float | None = None) -> np.ndarray:
        """Torques (nv-6,) for the state as it is, `ahead_s` after the plan step that made `targets`.

        `limit_rate` replaces the settings' cone damping [1/s] (the ideal engine stops contacts within one step).
        """
        problem = self.build(targets, ahead_s, limit_rate)
        x = self.solver.solve(problem)
        if x is not None:
            x = self._within_torque_limits(problem, x)
            self._take_over(x)
        return self.torque

    def build(self, targets: Targets, ahead_s: float, limit_rate: float | None = None) -> Problem:
        """Assemble the problem for the present state."""
        state, s, nv = self.state, self.settings, self.state.model.nv
        contacts = self.contacts
        contacts.update(targets.active, targets.expected)
        n = nv + EDGES * contacts.count
        rows, values = self._rows[:, :n], self._values
        rows[:, nv:] = 0.0
        at = self.objectives.fill(targets, ahead_s, rows, values)
        count = 3 * len(contacts.expected)
        velocity = contacts.jacobian @ state.qvel
        bias = contacts.bias_acceleration
        root = np.sqrt(s.contact_weight)
        np.multiply(contacts.jacobian, root, out=rows[at:at + count, :nv])
        values[at:at + count] = root * (self._contact_feedback(velocity) - bias)
        at += count
        root = np.sqrt(s.torque_weight)
        np.multiply(state.mass_matrix[6:], root, out=rows[at:at + nv - 6, :nv])
        np.multiply(contacts.edges[:, 6:].T, -root, out=rows[at:at + nv - 6, nv:])
        values[at:at + nv - 6] = -root * state.bias_force[6:]
        at += nv - 6
        used = rows[:at]
        hessian = used.T @ used
        gradient = -(values[:at] @ used)
        self._add_joints(targets, ahead_s, hessian, gradient)
        diagonal = np.arange(nv, n)
        hessian[diagonal, diagonal] += s.force_weight
        equality = np.empty((6, n))
        equality[:, :nv] = state.mass_matrix[:6]
        np.negative(contacts.edges[:, :6].T, out=equality[:, nv:])
        rate = s.cone_damping if limit_rate is None else limit_rate
        cone = np.zeros((EDGES * contacts.count, n))
        cone[:, :nv] = contacts.edges
        low, high = np.full(n, -BIG), np.full(n, BIG)
        low[nv:] = 0.0
        self._bound_hinges(low, high)
        return Problem(hessian, gradient, equality, -state.bias_force[:6], cone,
                       contacts.along_edges(-rate * velocity - bias), low, high)

    def _bound_hinges(self, low: np.ndarray, high: np.ndarray) -> None:
        """Accelerations that keep each hinge within its limits over the horizon of the settings."""
        horizon, state = self.settings.limit_horizon_s, self.state
        angle, rate = state.qpos[self._hinge_qpos], state.qvel[self._hinge_dof]
        reach = 2.0 / horizon**2
        low[self._hinge_dof] = np.minimum(reach * (self._hinge_low - angle - horizon * rate), 500.0)
        high[self._hinge_dof] = np.maximum(reach * (self._hinge_high - angle - horizon * rate), -500.0)

    def _contact_feedback(self, velocity: np.ndarray) -> np.ndarray:
        """Accelerations (3 m,) that stop the expected points and bring down those that hover."""
        s = self.settings
        wanted = -s.contact_damping * velocity
        height = self.state.contact_point_m[self.contacts.expected[self.contacts.count:], 2]
        wanted[3 * self.contacts.count + 2::3] -= 0.25 * s.contact_damping**2 * height
        return wanted

    def _add_joints(self, targets: Targets, ahead_s: float, hessian: np.ndarray, gradient: np.ndarray) -> None:
        """Tracking objective of the joints (eq. 11, 12): diagonal, so added without rows."""
        state, s, nv = self.state, self.settings, self.state.model.nv
        mujoco.mj_differentiatePos(state.model, self._difference, 1.0, state.qpos, targets.pose)
        error = self._difference + ahead_s * targets.pose_velocity
        damping = 2.0 * np.sqrt(s.joint_gain)
        wanted = s.joint_gain * error + damping * (targets.pose_velocity - state.qvel) + targets.pose_acceleration
        index = np.arange(nv)
        hessian[index, index] += self._joint_weights + 1e-6
        gradient[:nv] -= self._joint_weights * wanted

    def _torques(self, x: np.ndarray) -> np.ndarray:
        """Joint torques of a solution, by the equations of motion (eq. 7)."""
        state, nv = self.state, self.state.model.nv
        return state.mass_matrix[6:] @ x[:nv] + state.bias_force[6:] - x[nv:] @ self.contacts.edges[:, 6:]

    def _within_torque_limits(self, problem: Problem, x: np.ndarray) -> np.ndarray:
        """Solve again with the violated torque limits as rows; what still exceeds them is cut when taken over."""
        torque = self._torques(x)
        excess = np.abs(torque) > self.torque_limit * 1.0001
        if not excess.any():
            return x
        state, nv = self.state, self.state.model.nv
        sign = -np.sign(torque[excess])[:, None]
        rows = np.empty((int(excess.sum()), len(x)))
        rows[:, :nv] = state.mass_matrix[6:][excess]
        rows[:, nv:] = -self.contacts.edges[:, 6:].T[excess]
        low = -self.torque_limit[excess] - sign[:, 0] * state.bias_force[6:][excess]
        limited = Problem(problem.hessian, problem.gradient, problem.equality, problem.equality_value,
                          np.concatenate([problem.inequality, sign * rows]), np.concatenate([problem.inequality_low, low]),
                          problem.low, problem.high)
        again = self.solver.solve(limited)
        return x if again is None else again

    def _take_over(self, x: np.ndarray) -> None:
        nv = self.state.model.nv
        self.acceleration[:] = x[:nv]
        np.clip(self._torques(x), -self.torque_limit, self.torque_limit, out=self.torque)
        self.contact_force_n[:] = 0.0
        self.contact_force_n[self.contacts.indices] = self.contacts.point_forces(x[nv:])

# SPDX-License-Identifier: GPL-3.0-or-later
"""The thesis's ground, a damped spring under each contact point, and its hybrid dynamics: joints' accelerations are given, the
root's follow from its six rows of the equations of motion (Lee 2014, 3.2)."""

from __future__ import annotations

import math

import mujoco
import numpy as np

from ...bodies.state import BodyState
from ...specs.shot import EARTH_GRAVITY_M_S2
from .settings import LEG_M, MASS_KG, PenaltySettings

_EYE = np.eye(3)


class PenaltyGround:
    """Forces of springs, dampers and friction on the contact points, found at the end of the coming step, so that they are stable
    at any stiffness. `force_n` (P, 3) are the last ones."""

    def __init__(self, state: BodyState, friction: float, settings: PenaltySettings, step_s: float, slow: float) -> None:
        """`slow` is how many times longer than on Earth everything lasts."""
        body, model = state.body, state.model
        self._state, self._friction, self._step_s = state, friction, step_s
        weight = body.mass_kg * -float(state.gravity[2])
        self._stiffness = settings.stiffness_n_m * weight / (MASS_KG * EARTH_GRAVITY_M_S2) * LEG_M / body.leg_length_m
        self._damping = 2.0 * math.sqrt(settings.damping_mass_kg * body.mass_kg / MASS_KG * self._stiffness)
        self._creep_m_s = settings.creep_m_s * body.leg_length_m / LEG_M / slow
        self._segments = [model.body(p.segment).id for p in body.contact_points]
        self._jacobian = np.zeros((len(body.contact_points), 3, model.nv))
        self.force_n = np.zeros((len(body.contact_points), 3))
        self._felt = np.zeros(model.nv)

    def sinking_m(self, heights_m: np.ndarray) -> float:
        """How much deeper [m] than these heights (P,) the points must be for the springs to carry the body."""
        weight = self._state.mass_kg * -float(self._state.gravity[2])
        low, high = float(heights_m.min()), float(heights_m.max()) + weight / self._stiffness
        for _ in range(60):
            middle = 0.5 * (low + high)
            carried = self._stiffness * np.maximum(middle - heights_m, 0.0).sum()
            low, high = (middle, high) if carried < weight else (low, middle)
        return 0.5 * (low + high)

    def _jacobians(self, points: np.ndarray) -> np.ndarray:
        """Jacobians (N, 3, nv) of some contact points."""
        state, found = self._state, self._jacobian[:len(points)]
        for row, i in zip(found, points.tolist(), strict=True):
            mujoco.mj_jac(state.model, state.data, row, None, state.contact_point_m[i], self._segments[i])
        return found

    def feel(self, forces: np.ndarray) -> None:
        """Take over forces (P, 3) on the contact points that somebody else has found."""
        self.force_n[:] = forces
        points = np.flatnonzero(forces.any(axis=1))
        self._felt = forces[points].ravel() @ self._jacobians(points).reshape(-1, self._state.model.nv)

    def root_acceleration(self, joints: np.ndarray) -> np.ndarray:
        """Acceleration (6,) of the root with the present forces, where the joints accelerate as given (nv - 6,)."""
        mass = self._state.mass_matrix
        return np.linalg.solve(mass[:6, :6], self._felt[:6] - self._state.bias_force[:6] - mass[:6, 6:] @ joints)

    def torques(self, root: np.ndarray, joints: np.ndarray) -> np.ndarray:
        """Torques (nv - 6,) [N m] that go with these accelerations and the present forces."""
        mass = self._state.mass_matrix
        return mass[6:, :6] @ root + mass[6:, 6:] @ joints + self._state.bias_force[6:] - self._felt[6:]

    def press(self, joints: np.ndarray) -> np.ndarray:
        """The springs' forces where the joints accelerate as given (nv - 6,); gives the root's acceleration (6,)."""
        state, step, nv = self._state, self._step_s, self._state.model.nv
        qvel = state.data.qvel
        deep = np.flatnonzero(state.contact_height_m < 0.0)
        jacobian = self._jacobians(deep)
        normal, depth = state.contact_normal[deep], -state.contact_height_m[deep]
        velocity = jacobian @ qvel
        rising = (velocity * normal).sum(axis=1)
        push = self._stiffness * depth - self._damping * rising
        sliding = velocity - rising[:, None] * normal
        grip = self._friction * push / np.maximum(np.sqrt((sliding * sliding).sum(axis=1)), self._creep_m_s)
        kept = np.flatnonzero(push > 0.0)
        while len(kept):  # springs pull nothing: points that would are let go
            now, ahead, along, hold = jacobian[kept], velocity[kept], normal[kept], grip[kept]
            stiff = self._stiffness * step + self._damping - hold
            drag = stiff[:, None, None] * along[:, :, None] * along[:, None, :] + hold[:, None, None] * _EYE
            ahead = ahead + step * (now[:, :, 6:] @ joints)  # at the step's end, but for the root's acceleration
            free = self._stiffness * depth[kept, None] * along - (drag @ ahead[:, :, None])[:, :, 0]
            flat = now.reshape(-1, nv)
            of_root = flat[:, :6]
            held = (drag @ now[:, :, :6]).reshape(-1, 6)
            mass = state.mass_matrix
            root = np.linalg.solve(mass[:6, :6] + step * of_root.T @ held,
                                   free.ravel() @ of_root - state.bias_force[:6] - mass[:6, 6:] @ joints)
            force = free - step * (held @ root).reshape(-1, 3)
            pushes = (force * along).sum(axis=1) >= 0.0
            if pushes.all():
                self.force_n[:] = 0.0
                self.force_n[deep[kept]] = force
                self._felt = force.ravel() @ flat
                return root
            kept = kept[pushes]
        self.force_n[:] = 0.0
        self._felt = np.zeros(nv)
        return self.root_acceleration(joints)

# SPDX-License-Identifier: GPL-3.0-or-later
"""What is wished of the contact points, and that torques be small: tasks whose rows depend on which points stand."""

from __future__ import annotations

import math

import numpy as np

from ...bodies.state import BodyState
from .cones import ContactSet


class ContactTask:
    """Expected points come to rest, and those that hover come down. Its size is three rows an expected point."""

    def __init__(self, state: BodyState, contacts: ContactSet, weight: float) -> None:
        self._state, self._contacts, self._root = state, contacts, math.sqrt(weight)
        self.damping = self.hover_gain = 0.0

    def fill(self, rows: np.ndarray, values: np.ndarray, velocity: np.ndarray, bias: np.ndarray) -> None:
        """Write the weighted rows (3 m, nv) and values (3 m,), from the points' velocities and Jdot qd (3 m,)."""
        np.multiply(self._contacts.jacobian, self._root, out=rows)
        values[:] = self._root * (self._feedback(velocity) - bias)

    def _feedback(self, velocity: np.ndarray) -> np.ndarray:
        """Accelerations (3 m,) that stop the expected points and bring down those that hover."""
        count, hovering = self._contacts.count, self._contacts.hovering
        wanted = -self.damping * velocity
        normal, away = self._state.contact_normal[hovering], velocity[3 * count:].reshape(-1, 3)
        rising = np.einsum("nk,nk->n", away, normal)
        pull = -2.0 * math.sqrt(self.hover_gain) * rising - self.hover_gain * self._state.contact_height_m[hovering]
        wanted[3 * count:] = (pull[:, None] * normal - self.damping * (away - rising[:, None] * normal)).ravel()
        return wanted


class TorqueTask:
    """Joint torques, by the equations of motion, are small: rows over accelerations and cone coefficients alike."""

    def __init__(self, state: BodyState, contacts: ContactSet, weight: float) -> None:
        self._state, self._contacts, self.weight, self._root = state, contacts, weight, math.sqrt(weight)

    def fill(self, rows: np.ndarray, values: np.ndarray) -> None:
        """Write the weighted rows (nv - 6, nv + 4 n) and values (nv - 6,)."""
        state, root, nv = self._state, self._root, self._state.model.nv
        np.multiply(state.mass_matrix[6:], root, out=rows[:, :nv])
        np.multiply(self._contacts.edges[:, 6:].T, -root, out=rows[:, nv:])
        values[:] = -root * state.bias_force[6:]

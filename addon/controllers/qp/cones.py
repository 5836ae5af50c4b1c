# SPDX-License-Identifier: GPL-3.0-or-later
"""Friction cones and velocity cones of the active contact points (Kim 2017, eq. 8-10; de Lasa et al. 2010)."""

from __future__ import annotations

import mujoco
import numpy as np

from ...bodies.state import BodyState

EDGES = 4


class ContactSet:
    """Jacobians of the active contact points and the edges of their cones, refilled every control step."""

    def __init__(self, state: BodyState, friction: float) -> None:
        self._state = state
        count, nv = len(state.body.contact_points), state.model.nv
        self._bodies = [state.model.body(p.segment).id for p in state.body.contact_points]
        self._jacobian, self._dot = np.zeros((2, count, 3, nv))
        self._edges = np.zeros((count, EDGES, nv))
        self._upright = np.array([[friction, 0.0, 1.0], [-friction, 0.0, 1.0], [0.0, friction, 1.0], [0.0, -friction, 1.0]])
        self._cone = self._upright @ tilts(state.contact_normal).transpose(0, 2, 1)
        self.indices = self.expected = np.zeros(0, dtype=int)
        self.count = 0

    def update(self, active: np.ndarray, expected: np.ndarray) -> None:
        """Fill for the active points (P,) bool, which may push, and the expected ones, which should be on the ground."""
        state = self._state
        model, data, points = state.model, state.data, state.contact_point_m
        self.indices = active.nonzero()[0]
        self.count = n = len(self.indices)
        self.expected = np.concatenate([self.indices, (expected & ~active).nonzero()[0]])
        for row, i in enumerate(self.expected.tolist()):
            mujoco.mj_jac(model, data, self._jacobian[row], None, points[i], self._bodies[i])
            mujoco.mj_jacDot(model, data, self._dot[row], None, points[i], self._bodies[i])
        if not state.ground.plane:
            self._cone[:n] = self._upright @ tilts(state.contact_normal[self.indices]).transpose(0, 2, 1)
        np.matmul(self._cone[:n], self._jacobian[:n], out=self._edges[:n])

    @property
    def hovering(self) -> np.ndarray:
        """Indices of the expected points that are not active, in the order of the last rows of `jacobian`."""
        return self.expected[self.count:]

    @property
    def jacobian(self) -> np.ndarray:
        """(3 m, nv): the Jacobians of the expected points, point by point, the active ones first."""
        return self._jacobian[: len(self.expected)].reshape(3 * len(self.expected), self._state.model.nv)

    @property
    def bias_acceleration(self) -> np.ndarray:
        """(3 m,): J-dot q-dot of the expected points."""
        return self._dot[: len(self.expected)].reshape(3 * len(self.expected), self._state.model.nv) @ self._state.qvel

    @property
    def edges(self) -> np.ndarray:
        """(4 n, nv): V^T J, point by point; its transpose maps cone coefficients to generalised forces."""
        return self._edges[: self.count].reshape(EDGES * self.count, self._state.model.nv)

    def along_edges(self, vectors: np.ndarray) -> np.ndarray:
        """V^T of point vectors (3 m,), of which the active ones come first: (4 n,), in the order of `edges`."""
        return np.einsum("nek,nk->ne", self._cone[: self.count], vectors[: 3 * self.count].reshape(self.count, 3)).ravel()

    def point_forces(self, coefficients: np.ndarray) -> np.ndarray:
        """World forces (n, 3) of cone coefficients (4 n,)."""
        return np.einsum("ne,nek->nk", coefficients.reshape(self.count, EDGES), self._cone[: self.count])


def tilts(normals: np.ndarray) -> np.ndarray:
    """Rotations (n, 3, 3), the least ones that turn the vertical to unit normals (n, 3)."""
    x, y, z = normals.T
    share = -x * y / (1.0 + z)
    columns = (1.0 - x * x / (1.0 + z), share, x, share, 1.0 - y * y / (1.0 + z), y, -x, -y, z)
    return np.column_stack(columns).reshape(-1, 3, 3)

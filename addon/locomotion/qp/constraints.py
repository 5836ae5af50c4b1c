# SPDX-License-Identifier: GPL-3.0-or-later
"""What bounds the body's accelerations: cones of friction and velocity of the active contact points (Kim 2017, eq. 8-10; de Lasa
et al. 2010), hinges within their ranges, and gaps between segments that stay open. A gap d that is to stay over a margin m is
given d'' >= -2 k d' - k^2 (d - m): it comes to rest at the margin, however it is approached (Nguyen and Sreenath 2016)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple, Protocol

import mujoco
import numpy as np

from ...bodies.body import Capsule
from ...bodies.state import BodyState
from ...maths.curves import closest
from ...maths.rotations import length, tilts

EDGES = 4
SLIDING_M_S = 0.05
"""Speed from which on a point that is to slide is taken to slide; slower, its friction may have any direction."""


class Sliding(NamedTuple):
    """How every contact point (P, 3) is to move along the ground: world axes, zeros where it is to rest."""

    velocity_m_s: np.ndarray
    acceleration_m_s2: np.ndarray


class _Selection:
    """Indices for one choice of active and expected points, made once: the same choices come back with every stride."""

    def __init__(self, active: np.ndarray, expected: np.ndarray) -> None:
        self.active = active.nonzero()[0]
        self.hovering = (expected & ~active).nonzero()[0]
        self.expected = np.concatenate([self.active, self.hovering])


class ContactSet:
    """Jacobians of the active contact points and the edges of their cones, refilled every control step. After `update`:
    `jacobian` (3 m, nv) holds the Jacobians of the expected points, point by point, the active ones first, and `edges` (4 n, nv)
    V^T J of the active ones; its transpose maps cone coefficients to generalised forces. `indices` (n,) are the active points,
    `hovering` the expected ones that are not active, `expected` (m,) both in this order. `slip_velocity` and `slip_acceleration`
    (3 m,) are how these are to slide."""

    def __init__(self, state: BodyState, friction: float, ground_friction: float | None = None) -> None:
        """`friction` is what a point at rest may count on, `ground_friction` what one that slides meets (the same if None)."""
        self._state = state
        count, nv = len(state.body.contact_points), state.model.nv
        bodies = [state.model.body(p.segment).id for p in state.body.contact_points]
        self._points = list(zip(state.contact_point_m, bodies, strict=True))
        self._jacobian, self._dot = np.zeros((2, count, 3, nv))
        self._rows = list(zip(self._jacobian, self._dot, strict=True))
        self._edges = np.zeros((count, EDGES, nv))
        self._upright = np.array([[friction, 0.0, 1.0], [-friction, 0.0, 1.0], [0.0, friction, 1.0], [0.0, -friction, 1.0]])
        self._cone = self._upright @ tilts(state.contact_normal).transpose(0, 2, 1)
        self._friction, self._slid = friction if ground_friction is None else ground_friction, False
        self._at_rest = np.zeros(3 * count)
        self.slip_velocity = self.slip_acceleration = self._at_rest[:0]
        self._selections: dict[bytes, _Selection] = {}
        self._select(np.zeros(count, dtype=bool), np.zeros(count, dtype=bool))

    def _select(self, active: np.ndarray, expected: np.ndarray) -> None:
        key = active.tobytes() + expected.tobytes()
        chosen = self._selections.get(key)
        if chosen is None:
            chosen = self._selections[key] = _Selection(active, expected)
        nv, n, m = self._state.model.nv, len(chosen.active), len(chosen.expected)
        self.indices, self.expected, self.hovering, self.count = chosen.active, chosen.expected, chosen.hovering, n
        self.jacobian, self._dots = self._jacobian[:m].reshape(3 * m, nv), self._dot[:m].reshape(3 * m, nv)
        self.edges = self._edges[:n].reshape(EDGES * n, nv)

    def update(self, active: np.ndarray, expected: np.ndarray, sliding: Sliding | None = None) -> None:
        """Fill for active points (P,) bool, which may push, and expected ones, to be on the ground, at rest or `sliding`."""
        state = self._state
        model, data = state.model, state.data
        self._select(active, expected)
        for (jacobian, dot), i in zip(self._rows, self.expected.tolist(), strict=False):
            point, body = self._points[i]
            mujoco.mj_jac(model, data, jacobian, None, point, body)
            mujoco.mj_jacDot(model, data, dot, None, point, body)
        n = self.count
        self.slip_velocity = self.slip_acceleration = self._at_rest[: 3 * len(self.expected)]
        if not state.ground.plane:
            self._cone[:n] = self._upright @ tilts(state.contact_normal[self.indices]).transpose(0, 2, 1)
        elif self._slid:
            self._cone[:] = self._upright @ tilts(state.contact_normal).transpose(0, 2, 1)
        self._slid = sliding is not None
        if sliding is not None:
            self._slide(sliding)
        np.matmul(self._cone[:n], self._jacobian[:n], out=self._edges[:n])

    def _slide(self, sliding: Sliding) -> None:
        """The ground's friction on points that are to slide is all there is, and against their way: their cone is one edge."""
        self.slip_velocity = sliding.velocity_m_s[self.expected].ravel()
        self.slip_acceleration = sliding.acceleration_m_s2[self.expected].ravel()
        for row, i in enumerate(self.indices.tolist()):
            velocity = sliding.velocity_m_s[i]
            speed = float(np.linalg.norm(velocity))
            share = min(speed / SLIDING_M_S, 1.0)
            if share > 0.0:
                edge = self._state.contact_normal[i] - self._friction / speed * velocity
                self._cone[row] += share * (edge - self._cone[row])

    @property
    def bias_acceleration(self) -> np.ndarray:
        """(3 m,): J-dot q-dot of the expected points."""
        return self._dots @ self._state.qvel

    def along_edges(self, vectors: np.ndarray) -> np.ndarray:
        """V^T of point vectors (3 m,), of which the active ones come first: (4 n,), in the order of `edges`."""
        return np.einsum("nek,nk->ne", self._cone[: self.count], vectors[: 3 * self.count].reshape(self.count, 3)).ravel()

    def point_forces(self, coefficients: np.ndarray) -> np.ndarray:
        """World forces (n, 3) of cone coefficients (4 n,)."""
        return np.einsum("ne,nek->nk", coefficients.reshape(self.count, EDGES), self._cone[: self.count])


class Bounds(Protocol):
    """What bounds accelerations by rows, as `Gaps` do."""

    def bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """Rows (k, nv), and the least (k,) that these times the accelerations may be."""


NEAR_M = 0.10
"""Gaps wider than this are not looked at."""
MOST_M_S2 = 60.0
"""The most by which two segments are told to part (first guess)."""


class Gaps:
    """The gaps of pairs of capsules in a state, none of which is to be less than `margin_m`, or than it was at first."""

    def __init__(self, state: BodyState, pairs: Sequence[tuple[Capsule, Capsule]], margin_m: float, rate: float) -> None:
        """`rate` is k above [1/s]."""
        self._state, self.rate = state, rate
        self._ids = np.array([[state.model.body(c.segment).id for c in pair] for pair in pairs])
        self._ends = np.array([[(c.start, c.end) for c in pair] for pair in pairs], dtype=float)  # (K, 2, 2, 3)
        self._thick = np.array([one.radius_m + other.radius_m for one, other in pairs])
        self._margin = np.full(len(pairs), margin_m)
        self._seen = False
        nv = state.model.nv
        self._jac, self._dot = np.zeros((2, 2, 3, nv))

    def _measured(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The nearest points (K, 2, 3) of the capsules' lines, their distances (K,) and the gaps (K,)."""
        data = self._state.data
        turns = data.xmat.take(self._ids, 0).reshape(-1, 2, 3, 3)
        ends = np.einsum("kpij,kpej->kpei", turns, self._ends) + data.xpos.take(self._ids, 0)[:, :, None]
        points = closest(ends[:, 0], ends[:, 1])
        distance = np.maximum(length(points[:, 0] - points[:, 1]), 1e-6)
        return points, distance, distance - self._thick

    def bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """Rows (k, nv) of the gaps that are narrow, and the least (k,) that these times the accelerations may be."""
        state, rate = self._state, self.rate
        data, model = state.data, state.model
        points, distance, gap = self._measured()
        if not self._seen:
            self._seen, self._margin = True, np.minimum(self._margin, gap)
        near = (gap < NEAR_M).nonzero()[0]
        rows, least = np.empty((len(near), model.nv)), np.empty(len(near))
        for row, k in enumerate(near.tolist()):
            for jac, dot, point, segment in zip(self._jac, self._dot, points[k], self._ids[k].tolist(), strict=True):
                mujoco.mj_jac(model, data, jac, None, point, segment)
                mujoco.mj_jacDot(model, data, dot, None, point, segment)
            way = (points[k, 0] - points[k, 1]) / distance[k]
            rows[row] = way @ (self._jac[0] - self._jac[1])
            bias = float(way @ ((self._dot[0] - self._dot[1]) @ data.qvel))
            wanted = -2.0 * rate * float(rows[row] @ data.qvel) - rate**2 * float(gap[k] - self._margin[k])
            least[row] = min(wanted, MOST_M_S2) - bias
        return rows, least


MOST_BRAKING_RAD_S2 = 500.0
"""A hinge past its limit may be turned back no faster than this (first guess)."""


class HingeLimits:
    """Keeps each hinge a margin within its range over a horizon."""

    def __init__(self, state: BodyState, margin_deg: float, horizon_s: float) -> None:
        self._state, self.horizon_s, margin = state, horizon_s, math.radians(margin_deg)
        hinges = [state.model.joint(name) for name in state.body.joint_segments if state.body.segment(name).joint == "hinge"]
        self._place = np.array([int(j.qposadr[0]) for j in hinges], dtype=int)
        self.columns = np.array([int(j.dofadr[0]) for j in hinges], dtype=int)
        self._range = np.array([[j.range[0] + margin for j in hinges], [j.range[1] - margin for j in hinges]])

    def fill(self, low: np.ndarray, high: np.ndarray) -> None:
        """Write the bounds of the hinges' accelerations into those of the unknowns."""
        horizon, state = self.horizon_s, self._state
        angle, rate = state.qpos[self._place], state.qvel[self.columns]
        least, most = (2.0 / horizon**2) * (self._range - (angle + horizon * rate))
        low[self.columns] = np.minimum(least, MOST_BRAKING_RAD_S2)
        high[self.columns] = np.maximum(most, -MOST_BRAKING_RAD_S2)

# SPDX-License-Identifier: GPL-3.0-or-later
"""Segments that may not go into one another: bounds on how fast the gaps between their capsules close.

A gap d that is to stay over a margin m is given d'' >= -2 k d' - k^2 (d - m): it comes to rest at the margin, however it is
approached (an exponential barrier, Nguyen and Sreenath 2016).

Bounds on accelerations that keep hinges within their ranges.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import mujoco
import numpy as np

from ...bodies.body import Capsule
from ...bodies.state import BodyState
from ...maths.curves import closest

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
        turns = data.xmat[self._ids].reshape(-1, 2, 3, 3)
        ends = np.einsum("kpij,kpej->kpei", turns, self._ends) + data.xpos[self._ids][:, :, None]
        points = closest(ends[:, 0], ends[:, 1])
        distance = np.maximum(np.linalg.norm(points[:, 0] - points[:, 1], axis=1), 1e-6)
        return points, distance, distance - self._thick

    def narrowest(self) -> float:
        """The least gap now [m]."""
        return float(self._measured()[2].min())

    def bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """Rows (k, nv) of the gaps that are narrow, and the least (k,) that these times the accelerations may be."""
        state, rate = self._state, self.rate
        data, model = state.data, state.model
        points, distance, gap = self._measured()
        if not self._seen:
            self._seen, self._margin = True, np.minimum(self._margin, gap)
        near = np.flatnonzero(gap < NEAR_M)
        rows, least = np.empty((len(near), model.nv)), np.empty(len(near))
        for row, k in enumerate(near.tolist()):
            for i in range(2):
                mujoco.mj_jac(model, data, self._jac[i], None, points[k, i], int(self._ids[k, i]))
                mujoco.mj_jacDot(model, data, self._dot[i], None, points[k, i], int(self._ids[k, i]))
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

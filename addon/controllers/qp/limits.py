# SPDX-License-Identifier: GPL-3.0-or-later
"""Bounds on accelerations that keep hinges within their ranges."""

from __future__ import annotations

import math

import numpy as np

from ...bodies.state import BodyState

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

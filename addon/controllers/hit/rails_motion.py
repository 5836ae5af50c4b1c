# SPDX-License-Identifier: GPL-3.0-or-later
"""A motion in the engine's own steps: where it is after each, and by which torques it gets there.

Velocities and accelerations are differences over the engine's step, and torques the inverse dynamics of these. So an engine that
is given them goes along the motion exactly, and only what hits the body takes it off.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import NamedTuple

import mujoco
import numpy as np
from scipy.interpolate import CubicSpline

from ...bodies.segments import COORDINATES
from ...bodies.state import BodyState
from .rails_gains import RailsGains, gains_along
from .rails_settings import RailsSettings

PIECE = 128
"""Steps that are worked out at a time: a long motion would not fit as a whole."""
GAINS_STEP_S = 1.0 / 60.0
"""Time between gains: they follow the motion's torques, smoothed."""


class Step(NamedTuple):
    """The motion at one step: `qpos` (nq,), `qvel` (nv,) with which it came there, and `torque` (nv - r,) [N m] by which it goes
    on to the next."""

    qpos: np.ndarray
    qvel: np.ndarray
    torque: np.ndarray


class RailsMotion:
    """A motion (N, nq) at times (N,) [s] from 0 on, N at least 4; quaternions without changes of sign. `state` is the body's,
    and nobody else's."""

    def __init__(self, state: BodyState, times_s: np.ndarray, coordinates: np.ndarray, step_s: float) -> None:
        self._state, self.step_s, self.end_s = state, step_s, float(times_s[-1])
        self._way = CubicSpline(times_s, coordinates, axis=0)
        self._quaternions = _quaternion_columns(state)
        self._pieces: OrderedDict[int, list[Step]] = OrderedDict()

    def at(self, step: int) -> Step:
        """The motion at a step, the first being 0."""
        piece = step // PIECE
        if piece not in self._pieces:
            self._pieces[piece] = self._worked_out(piece * PIECE, PIECE, self.step_s)
            if len(self._pieces) > 2:
                self._pieces.popitem(last=False)
        return self._pieces[piece][step % PIECE]

    def gains(self, settings: RailsSettings, looseness: float = 1.0) -> RailsGains:
        """Stiffness and damping along it."""
        count = max(int(np.ceil(self.end_s / GAINS_STEP_S)) + 1, 2)
        qpos, qvel, qacc = self._differences(0, count, GAINS_STEP_S)
        return gains_along(self._state, GAINS_STEP_S, qpos, qvel, qacc, settings, looseness)

    def _worked_out(self, first: int, count: int, step_s: float) -> list[Step]:
        found = []
        state, root = self._state, self._state.body.root_freedom
        for q, v, a in zip(*self._differences(first, count, step_s), strict=True):
            state.update(q, v)
            found.append(Step(q, v, (state.mass_matrix @ a + state.bias_force)[root:]))
        return found

    def _differences(self, first: int, count: int, step_s: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Coordinates (count, nq), the velocities (count, nv) that led there in one step and the accelerations (count, nv) to
        those of the next step, from step `first` on; the first step of all begins with the velocity it goes on with."""
        qpos = self._way(step_s * np.arange(first - 1, first + count + 1))
        for columns in self._quaternions:
            qpos[:, columns] /= np.linalg.norm(qpos[:, columns], axis=1, keepdims=True)
        model = self._state.model
        qvel = np.zeros((count + 1, model.nv))
        for row, before, after in zip(qvel, qpos[:-1], qpos[1:], strict=True):
            mujoco.mj_differentiatePos(model, row, step_s, before, after)
        if first == 0:
            qvel[0] = qvel[1]
        return qpos[1:-1], qvel[:-1], np.diff(qvel, axis=0) / step_s


def _quaternion_columns(state: BodyState) -> list[slice]:
    """Where in the coordinates the quaternions are."""
    found, at = [], 0
    for segment in state.body.segments:
        size = COORDINATES[segment.joint]
        if segment.joint in ("free", "ball"):
            found.append(slice(at + size - 4, at + size))
        at += size
    return found

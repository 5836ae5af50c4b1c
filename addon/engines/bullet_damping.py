# SPDX-License-Identifier: GPL-3.0-or-later
"""Damping of joints that is stable at any size, for Bullet, whose own is explicit: above twice inertia over step it blows up."""

from __future__ import annotations

import mujoco
import numpy as np

from ..bodies.body import Body
from ..bodies.model import build_model
from ..specs.shot import World


class ImplicitDamping:
    """Finds the torques by which joints are damped through one physics step by the velocities at its end, as MuJoCo does it.

    Those velocities are v' of (M + h D) v' = M v + h (torque - bias): what contacts add is damped in the step after.
    """

    def __init__(self, body: Body, world: World, step_s: float) -> None:
        self._model = build_model(body, world, step_s=step_s)
        self._data = mujoco.MjData(self._model)
        self._step_s, self._root = step_s, body.root_freedom
        nv = self._model.nv
        self._matrix, self._bias = np.zeros((nv, nv)), np.zeros(nv)

    def set_gravity(self, gravity_m_s2: float) -> None:
        """From now on gravity is this [m/s^2]."""
        self._model.opt.gravity[2] = -gravity_m_s2

    def torque(self, qpos: np.ndarray, qvel: np.ndarray, torque: np.ndarray, damping: np.ndarray,
               root: np.ndarray | None = None) -> np.ndarray:
        """Joint torques (nv - r,) [N m], the damping's (nv - r,) [N m s] included, in a state. `root` (r,) are generalised forces
        on the root."""
        model, data, step, matrix = self._model, self._data, self._step_s, self._matrix
        data.qpos[:], data.qvel[:] = qpos, qvel
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        mujoco.mj_makeM(model, data)
        mujoco.mj_fullM(model, data, matrix)
        mujoco.mj_comVel(model, data)
        mujoco.mj_rne(model, data, 0, self._bias)
        pull = matrix @ qvel - step * self._bias
        pull[self._root:] += step * torque
        if root is not None:
            pull[:self._root] += step * root
        joints = np.arange(self._root, model.nv)
        matrix[joints, joints] += step * damping
        return torque - damping * np.linalg.solve(matrix, pull)[self._root:]

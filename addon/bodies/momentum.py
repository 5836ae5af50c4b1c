# SPDX-License-Identifier: GPL-3.0-or-later
"""Linear and angular momentum of a body with any root, summed over its segments; of a free root's, the equations of motion
hold them in the root's rows (see `state`)."""

from __future__ import annotations

from collections.abc import Iterator

import mujoco
import numpy as np


def com_bias_acceleration(model: mujoco.MjModel, data: mujoco.MjData) -> np.ndarray:
    """Acceleration (3,) [m/s^2] of the centre of mass at zero generalised acceleration."""
    masses = model.body_mass[1:]
    return masses @ np.array([linear for linear, _ in _segment_bias(model, data)]) / masses.sum()


def angular_momentum(model: mujoco.MjModel, data: mujoco.MjData) -> tuple[np.ndarray, np.ndarray]:
    """Matrix (3, nv) from velocities to angular momentum about the COM [kg m^2/s, world axes], and its rate (3,) at zero
    generalised acceleration: of each segment r x m a + I alpha + omega x I omega."""
    matrix, rate, velocity = np.zeros((3, model.nv)), np.zeros(3), np.zeros(6)
    mujoco.mj_angmomMat(model, data, matrix, 1)
    for body, (linear, angular) in enumerate(_segment_bias(model, data), start=1):
        axes = data.ximat[body].reshape(3, 3)
        inertia = axes @ np.diag(model.body_inertia[body]) @ axes.T
        mujoco.mj_objectVelocity(model, data, mujoco.mjtObj.mjOBJ_BODY, body, velocity, 0)
        spin = velocity[:3]
        rate += np.cross(data.xipos[body] - data.subtree_com[1], model.body_mass[body] * linear)
        rate += inertia @ angular + np.cross(spin, inertia @ spin)
    return matrix, rate


def _segment_bias(model: mujoco.MjModel, data: mujoco.MjData) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Accelerations (3,), (3,) of each segment's centre of mass and of its turning at zero generalised acceleration."""
    linear, angular = np.zeros((2, 3, model.nv))
    for body in range(1, model.nbody):
        mujoco.mj_jacDot(model, data, linear, angular, data.xipos[body], body)
        yield linear @ data.qvel, angular @ data.qvel

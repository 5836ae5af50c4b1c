# SPDX-License-Identifier: GPL-3.0-or-later
"""Muscles that pull along their paths on a body: geometry and mechanics together, as an engine is driven by them."""

from __future__ import annotations

import mujoco
import numpy as np

from ..body import Body
from .coordinates import moved_coordinates
from .mechanics import Mechanics
from .metabolic import metabolic_w
from .muscle import MuscleSet
from .paths import PathKinematics

DAMPING_EVERY_S = 0.005
"""How often the damping is worked out anew: it changes with activations, and steps need its size alone."""


class PathActuator:
    """See `actuator.MuscleActuator`. Path lengths, rates and moment arms are those of the very state that a step begins in, so
    that the force is never a step behind the motion."""

    def __init__(self, body: Body, muscles: MuscleSet, mechanics: Mechanics, own: np.ndarray) -> None:
        """`own` (nv - r,) as `actuator.MuscleActuator` has it."""
        self.names, self.muscles = muscles.names, muscles
        self._paths, self._mechanics = PathKinematics(body, muscles), mechanics
        self.moved, self.own = moved_coordinates(body, muscles), own
        self._arms = self._paths.arms_m[body.root_freedom:]
        self._torque, self.damping = np.zeros((2, len(self.moved)))
        self._inertia = alone_inertia(self._paths.model)[body.root_freedom:]
        self._excitation, self._since_s = mechanics.activation, 0.0

    @property
    def activation(self) -> np.ndarray:
        """See `actuator.MuscleState`."""
        return self._mechanics.activation

    @property
    def force_n(self) -> np.ndarray:
        """See `actuator.MuscleState`."""
        return self._mechanics.force_n

    @property
    def fibre_length(self) -> np.ndarray:
        """See `actuator.MuscleState`."""
        return self._mechanics.fibre_length

    @property
    def fibre_velocity(self) -> np.ndarray:
        """See `actuator.MuscleState`."""
        return self._mechanics.fibre_velocity

    @property
    def metabolic_w(self) -> np.ndarray:
        """See `actuator.MuscleActuator`; by Wang 2012."""
        return metabolic_w(self._mechanics, self._excitation)

    def reset(self, qpos: np.ndarray, qvel: np.ndarray, activation: np.ndarray | None = None) -> None:
        """See `actuator.MuscleActuator.reset`."""
        self._paths.update(qpos, qvel)
        self._mechanics.reset(self._paths.length_m, activation, self._paths.rate_m_s)
        self._excitation = self._mechanics.activation
        self._since_s = DAMPING_EVERY_S

    def step(self, excitation: np.ndarray, qpos: np.ndarray, qvel: np.ndarray, dt_s: float) -> np.ndarray:
        """See `actuator.MuscleActuator.step`."""
        paths, mechanics = self._paths, self._mechanics
        paths.update(qpos, qvel)
        self._excitation = excitation
        np.matmul(self._arms, mechanics.step(excitation, paths.length_m, paths.rate_m_s, dt_s), out=self._torque)
        self._since_s += dt_s
        if self._since_s > DAMPING_EVERY_S - 0.5 * dt_s:
            self.damping[:] = unborne(self._arms**2 @ mechanics.damping_n_s_m, self._inertia, dt_s)
            self._since_s = 0.0
        return self._torque


def unborne(damping: np.ndarray, inertia: np.ndarray, dt_s: float) -> np.ndarray:
    """The part [N m s] of joints' damping that an engine has to treat implicitly so that no step of a velocity overshoots: all
    that explicit steps bear stays out of it, since what is implicit comes a step late."""
    return np.maximum(damping - inertia / dt_s, 0.0)


def alone_inertia(model: mujoco.MjModel) -> np.ndarray:
    """What each coordinate (nv,) has of inertia in the neutral pose where all others are free to go along: the least it has."""
    data, mass = mujoco.MjData(model), np.zeros((model.nv, model.nv))
    mujoco.mj_forward(model, data)
    mujoco.mj_fullM(model, data, mass)
    return 1.0 / np.diag(np.linalg.inv(mass))

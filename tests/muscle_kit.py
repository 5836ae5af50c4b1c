# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests of muscles share: muscles with the same moment arm in every pose, one pair to a coordinate."""

from __future__ import annotations

import numpy as np

DELAY_S = 0.02
"""Time constant of activation."""


class JointActuator:
    """See `bodies.muscles.paths.PathActuator`: a pair of muscles, fore and back, at each of some coordinates of a body with
    constant moment arms; a muscle pulls with a (1 - rate / fastest) of its strength, and at least not at all."""

    def __init__(self, body, coordinates, force_n=2000.0, arm_m=0.04, fastest_m_s=0.5):
        joints = body.degrees_of_freedom - body.root_freedom
        self.names = tuple(f"{side}_{joint}" for joint in coordinates for side in ("fore", "back"))
        self._arms = np.zeros((joints, len(self.names)))
        for i, joint in enumerate(coordinates):
            self._arms[joint, 2 * i:2 * i + 2] = arm_m, -arm_m
        self.moved = self.own = self._arms.any(axis=1)
        self._force, self._fastest, self._joints = force_n, fastest_m_s, joints
        self.activation, self.force_n, self.fibre_length, self.fibre_velocity = np.zeros((4, len(self.names)))
        self.fibre_length[:] = 1.0
        self.damping, self._torque = np.zeros((2, joints))

    @property
    def metabolic_w(self):
        return 0.5 * self.force_n

    def reset(self, qpos, qvel, activation=None):
        self.activation[:] = 0.0 if activation is None else activation
        self._pull(qvel)

    def step(self, excitation, qpos, qvel, dt_s):
        self._pull(qvel)
        self.activation += (excitation - self.activation) * dt_s / DELAY_S
        return self._torque

    def _pull(self, qvel):
        rate = -self._arms.T @ qvel[-self._joints:]
        slope = self._force * self.activation / self._fastest
        self.force_n[:] = np.maximum(self._force * self.activation + slope * rate, 0.0)
        self.fibre_velocity[:] = rate
        self._torque[:] = self._arms @ self.force_n
        self.damping[:] = self._arms**2 @ np.where(self.force_n > 0.0, slope, 0.0)

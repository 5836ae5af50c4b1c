# SPDX-License-Identifier: GPL-3.0-or-later
"""The ideal engine: it simulates no contact, but moves the body exactly as the controller's optimisation predicts."""

from __future__ import annotations

from typing import ClassVar

import mujoco
import numpy as np

from ..bodies.body import Body
from ..bodies.model import STEPPING, Stepping
from ..errors import EngineError
from ..specs.shot import World
from .engine import Accelerations, ModelEngine


class IdealEngine(ModelEngine):
    """Integrates given accelerations: velocity first, then position with the new velocity, orientations on the rotation group
    itself, so unit. Contact forces are those it is told. A push adds M^-1 J^T f, the free body's answer."""

    senses_contact: ClassVar[bool] = False

    def __init__(self, body: Body, world: World, stepping: Stepping = STEPPING) -> None:
        super().__init__(body, world, stepping)
        self._jacobian, self._turning = np.zeros((2, 3, self.model.nv))

    def apply(self, command: Accelerations, seconds: float) -> None:
        self.accelerate(command.acceleration, command.contact_force_n, seconds)

    def accelerate(self, qacc: np.ndarray, contact_force_n: np.ndarray, seconds: float) -> None:
        """Hold accelerations (nv,) and forces (P, 3), in whole steps of about `step_s`. Raises EngineError for a lost state."""
        steps = max(1, round(seconds / self.step_s))
        step = seconds / steps
        for _ in range(steps):
            total = qacc + self._push_acceleration() if self.pushes else qacc
            self.qvel += step * total
            mujoco.mj_integratePos(self.model, self.qpos, self.qvel, step)
            self.data.time += step
        self.contact_force_n[:] = contact_force_n
        if not (np.isfinite(self.qpos).all() and np.isfinite(self.qvel).all()):
            raise EngineError(f"The ideal engine lost the motion at {self.data.time:.3f} s (its state was not a number).")

    def _push_acceleration(self) -> np.ndarray:
        """M^-1 J^T f (nv,) of all pushes, J being the Jacobian of the pushed segment at its centre of mass."""
        model, data = self.model, self.data
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        mujoco.mj_makeM(model, data)
        mujoco.mj_factorM(model, data)
        force = np.zeros((1, model.nv))
        for number, push in self.pushes.items():
            mujoco.mj_jacBodyCom(model, data, self._jacobian, self._turning, number)
            force[0] += push[:3] @ self._jacobian
            if push[3:].any():
                force[0] += push[3:] @ self._turning
        acceleration = np.zeros_like(force)
        mujoco.mj_solveM(model, data, acceleration, force)
        return acceleration[0]

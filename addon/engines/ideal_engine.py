# SPDX-License-Identifier: GPL-3.0-or-later
"""The ideal engine: it simulates no contact, but moves the body exactly as the controller's optimisation predicts."""

from __future__ import annotations

from typing import ClassVar

import mujoco
import numpy as np

from ..bodies.body import Body
from ..bodies.model import STEPPING, Stepping, build_model
from ..errors import EngineError
from ..specs.shot import World
from .engine import NO_MOMENT, Accelerations


class IdealEngine:
    """Integrates given accelerations; see `engine.Engine`. Velocity first, then position with the new velocity; orientations turn
    on the rotation group itself, so quaternions stay unit. Contact forces are those it is told. A push adds M^-1 J^T f, the
    answer of the free body to the force."""

    senses_contact: ClassVar[bool] = False
    watches = False

    def __init__(self, body: Body, world: World, stepping: Stepping = STEPPING) -> None:
        self.model = build_model(body, world, stepping)
        self.data = mujoco.MjData(self.model)
        self.step_s = float(self.model.opt.timestep)
        self.qpos, self.qvel = self.data.qpos, self.data.qvel
        self.contact_force_n = np.zeros((len(body.contact_points), 3))
        self.object_pose = np.zeros((0, 7))
        self.touched: dict[tuple[int, str], np.ndarray] = {}
        self._body = body
        self._pushes: dict[str, np.ndarray] = {}
        self._jacobian, self._turning = np.zeros((2, 3, self.model.nv))

    def reset(self, qpos: np.ndarray, qvel: np.ndarray) -> None:
        """See `Engine.reset`."""
        mujoco.mj_resetData(self.model, self.data)
        self.qpos[:], self.qvel[:] = qpos, qvel
        self.contact_force_n[:] = 0.0
        self._pushes.clear()

    def apply(self, command: Accelerations, seconds: float) -> None:
        """See `Engine.apply`."""
        self.accelerate(command.acceleration, command.contact_force_n, seconds)

    def accelerate(self, qacc: np.ndarray, contact_force_n: np.ndarray, seconds: float) -> None:
        """Hold generalised accelerations (nv,) for some seconds; `contact_force_n` (P, 3) are the forces that go with them.
        Raises EngineError when the state is lost. The time is cut into whole steps of at most about `step_s`."""
        steps = max(1, round(seconds / self.step_s))
        step = seconds / steps
        for _ in range(steps):
            total = qacc + self._push_acceleration() if self._pushes else qacc
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
        for segment, push in self._pushes.items():
            mujoco.mj_jacBodyCom(model, data, self._jacobian, self._turning, model.body(segment).id)
            force[0] += push[:3] @ self._jacobian
            if push[3:].any():
                force[0] += push[3:] @ self._turning
        acceleration = np.zeros_like(force)
        mujoco.mj_solveM(model, data, acceleration, force)
        return acceleration[0]

    def push(self, segment: str, force_n: np.ndarray, moment_nm: np.ndarray = NO_MOMENT) -> None:
        """See `Engine.push`. Raises BodyError for a segment that the body does not have."""
        self._body.segment(segment)
        self._pushes.pop(segment, None)
        if np.any(force_n) or np.any(moment_nm):
            self._pushes[segment] = np.concatenate([force_n, moment_nm])

    def throw(self, row: int, place_m: np.ndarray, velocity_m_s: np.ndarray) -> None:
        """See `Engine.throw`. Raises EngineError: nothing is loose here."""
        raise EngineError("This engine knows no contact, so nothing can be thrown there: choose the engine mujoco.")

    def set_gravity(self, gravity_m_s2: float) -> None:
        """See `Engine.set_gravity`."""
        self.model.opt.gravity[2] = -gravity_m_s2

    def bar_itself(self, bars: bool) -> None:
        """See `Engine.bar_itself`: its body has no capsules."""

    def close(self) -> None:
        """Nothing to free."""

# SPDX-License-Identifier: GPL-3.0-or-later
"""The default engine: MuJoCo."""

from __future__ import annotations

import logging
from typing import ClassVar

import mujoco
import numpy as np

from ..bodies.body import Body
from ..bodies.model import build_model
from ..errors import EngineError
from ..shot import World

# MuJoCo would write its warnings to a file in the working folder, wherever that is.
mujoco.set_mju_user_warning(logging.getLogger(__name__).warning)

_LOST = (mujoco.mjtWarning.mjWARN_BADQPOS, mujoco.mjtWarning.mjWARN_BADQVEL, mujoco.mjtWarning.mjWARN_BADQACC)
"""Warnings after which MuJoCo has silently put the state back to its start."""


class MujocoEngine:
    """Steps a Body with MuJoCo; see `engine.TorqueEngine`."""

    integrates_accelerations: ClassVar[bool] = False

    def __init__(self, body: Body, world: World) -> None:
        self._body = body
        self.model = build_model(body, world)
        self.data = mujoco.MjData(self.model)
        self.step_s = float(self.model.opt.timestep)
        self.qpos, self.qvel = self.data.qpos, self.data.qvel
        self.contact_force_n = np.zeros((len(body.contact_points), 3))
        self._point_of_geom = np.full(self.model.ngeom, -1)
        for i, point in enumerate(body.contact_points):
            self._point_of_geom[self.model.geom(point.name).id] = i
        self._wrench = np.zeros(6)

    def reset(self, qpos: np.ndarray, qvel: np.ndarray) -> None:
        """See `Engine.reset`."""
        mujoco.mj_resetData(self.model, self.data)
        self.data.qpos[:], self.data.qvel[:] = qpos, qvel
        mujoco.mj_forward(self.model, self.data)
        self.contact_force_n[:] = 0.0

    def advance(self, torque: np.ndarray, steps: int) -> None:
        """See `TorqueEngine.advance`. The contact force is sampled on the last physics step of the call."""
        data = self.data
        before = data.time
        data.qfrc_applied[6:] = torque
        mujoco.mj_step(self.model, data, steps)
        if any(data.warning[kind].number for kind in _LOST) or not np.isfinite(data.qvel).all():
            raise EngineError(f"MuJoCo lost the simulation at {before:.3f} s (its state was not a number).")
        self._read_contacts()

    def _read_contacts(self) -> None:
        """Forces of the last physics step, in world axes (contact frames have the normal first)."""
        self.contact_force_n[:] = 0.0
        contact = self.data.contact
        frames, geoms = contact.frame, contact.geom
        for i in range(self.data.ncon):
            mujoco.mj_contactForce(self.model, self.data, i, self._wrench)
            first, second = self._point_of_geom[geoms[i]]
            force = self._wrench[:3] @ frames[i].reshape(3, 3)  # on the second geom
            if second >= 0:
                self.contact_force_n[second] += force
            else:
                self.contact_force_n[first] -= force

    def push(self, segment: str, force_n: np.ndarray) -> None:
        """See `Engine.push`. Raises BodyError for a segment that the body does not have."""
        self._body.segment(segment)
        self.data.xfrc_applied[self.model.body(segment).id, :3] = force_n

    def set_gravity(self, gravity_m_s2: float) -> None:
        """See `Engine.set_gravity`."""
        self.model.opt.gravity[2] = -gravity_m_s2

    def close(self) -> None:
        """Nothing to free."""

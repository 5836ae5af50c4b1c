# SPDX-License-Identifier: GPL-3.0-or-later
"""Lengths, rates and moment arms of muscles on a body, by a MuJoCo model of their own."""

from __future__ import annotations

import mujoco
import numpy as np

from ...specs.shot import World
from ..body import Body
from ..model import build_model
from ..segments import FREEDOM
from .in_model import ArmsReader
from .muscle import MuscleSet


class PathKinematics:
    """Lengths, rates and moment arms of a set's M muscles on a body of nv degrees of freedom.

    After `update`: `length_m` (M,), `rate_m_s` (M,), positive where a muscle gets longer, and `arms_m` (nv, M) [m], R = -dL/dq.
    The arrays stay the same ones and are filled anew: nothing is allocated.
    """

    def __init__(self, body: Body, muscles: MuscleSet) -> None:
        self.body, self.muscles = body, muscles
        self.model = build_model(body, World(), muscles=muscles)
        self.data = mujoco.MjData(self.model)
        self.reader = ArmsReader(self.model, self.data)
        self.length_m, self.rate_m_s, self.arms_m = self.reader.length_m, self.reader.rate_m_s, self.reader.arms_m

    def update(self, qpos: np.ndarray, qvel: np.ndarray) -> None:
        """Take over a state."""
        model, data = self.model, self.data
        data.qpos[:], data.qvel[:] = qpos, qvel
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        self.reader.read()

    def joint_rows(self) -> dict[str, slice]:
        """The rows of `arms_m` of each joint, by the segment below it."""
        rows = {}
        for name in self.body.joint_segments:
            first = int(self.model.joint(name).dofadr[0])
            rows[name] = slice(first, first + FREEDOM[self.body.segment(name).joint])
        return rows

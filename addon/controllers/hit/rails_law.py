# SPDX-License-Identifier: GPL-3.0-or-later
"""The law on rails (Yin 2007, section 5): the torques that the motion needs, and springs back to it.

The springs aim at where the motion is after the step, with the velocity that the body then has, so that they are stable at any
stiffness (the linearly implicit form of the thesis). The root is moved along the motion, whatever happens.
"""

from __future__ import annotations

import mujoco
import numpy as np

from ...bodies.state import BodyState
from ...engines.commands import Torques
from .rails_gains import RailsGains
from .rails_motion import RailsMotion

SMALL_RAD = 0.02
"""Joints that are so near to the motion turn about its axes."""


class RailsLaw:
    """Commands for a body along a motion; each is for one step of it."""

    def __init__(self, state: BodyState, motion: RailsMotion, gains: RailsGains) -> None:
        self._model, self._motion, self._gains = state.model, motion, gains
        self._root = state.body.root_freedom
        columns, at = [], 0
        for segment in state.body.segments[1:]:
            if segment.joint == "ball":
                columns.append(np.arange(at, at + 3))
            at += 3 if segment.joint == "ball" else 1
        self._balls = np.array(columns, dtype=int).reshape(-1, 3)
        self._off = np.zeros(state.model.nv)

    def command(self, step: int, qpos: np.ndarray, qvel: np.ndarray) -> Torques:
        """What takes the body from a state at a step to the motion's next one, or towards it."""
        step_s, root = self._motion.step_s, self._root
        ahead = self._motion.at(step + 1)
        mujoco.mj_differentiatePos(self._model, self._off, 1.0, qpos, ahead.qpos)
        off = self._off[root:]
        stiffness, damping = self._gains.at(step * step_s)
        rate = self._turned(ahead.qvel[root:], off)
        return Torques(self._motion.at(step).torque + stiffness * off + damping * rate, damping + step_s * stiffness,
                       (self._off[:root] / step_s - qvel[:root]) / step_s)

    def off_rad(self, step: int, qpos: np.ndarray) -> np.ndarray:
        """How far each coordinate of the joints (nv - r,) is from the motion's at a step [rad]."""
        found = np.zeros(self._model.nv)
        mujoco.mj_differentiatePos(self._model, found, 1.0, self._motion.at(step).qpos, qpos)
        return found[self._root:]

    def _turned(self, rate: np.ndarray, off: np.ndarray) -> np.ndarray:
        """The motion's angular velocities (nv - r,) in the axes of segments that `off` (nv - r,) turns to be as it has them."""
        vector = off[self._balls]
        size = np.sqrt((vector * vector).sum(axis=1, keepdims=True))
        if not (size > SMALL_RAD).any():
            return rate
        rate, spin = rate.copy(), rate[self._balls]
        axis = vector / np.maximum(size, 1e-12)
        cos, along = np.cos(size), (axis * spin).sum(axis=1, keepdims=True)
        rate[self._balls] = cos * spin + np.sin(size) * np.cross(axis, spin) + (1.0 - cos) * along * axis
        return rate

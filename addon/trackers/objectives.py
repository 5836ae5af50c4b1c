# SPDX-License-Identifier: GPL-3.0-or-later
"""The objectives with Jacobians of their own: centre of mass, feet, pelvis and chest (Kim 2017, eq. 13)."""

from __future__ import annotations

import math

import mujoco
import numpy as np

from ..bodies.state import BodyState, Frame
from ..planners.targets import FootTarget, Targets
from .weights import TrackerSettings


class Objectives:
    """Fills weighted rows J and values a so that |J qdd - a|^2 is the objective. Order: COM, feet, pelvis, chest."""

    MOST_ROWS = 3 + 2 * 6 + 3 + 3

    def __init__(self, state: BodyState, settings: TrackerSettings) -> None:
        self.state, self.settings = state, settings
        self.feet = {side: state.frame(f"foot_{side}") for side in ("L", "R")}
        self.pelvis = state.frame("pelvis")
        self.chest = state.frame("chest" if "chest" in state.body.index else "lower_spine"
                                 if "lower_spine" in state.body.index else "pelvis")
        self._reference = mujoco.MjData(state.model)
        self._error, self._inverse, self._relative = np.zeros(3), np.zeros(4), np.zeros(4)

    def fill(self, targets: Targets, ahead_s: float, rows: np.ndarray, values: np.ndarray) -> int:
        """Write the rows (m, >= nv) and values; returns m."""
        nv = self.state.model.nv
        at = self._com(targets, ahead_s, rows, values)
        for side, frame in self.feet.items():
            at = self._foot(targets.feet[side], frame, ahead_s, rows, values, at, nv)
        reference = self._reference
        reference.qpos[:] = targets.pose
        mujoco.mj_kinematics(self.state.model, reference)
        s = self.settings
        for frame, weight, gain in ((self.pelvis, s.pelvis_weight, s.pelvis_gain), (self.chest, s.chest_weight, s.chest_gain)):
            at = self._turn(frame, reference.xquat[frame.id], targets, ahead_s, weight, gain, rows, values, at, nv)
        return at

    def _com(self, targets: Targets, ahead_s: float, rows: np.ndarray, values: np.ndarray) -> int:
        """COM: the pendulum's acceleration over the wanted centre of pressure, and the planned height."""
        state, s = self.state, self.settings
        height, speed, bend = targets.height
        height += ahead_s * speed
        speed += ahead_s * bend
        com, velocity = state.com, state.com_velocity
        up = s.height_gain * (height - com[2]) + 2.0 * math.sqrt(s.height_gain) * (speed - velocity[2]) + bend
        square = targets.omega**2
        wanted = np.array([square * (com[0] - targets.cop.real), square * (com[1] - targets.cop.imag), up])
        root = np.sqrt([s.com_weight, s.com_weight, s.height_weight])
        nv = state.model.nv
        np.multiply(state.com_jacobian, root[:, None], out=rows[:3, :nv])
        values[:3] = root * (wanted - state.com_bias_acceleration)
        return 3

    def _foot(self, target: FootTarget, frame: Frame, ahead_s: float, rows, values, at: int, nv: int) -> int:
        """Swing feet follow position and orientation; standing feet orientation only, their contact points hold the place."""
        s = self.settings
        frame.update_jacobian()
        velocity, bias = frame.velocity, frame.bias_acceleration
        if not target.stance:
            position = target.position + ahead_s * target.velocity + 0.5 * ahead_s**2 * target.acceleration
            speed = target.velocity + ahead_s * target.acceleration
            wanted = (s.swing_gain * (position - frame.position) + 2.0 * math.sqrt(s.swing_gain) * (speed - velocity[:3])
                      + target.acceleration)
            root = math.sqrt(s.swing_weight)
            np.multiply(frame.jacobian[:3], root, out=rows[at:at + 3, :nv])
            values[at:at + 3] = root * (wanted - bias[:3])
            at += 3
        gain = s.stance_turn_gain if target.stance else s.swing_gain
        error = self._turn_error(target.quaternion, frame.quaternion) + ahead_s * target.angular_velocity
        wanted = gain * error + 2.0 * math.sqrt(gain) * (target.angular_velocity - velocity[3:])
        root = math.sqrt(s.foot_turn_weight)
        np.multiply(frame.jacobian[3:], root, out=rows[at:at + 3, :nv])
        values[at:at + 3] = root * (wanted - bias[3:])
        return at + 3

    def _turn(self, frame: Frame, quaternion, targets: Targets, ahead_s, weight, gain, rows, values, at: int, nv: int) -> int:
        """Orientation of a segment as in the reference pose."""
        frame.update_jacobian()
        spin = frame.jacobian[3:] @ targets.pose_velocity
        error = self._turn_error(quaternion, frame.quaternion) + ahead_s * spin
        wanted = gain * error + 2.0 * math.sqrt(gain) * (spin - frame.velocity[3:])
        root = math.sqrt(weight)
        np.multiply(frame.jacobian[3:], root, out=rows[at:at + 3, :nv])
        values[at:at + 3] = root * (wanted - frame.bias_acceleration[3:])
        return at + 3

    def _turn_error(self, wanted: np.ndarray, actual: np.ndarray) -> np.ndarray:
        """Rotation vector (3,), world axes, from the actual to the wanted orientation."""
        mujoco.mju_negQuat(self._inverse, actual)
        mujoco.mju_mulQuat(self._relative, wanted, self._inverse)
        mujoco.mju_quat2Vel(self._error, self._relative, 1.0)
        return self._error

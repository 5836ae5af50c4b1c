# SPDX-License-Identifier: GPL-3.0-or-later
"""The objectives with Jacobians of their own: centre of mass, feet, pelvis and chest (Kim 2017, eq. 13)."""

from __future__ import annotations

import math

import mujoco
import numpy as np

from ...bodies.state import BodyState, FrameMotion
from .planners.targets import FootTarget, Targets
from .weights import TrackerSettings


FEET, PELVIS, CHEST = {"L": 0, "R": 1}, 2, 3


class Objectives:
    """Fills weighted rows J and values a so that |J qdd - a|^2 is the objective.

    The rows never change place: COM (3), then linear (3) and angular (3) rows of left foot, right foot, pelvis and chest,
    then angular momentum about the COM (3). Rows of which nothing is asked (places of pelvis and chest, of standing feet, angular
    momentum of a walk) have weight zero.
    """

    ROWS = 3 + 4 * 6 + 3

    def __init__(self, state: BodyState, settings: TrackerSettings) -> None:
        self.state, self.settings = state, settings
        self.pelvis = state.frame("pelvis")
        self.chest = state.frame(state.body.role("trunk"))
        self.frames = (state.frame("foot_L"), state.frame("foot_R"), self.pelvis, self.chest)
        self._motion = FrameMotion(state, self.frames)
        self._reference = mujoco.MjData(state.model)
        self._inverse, self._relative = np.zeros(4), np.zeros(4)
        self._root, self._gain = np.zeros((4, 6)), np.zeros((4, 6))
        self._place, self._speed, self._acceleration, self._error = (np.zeros((4, n)) for n in (3, 6, 6, 6))
        self._turns = [row[3:] for row in self._error]
        s = settings
        self._com_root = np.sqrt([s.com_weight, s.com_weight, s.height_weight])
        self._root[PELVIS, 3:], self._root[CHEST, 3:] = math.sqrt(s.pelvis_weight), math.sqrt(s.chest_weight)
        self.set_gains(settings)
        for i in FEET.values():
            self._root[i, 3:] = math.sqrt(s.foot_turn_weight)

    def set_gains(self, settings: TrackerSettings) -> None:
        """Take over the gains of settings; the weights stay."""
        self.settings = settings
        self._gain[PELVIS, 3:], self._gain[CHEST, 3:] = settings.pelvis_gain, settings.chest_gain

    def fill(self, targets: Targets, ahead_s: float, rows: np.ndarray, values: np.ndarray) -> None:
        """Write the rows (ROWS, nv) and values (ROWS,)."""
        motion = self._motion
        motion.update()
        self._com(targets, ahead_s, rows, values)
        reference = self._reference
        reference.qpos[:] = targets.pose
        mujoco.mj_kinematics(self.state.model, reference)
        for i in (PELVIS, CHEST):
            self._turn_error(reference.xquat[self.frames[i].id], i)
        np.matmul(motion.jacobian[PELVIS:, 3:], targets.pose_velocity, out=self._speed[PELVIS:, 3:])
        np.matmul(motion.jacobian[PELVIS:, 3:], targets.pose_acceleration, out=self._acceleration[PELVIS:, 3:])
        for side, i in FEET.items():
            self._foot(targets.feet[side], i)
        np.subtract(self._place, motion.position, out=self._error[:, :3])
        error = self._error + ahead_s * self._speed + (0.5 * ahead_s**2) * self._acceleration
        slip = self._speed + ahead_s * self._acceleration - motion.twist
        wanted = self._gain * error + 2.0 * np.sqrt(self._gain) * slip + self._acceleration - motion.bias_acceleration
        np.multiply(motion.jacobian, self._root[:, :, None], out=rows[3:-3].reshape(4, 6, -1))
        np.multiply(wanted, self._root, out=values[3:-3].reshape(4, 6))
        self._spin(targets, rows[-3:], values[-3:])

    def _com(self, targets: Targets, ahead_s: float, rows: np.ndarray, values: np.ndarray) -> None:
        """COM: the pendulum's acceleration over the wanted centre of pressure, and the planned height."""
        state, s = self.state, self.settings
        height, speed, bend = targets.height
        height += ahead_s * speed
        speed += ahead_s * (bend + 0.5 * ahead_s * targets.jerk)
        bend += ahead_s * targets.jerk
        x, y, z = state.com.tolist()
        up = s.height_gain * (height - z) + 2.0 * math.sqrt(s.height_gain) * (speed - float(state.com_velocity[2])) + bend
        square = max(bend - float(state.gravity[2]), 0.0) / height if targets.omega is None else targets.omega**2
        wanted = np.array([square * (x - targets.cop.real), square * (y - targets.cop.imag), up])
        np.multiply(state.com_jacobian, self._com_root[:, None], out=rows[:3])
        np.multiply(wanted - state.com_bias_acceleration, self._com_root, out=values[:3])

    def _spin(self, targets: Targets, rows: np.ndarray, values: np.ndarray) -> None:
        """Angular momentum about the COM, over the body's mass: led to the wanted one."""
        if targets.spin is None:
            rows[:], values[:] = 0.0, 0.0
            return
        state, root = self.state, math.sqrt(self.settings.spin_weight) / self.state.mass_kg
        matrix, bias = state.angular_momentum()
        wanted = targets.spin_rate * (targets.spin - matrix @ state.qvel) - bias
        np.multiply(matrix, root, out=rows)
        np.multiply(wanted, root, out=values)

    def _foot(self, target: FootTarget, i: int) -> None:
        """Swing feet follow position and orientation; standing ones orientation only: their contact points hold them."""
        s = self.settings
        self._root[i, :3] = 0.0 if target.stance else math.sqrt(s.swing_weight)
        self._gain[i] = s.stance_turn_gain if target.stance else s.swing_gain
        self._place[i] = target.position
        self._speed[i, :3], self._speed[i, 3:] = target.velocity, target.angular_velocity
        self._acceleration[i, :3], self._acceleration[i, 3:] = target.acceleration, target.angular_acceleration
        self._turn_error(target.quaternion, i)

    def _turn_error(self, wanted: np.ndarray, i: int) -> None:
        """Rotation vector, world axes, from a frame's orientation to the wanted one (4,), into its row of errors."""
        mujoco.mju_negQuat(self._inverse, self.frames[i].quaternion)
        mujoco.mju_mulQuat(self._relative, wanted, self._inverse)
        mujoco.mju_quat2Vel(self._turns[i], self._relative, 1.0)

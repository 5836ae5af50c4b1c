# SPDX-License-Identifier: GPL-3.0-or-later
"""Tasks: what a controller wishes of accelerations, contact points and torques, each with a Jacobian, an error and a weight. A
task wants J qdd + Jdot qd to be an acceleration of its own, usually gain * error + 2 sqrt(gain) * error rate + feed-forward
(critically damped). The program minimises the weighted squares of what is missed, summed as in Kim 2017, eq. 11 to 13."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence

import mujoco
import numpy as np

from ...bodies.state import BodyState, Frame, FrameMotion
from .constraints import ContactSet


class Task(ABC):
    """Least-squares rows of a task. After `update`, `jacobian` (size, nv), `wanted` (size,), the acceleration wished for less
    Jdot qd, and `root_weight` (size,), the square roots of the rows' weights, hold for the present state."""

    size: int
    jacobian: np.ndarray
    wanted: np.ndarray
    root_weight: np.ndarray

    @abstractmethod
    def update(self, ahead_s: float) -> None:
        """Take over the state as it is, `ahead_s` after the moment that the task's target was made for."""

    def fill(self, rows: np.ndarray, values: np.ndarray) -> None:
        """Write the weighted rows (size, nv) and values (size,)."""
        np.multiply(self.jacobian, self.root_weight[:, None], out=rows)
        np.multiply(self.wanted, self.root_weight, out=values)


class ComTask(Task):
    """The centre of mass: `acceleration` (3,) [m/s^2] is what is wished for, world axes."""

    size = 3

    def __init__(self, state: BodyState, weights: Sequence[float]) -> None:
        self._state, self.acceleration = state, np.zeros(3)
        self.jacobian, self.root_weight = state.com_jacobian, np.sqrt(weights)

    def update(self, ahead_s: float) -> None:
        self.jacobian = self._state.com_jacobian
        self.wanted = self.acceleration - self._state.com_bias_acceleration


class FramesTask(Task):
    """Places and orientations of K segments, computed together since so many small arrays cost more than their sums. The target
    of frame i is row i of `position` (K, 3), `quaternion` (K, 4), `velocity` and `acceleration` (K, 6), linear first, world axes;
    `gains` (K, 6) and `root_weights` (K, 6) go with it, and a weight of zero asks nothing."""

    def __init__(self, state: BodyState, frames: Sequence[Frame]) -> None:
        count = len(frames)
        self.size, self.frames, self._motion = 6 * count, tuple(frames), FrameMotion(state, frames)
        self.position, self.quaternion = np.zeros((count, 3)), np.zeros((count, 4))
        self.velocity, self.acceleration, self._error = np.zeros((3, count, 6))
        self.gains, self.root_weights = np.zeros((2, count, 6))
        self._inverse, self._relative = np.zeros(4), np.zeros(4)
        self._turns = [row[3:] for row in self._error]
        self._nv = state.model.nv

    def take_over(self) -> FrameMotion:
        """The frames' own motion in the present state; `update` needs it taken over before."""
        self._motion.update()
        return self._motion

    def update(self, ahead_s: float) -> None:
        """See `Task.update`; the target goes on with its own velocity and acceleration."""
        motion, speed, acceleration = self._motion, self.velocity, self.acceleration
        for frame, wanted, turn in zip(self.frames, self.quaternion, self._turns, strict=True):
            mujoco.mju_negQuat(self._inverse, frame.quaternion)
            mujoco.mju_mulQuat(self._relative, wanted, self._inverse)
            mujoco.mju_quat2Vel(turn, self._relative, 1.0)
        np.subtract(self.position, motion.position, out=self._error[:, :3])
        error = self._error + ahead_s * speed + (0.5 * ahead_s**2) * acceleration
        rate = speed + ahead_s * acceleration - motion.twist
        wanted = self.gains * error + 2.0 * np.sqrt(self.gains) * rate + acceleration - motion.bias_acceleration
        self.jacobian, self.wanted = motion.jacobian.reshape(self.size, self._nv), wanted.ravel()
        self.root_weight = self.root_weights.ravel()


class MomentumTask(Task):
    """Angular momentum about the centre of mass, over the mass, led to `momentum` (3,) [kg m^2/s], if any, at `rate` [1/s]."""

    size = 3

    def __init__(self, state: BodyState, weight: float) -> None:
        self._state, self.rate = state, 0.0
        self.momentum: np.ndarray | None = None
        self.root_weight = np.full(3, math.sqrt(weight) / state.mass_kg)

    def update(self, ahead_s: float) -> None:
        if self.momentum is None:
            return
        self.jacobian, bias = self._state.angular_momentum()
        self.wanted = self.rate * (self.momentum - self.jacobian @ self._state.qvel) - bias

    def fill(self, rows: np.ndarray, values: np.ndarray) -> None:
        if self.momentum is None:
            rows[:], values[:] = 0.0, 0.0
        else:
            super().fill(rows, values)


class PostureTask:
    """The whole pose: an acceleration of every coordinate, with a diagonal weight (nv,) of its own. It has no rows: `weight` goes
    to the Hessian's diagonal, `pull` (nv,) to the gradient. `error` (nv,) is how far the pose is away [m, rad]."""

    def __init__(self, state: BodyState, weight: np.ndarray) -> None:
        self._state, self.weight = state, weight
        self._difference = np.zeros(state.model.nv)
        self.error = self._difference

    def aim(self, pose: np.ndarray, velocity: np.ndarray, acceleration: np.ndarray, gain: np.ndarray | float,
            ahead_s: float) -> None:
        """Track a pose (nq,) that moves (Kim 2017, eq. 11, 12); `gain` is that of all coordinates, or each one's (nv,)."""
        state = self._state
        mujoco.mj_differentiatePos(state.model, self._difference, 1.0, state.qpos, pose)
        error = self.error = self._difference + ahead_s * velocity
        damping = 2.0 * np.sqrt(gain)
        self.pull = self.weight * (gain * error + damping * (velocity - state.qvel) + acceleration)


class ContactTask:
    """Expected points come to rest, and those that hover come down. Its size is three rows an expected point."""

    def __init__(self, state: BodyState, contacts: ContactSet, weight: float) -> None:
        self._state, self._contacts, self._root = state, contacts, math.sqrt(weight)
        self.damping = self.hover_gain = 0.0

    def fill(self, rows: np.ndarray, values: np.ndarray, velocity: np.ndarray, bias: np.ndarray) -> None:
        """Write the weighted rows (3 m, nv) and values (3 m,), from the points' velocities and Jdot qd (3 m,)."""
        np.multiply(self._contacts.jacobian, self._root, out=rows)
        values[:] = self._root * (self._feedback(velocity) - bias)

    def _feedback(self, velocity: np.ndarray) -> np.ndarray:
        """Accelerations (3 m,) that stop the expected points and bring down those that hover."""
        count, hovering = self._contacts.count, self._contacts.hovering
        wanted = -self.damping * velocity
        if not len(hovering):
            return wanted
        normal, away = self._state.contact_normal[hovering], velocity[3 * count:].reshape(-1, 3)
        rising = np.einsum("nk,nk->n", away, normal)
        pull = -2.0 * math.sqrt(self.hover_gain) * rising - self.hover_gain * self._state.contact_height_m[hovering]
        wanted[3 * count:] = (pull[:, None] * normal - self.damping * (away - rising[:, None] * normal)).ravel()
        return wanted


class TorqueTask:
    """Joint torques, by the equations of motion, are small: rows over accelerations and cone coefficients alike."""

    def __init__(self, state: BodyState, contacts: ContactSet, weight: float) -> None:
        self._state, self._contacts, self.weight, self._root = state, contacts, weight, math.sqrt(weight)

    def fill(self, rows: np.ndarray, values: np.ndarray) -> None:
        """Write the weighted rows (nv - 6, nv + 4 n) and values (nv - 6,)."""
        state, root, nv = self._state, self._root, self._state.model.nv
        np.multiply(state.mass_matrix[6:], root, out=rows[:, :nv])
        np.multiply(self._contacts.edges[:, 6:].T, -root, out=rows[:, nv:])
        values[:] = -root * state.bias_force[6:]

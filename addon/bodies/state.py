# SPDX-License-Identifier: GPL-3.0-or-later
"""The body's state as a controller sees it: named accessors, mass matrix, Jacobians. No index arithmetic outside."""

from __future__ import annotations

from functools import cached_property

import mujoco
import numpy as np

from .body import Body


class Frame:
    """Pose and motion of one segment's origin in one state; arrays are reused from update to update."""

    def __init__(self, state: BodyState, name: str) -> None:
        self._state, self.name = state, name
        self.id = state.model.body(name).id
        nv = state.model.nv
        self.position = state.data.xpos[self.id]
        self.quaternion = state.data.xquat[self.id]
        self.matrix = state.data.xmat[self.id].reshape(3, 3)
        self.jacobian = np.zeros((6, nv))
        self._bias = np.zeros((6, nv))

    def update_jacobian(self, point: np.ndarray | None = None) -> None:
        """Fill `jacobian` (6, nv): linear rows of `point` (world, default the segment's origin), then angular rows."""
        state = self._state
        at = self.position if point is None else point
        mujoco.mj_jac(state.model, state.data, self.jacobian[:3], self.jacobian[3:], at, self.id)
        mujoco.mj_jacDot(state.model, state.data, self._bias[:3], self._bias[3:], at, self.id)

    @property
    def velocity(self) -> np.ndarray:
        """Twist (6,): linear [m/s] of the point of the last `update_jacobian`, angular [rad/s], world axes."""
        return self.jacobian @ self._state.qvel

    @property
    def bias_acceleration(self) -> np.ndarray:
        """Acceleration (6,) at zero generalised acceleration: J-dot q-dot."""
        return self._bias @ self._state.qvel


class BodyState:
    """Kinematics and dynamics of a body in the state of an engine.

    `update` copies the state in; then `mass_matrix` (nv, nv), `bias_force` (nv,) (gravity, centrifugal, Coriolis), `com`,
    `com_velocity` (3,) hold for it. Frames of segments come from `frame`.
    """

    def __init__(self, body: Body, model: mujoco.MjModel) -> None:
        self.body, self.model = body, model
        self.data = mujoco.MjData(model)
        nv = model.nv
        self.mass_matrix = np.zeros((nv, nv))
        self.bias_force = np.zeros(nv)
        self.qpos, self.qvel = self.data.qpos, self.data.qvel
        self.mass_kg = body.mass_kg
        self.gravity = np.array(model.opt.gravity)
        self.com = self.data.subtree_com[1]
        self.com_velocity = np.zeros(3)
        self._point_segment = [model.body(p.segment).id for p in body.contact_points]
        self._point_local = np.array([p.position for p in body.contact_points])
        self._point_radius = np.array([p.radius_m for p in body.contact_points])
        self.contact_point_m = np.zeros((len(body.contact_points), 3))

    def frame(self, name: str) -> Frame:
        """The frame of a segment; keep it, its arrays follow every update."""
        return Frame(self, name)

    def update(self, qpos: np.ndarray, qvel: np.ndarray) -> None:
        """Take over a state and compute what the controller needs of it."""
        model, data = self.model, self.data
        data.qpos[:], data.qvel[:] = qpos, qvel
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        mujoco.mj_makeM(model, data)
        mujoco.mj_fullM(model, data, self.mass_matrix)
        mujoco.mj_comVel(model, data)
        mujoco.mj_rne(model, data, 0, self.bias_force)
        self.com_velocity[:] = self.com_jacobian @ data.qvel
        rotations = data.xmat.reshape(-1, 3, 3)[self._point_segment]
        np.einsum("pij,pj->pi", rotations, self._point_local, out=self.contact_point_m)
        self.contact_point_m += data.xpos[self._point_segment]
        self.contact_point_m[:, 2] -= self._point_radius

    @property
    def com_jacobian(self) -> np.ndarray:
        """(3, nv) in world axes: the root's linear rows of the mass matrix are the whole body's linear momentum."""
        return self.mass_matrix[:3] / self.mass_kg

    @property
    def com_bias_acceleration(self) -> np.ndarray:
        """COM acceleration (3,) at zero generalised acceleration: the root's bias force without weight, over the mass."""
        return self.bias_force[:3] / self.mass_kg + self.gravity

    @cached_property
    def ankle_height_m(self) -> float:
        """Height of the ankle centre over the sole with the foot flat."""
        return -self.body.sole_height_m

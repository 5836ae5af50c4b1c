# SPDX-License-Identifier: GPL-3.0-or-later
"""The body's state as a controller sees it: named accessors, mass matrix, Jacobians, momentum. No index arithmetic outside."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import mujoco
import numpy as np

from ..worlds.ground import Ground, Plane
from .body import FREEDOM, Body
from .muscle import ArmsReader


def com_bias_acceleration(model: mujoco.MjModel, data: mujoco.MjData) -> np.ndarray:
    """Acceleration (3,) [m/s^2] of the centre of mass at zero generalised acceleration."""
    masses = model.body_mass[1:]
    return masses @ np.array([linear for linear, _ in _segment_bias(model, data)]) / masses.sum()


def angular_momentum(model: mujoco.MjModel, data: mujoco.MjData) -> tuple[np.ndarray, np.ndarray]:
    """Matrix (3, nv) from velocities to angular momentum about the COM [kg m^2/s, world axes], and its rate (3,) at zero
    generalised acceleration: of each segment r x m a + I alpha + omega x I omega."""
    matrix, rate, velocity = np.zeros((3, model.nv)), np.zeros(3), np.zeros(6)
    mujoco.mj_angmomMat(model, data, matrix, 1)
    for body, (linear, angular) in enumerate(_segment_bias(model, data), start=1):
        axes = data.ximat[body].reshape(3, 3)
        inertia = axes @ np.diag(model.body_inertia[body]) @ axes.T
        mujoco.mj_objectVelocity(model, data, mujoco.mjtObj.mjOBJ_BODY, body, velocity, 0)
        spin = velocity[:3]
        rate += np.cross(data.xipos[body] - data.subtree_com[1], model.body_mass[body] * linear)
        rate += inertia @ angular + np.cross(spin, inertia @ spin)
    return matrix, rate


def _segment_bias(model: mujoco.MjModel, data: mujoco.MjData) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Accelerations (3,), (3,) of each segment's centre of mass and of its turning at zero generalised acceleration."""
    linear, angular = np.zeros((2, 3, model.nv))
    for body in range(1, model.nbody):
        mujoco.mj_jacDot(model, data, linear, angular, data.xipos[body], body)
        yield linear @ data.qvel, angular @ data.qvel


class Frame:
    """Pose of one segment's origin in one state: arrays that follow every update."""

    def __init__(self, state: BodyState, name: str) -> None:
        self.name, self.id = name, state.model.body(name).id
        self.position = state.data.xpos[self.id]
        self.quaternion = state.data.xquat[self.id]
        self.matrix = state.data.xmat[self.id].reshape(3, 3)


class FrameMotion:
    """Jacobians and motion of K segments' origins, world axes: linear rows first, then angular ones. Filled by `update`.
    `position` (K, 3) [m]; `jacobian` (K, 6, nv); `twist` (K, 6) [m/s, rad/s]; `bias_acceleration` (K, 6), the acceleration at
    zero generalised acceleration, J-dot q-dot."""

    def __init__(self, state: BodyState, frames: Sequence[Frame]) -> None:
        self._state, self.frames = state, tuple(frames)
        nv = state.model.nv
        self.position = np.zeros((len(self.frames), 3))
        self._ids = np.array([f.id for f in self.frames])
        self.jacobian, self._dot = np.zeros((2, len(self.frames), 6, nv))
        self.twist, self.bias_acceleration = np.zeros((2, len(self.frames), 6))
        self._parts = [(f.position, f.id, j[:3], j[3:], d[:3], d[3:])
                       for f, j, d in zip(self.frames, self.jacobian, self._dot, strict=True)]

    def update(self) -> None:
        model, data = self._state.model, self._state.data
        data.xpos.take(self._ids, axis=0, out=self.position, mode="clip")
        for point, segment, linear, angular, linear_dot, angular_dot in self._parts:
            mujoco.mj_jac(model, data, linear, angular, point, segment)
            mujoco.mj_jacDot(model, data, linear_dot, angular_dot, point, segment)
        np.matmul(self.jacobian, data.qvel, out=self.twist)
        np.matmul(self._dot, data.qvel, out=self.bias_acceleration)


class BodyState:
    """Kinematics and dynamics of a body in the state of an engine. `update` copies the state in; then `mass_matrix` (nv, nv),
    `bias_force` (nv,) (gravity, centrifugal, Coriolis, less what the suit's joints give), `suit_torque` (nv - R,) [N m], to be
    added to the muscles' torques, `com`, `com_velocity` (3,) and `com_jacobian` (3, nv), world axes, hold for it, R being the
    root's degrees of freedom; so do `contact_point_m` (P, 3), the points of the contact spheres nearest to the `ground`, their
    heights over it `contact_height_m` (P,) and its normals `contact_normal` (P, 3) there. Frames of segments come from `frame`.
    In a model with muscles (`build_model`) `muscles` has their lengths, rates and moment arms, else it is None."""

    whole = True
    """Whether every segment moves as the body does, not the feet alone."""

    def __init__(self, body: Body, model: mujoco.MjModel, ground: Ground | None = None) -> None:
        self.body, self.model, self.ground = body, model, ground or Plane()
        self.data = mujoco.MjData(model)
        nv = model.nv
        self.mass_matrix = np.zeros((nv, nv))
        self.bias_force = np.zeros(nv)
        self.qpos, self.qvel = self.data.qpos, self.data.qvel
        self.mass_kg = body.mass_kg
        self._root, self._free = body.root_freedom, body.segments[0].joint == "free"
        self.gravity = np.array(model.opt.gravity)
        self.com = self.data.subtree_com[1]
        self.com_velocity = np.zeros(3)
        self.com_jacobian = np.zeros((3, nv))
        self._point_geom = np.array([model.geom(p.name).id for p in body.contact_points], dtype=int)
        self._point_radius = np.array([p.radius_m for p in body.contact_points])
        self.contact_point_m = np.zeros((len(body.contact_points), 3))
        self.contact_height_m = np.zeros(len(body.contact_points))
        self.contact_normal = self.ground.normal(*self.contact_point_m[:, :2].T)
        self.suit_torque = np.zeros(nv - self._root)
        self.muscles = ArmsReader(model, self.data) if model.ntendon else None
        self._suit_joints()

    def _suit_joints(self) -> None:
        """Tables of the suit's joints: stiffness and damping a coordinate (nv,), and the pose at which the springs rest."""
        model = self.model
        joints = [(s, model.joint(s.name)) for s in self.body.segments[1:]]
        self._stiffness, self._damping, self._bend = np.zeros((3, model.nv))
        self._spring_rest = model.qpos0.copy()
        for segment, joint in joints:
            columns = slice(int(joint.dofadr[0]), int(joint.dofadr[0]) + FREEDOM[segment.joint])
            self._stiffness[columns], self._damping[columns] = segment.stiffness_nm_rad, segment.damping_nms_rad
            if segment.joint == "hinge":
                self._spring_rest[int(joint.qposadr[0])] = segment.rest_rad
        self.suited = bool(self._stiffness.any() or self._damping.any())

    def set_gravity(self, gravity_m_s2: float) -> None:
        """From now on gravity is this [m/s^2]."""
        self.model.opt.gravity[2] = self.gravity[2] = -gravity_m_s2

    def frame(self, name: str) -> Frame:
        """The frame of a segment; keep it, its arrays follow every update."""
        return Frame(self, name)

    def velocity_of(self, frame: Frame) -> np.ndarray:
        """Velocity (3,) [m/s] of a segment's origin, world axes."""
        velocity = np.empty(6)
        mujoco.mj_objectVelocity(self.model, self.data, mujoco.mjtObj.mjOBJ_XBODY, frame.id, velocity, 0)
        return velocity[3:]

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
        if self.muscles is not None:
            self.muscles.read()
        if self.suited:
            mujoco.mj_differentiatePos(model, self._bend, 1.0, self._spring_rest, data.qpos)
            np.negative((self._stiffness * self._bend + self._damping * data.qvel)[self._root:], out=self.suit_torque)
            self.bias_force[self._root:] -= self.suit_torque
        if self._free:  # the root's linear rows of the mass matrix are the whole body's linear momentum
            np.divide(self.mass_matrix[:3], self.mass_kg, out=self.com_jacobian)
        else:
            mujoco.mj_jacSubtreeCom(model, data, self.com_jacobian, 1)
        np.matmul(self.com_jacobian, data.qvel, out=self.com_velocity)
        data.geom_xpos.take(self._point_geom, axis=0, out=self.contact_point_m, mode="clip")
        self._touch_ground()

    def _touch_ground(self) -> None:
        """From the centres of the contact spheres to their points nearest to the ground, and the heights of these."""
        points, ground = self.contact_point_m, self.ground
        if ground.level:
            points[:, 2] -= self._point_radius
            self.contact_height_m[:] = points[:, 2]
            return
        x, y = points[:, 0], points[:, 1]
        if not ground.plane:
            self.contact_normal[:] = ground.normal(x, y)
        above = (points[:, 2] - ground.height(x, y)) * self.contact_normal[:, 2]
        points -= self._point_radius[:, None] * self.contact_normal
        self.contact_height_m[:] = above - self._point_radius

    @property
    def com_bias_acceleration(self) -> np.ndarray:
        """COM acceleration (3,) at zero generalised acceleration: the root's bias force without weight, over the mass."""
        if not self._free:
            return com_bias_acceleration(self.model, self.data)
        return self.bias_force[:3] / self.mass_kg + self.gravity

    def angular_momentum(self) -> tuple[np.ndarray, np.ndarray]:
        """Matrix (3, nv) from velocities to angular momentum about the COM [kg m^2/s, world axes], and its rate (3,) at zero
        generalised acceleration: of the root's rows of the equations of motion, the moment about the COM."""
        if not self._free:
            return angular_momentum(self.model, self.data)
        root = self.data.xmat[1].reshape(3, 3)
        x, y, z = (self.com - self.qpos[:3]).tolist()
        arm = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
        return (root @ self.mass_matrix[3:6] - arm @ self.mass_matrix[:3],
                root @ self.bias_force[3:6] - arm @ self.bias_force[:3])

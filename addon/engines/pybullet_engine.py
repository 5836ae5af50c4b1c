# SPDX-License-Identifier: GPL-3.0-or-later
"""The second opinion: PyBullet. Imported only through `engine.make_engine`, since its wheel does not exist everywhere. On rails
the multibody's base itself is as heavy as `engine.HEAVY`. Bullet has no contacts of chosen pairs at a depth of their own:
segments do not bar each other's way, and the ground meets no sole."""

from __future__ import annotations

import copy
import ctypes
import math
import os
import sys
import tempfile
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import ClassVar

import mujoco
import numpy as np

from ..bodies.body import Body
from ..bodies.model import SKIN_FRICTION_SHARE, STEPPING, Stepping
from ..bodies.urdf import body_urdf, principal_axes
from ..errors import EngineError
from ..specs.disturbances import LooseObject
from ..specs.shot import World
from .engine import HEAVY, NO_MOMENT, Engine, Rails, Torques
from .pybullet_parts import BulletCoordinates, BulletObjects, ImplicitDamping, build_ground


@contextmanager
def _standard_output_to_error() -> Iterator[None]:
    """Sends what C code prints to standard error: PyBullet greets on import, and our standard output may be JSON."""
    sys.stdout.flush()
    saved = os.dup(1)
    os.dup2(2, 1)
    try:
        yield
        ctypes.CDLL(None).fflush(None)
    finally:
        os.dup2(saved, 1)
        os.close(saved)


with _standard_output_to_error():
    import pybullet

_STEP_BITS = 45
NOT_THE_GROUND = (1, ~2)
"""Bullet's collision group of what moves, and a mask without that of what stands for ever."""
_SPEED_LIMIT = 1e4  # Bullet clamps joint speeds there [rad/s, m/s], far above anything that still is a walk
_SOLVER_ITERATIONS = 50


def exact_step(step_s: float) -> float:
    """`step_s` rounded to a multiple of 2**-45 s (a relative change below 2e-11): its whole multiples are exact in floating
    point, and Bullet's division of a stretch of time never makes one substep too few."""
    return round(step_s * 2.0**_STEP_BITS) / 2.0**_STEP_BITS


LONGEST_STEP_S = 0.001
"""Bullet's contacts want short steps: longer ones are cut up."""


class PyBulletEngine(Engine):
    """Steps a Body as one PyBullet multibody. Bullet's base coordinates are those of the pelvis' inertial frame, joints' about
    principal axes; both are converted exactly. In one call of Bullet's step torques and pushes stay through all substeps."""

    senses_contact: ClassVar[bool] = True

    def __init__(self, body: Body, world: World, stepping: Stepping = STEPPING, *, objects: Sequence[LooseObject] = ()) -> None:
        capsules = stepping.capsules
        self.body, self.world = body, world
        self.step_s = exact_step(stepping.step_s / math.ceil(stepping.step_s / LONGEST_STEP_S - 1e-6))
        self._urdf = body_urdf(body, capsules=capsules or bool(objects))
        self._only_objects = bool(objects) and not capsules
        self._coordinates = BulletCoordinates(body)
        self._joints = list(range(len(body.segments) - 1))
        self._names = [segment.name for segment in body.segments]
        self._pushes: dict[int, list[float]] = {}
        self._steps, self._time_s = 0, 0.0
        self._contact_tables()
        self._pelvis_tables()
        balls = sum(s.joint == "ball" for s in body.segments)
        self.qpos = np.zeros(body.degrees_of_freedom + 1 + balls)
        self.qvel = np.zeros(body.degrees_of_freedom)
        self._client = pybullet.connect(pybullet.DIRECT)
        if self._client < 0:
            raise EngineError("PyBullet has no room for another simulation; close other engines of this process first.")
        self._objects = BulletObjects(pybullet, self._client, objects)
        self.object_pose = self._objects.pose
        self.watches, self.touched = False, self._objects.touched
        self._disconnect = weakref.finalize(self, pybullet.disconnect, physicsClientId=self._client)
        self.reset(self._neutral(), np.zeros_like(self.qvel))

    def _contact_tables(self) -> None:
        """Which contact points belong to which of Bullet's links, and where on them."""
        points = self.body.contact_points
        self.contact_force_n = np.zeros((len(points), 3))
        self._points_local = np.array([p.position for p in points])
        self._point_places = np.zeros((len(points), 3))
        self._link_of_point = np.array([self.body.index[p.segment] - 1 for p in points])
        self._feet = np.unique(self._link_of_point).tolist()
        self._points_of_foot = [np.flatnonzero(self._link_of_point == link) for link in self._feet]
        self._link_matrix = np.zeros(9)

    def _pelvis_tables(self) -> None:
        """The pelvis' inertial frame: centre of mass and principal axes, as a quaternion and its inverse."""
        axes, _ = principal_axes(self.body.segments[0].inertia)
        self._pelvis_com = self.body.segments[0].com
        self._pelvis_axes, self._pelvis_axes_inverse = np.zeros(4), np.zeros(4)
        mujoco.mju_mat2Quat(self._pelvis_axes, axes.ravel())
        mujoco.mju_negQuat(self._pelvis_axes_inverse, self._pelvis_axes)
        self._matrix, self._cross = np.zeros(9), np.zeros(3)
        self._rotation = self._matrix.reshape(3, 3)

    def _neutral(self) -> np.ndarray:
        """The body standing in the neutral pose."""
        places = [[1.0, 0.0, 0.0, 0.0] if s.joint == "ball" else [0.0] for s in self.body.segments[1:]]
        return np.array([0.0, 0.0, self.body.pelvis_height_m, 1.0, 0.0, 0.0, 0.0] + sum(places, []))

    def _build(self) -> None:
        """A fresh Bullet world with the ground and the body: nothing is left from a run before."""
        at = {"physicsClientId": self._client}
        pybullet.resetSimulation(**at)
        pybullet.setGravity(0.0, 0.0, -self.world.gravity_m_s2, **at)
        pybullet.setPhysicsEngineParameter(
            enableConeFriction=1, numSolverIterations=_SOLVER_ITERATIONS, deterministicOverlappingPairs=1, **at)
        build_ground(pybullet, self._client, self.world)
        self._figure = self._load_figure()
        # Two calls: Bullet drops what concerns a link when the same call changes what concerns the whole multibody.
        pybullet.changeDynamics(
            self._figure, -1, linearDamping=0.0, angularDamping=0.0, maxJointVelocity=_SPEED_LIMIT,
            activationState=pybullet.ACTIVATION_STATE_DISABLE_SLEEPING, **at)
        for link in [-1, *self._joints]:  # the friction of a contact is the product of both sides'
            pybullet.changeDynamics(
                self._figure, link, lateralFriction=1.0 if link in self._feet else SKIN_FRICTION_SHARE, spinningFriction=0.0,
                rollingFriction=0.0, restitution=0.0, jointDamping=0.0, **at)
        if self._only_objects:  # but for the soles' links the body's outside meets objects alone, as in MuJoCo
            for link in {-1, *self._joints}.difference(self._feet):
                pybullet.setCollisionFilterGroupMask(self._figure, link, *NOT_THE_GROUND, **at)
        # Bullet loads each joint with a motor that brakes.
        for joint, segment in zip(self._joints, self.body.segments[1:], strict=True):
            if segment.joint == "ball":
                pybullet.setJointMotorControlMultiDof(
                    self._figure, joint, pybullet.POSITION_CONTROL, targetPosition=(0, 0, 0, 1), force=(0, 0, 0), **at)
            else:
                pybullet.setJointMotorControl2(self._figure, joint, pybullet.VELOCITY_CONTROL, force=0.0, **at)
        self._objects.build(self.world)
        self._steps, self._time_s = 0, 0.0

    def _load_figure(self) -> int:
        """Body id of the multibody. Bullet reads URDF from files only."""
        flags = pybullet.URDF_USE_INERTIA_FROM_FILE | pybullet.URDF_MAINTAIN_LINK_ORDER
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "body.urdf")
            with open(path, "w", encoding="utf-8") as file:
                file.write(self._urdf)
            return pybullet.loadURDF(path, flags=flags, physicsClientId=self._client)

    def reset(self, qpos: np.ndarray, qvel: np.ndarray) -> None:
        self._build()
        self._pushes.clear()
        self._damping = np.zeros(self.qvel.size - self.body.root_freedom)
        self._damper: ImplicitDamping | None = None
        self._gravity_m_s2 = self.world.gravity_m_s2
        self.contact_force_n[:] = 0.0
        self.qpos[:] = qpos
        quat, cross = np.zeros(4), self._cross
        mujoco.mju_quat2Mat(self._matrix, np.asarray(qpos[3:7], dtype=float))
        mujoco.mju_mulQuat(quat, np.asarray(qpos[3:7], dtype=float), self._pelvis_axes)
        spin = self._rotation @ qvel[3:6]
        arm = self._rotation @ self._pelvis_com
        mujoco.mju_cross(cross, spin, arm)
        at = {"physicsClientId": self._client}
        pybullet.resetBasePositionAndOrientation(self._figure, (qpos[:3] + arm).tolist(), quat[[1, 2, 3, 0]].tolist(), **at)
        pybullet.resetBaseVelocity(self._figure, (qvel[:3] + cross).tolist(), spin.tolist(), **at)
        places, rates = self._coordinates.to_bullet(qpos[7:], qvel[6:])
        pybullet.resetJointStatesMultiDof(self._figure, self._joints, places, rates, **at)
        self._read_state()

    def apply(self, command: Torques, seconds: float) -> None:
        if command.damping is not None:
            self._damping = np.array(command.damping)
        self._objects.release(self._time_s)
        steps = max(1, round(seconds / self.step_s))
        self.touched.clear()
        if not self._damping.any():
            for several in [1] * steps if self.watches else [steps]:
                self.advance(command.torque, several)
            return
        if self._damper is None:
            self._damper = ImplicitDamping(self.body, replace(self.world, gravity_m_s2=self._gravity_m_s2), self.step_s)
        for _ in range(steps):
            self.advance(self._damper.torque(self.qpos, self.qvel, command.torque, self._damping), 1)

    def advance(self, torque: np.ndarray, steps: int) -> None:
        """Apply joint torques (nv - 6,) [N m] for some steps; the contact force is the last one's. Raises EngineError."""
        at = {"physicsClientId": self._client}
        if steps != self._steps:
            pybullet.setPhysicsEngineParameter(fixedTimeStep=steps * self.step_s, numSubSteps=steps, **at)
            self._steps = steps
        pybullet.setJointMotorControlMultiDofArray(
            self._figure, self._joints, pybullet.TORQUE_CONTROL, forces=self._coordinates.torque_to_bullet(torque), **at)
        for link, force in self._pushes.items():
            self._apply(link, force)
        pybullet.stepSimulation(**at)
        self._objects.read()
        if self.watches:
            self._objects.feel(self._figure, self._names, steps * self.step_s)
        self._time_s += steps * self.step_s
        self._read_state()
        self._read_contacts()

    def _apply(self, link: int, force: list[float]) -> None:
        """A world force and moment at a link's centre of mass through the next call of Bullet's step."""
        at = {"physicsClientId": self._client}
        if link < 0:
            place, _ = pybullet.getBasePositionAndOrientation(self._figure, **at)
        else:
            place = pybullet.getLinkState(self._figure, link, **at)[0]
        pybullet.applyExternalForce(self._figure, link, force[:3], place, pybullet.WORLD_FRAME, **at)
        if any(force[3:]):
            pybullet.applyExternalTorque(self._figure, link, force[3:], pybullet.WORLD_FRAME, **at)

    def _read_state(self) -> None:
        """Bullet's state in MuJoCo's coordinates. Raises EngineError when it is not a number, or at Bullet's speed limit."""
        at = {"physicsClientId": self._client}
        place, quat = pybullet.getBasePositionAndOrientation(self._figure, **at)
        velocity, spin = pybullet.getBaseVelocity(self._figure, **at)
        states = pybullet.getJointStatesMultiDof(self._figure, self._joints, **at)
        root, cross, before = self.qpos[3:7], self._cross, self.qpos[3:7].copy()
        mujoco.mju_mulQuat(root, np.array((quat[3], quat[0], quat[1], quat[2])), self._pelvis_axes_inverse)
        if root @ before < 0.0:  # Bullet does not keep the sign; q and -q are the same orientation
            root *= -1.0
        mujoco.mju_quat2Mat(self._matrix, root)
        arm = self._rotation @ self._pelvis_com
        mujoco.mju_cross(cross, np.array(spin), arm)
        self.qpos[:3] = place - arm
        self.qvel[:3] = velocity - cross
        self.qvel[3:6] = spin @ self._rotation
        self.qpos[7:], self.qvel[6:] = self._coordinates.from_bullet(states)
        if not np.abs(self.qvel).max() < 0.5 * _SPEED_LIMIT or not np.isfinite(self.qpos).all():  # false for not a number
            raise EngineError(f"PyBullet lost the simulation at {self._time_s:.3f} s (its state was not a number).")

    def _read_contacts(self) -> None:
        """Force on each contact point: the ground's on the nearest sphere of the link that a row of Bullet's names. Bullet
        divides the last substep's impulse by the time of all substeps, hence the factor."""
        self.contact_force_n[:] = 0.0
        at = {"physicsClientId": self._client}
        loose = self._objects.bodies
        contacts = [c for c in pybullet.getContactPoints(self._figure, **at) if c[3] in self._feet and c[2] not in loose]
        if not contacts:
            return
        for rows, state in zip(self._points_of_foot, pybullet.getLinkStates(self._figure, self._feet, **at), strict=True):
            x, y, z, w = state[5]
            mujoco.mju_quat2Mat(self._link_matrix, np.array((w, x, y, z)))
            self._point_places[rows] = self._points_local[rows] @ self._link_matrix.reshape(3, 3).T + state[4]
        table = np.array([(c[3], *c[5], c[9], *c[7], c[10], *c[11], c[12], *c[13]) for c in contacts])
        link, place, impulse = table[:, :1], table[:, 1:4], table[:, 4:].reshape(-1, 3, 4)
        gap = ((place[:, None] - self._point_places) ** 2).sum(axis=2)
        nearest = np.where(link == self._link_of_point, gap, np.inf).argmin(axis=1)
        forces = (impulse[:, :, :1] * impulse[:, :, 1:]).sum(axis=1)  # normal and two directions of friction
        np.add.at(self.contact_force_n, nearest, self._steps * forces)

    def push(self, segment: str, force_n: np.ndarray, moment_nm: np.ndarray = NO_MOMENT) -> None:
        """See `Engine.push`. Raises BodyError for a segment that the body does not have."""
        self.body.segment(segment)
        link = self.body.index[segment] - 1
        self._pushes.pop(link, None)
        if np.any(force_n) or np.any(moment_nm):
            self._pushes[link] = [float(f) for f in (*force_n, *moment_nm)]

    def throw(self, row: int, place_m: np.ndarray, velocity_m_s: np.ndarray) -> None:
        self._objects.throw(row, place_m, velocity_m_s)

    def set_gravity(self, gravity_m_s2: float) -> None:
        self._gravity_m_s2 = gravity_m_s2
        if self._damper is not None:
            self._damper.set_gravity(gravity_m_s2)
        pybullet.setGravity(0.0, 0.0, -gravity_m_s2, physicsClientId=self._client)
    def close(self) -> None:
        """Close Bullet's simulation; the engine cannot be used after."""
        self._disconnect()


def with_heavy_root(body: Body) -> Body:
    """The body with a root that nothing moves, as thick as it was."""
    made, root = copy.copy(body), body.segments[0]
    flesh_kg = root.mass_kg if root.flesh_kg is None else root.flesh_kg
    made.segments = (replace(root, mass_kg=HEAVY, com=np.zeros(3), inertia=HEAVY * np.eye(3), flesh_kg=flesh_kg),
                     *body.segments[1:])
    return made


class PyBulletOnRails(PyBulletEngine):
    """PyBullet with the body's root on rails."""

    def __init__(self, body: Body, world: World, stepping: Stepping = STEPPING, *, rails: Rails,
                 objects: Sequence[LooseObject] = ()) -> None:
        super().__init__(with_heavy_root(rails.reaching(body)), world, stepping, objects=objects)

    def _build(self) -> None:
        super()._build()
        at = {"physicsClientId": self._client}
        grounds = [body for i in range(pybullet.getNumBodies(**at))
                   if (body := pybullet.getBodyUniqueId(i, **at)) not in (self._figure, *self._objects.bodies)]
        for ground in grounds:
            for link in self._feet:
                pybullet.setCollisionFilterPair(ground, self._figure, -1, link, 0, **at)

    def apply(self, command: Torques, seconds: float) -> None:
        """See `Engine.apply`; the root has the command's acceleration."""
        self._objects.release(self._time_s)
        self.touched.clear()
        self._damping = np.zeros(self.qvel.size - 6) if command.damping is None else np.array(command.damping)
        if self._damper is None:
            self._damper = ImplicitDamping(self.body, replace(self.world, gravity_m_s2=self._gravity_m_s2), self.step_s)
        push = HEAVY * (np.zeros(6) if command.root is None else command.root)
        push[2] += HEAVY * self._gravity_m_s2
        for _ in range(max(1, round(seconds / self.step_s))):
            torque = self._damper.torque(self.qpos, self.qvel, command.torque, self._damping, push)
            self._push_root(push)
            self.advance(torque, 1)

    def _push_root(self, push: np.ndarray) -> None:
        """A force, world axes, and a moment, the root's own axes, on the root through the next call of Bullet's step."""
        at = {"physicsClientId": self._client}
        pybullet.applyExternalForce(self._figure, -1, push[:3].tolist(), self.qpos[:3].tolist(), pybullet.WORLD_FRAME, **at)
        moment = self._matrix.reshape(3, 3) @ push[3:]
        pybullet.applyExternalTorque(self._figure, -1, moment.tolist(), pybullet.WORLD_FRAME, **at)

# SPDX-License-Identifier: GPL-3.0-or-later
"""Parts of the PyBullet engine: joint coordinates in Bullet's convention, damping that is stable at any size (Bullet's own is
explicit: above twice inertia over step it blows up), the ground and loose objects. Bullet itself is handed in: it greets whoever
imports it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import chain
from types import ModuleType

import mujoco
import numpy as np

from ..bodies.body import Body
from ..bodies.model import Stepping, build_model
from ..bodies.urdf import principal_axes
from ..specs.disturbances import LooseObject
from ..specs.shot import World
from ..worlds.ground import Box, Field, Patch, Slab, field_mesh, ground_shapes, make_ground


class BulletCoordinates:
    """Converts between MuJoCo's flat joint coordinates and Bullet's lists, linearly. Both measure a ball by a quaternion from
    parent to child and a rate in the child's axes; Bullet's are the inertia's principal axes, its quaternions x-y-z-w."""

    def __init__(self, body: Body) -> None:
        joints = body.segments[1:]
        sizes = [(4, 3) if s.joint == "ball" else (1, 1) for s in joints]
        self._position_map = np.zeros((sum(p for p, _ in sizes),) * 2)
        self._velocity_map = np.zeros((sum(v for _, v in sizes),) * 2)
        self._position_slices: list[slice] = []
        self._velocity_slices: list[slice] = []
        i = j = 0
        for segment, (p, v) in zip(joints, sizes, strict=True):
            if segment.joint == "ball":
                axes, _ = principal_axes(segment.inertia)
                self._position_map[i, i + 3] = 1.0
                self._position_map[i + 1:i + 4, i:i + 3] = axes
                self._velocity_map[j:j + 3, j:j + 3] = axes
            else:
                self._position_map[i, i] = self._velocity_map[j, j] = 1.0
            self._position_slices.append(slice(i, i + p))
            self._velocity_slices.append(slice(j, j + v))
            i, j = i + p, j + v
        self._torque_map = np.ascontiguousarray(self._velocity_map.T)

    def from_bullet(self, states: Sequence[tuple]) -> tuple[np.ndarray, np.ndarray]:
        """Joint positions (nq - 7,) and velocities (nv - 6,) of the rows of Bullet's getJointStatesMultiDof."""
        places = np.array(list(chain.from_iterable(s[0] for s in states)))
        rates = np.array(list(chain.from_iterable(s[1] for s in states)))
        return self._position_map @ places, self._velocity_map @ rates

    def to_bullet(self, positions: np.ndarray, velocities: np.ndarray) -> tuple[list[list[float]], list[list[float]]]:
        """Bullet's joint positions and velocities, one list a joint. The maps are orthogonal: transposed is inverted."""
        places, rates = self._position_map.T @ positions, self._torque_map @ velocities
        return [places[s].tolist() for s in self._position_slices], [rates[s].tolist() for s in self._velocity_slices]

    def torque_to_bullet(self, torque: np.ndarray) -> list[list[float]]:
        """Bullet's joint torques of generalised torques (nv - 6,) [N m]: each ball's turned to its principal axes."""
        values = (self._torque_map @ torque).tolist()
        return [values[s] for s in self._velocity_slices]


class ImplicitDamping:
    """Joint damping by velocities v' at a step's end, as MuJoCo's: (M + h D) v' = M v + h (torque - bias)."""

    def __init__(self, body: Body, world: World, step_s: float) -> None:
        self._model = build_model(body, world, Stepping(step_s))
        self._data = mujoco.MjData(self._model)
        self._step_s, self._root = step_s, body.root_freedom
        nv = self._model.nv
        self._matrix, self._bias = np.zeros((nv, nv)), np.zeros(nv)

    def set_gravity(self, gravity_m_s2: float) -> None:
        """From now on gravity is this [m/s^2]."""
        self._model.opt.gravity[2] = -gravity_m_s2

    def torque(self, qpos: np.ndarray, qvel: np.ndarray, torque: np.ndarray, damping: np.ndarray,
               root: np.ndarray | None = None) -> np.ndarray:
        """Joint torques (nv - r,) [N m], damping's included, in a state; `root` (r,) are generalised forces on the root."""
        model, data, step, matrix = self._model, self._data, self._step_s, self._matrix
        data.qpos[:], data.qvel[:] = qpos, qvel
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        mujoco.mj_makeM(model, data)
        mujoco.mj_fullM(model, data, matrix)
        mujoco.mj_comVel(model, data)
        mujoco.mj_rne(model, data, 0, self._bias)
        pull = matrix @ qvel - step * self._bias
        pull[self._root:] += step * torque
        if root is not None:
            pull[:self._root] += step * root
        joints = np.arange(self._root, model.nv)
        matrix[joints, joints] += step * damping
        return torque - damping * np.linalg.solve(matrix, pull)[self._root:]


FIELD_MARGIN_M = 0.0
"""Bullet would thicken triangles by 4 cm, which lifts the feet off the ground that the planner knows."""


def build_ground(bullet: ModuleType, client: int, world: World) -> None:
    """Add the ground of `world` to the simulation `client`: a plane, boxes for steps, one mesh for a height field."""
    at = {"physicsClientId": client}
    ground = make_ground(world.ground)
    if isinstance(ground, Field):
        vertices, triangles = field_mesh(ground)
        shape = bullet.createCollisionShape(
            bullet.GEOM_MESH, vertices=vertices.tolist(), indices=triangles.ravel().tolist(),
            flags=bullet.GEOM_FORCE_CONCAVE_TRIMESH, **at)
        bodies = [bullet.createMultiBody(0.0, shape, **at)]
        bullet.changeDynamics(bodies[0], -1, collisionMargin=FIELD_MARGIN_M, **at)
    else:
        bodies = [_shape_body(bullet, shape, at) for shape in ground_shapes(ground)]
    for body in bodies:
        bullet.changeDynamics(body, -1, lateralFriction=world.friction, restitution=0.0, **at)


def _shape_body(bullet: ModuleType, shape: Slab | Box | Patch, at: dict[str, int]) -> int:
    """Body id of a box or an endless plane. Raises TypeError for a patch of heights: Bullet's field is one mesh."""
    if isinstance(shape, Patch):
        raise TypeError("A patch of heights is no shape of its own in Bullet.")
    if isinstance(shape, Box):
        box = bullet.createCollisionShape(bullet.GEOM_BOX, halfExtents=shape.half, **at)
        turn = (0.0, 0.0, math.sin(0.5 * shape.yaw), math.cos(0.5 * shape.yaw))
        return bullet.createMultiBody(0.0, box, basePosition=shape.centre, baseOrientation=turn, **at)
    plane = bullet.createCollisionShape(bullet.GEOM_PLANE, planeNormal=shape.normal, **at)
    return bullet.createMultiBody(0.0, plane, basePosition=(0.0, 0.0, shape.height_m), **at)


ROLLING_M, SPINNING_M = 0.001, 0.005
"""Rolling and spinning friction of spheres, as in MuJoCo's model."""
ALL = -1
"""Collision mask that meets everything."""


class BulletObjects:
    """`pose` (K, 7): places [m] and w-x-y-z. Frictions multiply: on the ground an object has its own coefficient."""

    def __init__(self, bullet: ModuleType, client: int, objects: Sequence[LooseObject]) -> None:
        self._bullet, self._at, self._objects = bullet, {"physicsClientId": client}, list(objects)
        self._made = tuple(objects)
        self.pose = np.zeros((len(self._objects), 7))
        self.touched: dict[tuple[int, str], np.ndarray] = {}
        self.bodies: list[int] = []
        """Bullet's numbers for them."""
        self._held: list[int] = []

    def build(self, world: World) -> None:
        """Add them to a fresh simulation, where they begin; what is thrown from the start on moves."""
        self._objects[:] = self._made
        self.bodies = [self._body(item, world) for item in self._objects]
        self._held = list(range(len(self._objects)))
        for body in self.bodies:
            self._bullet.setCollisionFilterGroupMask(body, -1, 0, 0, **self._at)
        self.release(0.0)
        self.read()

    def release(self, time_s: float) -> None:
        """Hold those whose time is not yet come for the coming control step, and let go of the others."""
        for i in list(self._held):
            item, body = self._objects[i], self.bodies[i]
            self._bullet.resetBasePositionAndOrientation(body, item.place_m, _turned(item), **self._at)
            free = item.release_s <= time_s + 1e-9
            self._bullet.resetBaseVelocity(body, item.velocity_m_s if free else (0.0,) * 3,
                                           item.spin_rad_s if free else (0.0,) * 3, **self._at)
            if free:
                self._held.remove(i)
                self._bullet.setCollisionFilterGroupMask(body, -1, 1, ALL, **self._at)

    def throw(self, i: int, place_m: np.ndarray, velocity_m_s: np.ndarray) -> None:
        """It is here from now on, and let go with this velocity at the next `release`."""
        self._objects[i] = self._objects[i].thrown(place_m, velocity_m_s)
        if i not in self._held:
            self._held.append(i)

    def feel(self, figure: int, names: Sequence[str], step_s: float) -> None:
        """Add to `touched` what objects gave the segments of the figure, by their links from the base on, in a physics step."""
        for row, body in enumerate(self.bodies):
            for c in self._bullet.getContactPoints(figure, body, **self._at):
                force = c[9] * np.array(c[7]) + c[10] * np.array(c[11]) + c[12] * np.array(c[13])
                key = row, names[c[3] + 1]
                self.touched[key] = self.touched.get(key, 0.0) + step_s * force

    def read(self) -> None:
        """Take over where they are."""
        for i, body in enumerate(self.bodies):
            place, (x, y, z, w) = self._bullet.getBasePositionAndOrientation(body, **self._at)
            self.pose[i] = (*place, w, x, y, z)

    def _body(self, item: LooseObject, world: World) -> int:
        """Body id of one of them."""
        bullet, at = self._bullet, self._at
        half = [0.5 * x for x in item.size_m]
        if item.shape == "sphere":
            shape = bullet.createCollisionShape(bullet.GEOM_SPHERE, radius=half[0], **at)
        else:
            shape = bullet.createCollisionShape(bullet.GEOM_BOX, halfExtents=half, **at)
        body = bullet.createMultiBody(item.weighs_kg, shape, basePosition=item.place_m, baseOrientation=_turned(item), **at)
        rolls = item.shape == "sphere"
        bullet.changeDynamics(body, -1, lateralFriction=item.friction / world.friction, restitution=0.0, linearDamping=0.0,
                              angularDamping=0.0, rollingFriction=ROLLING_M if rolls else 0.0,
                              spinningFriction=SPINNING_M if rolls else 0.0,
                              activationState=bullet.ACTIVATION_STATE_DISABLE_SLEEPING, **at)
        return body


def _turned(item: LooseObject) -> tuple[float, float, float, float]:
    """Orientation as Bullet has it, x-y-z-w, of unit length."""
    w, x, y, z = np.array(item.orientation) / np.linalg.norm(item.orientation)
    return (float(x), float(y), float(z), float(w))

# SPDX-License-Identifier: GPL-3.0-or-later
"""The default engine: MuJoCo. Loose objects are held until their release, then free; their coordinates come after the body's."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar

import mujoco
import numpy as np

from ..bodies.body import Body
from ..bodies.capsules import body_capsules
from ..bodies.model import CORE_BIT, OBJECT_BIT, STEPPING, Stepping, build_model, core_name, object_name
from ..errors import EngineError
from ..specs.disturbances import LooseObject
from ..specs.shot import World
from .engine import HEAVY, NO_MOMENT, Engine, Rails, Torques

POSE, TWIST = 7, 6
"""Numbers of an object's pose (place, w-x-y-z) and of its velocity."""


class MujocoObjects:
    """The objects of a model: `pose` (K, 7) follows every step, places [m] and w-x-y-z; `touched` is what `feel` sums up."""

    def __init__(self, model: mujoco.MjModel, data: mujoco.MjData, objects: Sequence[LooseObject]) -> None:
        self._model, self._data, self._made, count = model, data, tuple(objects), len(objects)
        self._objects = list(self._made)
        self._first = model.nq - POSE * count
        self.pose = data.qpos[self._first:].reshape(count, POSE)
        self._velocity = data.qvel[model.nv - TWIST * count:].reshape(count, TWIST)
        self._geoms = [int(model.body(object_name(i)).geomadr[0]) for i in range(count)]
        self._masks = [(int(model.geom_contype[g]), int(model.geom_conaffinity[g])) for g in self._geoms]
        self._held: list[int] = []
        self.touched: dict[tuple[int, str], np.ndarray] = {}
        self._row = {geom: i for i, geom in enumerate(self._geoms)}
        self._names = [model.body(body).name for body in model.geom_bodyid]
        self._bodies = int(model.body(object_name(0)).id) if count else model.nbody

    def reset(self) -> None:
        """Everything is where it begins; what is thrown from the start on moves."""
        self._objects[:] = self._made
        self._held = list(range(len(self._objects)))
        for i, geom in enumerate(self._geoms):
            self._model.geom_contype[geom] = self._model.geom_conaffinity[geom] = 0
            self._place(i)
        self.release(0.0)

    def release(self, time_s: float) -> None:
        """Hold those whose time is not yet come for the coming control step, and let go of the others."""
        for i in list(self._held):
            self._place(i)
            if self._objects[i].release_s > time_s + 1e-9:
                continue
            self._held.remove(i)
            geom = self._geoms[i]
            self._model.geom_contype[geom], self._model.geom_conaffinity[geom] = self._masks[i]
            away = np.zeros(4)
            mujoco.mju_negQuat(away, self.pose[i, 3:])
            self._velocity[i, :3] = self._objects[i].velocity_m_s
            mujoco.mju_rotVecQuat(self._velocity[i, 3:], np.array(self._objects[i].spin_rad_s), away)  # MuJoCo: in its axes

    def throw(self, i: int, place_m: np.ndarray, velocity_m_s: np.ndarray) -> None:
        """It is here from now on, and let go with this velocity at the next `release`."""
        self._objects[i] = self._objects[i].thrown(place_m, velocity_m_s)
        if i not in self._held:
            self._held.append(i)
        self._place(i)

    def feel(self, step_s: float) -> None:
        """Add to `touched` what the body's segments were given by objects in a physics step."""
        data, model, force = self._data, self._model, np.zeros(6)
        for i, (one, other) in enumerate(data.contact.geom[:data.ncon].tolist()):
            row, sign, geom = (self._row.get(one), 1.0, other) if one in self._row else (self._row.get(other), -1.0, one)
            if row is None or not 0 < model.geom_bodyid[geom] < self._bodies:
                continue
            mujoco.mj_contactForce(model, data, i, force)
            pushed = sign * step_s * (data.contact.frame[i].reshape(3, 3).T @ force[:3])
            self.touched[row, self._names[geom]] = self.touched.get((row, self._names[geom]), 0.0) + pushed

    def _place(self, i: int) -> None:
        item = self._objects[i]
        self.pose[i, :3], self.pose[i, 3:] = item.place_m, np.array(item.orientation) / np.linalg.norm(item.orientation)
        self._velocity[i] = 0.0


_LOST = [int(kind) for kind in (
    mujoco.mjtWarning.mjWARN_BADQPOS, mujoco.mjtWarning.mjWARN_BADQVEL, mujoco.mjtWarning.mjWARN_BADQACC)]
"""Warnings after which MuJoCo has silently put the state back to its start."""


class MujocoEngine(Engine):
    """Steps a Body with MuJoCo; see `engine.Engine`."""

    senses_contact: ClassVar[bool] = True

    def __init__(self, body: Body, world: World, stepping: Stepping = STEPPING, *, objects: Sequence[LooseObject] = (),
                 rails: Rails | None = None) -> None:
        self._body = body = body if rails is None else rails.reaching(body)
        self.model = build_model(body, world, stepping, objects=objects, bars=None if rails is None else rails.bars)
        self._cores = [self.model.geom(core_name(shape)).id for shape in body_capsules(body)] if stepping.capsules else []
        if rails is not None:
            self._lay_rails()
        self.data = mujoco.MjData(self.model)
        self.step_s = float(self.model.opt.timestep)
        self._objects = MujocoObjects(self.model, self.data, objects)
        self.object_pose = self._objects.pose
        self.watches, self.touched = False, self._objects.touched
        nq, nv = self.model.nq - self.object_pose.size, body.degrees_of_freedom
        self.qpos, self.qvel = self.data.qpos[:nq], self.data.qvel[:nv]
        self.contact_force_n = np.zeros((len(body.contact_points), 3))
        self._felt = self.data.sensordata.reshape(-1, 3)  # the force on each contact point, as the model's sensors have it
        self._torque, self._warnings = self.data.qfrc_applied[body.root_freedom:nv], self.data.warning.number

    def _lay_rails(self) -> None:
        """Nothing moves the root but what it is told, and the ground meets soles by the rails' bars alone."""
        self.model.dof_armature[:self._body.root_freedom] = HEAVY
        for point in self._body.contact_points:
            self.model.geom_contype[self.model.geom(point.name).id] = int(OBJECT_BIT)

    def reset(self, qpos: np.ndarray, qvel: np.ndarray) -> None:
        mujoco.mj_resetData(self.model, self.data)
        self.qpos[:], self.qvel[:] = qpos, qvel
        self._objects.reset()
        mujoco.mj_forward(self.model, self.data)
        self.contact_force_n[:] = 0.0

    def apply(self, command: Torques, seconds: float) -> None:
        if command.damping is not None:
            self.model.dof_damping[self._body.root_freedom:self.qvel.size] = command.damping
        if command.root is not None:
            self.data.qfrc_applied[:command.root.size] = HEAVY * command.root
        self._objects.release(float(self.data.time))
        self.advance(command.torque, max(1, round(seconds / self.step_s)))

    def advance(self, torque: np.ndarray, steps: int) -> None:
        """Apply joint torques (nv - 6,) [N m] for some steps; the contact force is their mean. Raises EngineError."""
        model, data, force, felt = self.model, self.data, self.contact_force_n, self._felt
        before = data.time
        self._torque[:] = torque
        force[:] = 0.0
        self.touched.clear()
        for _ in range(steps):
            mujoco.mj_step(model, data)
            force += felt
            if self.watches:
                self._objects.feel(self.step_s)
        if self._warnings[_LOST].any() or not math.isfinite(self.qvel @ self.qvel):
            raise EngineError(f"MuJoCo lost the simulation at {before:.3f} s (its state was not a number).")
        force /= steps

    def push(self, segment: str, force_n: np.ndarray, moment_nm: np.ndarray = NO_MOMENT) -> None:
        """See `Engine.push`. Raises BodyError for a segment that the body does not have."""
        self._body.segment(segment)
        applied = self.data.xfrc_applied[self.model.body(segment).id]
        applied[:3], applied[3:] = force_n, moment_nm

    def throw(self, row: int, place_m: np.ndarray, velocity_m_s: np.ndarray) -> None:
        self._objects.throw(row, place_m, velocity_m_s)

    def set_gravity(self, gravity_m_s2: float) -> None:
        self.model.opt.gravity[2] = -gravity_m_s2

    def bar_itself(self, bars: bool) -> None:
        self.model.geom_contype[self._cores] = self.model.geom_conaffinity[self._cores] = int(CORE_BIT) if bars else 0

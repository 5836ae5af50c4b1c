# SPDX-License-Identifier: GPL-3.0-or-later
"""Loose objects in MuJoCo: held until their release, then free. Their coordinates come after the body's."""

from __future__ import annotations

from collections.abc import Sequence

import mujoco
import numpy as np

from ..bodies.loose_model import object_name
from ..specs.loose import LooseObject

POSE, TWIST = 7, 6
"""Numbers of an object's pose (place, w-x-y-z) and of its velocity."""


class MujocoObjects:
    """The objects of a model that `bodies.model` made with them. `pose` (K, 7) follows every step: places [m] and w-x-y-z.
    `touched` is what `feel` sums up."""

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
        """Impulse (3,) [N s] by object and segment."""
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


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
    """The objects of a model that `bodies.model` made with them. `pose` (K, 7) follows every step: places [m] and w-x-y-z."""

    def __init__(self, model: mujoco.MjModel, data: mujoco.MjData, objects: Sequence[LooseObject]) -> None:
        self._model, self._objects, count = model, tuple(objects), len(objects)
        self._first = model.nq - POSE * count
        self.pose = data.qpos[self._first:].reshape(count, POSE)
        self._velocity = data.qvel[model.nv - TWIST * count:].reshape(count, TWIST)
        self._geoms = [int(model.body(object_name(i)).geomadr[0]) for i in range(count)]
        self._masks = [(int(model.geom_contype[g]), int(model.geom_conaffinity[g])) for g in self._geoms]
        self._held: list[int] = []

    def reset(self) -> None:
        """Everything is where it begins; what is thrown from the start on moves."""
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

    def _place(self, i: int) -> None:
        item = self._objects[i]
        self.pose[i, :3], self.pose[i, 3:] = item.place_m, np.array(item.orientation) / np.linalg.norm(item.orientation)
        self._velocity[i] = 0.0

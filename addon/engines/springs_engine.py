# SPDX-License-Identifier: GPL-3.0-or-later
"""MuJoCo's dynamics on a ground of springs and dampers, for planar bodies: the contact of Yin 2007 (section 7.3.1)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import mujoco
import numpy as np

from ..bodies.body import Body
from ..bodies.model import STEPPING, Stepping
from ..errors import EngineError
from ..specs.shot import EARTH_GRAVITY_M_S2, World
from ..worlds.ground import Ground, Plane, Steps, make_ground
from .engine import NO_MOMENT, ModelEngine, Torques

STIFFNESS_N_M, DAMPING_N_S_M = 1e5, 6e3
"""Of a point of the thesis's body on Earth (section 7.3.1); those of others are similar."""
OF_MASS_KG, OF_LEG_M = 90.0, 0.9
STEP_S = 1e-4
"""The thesis's step: the explicit damper of a light foot allows little more. Others are similar."""


@dataclass
class _Spot:
    """A point of a sole: its row among the contact points, its place on its segment [m], and where its spring is fastened along
    the ground [m], None in the air."""

    row: int
    x: float
    z: float
    fastened: float | None = None


class SpringsEngine(ModelEngine):
    """See `engine.Engine`. Every contact point has a spring and a damper across the ground, which push and never pull, and a
    pair along it, fastened where the point came down, which slips at the friction's limit."""

    senses_contact: ClassVar[bool] = True

    def __init__(self, body: Body, world: World, stepping: Stepping = STEPPING) -> None:
        if body.segments[0].joint != "planar":
            raise EngineError("The ground of springs is for planar bodies: choose the engine mujoco, or a planar body.")
        if stepping.capsules:
            raise EngineError("On the ground of springs only soles meet the ground, so that no body can fall there: let the shot "
                              "end with the fall, or choose the engine mujoco.")
        self._root, self._friction = body.root_freedom, world.friction
        length, gravity = body.leg_length_m / OF_LEG_M, world.gravity_m_s2 / EARTH_GRAVITY_M_S2
        self._stiffness = STIFFNESS_N_M * body.mass_kg / OF_MASS_KG * gravity / length
        self._damping = DAMPING_N_S_M * body.mass_kg / OF_MASS_KG * math.sqrt(gravity / length)
        step_s = min(stepping.step_s, STEP_S * math.sqrt(length / gravity))
        super().__init__(body, world, Stepping(step_s))
        self.model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT | mujoco.mjtDisableBit.mjDSBL_SENSOR
        data = self.data
        self._ground = ground_ahead(make_ground(world.ground))
        self._soles = [(self.model.body(name).id, data.xpos[at := self.model.body(name).id], data.xmat[at], data.xipos[at],
                        data.cvel[at], data.xfrc_applied[at],
                        [_Spot(row, p.position[0], p.position[2] - p.radius_m)
                         for row, p in enumerate(body.contact_points) if p.segment == name])
                       for name in dict.fromkeys(p.segment for p in body.contact_points)]

    def reset(self, qpos: np.ndarray, qvel: np.ndarray) -> None:
        super().reset(qpos, qvel)
        for *_, spots in self._soles:
            for spot in spots:
                spot.fastened = None

    def apply(self, command: Torques, seconds: float) -> None:
        """The time is cut into whole steps of at most about `step_s`."""
        model, data = self.model, self.data
        if command.damping is not None:
            model.dof_damping[self._root:] = command.damping
        steps = max(1, math.ceil(seconds / self.step_s - 1e-6))
        model.opt.timestep = seconds / steps
        before = data.time
        data.qfrc_applied[self._root:] = command.torque
        forces = [[0.0, 0.0] for _ in self.contact_force_n]
        for _ in range(steps):
            mujoco.mj_step1(model, data)
            for sole in self._soles:
                self._touch(sole, forces)
            mujoco.mj_step2(model, data)
        if not math.isfinite(self.qvel @ self.qvel):
            raise EngineError(f"The ground of springs lost the simulation at {before:.3f} s (its state was not a number).")
        self.contact_force_n[:, ::2] = forces
        self.contact_force_n /= steps

    def _touch(self, sole: tuple, forces: list[list[float]]) -> None:
        """The ground's force on one segment, summed up in `forces` [N], forward and up, of all contact points."""
        number, origin, turn, centre, moving, applied, spots = sole
        x0, _, z0 = origin.tolist()
        turned = turn.tolist()
        cosine, sine = turned[0], turned[2]
        pushed_x = pushed_z = moment = 0.0
        about = None
        for spot in spots:
            x, z = x0 + cosine * spot.x + sine * spot.z, z0 - sine * spot.x + cosine * spot.z
            height, rise = self._ground(x)
            if z >= height:
                spot.fastened = None
                continue
            if about is None:
                about = self.data.subtree_com[1].tolist()
                _, rate, _, v_x, _, v_z = moving.tolist()
                com_x, _, com_z = centre.tolist()
            going_x, going_z = v_x + rate * (z - about[2]), v_z - rate * (x - about[0])
            up = 1.0 / math.sqrt(1.0 + rise * rise)
            ahead = rise * up
            along, across = up * x + ahead * z, (z - height) * up
            if spot.fastened is None:
                spot.fastened = along
            normal = -self._stiffness * across - self._damping * (up * going_z - ahead * going_x)
            if normal <= 0.0:
                continue
            most = self._friction * normal
            drag = -self._stiffness * (along - spot.fastened) - self._damping * (up * going_x + ahead * going_z)
            if abs(drag) > most:
                drag = math.copysign(most, drag)
            force_x, force_z = up * drag - ahead * normal, up * normal + ahead * drag
            pushed_x, pushed_z = pushed_x + force_x, pushed_z + force_z
            moment += (z - com_z) * force_x - (x - com_x) * force_z
            total = forces[spot.row]
            total[0], total[1] = total[0] + force_x, total[1] + force_z
        push = self.pushes.get(number)
        if push is not None:
            pushed_x, pushed_z, moment = pushed_x + push[0], pushed_z + push[2], moment + push[4]
        applied[:] = pushed_x, 0.0, pushed_z, 0.0, moment, 0.0

    def push(self, segment: str, force_n: np.ndarray, moment_nm: np.ndarray = NO_MOMENT) -> None:
        super().push(segment, force_n, moment_nm)
        number = self.model.body(segment).id
        self.data.xfrc_applied[number] = self.pushes.get(number, 0.0)


def ground_ahead(ground: Ground) -> Callable[[float], tuple[float, float]]:
    """The ground's height [m] and rise a metre at a place so far ahead [m], in the sagittal plane."""
    if ground.level:
        return lambda x: (0.0, 0.0)
    if isinstance(ground, Plane):
        rise = float(ground.slope(0.0, 0.0)[0])
        return lambda x: (rise * x, rise)
    if isinstance(ground, Steps):
        return lambda x: (float(ground.height(x, 0.0)), 0.0)
    return lambda x: (float(ground.height(x, 0.0)), float(ground.slope(x, 0.0)[0]))

# SPDX-License-Identifier: GPL-3.0-or-later
"""What the limbs' swing asks of the pendulum on treads: the angular momentum of a steady stride over them, as it is planned.

On stairs a foot is raised over an edge, goes two treads ahead and comes down on lower or higher ground: its leg turns four times
as hard as on level ground. A plan that has the swing of level ground asks the standing foot for what it cannot give.
"""

from __future__ import annotations

import cmath
import copy
import math
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple, cast

import mujoco
import numpy as np

from ....maths.curves import periodic_derivative
from ....specs.shot import EARTH_GRAVITY_M_S2
from ....worlds.ground import Ground, Steps
from ...legged.clearance import QUICKEST_G, no_raise, raise_over
from ...legged.foot_geometry import FootPose, Footstep, Terrain
from ...legged.foot_path import FootPath
from ...legged.pose import GaitTables
from .body import BodyPlan
from .footsteps import SIGN, Rhythm
from .path import PeriodicOrbit

SAMPLES = 96
"""Poses of a stride."""
FIRST_TREAD = 20
"""The tread on which the stride begins: with treads enough before it."""
QUICKEST_ANSWER = 10.0
"""Up to which frequency [rad/s] the stride's angular momentum counts, over the pendulum's rate: what is quicker the body hardly
feels, and the feet do not follow as planned. With 4 to 12 orders of a stride all of Earth's stairs stood (7 to 20 times that
rate), with 3 the steepest fell; on the Moon walks with 4 to 6 (12 to 18 times) fell that stood with 3."""
SAME_WAY, WHOLE = 0.999, 0.02
"""Cosine of a way with the steps' direction, and share of a tread by which steps are no whole number of treads."""
SMALL = 1e-3
"""A difference of phases."""


class Stride(NamedTuple):
    """A steady stride: lengths [m], frequency, gravity, the way's heading [rad]; `pressed` tells where the body passes over a
    footstep."""

    step_m: float
    width_m: float
    frequency_hz: float
    gravity_m_s2: float
    heading: float
    pressed: Callable[[Footstep], complex]


def swings_over(ground: Ground, stride: Stride) -> bool:
    """Whether all steps of a stride are alike there: along the treads' direction, by a whole number of treads."""
    if not isinstance(ground, Steps):
        return False
    treads = stride.step_m / ground.run_m
    along = (cmath.exp(1j * stride.heading) / ground.direction).real
    return along > SAME_WAY and round(treads) >= 1 and abs(treads - round(treads)) < WHOLE * treads


class TreadStride:
    """The poses of a stride that begins with the left foot's strike on footprint 0; even footprints are left ones."""

    def __init__(self, body: BodyPlan, paths: dict[str, FootPath], terrain: Terrain, orbit: PeriodicOrbit, rhythm: Rhythm,
                 stride: Stride) -> None:
        self._body, self._terrain, self._rhythm, self._stride = body, terrain, rhythm, stride
        self._tables: GaitTables = body.poses.tables
        self._paths = {side: copy.copy(path) for side, path in paths.items()}
        self._orbits = {side: orbit.straight(side) for side in paths}
        forward = cmath.exp(1j * stride.heading)
        treads = cast(Steps, terrain.ground)
        start = (FIRST_TREAD + 0.5) * treads.run_m * treads.direction
        self._prints = {}
        for n in range(-2, 4):  # one before those that are stood on
            side = "R" if n % 2 else "L"
            place = start + forward * complex(n * stride.step_m, 0.5 * SIGN[side] * stride.width_m)
            step = Footstep(side, place, stride.heading + self._tables.foot_yaw[side])
            self._prints[n] = terrain.footstep(step, None, True)
        self._lifts = {n: self._lift(n) for n in (-1, 0)}
        self._lower_m = self._reduction()

    def momentum_rate(self, model: mujoco.MjModel, omega: float) -> np.ndarray:
        """See `GaitTables.angular_momentum_rate`, (SAMPLES, 3) in the frame of the way, of a pendulum of a rate `omega` [1/s]."""
        poses, data = self._poses(), mujoco.MjData(model)
        momentum, velocity = np.zeros((SAMPLES, 3)), np.empty(model.nv)
        for i in range(SAMPLES):
            mujoco.mj_differentiatePos(model, velocity, 2.0 / SAMPLES, poses[i], poses[i + 2])
            data.qpos[:], data.qvel[:] = poses[i + 1], velocity
            mujoco.mj_kinematics(model, data)
            mujoco.mj_comPos(model, data)
            mujoco.mj_comVel(model, data)
            mujoco.mj_subtreeVel(model, data)
            momentum[i] = data.subtree_angmom[1]
        orders = int(QUICKEST_ANSWER * omega / (2.0 * math.pi * self._stride.frequency_hz))
        x, y, z = (periodic_derivative(momentum, orders) / float(model.body_mass.sum())).T
        c, s = math.cos(self._stride.heading), math.sin(self._stride.heading)
        return np.stack([c * x + s * y, c * y - s * x, z], axis=1)

    def _poses(self) -> np.ndarray:
        """Coordinates (SAMPLES + 2, nq) of a stride, with the one before and the one after."""
        phases = np.arange(-1, SAMPLES + 1) / SAMPLES
        moments = [self._moment(phase) for phase in (phases % 1.0).tolist()]
        poses = self._body.poses.poses(phases, [self._stride.heading] * len(phases), [com for com, _ in moments],
                                       [feet for _, feet in moments], self._tables.table.value(phases))
        first, then = self._prints[0], self._prints[2]
        way = then.place - first.place
        travel = np.array([way.real, way.imag, then.support.height_m - first.support.height_m])
        since = (phases - self._tables.phases["L"].strike) // 1.0
        poses[:, :3] += (since - since[1])[:, None] * travel
        return poses

    def _moment(self, phase: float) -> tuple[tuple[float, float, float], dict[str, FootPose]]:
        """The COM's place and both feet at a phase from 0 to 1, in the stride of the left strike before it."""
        since = {side: phases.since_strike(phase) for side, phases in self._tables.phases.items()}
        left = since["L"] < self._rhythm.fractions("L")[1]
        stands, side = (0, "L") if left else (1, "R")
        feet = {"L": self._foot(0, since["L"]), "R": self._foot(-1 if left else 1, since["R"])}
        shares, ways = self._orbits[side]
        com = complex(np.interp(since[side], shares, ways.real), np.interp(since[side], shares, ways.imag))
        com = self._prints[stands].place + com * cmath.exp(1j * self._stride.heading)
        self._terrain.follow(com, self._prints[stands - 1], self._prints[stands], self._prints[stands + 1], self._stride.pressed)
        return (com.real, com.imag, float(self._body.height.unreduced(phase)) + self._terrain.level_m - self._lower_m), feet

    def _foot(self, n: int, since: float) -> FootPose:
        """The foot of footprint `n` at a phase since its strike there."""
        path = self._path(n)
        if since < path.phases.toe_off:
            return path.standing(self._prints[n], [since], self._stride.heading)[0]
        return self._path(n + 2).swinging(self._lifts[n], self._prints[n + 2], [since], self._stride.heading)[0]

    def _path(self, n: int) -> FootPath:
        """The path of the foot that comes down on footprint `n`, as its tread asks for."""
        step, path = self._prints[n], self._paths["R" if n % 2 else "L"]
        path.meet(step.support.height_m - self._prints[n - 1].support.height_m, step)
        return path

    def _lift(self, n: int) -> FootPose:
        """The foot as it leaves footprint `n`."""
        stride, target = self._stride, self._prints[n + 2]
        path = self._path(n)
        off = path.phases.toe_off
        before, lift = path.standing(self._prints[n], [off - SMALL, off], stride.heading)
        velocity = (lift.ankle - before.ankle) * (stride.frequency_hz / SMALL)
        path = self._path(n + 2)
        lift = replace(lift, yaw=self._prints[n].yaw, over=no_raise)
        lift = path.departing(lift, velocity, target, stride.heading, stride.frequency_hz)
        swing_s = (1.0 - off) / stride.frequency_hz
        quickest_m = 0.5 * QUICKEST_G * math.sqrt(stride.gravity_m_s2 * EARTH_GRAVITY_M_S2) * swing_s**2
        return replace(lift, over=raise_over(path, lift, target, stride.heading, self._terrain.ground, quickest_m))

    def _reduction(self) -> float:
        """How much lower than on level ground the COM is for a leg to come down on footprint 1."""
        stride, foot, target = self._stride, self._prints[0], self._prints[1]
        standing = self._path(0).standing(foot, [self._rhythm.fractions("L")[1]], stride.heading)[0]
        feet = {"L": standing, "R": self._path(1).landing(target, stride.heading)}
        com = 0.5 * (stride.pressed(foot) + stride.pressed(target))
        return max(self._body.landing_reduction(foot, target, feet, com, self._tables.phases["R"].strike), 0.0)

# SPDX-License-Identifier: GPL-3.0-or-later
"""The quadratic program of a body on hands, knees and feet: it tracks a reference pose and its centre of mass, leads hands and
feet that go somewhere, and keeps joints within people's ranges."""

from __future__ import annotations

import math
from collections.abc import Collection

import mujoco
import numpy as np

from ...bodies.state import BodyState
from ...specs.shot import EARTH_GRAVITY_M_S2
from ..qp.constraints import ContactSet, HingeLimits
from ..qp.program import Limits, Objective, WholeBodyProgram
from ..qp.tasks import ComTask, ContactTask, FramesTask, PostureTask, TorqueTask
from ..tracking.weights import torque_limits
from .inverse import Ranges, right_jacobians
from .motion import Reference
from .phases import Phase
from .support import Support

FRICTION_SHARE = 0.55
"""Of the ground's friction so much is counted on: skin has 0.6 of it."""
COM_WEIGHT, LYING_COM_WEIGHT = 60.0, 5.0
ROOT_WEIGHT, TRUNK_WEIGHT, HEAD_WEIGHT, LED_WEIGHT, JOINT_WEIGHT = 3.0, 2.0, 1.0, 25.0, 0.5
HELD_WEIGHT, TOUCHING_WEIGHT = 15.0, 0.02
BEARING_SHARE = 0.1
"""Who rolls is held as firmly where a point bears this share of the weight, or more: friction keeps it there."""
TURN_WEIGHT, ROLL_WEIGHT = 2.0, 30.0
TORQUE_WEIGHT, FORCE_WEIGHT = 2e-6, 1e-5
COM_GAIN, POSE_GAIN, LED_GAIN, HOVER_GAIN, DAMPING = 60.0, 120.0, 400.0, 1000.0, 40.0
"""Gains [1/s^2] and damping of contacts [1/s] on Earth; the gains go with g, damping with its root (first guesses)."""
TOUCHES_M, PLANNED_M = 0.004, 0.012
"""Height under which a point may push, and one that is held."""
MARGIN_DEG, HORIZON_S = 2.0, 0.04
NEAR_RAD, RANGE_RATE, MOST_RAD_S2 = np.radians(20.0), 12.0, 120.0
"""A ball so near to its range's end is looked at; the rate [1/s] at which it comes to rest there; the hardest braking."""


class HeldTask(ContactTask):
    """Contact points with a weight each, by row: those that are held stay, others may go."""

    def __init__(self, state: BodyState, contacts: ContactSet, points: int) -> None:
        super().__init__(state, contacts, 1.0)
        self.weights = np.full(points, TOUCHING_WEIGHT)

    def fill(self, rows: np.ndarray, values: np.ndarray, velocity: np.ndarray, bias: np.ndarray) -> None:
        super().fill(rows, values, velocity, bias)
        root = np.repeat(np.sqrt(self.weights[self._contacts.expected]), 3)
        rows *= root[:, None]
        values *= root


class BallRanges:
    """Keeps the parts of balls' rotation vectors within people's ranges; `bounds` as those of `Gaps`."""

    def __init__(self, state: BodyState, ranges: Ranges) -> None:
        self._state, self._ranges = state, ranges
        self.rate, self.most = RANGE_RATE, MOST_RAD_S2

    def bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """Rows (k, nv) of the parts near their ends, and the least (k,) that these times the accelerations may be."""
        state, ranges = self._state, self._ranges
        columns, angles = ranges.ball_columns, ranges.angles(state.qpos)
        ways = np.linalg.inv(right_jacobians(angles[columns]))
        speed = np.einsum("kij,kj->ki", ways, state.qvel[6:][columns])
        rows, least = [], []
        for sign, room in ((1.0, (angles - ranges.low)[columns]), (-1.0, (ranges.high - angles)[columns])):
            ball, part = (room < NEAR_RAD).nonzero()
            row = np.zeros((len(ball), state.model.nv))
            row[np.arange(len(ball))[:, None], 6 + columns[ball]] = sign * ways[ball, part]
            rows.append(row)
            wanted = -2.0 * sign * self.rate * speed[ball, part] - self.rate**2 * room[ball, part]
            least.append(np.minimum(wanted, self.most))
        return np.concatenate(rows), np.concatenate(least)


class Law:
    """Torques that bring the body nearest to a reference. `solve` wants the support's state up to date."""

    def __init__(self, support: Support, ranges: Ranges, friction: float, gravity_m_s2: float) -> None:
        self._support, state, body = support, support.state, support.body
        self._state, self._points = state, len(body.contact_points)
        self.contacts = ContactSet(state, FRICTION_SHARE * friction)
        upright = [body.role("root"), body.role("trunk"), *([body.role("head")] if "head" in body.index else [])]
        self._ends = {side: {"hand": f"hand_{side}" if f"hand_{side}" in body.index else f"forearm_{side}",
                             "foot": f"foot_{side}"} for side in "LR"}
        self._led = {f"{part}_{side}": len(upright) + i for i, (side, part) in enumerate(
            (side, part) for side in "LR" for part in ("hand", "foot"))}
        names = [*upright, *(self._ends[name[-1]][name[:-2]] for name in self._led)]
        self.com = ComTask(state, [COM_WEIGHT] * 3)
        self.frames = FramesTask(state, [state.frame(name) for name in names])
        weights = np.zeros(state.model.nv)
        weights[6:] = JOINT_WEIGHT
        self._held = HeldTask(state, self.contacts, self._points)
        self._balls = BallRanges(state, ranges)
        self._hinges = HingeLimits(state, MARGIN_DEG, HORIZON_S)
        self.program = WholeBodyProgram(
            state, self.contacts,
            Objective((self.com, self.frames), PostureTask(state, weights), self._held,
                      TorqueTask(state, self.contacts, TORQUE_WEIGHT), FORCE_WEIGHT),
            Limits(self._hinges, torque_limits(body, gravity_m_s2), DAMPING, self._balls))
        for i, weight in enumerate((ROOT_WEIGHT, TRUNK_WEIGHT, HEAD_WEIGHT)[: len(upright)]):
            self.frames.root_weights[i, 3:] = math.sqrt(weight)
        self._upright = len(upright)
        self._data = mujoco.MjData(state.model)
        self.set_gravity(gravity_m_s2)

    def set_gravity(self, gravity_m_s2: float) -> None:
        """Gains, dampings and strength under a gravity."""
        self._weight_n = gravity_m_s2 * self._state.mass_kg
        self._ratio = ratio = gravity_m_s2 / EARTH_GRAVITY_M_S2
        self.frames.gains[:] = POSE_GAIN * ratio
        self.frames.gains[self._upright:] = LED_GAIN * ratio
        self._held.damping = self.program.cone_damping = DAMPING * math.sqrt(ratio)
        self._held.hover_gain = HOVER_GAIN * ratio
        self._balls.rate, self._balls.most = RANGE_RATE * math.sqrt(ratio), MOST_RAD_S2 * ratio
        self._hinges.horizon_s = HORIZON_S / math.sqrt(ratio)
        self.program.torque_limit = torque_limits(self._support.body, gravity_m_s2)

    def hold(self, held: np.ndarray, moving: np.ndarray, led: Collection[str], phase: Phase) -> None:
        """From now on these points (P,) are held, those of limbs that move bear nothing, and these hands and feet are led. Who
        lies does not mind where the weight is; who rolls turns pelvis and chest whatever it takes."""
        self._holding, self._moving = held, moving
        self._rolls = phase.lies and not held.any()
        for name, row in self._led.items():
            self.frames.root_weights[row, :3] = math.sqrt(LED_WEIGHT) if name in led else 0.0
            self.frames.root_weights[row, 3:] = math.sqrt(TURN_WEIGHT) if name in led else 0.0
        rolls = phase.roll is not None
        for row, weight in enumerate((ROOT_WEIGHT, TRUNK_WEIGHT)):
            self.frames.root_weights[row, 3:] = math.sqrt(ROLL_WEIGHT if rolls else weight)
        self.com.root_weight = np.sqrt(np.full(3, LYING_COM_WEIGHT if phase.lies else COM_WEIGHT))

    def solve(self, reference: Reference) -> np.ndarray:
        """Torques (nv - 6,) [N m] for the state as it is."""
        state, frames = self._state, self.frames
        height = state.contact_height_m
        self._held.weights[:] = np.where(self._holding, HELD_WEIGHT, TOUCHING_WEIGHT)
        if self._rolls:
            bears = np.minimum(self.program.contact_force_n[:, 2] / (BEARING_SHARE * self._weight_n), 1.0)
            self._held.weights += (HELD_WEIGHT - TOUCHING_WEIGHT) * bears
        active = ((height < TOUCHES_M) & ~self._moving) | (self._holding & (height < PLANNED_M))
        self.contacts.update(active, active | self._holding)
        place, rate, second = reference.com
        gain = COM_GAIN * self._ratio
        self.com.acceleration[:] = gain * (place - state.com) + 2.0 * math.sqrt(gain) * (rate - state.com_velocity) + second
        jacobian = frames.take_over().jacobian
        np.matmul(jacobian, reference.velocity, out=frames.velocity)
        np.matmul(jacobian, reference.acceleration, out=frames.acceleration)
        self._data.qpos[:] = reference.pose
        mujoco.mj_kinematics(state.model, self._data)
        for i, frame in enumerate(frames.frames):
            frames.quaternion[i], frames.position[i] = self._data.xquat[frame.id], self._data.xpos[frame.id]
        self.program.posture.aim(reference.pose, reference.velocity, reference.acceleration, POSE_GAIN * self._ratio, 0.0)
        self.program.solve(0.0)
        return self.program.torque

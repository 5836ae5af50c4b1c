# SPDX-License-Identifier: GPL-3.0-or-later
"""The body of a running plan: its feet within reach of its hips, and the whole reference pose with its motion.

Angular momentum about the centre of mass that a body should take along into a flight, where nothing can change it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import mujoco
import numpy as np

from ....bodies.state import BodyState
from ....specs.shot import EARTH_GRAVITY_M_S2
from ...legged.pose import GaitTables, PosePlanner
from ...legged.targets import SIDES, FeetPose
from .contact_schedule import ContactClock, RunningSettings
from .feet import RunningFeet
from .heights import Motion
from .landing import HipReach

LEARNT, ANEW = 0.6, 0.2
"""Share of what a flight shows that is believed at once, and of the ground phase after which the next is foreseen anew."""


class AngularMomentumPlan:
    """The angular momentum wanted on the ground, and how fast it should come about: ever faster towards take-off.

    Legs that swing forward in the air turn the trunk against them. What is wanted is therefore the mean of the reference
    motion's own angular momentum in the coming flight, as `expect` foresees it; what flights after the same step
    showed beyond that is learnt. Then the trunk stays. From the fraction `due` of a ground phase on it is to be foreseen anew.
    """

    def __init__(self, model: mujoco.MjModel, settings: RunningSettings, clock: ContactClock, gravity: float) -> None:
        self._model, self._data, self._clock = model, mujoco.MjData(model), clock
        scale = math.sqrt(gravity / EARTH_GRAVITY_M_S2)
        self._least, self._most = (rate * scale for rate in settings.angular_momentum_rates)
        self._beyond = np.zeros((len(clock.steps), 3))
        self._expected: np.ndarray | None = None
        self._sum, self._count, self._index, self.due = np.zeros(3), 0, clock.index, 0.0

    def under(self, ratio: float) -> None:
        """Gravity is so much greater now: rates, and what is known of the flights, grow with its root."""
        scale = math.sqrt(ratio)
        self._least, self._most = self._least * scale, self._most * scale
        self._beyond *= scale

    def note(self, pose: np.ndarray, rate: np.ndarray, direction: complex) -> None:
        """Take notice of a plan step's reference pose (nq,) in the air and its velocity (nv,), heading in a direction."""
        self._index, self.due = self._clock.index, 0.0
        self._sum += self._momentum(pose, rate, direction)
        self._count += 1

    def _momentum(self, pose: np.ndarray, rate: np.ndarray, direction: complex) -> np.ndarray:
        """Angular momentum (3,) about the centre of mass [kg m^2/s]: ahead, left, up."""
        data = self._data
        data.qpos[:], data.qvel[:] = pose, rate
        mujoco.mj_kinematics(self._model, data)
        mujoco.mj_comPos(self._model, data)
        mujoco.mj_comVel(self._model, data)
        mujoco.mj_subtreeVel(self._model, data)
        x, y, z = data.subtree_angmom[1].tolist()
        level = complex(x, y) / direction
        return np.array([level.real, level.imag, z])

    def expect(self, motions: Sequence[tuple[np.ndarray, np.ndarray]], direction: complex) -> None:
        """On the ground, foresee the coming flight: poses (nq,) and velocities (nv,) at instants in it. What the last one was
        beyond what had been foreseen joins what is known of flights after that step."""
        if self._count and self._expected is not None:
            self._beyond[self._index] += LEARNT * (self._sum / self._count - self._expected - self._beyond[self._index])
        self._sum[:], self._count, self.due = 0.0, 0, self._clock.fraction + ANEW
        self._expected = np.mean([self._momentum(pose, rate, direction) for pose, rate in motions], axis=0)

    def wanted(self, direction: complex) -> np.ndarray | None:
        """Angular momentum (3,) that is sought [kg m^2/s, world axes]; None in flight, where it stays as it is."""
        if not self._clock.grounded or self._expected is None:
            return None
        x, y, z = (self._expected + self._beyond[self._clock.index]).tolist()
        level = complex(x, y) * direction
        return np.array([level.real, level.imag, z])

    @property
    def rate(self) -> float:
        """How fast [1/s]."""
        left = self._clock.ground_left_s
        return min(max(1.0 / max(left, 1e-6), self._least), self._most)


STEP_S = 0.005
"""Time before and after now over which velocities and accelerations of feet and reference pose are taken."""
FORESEEN = (0.211, 0.789)
"""Instants of a coming flight, as shares of it, whose mean stands for the whole (Gauss)."""
TIMES_S = (-STEP_S, 0.0, STEP_S)
SWING_SCALE_RATE = 1.0
"""How fast the swing of arms and trunk follows the length of the strides [1/stride]."""


class RunningBody:
    """Reference poses on a clock. `vertical` is the COM's planned vertical motion now, `swing_scale` how far arms and trunk
    are to swing over the cycle's own, `time_scale` how fast everything goes over Earth's."""

    vertical: Motion
    level: tuple[float, float] = (0.0, 0.0)
    """Height [m] of the level that the vertical motion is over, and its rate [m/s]."""

    def __init__(
        self, state: BodyState, tables: GaitTables, clock: ContactClock, settings: RunningSettings, stride_ratio: float,
        time_scale: float,
    ) -> None:
        self._model, self._tables, self.clock, self._settings = state.model, tables, clock, settings
        self.time_scale = time_scale
        self.poses = PosePlanner(tables, state.body)
        self.poses.swing_scale = self.swing_scale = swing_scale(stride_ratio)
        self.hips: HipReach | None = None
        self._asked: tuple[float, float] | None = None

    def follow_swing_scale(self, dt: float) -> None:
        """Let the swing of arms and trunk come nearer to what is wanted."""
        most = SWING_SCALE_RATE * self.clock.frequency * dt
        self.poses.swing_scale += min(max(self.swing_scale - self.poses.swing_scale, -most), most)

    def feet_poses(self, both: RunningFeet, heading: float) -> list[FeetPose]:
        """Planned poses of the feet at `TIMES_S` from now, those in the air within reach of their hips."""
        clock = self.clock
        phases, rows = self._moments()
        cycle_m = dict(zip(phases.tolist(), rows[:, 0].tolist(), strict=True))

        def rise(phase: float, time_s: float) -> float:
            return self.height_in(time_s) - cycle_m[phase]

        feet = both.poses(heading, (clock.phase, clock.rate), (clock.smooth_phase, clock.smooth_rate), TIMES_S, rise)
        for side in SIDES:
            foot = both[side]
            if foot.swinging and self.hips is not None:
                hip = self.hips.hip(side, self.vertical.acceleration)
                down = foot.path.landing(foot.target, heading).ankle - (0.0, 0.0, foot.lowered_m)
                landing = hip.landing(down, clock.until_landing_s(side), clock.flight_s[clock.index], self.hips.leg_m)
                for pair, time in zip(feet, TIMES_S, strict=True):
                    self.hips.draw_in(pair[side], hip.at(time), foot.share)
                    if landing is not None:
                        landing.lead(pair[side], hip.at(time), time, self.hips.leg_m)
        return feet

    def _moments(self) -> tuple[np.ndarray, np.ndarray]:
        """Phases (3,) and the tables' rows (3, C) at `TIMES_S` from now: a plan asks for them twice, for feet and pose."""
        now = self.clock.smooth_phase, self.clock.smooth_rate
        if now != self._asked:
            self._asked, self._phases = now, now[0] + now[1] * np.array(TIMES_S)
            self._rows = self._tables.table.value(self._phases)
        return self._phases, self._rows

    def height_in(self, time_s: float) -> float:
        """Planned height some time from now [m]."""
        v, t = self.vertical, time_s
        return v.height + t * (v.velocity + t * (0.5 * v.acceleration + t * v.jerk / 6.0))

    def reference(
        self, heading: float, com: complex, velocity: complex, com_acceleration: complex, feet: list[FeetPose]
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Reference pose (nq,), its velocity and acceleration (nv,), from poses at `TIMES_S` with the `feet` of these times;
        `com_acceleration` is the COM's planned horizontal acceleration [m/s^2]."""
        phases, rows = self._moments()
        places = [(time, com + time * (velocity + 0.5 * time * com_acceleration)) for time in TIMES_S]
        level, rising = self.level
        coms = [(place.real, place.imag, self.height_in(time) + (level + time * rising)) for time, place in places]
        poses = self.poses.poses(phases, (heading,) * 3, coms, feet, rows, heading)
        model, rates = self._model, np.empty((2, self._model.nv))
        for rate, start, end in zip(rates, poses, poses[1:], strict=False):
            mujoco.mj_differentiatePos(model, rate, STEP_S, start, end)
        limit = self._settings.acceleration_limit * self.time_scale**2
        changes = (rates[1] - rates[0]) / STEP_S
        return poses[1], 0.5 * (rates[0] + rates[1]), np.minimum(np.maximum(changes, -limit), limit)


def swing_scale(stride_ratio: float) -> float:
    """How far arms and trunk swing over the cycle's own, for strides so much longer than its."""
    return min(max(stride_ratio, 0.4), 1.3)

# SPDX-License-Identifier: GPL-3.0-or-later
"""The body of a running plan: its feet within reach of its hips, and the whole reference pose with its motion."""

from __future__ import annotations

import cmath
from typing import Any

import mujoco
import numpy as np

from .....bodies.state import BodyState
from ..foot_targets import SIDES, FeetPose
from ..gait_tables import GaitTables
from ..pose import PosePlanner
from .contact_schedule import ContactClock
from .feet import RunningFeet
from .heights import RunningHeights
from .reach import HipReach
from .settings import RunningSettings
from .vertical import Motion

STEP_S = 0.005
"""Time before and after now over which velocities and accelerations of feet and reference pose are taken."""
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
        self._model, self._tables, self._clock, self._settings = state.model, tables, clock, settings
        self.time_scale = time_scale
        self.poses = PosePlanner(tables, state.body)
        self.poses.swing_scale = self.swing_scale = swing_scale(stride_ratio)
        self._hips = HipReach(state.body, settings)
        self._asked: tuple[float, float] | None = None

    def follow_swing_scale(self, dt: float) -> None:
        """Let the swing of arms and trunk come nearer to what is wanted."""
        most = SWING_SCALE_RATE * self._clock.frequency * dt
        self.poses.swing_scale += min(max(self.swing_scale - self.poses.swing_scale, -most), most)

    def feet_poses(
        self, both: RunningFeet, heading: float, com: complex, velocity: complex, heights: RunningHeights
    ) -> list[FeetPose]:
        """Planned poses of the feet at `TIMES_S` from now, those in the air within reach of their hips."""
        clock, direction = self._clock, cmath.exp(1j * heading)

        def rise(phase: float, time_s: float) -> float:
            return self.height_in(time_s) - float(heights.cycle_height(phase))

        feet = both.poses(heading, (clock.phase, clock.rate), (clock.smooth_phase, clock.smooth_rate), TIMES_S, rise)
        _, rows = self._moments()
        for pair, time, row in zip(feet, TIMES_S, rows, strict=True):
            place = com + time * velocity
            hips = self._hips.places(place, self.height_in(time) + self.level_in(time), direction, row)
            for side in SIDES:
                if both[side].swinging:
                    self._hips.draw_in(pair[side], hips[side], both[side].share)
        return feet

    def _moments(self) -> tuple[np.ndarray, np.ndarray]:
        """Phases (3,) and the tables' rows (3, C) at `TIMES_S` from now: a plan asks for them twice, for feet and pose."""
        now = self._clock.smooth_phase, self._clock.smooth_rate
        if now != self._asked:
            self._asked, self._phases = now, now[0] + now[1] * np.array(TIMES_S)
            self._rows = self._tables.table.value(self._phases)
        return self._phases, self._rows

    def height_in(self, time_s: Any) -> Any:
        """Planned height some time from now [m]."""
        v, t = self.vertical, time_s
        return v.height + t * (v.velocity + t * (0.5 * v.acceleration + t * v.jerk / 6.0))

    def level_in(self, time_s: Any) -> Any:
        """The level some time from now [m]."""
        return self.level[0] + time_s * self.level[1]

    def reference(
        self, heading: float, com: complex, velocity: complex, com_acceleration: complex, feet: list[FeetPose]
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Reference pose (nq,), its velocity and acceleration (nv,), from poses at `TIMES_S` with the `feet` of these times;
        `com_acceleration` is the COM's planned horizontal acceleration [m/s^2]."""
        times, (phases, rows) = np.array(TIMES_S), self._moments()
        places = com + times * (velocity + 0.5 * times * com_acceleration)
        coms = np.column_stack([places.real, places.imag, self.height_in(times) + self.level_in(times)])
        poses = self.poses.poses(phases, (heading,) * 3, coms.tolist(), feet, rows, heading)
        model, rates = self._model, np.empty((2, self._model.nv))
        for rate, start, end in zip(rates, poses, poses[1:], strict=False):
            mujoco.mj_differentiatePos(model, rate, STEP_S, start, end)
        limit = self._settings.acceleration_limit * self.time_scale**2
        return poses[1], 0.5 * (rates[0] + rates[1]), np.clip((rates[1] - rates[0]) / STEP_S, -limit, limit)


def swing_scale(stride_ratio: float) -> float:
    """How far arms and trunk swing over the cycle's own, for strides so much longer than its."""
    return min(max(stride_ratio, 0.4), 1.3)

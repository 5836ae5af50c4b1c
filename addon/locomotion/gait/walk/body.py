# SPDX-License-Identifier: GPL-3.0-or-later
"""The body of the walker over its feet: height and lean of the COM, and the whole reference pose with its velocity.

Height of the centre of mass: the cycle's, bounded by gravity, lowered while a leg would be too short.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import mujoco
import numpy as np

from ....specs.shot import EARTH_GRAVITY_M_S2
from ...legged.gait_tables import GaitTables
from ...legged.pose import PosePlanner
from ...legged.targets import FeetPose
from ...legged.terrain import Terrain
from .footsteps import Rhythm, WalkSettings
from .orbit import Course


class HeightPlan:
    """Planned COM height over the phase. While a foot stands the acceleration stays within a fraction of gravity.

    With `upright` from 0 to 1 it goes over from the cycle's rise and fall to `stand_raise_m` over their mean.
    """

    def __init__(self, tables: GaitTables, rhythm: Rhythm, gravity_m_s2: float, settings: WalkSettings) -> None:
        self._tables, self._rhythm, self._settings = tables, rhythm, settings
        self._series = tables.table.part(slice(0, 1))
        self._largest_acceleration = np.abs(tables.table.second(np.linspace(0.0, 1.0, 480, endpoint=False))[:, 0]).max()
        self.under(gravity_m_s2)
        self.upright = self.stand_raise_m = 0.0
        self._raise = settings.height_raise * tables.body.leg_length_m - self._sink(settings.height_amplitude) - settings.crouch_m
        self.reduction_m = self.reduction_rate = 0.0

    def under(self, gravity_m_s2: float) -> None:
        """Take over a gravity and the rhythm's present frequency."""
        self._time_scale = math.sqrt(gravity_m_s2 / EARTH_GRAVITY_M_S2)
        largest = self._largest_acceleration * self._rhythm.frequency**2
        limit = self._settings.height_acceleration * gravity_m_s2 / max(largest, 1e-9)
        self._scale = min(self._settings.height_amplitude, limit)

    def _sink(self, height_amplitude: float) -> float:
        """How much lower [m] the mean height is where the rise and fall are scaled: the legs' length bounds the height where
        the COM is highest and, with the feet apart, where it is lowest; neither may come higher than in the cycle."""
        away = self._tables.table.value(np.linspace(0.0, 1.0, 480, endpoint=False))[:, 0] - self._tables.com_height_mean_m
        return max((height_amplitude - 1.0) * float(away.max()), (height_amplitude - 1.0) * float(away.min()))

    def unreduced(self, row: np.ndarray) -> Any:
        """Heights (...,) [m] for tables' rows (..., C), before the legs' reach is asked. A quicker step rises and falls
        less."""
        mean = self._tables.com_height_mean_m + self._raise + self.upright * self.stand_raise_m
        scale = (1.0 - self.upright) * self._scale / self._rhythm.rate_factor**2
        return mean + scale * (row[..., 0] - self._tables.com_height_mean_m)

    def now(self) -> tuple[float, float, float]:
        """Height [m], velocity [m/s], acceleration [m/s^2] at the rhythm's phase."""
        rate = self._rhythm.rate
        share = (1.0 - self.upright) * self._scale / self._rhythm.rate_factor**2
        value, slope, second = self._series.motion(self._rhythm.phase)
        return (float(self.unreduced(value)) - self.reduction_m, share * rate * float(slope[0]) - self.reduction_rate,
                share * rate**2 * float(second[0]))

    def follow(self, needed_reduction_m: float, dt: float) -> None:
        """Move towards the reduction of height that the legs' reach needs: quickly down, slowly up again."""
        settings = self._settings
        rate = settings.height_reduction_rate if needed_reduction_m > self.reduction_m else settings.rise_rate
        self.reduction_rate = rate * self._time_scale * (needed_reduction_m - self.reduction_m)
        self.reduction_m += dt * self.reduction_rate


POSE_STEP_S = 0.005
"""Time over which velocities of the reference pose and of the feet are taken."""


class BodyPlan:
    """Height, lean and pose on a rhythm, a course and a terrain. `amplitude` is how much of the gait's own motion is shown: 1 in
    full steps, 0 standing."""

    def __init__(
        self, model: mujoco.MjModel, tables: GaitTables, rhythm: Rhythm, course: Course, terrain: Terrain, height: HeightPlan,
        settings: WalkSettings,
    ) -> None:
        self._model, self._tables, self._rhythm, self._course = model, tables, rhythm, course
        self._terrain, self.height, self._settings = terrain, height, settings
        self.poses = PosePlanner(tables, tables.body)
        self.amplitude, self.gravity = 1.0, 1.0

    def show(self, amplitude: float) -> None:
        """Show so much of the gait's own motion."""
        self.amplitude = self.poses.amplitude = amplitude

    @property
    def lean(self) -> float:
        """Lean of the body to the left [rad] under which weight and centrifugal force go through the feet."""
        return math.atan(self.amplitude**2 * self._course.turn_rate * self._course.speed / self.gravity)

    def over_ground(self, velocity: complex, acceleration: complex) -> tuple[float, float, float]:
        """Planned height of the COM [m], its velocity and acceleration, the level of the ground under it included."""
        height, rate, second = self.height.now()
        terrain = self._terrain
        return height + terrain.level_m, rate + terrain.rate(velocity), second + terrain.second(velocity, acceleration)

    def needed_height_reduction(self, com: complex, feet: FeetPose) -> float:
        """How much lower than the cycle's the COM must be for the legs to reach both feet."""
        row = self._rows(self._rhythm.phase)
        height = self.height.unreduced(row) + self._terrain.level_m
        return self.poses.shortfall(com, height, self._course.heading, row, feet, self._settings.reach, self.lean)

    def take_height(self, height_m: float) -> None:
        """Go on from a COM at a height [m]: what it is off the cycle's is made good at the height plan's own pace."""
        self.height.reduction_m = float(self.height.unreduced(self._rows(self._rhythm.phase))) - height_m + self._terrain.level_m

    def _rows(self, phases: float | np.ndarray) -> np.ndarray:
        """The tables' rows (..., C) at phases (...,), the pelvis' motion about its mean as large as the amplitude says."""
        rows = self._tables.table.value(phases)
        if self.amplitude != 1.0:
            body = slice(1, GaitTables.BODY_CHANNELS)
            rows[..., body] = self.amplitude * rows[..., body] + (1.0 - self.amplitude) * self._tables.table.mean[body]
        return rows

    def pose_pair(
        self, com: complex, velocity: complex, feet: Sequence[FeetPose], feet_heading: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """Reference pose (nq,) now and its velocity (nv,), with the feet now and `POSE_STEP_S` later."""
        rhythm, later, heading = self._rhythm, com + POSE_STEP_S * velocity, self._course.heading
        phases = np.array([rhythm.phase, rhythm.phase + rhythm.rate * POSE_STEP_S])
        rows = self._rows(phases)
        high, higher = self.height.unreduced(rows).tolist()
        ground = self._terrain.level_m - self.height.reduction_m
        coms = ((com.real, com.imag, high + ground),
                (later.real, later.imag, higher + ground + POSE_STEP_S * self._terrain.rate(velocity)))
        headings = heading, heading + POSE_STEP_S * self.amplitude * self._course.turn_rate
        now, later = self.poses.poses(phases, headings, coms, feet, rows, feet_heading, self.lean)
        rate = np.empty(self._model.nv)
        mujoco.mj_differentiatePos(self._model, rate, POSE_STEP_S, now, later)
        return now, rate

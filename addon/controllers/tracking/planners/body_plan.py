# SPDX-License-Identifier: GPL-3.0-or-later
"""The body of the walker over its feet: height and lean of the COM, and the whole reference pose with its velocity."""

from __future__ import annotations

import math
from collections.abc import Sequence

import mujoco
import numpy as np

from .course import Course
from .foot_targets import FeetPose
from .gait_tables import GaitTables
from .height import HeightPlan
from .pose import PosePlanner
from .rhythm import Rhythm
from .settings import WalkSettings
from .terrain import Terrain

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

# SPDX-License-Identifier: GPL-3.0-or-later
"""Standing's planner for a stance that an artist posed: it is held, and come back to."""

from __future__ import annotations

import math

from ...specs.stand import StancePose
from ..tracking.planners.foot_geometry import FootGeometry
from .planner import StandingPlanner
from .pose import StandingPose
from .posed import PosedPose, posed
from .stance import Stance

REACH = 0.997
"""Longest standing leg over a straight one."""


class PosedPlanner(StandingPlanner):
    """Plans balance about `stand.pose`. Raises InputError for a pose that does not stand."""

    def _make_stance(self, geometry: FootGeometry) -> Stance:
        """As it was posed."""
        if not isinstance(self.stand.pose, StancePose):
            raise TypeError("This stance was not posed.")
        self.posed = posed(self.stand.pose, self.state)
        self.heading = self.posed.stance.faces
        return self.posed.stance

    def _make_poses(self) -> StandingPose:
        return PosedPose(self.state, self.posed)

    def _settle(self) -> None:
        """See `StandingPlanner._settle`: as high as posed, or as the legs reach."""
        for side in self.feet.standing:
            self.feet[side].pitch = self.posed.pitches[side]
        rest, high = self.rest(), self.posed.height_m
        self._follow_ground(rest)
        feet = self._feet_poses(0.0, (0.0,))[0]
        for _ in range(3):
            self.poses.settle((rest.real, rest.imag, high + self.terrain.level_m), self.heading, feet)
            hips = self.poses.hips((rest.real, rest.imag, high + self.terrain.level_m), self.heading, 0j)
            high -= max(self.poses.shortfall(hips, feet, self.feet.standing, REACH), 0.0)
        self.height_m = self.stepping.height_m = high
        self.omega = math.sqrt(self.gravity_m_s2 / high)

    def _roll(self, side: str, pitch: float, most: float, dt: float) -> None:
        own = self.posed.pitches[side] if self.stepping.in_place else 0.0
        super()._roll(side, own if abs(pitch) < own else pitch, most, dt)

# SPDX-License-Identifier: GPL-3.0-or-later
"""The jumping controller: standing's, but for a planner that jumps and gains as quick as on Earth."""

from __future__ import annotations

import math
from dataclasses import replace

from ...bodies.capsules import leg_pairs
from ...bodies.human.suit import load_suit
from ...bodies.makers import make_body
from ...bodies.model import build_model
from ...bodies.state import BodyState
from ...errors import InputError
from ...specs.motions import Jump
from ...specs.shot import EARTH_GRAVITY_M_S2, Shot
from ...worlds.ground import make_ground
from ..controller import Setup
from ..qp.constraints import Gaps
from ..stand.controller import GAP_M, GAP_RATE, StandingController
from ..stand.stance import BALANCE, StandingSettings
from ..tracking.tracker import FALL_TILT, QUICK_STEP_S, Tracker
from .planner import JumpPlanner

JUMPING = replace(BALANCE, angular_momentum_weight=450.0, pelvis_weight=2.0, chest_weight=2.0, limit_horizon_s=0.015,
                  contact_weight=600.0)
"""Balance, but for what a flight needs: no angular momentum but the planned one, whatever the trunk does for it, knees that go
on straightening until they leave the ground, and balls that stay where they are however the foot rolls on them: with Balance's
15 the program let them slide, friction did not, and the body left the ground 0.05 m/s slower than planned."""
LOWEST = 0.4
"""Who squats and is lower than this share of the height at rest has fallen."""


class JumpController(StandingController):
    """See `controller.Controller`. Raises LopeError for a jump that its body cannot do."""

    name = "jumping"
    who, subject = "Who jumps", "jumping"
    planner: JumpPlanner
    walks = False

    def __init__(self, setup: Setup) -> None:
        if setup.shot.world.ground.kind not in ("plane", "steps"):
            raise InputError("Who jumps jumps over level ground, or off steps and onto them: choose one of these.")
        super().__init__(setup)
        quicker = max(math.sqrt(EARTH_GRAVITY_M_S2 / setup.shot.world.gravity_m_s2), 1.0)
        self.tracker = Tracker(self.state, self.shot.world.friction, JUMPING, quicker, muscles=self.muscles,
                               gaps=Gaps(self.state, leg_pairs(self.body), GAP_M, GAP_RATE / self.planner.slow))

    @classmethod
    def slowness(cls, shot: Shot) -> float:
        """See `TrackedController.slowness`: a take-off by its own strength is as quick everywhere."""
        return min(super().slowness(shot), 1.0)

    @classmethod
    def step_on_earth_s(cls, shot: Shot) -> float:
        """See `TrackedController.step_on_earth_s`: heels rise within a tenth of a second."""
        return QUICK_STEP_S

    def _make_planner(self, settings: StandingSettings, gravity_m_s2: float) -> JumpPlanner:
        return JumpPlanner(self.state, self.shot.motion_as(Jump), settings, gravity_m_s2, self.shot.seed)

    def _due(self) -> bool:
        return self.planner.due(self._sensed.time_s, self._shares())

    def fallen(self) -> bool:
        x, y, z = self.state.com.tolist()
        if z - float(self.state.ground.height(x, y)) < LOWEST * self.planner.height_m:
            return True
        return float(self.tracker.trunk.matrix[2, 2]) < math.cos(FALL_TILT)

    @classmethod
    def to_path_end(cls, shot: Shot) -> Shot:
        """See `Controller.to_path_end`: until it has come to rest after the landing."""
        body = make_body(shot.body, load_suit(shot.suit))
        state = BodyState(body, build_model(body, shot.world), make_ground(shot.world.ground))
        settings = cls.changed(shot.gains)["standing"]
        planner = JumpPlanner(state, shot.motion_as(Jump), settings, shot.world.gravity_m_s2, shot.seed)
        return replace(shot.with_motion(until_end=False), duration_s=round(planner.lasts_s, 2))

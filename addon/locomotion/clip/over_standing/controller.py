# SPDX-License-Identifier: GPL-3.0-or-later
"""A clip whose feet stay, played by somebody who stands: who is pushed or hit balances and steps, and goes on with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...controller import Plan, Reading, Setup
from ...stand.controller import StandingController
from ...stand.planner import StandingPlanner
from ...stand.stance import StandingSettings
from ..bound import ClipBound, Likeness
from ..shot_plan import ShotPlan, preview
from .motion import Motion, Playing
from .planner import PlayedPlanner


class PlayedController(ClipBound, StandingController):
    """See `controller.Controller`. Raises LopeError for a shot that cannot be followed."""

    planner: PlayedPlanner

    def __init__(self, setup: Setup, planned: ShotPlan) -> None:
        self.planned, self.motion = planned, self._make_motion(planned)
        super().__init__(replace(setup, settings=None))
        self.subject = Path(planned.plan.clip.path).stem
        self.likeness = Likeness(self.state, planned.plan.clip)

    def _make_motion(self, planned: ShotPlan) -> Motion:
        """What it does while it stands."""
        return Playing(planned.plan, planned.slow)

    def _make_planner(self, settings: StandingSettings, gravity_m_s2: float) -> StandingPlanner:
        return PlayedPlanner(self.state, self.stance, settings, gravity_m_s2, self.motion)

    def fallen(self) -> bool:
        """See `Controller.fallen`: as of who follows a clip."""
        return self._sunk(self.motion.clip_s) or self._lies(self.motion.clip_s, self.tracker.trunk)

    def done(self) -> bool:
        """See `Controller.done`: at the clip's end whoever stands as in the clip."""
        stepping = self.planner.stepping
        return self.motion.clip_s >= self.planned.plan.end_s - 1e-9 and stepping.calm and stepping.in_place

    def plan(self) -> Plan:
        """See `Controller.plan`."""
        return preview(self.shot, self.planned)

    def channels(self) -> Mapping[str, Reading]:
        """See `Controller.channels`: how far the clip has come, and how far the body is from it."""
        now = self.motion.clip_s
        off_m = abs(complex(*self.state.com[:2].tolist()) - self.planned.plan.com.at(now).place)
        return {**super().channels(), "follow_clip_time_s": Reading("s", now),
                "follow_joint_error_deg": Reading("deg", self.likeness.joint_error_deg(now)),
                "follow_com_off_plan_m": Reading("m", off_m)}

    def stats(self) -> Mapping[str, Any]:
        """See `Controller.stats`."""
        plan = self.planned.plan
        return {**super().stats(), **plan.clip.origin, "time_scale": self.planned.slow,
                "clip_flights": len(plan.flights), "followed_fraction": min(self.motion.clip_s / self.planned.whole_s, 1.0),
                "handed_over_s": [], "spliced_back_s": []}

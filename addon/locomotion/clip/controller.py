# SPDX-License-Identifier: GPL-3.0-or-later
"""The following controller: a planner over a clip's own steps every few control steps, a quadratic program at each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ...bodies.human.landmarks import SIDES
from ...engines.engine import Accelerations, Excitations, Torques
from ...errors import InputError
from ..controller import Reading, Setup, State
from ..legged.foot_geometry import Footstep
from ..legged.targets import Targets
from ..tracking.tracker import TrackedController, Tracker
from .bound import ClipBound, Likeness
from .planner import FollowPlanner
from .settings import FollowControls, shot_controls
from .shot_plan import ShotPlan, clip_velocity_sizes, shot_plan


class FollowController(ClipBound, TrackedController):
    """See `controller.Controller`. Raises LopeError for a shot that cannot be followed."""

    name = "follow"
    kinds = ("human",)
    commands = (Torques, Accelerations, Excitations)
    steered_by = ("speed_m_s", "turn_rad_s", "turn_rad", "gait")

    def __init__(self, setup: Setup) -> None:
        controls: FollowControls = setup.settings or shot_controls(setup.shot)
        super().__init__(setup, setup.shot.world.gravity_m_s2, controls.follower.interval_s, controls.effort)
        self.planned = planned = self._shot_plan(controls)
        first = planned.plan.clip.first_frame
        self.subject = Path(planned.plan.clip.path).stem + (f" (from frame {first} on)" if first > 1 else "")
        flies = bool(planned.plan.flights)
        self.planner = FollowPlanner(self.state, planned.plan, planned.slow, planned.push_slow,
                                     controls.flying_follower if flies else controls.follower, controls.clip_plan,
                                     controls.flying_follower)
        self.tracker = Tracker(self.state, self.shot.world.friction,
                               controls.flying_tracker if flies else controls.tracker, planned.quicker,
                               muscles=self.muscles)
        self.likeness = Likeness(self.state, planned.plan.clip)

    @classmethod
    def groups(cls) -> dict[str, Any]:
        """See `Controller.groups`: the shipped settings."""
        return FollowControls().groups()

    def _shot_plan(self, controls: FollowControls) -> ShotPlan:
        """The plan to begin with."""
        return shot_plan(self.shot, self.body, controls.clip_plan)

    def _before_plan(self) -> None:
        """What is to be done before every plan step."""

    def start(self, state: State | None = None) -> State:
        """See `Controller.start`. Raises InputError for a state that is not the clip's own."""
        if state is not None:
            raise InputError("The controller follow begins in its clip's first frame, not in another state: put it first.")
        qpos, qvel = self.planner.start()
        shot = self.shot
        if shot.noise:
            sizes = clip_velocity_sizes(self.planned)
            qvel = qvel + shot.noise * sizes * np.random.default_rng(shot.seed).standard_normal(len(sizes))
        return qpos, qvel

    def _plan(self, time_s: float, since_s: float) -> Targets:
        if since_s > 0.0:
            self._before_plan()
        return self.planner.update(time_s, since_s, self._loaded())

    def fallen(self) -> bool:
        """See `Controller.fallen`: far lower over the ground than the clip is over its own soles, or the trunk lies: that is
        judged as soon as a sole is down."""
        now = self.planner.clip_time_s
        if self._sunk(now):
            return True
        return any(self.planner.feet.touches(side) for side in SIDES) and self._lies(now, self.tracker.trunk)

    def channels(self) -> Mapping[str, Reading]:
        """See `Controller.channels`: how far the clip has come, and how far the body is from it."""
        now = self.planner.clip_time_s
        off_m = abs(complex(*self.state.com[:2].tolist()) - self.planned.plan.com.at(now).place)
        return {"plan_heading_rad": Reading("rad", self._aims().heading), "follow_clip_time_s": Reading("s", now),
                "follow_joint_error_deg": Reading("deg", self.likeness.joint_error_deg(now)),
                "follow_com_off_plan_m": Reading("m", off_m), **self._struck()}

    def footsteps(self) -> Sequence[tuple[float, Footstep]]:
        """See `Controller.footsteps`."""
        return self.planner.footsteps

    def stats(self) -> Mapping[str, Any]:
        """See `Controller.stats`: how closely the clip was followed, and how the solver fared."""
        counts, downs = self.tracker.solver.counts, self.planner.touch_downs
        return {**self.planned.plan.clip.origin, "time_scale": self.planned.slow,
                "clip_flights": len(self.planned.plan.flights),
                "followed_fraction": min(self.planner.clip_time_s / self.planned.whole_s, 1.0),
                "foot_off_print_m_max": max((off for _, off in downs), default=0.0),
                "touchdown_timing_ms_median": 1e3 * float(np.median(np.abs([late for late, _ in downs]))) if downs else None,
                "qp_solves": counts.solves, "qp_fallbacks": counts.fallbacks}

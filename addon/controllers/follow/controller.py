# SPDX-License-Identifier: GPL-3.0-or-later
"""The following controller: a planner over a clip's own steps every few control steps, a quadratic program at each."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ...bodies.human.landmarks import SIDES
from ...engines.commands import Accelerations, Command, Torques
from ...errors import InputError
from ...specs.shot import Shot
from ...worlds.ground import check_walkable
from ..contacts import FootLoads
from ..controller import Plan, Reading, Sensed, Setup, State, Taken, not_steered
from ..tracking.controller import CONTROL_STEP_S, FALL_HEIGHT_FRACTION, FALL_TILT, control_step_s
from ..tracking.planners.foot_geometry import Footstep
from ..tracking.planners.targets import Targets
from ..tracking.tracker import Tracker
from .gains import FollowControls, shot_controls
from .likeness import Likeness
from .planner import FollowPlanner
from .shot_plan import clip_velocity_sizes, preview, shot_plan


class FollowController:
    """See `controller.Controller`. Raises LopeError for a shot that cannot be followed."""

    def __init__(self, setup: Setup) -> None:
        controls: FollowControls = setup.settings or shot_controls(setup.shot)
        self.shot, self.body, self.state = setup.shot, setup.body, setup.state
        world = self.shot.world
        knee_m = float(np.linalg.norm(self.body.segment("foot_L").offset)) - self.body.sole_height_m
        check_walkable(world.ground, knee_m, world.friction)
        self.planned = planned = shot_plan(self.shot, self.body, controls.clip_plan)
        first = planned.plan.clip.first_frame
        self.subject = Path(planned.plan.clip.path).stem + (f" (from frame {first} on)" if first > 1 else "")
        self.control_step_s = setup.control_step_s or control_step_s(world.gravity_m_s2)
        self._plan_every = max(1, round(controls.follower.interval_s / CONTROL_STEP_S))
        self.planner = FollowPlanner(self.state, planned.plan, planned.slow, planned.push_slow, controls.follower,
                                     controls.clip_plan)
        self.tracker = Tracker(self.state, world.friction,
                               controls.flying_tracker if planned.plan.flights else controls.tracker, planned.quicker)
        self.likeness = Likeness(self.state, planned.plan)
        self._integrated = setup.wants is Accelerations
        self._loads = FootLoads(self.body, world.gravity_m_s2)
        self._tick = self._planned_tick = 0
        self._sensed: Sensed
        self.targets: Targets | None = None

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

    def sense(self, sensed: Sensed) -> None:
        """See `Controller.sense`."""
        self._sensed = sensed
        if self.targets is None:
            self.targets = self.planner.update(sensed.time_s, 0.0, self._loaded())

    def act(self) -> Command:
        """See `Controller.act`: plan if it is time, and solve."""
        time_s = self._sensed.time_s
        if self._tick - self._planned_tick >= self._plan_every:
            since = (self._tick - self._planned_tick) * self.control_step_s
            self.targets, self._planned_tick = self.planner.update(time_s, since, self._loaded()), self._tick
        self._tick += 1
        targets = self._aims()
        tracker, ahead = self.tracker, time_s - targets.time_s
        if self._integrated:
            tracker.solve(targets, ahead, limit_rate=1.0 / self.control_step_s)
            return Accelerations(tracker.acceleration, tracker.contact_force_n, tracker.torque)
        return Torques(tracker.solve(targets, ahead))

    def _loaded(self) -> dict[str, bool]:
        """Which feet carry weight; before the first step no force has been felt yet, and what touches the ground counts."""
        force = self._sensed.contact_force_n
        return self._loads.loaded(None if force is None or (not force.any() and self._tick == 0) else force, self.state)

    def _aims(self) -> Targets:
        """The targets of the last plan, of which there is one as soon as something is sensed."""
        if self.targets is None:
            raise RuntimeError("A controller acts on what it has sensed: sense comes first.")
        return self.targets

    def steer(self, wish: Mapping[str, float]) -> None:
        """See `Controller.steer`: a clip goes where it goes."""
        raise not_steered("A character that follows a clip")

    def make_way(self, shot: Shot) -> None:
        """See `Controller.make_way`: no gait takes over from a clip."""
        raise InputError("No gait takes over from a clip: take the keys out.")

    def gives_way(self) -> Taken | None:
        """See `Controller.gives_way`."""
        return None

    def set_gravity(self, gravity_m_s2: float) -> None:
        """See `Controller.set_gravity`: shots whose gravity changes are refused before (`shot_plan`)."""
        raise InputError("A clip is followed under one gravity: take the change of gravity out.")

    def fallen(self) -> bool:
        """See `Controller.fallen`: far lower over the ground than the clip is over its own soles, or the trunk lies: that is
        judged as soon as a sole is down."""
        com, now, ground = self.state.com, self.planner.clip_time_s, self.state.ground
        if com[2] - ground.height(com[0], com[1]) < FALL_HEIGHT_FRACTION * self.likeness.stature_m(now):
            return True
        if not any(self.planner.feet.touches(side) for side in SIDES):
            return False
        tilt = max(FALL_TILT, self.likeness.trunk_tilt(now) + 0.5 * FALL_TILT)
        return bool(self.tracker.trunk.matrix[2, 2] < math.cos(tilt))

    def done(self) -> bool:
        """See `Controller.done`: the shot is as long as its clip."""
        return False

    def plan(self) -> Plan:
        """See `Controller.plan`."""
        return preview(self.shot, self.planned)

    def channels(self) -> Mapping[str, Reading]:
        """See `Controller.channels`: how far the clip has come, and how far the body is from it."""
        now = self.planner.clip_time_s
        off_m = abs(complex(*self.state.com[:2].tolist()) - self.planned.plan.com.at(now).place)
        return {"plan_heading_rad": Reading("rad", self._aims().heading), "follow_clip_time_s": Reading("s", now),
                "follow_joint_error_deg": Reading("deg", self.likeness.joint_error_deg(now)),
                "follow_com_off_plan_m": Reading("m", off_m)}

    def footsteps(self) -> Sequence[tuple[float, Footstep]]:
        """See `Controller.footsteps`."""
        return self.planner.footsteps

    def stats(self) -> Mapping[str, Any]:
        """See `Controller.stats`: how closely the clip was followed, and how the solver fared."""
        counts, downs = self.tracker.solver.counts, self.planner.touch_downs
        return {"clip": Path(self.planned.plan.clip.path).name, "time_scale": self.planned.slow,
                "clip_flights": len(self.planned.plan.flights),
                "followed_fraction": min(self.planner.clip_time_s / self.planned.plan.clip.duration_s, 1.0),
                "foot_off_print_m_max": max((off for _, off in downs), default=0.0),
                "touchdown_timing_ms_median": 1e3 * float(np.median(np.abs([late for late, _ in downs]))) if downs else None,
                "qp_solves": counts.solves, "qp_fallbacks": counts.fallbacks}

# SPDX-License-Identifier: GPL-3.0-or-later
"""The following controller: a planner over a clip's own steps every few control steps, a quadratic program at each; and the one
that goes where it is steered, by fragments that a source of motion chooses."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ...bodies.body import Body
from ...bodies.human.landmarks import SIDES
from ...engines.engine import Accelerations, Excitations, Torques
from ...errors import InputError
from ...motions.fragment import Source
from ...specs.motions import Followed
from ...specs.shot import EARTH_GRAVITY_M_S2, Shot
from ...specs.steering import check_wishes
from ...worlds.ground import make_ground
from ..controller import Plan, Reading, Setup, State
from ..controller import Wish as Told
from ..legged.foot_geometry import Footstep
from ..legged.targets import Targets
from ..tracking.tracker import Tracker
from .bound import Likeness, TrackedClip
from .planner import FollowPlanner
from .prints import Print
from .settings import FollowControls, PlanSettings, shot_controls
from .shot_plan import ShotPlan, shot_plan
from .stream import Stream, in_stream


class FollowController(TrackedClip):
    """See `controller.Controller`. Raises LopeError for a shot that cannot be followed."""

    name = "follow"
    kinds = ("human",)
    commands = (Torques, Accelerations, Excitations)
    steered_by = ("speed_m_s", "turn_rad_s", "turn_rad", "gait")

    def __init__(self, setup: Setup) -> None:
        controls: FollowControls = setup.settings or shot_controls(setup.shot)
        super().__init__(setup, controls.follower.interval_s / max(self.slowness(setup.shot), 1.0), controls.effort)
        self.planned = planned = self._shot_plan(controls)
        first = planned.plan.clip.first_frame
        self.subject = Path(planned.plan.clip.path).stem + (f" (from frame {first} on)" if first > 1 else "")
        flies = bool(planned.plan.flights)
        self.planner = FollowPlanner(self.state, planned.plan, planned.slow, planned.push_slow,
                                     controls.flying_follower if flies else controls.follower, controls.clip_plan,
                                     controls.flying_follower)
        self.tracker = Tracker(self.state, self.shot.world.friction,
                               controls.flying_tracker if flies else controls.tracker, planned.quicker, muscles=self.muscles)
        self.likeness = Likeness(self.state, planned.plan.clip)

    @classmethod
    def groups(cls) -> dict[str, Any]:
        return FollowControls().groups()

    def _shot_plan(self, controls: FollowControls) -> ShotPlan:
        return shot_plan(self.shot, self.body, controls.clip_plan)

    def _before_plan(self) -> None:
        """What is to be done before every plan step."""

    def start(self, state: State | None = None) -> State:
        """See `Controller.start`. Raises InputError for a state that is not the clip's own."""
        if state is not None:
            raise InputError("The controller follow begins in its clip's first frame, not in another state: put it first.")
        qpos, qvel = self.planner.start()
        return qpos, self._disturbed(qvel)

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
        return {"plan_heading_rad": Reading("rad", self._aims().heading), **self._follows(self.planner.clip_time_s),
                **self._struck()}

    def footsteps(self) -> Sequence[tuple[float, Footstep]]:
        return self.planner.footsteps

    def stats(self) -> Mapping[str, Any]:
        counts = self.tracker.solver.counts
        return {**self._followed(self.planner.clip_time_s), **self._came_down(self.planner.touch_downs),
                "qp_solves": counts.solves, "qp_fallbacks": counts.fallbacks}


PLAN_STEP_S = 0.05
"""Time from place to place of the previewed centre of mass."""
AFTER_S = 10.0
"""So long after the last wish a plan ends: from there on it goes on as it is."""
GOES_ON = "The plan ends ten seconds after the last wish: the character goes on so."


def preview_stream(shot: Shot, source: Source, body: Body, settings: PlanSettings, slow: float) -> Plan:
    """The plan of a steered shot; everything lasts `slow` times as long as on Earth."""
    stream = Stream(source, body, shot.world.gravity_m_s2 * slow**2, settings)
    last_s = shot.motion.steering[-1].time_s if shot.motion.steering else 0.0
    duration_s = min(shot.duration_s, last_s + AFTER_S)
    times = np.append(np.arange(0.0, duration_s, PLAN_STEP_S), duration_s)
    wishes, found, steps = deque(shot.motion.steering), [], {}
    plan = None
    for time_s in times.tolist():
        while wishes and wishes[0].time_s <= time_s:
            stream.steer(in_stream(wishes.popleft().wish, slow, stream.wish))
        now_s = time_s / slow
        plan = stream.plan_at(now_s) or plan
        if plan is None:
            raise RuntimeError("A stream has a plan at its begin.")
        now = plan.com.at(now_s)
        found.append((now.place, now.pivot, now.height))
        steps.update(_landed(plan.prints, now_s))
    com, pivot, height = (np.array(column) for column in zip(*found, strict=True))
    ground = make_ground(shot.world.ground)
    com_m = np.column_stack([com.real, com.imag, height + ground.height(com.real, com.imag)])
    cart_m = np.column_stack([pivot.real, pivot.imag, ground.height(pivot.real, pivot.imag)])
    prints = [steps[key] for key in sorted(steps)]
    places = np.array([one.place for one in prints], dtype=complex)
    step_m = np.column_stack([places.real, places.imag, ground.height(places.real, places.imag)]).reshape(-1, 3)
    step_s = np.array([max(one.stance.strike_s * slow, 0.0) for one in prints])
    mean_m_s = float(np.abs(np.diff(com)).sum()) / max(duration_s, 1e-9)
    return Plan(times, com_m, cart_m, step_m, step_s, np.array([SIDES.index(one.side) for one in prints]),
                np.array([one.yaw for one in prints]), mean_m_s, 0.5 * float((step_s > 0.0).sum()) / max(duration_s, 1e-9),
                mean_m_s**2 / (shot.world.gravity_m_s2 * body.leg_length_m), note=GOES_ON if duration_s < shot.duration_s else "")


def _landed(prints: dict[str, list[Print]], now_s: float) -> dict[tuple[float, int], Print]:
    """The prints that are stood on by a time, by their strike and side."""
    return {(max(one.stance.strike_s, 0.0), i): one for i, side in enumerate(SIDES) for one in prints[side]
            if one.stance.strike_s <= now_s}


class StreamController(FollowController):
    """See `controller.Controller`. Raises LopeError for a shot that cannot be streamed."""

    def __init__(self, setup: Setup, source: Source) -> None:
        controls: FollowControls = setup.settings or shot_controls(setup.shot)
        self._source, self._controls = source, controls
        self.slow = time_scale(setup.shot)
        self.stream = Stream(source, setup.body, setup.shot.world.gravity_m_s2 * self.slow**2, controls.clip_plan)
        super().__init__(setup)
        flying = Tracker(self.state, setup.shot.world.friction, controls.flying_tracker, self.planned.quicker,
                         muscles=self.muscles)
        self._trackers = {False: self.tracker, True: flying}
        self.subject = "moves"
        self._shown = self.stream.current

    def _shot_plan(self, controls: FollowControls) -> ShotPlan:
        plan = self.stream.plan_at(0.0)
        if plan is None:
            raise RuntimeError("A stream has a plan at its begin.")
        return ShotPlan(plan, self.slow, self.slow, repeats=True)

    def _before_plan(self) -> None:
        now, astray = self.planner.clip_time_s, self.planner.balance.astray
        plan = self.stream.plan_at(now, astray)
        if plan is not None:
            self.planned = replace(self.planned, plan=plan)
            self.planner.follow_on(plan, astray)
            self.tracker = self._trackers[plan.com.flies]
        if self.stream.current is not self._shown and self.stream.current.laid is not self._shown.laid:
            self.likeness.show(self.stream.current.laid.clip)
        self._shown = self.stream.current

    def steer(self, wish: Told) -> None:
        """See `Controller.steer`: it counts from the next touch-down on."""
        check_wishes(self.name, self.steered_by, list(wish))
        self.stream.steer(in_stream(wish, self.slow, self.stream.wish))

    def plan(self) -> Plan:
        return preview_stream(self.shot, self._source, self.body, self._controls.clip_plan, self.slow)

    def stats(self) -> Mapping[str, Any]:
        found = dict(super().stats())
        for name in ("clip", "clip_flights", "followed_fraction"):  # at the wheel nobody knows how long it goes on
            del found[name]
        return found | {"gait_at_end": self.stream.current.gait}


def time_scale(shot: Shot) -> float:
    """How many times longer than on Earth everything lasts in a shot. Raises InputError for a world that no stream goes on."""
    if not isinstance(shot.motion, Followed):
        raise InputError("This shot follows nothing.")
    if shot.world.gravity_ramp:
        raise InputError("A clip is followed under one gravity: take the change of gravity out.")
    if not make_ground(shot.world.ground).plane:
        raise InputError("A clip is followed on level ground or on a slope: choose one of these grounds.")
    return shot.motion.time_scale(shot.world.gravity_m_s2 / EARTH_GRAVITY_M_S2, 1.0)

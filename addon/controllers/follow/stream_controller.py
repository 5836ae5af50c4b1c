# SPDX-License-Identifier: GPL-3.0-or-later
"""The following controller without a clip: it goes where it is steered, by fragments that a source of motion chooses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ...errors import InputError
from ...motions.fragment import Source
from ...specs.shot import EARTH_GRAVITY_M_S2, Shot
from ...specs.steering import check_wishes
from ...worlds.ground import make_ground
from ..controller import Plan, Setup
from ..controller import Wish as Told
from ..tracking.tracker import Tracker
from .controller import FollowController
from .entry import FOLLOW
from .gains import FollowControls, shot_controls
from .shot_plan import ShotPlan
from .stream import Stream, in_stream
from .stream_preview import preview_stream


class StreamController(FollowController):
    """See `controller.Controller`. Raises LopeError for a shot that cannot be streamed."""

    def __init__(self, setup: Setup, source: Source) -> None:
        """`source` chooses what comes next."""
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
        """Let the plan move along with the stream."""
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
        check_wishes(FOLLOW.name, FOLLOW.steered_by, list(wish))
        self.stream.steer(in_stream(wish, self.slow, self.stream.wish))

    def plan(self) -> Plan:
        """See `Controller.plan`."""
        return preview_stream(self.shot, self._source, self.body, self._controls.clip_plan, self.slow)

    def stats(self) -> Mapping[str, Any]:
        """See `Controller.stats`."""
        found = dict(super().stats())
        for name in ("clip", "clip_flights", "followed_fraction"):  # at the wheel nobody knows how long it goes on
            del found[name]
        return found | {"gait_at_end": self.stream.current.gait}


def time_scale(shot: Shot) -> float:
    """How many times longer than on Earth everything lasts in a shot. Raises InputError for a world that no stream goes on."""
    if shot.follow is None:
        raise InputError("This shot follows nothing.")
    if shot.world.gravity_ramp:
        raise InputError("A clip is followed under one gravity: take the change of gravity out.")
    if not make_ground(shot.world.ground).plane:
        raise InputError("A clip is followed on level ground or on a slope: choose one of these grounds.")
    return shot.follow.time_scale(shot.world.gravity_m_s2 / EARTH_GRAVITY_M_S2, 1.0)

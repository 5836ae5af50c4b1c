# SPDX-License-Identifier: GPL-3.0-or-later
"""A clip whose feet move, followed by somebody who stands when its own steps do not hold him, and takes it up again when calm.
When a clip cannot be saved by its own steps any more, and where in it somebody who stands can take it up again. What a clip's
coming contacts allow is foretold as for its footprints: the next foot is to land where the capture point is held then. If that
is out of its leg's reach, or far from where the clip has it, or if no foot lands soon and the pressure that the error asks for
is outside the soles, somebody has to step who is bound to no clip."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from ....bodies.human.landmarks import SIDES
from ....errors import ClipError
from ...controller import Controller, Setup, State
from ...legged.foot_geometry import Footstep
from ...legged.targets import Targets
from ...stand.stance import LEG_M, hull, nearest
from ...stand.taking_over import Fading
from ..balance import Landing
from ..clip_plan import ClipPlan
from ..controller import FollowController
from ..settings import FollowControls
from ..shot_plan import ShotPlan, moved
from .motion import EDGE_S, Motion, Resting, prints_at
from .planner import PlayedController, legs_of

MISS_LEGS, STRAY_LEGS = 0.3, 0.75
"""Of a landing that misses by more of a leg's length, or strays so far from the clip's, the clip's own steps stand too seldom
(measured over 19 pushes in two clips: of those that fell the least is 0.88, docs/notes/hit-clips.md)."""
OUTSIDE_M = 0.02
"""Feet that stay do not hold a body whose pressure would have to be so far outside the soles, on legs of 0.88 m."""
SLOW_M_S = 0.25
"""A clip whose body goes faster can't be taken up from a stand (on Earth, legs of 0.88 m)."""
LATER_M_S = 0.1
"""A moment a second later is as good as one at which the body goes so much faster (first guess)."""
LOOKS_HZ = 30.0
SETTLED_S = 0.1
"""A foot has stood for so long, and stands for as long again, where a clip is taken up [clip s]."""


def out_of_reach(landing: Landing, leg_m: float) -> bool:
    """Whether a clip's own next step would not hold the body."""
    miss, stray = abs(landing.place - landing.wanted) / leg_m, abs(landing.place - landing.nominal) / leg_m
    return miss > MISS_LEGS or stray > STRAY_LEGS


def entry_s(plan: ClipPlan, slow: float, from_s: float) -> tuple[float, bool]:
    """The clip time from one on at which somebody who stands is nearest to the clip, and whether the clip can be taken up there;
    of a clip in which both feet never stand again, the last one before, and the first one where none is before. Raises ClipError
    for a clip in which they never do."""
    times = np.arange(from_s, plan.end_s - EDGE_S, 1.0 / LOOKS_HZ).tolist()
    later = [(abs(plan.com.at(time).velocity) / slow + LATER_M_S * (time - from_s), time) for time in times
             if _both_stand(plan, time)]
    if later:
        _, time = min(later)
        return time, abs(plan.com.at(time).velocity) < SLOW_M_S * slow
    whole = np.arange(plan.clip.start_s, plan.end_s - EDGE_S, 1.0 / LOOKS_HZ).tolist()
    stood = [time for time in whole if prints_at(plan, time) is not None]
    if not stood:
        raise ClipError(f"Nobody who loses {Path(plan.clip.path).stem} can be caught: its feet never both stand. Hit or push "
                        "less hard, or follow a clip in which both feet stand at some time.")
    return max((time for time in stood if time < from_s), default=stood[0]), False


def _both_stand(plan: ClipPlan, time_s: float) -> bool:
    prints = prints_at(plan, time_s)
    if prints is None:
        return False
    return all(prints[side].stance.strike_s + SETTLED_S <= time_s <= prints[side].stance.off_s - SETTLED_S for side in SIDES)


FADE_S = 0.6
"""How long it takes from the pose that the clip had to the one that it is taken up in, on Earth (first guess)."""
NEAR_M = 0.03
"""The capture point is so near to where it rests when the clip is taken up, on legs of 0.88 m."""
STRATEGIES = ("clip", "ankles", "hips", "step", "steps")
"""What keeps a body up, the least first."""
LEAST_S = 0.3
"""Nobody who has just taken a clip up is caught again within so long, on Earth: what is left of the catch has to fade."""


@dataclass
class Catches:
    """What happened in a shot: when the clip was given up [s], and when it was taken up again."""

    handed_over_s: list[float] = field(default_factory=list)
    spliced_back_s: list[float] = field(default_factory=list)
    strategy: str = STRATEGIES[0]

    def stats(self, strategy: str) -> dict[str, Any]:
        """Plain JSON values; `strategy` is the most that was needed in one of them."""
        self.strategy = max(self.strategy, strategy, key=STRATEGIES.index)
        return {"strategy": self.strategy, "handed_over_s": list(self.handed_over_s), "spliced_back_s": list(self.spliced_back_s)}


@dataclass(frozen=True)
class TakenUp:
    """From when in a clip it goes on, and the footsteps that the body stands on."""

    clip_s: float
    steps: dict[str, Footstep]


class CatchingFollow(FollowController):
    """Follows a clip, and hands over to who stands. See `controller.Controller`."""

    def __init__(self, setup: Setup, planned: ShotPlan, catches: Catches, taken_up: TakenUp | None = None) -> None:
        self._setup, self._given, self.catches, self._taken_up = setup, planned, catches, taken_up
        self._lost = False
        self._fading = Fading()
        super().__init__(setup)
        if taken_up is not None:
            self.planner.take_up(taken_up.clip_s, taken_up.steps)

    def _shot_plan(self, controls: FollowControls) -> ShotPlan:
        return self._given

    def start(self, state: State | None = None) -> State:
        """See `Controller.start`; a state is one that a clip is taken up in."""
        return super().start() if state is None or self._taken_up is None else state

    def _plan(self, time_s: float, since_s: float) -> Targets:
        if since_s == 0.0 and self._taken_up is not None:
            self._begun_s = time_s
            self._fading = Fading(self.state, time_s, self.slow, of=legs_of(self.state))
        targets = super()._plan(time_s, since_s)
        self._lost = self._lost or self._beyond(time_s)
        return self._fading.led(targets)

    @property
    def slow(self) -> float:
        """How slowly everything goes, over Earth's."""
        return self.planned.slow

    def _beyond(self, time_s: float) -> bool:
        """Whether the clip's own steps do not hold the body any more."""
        planner, leg = self.planner, self.body.leg_length_m
        if planner.air.flies or (self._taken_up is not None and time_s - self._begun_s < LEAST_S * self.slow):
            return False
        error = planner.off_plan()
        now = planner.clip_time_s
        coming = planner.stepping.next_landing(now)
        if coming is not None:
            return out_of_reach(planner.stepping.landing(coming, now, error, 0j, planner.pace), leg)
        standing = [side for side in SIDES if planner.feet[side].stands]
        if not standing:
            return False
        soles = np.concatenate([self.state.contact_point_m[planner.feet.rows[side]] for side in standing])
        return nearest(planner.planned_pressure() + error, hull(soles))[1] > OUTSIDE_M * leg / LEG_M

    def successor(self) -> Controller | None:
        if not self._lost:
            return None
        self.catches.handed_over_s.append(self._sensed.time_s)
        setup = replace(self._setup, control_step_s=self.control_step_s)
        coming = Caught(setup, self.planned, self.catches, self.planner.clip_time_s)
        coming.yield_as(self)
        return coming

    def done(self) -> bool:
        """See `Controller.done`: the clip ends with its last frame."""
        return self.planner.clip_time_s >= self.planned.plan.end_s - 1e-9

    def stats(self) -> Mapping[str, Any]:
        return {**super().stats(), "steps_taken": 0, **self.catches.stats(STRATEGIES[0])}


class Caught(PlayedController):
    """Stands in a clip that was given up, and hands over to who follows it where it can be taken up. See `CatchingFollow`."""

    motion: Resting

    def __init__(self, setup: Setup, planned: ShotPlan, catches: Catches, left_s: float) -> None:
        self._left_s, self.catches = left_s, catches
        self._setup = setup
        super().__init__(setup, planned)

    def _make_motion(self, planned: ShotPlan) -> Motion:
        to_s, self._goes_on = entry_s(planned.plan, planned.slow, self._left_s)
        return Resting(planned.plan, planned.slow, self._left_s, to_s, FADE_S * planned.slow, self._goes_on)

    def successor(self) -> Controller | None:
        planner, leg = self.planner, self.body.leg_length_m
        stepping = planner.stepping
        if not (self._goes_on and self.motion.there and len(planner.feet.standing) == 2 and stepping.in_place and stepping.calm):
            return None
        com, velocity = (complex(*vector[:2].tolist()) for vector in (self.state.com, self.state.com_velocity))
        if abs(com + velocity / planner.omega - planner.rest()) > NEAR_M * leg / LEG_M:
            return None
        self.catches.spliced_back_s.append(self._sensed.time_s)
        steps = {side: planner.feet[side].step for side in SIDES}
        off = sum(steps[side].place - self.motion.prints[side].place for side in SIDES) / len(SIDES)
        coming = CatchingFollow(self._setup, moved(self.planned, off), self.catches, TakenUp(self.motion.clip_s, steps))
        coming.yield_as(self)
        return coming

    def done(self) -> bool:
        """See `Controller.done`: a clip that cannot be taken up ends in a stand."""
        return False

    def stats(self) -> Mapping[str, Any]:
        found = super().stats()
        return {**found, **self.catches.stats(found["strategy"])}

# SPDX-License-Identifier: GPL-3.0-or-later
"""The ways into and out of a gait within a motion: from a body that was moved otherwise, to another speed, to another gait."""

from __future__ import annotations

import math
from typing import cast

from ...bodies.state import BodyState
from ...specs.shot import EARTH_GRAVITY_M_S2
from ..controller import Taken
from ..legged.handover import Handover
from ..legged.planner import Planner
from ..legged.targets import Targets
from .changes import (
    SETTINGS,
    TOO_FAST,
    SpeedRamp,
    first_walk_speed,
    leaving_speed,
    may_leave,
    moving,
    speed_of,
    stance_of,
    way_of,
)
from .factory import PacedPlanner
from .running.planner import RunningPlanner
from .running.resume import lay_swings, leap_in, resume_run
from .running.standing_ends import StandingRun
from .walk.planner import WalkPlanner
from .walk.resume import lay_swing, quicken, resume_standing, resume_walk
from .walk.standing_ends import StandingEnds

Own = WalkPlanner | RunningPlanner | StandingEnds | StandingRun
"""The planners that there are, but for one that paces another."""


class Passage:
    """Of one planner. `ramp` leads a walk's speed to the one wished for; a gait with flight has a pace of its own."""

    def __init__(self, planner: Planner, state: BodyState, taken: Taken | None) -> None:
        self._planner, self._state, self.taken = planner, state, taken
        self._own = cast(Own, planner.planner if isinstance(planner, PacedPlanner) else planner)
        self._fading: Handover | None = None
        self._flies: bool | None = None
        self._told = False
        self.ramp: SpeedRamp | None = None

    def first_speed(self) -> float | None:
        """The speed [m/s] at which a walk that takes over begins; None where it is not for us to say."""
        planner = self._own.walk if isinstance(self._own, StandingEnds) else self._own
        if self.taken is None or self.taken.stands or isinstance(planner, RunningPlanner | StandingRun):
            return None
        return first_walk_speed(planner.gait, self.taken.speed_m_s, planner.gravity)

    def begin(self, time_s: float, loaded: dict[str, bool]) -> Targets:
        """The first plan for a body that is taken over as it is."""
        planner, taken = self._own, self.taken
        if taken is None:
            raise RuntimeError("Nothing is taken over here.")
        if taken.foot is not None:  # the other one has just left the ground, and may still be felt
            loaded = {side: side == taken.foot for side in loaded}
        run = planner.run if isinstance(planner, StandingRun) else planner
        ends = planner.ends if isinstance(planner, StandingRun) else planner
        if taken.stands and isinstance(ends, StandingEnds):
            resume_standing(ends, taken.way_m)
        elif isinstance(run, RunningPlanner):
            if taken.foot is None:
                resume_run(run, loaded, taken.way_m)
            else:
                leap_in(run, taken.foot, taken.way_m)
        else:
            walk = run.walk if isinstance(run, StandingEnds) else run
            if self.ramp is not None and self.ramp.speed_m_s > TOO_FAST * self.ramp.wish_m_s:
                quicken(walk)
            resume_walk(walk, loaded, taken.way_m)
        targets = self._planner.update(time_s, 0.0, loaded)
        if taken.foot is None and not taken.stands:  # now that it is known where the feet are to land
            if isinstance(run, RunningPlanner):
                lay_swings(run)
            else:
                lay_swing(run.walk if isinstance(run, StandingEnds) else run)
            targets = self._planner.update(time_s, 0.0, loaded)
        flies = isinstance(run, RunningPlanner) and not taken.stands
        scale = math.sqrt(-float(self._state.gravity[2]) / EARTH_GRAVITY_M_S2)
        held = run.landed if isinstance(run, RunningPlanner) and taken.foot is None and not taken.stands else ()
        self._fading = Handover(self._state, targets, scale, SETTINGS.leap_rate if flies else SETTINGS.land_rate, set(held))
        return self._fading.applied(targets)

    def led(self, targets: Targets) -> Targets:
        """Targets with what is left of where the body was taken over."""
        if self._fading is not None and self._fading.over(targets.time_s):
            self._fading = None
        return targets if self._fading is None else self._fading.applied(targets)

    def goes_m_s(self) -> float:
        """How fast the body goes [m/s]; 0 while it stands or sets off."""
        planner = moving(self._own)
        return 0.0 if planner is None else speed_of(planner)

    def asks_m_s(self) -> float:
        """The speed [m/s] that the plan asks for now; not a number while it stands, sets off or stops."""
        planner = moving(self._own)
        return math.nan if planner is None else planner.gait.speed_m_s

    def make_way(self, flies: bool) -> None:
        """From now on make for a change to a gait with or without flight."""
        self._flies = flies

    @property
    def leaves(self) -> bool:
        """Whether a change is made for."""
        return self._flies is not None

    def leaving_speed(self) -> float | None:
        """The speed [m/s] to make for before the change, told once; None where any will do, or it is not under way yet."""
        planner = moving(self._own)
        if self._flies is None or self._told or planner is None:
            return None
        self._told = True
        if isinstance(planner, RunningPlanner):
            planner.brakes = not self._flies
        return leaving_speed(planner, self._flies)

    def gives_way(self, speed_m_s: float) -> Taken | None:
        """What who comes next has to know, of a gait planned for `speed_m_s`, where this is an instant to take over."""
        planner = moving(self._own)
        if self._flies is None or not self._told or planner is None or not may_leave(planner, self._flies):
            return None
        if self.ramp is not None and not self.ramp.settled:
            return None
        goes_m_s = speed_of(planner) if isinstance(planner, RunningPlanner) else speed_m_s
        return Taken(goes_m_s, way_of(planner), foot=stance_of(planner))

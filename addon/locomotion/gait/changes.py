# SPDX-License-Identifier: GPL-3.0-or-later
"""When one gait can become another, and how: on one foot, at a speed that both can go at.

A walk becomes a gait with flight on the foot whose other one has just left the ground, and a gait with flight a walk on the foot
that has just come down, both near the Froude number at which people change (see `running/standing_ends.py`, whose figures these
are): the walk first comes up to it, the run down to it, so in any gravity alike. A walk's speed comes to another one that is
wished for over some steps, as people's does, not within one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

from ...bodies.body import Body
from ...bodies.state import BodyState
from ...errors import InputError, TooShort
from ...gaits.froude import GaitVariables, RunningVariables, froude_speed
from ...gaits.ranges import check_feasible
from ...specs.shot import DURATION_RANGE_S, EARTH_GRAVITY_M_S2, Shot
from ..controller import Part, Taken
from ..legged.pose import GaitTables
from ..legged.targets import Handover, Planner, Targets
from .factory import PacedPlanner
from .running.contact_schedule import contact_schedule
from .running.planner import RunningPlanner, lay_swings, leap_in, resume_run
from .running.standing_ends import MOST_STOPPING_G, SLOW_TOUCH_DOWNS, RunEndSettings, StandingRun
from .shot_gait import body_cycle, gait_variables, run_ends_s, shot_controls, standing_ends
from .walk.footsteps import OTHER
from .walk.pendulum import EndSettings, shortest_s
from .walk.planner import WalkPlanner
from .walk.standing_ends import StandingEnds, lay_swing, quicken, resume_standing, resume_walk

SETTINGS = RunEndSettings()
"""When walk and run change, and how fast the feet come to the other's way: as at a run's ends that stand."""
JUST_LIFTED = 0.2
"""Share of the single support within which the other foot has just left the ground."""
UP_TO_SPEED = 0.87
"""Share of the speed made for that a walking body must have when it becomes a run: the plan is ahead of it."""
JUST_DOWN = 0.03
"""Share of the ground phase within which a foot has just come down."""


def moving(planner: Any) -> WalkPlanner | RunningPlanner | None:
    """The planner at work within one with ends that stand; None while it stands, sets off or stops."""
    if isinstance(planner, StandingRun):
        return planner.run if planner.runs else None
    if isinstance(planner, StandingEnds):
        return planner.walk if planner.walks and planner.walk.pace.steady else None
    return planner


def check_changes(parts: Sequence[Part], body: Body) -> None:
    """Raises LopeError for the parts of a shot whose gaits do not become one another, or whose keys ask a gait for a speed that
    it cannot go at there."""
    schedules, gravity, leg = [], parts[0].shot.world.gravity_m_s2, body.leg_length_m
    for part, following in zip(parts, [*parts[1:], None], strict=True):
        cycle = body_cycle(part.shot, body)
        gait_variables(part.shot, cycle, body)
        schedules.append(contact_schedule(GaitTables(cycle, body).phases))
        for key in part.shot.motion.keys:
            now = key.time_s >= part.from_s and (following is None or key.time_s < following.from_s)
            if now and key.speed_m_s is not None and not part.shot.motion.force and part.shot.motion.file is None:
                check_feasible(part.shot.motion.name, key.speed_m_s, gravity, leg)
    if len(parts) == 1:
        return
    for part, steps, coming in zip(parts, schedules, [*schedules[1:], None], strict=True):
        if any(len(step.contacts) > 1 for step in steps):
            raise InputError(
                f"The gait cannot change to or from {part.shot.motion.name}: skipping and hopping have no step on one "
                "foot to change on. Choose a walk, a run or a lope."
            )
        if steps and coming == () and gravity > MOST_STOPPING_G * EARTH_GRAVITY_M_S2:
            raise InputError(f"Gaits with flight become a walk up to {MOST_STOPPING_G:g} times Earth's gravity only, and this "
                             f"world has {gravity / EARTH_GRAVITY_M_S2:.2f}: let the gait stay, or choose a lighter world.")


def leaving_speed(planner: WalkPlanner | RunningPlanner, flies: bool) -> float | None:
    """The speed [m/s] to make for before the change to a gait with or without flight; None where any will do."""
    leg, gravity = planner.state.body.leg_length_m, planner.gravity
    if isinstance(planner, RunningPlanner):
        if flies:
            return None
        return min(froude_speed(SETTINGS.slow_froude, gravity, leg), planner.wish.speed_m_s)
    return max(froude_speed(SETTINGS.start_froude, gravity, leg), planner.gait.speed_m_s) if flies else None


def may_leave(planner: WalkPlanner | RunningPlanner, flies: bool) -> bool:
    """Whether this is an instant at which a gait with or without flight can take over."""
    if isinstance(planner, RunningPlanner):
        clock = planner.clock
        if not clock.grounded or len(planner.landed) != 1 or clock.fraction > JUST_DOWN:
            return False
        speed = speed_of(planner)
        leg = planner.state.body.leg_length_m
        return flies or speed < SETTINGS.touch_down_speed * froude_speed(SETTINGS.walk_froude, planner.gravity, leg)
    rhythm = planner.rhythm
    double, whole = rhythm.fractions(rhythm.stance)
    lifted = planner.feet[OTHER[rhythm.stance]]
    if flies and speed_of(planner) < UP_TO_SPEED * planner.gait.speed_m_s:
        return False
    return bool(lifted.swinging and not lifted.landed and rhythm.local < double + JUST_LIFTED * (whole - double))


def first_walk_speed(own: GaitVariables, taken_m_s: float, gravity: float) -> float:
    """The speed [m/s] at which a walk takes a body over that went at another: up to that of the walk a run lands in."""
    fastest = froude_speed(SETTINGS.walk_froude, gravity, own.leg_length_m)
    return min(taken_m_s, max(fastest, own.speed_m_s))


def speed_of(planner: WalkPlanner | RunningPlanner) -> float:
    """How fast a body goes along its path [m/s]."""
    forward = planner.frame.direction if isinstance(planner, RunningPlanner) else planner.course.forward
    return float((complex(*planner.state.com_velocity[:2].tolist()) / forward).real)


def way_of(planner: WalkPlanner | RunningPlanner) -> float:
    """How far along its path a planner is [m]."""
    return planner.frame.arc_length if isinstance(planner, RunningPlanner) else planner.course.s


def stance_of(planner: WalkPlanner | RunningPlanner) -> str:
    """The foot that a planner's body is on, at an instant at which it may leave."""
    return min(planner.landed) if isinstance(planner, RunningPlanner) else planner.rhythm.stance


ACCELERATION_G = 0.05
"""Largest change of a walk's speed over time, over gravity: on Earth half a metre a second faster in a second (first guess)."""
MOST_ACCELERATION_G = 0.2
"""Walks still stand that change their speed so fast, on the Moon, on Mars and on Earth."""
TOO_FAST = 1.1
"""Speed of a body over its plan's from which on the plan waits for it: within a step it sways by less."""
OUT_OF_RUN = 2.0
"""How many times as fast a walk slows down that a run has become: on its fastest steps the least error grows, and some fell."""
PART = 0.02
"""Share of the speed by which it is changed at a time: far less than a step would feel."""


def acceleration_g(shot: Shot) -> float:
    """Largest change of the speed of a shot's walk over time, over gravity: its own wish, as far as its feet hold."""
    asked = shot.motion.acceleration_m_s2
    return ACCELERATION_G if asked is None else min(asked / shot.world.gravity_m_s2, MOST_ACCELERATION_G)


class SpeedRamp:
    """The speed a gait goes at, on its way to the one wished for. Speeds in m/s; `acceleration_g` is infinite for gaits with
    flight, which come to another speed at their own pace."""

    def __init__(self, speed_m_s: float, wish_m_s: float, acceleration_g: float = ACCELERATION_G) -> None:
        self._told = self.speed_m_s = speed_m_s
        self.wish_m_s, self._acceleration_g, self.haste = wish_m_s, acceleration_g, 1.0

    @property
    def settled(self) -> bool:
        """Whether it is told the speed wished for."""
        return self._told == self.wish_m_s

    def follow(self, dt: float, gravity_m_s2: float, goes_m_s: float = 0.0) -> float | None:
        """Go on by `dt` [s] with a body that goes at a speed now; gives the speed that the gait is to be told, None where it
        need not be told anything. Who is too fast already makes no shorter steps: those would come too late under it."""
        if self.wish_m_s < self.speed_m_s and goes_m_s > TOO_FAST * self.speed_m_s:
            return None
        most = self.haste * self._acceleration_g * gravity_m_s2 * dt
        self.speed_m_s += min(max(self.wish_m_s - self.speed_m_s, -most), most)
        arrived = self.speed_m_s == self.wish_m_s and not self.settled
        self.haste = 1.0 if arrived else self.haste
        if not arrived and abs(self.speed_m_s - self._told) < PART * self._told:
            return None
        self._told = self.speed_m_s
        return self.speed_m_s


STEPS = 2.0
"""Steps of a stride in which gaits change."""
WAITED_STEPS = 1.5
"""Steps until the foot on which a walk becomes a gait with flight has its turn, at the speed for it."""
TAKEN_STEPS = 0.5
"""Share of its first step that a walk is in already when it takes over."""


def check_times(parts: Sequence[Part], body: Body) -> None:
    """Raises TooShort for a shot whose gait changes and that is too short to stop standing after that."""
    last = parts[-1].shot
    if len(parts) == 1 or last.motion.stop != "standing":
        return
    least_s = keyed_least_s(parts, body)
    if last.duration_s < least_s:
        raise TooShort(f"With these keys a shot that stops standing needs at least {least_s:.1f} s under this gravity, got "
                       f"{last.duration_s:g} s: lengthen it, set its keys earlier, or let it end moving.", least_s)


def keyed_least_s(parts: Sequence[Part], body: Body) -> float:
    """Shortest time [s] in which the parts of a shot can follow one another, each from its key or when the gait before has come
    to where people change, and what stands at its ends can be done."""
    gaits = [gait_variables(part.shot, body_cycle(part.shot, body), body) for part in parts]
    time_s, taken_m_s, since_s = ends_s(parts[0].shot, body, gaits[0]), gaits[0].speed_m_s, 0.0
    for part, gait, coming, following in zip(parts, gaits, parts[1:], gaits[1:], strict=False):
        from_s = max(time_s, coming.from_s)
        flies = isinstance(following, RunningVariables)
        taken_m_s = _speed_after(part.shot, gait, taken_m_s, from_s - since_s)
        lasts_s, taken_m_s = _change(part.shot, gait, taken_m_s, flies)
        time_s = since_s = from_s + lasts_s
    begun_s = 0.0 if isinstance(gaits[-1], RunningVariables) else TAKEN_STEPS / (STEPS * gaits[-1].stride_frequency_hz)
    return time_s - begun_s + ends_s(parts[-1].shot, body, gaits[-1])


def ends_s(shot: Shot, body: Body, gait: GaitVariables) -> float:
    """Shortest time [s] for the ends of a shot of one gait that stand; 0 where none does."""
    ends, gravity = standing_ends(shot), shot.world.gravity_m_s2
    if ends is None:
        return 0.0
    if not isinstance(gait, RunningVariables):
        return shortest_s(ends, gait, gravity, EndSettings())
    long = replace(shot, duration_s=DURATION_RANGE_S[1])
    return run_ends_s(long, body, body_cycle(long, body), gait, shot_controls(long))


def _room_m_s(shot: Shot, gait: GaitVariables) -> float:
    """Most that one running step changes the speed by [m/s]."""
    return shot_controls(shot).running.speed_change * math.sqrt(shot.world.gravity_m_s2 * gait.leg_length_m)


def _speed_after(shot: Shot, gait: GaitVariables, taken_m_s: float, time_s: float) -> float:
    """Speed [m/s] that a gait has come to, some time after it took over at another."""
    rate = acceleration_g(shot) * shot.world.gravity_m_s2
    if isinstance(gait, RunningVariables):
        rate = _room_m_s(shot, gait) * STEPS * gait.stride_frequency_hz
    most = rate * max(time_s, 0.0)
    return taken_m_s + min(max(gait.speed_m_s - taken_m_s, -most), most)


def _change(shot: Shot, gait: GaitVariables, goes_m_s: float, flies: bool) -> tuple[float, float]:
    """Time [s] from the wish for a gait with or without flight to the change, and the speed [m/s] then (see `changes`)."""
    gravity, leg, step_s = shot.world.gravity_m_s2, gait.leg_length_m, 1.0 / (STEPS * gait.stride_frequency_hz)
    if isinstance(gait, RunningVariables):
        walked_m_s = froude_speed(SETTINGS.walk_froude, gravity, leg)
        if flies or goes_m_s < SETTINGS.touch_down_speed * walked_m_s:
            return 0.0, goes_m_s
        count = math.ceil((goes_m_s - walked_m_s) / _room_m_s(shot, gait)) + SLOW_TOUCH_DOWNS
        return count * step_s, walked_m_s
    if not flies:
        return step_s, goes_m_s
    leaves_m_s = max(froude_speed(SETTINGS.start_froude, gravity, leg), goes_m_s)
    return (leaves_m_s - goes_m_s) / (acceleration_g(shot) * gravity) + WAITED_STEPS * step_s, leaves_m_s


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
                self.ramp.haste = OUT_OF_RUN
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

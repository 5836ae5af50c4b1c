# SPDX-License-Identifier: GPL-3.0-or-later
"""When one gait can become another: on one foot, at a speed that both can go at.

A walk becomes a gait with flight on the foot whose other one has just left the ground, and a gait with flight a walk on the foot
that has just come down, both near the Froude number at which people change (see `planners/running/standing_ends.py`, whose
figures these are): the walk first comes up to it, the run down to it, so in any gravity alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...bodies.body import Body
from ...errors import InputError
from ...gaits.froude import GaitVariables, froude_speed
from ...gaits.ranges import check_feasible
from ...specs.shot import EARTH_GRAVITY_M_S2
from ..parts import Part
from .planners.gait_tables import GaitTables
from .planners.rhythm import OTHER
from .planners.running.contact_schedule import contact_schedule
from .planners.running.planner import RunningPlanner
from .planners.running.standing_ends import MOST_STOPPING_G, RunEndSettings, StandingRun
from .planners.standing_ends import StandingEnds
from .planners.walk import WalkPlanner
from .shot_gait import body_cycle, gait_variables

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
        for key in part.shot.keys:
            now = key.time_s >= part.from_s and (following is None or key.time_s < following.from_s)
            if now and key.speed_m_s is not None and not part.shot.force and part.shot.motion is None:
                check_feasible(part.shot.gait, key.speed_m_s, gravity, leg)
    if len(parts) == 1:
        return
    for part, steps, coming in zip(parts, schedules, [*schedules[1:], None], strict=True):
        if any(len(step.contacts) > 1 for step in steps):
            raise InputError(f"The gait cannot change to or from {part.shot.gait}: skipping and hopping have no step on one "
                             "foot to change on. Choose a walk, a run or a lope.")
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
    forward = planner.direction if isinstance(planner, RunningPlanner) else planner.course.forward
    return float((complex(*planner.state.com_velocity[:2].tolist()) / forward).real)


def way_of(planner: WalkPlanner | RunningPlanner) -> float:
    """How far along its path a planner is [m]."""
    return planner.frame.arc_length if isinstance(planner, RunningPlanner) else planner.course.s


def stance_of(planner: WalkPlanner | RunningPlanner) -> str:
    """The foot that a planner's body is on, at an instant at which it may leave."""
    return min(planner.landed) if isinstance(planner, RunningPlanner) else planner.rhythm.stance

# SPDX-License-Identifier: GPL-3.0-or-later
"""A shot that is as long as its path.

The planner of a shot: the same for the simulation and for the plan that is made before it.
"""

from __future__ import annotations

import math
from dataclasses import replace

from ...bodies.body import Body
from ...bodies.model import build_model
from ...bodies.state import BodyState
from ...errors import InputError
from ...gaits.froude import GaitVariables, RunningVariables
from ...gaits.path_speeds import way_s
from ...motions.cycle import Cycle
from ...specs.shot import DURATION_RANGE_S, Shot
from ...worlds.ground import make_ground
from ..legged.gait_tables import GaitTables
from ..legged.planner import Planner
from .factory import PacedPlanner, has_flight, make_planner, stops_standing
from .gains import Controls
from .running.standing_ends import StandingRun
from .shot_gait import body_cycle, compensation_of, gait_variables, shot_way, shown_style, standing_ends
from .walk.end_times import walked_s
from .walk.rollout import PlannedState


def shot_planner(
    shot: Shot, state: BodyState, cycle: Cycle, tables: GaitTables, gait: GaitVariables, controls: Controls, interval_s: float
) -> Planner:
    """The planner of a shot, its motion brought to the body of `state` as `cycle` and `tables`. It will be asked every
    `interval_s` [s]. Raises LopeError for a shot that cannot be planned."""
    style = shown_style(shot, state.body, has_flight(cycle))
    lower_m = 0.0 if has_flight(cycle) else compensation_of(shot, state.body).crouch_m
    walk = replace(controls.walk, interval_s=interval_s, foot_lift_m=style.foot_lift_m, height_amplitude=style.bounce,
                   crouch_m=style.crouch_m + lower_m, heel_strike=style.heel_strike)
    return make_planner(
        state,
        tables,
        gait,
        shot.world.gravity_m_s2,
        scaling=shot.motion.scaling,
        walk=walk,
        steps=controls.steps,
        running=controls.running,
        way=shot_way(shot, gait, cycle, state.body),
        ends=standing_ends(shot),
        footprints=shot.motion.footprints,
        walk_tables=_walk_tables(shot, state, controls) if has_flight(cycle) else None,
    )


def _walk_tables(shot: Shot, state: BodyState, controls: Controls) -> GaitTables | None:
    """Tables of the walk by which a gait with flight starts from standing and stops to it; None where it does neither."""
    if standing_ends(shot) is None:
        return None
    walk = shot.with_motion(
        name="walk",
        file=None,
        tuned=False,
        speed_m_s=None,
        stride_frequency_hz=None,
        force=True,
        style=replace(shot.motion.style, flight_height=1.0),
    )
    cycle = body_cycle(walk, state.body)
    return GaitTables(cycle, state.body, controls.points(walk, cycle))


WHOLE_S = 0.1
"""Durations are whole multiples of this."""


def until_path_end(shot: Shot, body: Body, controls: Controls) -> Shot:
    """A shot as long as it takes to the end of its path. There it stops standing, but for gaits that cannot: those go on. Raises
    InputError for a path without an end, and LopeError for a shot that cannot be planned."""
    cycle = body_cycle(shot, body)
    stop = "standing" if stops_standing(cycle, shot.world.gravity_m_s2) else "moving"
    shot = replace(shot.with_motion(stop=stop, until_end=False), duration_s=DURATION_RANGE_S[1])
    gait = gait_variables(shot, cycle, body)
    way = shot_way(shot, gait, cycle, body)
    if math.isinf(way.path.length):
        raise InputError("This path has no end: a straight line and a circle go on. Give the shot a duration, or choose a path "
                         "through points.")
    needed_s = _needed_s(shot, body, cycle, gait, controls, way_s(way, gait, shot.world.gravity_m_s2))
    low, high = DURATION_RANGE_S
    if needed_s > high:
        raise InputError(f"This path takes {needed_s:.0f} s, and a shot has at most {high:g} s: make it shorter.")
    return replace(shot, duration_s=max(round(math.ceil(needed_s / WHOLE_S) * WHOLE_S, 1), low))


def _needed_s(shot: Shot, body: Body, cycle: Cycle, gait: GaitVariables, controls: Controls, along_s: float) -> float:
    """Time [s] of a way that takes so long at the gait's speed, with the ends that stand."""
    ends = standing_ends(shot)
    if ends is None:
        return along_s
    if not isinstance(gait, RunningVariables):
        return walked_s(ends, gait, shot.world.gravity_m_s2, along_s)
    return along_s + run_ends_s(shot, body, cycle, gait, controls)


def run_ends_s(shot: Shot, body: Body, cycle: Cycle, gait: GaitVariables, controls: Controls) -> float:
    """Shortest time [s] for the ends that stand of a gait with flight, in a shot that is long enough for them."""
    state = PlannedState(body, build_model(body, shot.world), make_ground(shot.world.ground), 1.0)
    tables = GaitTables(cycle, body, controls.points(shot, cycle))
    planner = shot_planner(shot, state, cycle, tables, gait, controls, controls.running.interval_s)
    run = planner.planner if isinstance(planner, PacedPlanner) else planner
    return run.least_s if isinstance(run, StandingRun) else 0.0

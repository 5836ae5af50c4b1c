# SPDX-License-Identifier: GPL-3.0-or-later
"""The planner of a shot: the same for the simulation and for the plan that is made before it."""

from __future__ import annotations

from dataclasses import replace

from ...bodies.state import BodyState
from ...gaits.froude import GaitVariables
from ...motions.cycle import Cycle
from ...specs.shot import Shot
from .compensation import compensation_of
from .gains import Controls
from .planners.factory import has_flight, make_planner
from .planners.gait_tables import GaitTables
from .planners.planner import Planner
from .shot_gait import body_cycle, shot_way, shown_style, standing_ends


def shot_planner(
    shot: Shot, state: BodyState, cycle: Cycle, tables: GaitTables, gait: GaitVariables, controls: Controls, interval_s: float
) -> Planner:
    """The planner of a shot, its motion brought to the body of `state` as `cycle` and `tables`. It will be asked every
    `interval_s` [s]. Raises LopeError for a shot that cannot be planned."""
    style = shown_style(shot, state.body, has_flight(cycle))
    lower_m = 0.0 if has_flight(cycle) else compensation_of(shot, state.body).crouch_m
    walk = replace(controls.walk, interval_s=interval_s, foot_lift_m=style.foot_lift_m, height_amplitude=style.bounce,
                   crouch_m=style.crouch_m + lower_m, heel_strike=style.heel_strike)
    return make_planner(state, tables, gait, shot.world.gravity_m_s2, scaling=shot.scaling, walk=walk, steps=controls.steps,
                        running=controls.running, way=shot_way(shot, gait, cycle, state.body), ends=standing_ends(shot),
                        footprints=shot.footprints,
                        walk_tables=_walk_tables(shot, state, controls) if has_flight(cycle) else None)


def _walk_tables(shot: Shot, state: BodyState, controls: Controls) -> GaitTables | None:
    """Tables of the walk by which a gait with flight starts from standing and stops to it; None where it does neither."""
    if standing_ends(shot) is None:
        return None
    walk = replace(shot, gait="walk", motion=None, tuned=False, speed_m_s=None, stride_frequency_hz=None, force=True,
                   style=replace(shot.style, flight_height=1.0))
    cycle = body_cycle(walk, state.body)
    return GaitTables(cycle, state.body, controls.points(walk, cycle))

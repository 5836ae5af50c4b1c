# SPDX-License-Identifier: GPL-3.0-or-later
"""The plan of a whole shot, made in moments by the planner that its gait will be simulated with."""

from __future__ import annotations

from dataclasses import replace

from ...bodies.body import Body
from ...bodies.model import build_model
from ...gaits.running_variables import RunningVariables
from ...motions.cycle import Cycle
from ...specs.shot import Shot
from ...worlds.ground import Ground, make_ground
from ..controller import Plan
from .answer import TrackedAnswer
from .gains import Controls
from .planners.gait_tables import GaitTables
from .planners.preview import plan_preview
from .planners.rollout import Obedience, PlannedState
from .planners.running.planner import RunningPlanner
from .planners.running.preview import plan_running
from .planners.running.standing_ends import StandingRun
from .shot_gait import body_cycle, gait_variables, standing_ends, walkable_path
from .shot_planner import shot_planner

RAMP = "Gravity changes in this shot, and this plan does not know of it: it is made for {0} m/s^2."


def plan_shot(shot: Shot, body: Body, controls: Controls) -> Plan:
    """The plan of a shot. Raises LopeError for a shot that cannot be planned."""
    cycle = body_cycle(shot, body)
    gait, ground = gait_variables(shot, cycle, body), make_ground(shot.world.ground)
    if isinstance(gait, RunningVariables):
        plan = _running(shot, body, controls, cycle, gait, ground)
    else:
        plan = plan_preview(body, cycle, gait, shot.world.gravity_m_s2, shot.duration_s, shot.scaling,
                            controls.points(shot, cycle), walkable_path(shot, gait), shot.footprints, controls.steps,
                            standing_ends(shot))
    if shot.world.gravity_ramp:
        plan = replace(plan, note=" ".join([*filter(None, [plan.note]), RAMP.format(f"{shot.world.gravity_m_s2:g}")]))
    return plan if ground.level else _laid(plan, ground)


def _running(shot: Shot, body: Body, controls: Controls, cycle: Cycle, gait: RunningVariables, ground: Ground) -> Plan:
    """The plan of a gait with flight."""
    world, tracker = shot.world, controls.running_tracker
    state = PlannedState(body, build_model(body, world), ground, tracker.under(world.gravity_m_s2).swing_gain)
    tables = GaitTables(cycle, body, controls.points(shot, cycle))
    planner = shot_planner(shot, state, cycle, tables, gait, controls, controls.running.interval_s)
    # the walk before a run that starts standing takes long, and its own errors outgrow what an answer could make good
    answer = Obedience() if shot.start == "standing" else TrackedAnswer(state, world.friction, tracker)
    if not isinstance(planner, RunningPlanner | StandingRun):
        raise TypeError(f"A gait with flight is not planned by {type(planner).__name__}.")
    return plan_running(planner, state, world.gravity_m_s2, shot.duration_s, answer)


def _laid(plan: Plan, ground: Ground) -> Plan:
    """A plan over level ground laid on ground that is not."""
    rise = {name: places + ground.height(places[:, 0], places[:, 1])[:, None] * (0.0, 0.0, 1.0)
            for name in ("com_m", "cart_m", "footstep_m") if (places := getattr(plan, name)).size}
    return replace(plan, **rise)

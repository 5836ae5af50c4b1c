# SPDX-License-Identifier: GPL-3.0-or-later
"""The plan of a whole shot, made in moments by the planner that its gait will be simulated with, or rehearsed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from ...bodies.body import Body
from ...bodies.model import build_model
from ...bodies.muscles.of_shot import actuator_of
from ...bodies.state import BodyState
from ...engines.commands import Torques
from ...engines.engine import Engine
from ...engines.factory import make_engine
from ...engines.muscled import Muscled
from ...gaits.bends import along
from ...gaits.running_variables import RunningVariables
from ...specs.shot import DURATION_RANGE_S, Shot
from ...worlds.ground import Ground, make_ground
from ..controller import Controller, Physics, Plan, Setup
from ..parts import parts_of
from .gains import Controls
from .key_times import check_times
from .keyed_gait import keyed_gait
from .planners.paced import PacedPlanner
from .planners.planner import Planner
from .planners.preview import plan_preview
from .planners.rollout import PlannedState, Rollout
from .planners.running.planner import RunningPlanner
from .planners.running.preview import Way, plan_running
from .planners.running.standing_ends import StandingRun
from .rehearsal import Rehearsal
from .shot_gait import body_cycle, gait_variables, shot_way, standing_ends

RAMP = "Gravity changes in this shot, and this plan does not know of it: it is made for {0} m/s^2."

CHANGES = "This plan ends at {0} s: then the gait changes, and on which step only the simulation knows."
KEYED = "Speed is keyed in this shot, and this plan does not know of it: it is made for {0} m/s."
AFTER = "This shot goes on from a take: its plan starts where that ends, but in its own gait and on a step of its own."


class Planning(Controller, Protocol):
    """A controller with a planner at work in it."""

    planner: Planner


Maker = Callable[[Setup], Planning]
ENGINE = "mujoco"
"""What first bounces are rehearsed in, whatever engine the shot asks for."""


def plan_shot(shot: Shot, body: Body, controls: Controls, make: Maker) -> Plan:
    """The plan of a shot, `make` making its controller. Raises LopeError for a shot that cannot be planned."""
    whole, shot = shot, _first_part(shot)
    if whole.keys:
        check_times(parts_of(whole), body)
    cycle = body_cycle(shot, body)
    gait, ground = gait_variables(shot, cycle, body), make_ground(shot.world.ground)
    way = shot_way(shot, gait, cycle, body)
    if isinstance(gait, RunningVariables):
        plan = _running(shot, body, controls, ground, way.pacing is not None, make)
    else:
        plan = plan_preview(body, cycle, gait, shot.world.gravity_m_s2, shot.duration_s, shot.scaling,
                            controls.points(shot, cycle), way.path, shot.footprints, controls.steps, standing_ends(shot),
                            way.pacing, keyed_gait(shot, whole.keys, cycle, body, gait))
    plan = replace(plan, along=along(way, gait, shot.world.gravity_m_s2))
    told = [RAMP.format(f"{shot.world.gravity_m_s2:g}")] if shot.world.gravity_ramp else []
    told += [AFTER] if shot.after is not None else []
    keyed = isinstance(gait, RunningVariables) and any(key.speed_m_s for key in whole.keys)
    told += [KEYED.format(f"{gait.speed_m_s:.2f}")] if keyed else []
    told += [CHANGES.format(f"{shot.duration_s:.1f}")] if shot.duration_s < whole.duration_s else []
    if told:
        plan = replace(plan, note=" ".join([*filter(None, [plan.note]), *told]))
    return plan if ground.level else _laid(plan, ground)


def _first_part(shot: Shot) -> Shot:
    """What is planned of a shot: all of it, or where its gait is keyed what comes before the first change."""
    if not shot.keys:
        return shot
    first, *later = parts_of(shot)
    until_s = max(later[0].from_s, DURATION_RANGE_S[0]) if later else shot.duration_s
    return replace(first.shot, keys=(), duration_s=until_s, pushes=())


def _running(shot: Shot, body: Body, controls: Controls, ground: Ground, paced: bool, make: Maker) -> Plan:
    """The plan of a gait with flight, its first bounces rehearsed without pushes and under the first gravity. From standing, and
    where it is `paced` by the path's bends, it is rolled out by a body that obeys: that takes long."""
    calm = replace(shot, pushes=(), world=replace(shot.world, gravity_ramp=()))
    physics, world = Physics(), calm.world
    model = build_model(body, world, step_s=physics.step_s)
    state: BodyState
    if paced or shot.start == "standing":
        state = PlannedState(body, model, ground, controls.running_tracker.under(world.gravity_m_s2).swing_gain)
    else:
        state = BodyState(body, model, ground)
    controller = make(Setup(calm, body, state, Torques, controls))
    driver = controller.planner
    planner = driver.planner if isinstance(driver, PacedPlanner) else driver
    if not isinstance(planner, RunningPlanner | StandingRun):
        raise TypeError(f"A gait with flight is not planned by {type(planner).__name__}.")
    way: Way
    if isinstance(state, PlannedState):
        way = Rollout(driver, state, world.gravity_m_s2)
    else:
        way = _rehearsed(calm, body, controller, state, make_engine(ENGINE, body, world, step_s=physics.step_s,
                                                                    capsules=physics.capsules))
    return plan_running(planner, state, way, shot.duration_s, paced)


def _rehearsed(shot: Shot, body: Body, controller: Controller, state: BodyState, engine: Engine) -> Rehearsal:
    """A rehearsal in an engine, with the shot's muscles around it where it has some."""
    if shot.actuation is None:
        return Rehearsal(controller, state, engine)
    muscles = actuator_of(shot, body)
    return Rehearsal(controller, state, Muscled(engine, muscles, shot.actuation.tone), muscles)


def _laid(plan: Plan, ground: Ground) -> Plan:
    """A plan over level ground laid on ground that is not."""
    rise = {name: places + ground.height(places[:, 0], places[:, 1])[:, None] * (0.0, 0.0, 1.0)
            for name in ("com_m", "cart_m", "footstep_m") if (places := getattr(plan, name)).size}
    return replace(plan, **rise)

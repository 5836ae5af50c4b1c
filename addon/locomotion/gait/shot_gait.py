# SPDX-License-Identifier: GPL-3.0-or-later
"""What a shot asks of a gait, told before anything is simulated: its motion, gait variables, path, ends and foot map, every
number of the controller that may be tuned, and the planner: the same for the simulation and for the plan that is made before it.

Who knows what their muscles can hold walks otherwise: the plan's part of a condition. The program of a healthy plan makes up for
weak muscles as long as any can (docs/notes/conditions.md), which nobody does: people let the pelvis drop and lean over a weak
hip, bend knees that weak calves or short hamstrings do not let straight, and hurry over a sore leg (`motions.limping`). How far
goes with how much strength is missing; the sizes are first guesses, by strips.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, cast

import numpy as np

from ...bodies.body import Body
from ...bodies.model import build_model
from ...bodies.of_shot import SIDES, Ability, ability_of
from ...bodies.state import BodyState
from ...errors import InputError
from ...gaits.choice import is_suited
from ...gaits.froude import GaitVariables, RunningVariables, borne_speed, predict
from ...gaits.path_speeds import Way, bent_way, ground_wishes, shot_path, slowest_flying_m_s, turns_too_tightly, way_s
from ...gaits.people import Carriage, carriage, carried_style, flight_height, goes_as_tuned, predict_walk, sag_deg
from ...gaits.ranges import check_feasible, held_speed
from ...gaits.tuned_maps import shot_points
from ...motions.cycle import Cycle
from ...motions.library import cycle_from_file, load_gait
from ...motions.style import (
    MOST_SPARED,
    bent,
    compensating,
    counter_turned,
    holding,
    in_one_piece,
    load_lean_rad,
    sagging,
    spared_share,
    sparing,
    styled,
    with_duty_factor,
    yielded,
)
from ...specs.motion import Style
from ...specs.motions import OF_PEOPLE, POLET
from ...specs.path import check_for_flight
from ...specs.shot import DURATION_RANGE_S, Shot
from ...worlds.ground import make_ground
from ..legged.pose import GaitTables
from ..legged.targets import Planner
from ..legged.variation import Variation
from ..qp.muscle_program import EffortSettings
from ..settings import Values, changed_groups, own_groups
from ..tracking.weights import RUNNING, WALKING, TrackerSettings
from .factory import GaitControls, PacedPlanner, feet_down, has_flight, make_planner, running_variables, stops_standing
from .running.contact_schedule import RunningSettings
from .running.standing_ends import StandingRun
from .walk.footsteps import StepSettings, WalkSettings
from .walk.knee_height import upright_share
from .walk.pendulum import StandingShot, ends_steps, walked_s
from .walk.preview import PlannedState

DROP_DEG, LEAN_DEG = 10.0, 17.0
"""Drop of the pelvis and lean of the trunk over a hip whose abductors hold nothing."""
CALF_CROUCH = 0.025
"""How much lower the centre of mass goes over the leg's length where neither calf holds anything."""
TENDON_CROUCH = 1.3
"""How much lower it goes over what the hamstrings' tendons are shorter by."""
SLOWER = 0.25
"""By how much slower somebody goes whose muscles hold nothing, or who spares a leg as far as can be."""
MOST_CROUCH = 0.12
"""The lowest it goes, over the leg's length: knees bent by 60 degrees."""
BOTH_FEET = 0.01
"""Share of a ground phase from which on both feet push in it."""


@dataclass(frozen=True)
class Compensation:
    """Drop of the pelvis beside each standing leg and lean of the trunk over it [rad], how much lower the centre of mass goes
    [m], and the speed that nobody asked for over the healthy one."""

    drop_rad: Mapping[str, float] = field(default_factory=lambda: dict.fromkeys(SIDES, 0.0))
    lean_rad: Mapping[str, float] = field(default_factory=lambda: dict.fromkeys(SIDES, 0.0))
    crouch_m: float = 0.0
    pace: float = 1.0


def compensation_of(shot: Shot, body: Body) -> Compensation:
    """The compensation of a shot on its body; none for a healthy one. Raises LopeError for a condition that does not fit it."""
    ability = ability_of(shot, body)
    if ability is None:
        return Compensation()
    return compensated(ability, body.leg_length_m, abs(spared_share(shot.condition)) / MOST_SPARED)


def compensated(ability: Ability, leg_length_m: float, spared: float = 0.0) -> Compensation:
    """The compensation of an ability on legs of that length, of which one is `spared` from 0 to 1."""
    missing = {side: min(max(1.0 - ability.abduction[side], 0.0), 1.0) for side in SIDES}
    calves = 1.0 - min(max(*ability.calves.values()), 1.0)
    crouch = CALF_CROUCH * leg_length_m * calves + TENDON_CROUCH * max(ability.short_m, 0.0)
    return Compensation({side: math.radians(DROP_DEG * share) for side, share in missing.items()},
                        {side: math.radians(LEAN_DEG * share) for side, share in missing.items()},
                        min(crouch, MOST_CROUCH * leg_length_m), 1.0 - SLOWER * min(max(
                            *missing.values(), *(1.0 - share for share in ability.calves.values()), spared,
                            crouch / (MOST_CROUCH * leg_length_m)), 1.0))


def shot_cycle(shot: Shot) -> Cycle:
    """The motion a shot asks for: a clip's, or a named gait's."""
    cycle = cycle_from_file(shot.motion.file) if shot.motion.file else load_gait(shot.motion.name)
    return cycle if cycle.sided else cycle.symmetrised()


def body_cycle(shot: Shot, body: Body) -> Cycle:
    """The shot's motion on its body: its double support as long as the gait law says, weak hips and sore legs spared, trunk and
    arms as the suit lets them, hips against shoulders in flights by people's law, then as the style bends it, and with what it
    carries. Raises InputError for a style and for locked footprints that the gait cannot take."""
    cycle = in_one_piece(shot_cycle(shot), body)
    if has_flight(cycle):
        shot.motion.style.check_for_flight()
        check_for_flight(shot.motion.footprints)
    else:
        shot.motion.style.check_for_walk()
    if shot.motion.law not in OF_PEOPLE:
        shot.motion.style.check_for_similar()
    if shot.motion.law in OF_PEOPLE and not has_flight(cycle):
        duty_factor = gait_variables(shot, cycle, body).duty_factor
        cycle = cycle if duty_factor is None else with_duty_factor(cycle, duty_factor)
    if not has_flight(cycle):
        cycle = sparing(cycle, spared_share(shot.condition))
        found, away = compensation_of(shot, body), _sway_rad(shot)
        cycle = compensating(cycle, body, found.drop_rad, {side: lean - away for side, lean in found.lean_rad.items()})
    if shot.motion.law in OF_PEOPLE:
        cycle = sagging(cycle, sag_deg(shot.world.gravity_m_s2))
    cycle = yielded(cycle, body)
    if shot.motion.law in OF_PEOPLE and has_flight(cycle) and shot.motion.file is None:
        cycle = counter_turned(cycle, body, shot.motion.style.counter_turn)
    lean = load_lean_rad(cycle, body)
    leant = lean if body.carries is None else lean + body.carries.lean[1]
    made = styled(bent(cycle, body, lean) if lean else cycle, body, shown_style(shot, body, has_flight(cycle), leant))
    return holding(made, body)


def _sway_rad(shot: Shot) -> float:
    """How far the trunk of a walk leans away from the standing leg, as the planet's carriage has it by people's law."""
    own = carriage(shot.world.gravity_m_s2, flies=False) if shot.motion.law in OF_PEOPLE else Carriage()
    return math.radians(shot.motion.style.carriage * own.sway_deg)


def shown_style(shot: Shot, body: Body, flies: bool, load_lean_rad: float = 0.0) -> Style:
    """The style that a shot shows: its own sliders, which count from the planet's carriage on where people's law is asked for.
    Who leans under a load already leans for the planet only as far as that is more."""
    if shot.motion.law not in OF_PEOPLE:
        return shot.motion.style
    return carried_style(shot.motion.style, shot.world.gravity_m_s2, body.leg_length_m, flies, math.degrees(load_lean_rad))


def map_points(shot: Shot, cycle: Cycle) -> np.ndarray | None:
    """Points (6, 3) of the stored foot displacement map for a shot of a motion; None for none.

    Maps are tuned on level ground under one gravity, already moving. Walks stand with them elsewhere too; gaits with flight
    do not, and go without. People's gait takes a similar gait's map where it is near that.
    """
    as_similar = shot.motion.law not in OF_PEOPLE or goes_as_tuned(shot.world.gravity_m_s2, has_flight(cycle))
    as_tuned = shot.world.ground.kind == "plane" and not shot.world.gravity_ramp and standing_ends(shot) is None
    return shot_points(shot, as_similar) if as_tuned or not has_flight(cycle) else None


def gait_variables(shot: Shot, cycle: Cycle, body: Body) -> GaitVariables:
    """Speed and stride frequency under the shot's gravity, by its gait law, as overridden by the shot.

    Unless the shot forces it, a gait whose own speed was found to fall gets one at which it stands, and by people's law one with
    flight a speed that its legs are strong enough for. Raises InputError for an
    asked speed outside the gait's feasible range, unless the shot forces it.
    """
    gravity, leg = shot.world.gravity_m_s2, body.leg_length_m
    law = gait_law(shot, cycle, body)
    level, held = law(cycle, leg, gravity, shot.motion.speed_m_s, shot.motion.stride_frequency_hz), None
    if shot.motion.file is None and not shot.motion.force:
        if shot.motion.speed_m_s is not None:
            check_feasible(shot.motion.name, shot.motion.speed_m_s, gravity, leg)
        elif (speed := held_speed(shot.motion.name, _own_speed(shot, cycle, law, level), gravity, leg)) != level.speed_m_s:
            held, level = speed, law(cycle, leg, gravity, speed, shot.motion.stride_frequency_hz)
    own = shot.motion.speed_m_s is None and not has_flight(cycle)
    pace = compensation_of(shot, body).pace * loaded_pace(body) if own else 1.0
    if pace != 1.0:
        held = pace * level.speed_m_s
        level = law(cycle, leg, gravity, held, shot.motion.stride_frequency_hz)
    wished, frequency = ground_wishes(
        level, shot.world.ground, shot.motion.path, shot.motion.speed_m_s, shot.motion.stride_frequency_hz
    )
    return law(cycle, leg, gravity, held if wished is None else wished, frequency)


def loaded_pace(body: Body) -> float:
    """A walk's speed that nobody asked for, with what its body carries over that with empty hands: at the same power, which goes
    with the mass and about the square of the speed (Pandolf, Givoni and Goldman 1977, J. Appl. Physiol. 43:577)."""
    return 1.0 if body.carries is None else math.sqrt(1.0 - body.carries.load.mass_kg / body.mass_kg)


def _own_speed(shot: Shot, cycle: Cycle, law: Callable[..., GaitVariables], own: GaitVariables) -> float:
    """Speed [m/s] of a gait that nobody asked for another: by people's law, of one with flight, as the legs bear it."""
    if shot.motion.law not in OF_PEOPLE or shot.motion.stride_frequency_hz is not None or not isinstance(own, RunningVariables):
        return own.speed_m_s
    gravity = shot.world.gravity_m_s2
    running = cast(Callable[[float], RunningVariables], partial(law, cycle, own.leg_length_m, gravity))
    return borne_speed(running, own, gravity, feet_down(cycle))


def gait_law(shot: Shot, cycle: Cycle, body: Body) -> Callable[..., GaitVariables]:
    """From a cycle, a leg's length, a gravity, and a speed and a frequency where they are asked for, to gait variables: dynamic
    similarity (Kim 2017, eq. 1-5; `gaits.running_variables`), or what was measured on people (`gaits.people`)."""
    style, people = shot.motion.style, shot.motion.law in OF_PEOPLE
    if has_flight(cycle):
        measured = shot.motion.law == POLET or feet_down(cycle) > 1.0 + BOTH_FEET
        height = style.flight_height * (flight_height(shot.world.gravity_m_s2, measured) if people else 1.0)
        return partial(running_variables, flight_height=height)
    if not people:
        return predict

    def walk(cycle: Cycle, leg_length_m: float, gravity_m_s2: float, *wishes: float | None) -> GaitVariables:
        return predict_walk(cycle, leg_length_m, gravity_m_s2, *wishes,
                            cadence_exponent=style.cadence_exponent, suited=is_suited(body))

    return walk


def standing_ends(shot: Shot) -> StandingShot | None:
    """Which ends of a shot stand; None where neither does. By people's law who stands sets off at once."""
    start, stop = shot.motion.start == "standing", shot.motion.stop == "standing"
    return StandingShot(shot.duration_s, start, stop, shot.motion.law in OF_PEOPLE) if start or stop else None


def shot_way(shot: Shot, gait: GaitVariables, cycle: Cycle, body: Body) -> Way:
    """The path of a shot as its gait goes it: where it turns too tightly for that, in its bends slower and with shorter steps,
    and with its tightest corners rounded; where a walk that stops is too short for its steps, with shorter ones; as it is where
    the shot forces it. Raises InputError for a path that there is not."""
    path, most_step_m = shot_path(shot, gait.leg_length_m), math.inf
    if shot.motion.stop == "standing" and not isinstance(gait, RunningVariables):
        most_step_m = path.length / ends_steps(shot.motion.start == "standing", gait, shot.world.gravity_m_s2)
    if shot.motion.force or not (
        turns_too_tightly(path, gait, shot.world.gravity_m_s2) or most_step_m < 0.5 * gait.stride_length_m
    ):
        return Way(path, footprints=shot.motion.footprints)

    def gait_at(speed_m_s: float, frequency_hz: float | None, gravity_m_s2: float) -> GaitVariables:
        asked = shot.motion.stride_frequency_hz if frequency_hz is None else frequency_hz
        there = replace(
            shot.with_motion(speed_m_s=speed_m_s, stride_frequency_hz=asked, force=True),
            world=replace(shot.world, gravity_m_s2=gravity_m_s2),
        )
        return gait_variables(there, cycle, body)

    way = bent_way(path, gait.leg_length_m, gait_at, most_step_m, slowest_m_s(shot, gait), shot.world.gravity_m_s2)
    return replace(way, footprints=shot.motion.footprints)


def slowest_m_s(shot: Shot, gait: GaitVariables) -> float:
    """Least speed [m/s] that a shot's gait is slowed down to in bends: a walk to any."""
    if not isinstance(gait, RunningVariables):
        return 0.0
    least = slowest_flying_m_s(None if shot.motion.file else shot.motion.name, shot.world.gravity_m_s2, gait.leg_length_m)
    return min(least, gait.speed_m_s)


FORMER_GROUPS = {"bounce": "running", "bounce_tracker": "running_tracker"}
"""What groups of these settings were called before, and are called now."""


@dataclass(frozen=True)
class Controls:
    """Weights, gains and limits; the defaults are the shipped ones."""

    walk: WalkSettings = WalkSettings()
    running: RunningSettings = RunningSettings()
    running_tracker: TrackerSettings = RUNNING
    tracker: TrackerSettings = WALKING
    steps: StepSettings = StepSettings()
    effort: EffortSettings = EffortSettings(activation_weight=10.0, metabolic_weight=0.8)
    running_effort: EffortSettings = EffortSettings(activation_weight=0.3, metabolic_weight=0.2, reserve_weight=1.0)
    """A run asks for nearly all that muscles have; what is spared of it is lost at take-off (docs/notes/muscle-qp.md)."""
    displacement: np.ndarray | None = None
    """Points (6, 3) of a foot displacement map in place of the gait's stored one."""

    def groups(self) -> dict[str, Any]:
        """The groups that a shot may set, by name."""
        return {name: getattr(self, name) for name in ("walk", "running", "running_tracker", "tracker", "steps")}

    def points(self, shot: Shot, cycle: Cycle) -> np.ndarray | None:
        """Points of the map with which a shot of that motion is simulated; None for none."""
        return map_points(shot, cycle) if self.displacement is None else self.displacement


def shot_controls(shot: Shot) -> Controls:
    """The shipped controls, with the gains of the shot where it brings some; groups of other controllers are theirs. Raises
    InputError for unknown settings."""
    return replace(Controls(), **own_groups(Controls().groups(), shot.gains, FORMER_GROUPS))


def changed(controls: Controls, values: Values) -> Controls:
    """Controls with fields of their groups replaced: {"walk": {"clearance_m": 0.013}}. Raises InputError for unknown ones,
    and for values out of their range."""
    return replace(controls, **changed_groups(controls.groups(), values, FORMER_GROUPS))


def shot_planner(
    shot: Shot, state: BodyState, cycle: Cycle, tables: GaitTables, gait: GaitVariables, controls: Controls, interval_s: float
) -> Planner:
    """The planner of a shot, its motion brought to the body of `state` as `cycle` and `tables`. It will be asked every
    `interval_s` [s]. Raises LopeError for a shot that cannot be planned."""
    style = shown_style(shot, state.body, has_flight(cycle))
    lower_m = 0.0 if has_flight(cycle) else compensation_of(shot, state.body).crouch_m
    walk = replace(controls.walk, interval_s=interval_s, foot_lift_m=style.foot_lift_m, height_amplitude=style.bounce,
                   crouch_m=style.crouch_m + lower_m, heel_strike=style.heel_strike, upright=upright(shot, tables, state))
    ends = standing_ends(shot)
    if ends is not None and has_flight(cycle):
        ends = replace(ends, walk_tables=_walk_tables(shot, state, controls))
    people, after = shot.motion.law in OF_PEOPLE, shot.motion.after
    variation = Variation(style.variation if people else 0.0, shot.seed, 0.0 if after is None else after.time_s)
    return make_planner(state, tables, gait, shot.world.gravity_m_s2, shot_way(shot, gait, cycle, state.body),
                        GaitControls(walk, controls.steps, shot.motion.scaling, variation, people, controls.running), ends)


def upright(shot: Shot, tables: GaitTables, state: BodyState) -> float:
    """How far a shot walks on knees as straight as people's on level ground, from 0 to 1. A clip keeps its own rise and fall, and
    one whose speed is keyed the captured one: from 0.8 to 1.6 m/s within 4 s two of four fell."""
    motion, others = shot.motion, shot.motion.file or shot.motion.keys or shot.actuation
    if motion.law not in OF_PEOPLE or others or not state.ground.level or has_flight(tables.cycle):
        return 0.0
    return upright_share(tables, shown_style(shot, state.body, False).crouch_m + compensation_of(shot, state.body).crouch_m)


def _walk_tables(shot: Shot, state: BodyState, controls: Controls) -> GaitTables:
    """Tables of the walk by which a gait with flight starts from standing and stops to it."""
    walk = shot.with_motion(name="walk", file=None, tuned=False, speed_m_s=None, stride_frequency_hz=None, force=True,
                            style=replace(shot.motion.style, flight_height=1.0))
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

# SPDX-License-Identifier: GPL-3.0-or-later
"""What a shot asks for, told before anything is simulated: its motion, gait variables, path, ends and foot map."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import cast

import numpy as np

from ...bodies.body import Body
from ...gaits.bends import Way, bent_way, slowest_flying_m_s
from ...gaits.choice import is_suited
from ...gaits.froude import GaitVariables, predict
from ...gaits.people import carried_style, flight_height, goes_as_tuned, predict_walk
from ...gaits.ranges import check_feasible, held_speed
from ...gaits.running_variables import RunningVariables, borne_speed
from ...gaits.shot_path import shot_path
from ...gaits.slopes import ground_wishes
from ...gaits.tuned_maps import shot_points
from ...gaits.turning import turns_too_tightly
from ...motions.compensating import compensating
from ...motions.counter_turn import counter_turned
from ...motions.cycle import Cycle
from ...motions.lean import bent, load_lean_rad, yielded
from ...motions.library import cycle_from_file, load_gait
from ...motions.limping import spared_share, sparing
from ...motions.retiming import with_duty_factor
from ...motions.style import styled
from ...specs.footprints import check_for_flight
from ...specs.shot import PEOPLE, Shot
from ...specs.style import Style
from .compensation import compensation_of
from .planners.end_settings import StandingShot
from .planners.end_times import ends_steps
from .planners.factory import feet_down, has_flight, running_variables


def shot_cycle(shot: Shot) -> Cycle:
    """The motion a shot asks for: a clip's, or a named gait's."""
    cycle = cycle_from_file(shot.motion) if shot.motion else load_gait(shot.gait)
    return cycle if cycle.sided else cycle.symmetrised()


def body_cycle(shot: Shot, body: Body) -> Cycle:
    """The shot's motion on its body: its double support as long as the gait law says, weak hips and sore legs spared, trunk and
    arms as the suit lets them, hips against shoulders in flights by people's law, then as the style bends it. Raises InputError
    for a style and for locked footprints that the gait cannot take."""
    cycle = shot_cycle(shot)
    if has_flight(cycle):
        shot.style.check_for_flight()
        check_for_flight(shot.footprints)
    else:
        shot.style.check_for_walk()
    if shot.gait_law != PEOPLE:
        shot.style.check_for_similar()
    if shot.gait_law == PEOPLE and not has_flight(cycle):
        duty_factor = gait_variables(shot, cycle, body).duty_factor
        cycle = cycle if duty_factor is None else with_duty_factor(cycle, duty_factor)
    if not has_flight(cycle):
        cycle = sparing(cycle, spared_share(shot.condition))
        found = compensation_of(shot, body)
        cycle = compensating(cycle, body, found.drop_rad, found.lean_rad)
    cycle = yielded(cycle, body)
    if shot.gait_law == PEOPLE and has_flight(cycle) and shot.motion is None:
        cycle = counter_turned(cycle, body, shot.style.counter_turn)
    lean = load_lean_rad(cycle, body)
    return styled(bent(cycle, body, lean) if lean else cycle, body, shown_style(shot, body, has_flight(cycle), lean))


def shown_style(shot: Shot, body: Body, flies: bool, load_lean_rad: float = 0.0) -> Style:
    """The style that a shot shows: its own sliders, which count from the planet's carriage on where people's law is asked for.
    Who leans under a load already leans for the planet only as far as that is more."""
    if shot.gait_law != PEOPLE:
        return shot.style
    return carried_style(shot.style, shot.world.gravity_m_s2, body.leg_length_m, flies, math.degrees(load_lean_rad))


def map_points(shot: Shot, cycle: Cycle) -> np.ndarray | None:
    """Points (6, 3) of the stored foot displacement map for a shot of a motion; None for none.

    Maps are tuned on level ground under one gravity, already moving. Walks stand with them elsewhere too; gaits with flight
    do not, and go without. People's gait takes a similar gait's map where it is near that.
    """
    as_similar = shot.gait_law != PEOPLE or goes_as_tuned(shot.world.gravity_m_s2, has_flight(cycle))
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
    level, held = law(cycle, leg, gravity, shot.speed_m_s, shot.stride_frequency_hz), None
    if shot.motion is None and not shot.force:
        if shot.speed_m_s is not None:
            check_feasible(shot.gait, shot.speed_m_s, gravity, leg)
        elif (speed := held_speed(shot.gait, _own_speed(shot, cycle, law, level), gravity, leg)) != level.speed_m_s:
            held, level = speed, law(cycle, leg, gravity, speed, shot.stride_frequency_hz)
    pace = 1.0 if shot.speed_m_s is not None or has_flight(cycle) else compensation_of(shot, body).pace
    if pace != 1.0:
        held = pace * level.speed_m_s
        level = law(cycle, leg, gravity, held, shot.stride_frequency_hz)
    wished, frequency = ground_wishes(level, shot.world.ground, shot.path, shot.speed_m_s, shot.stride_frequency_hz)
    return law(cycle, leg, gravity, held if wished is None else wished, frequency)


def _own_speed(shot: Shot, cycle: Cycle, law: Callable[..., GaitVariables], own: GaitVariables) -> float:
    """Speed [m/s] of a gait that nobody asked for another: by people's law, of one with flight, as the legs bear it."""
    if shot.gait_law != PEOPLE or shot.stride_frequency_hz is not None or not isinstance(own, RunningVariables):
        return own.speed_m_s
    gravity = shot.world.gravity_m_s2
    running = cast(Callable[[float], RunningVariables], partial(law, cycle, own.leg_length_m, gravity))
    return borne_speed(running, own, gravity, feet_down(cycle))


def gait_law(shot: Shot, cycle: Cycle, body: Body) -> Callable[..., GaitVariables]:
    """From a cycle, a leg's length, a gravity, and a speed and a frequency where they are asked for, to gait variables: dynamic
    similarity (Kim 2017, eq. 1-5; `gaits.running_variables`), or what was measured on people (`gaits.people`)."""
    style, people = shot.style, shot.gait_law == PEOPLE
    if has_flight(cycle):
        height = style.flight_height * (flight_height(shot.world.gravity_m_s2) if people else 1.0)
        return partial(running_variables, flight_height=height)
    if not people:
        return predict

    def walk(cycle: Cycle, leg_length_m: float, gravity_m_s2: float, *wishes: float | None) -> GaitVariables:
        return predict_walk(cycle, cycle.reference_duty_factor, leg_length_m, gravity_m_s2, *wishes,
                            cadence_exponent=style.cadence_exponent, suited=is_suited(body))

    return walk


def standing_ends(shot: Shot) -> StandingShot | None:
    """Which ends of a shot stand; None where neither does. By people's law who stands sets off at once."""
    start, stop = shot.start == "standing", shot.stop == "standing"
    return StandingShot(shot.duration_s, start, stop, shot.gait_law == PEOPLE) if start or stop else None


def shot_way(shot: Shot, gait: GaitVariables, cycle: Cycle, body: Body) -> Way:
    """The path of a shot as its gait goes it: where it turns too tightly for that, in its bends slower and with shorter steps,
    and with its tightest corners rounded; where a walk that stops is too short for its steps, with shorter ones; as it is where
    the shot forces it. Raises InputError for a path that there is not."""
    path, most_step_m = shot_path(shot, gait.leg_length_m), math.inf
    if shot.stop == "standing" and not isinstance(gait, RunningVariables):
        most_step_m = path.length / ends_steps(shot.start == "standing", gait, shot.world.gravity_m_s2)
    if shot.force or not (turns_too_tightly(path, gait, shot.world.gravity_m_s2) or most_step_m < 0.5 * gait.stride_length_m):
        return Way(path)

    def gait_at(speed_m_s: float, frequency_hz: float | None, gravity_m_s2: float) -> GaitVariables:
        asked = shot.stride_frequency_hz if frequency_hz is None else frequency_hz
        there = replace(shot, speed_m_s=speed_m_s, stride_frequency_hz=asked, force=True,
                        world=replace(shot.world, gravity_m_s2=gravity_m_s2))
        return gait_variables(there, cycle, body)

    return bent_way(path, gait.leg_length_m, gait_at, most_step_m, slowest_m_s(shot, gait), shot.world.gravity_m_s2)


def slowest_m_s(shot: Shot, gait: GaitVariables) -> float:
    """Least speed [m/s] that a shot's gait is slowed down to in bends: a walk to any."""
    if not isinstance(gait, RunningVariables):
        return 0.0
    least = slowest_flying_m_s(None if shot.motion else shot.gait, shot.world.gravity_m_s2, gait.leg_length_m)
    return min(least, gait.speed_m_s)

# SPDX-License-Identifier: GPL-3.0-or-later
"""What a shot asks for, told before anything is simulated: its motion, gait variables, path, ends and foot map."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from ...bodies.body import Body
from ...gaits.choice import is_suited
from ...gaits.froude import GaitVariables, predict
from ...gaits.people import carried_style, flight_height, goes_as_tuned, predict_walk
from ...gaits.ranges import check_feasible, held_speed
from ...gaits.shot_path import shot_path
from ...gaits.slopes import ground_wishes
from ...gaits.tuned_maps import shot_points
from ...gaits.turning import check_turns
from ...motions.cycle import Cycle
from ...motions.lean import leaned, yielded
from ...motions.library import cycle_from_file, load_gait
from ...motions.retiming import with_duty_factor
from ...motions.style import styled
from ...specs.footprints import check_for_flight
from ...specs.shot import PEOPLE, Shot
from ...specs.style import Style
from ...worlds.paths import Path
from .planners.factory import has_flight, running_variables
from .planners.standing_ends import StandingShot


def shot_cycle(shot: Shot) -> Cycle:
    """The motion a shot asks for: a clip's, or a named gait's."""
    cycle = cycle_from_file(shot.motion) if shot.motion else load_gait(shot.gait)
    return cycle if cycle.sided else cycle.symmetrised()


def body_cycle(shot: Shot, body: Body) -> Cycle:
    """The shot's motion on its body: its double support as long as the gait law says, trunk and arms as the suit lets them, then
    as the style bends it. Raises InputError for a style and for locked footprints that the gait cannot take."""
    cycle = shot_cycle(shot)
    if has_flight(cycle):
        shot.style.check_for_flight()
        check_for_flight(shot.footprints)
    else:
        shot.style.check_for_walk()
    if shot.gait_law != PEOPLE:
        shot.style.check_for_similar()
    if shot.gait_law == PEOPLE and not has_flight(cycle):
        cycle = with_duty_factor(cycle, gait_variables(shot, cycle, body).duty_factor)
    return styled(leaned(yielded(cycle, body), body), body, shown_style(shot, body, has_flight(cycle)))


def shown_style(shot: Shot, body: Body, flies: bool) -> Style:
    """The style that a shot shows: its own sliders, which count from the planet's carriage on where people's law is asked for."""
    if shot.gait_law != PEOPLE:
        return shot.style
    return carried_style(shot.style, shot.world.gravity_m_s2, body.leg_length_m, flies)


def map_points(shot: Shot, cycle: Cycle) -> np.ndarray | None:
    """Points (6, 3) of the stored foot displacement map for a shot of a motion; None for none.

    Maps are tuned on level ground under one gravity, already moving. Walks stand with them elsewhere too; gaits with flight
    do not, and go without. All are tuned for similar gaits: people's takes them where it is near that.
    """
    if shot.gait_law == PEOPLE and not goes_as_tuned(shot.world.gravity_m_s2, has_flight(cycle)):
        return None
    as_tuned = shot.world.ground.kind == "plane" and not shot.world.gravity_ramp and standing_ends(shot) is None
    return shot_points(shot) if as_tuned or not has_flight(cycle) else None


def gait_variables(shot: Shot, cycle: Cycle, body: Body) -> GaitVariables:
    """Speed and stride frequency under the shot's gravity, by its gait law, as overridden by the shot.

    Unless the shot forces it, a gait whose own speed was found to fall gets one at which it stands. Raises InputError for an
    asked speed outside the gait's feasible range, unless the shot forces it.
    """
    gravity, leg = shot.world.gravity_m_s2, body.leg_length_m
    law = gait_law(shot, cycle, body)
    level, held = law(cycle, leg, gravity, shot.speed_m_s, shot.stride_frequency_hz), None
    if shot.motion is None and not shot.force:
        if shot.speed_m_s is not None:
            check_feasible(shot.gait, shot.speed_m_s, gravity, leg)
        elif (speed := held_speed(shot.gait, level.speed_m_s, gravity, leg)) != level.speed_m_s:
            held, level = speed, law(cycle, leg, gravity, speed, shot.stride_frequency_hz)
    wished, frequency = ground_wishes(level, shot.world.ground, shot.path, shot.speed_m_s, shot.stride_frequency_hz)
    return law(cycle, leg, gravity, held if wished is None else wished, frequency)


def gait_law(shot: Shot, cycle: Cycle, body: Body) -> Callable[..., GaitVariables]:
    """From a cycle, a leg's length, a gravity, and a speed and a frequency where they are asked for, to gait variables: dynamic
    similarity (Kim 2017, eq. 1-5; `gaits.running_variables`), or what was measured on people (`gaits.people`)."""
    style, people = shot.style, shot.gait_law == PEOPLE
    if has_flight(cycle):
        height = style.flight_height * (flight_height(shot.world.gravity_m_s2) if people else 1.0)
        return partial(running_variables, flight_height=height)
    if not people:
        return predict

    def walk(cycle: Cycle, *wishes: float | None) -> GaitVariables:
        return predict_walk(cycle, cycle.reference_duty_factor, *wishes, cadence_exponent=style.cadence_exponent,
                            suited=is_suited(body))

    return walk


def standing_ends(shot: Shot) -> StandingShot | None:
    """Which ends of a shot stand; None where neither does."""
    start, stop = shot.start == "standing", shot.stop == "standing"
    return StandingShot(shot.duration_s, start, stop) if start or stop else None


def walkable_path(shot: Shot, gait: GaitVariables) -> Path:
    """The path of a shot. Raises InputError where it turns more tightly than the gait can, unless the shot forces it."""
    path = shot_path(shot, gait.leg_length_m)
    if not shot.force:
        check_turns(path, gait, shot.world.gravity_m_s2)
    return path

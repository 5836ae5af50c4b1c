# SPDX-License-Identifier: GPL-3.0-or-later
"""What a shot asks for, told before anything is simulated: its motion, gait variables, path, ends and foot map."""

from __future__ import annotations

import numpy as np

from ...bodies.body import Body
from ...gaits.froude import GaitVariables, predict
from ...gaits.ranges import check_feasible, held_speed
from ...gaits.shot_path import shot_path
from ...gaits.slopes import ground_wishes
from ...gaits.tuned_maps import shot_points
from ...gaits.turning import check_turns
from ...motions.cycle import Cycle
from ...motions.lean import leaned, yielded
from ...motions.library import cycle_from_file, load_gait
from ...motions.style import styled
from ...specs.footprints import check_for_flight
from ...specs.shot import Shot
from ...worlds.paths import Path
from .planners.factory import has_flight, running_variables
from .planners.standing_ends import StandingShot


def shot_cycle(shot: Shot) -> Cycle:
    """The motion a shot asks for: a clip's, or a named gait's."""
    cycle = cycle_from_file(shot.motion) if shot.motion else load_gait(shot.gait)
    return cycle if cycle.sided else cycle.symmetrised()


def body_cycle(shot: Shot, body: Body) -> Cycle:
    """The shot's motion on its body: trunk and arms as the suit lets them, then as the style bends it. Raises InputError for
    a style and for locked footprints that the gait cannot take."""
    cycle = shot_cycle(shot)
    if has_flight(cycle):
        shot.style.check_for_flight()
        check_for_flight(shot.footprints)
    return styled(leaned(yielded(cycle, body), body), body, shot.style)


def map_points(shot: Shot, cycle: Cycle) -> np.ndarray | None:
    """Points (6, 3) of the stored foot displacement map for a shot of a motion; None for none.

    Maps are tuned on level ground under one gravity, already moving. Walks stand with them elsewhere too; gaits with flight
    do not, and go without.
    """
    as_tuned = shot.world.ground.kind == "plane" and not shot.world.gravity_ramp and standing_ends(shot) is None
    return shot_points(shot) if as_tuned or not has_flight(cycle) else None


def gait_variables(shot: Shot, cycle: Cycle, body: Body) -> GaitVariables:
    """Speed and stride frequency under the shot's gravity (Kim 2017, eq. 1-5), as overridden by the shot.

    Unless the shot forces it, a gait whose own speed was found to fall gets one at which it stands. Raises InputError for an
    asked speed outside the gait's feasible range, unless the shot forces it.
    """
    gravity, leg = shot.world.gravity_m_s2, body.leg_length_m
    law = running_variables if has_flight(cycle) else predict
    level, held = law(cycle, leg, gravity, shot.speed_m_s, shot.stride_frequency_hz), None
    if shot.motion is None and not shot.force:
        if shot.speed_m_s is not None:
            check_feasible(shot.gait, shot.speed_m_s, gravity, leg)
        elif (speed := held_speed(shot.gait, level.speed_m_s, gravity, leg)) != level.speed_m_s:
            held, level = speed, law(cycle, leg, gravity, speed, shot.stride_frequency_hz)
    wished, frequency = ground_wishes(level, shot.world.ground, shot.path, shot.speed_m_s, shot.stride_frequency_hz)
    return law(cycle, leg, gravity, held if wished is None else wished, frequency)


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

# SPDX-License-Identifier: GPL-3.0-or-later
"""The gait of a walk whose speed is keyed, at any time of the shot, told before anything is simulated."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from ...bodies.body import Body
from ...gaits.froude import GaitVariables
from ...gaits.ranges import feasible_range
from ...motions.cycle import Cycle
from ...specs.keys import Key, keyed_speed
from ...specs.shot import Shot
from .shot_gait import gait_variables
from .speed_ramp import SpeedRamp

STEP_S = 0.1
"""Time between the speeds that are worked out."""
PLACES = 2
"""Digits to which speeds are told apart."""


def feasible_key(shot: Shot, speed_m_s: float, gravity_m_s2: float, leg_length_m: float) -> float:
    """A keyed speed [m/s] as far as the shot's gait can go at it."""
    if shot.force or shot.motion is not None:
        return speed_m_s
    known = feasible_range(shot.gait, gravity_m_s2, leg_length_m)
    return speed_m_s if known is None else min(max(speed_m_s, known[0]), known[1])


def keyed_gait(
    shot: Shot, keys: Sequence[Key], cycle: Cycle, body: Body, gait: GaitVariables
) -> Callable[[float], GaitVariables] | None:
    """From a time [s] to the gait of a shot's walk that begins with `gait` and comes to the speeds of `keys` as the simulation's
    does; None where no speed is keyed."""
    if not any(key.speed_m_s is not None for key in keys):
        return None
    gravity, ramp = shot.world.gravity_m_s2, SpeedRamp(gait.speed_m_s, gait.speed_m_s)
    times = np.arange(0.0, shot.duration_s + STEP_S, STEP_S)
    speeds = []
    for time_s in times.tolist():
        wish = keyed_speed(keys, time_s, 0.0, gait.speed_m_s)
        ramp.wish_m_s = feasible_key(shot, gait.speed_m_s if wish is None else wish, gravity, body.leg_length_m)
        ramp.follow(STEP_S if time_s else 0.0, gravity)
        speeds.append(ramp.speed_m_s)

    @lru_cache(maxsize=256)
    def at_speed(speed_m_s: float) -> GaitVariables:
        return gait_variables(replace(shot, speed_m_s=speed_m_s, force=True), cycle, body)

    return lambda time_s: at_speed(round(float(np.interp(time_s, times, speeds)), PLACES))

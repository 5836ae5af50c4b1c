# SPDX-License-Identifier: GPL-3.0-or-later
"""How long a shot must be in which gaits change and which stops standing, told before anything is simulated."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from ...bodies.body import Body
from ...errors import TooShort
from ...gaits.froude import GaitVariables, froude_speed
from ...gaits.running_variables import RunningVariables
from ...specs.shot import DURATION_RANGE_S, Shot
from ..parts import Part
from .changes import SETTINGS
from .gains import shot_controls
from .path_end import run_ends_s
from .planners.end_settings import EndSettings
from .planners.end_times import shortest_s
from .planners.running.standing_ends import SLOW_TOUCH_DOWNS
from .shot_gait import body_cycle, gait_variables, standing_ends
from .speed_ramp import ACCELERATION_G

STEPS = 2.0
"""Steps of a stride in which gaits change."""
WAITED_STEPS = 1.5
"""Steps until the foot on which a walk becomes a gait with flight has its turn, at the speed for it."""
TAKEN_STEPS = 0.5
"""Share of its first step that a walk is in already when it takes over."""


def check_times(parts: Sequence[Part], body: Body) -> None:
    """Raises TooShort for a shot whose gait changes and that is too short to stop standing after that."""
    last = parts[-1].shot
    if len(parts) == 1 or last.stop != "standing":
        return
    least_s = keyed_least_s(parts, body)
    if last.duration_s < least_s:
        raise TooShort(f"With these keys a shot that stops standing needs at least {least_s:.1f} s under this gravity, got "
                       f"{last.duration_s:g} s: lengthen it, set its keys earlier, or let it end moving.", least_s)


def keyed_least_s(parts: Sequence[Part], body: Body) -> float:
    """Shortest time [s] in which the parts of a shot can follow one another, each from its key or when the gait before has come
    to where people change, and what stands at its ends can be done."""
    gaits = [gait_variables(part.shot, body_cycle(part.shot, body), body) for part in parts]
    time_s, taken_m_s, since_s = ends_s(parts[0].shot, body, gaits[0]), gaits[0].speed_m_s, 0.0
    for part, gait, coming, following in zip(parts, gaits, parts[1:], gaits[1:], strict=False):
        from_s = max(time_s, coming.from_s)
        flies = isinstance(following, RunningVariables)
        taken_m_s = _speed_after(part.shot, gait, taken_m_s, from_s - since_s)
        lasts_s, taken_m_s = _change(part.shot, gait, taken_m_s, flies)
        time_s = since_s = from_s + lasts_s
    begun_s = 0.0 if isinstance(gaits[-1], RunningVariables) else TAKEN_STEPS / (STEPS * gaits[-1].stride_frequency_hz)
    return time_s - begun_s + ends_s(parts[-1].shot, body, gaits[-1])


def ends_s(shot: Shot, body: Body, gait: GaitVariables) -> float:
    """Shortest time [s] for the ends of a shot of one gait that stand; 0 where none does."""
    ends, gravity = standing_ends(shot), shot.world.gravity_m_s2
    if ends is None:
        return 0.0
    if not isinstance(gait, RunningVariables):
        return shortest_s(ends, gait, gravity, EndSettings())
    long = replace(shot, duration_s=DURATION_RANGE_S[1])
    return run_ends_s(long, body, body_cycle(long, body), gait, shot_controls(long))


def _room_m_s(shot: Shot, gait: GaitVariables) -> float:
    """Most that one running step changes the speed by [m/s]."""
    return shot_controls(shot).running.speed_change * math.sqrt(shot.world.gravity_m_s2 * gait.leg_length_m)


def _speed_after(shot: Shot, gait: GaitVariables, taken_m_s: float, time_s: float) -> float:
    """Speed [m/s] that a gait has come to, some time after it took over at another."""
    rate = ACCELERATION_G * shot.world.gravity_m_s2
    if isinstance(gait, RunningVariables):
        rate = _room_m_s(shot, gait) * STEPS * gait.stride_frequency_hz
    most = rate * max(time_s, 0.0)
    return taken_m_s + min(max(gait.speed_m_s - taken_m_s, -most), most)


def _change(shot: Shot, gait: GaitVariables, goes_m_s: float, flies: bool) -> tuple[float, float]:
    """Time [s] from the wish for a gait with or without flight to the change, and the speed [m/s] then (see `changes`)."""
    gravity, leg, step_s = shot.world.gravity_m_s2, gait.leg_length_m, 1.0 / (STEPS * gait.stride_frequency_hz)
    if isinstance(gait, RunningVariables):
        walked_m_s = froude_speed(SETTINGS.walk_froude, gravity, leg)
        if flies or goes_m_s < SETTINGS.touch_down_speed * walked_m_s:
            return 0.0, goes_m_s
        count = math.ceil((goes_m_s - walked_m_s) / _room_m_s(shot, gait)) + SLOW_TOUCH_DOWNS
        return count * step_s, walked_m_s
    if not flies:
        return step_s, goes_m_s
    leaves_m_s = max(froude_speed(SETTINGS.start_froude, gravity, leg), goes_m_s)
    return (leaves_m_s - goes_m_s) / (ACCELERATION_G * gravity) + WAITED_STEPS * step_s, leaves_m_s

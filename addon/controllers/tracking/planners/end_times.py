# SPDX-License-Identifier: GPL-3.0-or-later
"""How long a walk takes whose ends stand, and how long its way must be."""

from __future__ import annotations

import math

from ....errors import TooShort
from ....gaits.froude import GaitVariables
from ....specs.shot import EARTH_GRAVITY_M_S2
from .end_settings import EndSettings, StandingShot
from .last_steps import last_steps


def shortest_s(shot: StandingShot, gait: GaitVariables, gravity_m_s2: float, settings: EndSettings) -> float:
    """Shortest time [s] in which what stands at the ends of a walk can be done, and a step between."""
    step_s = 0.5 / gait.stride_frequency_hz
    return shot.start * _starting_s(shot, step_s, gravity_m_s2, settings) \
        + shot.stop * (stopping_s(gait, gravity_m_s2, settings) - 0.5 * step_s) + step_s


def stopping_s(gait: GaitVariables, gravity_m_s2: float, settings: EndSettings) -> float:
    """Time [s] from a full step to the end of a shot that stops standing."""
    steps = max(len(settings.last), len(last_steps(gait, gravity_m_s2, settings)))
    return (steps + 1.0) * 0.5 / gait.stride_frequency_hz + settings.still_s * _scale(gravity_m_s2)


def _starting_s(shot: StandingShot, step_s: float, gravity_m_s2: float, settings: EndSettings) -> float:
    """Time [s] from standing to a full step."""
    return lift_s(shot, gravity_m_s2, settings) + len(settings.first) * step_s


def shift_at_s(shot: StandingShot, gravity_m_s2: float, settings: EndSettings) -> float:
    """When the weight of who stands at the start begins to shift [s]."""
    return 0.0 if shot.as_people else settings.quiet_s * _scale(gravity_m_s2)


def lift_s(shot: StandingShot, gravity_m_s2: float, settings: EndSettings) -> float:
    """When the first foot lifts [s]."""
    return shift_at_s(shot, gravity_m_s2, settings) + settings.shift_s * _scale(gravity_m_s2)


def check_duration(shot: StandingShot, least_s: float) -> None:
    """Raises TooShort for a shot too short for its standing ends."""
    if shot.duration_s < least_s:
        ends = " and ".join(name for name, asked in (("starts", shot.start), ("stops", shot.stop)) if asked)
        raise TooShort(f"A shot that {ends} standing needs at least {least_s:.1f} s under this gravity, got "
                       f"{shot.duration_s:g} s: lengthen it, or let it begin and end moving.", least_s)


def walked_s(shot: StandingShot, gait: GaitVariables, gravity_m_s2: float, way_s: float) -> float:
    """Time [s] for a walk whose way takes so long at the gait's speed, and whose ends stand: its first and last steps are short
    ones, and there may be one more of them."""
    s, step_s = EndSettings(), 0.5 / gait.stride_frequency_hz
    gone = shot.start * sum(s.first) + shot.stop * s.shortest * sum(last_steps(gait, gravity_m_s2, s))
    return shot.start * _starting_s(shot, step_s, gravity_m_s2, s) + shot.stop * stopping_s(gait, gravity_m_s2, s) \
        + max(way_s - gone * step_s, 0.0) + 2.0 * step_s


def ends_steps(starts: bool, gait: GaitVariables, gravity_m_s2: float) -> float:
    """Length of the shortest way to a stop, over the gait's step, from standing or a quarter into a step."""
    s = EndSettings()
    return (sum(s.first) if starts else 1.0) + max(s.longest * sum(s.last), sum(last_steps(gait, gravity_m_s2, s)))


def _scale(gravity_m_s2: float) -> float:
    """How long anything lasts over Earth's."""
    return math.sqrt(EARTH_GRAVITY_M_S2 / gravity_m_s2)

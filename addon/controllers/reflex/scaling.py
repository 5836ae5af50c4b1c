# SPDX-License-Identifier: GPL-3.0-or-later
"""The reflexes of a walker for another gravity: where a search there begins.

Similar motion has forces that go with g and times with 1 / sqrt(g), while muscles stay as strong as they were. So what excites
them in proportion to an angle or a length goes with g, in proportion to a rate with sqrt(g), and what answers to a share of
their own force stays. The law itself scales what it holds by springs, and the speed at the start.
"""

from __future__ import annotations

from collections.abc import Mapping

from ...specs.shot import EARTH_GRAVITY_M_S2
from .parameters import PARAMETERS

WITH_GRAVITY = ("stance_", "swing_", "length_", "knee_VAS", "trunk_", "off_", "on_", "lean_swing", "land_GLU", "land_HFL",
                "land_VAS", "begin_SOL_", "begin_GAS_", "begin_HFL_", "begin_VAS_", "begin_GLU_", "begin_HAM_", "begin_TA_")
"""Beginnings of the names of what goes with gravity: excitations, and gains of angles and lengths."""
WITH_ROOT = ("trunk_rate_", "land_rate_", "begin_hip_rate", "begin_knee_rate")
"""With its square root: gains of rates, and rates."""
AGAINST_ROOT = ("roll_rate", "yaw_rate", "out_damping", "out_speed", "ankle_speed")
"""With one over its square root: dampings, which the law scales with g, and gains of speeds."""


def scaled(parameters: Mapping[str, float], gravity_m_s2: float, own_m_s2: float = EARTH_GRAVITY_M_S2) -> dict[str, float]:
    """The parameters of a walker of the gravity `own_m_s2` for another one, within their ranges."""
    ratio = gravity_m_s2 / own_m_s2
    out = {}
    for name, one in PARAMETERS.items():
        value = parameters.get(name, one.start) * ratio ** _power(name)
        out[name] = min(max(value, one.low), one.high)
    return out


def _power(name: str) -> float:
    """The power of gravity that a parameter goes with."""
    if name.startswith(WITH_ROOT):
        return 0.5
    if name.startswith(AGAINST_ROOT):
        return -0.5
    return 1.0 if name.startswith(WITH_GRAVITY) else 0.0

# SPDX-License-Identifier: GPL-3.0-or-later
"""The reflexes of a walker for another gravity or longer legs: what a search there begins with, and what other bodies go by.

Similar motion has forces that go with g and times with sqrt(l / g). Muscles keep their strength over the mass, and their arms go
with the leg. So what excites them in proportion to an angle or a length goes with g, in proportion to a rate with g times the
time, and what answers to a share of their own force stays. The law itself scales what it holds by springs, and the speed at the
start.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from ...specs.shot import EARTH_GRAVITY_M_S2
from .law import STANDARD_LEG_M
from .parameters import PARAMETERS

POWERS: tuple[tuple[tuple[str, ...], float, float], ...] = (
    (("trunk_rate_", "land_rate_"), 0.5, 0.5),
    (("begin_hip_rate", "begin_knee_rate"), 0.5, -0.5),
    (("roll_rate", "yaw_rate", "out_damping"), -0.5, 0.5),
    (("out_speed", "ankle_speed"), -0.5, -0.5),
    (("out_distance", "ankle_distance"), 0.0, -1.0),
    (("stance_", "swing_", "length_", "knee_VAS", "trunk_", "off_", "on_", "lean_swing", "land_GLU", "land_HFL", "land_VAS",
      "begin_SOL_", "begin_GAS_", "begin_HFL_", "begin_VAS_", "begin_GLU_", "begin_HAM_", "begin_TA_"), 1.0, 0.0),
)
"""Beginnings of names, and the powers of gravity and of the leg's length that go with them: gains of rates; rates; dampings
beside springs that the law scales; gains of speeds and of distances; excitations, and their gains of angles and lengths. The
first that fits counts."""
ALIKE = 1e-3
"""Sizes that differ by less are one and the same."""


def scaled(parameters: Mapping[str, float], gravity_m_s2: float, own_m_s2: float = EARTH_GRAVITY_M_S2,
           leg_m: float = STANDARD_LEG_M, own_leg_m: float = STANDARD_LEG_M) -> dict[str, float]:
    """The parameters of a walker of the gravity `own_m_s2` and the leg `own_leg_m` for another gravity and leg, within their
    ranges."""
    heavier, longer = (0.0 if abs(size) < ALIKE else size for size in (
        math.log(gravity_m_s2 / own_m_s2), math.log(leg_m / own_leg_m)))
    out = {}
    for name, one in PARAMETERS.items():
        of_gravity, of_length = next((powers for names, *powers in POWERS if name.startswith(names)), (0.0, 0.0))
        value = parameters.get(name, one.start) * math.exp(of_gravity * heavier + of_length * longer)
        out[name] = min(max(value, one.low), one.high)
    return out

# SPDX-License-Identifier: GPL-3.0-or-later
"""Lengths of the steps in time of a creature: as many of them to a step of any leg under any gravity."""

from __future__ import annotations

import math

from ...bodies.body import Body
from ...specs.shot import EARTH_GRAVITY_M_S2
from ..controller import Physics

PHYSICS_STEP_S, LEG_M = 0.002, 1.0
"""The physics step on Earth of a leg of this length, its segments in a line; it goes with sqrt(L / g)."""
TICK_STEPS = 2
"""Physics steps from one command to the next."""


def time_unit_s(leg_m: float, gravity_m_s2: float) -> float:
    """The time [s] in which things happen to a leg of that length [m]: sqrt(L / g)."""
    return math.sqrt(leg_m / gravity_m_s2)


def straight_leg_m(body: Body) -> float:
    """Sum of the lengths [m] of a leg's segments from the hip to the foot's joint: the unit of all lengths of the law."""
    return body.leg_length_m


def creature_physics(body: Body, gravity_m_s2: float) -> Physics:
    """The physics of a creature's shot: the ground is as much stiffer for small ones as they are quicker."""
    leg_m = straight_leg_m(body)
    step_s = PHYSICS_STEP_S * time_unit_s(leg_m, gravity_m_s2) / time_unit_s(LEG_M, EARTH_GRAVITY_M_S2)
    return Physics(step_s=step_s, quicker=math.sqrt(LEG_M / leg_m))

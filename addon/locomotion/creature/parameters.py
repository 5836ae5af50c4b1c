# SPDX-License-Identifier: GPL-3.0-or-later
"""The numbers of the law, without units: lengths over the leg's, times over sqrt(L / g), torques over m g L."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from ...bodies.body import Body
from ...errors import unknown_name
from ...specs.shot import EARTH_GRAVITY_M_S2
from ..controller import Physics


class Parameter(NamedTuple):
    start: float
    low: float
    high: float
    words: str


PARAMETERS: dict[str, Parameter] = {
    "swing_time": Parameter(1.3, 0.5, 3.0, "Time of a swing"),
    "double": Parameter(0.25, 0.0, 1.0, "Time for which both feet stay down, and the weight goes over"),
    "place_ahead": Parameter(0.0, -0.3, 0.3, "How far ahead the foot is placed beside what the speed asks for"),
    "place_gain": Parameter(1.0, 0.2, 1.5, "How far a speed that is off is mended by one step ahead or behind"),
    "width": Parameter(0.1, 0.0, 0.25, "Half the distance of the feet from side to side"),
    "side_gain": Parameter(0.97, 0.3, 1.5, "How far a speed sideways is mended by one step to the side"),
    "clearance": Parameter(0.1, 0.02, 0.4, "Height of the swinging foot"),
    "stance_length": Parameter(0.98, 0.6, 1.15, "Length of the standing leg, over what it is as drawn"),
    "trunk_pitch": Parameter(0.0, -0.5, 0.5, "How far the trunk leans ahead of how it is drawn, in radians"),
    "trunk_gain": Parameter(1.5, 0.3, 5.0, "Stiffness with which the standing hip holds the trunk"),
    "hip_gain": Parameter(0.9, 0.2, 3.0, "Stiffness with which the swinging hip follows"),
    "leg_gain": Parameter(0.5, 0.1, 2.0, "Stiffness of the joints between hip and foot"),
    "foot_gain": Parameter(0.15, 0.02, 0.6, "Stiffness of the foot's joint"),
    "damping": Parameter(0.33, 0.05, 1.0, "Damping of the joints over their stiffness"),
    "foot_landing": Parameter(0.1, -0.6, 0.6, "How far the toes are raised as the foot lands, in radians"),
    "pressure_speed": Parameter(0.1, 0.0, 0.5, "How far ahead the pressure goes where it is too fast"),
    "pressure": Parameter(0.03, -0.1, 0.2, "How far ahead of the foot's joint the pressure is"),
    "roll": Parameter(0.15, 0.0, 1.0, "How far the pressure goes ahead with the body, over how far that goes"),
    "push": Parameter(0.3, 0.0, 1.0, "Force with which the leg pushes off at a usual walk, over the weight"),
    "toe_off": Parameter(1.5, 0.0, 4.0, "How far the foot points down as the body goes ahead of its toes, in radians"),
    "speed_gain": Parameter(0.6, 0.0, 1.0, "How fast the push and the places are mended where the speed lacks, a step"),
    "neck_gain": Parameter(1.0, 0.3, 3.0, "Stiffness of neck, head, tail and arms"),
    "lift_shape": Parameter(0.8, 0.5, 2.0, "When the swinging foot is highest: below 1 earlier"),
    "soft": Parameter(0.15, 0.02, 0.8, "Time in which a landed leg takes up its length"),
}
"""By name. Starts: five bodies walk by them untuned; bounds: first guesses."""
ORDER = tuple(PARAMETERS)
START, LOW, HIGH = np.array([one[:3] for one in PARAMETERS.values()]).T


def vector_of(values: Mapping[str, float]) -> np.ndarray:
    """Values (K,) in `ORDER`: the start's where nothing is said. Raises InputError for an unknown name."""
    vector = START.copy()
    for name, value in values.items():
        if name not in PARAMETERS:
            raise unknown_name("number of the creature's law", name, ORDER)
        vector[ORDER.index(name)] = value
    return vector


def values_of(vector: np.ndarray) -> dict[str, float]:
    return dict(zip(ORDER, (float(value) for value in vector), strict=True))


PHYSICS_STEP_S, LEG_M = 0.002, 1.0
"""The physics step on Earth of a leg of this length, its segments in a line; it goes with sqrt(L / g)."""
TICK_STEPS = 2
"""Physics steps from one command to the next."""


def time_unit_s(leg_m: float, gravity_m_s2: float) -> float:
    """The time [s] in which things happen to a leg of that length [m]: sqrt(L / g)."""
    return math.sqrt(leg_m / gravity_m_s2)


def creature_physics(body: Body, gravity_m_s2: float) -> Physics:
    """The physics of a creature's shot: the ground is as much stiffer for small ones as they are quicker."""
    leg_m = body.leg_length_m
    step_s = PHYSICS_STEP_S * time_unit_s(leg_m, gravity_m_s2) / time_unit_s(LEG_M, EARTH_GRAVITY_M_S2)
    return Physics(step_s=step_s, quicker=math.sqrt(LEG_M / leg_m))

# SPDX-License-Identifier: GPL-3.0-or-later
"""The numbers of the law, without units: lengths over the leg's, times over sqrt(L / g), torques over m g L."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from ...errors import unknown_name


class Parameter(NamedTuple):
    """One number: where a search begins, its bounds, and what it does."""

    start: float
    low: float
    high: float
    words: str


PARAMETERS: dict[str, Parameter] = {
    "swing_time": Parameter(1.15, 0.5, 3.0, "Time of a swing"),
    "place_ahead": Parameter(0.0, -0.3, 0.3, "How far ahead the foot is placed beside what speed asks for"),
    "place_ahead_far": Parameter(0.5, 0.0, 1.0, "Share of the distance travelled over the stance foot in the next step's length"),
    "place_ahead_fast": Parameter(0.6, 0.0, 1.5, "How much farther ahead the foot is placed where it is too fast"),
    "place_side": Parameter(0.025, 0.0, 0.2, "How far to its side the foot is placed beside what balance asks for"),
    "place_side_far": Parameter(0.45, 0.0, 0.9, "Share of the distance aside of the stance foot in the next step's width"),
    "place_side_fast": Parameter(0.55, 0.0, 1.5, "How much farther aside the foot is placed with the speed sideways"),
    "clearance": Parameter(0.12, 0.02, 0.4, "Height of the swinging foot"),
    "stance_length": Parameter(0.93, 0.6, 1.0, "Length of the standing leg, over that of its segments in a line"),
    "trunk_pitch": Parameter(0.0, -0.5, 0.5, "How far the trunk leans ahead of how it is drawn, in radians"),
    "trunk_gain": Parameter(1.5, 0.3, 5.0, "Stiffness with which the standing hip holds the trunk"),
    "hip_gain": Parameter(0.9, 0.2, 3.0, "Stiffness with which the swinging hip follows"),
    "leg_gain": Parameter(0.5, 0.1, 2.0, "Stiffness of the joints between hip and foot"),
    "foot_gain": Parameter(0.15, 0.02, 0.6, "Stiffness of the foot's joint"),
    "damping": Parameter(0.33, 0.05, 1.0, "Damping of the joints over their stiffness"),
    "foot_landing": Parameter(0.1, -0.6, 0.6, "How far the toes are raised in the swing, in radians"),
    "pressure_speed": Parameter(0.1, 0.0, 0.5, "How far ahead the pressure goes where it is too fast"),
    "pressure": Parameter(0.03, -0.1, 0.2, "How far ahead of the ankle the pressure is"),
    "push": Parameter(0.0, -0.2, 0.5, "How far the leg lengthens as the body goes ahead of the foot"),
    "toe_off": Parameter(0.0, -0.5, 1.0, "How far the foot points down as the body goes ahead of it, in radians a leg's length"),
    "speed_gain": Parameter(0.3, 0.0, 1.0, "How fast the speed that is aimed at is mended, a step"),
    "neck_gain": Parameter(1.0, 0.3, 3.0, "Stiffness of neck, head, tail and arms"),
    "lift_shape": Parameter(1.0, 0.5, 2.0, "When the swinging foot is highest: below 1 earlier"),
    "soft": Parameter(0.06, 0.02, 0.8, "Time in which a landed leg takes up its length"),
}
"""By name. Starts: walked untuned on four of five bodies; bounds: first guesses."""
ORDER = tuple(PARAMETERS)
START = np.array([one.start for one in PARAMETERS.values()])
LOW = np.array([one.low for one in PARAMETERS.values()])
HIGH = np.array([one.high for one in PARAMETERS.values()])


def vector_of(values: Mapping[str, float]) -> np.ndarray:
    """Values (K,) in `ORDER`: the start's where nothing is said. Raises InputError for an unknown name."""
    vector = START.copy()
    for name, value in values.items():
        if name not in PARAMETERS:
            raise unknown_name("number of the creature's law", name, ORDER)
        vector[ORDER.index(name)] = value
    return vector


def values_of(vector: np.ndarray) -> dict[str, float]:
    """By name what `vector_of` made."""
    return dict(zip(ORDER, (float(value) for value in vector), strict=True))

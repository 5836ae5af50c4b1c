# SPDX-License-Identifier: GPL-3.0-or-later
"""The numbers of the reflex law: names, ranges, first steps of a search, and start values, Geyer and Herr's hand-tuned ones
(2010) as far as Wang's law has them; the rest are first guesses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from .units import NAMES


class Parameter(NamedTuple):
    start: float
    low: float
    high: float
    step: float
    words: str


def _gain(start: float, words: str, most: float = 8.0) -> Parameter:
    return Parameter(start, 0.0, most, max(0.15 * start, 0.05), words)


def _share(start: float, words: str) -> Parameter:
    return Parameter(start, 0.0, 1.0, max(0.15 * start, 0.01), words)


def _length(start: float, words: str) -> Parameter:
    return Parameter(start, 0.2, 1.6, 0.05, words)


def _angle(start: float, words: str, step: float = 0.04) -> Parameter:
    return Parameter(start, -1.2, 2.4, step, words)


def _free(start: float, step: float, words: str, most: float = 10.0) -> Parameter:
    return Parameter(start, -most, most, step, words)


STANCE = {"GLU": 0.05, "HFL": 0.05, "HAM": 0.05, "RF": 0.01, "VAS": 0.09, "GAS": 0.01, "SOL": 0.01, "TA": 0.01}
SWING = dict.fromkeys(NAMES, 0.01)
PARAMETERS: dict[str, Parameter] = {
    **{f"stance_{m}": _share(v, f"{m} in stance, always") for m, v in STANCE.items()},
    **{f"swing_{m}": _share(v, f"{m} in swing, always") for m, v in SWING.items()},
    "force_SOL": _gain(1.2, "SOL by its force, stance"),
    "force_GAS": _gain(1.1, "GAS by its force, stance"),
    "force_VAS": _gain(1.15, "VAS by its force, stance"),
    "force_HAM": _gain(0.65, "HAM by its force, swing"),
    "force_GLU": _gain(0.4, "GLU by its force, swing"),
    "length_TA": _gain(1.1, "TA by its length, always"),
    "offset_TA": _length(0.71, "beyond this length"),
    "SOL_TA": _gain(0.3, "SOL's force takes from TA, stance"),
    "knee_VAS": _gain(2.0, "VAS gives way to a knee that stretches beyond an angle [1/rad]"),
    "knee_off": _angle(0.175, "that angle: knee flexion [rad]"),
    **{f"trunk_{m}": _gain(k, f"{m} by the trunk's lean, stance [1/rad]") for m, k in
       {"HAM": 1.91, "GLU": 1.3, "HFL": 1.91}.items()},
    **{f"trunk_rate_{m}": _gain(k, f"{m} by the lean's rate, stance [s/rad]", 3.0) for m, k in
       {"HAM": 0.25, "GLU": 0.17, "HFL": 0.25}.items()},
    **{f"lean_{m}": _angle(0.105, f"the lean that {m} draws to, stance [rad]", 0.02) for m in ("HAM", "GLU", "HFL")},
    "off_VAS": _share(0.3, "taken from VAS as the swing is begun"),
    "on_RF": _share(0.01, "given to RF then"),
    "off_GLU": _share(0.25, "taken from GLU then"),
    "on_HFL": _share(0.25, "given to HFL then"),
    "begin_swing": _free(0.6, 0.05, "centre of mass ahead of the ankle, in legs, at which the swing is begun", 1.5),
    "begin_late": Parameter(0.0, 0.0, 5.0, 0.05, "only from this time on, before with the other foot down in front [s]"),
    "length_HFL": _gain(0.35, "HFL by its length, swing"),
    "offset_HFL": _length(0.6, "beyond this length"),
    "length_HAM_HFL": _gain(4.0, "HAM's length takes from HFL, swing"),
    "offset_HAM_HFL": _length(0.85, "beyond this length"),
    "lean_swing": _gain(1.15, "HFL by the lean at lift-off, swing [1/rad]"),
    "land_GLU": _gain(0.5, "GLU by the thigh's angle before landing [1/rad]"),
    "land_rate_GLU": _gain(0.1, "and its rate [s/rad]", 3.0),
    "land_HFL": _gain(0.5, "HFL by the thigh's angle before landing [1/rad]"),
    "land_rate_HFL": _gain(0.1, "and its rate [s/rad]", 3.0),
    "land_VAS": _gain(0.3, "VAS by the knee's angle before landing [1/rad]"),
    "land_rate_VAS": _gain(0.05, "and its rate [s/rad]", 3.0),
    "land_thigh": _angle(0.38, "thigh ahead at landing [rad]"),
    "land_knee": _angle(0.12, "knee flexion at landing [rad]"),
    "land_distance": _free(0.2, 0.05, "thigh further ahead by the centre of mass ahead of the other ankle [rad a leg]"),
    "land_speed": _free(0.2, 0.05, "and by the speed beyond the start's [rad over sqrt(g leg)]"),
    "prepare": _free(-0.25, 0.03, "centre of mass behind the ankle, in legs, at which landing is prepared", 1.0),
    "roll": Parameter(600.0, 50.0, 3000.0, 60.0, "standing hip against the pelvis's roll [N m/rad]"),
    "roll_rate": Parameter(60.0, 2.0, 300.0, 8.0, "and its rate [N m s/rad]"),
    "yaw": Parameter(300.0, 20.0, 2000.0, 40.0, "standing hip against the pelvis's yaw [N m/rad]"),
    "yaw_rate": Parameter(30.0, 1.0, 200.0, 5.0, "and its rate [N m s/rad]"),
    "roll_target": _angle(0.0, "swinging side of the pelvis up [rad]", 0.01),
    "carry": Parameter(30.0, -50.0, 120.0, 6.0, "standing hip holds what hangs beside it [N m]"),
    "out": _angle(0.0, "swinging thigh outward [rad]", 0.02),
    "out_distance": _free(0.5, 0.06, "swinging thigh further to where the centre of mass is off the ankle [rad/m]"),
    "out_speed": _free(0.2, 0.03, "and to where it goes [rad s/m]"),
    "out_spring": Parameter(300.0, 30.0, 1500.0, 30.0, "swinging thigh's spring [N m/rad]"),
    "out_damping": Parameter(30.0, 1.0, 150.0, 4.0, "and damping [N m s/rad]"),
    "ankle_distance": _free(0.0, 0.05, "standing ankle's roll by that distance [rad/m]"),
    "ankle_speed": _free(0.0, 0.03, "and that speed [rad s/m]"),
    "ankle_spring": Parameter(150.0, 10.0, 600.0, 15.0, "its spring [N m/rad]"),
    "spine_lean": _angle(0.0, "spine bent forward [rad]", 0.02),
    "arms": Parameter(0.8, 0.0, 2.0, 0.1, "arm swing over the opposite hip's"),
    "elbow": Parameter(0.35, 0.0, 2.0, 0.05, "elbow flexion [rad]"),
    "begin_speed": Parameter(1.3, 0.0, 6.0, 0.05, "speed at the start [m/s]"),
    "begin_left": _free(0.12, 0.03, "and to the side of the front leg [m/s]", 1.0),
    "begin_up": _free(0.0, 0.05, "and up [m/s]", 2.0),
    **{f"begin_{joint}_{leg}": _angle(v, f"{joint} of the {leg} leg at the start: flexion [rad]") for (joint, leg), v in {
        ("hip", "front"): 0.42, ("knee", "front"): 0.08, ("ankle", "front"): 0.0,
        ("hip", "back"): -0.15, ("knee", "back"): 0.35, ("ankle", "back"): 0.05}.items()},
    "begin_lean": _angle(0.05, "trunk's lean at the start [rad]", 0.02),
    **{f"begin_{m}_{leg}": _share(v, f"{m} of the {leg} leg at the start") for (m, leg), v in {
        ("SOL", "back"): 0.35, ("GAS", "back"): 0.25, ("HFL", "back"): 0.2, ("VAS", "front"): 0.2, ("GLU", "front"): 0.2,
        ("HAM", "front"): 0.2, ("TA", "front"): 0.2}.items()},
    "begin_hip_rate": _free(2.0, 0.3, "hip flexing of the back leg at the start [rad/s]"),
    "begin_knee_rate": _free(3.0, 0.3, "knee flexing of the back leg at the start [rad/s]"),
}
"""All, in the order of the vector. Lengths are in optimal fibre lengths, forces in largest forces, excitations from 0 to 1.
Springs, speeds and distances are those of the standard body on Earth (`law.ReflexLaw`)."""
ORDER = tuple(PARAMETERS)
START, LOW, HIGH, STEP = np.array([p[:4] for p in PARAMETERS.values()]).T


def vector_of(values: Mapping[str, float]) -> np.ndarray:
    """The vector (K,) of named values; what is not named is as at the start of a search."""
    return np.array([values.get(name, p.start) for name, p in PARAMETERS.items()])


def named(vector: np.ndarray) -> dict[str, float]:
    """Values by name of a vector (K,)."""
    return dict(zip(ORDER, vector.tolist(), strict=True))

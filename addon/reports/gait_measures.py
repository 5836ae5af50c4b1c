# SPDX-License-Identifier: GPL-3.0-or-later
"""Further measures of a take, for the physics card and the tables: one flat dictionary, defined in docs/measures.md."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import LopeError
from ..take import Take
from .flights import flights
from .forces import TYPICAL, friction_use, torque_use
from .measures import means_over_strides, measured
from .needs import EVEN, FEET, HUMAN, JOINTS, NUMBERS, ONE_PACE, TWO_FEET, WALKED, Group, Measured, answers
from .pace import speed_over_planned
from .paths import path_error_m, turning_radius_m
from .smoothness import FRAME_S, peaks_of_cycle, peaks_of_take, reference_cycle
from .strides import WholeStrides, known_strides, sample_lengths_s
from .symmetry import asymmetries
from .weight import gravity_m_s2, weight_n

GAIT_UNITS: dict[str, str] = {
    "strides": "", "length_over_v_by_f": "", "grf_mean_n": "N", "grf_peak_n": "N", "grf_peak_over_soft": "",
    "com_sideways_range_m": "m", "vertical_speed_peak_m_s": "m/s", "flights_per_stride": "", "takeoff_velocity_m_s": "m/s",
    "flight_time_s": "s", "flight_height_m": "m", "flight_over_ballistic_worst": "", "asymmetry_step_time_percent": "%",
    "asymmetry_stance_time_percent": "%", "asymmetry_force_percent": "%", "joint_acceleration_at_contact_rad_s2": "rad/s^2",
    "joint_acceleration_over_clip": "", "joint_acceleration_over_clip_above_feet": "", "jolt_over_clip": "",
    "turning_radius_m": "m", "path_error_m": "m", "speed_over_planned": "", "friction_use_typical": "", "friction_use_max": "",
    "torque_over_human_typical": "", "torque_over_human_max": "", "torque_joint": "",
}
"""Every further measure and its unit, in the order of the report."""

LEAST_WAY_M = 1e-9
FELT_SHARE = 0.02
"""Share of the stride below which a peak of the ground's force is a spike that moves nothing: the heel strike's of people lasts
10 to 20 ms of a stride of a second (Whittle 1999, Gait and Posture 10:264-275)."""


def measure_gait(take: Take) -> dict[str, Any]:
    """All measures of `GAIT_UNITS` as plain JSON values; units and definitions stand in docs/measures.md. None is not
    measured."""
    return measured_gait(take).values


def measured_gait(take: Take) -> Measured:
    """The same, with the reasons why some are not measured."""
    return answers(take, GROUPS if take.shot.follow is None else OF_CLIPS, tuple(GAIT_UNITS))


def study(take: Take) -> Measured:
    """All measures of `measures.units_of` and of `GAIT_UNITS`."""
    return measured(take).joined(measured_gait(take))


def _strides_of(part: Callable[[Take, WholeStrides], dict[str, Any]]) -> Callable[[Take], dict[str, Any]]:
    """Measures over whole strides, of a take that has some."""
    return lambda take: part(take, known_strides(take))


def _over_strides(take: Take, strides: WholeStrides) -> dict[str, Any]:
    """Means over whole strides."""
    base = means_over_strides(take, strides)
    weight = take.body.mass_kg * float(np.mean(gravity_m_s2(take)[strides.rows(take.time_s)]))
    speed = base["mean_speed_m_s"]
    number = strides.stride_of(take.time_s)
    fastest = [take.com_velocity_m_s[number == k, 2].max() for k in range(strides.count)]
    return {
        "strides": strides.count,
        "length_over_v_by_f": base["stride_length_m"] * base["stride_frequency_hz"] / speed if speed else None,
        "grf_mean_n": base["grf_mean_over_mg"] * weight,
        "grf_peak_n": take.grf_n[strides.rows(take.time_s), :, 2].sum(axis=1).max(),
        "com_sideways_range_m": _sideways_m(take, strides),
        "vertical_speed_peak_m_s": np.mean(fastest),
        "turning_radius_m": turning_radius_m(take, strides, speed),
        "path_error_m": path_error_m(take, strides),
        "grf_peak_over_soft": _soft_landing(take, strides),
    }


def _sideways_m(take: Take, strides: WholeStrides) -> float | None:
    """Mean over strides of the range of the centre of mass across the stride's own way, from boundary to boundary; None where
    there is a stride without a way."""
    ends = strides.at_boundaries(take.time_s, take.com_m[:, :2]) @ [1.0, 1.0j]
    number, place = strides.stride_of(take.time_s), take.com_m[:, :2] @ [1.0, 1.0j]
    ranges = []
    for k, (start, end) in enumerate(zip(ends, ends[1:], strict=False)):
        if abs(end - start) < LEAST_WAY_M:
            return None
        way = (end - start) / abs(end - start)
        ranges.append(np.ptp(((place[number == k] - start) / way).imag))
    return float(np.mean(ranges))


def _in_the_air(take: Take, strides: WholeStrides) -> dict[str, Any]:
    """Flights of the whole strides."""
    return {"flights_per_stride": len(flights(take)) / strides.count} | _flown(take)


def _flown(take: Take) -> dict[str, Any]:
    """Means over flights, and the one that obeys gravity least."""
    all_of_them = flights(take)
    if not all_of_them:
        return {}
    ratios = np.array([f.over_ballistic for f in all_of_them])
    return {
        "takeoff_velocity_m_s": np.mean([f.off_m_s for f in all_of_them]),
        "flight_time_s": np.mean([f.duration_s for f in all_of_them]),
        "flight_height_m": np.mean([max(f.off_m_s, 0.0) ** 2 / (2.0 * f.gravity_m_s2) for f in all_of_them]),
        "flight_over_ballistic_worst": ratios[np.abs(ratios - 1.0).argmax()],
    }


def _landings(take: Take, strides: WholeStrides) -> dict[str, Any]:
    """Joint accelerations around the strikes."""
    return {"joint_acceleration_at_contact_rad_s2": peaks_of_take(take, strides)[0]}


def _landings_over_clip(take: Take, strides: WholeStrides) -> dict[str, Any]:
    """The same over the reference motion's own where it can still be read."""
    try:
        cycle = reference_cycle(take)
    except LopeError:
        return {}
    own, body_own = peaks_of_cycle(cycle, take, strides)
    peak, body_peak = peaks_of_take(take, strides)
    _, seen = peaks_of_take(take, strides, FRAME_S)
    _, seen_own = peaks_of_cycle(cycle, take, strides, FRAME_S)
    return {"joint_acceleration_over_clip": peak / own, "joint_acceleration_over_clip_above_feet": body_peak / body_own,
            "jolt_over_clip": seen / seen_own}


def _soft_landing(take: Take, strides: WholeStrides) -> float:
    """The peak force, a moment of `FELT_SHARE` of the stride long, over that of landings which press like half sine waves."""
    rows = strides.rows(take.time_s)
    step_s, stride_s = float(np.median(np.diff(take.time_s))), strides.duration_s / strides.count
    count = max(1, round(FELT_SHARE * stride_s / step_s))
    load = np.convolve(take.grf_n[:, :, 2].sum(axis=1), np.full(count, 1.0 / count), "same")[rows]
    stood = float(np.average(take.contact[rows].any(axis=1), weights=sample_lengths_s(take.time_s)[rows]))
    return float((load / weight_n(take)[rows]).max() / (0.5 * np.pi / stood)) if stood else 0.0


def _friction(take: Take) -> dict[str, Any]:
    """Of all feet and samples that carry weight."""
    use = friction_use(take)
    return {"friction_use_typical": np.percentile(use, TYPICAL), "friction_use_max": use.max()} if len(use) else {}


def _strength(take: Take) -> dict[str, Any]:
    """Torques over a strong person's."""
    (largest, typical), joints = torque_use(take)
    return {"torque_over_human_typical": typical.max(), "torque_over_human_max": largest.max(),
            "torque_joint": joints[int(largest.argmax())]}


STILL, NO_PACE = "it does not move on", "no stride was to keep a speed"
_FLIGHT = ("takeoff_velocity_m_s", "flight_time_s", "flight_height_m", "flight_over_ballistic_worst")
_OVER_CLIP = ("joint_acceleration_over_clip", "joint_acceleration_over_clip_above_feet", "jolt_over_clip")
_FRICTION = ("friction_use_typical", "friction_use_max")
_ASYMMETRY = ("asymmetry_step_time_percent", "asymmetry_stance_time_percent", "asymmetry_force_percent")
GROUPS = (
    Group(("strides", "length_over_v_by_f", "grf_mean_n", "grf_peak_n", "grf_peak_over_soft", "com_sideways_range_m",
           "vertical_speed_peak_m_s", "turning_radius_m", "path_error_m"), _strides_of(_over_strides), WALKED,
          {"length_over_v_by_f": STILL, "com_sideways_range_m": STILL, "turning_radius_m": "it turns by less than 45 degrees",
           "path_error_m": "too few strides to fit a circle to"}),
    Group(("speed_over_planned",), _strides_of(lambda take, strides: {"speed_over_planned": speed_over_planned(take, strides)}),
          (*WALKED, ONE_PACE), {"speed_over_planned": NO_PACE}),
    Group(("flights_per_stride", *_FLIGHT), _strides_of(_in_the_air), WALKED, dict.fromkeys(_FLIGHT, "no flight")),
    Group(_ASYMMETRY, _strides_of(asymmetries), (TWO_FEET, *WALKED),
          {"asymmetry_step_time_percent": "not every stride has one strike of each foot"}),
    Group(("joint_acceleration_at_contact_rad_s2",), _strides_of(_landings), (*WALKED, JOINTS)),
    Group(_OVER_CLIP, _strides_of(_landings_over_clip), (*WALKED, JOINTS, HUMAN),
          dict.fromkeys(_OVER_CLIP, "the clip is gone")),
    Group(_FRICTION, _friction, (FEET,), dict.fromkeys(_FRICTION, "no foot carried weight")),
    Group(("torque_over_human_typical", "torque_over_human_max", "torque_joint"), _strength, (JOINTS, HUMAN)),
)
"""Every measure of `GAIT_UNITS` with what it needs."""
OF_CLIPS = (
    *(group for group in GROUPS if "flights_per_stride" not in group.names),
    Group(("flights_per_stride",), lambda take: {}, (EVEN,)),
    Group(_FLIGHT, _flown, (FEET, NUMBERS), dict.fromkeys(_FLIGHT, "no flight")),
)
"""The same of a take that follows a clip: its flights are all flights, on strides or not."""

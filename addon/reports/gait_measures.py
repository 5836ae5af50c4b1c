# SPDX-License-Identifier: GPL-3.0-or-later
"""Further measures of a take, for the physics card and the tables: one flat dictionary, defined in docs/measures.md."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import LopeError
from ..take import Take
from .flights import flights
from .forces import TYPICAL, friction_use, torque_use
from .measures import measure
from .paths import path_error_m, turning_radius_m
from .smoothness import peaks_of_cycle, peaks_of_take, reference_cycle
from .strides import WholeStrides, whole_strides
from .symmetry import asymmetries
from .weight import gravity_m_s2

GAIT_UNITS: dict[str, str] = {
    "strides": "", "length_over_v_by_f": "", "grf_mean_n": "N", "grf_peak_n": "N", "com_sideways_range_m": "m",
    "vertical_speed_peak_m_s": "m/s", "flights_per_stride": "", "takeoff_velocity_m_s": "m/s", "flight_time_s": "s",
    "flight_height_m": "m", "flight_over_ballistic_worst": "", "asymmetry_step_time_percent": "%",
    "asymmetry_stance_time_percent": "%", "asymmetry_force_percent": "%", "joint_acceleration_at_contact_rad_s2": "rad/s^2",
    "joint_acceleration_over_clip": "", "joint_acceleration_over_clip_above_feet": "", "turning_radius_m": "m",
    "path_error_m": "m", "friction_use_typical": "", "friction_use_max": "",
    "torque_over_human_typical": "", "torque_over_human_max": "", "torque_joint": "",
}
"""Every further measure and its unit, in the order of the report."""

STRIDE_ONLY = tuple(GAIT_UNITS)[:19]
"""None when the take holds no whole stride after the skipped ones."""


def measure_gait(take: Take) -> dict[str, Any]:
    """All measures of `GAIT_UNITS` as plain JSON values; units and definitions stand in docs/measures.md."""
    strides = whole_strides(take)
    found: dict[str, Any] = dict.fromkeys(GAIT_UNITS)
    if strides is not None:
        for part in (_over_strides, _in_the_air, asymmetries, _landings):
            found |= part(take, strides)
    friction = friction_use(take)
    if len(friction):
        found |= {"friction_use_typical": np.percentile(friction, TYPICAL), "friction_use_max": friction.max()}
    (largest, typical), joints = torque_use(take)
    found |= {"torque_over_human_typical": typical.max(), "torque_over_human_max": largest.max(),
              "torque_joint": joints[int(largest.argmax())]}
    return {name: value.item() if isinstance(value, np.generic) else value for name, value in found.items()}


def _over_strides(take: Take, strides: WholeStrides) -> dict[str, Any]:
    """Means over whole strides."""
    base = measure(take)
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
    }


def _sideways_m(take: Take, strides: WholeStrides) -> float:
    """Mean over strides of the range of the centre of mass across the stride's own way, from boundary to boundary."""
    ends = strides.at_boundaries(take.time_s, take.com_m[:, :2]) @ [1.0, 1.0j]
    number, place = strides.stride_of(take.time_s), take.com_m[:, :2] @ [1.0, 1.0j]
    ranges = []
    for k, (start, end) in enumerate(zip(ends, ends[1:], strict=False)):
        way = (end - start) / max(abs(end - start), 1e-9)
        ranges.append(np.ptp(((place[number == k] - start) / way).imag))
    return float(np.mean(ranges))


def _in_the_air(take: Take, strides: WholeStrides) -> dict[str, Any]:
    """Flights of the whole strides: means, and the one that obeys gravity least."""
    all_of_them = flights(take)
    found: dict[str, Any] = {"flights_per_stride": len(all_of_them) / strides.count}
    if all_of_them:
        ratios = np.array([f.over_ballistic for f in all_of_them])
        found |= {
            "takeoff_velocity_m_s": np.mean([f.off_m_s for f in all_of_them]),
            "flight_time_s": np.mean([f.duration_s for f in all_of_them]),
            "flight_height_m": np.mean([max(f.off_m_s, 0.0) ** 2 / (2.0 * f.gravity_m_s2) for f in all_of_them]),
            "flight_over_ballistic_worst": ratios[np.abs(ratios - 1.0).argmax()],
        }
    return found


def _landings(take: Take, strides: WholeStrides) -> dict[str, Any]:
    """Joint accelerations around the strikes, and over the reference motion's own where it can still be read."""
    peak, body_peak = peaks_of_take(take, strides)
    found: dict[str, Any] = {"joint_acceleration_at_contact_rad_s2": peak}
    try:
        own, body_own = peaks_of_cycle(reference_cycle(take), take, strides)
    except LopeError:  # the clip is no longer where it was
        return found
    return found | {"joint_acceleration_over_clip": peak / own,
                    "joint_acceleration_over_clip_above_feet": body_peak / body_own}

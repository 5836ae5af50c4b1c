# SPDX-License-Identifier: GPL-3.0-or-later
"""The measures of a take: one flat dictionary of plain numbers, defined in docs/measures.md."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..maths.angles import plane_angle
from ..bodies.kinematics import quat_rotate
from ..errors import TakeError
from ..gaits.froude import froude_number
from ..take import Take
from ..worlds.ground import make_ground
from .feet import deepest_m, stance_slips
from .strides import WholeStrides, end_of_walking_s, sample_lengths_s, whole_strides
from .weight import weight_n

UNITS: dict[str, str] = {
    "fell": "", "time_fell_s": "s", "duration_s": "s", "gravity_m_s2": "m/s^2", "body_mass_kg": "kg", "leg_length_m": "m",
    "mean_speed_m_s": "m/s", "stride_frequency_hz": "1/s", "stride_length_m": "m", "froude": "", "duty_factor": "",
    "flight_fraction": "", "com_height_mean_m": "m", "com_height_range_m": "m", "heading_change_deg": "deg",
    "grf_mean_over_mg": "", "grf_peak_over_mg": "", "foot_slip_mm_max": "mm", "foot_slip_mm_per_stride": "mm",
    "penetration_mm_max": "mm", "planned_speed_m_s": "m/s", "planned_stride_frequency_hz": "1/s",
    "pose_error_rms_deg": "deg", "qp_solves": "", "qp_fallbacks": "", "torque_peak_nm": "N m", "sim_s_per_cpu_s": "",
    "engine": "", "seed": "",
}
"""Every measure and its unit, in the order of the report."""

STRIDE_MEASURES = (
    "mean_speed_m_s", "stride_frequency_hz", "stride_length_m", "froude", "duty_factor", "flight_fraction",
    "com_height_mean_m", "com_height_range_m", "heading_change_deg", "grf_mean_over_mg", "grf_peak_over_mg",
    "foot_slip_mm_per_stride", "pose_error_rms_deg",
)
"""Measures over whole strides; None when the take holds no whole stride after the skipped ones."""

COUNTERS = ("time_fell_s", "planned_speed_m_s", "planned_stride_frequency_hz", "qp_solves", "qp_fallbacks")
"""Measures copied from the run's own counters, `Take.stats`."""


def measure(take: Take) -> dict[str, Any]:
    """All measures of `UNITS` as plain JSON values; units and definitions stand in docs/measures.md.

    `sim_s_per_cpu_s` is None: a take holds no clock, only the run itself can fill it in. Raises TakeError for a take
    without the run's counters.
    """
    missing = [name for name in COUNTERS if name not in take.stats]
    if missing:
        raise TakeError(f"This take lacks the counters {', '.join(missing)}; it was not written by a finished simulation.")
    strides = whole_strides(take)
    walked = _over_strides(take, strides) if strides else dict.fromkeys(STRIDE_MEASURES)
    found = {**_whole_take(take), **walked, **{name: take.stats[name] for name in COUNTERS}}
    return {name: _plain(found[name]) for name in UNITS}


def _whole_take(take: Take) -> dict[str, Any]:
    """What needs no strides: the shot, the body, and extremes up to a fall."""
    up = take.time_s <= end_of_walking_s(take)
    return {
        "fell": take.broken_off,
        "duration_s": take.time_s[-1] - take.time_s[0],
        "gravity_m_s2": take.shot.world.gravity_m_s2,
        "body_mass_kg": take.body.mass_kg,
        "leg_length_m": take.body.leg_length_m,
        "foot_slip_mm_max": 1e3 * max((s.slip_m for s in stance_slips(take)), default=0.0),
        "penetration_mm_max": 1e3 * deepest_m(take),
        "torque_peak_nm": np.abs(take.torque_nm[up]).max(initial=0.0),
        "sim_s_per_cpu_s": None,
        "engine": take.shot.engine,
        "seed": take.shot.seed,
    }


def _over_strides(take: Take, strides: WholeStrides) -> dict[str, float]:
    """Means and extremes over whole strides."""
    time, rows = take.time_s, strides.rows(take.time_s)
    lengths = sample_lengths_s(time)[rows]
    weight = weight_n(take)
    vertical = take.grf_n[:, :, 2].sum(axis=1)
    impulses = np.cumsum(np.stack([vertical, weight], axis=1) * sample_lengths_s(time)[:, None], axis=0)
    given, needed = np.diff(strides.at_boundaries(time, impulses)[[0, -1]], axis=0)[0]
    com = strides.at_boundaries(time, take.com_m[:, :2])
    speed = float(np.linalg.norm(np.diff(com, axis=0), axis=1).sum() / strides.duration_s)
    return {
        "mean_speed_m_s": speed,
        "stride_frequency_hz": strides.count / strides.duration_s,
        "stride_length_m": _stride_length(take, strides),
        "froude": froude_number(speed, take.shot.world.gravity_m_s2, take.body.leg_length_m),
        "duty_factor": np.average(take.contact[rows].mean(axis=1), weights=lengths),
        "flight_fraction": np.average(~take.contact[rows].any(axis=1), weights=lengths),
        "com_height_mean_m": np.average(com_height_m(take)[rows], weights=lengths),
        "com_height_range_m": _height_range(take, strides),
        "heading_change_deg": _heading_change_deg(take, strides),
        "grf_mean_over_mg": given / needed,
        "grf_peak_over_mg": (vertical / weight)[rows].max(),
        "foot_slip_mm_per_stride": 1e3 * _slip_per_stride(take, strides),
        "pose_error_rms_deg": np.sqrt(np.average(take.pose_error_deg[rows] ** 2, weights=lengths)),
    }


def com_height_m(take: Take) -> np.ndarray:
    """Height (T,) [m] of the centre of mass over the ground beneath it."""
    x, y, z = take.com_m.T
    return z - make_ground(take.shot.world.ground).height(x, y)


def _stride_length(take: Take, strides: WholeStrides) -> float:
    """Mean distance [m] between the left foot's places at consecutive left strikes: measured on the ground, not v / f."""
    left = [i for i, p in enumerate(take.body.contact_points) if p.side == "L"]
    landed = np.searchsorted(take.time_s, strides.time_s - 1e-9)  # the first sample with the foot on the ground
    prints = take.contact_point_m[landed][:, left, :2].mean(axis=1)
    return float(np.linalg.norm(np.diff(prints, axis=0), axis=1).mean())


def _height_range(take: Take, strides: WholeStrides) -> float:
    """Mean over strides of highest less lowest centre of mass [m]."""
    number, height = strides.stride_of(take.time_s), com_height_m(take)
    return float(np.mean([np.ptp(height[number == k]) for k in range(strides.count)]))


def _heading_change_deg(take: Take, strides: WholeStrides) -> float:
    """Turn of the pelvis about the vertical from the first boundary to the last, left positive."""
    forward = quat_rotate(take.root_quaternion, np.broadcast_to([1.0, 0.0, 0.0], take.root_position_m.shape))
    heading = np.unwrap(plane_angle(forward[:, 1], forward[:, 0]))
    first, last = strides.at_boundaries(take.time_s, heading)[[0, -1]]
    return float(np.degrees(last - first))


def _slip_per_stride(take: Take, strides: WholeStrides) -> float:
    """Mean over strides of the largest slip [m] among the stances that begin in the stride."""
    stances = stance_slips(take)
    number = strides.stride_of(np.array([s.start_s for s in stances]))
    largest = np.zeros(strides.count)
    for stance, k in zip(stances, number, strict=True):
        if k >= 0:
            largest[k] = max(largest[k], stance.slip_m)
    return float(largest.mean())


def _plain(value: Any) -> Any:
    """A JSON value of a numpy scalar."""
    return value.item() if isinstance(value, np.generic) else value

# SPDX-License-Identifier: GPL-3.0-or-later
"""The measures of a take: one flat dictionary of plain numbers, defined in docs/measures.md."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..gaits.froude import froude_number
from ..maths.angles import plane_angle
from ..maths.quaternions import quat_rotate
from ..take import Take
from ..worlds.ground import make_ground
from .creature import CREATURE_UNITS, of_creature
from .creature import GROUPS as CREATURE
from .effort import EFFORT_UNITS
from .effort import GROUPS as EFFORT
from .feet import deepest_m, stance_slips
from .following import CAUGHT_GROUP, CAUGHT_UNITS, FOLLOW_UNITS
from .following import GROUPS as FOLLOWING
from .needs import FEET, GAIT, JOINTS, MUSCLES, ONE_PACE, POINTS, POSE_PLAN, WALKED, Group, Measured, answers
from .standing import GROUPS as STANDING
from .standing import STANDING_UNITS, stands
from .strides import LEFT, WholeStrides, end_of_walking_s, known_strides, sample_lengths_s
from .weight import weight_n

UNITS: dict[str, str] = {
    "fell": "", "time_fell_s": "s", "time_rest_s": "s", "lost": "", "duration_s": "s", "gravity_m_s2": "m/s^2",
    "body_mass_kg": "kg",
    "leg_length_m": "m",
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

NO_QP = "its controller solves no quadratic programs"
PACE = {"planned_speed_m_s": "its controller plans no speed", "planned_stride_frequency_hz": GAIT.absent}
COUNTERS = {"qp_solves": NO_QP, "qp_fallbacks": NO_QP}
"""Measures copied from the run's own counters, `Take.stats`, and why they are not there."""


def measure(take: Take) -> dict[str, Any]:
    """All measures of `units_of` as plain JSON values; units and definitions stand in docs/measures.md. None is not measured.

    `sim_s_per_cpu_s` is None: a take holds no clock, only the run itself can fill it in.
    """
    return measured(take).values


def measured(take: Take) -> Measured:
    """The same, with the reasons why some are not measured."""
    own = STANDING if stands(take) else FOLLOWING if take.shot.follow is not None else ()
    if take.shot.catches:
        own = (*own, CAUGHT_GROUP)
    if MUSCLES.met(take):
        own = (*own, *EFFORT)
    if of_creature(take.shot):
        own = (*own, *CREATURE)
    return answers(take, (*GROUPS, *own), tuple(units_of(take)))


def units_of(take: Take) -> dict[str, str]:
    """The measures of a take and their units: `UNITS`, of one that follows a clip, or stands, how well it does, of one by
    muscles what it costs, of a creature its own."""
    effort = EFFORT_UNITS if MUSCLES.met(take) else {}
    if of_creature(take.shot):
        effort = effort | CREATURE_UNITS
    if stands(take):
        return UNITS | STANDING_UNITS | effort
    followed = {} if take.shot.follow is None else FOLLOW_UNITS
    return UNITS | followed | (CAUGHT_UNITS if take.shot.catches else {}) | effort


def _whole_take(take: Take) -> dict[str, Any]:
    """What every take has."""
    return {
        "fell": take.fell,
        "time_fell_s": take.stats.get("time_fell_s"),
        "time_rest_s": take.stats.get("time_rest_s"),
        "lost": take.lost,
        "duration_s": take.time_s[-1] - take.time_s[0],
        "gravity_m_s2": take.shot.world.gravity_m_s2,
        "body_mass_kg": take.body.mass_kg,
        "engine": take.shot.engine,
        "seed": take.shot.seed,
    }


def _feet(take: Take) -> dict[str, Any]:
    """Legs and soles, the latter up to a fall."""
    return {"leg_length_m": take.body.leg_length_m,
            "foot_slip_mm_max": 1e3 * max((s.slip_m for s in stance_slips(take)), default=0.0)}


def _depth(take: Take) -> dict[str, Any]:
    return {"penetration_mm_max": 1e3 * deepest_m(take)}


def _torque(take: Take) -> dict[str, Any]:
    """Up to a fall."""
    return {"torque_peak_nm": np.abs(take.torque_nm[take.time_s <= end_of_walking_s(take)]).max(initial=0.0)}


def _gait(take: Take) -> dict[str, Any]:
    return means_over_strides(take, known_strides(take))


def _pose(take: Take) -> dict[str, Any]:
    """Over whole strides."""
    rows = known_strides(take).rows(take.time_s)
    lengths = sample_lengths_s(take.time_s)[rows]
    return {"pose_error_rms_deg": np.sqrt(np.average(take.pose_error_deg[rows] ** 2, weights=lengths))}


def means_over_strides(take: Take, strides: WholeStrides) -> dict[str, float]:
    """Means and extremes over whole strides: `STRIDE_MEASURES` but the pose's."""
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
    }


def com_height_m(take: Take) -> np.ndarray:
    """Height (T,) [m] of the centre of mass over the ground beneath it."""
    x, y, z = take.com_m.T
    return z - make_ground(take.shot.world.ground).height(x, y)


def _stride_length(take: Take, strides: WholeStrides) -> float:
    """Mean distance [m] between the first foot's places at its consecutive strikes: measured on the ground, not v / f."""
    points = list(take.body.feet[LEFT].points)
    landed = np.searchsorted(take.time_s, strides.time_s - 1e-9)  # the first sample with the foot on the ground
    prints = take.contact_point_m[landed][:, points, :2].mean(axis=1)
    return float(np.linalg.norm(np.diff(prints, axis=0), axis=1).mean())


def _height_range(take: Take, strides: WholeStrides) -> float:
    """Mean over strides of highest less lowest centre of mass [m]."""
    number, height = strides.stride_of(take.time_s), com_height_m(take)
    return float(np.mean([np.ptp(height[number == k]) for k in range(strides.count)]))


def _heading_change_deg(take: Take, strides: WholeStrides) -> float:
    """Turn of the root about the vertical from the first boundary to the last, left positive."""
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


GROUPS = (
    Group(("fell", "time_fell_s", "time_rest_s", "lost", "duration_s", "gravity_m_s2", "body_mass_kg", "engine", "seed"),
          _whole_take),
    Group(("sim_s_per_cpu_s",), lambda take: {}),
    Group(("leg_length_m", "foot_slip_mm_max"), _feet, (FEET,)),
    Group(("penetration_mm_max",), _depth, (POINTS,)),
    Group(("torque_peak_nm",), _torque, (JOINTS,)),
    Group(tuple(PACE), lambda take: take.stats, (ONE_PACE,), none=PACE),  # a run's counters know the last part's only
    Group(tuple(COUNTERS), lambda take: take.stats, none=COUNTERS),
    Group(tuple(name for name in STRIDE_MEASURES if name != "pose_error_rms_deg"), _gait, WALKED),
    Group(("pose_error_rms_deg",), _pose, (*WALKED, POSE_PLAN)),
)
"""Every measure of `UNITS` with what it needs."""

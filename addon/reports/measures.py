# SPDX-License-Identifier: GPL-3.0-or-later
"""The measures of a take: one flat dictionary of plain numbers, defined in docs/measures.md. `UNITS` names those of every take,
`GAIT_UNITS` those of gaits alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..bodies.body import Body
from ..errors import LopeError
from ..gaits.froude import froude_number
from ..locomotion.gait.shot_gait import shot_cycle
from ..maths.rotations import quat_conjugate, quat_multiply, quat_rotate, rotvec_from_quat
from ..motions.cycle import Cycle, pose
from ..rows import in_blocks
from ..sim.take import Take
from ..specs.motions import Followed
from . import needs
from .creature import CREATURE_UNITS, of_creature
from .creature import GROUPS as CREATURE
from .effort import EFFORT_UNITS
from .effort import GROUPS as EFFORT
from .feet import TREAD_UNITS, TYPICAL, deepest_m, flights, friction_use, stance_slips, torque_peak_nm, torque_use, tread_counts
from .following import (
    CAUGHT_GROUP,
    CAUGHT_UNITS,
    FOLLOW_UNITS,
    JUMP_UNITS,
    STANDING_UNITS,
    jumps,
    off_path,
    stands,
    turning_radius_m,
)
from .following import GROUPS as FOLLOWING
from .following import JUMP_GROUPS as JUMPED
from .following import STANDING_GROUPS as STANDING
from .gaps import crossing_mm
from .needs import Group, Measured, answers
from .strides import WholeStrides, asymmetries, com_height_m, gravity_m_s2, heading_rad, known_strides, sample_lengths_s, weight_n

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

CARRY_UNITS = {"load_kg": "kg", "hands_apart_mm_max": "mm"}
"""Of a body that carries something, after `UNITS`."""
UP_UNITS: dict[str, str] = {"got_up": "", "time_up_s": "s", "retries": ""}
"""The same of who fell and was to get up."""

STRIDE_MEASURES = (
    "mean_speed_m_s", "stride_frequency_hz", "stride_length_m", "froude", "duty_factor", "flight_fraction",
    "com_height_mean_m", "com_height_range_m", "heading_change_deg", "grf_mean_over_mg", "grf_peak_over_mg",
    "foot_slip_mm_per_stride", "pose_error_rms_deg",
)
"""Measures over whole strides; None when the take holds no whole stride after the skipped ones."""

NO_QP = "its controller solves no quadratic programs"
PACE = {"planned_speed_m_s": "its controller plans no speed", "planned_stride_frequency_hz": needs.GAIT.absent}
COUNTERS = {"qp_solves": NO_QP, "qp_fallbacks": NO_QP}
"""Measures copied from the run's own counters, `Take.stats`, and why they are not there."""


def measure(take: Take) -> dict[str, Any]:
    """All measures of `units_of` as plain JSON values; None is not measured. `sim_s_per_cpu_s` only the run can fill in."""
    return measured(take).values


def measured(take: Take) -> Measured:
    """The same, with the reasons why some are not measured."""
    groups = (group for _, own in _kinds(take) for group in own)
    return answers(take, (*GROUPS, *groups), tuple(units_of(take)))


def units_of(take: Take) -> dict[str, str]:
    """The measures of a take and their units: `UNITS`, and those of clips, stances, steps, muscles or creatures."""
    found = dict(UNITS)
    for units, _ in _kinds(take):
        found |= units
    return found


def _kinds(take: Take) -> list[tuple[dict[str, str], Sequence[Group]]]:
    """Units and groups of what is measured of such a take beside what is of every take, in the order of the report."""
    ground, on_its_way = take.shot.world.ground, not stands(take) and not jumps(take)
    kinds: tuple[tuple[bool, dict[str, str], Sequence[Group]], ...] = (
        (stands(take), STANDING_UNITS, STANDING),
        (jumps(take), JUMP_UNITS, JUMPED),
        (on_its_way and isinstance(take.shot.motion, Followed), FOLLOW_UNITS, FOLLOWING),
        (on_its_way and take.shot.catches, CAUGHT_UNITS, (CAUGHT_GROUP,)),
        ("got_up" in take.stats, UP_UNITS, (Group(tuple(UP_UNITS), lambda take: take.stats),)),
        (take.body.carries is not None, CARRY_UNITS, (CARRY,)),
        (ground.kind == "steps" and ground.rise_m != 0.0, TREAD_UNITS,
         (Group(tuple(TREAD_UNITS), tread_counts, (needs.POINTS,)),)),
        (needs.MUSCLES.met(take), EFFORT_UNITS, EFFORT),
        (of_creature(take.shot), CREATURE_UNITS, CREATURE),
    )
    return [(units, groups) for is_one, units, groups in kinds if is_one]


def _whole_take(take: Take) -> dict[str, Any]:
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


def _carried(take: Take) -> dict[str, Any]:
    """The load, and how far apart at most the places are at which both hands that bear it have it."""
    body, (places, turns) = take.body, take.segment_poses
    rows = [(body.index[name], np.array(pose[:3])) for name, pose in body.carries.borne.items()]
    middles = [places[:, i] + quat_rotate(turns[:, i], middle) for i, middle in rows]
    apart = np.linalg.norm(middles[0] - middles[-1], axis=1).max() if len(middles) > 1 else None
    return {"load_kg": body.carries.load.mass_kg, "hands_apart_mm_max": None if apart is None else 1e3 * apart}


CARRY = Group(tuple(CARRY_UNITS), _carried, none={"hands_apart_mm_max": "no two hands bear the load"})


def _strides_of(part: Callable[[Take, WholeStrides], dict[str, Any]]) -> Callable[[Take], dict[str, Any]]:
    return lambda take: part(take, known_strides(take))


def _pose(take: Take, strides: WholeStrides) -> dict[str, Any]:
    return {"pose_error_rms_deg": np.sqrt(strides.mean(take.time_s, take.pose_error_deg[:] ** 2))}


def means_over_strides(take: Take, strides: WholeStrides) -> dict[str, float]:
    """Means and extremes over whole strides: `STRIDE_MEASURES` but the pose's."""
    time, rows = take.time_s, strides.rows(take.time_s)
    weight = weight_n(take)
    vertical = take.grf_n[:, :, 2].sum(axis=1)
    impulses = np.cumsum(np.stack([vertical, weight], axis=1) * sample_lengths_s(time)[:, None], axis=0)
    given, needed = np.diff(strides.at_boundaries(time, impulses)[[0, -1]], axis=0)[0]
    speed = float(strides.chords_m(take).sum() / strides.duration_s)
    return {
        "mean_speed_m_s": speed,
        "stride_frequency_hz": strides.count / strides.duration_s,
        "stride_length_m": _stride_length(take, strides),
        "froude": froude_number(speed, take.shot.world.gravity_m_s2, take.body.leg_length_m),
        "duty_factor": strides.mean(time, take.contact.mean(axis=1)),
        "flight_fraction": strides.mean(time, ~take.contact.any(axis=1)),
        "com_height_mean_m": strides.mean(time, com_height_m(take)),
        "com_height_range_m": strides.range_of(time, com_height_m(take)),
        "heading_change_deg": _heading_change_deg(take, strides),
        "grf_mean_over_mg": given / needed,
        "grf_peak_over_mg": (vertical / weight)[rows].max(),
        "foot_slip_mm_per_stride": 1e3 * _slip_per_stride(take, strides),
    }


def _stride_length(take: Take, strides: WholeStrides) -> float:
    """Mean distance [m] between the first foot's places at its consecutive strikes: measured on the ground, not v / f."""
    points = list(take.body.feet[0].points)
    landed = np.searchsorted(take.time_s, strides.time_s - 1e-9)  # the first sample with the foot on the ground
    prints = take.contact_point_m[landed][:, points, :2].mean(axis=1)
    return float(np.linalg.norm(np.diff(prints, axis=0), axis=1).mean())


def _heading_change_deg(take: Take, strides: WholeStrides) -> float:
    """Turn of the root about the vertical from the first boundary to the last, left positive."""
    first, last = strides.at_boundaries(take.time_s, heading_rad(take))[[0, -1]]
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
    Group(("leg_length_m", "foot_slip_mm_max"), _feet, (needs.FEET,)),
    Group(("penetration_mm_max",), lambda take: {"penetration_mm_max": 1e3 * deepest_m(take)}, (needs.POINTS,)),
    Group(("torque_peak_nm",), lambda take: {"torque_peak_nm": torque_peak_nm(take)}, (needs.JOINTS,)),
    Group(tuple(PACE), lambda take: take.stats, (needs.ONE_PACE,), none=PACE),  # a run's counters know the last part's only
    Group(tuple(COUNTERS), lambda take: take.stats, none=COUNTERS),
    Group(tuple(name for name in STRIDE_MEASURES if name != "pose_error_rms_deg"), _strides_of(means_over_strides), needs.WALKED),
    Group(("pose_error_rms_deg",), _strides_of(_pose), (*needs.WALKED, needs.POSE_PLAN)),
)


def speed_over_planned(take: Take, strides: WholeStrides) -> float | None:
    """Way of the whole strides over the way planned for the same times, slow bends too; strides that start from standing or stop
    are left out, as are those from the first push or hit on. None where no stride is left, or none was to lead on."""
    gone, planned = ways_m(take, strides), _planned_m(take, strides)
    kept = np.isfinite(planned) & (strides.time_s[1:] <= take.shot.struck_s)
    asked = float(planned[kept].sum())
    return float(gone[kept].sum()) / asked if asked else None


def ways_m(take: Take, strides: WholeStrides) -> np.ndarray:
    """How far (N,) [m] each stride leads: its chord, lengthened to the arc that turns as the root does. So the way is the
    path's in a bend, too, without the sway within the stride."""
    half = 0.5 * np.diff(strides.at_boundaries(take.time_s, heading_rad(take)))
    return strides.chords_m(take) / np.sinc(half / np.pi)


def _planned_m(take: Take, strides: WholeStrides) -> np.ndarray:
    """How far (N,) [m] the plan asks each stride to lead, ahead or back; not a number where it starts or stops standing."""
    if not take.holds("plan_speed_m_s"):
        return np.diff(strides.time_s) * abs(take.stats["planned_speed_m_s"])
    lengths = sample_lengths_s(take.time_s)
    means = [np.average(take.plan_speed_m_s[stride], weights=lengths[stride]) for stride in strides.ranges(take.time_s)]
    return np.diff(strides.time_s) * np.abs(means)


FRAME_S = 1.0 / 24.0
"""A picture of a film: what is over within one is not seen."""
AROUND = (-0.02, 0.10)
"""Share of the stride before and after a strike in which the landing is felt; a walker's foot is flat 0.07 after it."""


def joint_acceleration(joint_quaternions: np.ndarray, step_s: float, span_s: float = 0.0,
                       some: list[int] | None = None) -> np.ndarray:
    """Size (T,) [rad/s^2] of the angular accelerations of all joints together, or of `some`, the root of their squares' sum, of
    joint quaternions (T, J, 4), `step_s` apart; zero at both ends. Velocities are means over `span_s`, at least a step."""
    count = max(1, round(span_s / step_s))

    def size(rows: slice) -> np.ndarray:
        joints = joint_quaternions[rows.start:rows.stop + 2 * count]
        joints = joints if some is None else joints[:, some]
        turned = quat_multiply(quat_conjugate(joints[:-count]), joints[count:])
        velocity = rotvec_from_quat(turned) / (count * step_s)
        change = (velocity[count:] - velocity[:-count]) / (count * step_s)
        return np.sqrt((change**2).sum(axis=(1, 2)))

    return np.pad(in_blocks(size, len(joint_quaternions) - 2 * count, joint_quaternions), count)


def contact_peak(acceleration: np.ndarray, time_s: np.ndarray, strikes: np.ndarray, stride_s: float) -> float:
    """Mean over strikes of the largest acceleration [rad/s^2] around each."""
    low, high = (np.searchsorted(time_s, strikes + share * stride_s) for share in AROUND)
    windows = [(a, max(b, a + 1)) for a, b in zip(low.tolist(), high.tolist(), strict=True) if a < len(acceleration)]
    return float(np.mean([acceleration[a:b].max() for a, b in windows]))


def peaks_of_take(take: Take, strides: WholeStrides, span_s: float = 0.0) -> tuple[float, float]:
    """Mean landing peaks [rad/s^2] over all strikes in the whole strides: of all joints, of all but the feet's."""
    stride_s = strides.duration_s / strides.count
    return _peaks(take, take.joint_quaternions, take.time_s, strides.landings_s(take), stride_s, span_s)


def peaks_of_cycle(cycle: Cycle, take: Take, strides: WholeStrides, span_s: float = 0.0) -> tuple[float, float]:
    """The same of a human's reference motion, its feet as long on the ground as the take's, and sampled as finely."""
    stood_s = float(strides.mean(take.time_s, take.contact.mean(axis=1))) * strides.duration_s / strides.count
    stride_s = stood_s / float(np.mean([cycle.contact_phases[side].since_strike()[-1] for side in "LR"]))
    time = np.arange(-0.5 * stride_s, 2.5 * stride_s, _step_s(take))
    _, _, joints = pose(cycle.evaluate(time / stride_s), take.body)
    strikes = np.array([(cycle.contact_phases[side].strike % 1.0 + lap) * stride_s for side in "LR" for lap in (0, 1)])
    return _peaks(take, joints, time, strikes, stride_s, span_s)


def hardest_landing_s(take: Take, strides: WholeStrides) -> float:
    """When [s] all joints but the feet's are jerked most around a landing in the whole strides."""
    jerk = joint_acceleration(take.joint_quaternions, _step_s(take), FRAME_S, _above_feet(take.body))
    stride_s = strides.duration_s / strides.count
    near = np.zeros(len(take.time_s), bool)
    for strike in strides.landings_s(take).tolist():
        first = np.searchsorted(take.time_s, strike + AROUND[0] * stride_s)
        near[first:np.searchsorted(take.time_s, strike + AROUND[1] * stride_s, side="right")] = True
    return float(take.time_s[np.where(near, jerk, -1.0).argmax()])


def _peaks(take: Take, joints: np.ndarray, time: np.ndarray, strikes: np.ndarray, stride_s: float,
           span_s: float) -> tuple[float, float]:
    whole, above = (contact_peak(joint_acceleration(joints, _step_s(take), span_s, some), time, strikes, stride_s)
                    for some in (None, _above_feet(take.body)))
    return whole, above


def _above_feet(body: Body) -> list[int]:
    """Rows of the joints but those of feet and what hangs on them: light, stopped at once, and hardly seen."""
    feet = {name for foot in body.feet for name in (foot.segment, *body.children(foot.segment))}
    return [i for i, name in enumerate(body.joint_segments) if name not in feet]


def _step_s(take: Take) -> float:
    return float(np.median(np.diff(take.time_s)))


GAIT_UNITS: dict[str, str] = {
    "strides": "", "length_over_v_by_f": "", "grf_mean_n": "N", "grf_peak_n": "N", "grf_peak_over_soft": "",
    "com_sideways_range_m": "m", "vertical_speed_peak_m_s": "m/s", "flights_per_stride": "", "takeoff_velocity_m_s": "m/s",
    "flight_time_s": "s", "flight_height_m": "m", "flight_over_ballistic_worst": "", "asymmetry_step_time_percent": "%",
    "asymmetry_stance_time_percent": "%", "asymmetry_force_percent": "%", "joint_acceleration_at_contact_rad_s2": "rad/s^2",
    "joint_acceleration_over_clip": "", "joint_acceleration_over_clip_above_feet": "", "jolt_over_clip": "",
    "turning_radius_m": "m", "path_error_m": "m", "heading_off_deg": "deg", "crossing_mm": "mm",
    "speed_over_planned": "", "friction_use_typical": "", "friction_use_max": "",
    "torque_over_human_typical": "", "torque_over_human_max": "", "torque_joint": "",
}

STUDY = "_study"
LEAST_WAY_M = 1e-9
FELT_SHARE = 0.02
"""Share of the stride below which a peak of the ground's force is a spike that moves nothing: the heel strike's of people lasts
10 to 20 ms of a stride of a second (Whittle 1999, Gait and Posture 10:264-275)."""


def measure_gait(take: Take) -> dict[str, Any]:
    """All measures of `GAIT_UNITS` as plain JSON values. None is not measured."""
    return measured_gait(take).values


def measured_gait(take: Take) -> Measured:
    """The same, with the reasons why some are not measured."""
    return answers(take, OF_CLIPS if isinstance(take.shot.motion, Followed) else GAIT_GROUPS, tuple(GAIT_UNITS))


def study(take: Take) -> Measured:
    """All measures of `measures.units_of` and of `GAIT_UNITS`. The take keeps them: a shot that may be tried again is judged
    before it is told."""
    kept = vars(take)
    if STUDY not in kept:
        kept[STUDY] = measured(take).joined(measured_gait(take))
    return kept[STUDY]


def _over_strides(take: Take, strides: WholeStrides) -> dict[str, Any]:
    base = means_over_strides(take, strides)
    weight = take.body.mass_kg * float(np.mean(gravity_m_s2(take)[strides.rows(take.time_s)]))
    speed = base["mean_speed_m_s"]
    fastest = [take.com_velocity_m_s[stride, 2].max() for stride in strides.ranges(take.time_s)]
    return {
        "strides": strides.count,
        "length_over_v_by_f": base["stride_length_m"] * base["stride_frequency_hz"] / speed if speed else None,
        "grf_mean_n": base["grf_mean_over_mg"] * weight,
        "grf_peak_n": take.grf_n[strides.rows(take.time_s), :, 2].sum(axis=1).max(),
        "com_sideways_range_m": _sideways_m(take, strides),
        "vertical_speed_peak_m_s": np.mean(fastest),
        "turning_radius_m": turning_radius_m(take, strides, speed),
        **off_path(take, strides),
        "grf_peak_over_soft": _soft_landing(take, strides),
    }


def _sideways_m(take: Take, strides: WholeStrides) -> float | None:
    """Mean over strides of the range of the centre of mass across the stride's way; None where a stride has no way."""
    ends = strides.at_boundaries(take.time_s, take.com_m[:, :2]) @ [1.0, 1.0j]
    place, ranges = take.com_m[:, :2] @ [1.0, 1.0j], []
    for stride, start, end in zip(strides.ranges(take.time_s), ends[:-1], ends[1:], strict=True):
        if abs(end - start) < LEAST_WAY_M:
            return None
        way = (end - start) / abs(end - start)
        ranges.append(np.ptp(((place[stride] - start) / way).imag))
    return float(np.mean(ranges))


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


def _landings_over_clip(take: Take, strides: WholeStrides) -> dict[str, Any]:
    """The same over the reference motion's own where it can still be read."""
    try:
        cycle = shot_cycle(take.shot)
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
    count = max(1, round(FELT_SHARE * (strides.duration_s / strides.count) / _step_s(take)))
    load = np.convolve(take.grf_n[:, :, 2].sum(axis=1), np.full(count, 1.0 / count), "same")[rows]
    stood = float(strides.mean(take.time_s, take.contact.any(axis=1)))
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
GAIT_GROUPS = (
    Group(("strides", "length_over_v_by_f", "grf_mean_n", "grf_peak_n", "grf_peak_over_soft", "com_sideways_range_m",
           "vertical_speed_peak_m_s", "turning_radius_m", "path_error_m", "heading_off_deg"),
          _strides_of(_over_strides), needs.WALKED,
          {"length_over_v_by_f": STILL, "com_sideways_range_m": STILL, "turning_radius_m": "it turns by less than 45 degrees",
           "path_error_m": "too few strides to fit a circle to", "heading_off_deg": "the gait chose its circle"}),
    Group(("speed_over_planned",), _strides_of(lambda take, strides: {"speed_over_planned": speed_over_planned(take, strides)}),
          (*needs.WALKED, needs.ONE_PACE), {"speed_over_planned": NO_PACE}),
    Group(("flights_per_stride", *_FLIGHT), _strides_of(lambda take, strides: {
        "flights_per_stride": len(flights(take)) / strides.count} | _flown(take)), needs.WALKED,
          dict.fromkeys(_FLIGHT, "no flight")),
    Group(_ASYMMETRY, _strides_of(asymmetries), (needs.TWO_FEET, *needs.WALKED),
          {"asymmetry_step_time_percent": "not every stride has one strike of each foot"}),
    Group(("joint_acceleration_at_contact_rad_s2",), _strides_of(lambda take, strides: {
        "joint_acceleration_at_contact_rad_s2": peaks_of_take(take, strides)[0]}), (*needs.WALKED, needs.JOINTS)),
    Group(_OVER_CLIP, _strides_of(_landings_over_clip), (*needs.WALKED, needs.JOINTS, needs.HUMAN),
          dict.fromkeys(_OVER_CLIP, "the clip is gone")),
    Group(_FRICTION, _friction, (needs.FEET,), dict.fromkeys(_FRICTION, "no foot carried weight")),
    Group(("torque_over_human_typical", "torque_over_human_max", "torque_joint"), _strength, (needs.JOINTS, needs.HUMAN)),
    Group(("crossing_mm",), lambda take: {"crossing_mm": crossing_mm(take)}, (needs.JOINTS, needs.HUMAN, needs.NUMBERS)),
)
OF_CLIPS = (
    *(group for group in GAIT_GROUPS if "flights_per_stride" not in group.names),
    Group(("flights_per_stride",), lambda take: {}, (needs.EVEN,)),
    Group(_FLIGHT, _flown, (needs.FEET, needs.NUMBERS), dict.fromkeys(_FLIGHT, "no flight")),
)
"""The same of a take that follows a clip: its flights are all flights, on strides or not."""

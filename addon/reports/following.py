# SPDX-License-Identifier: GPL-3.0-or-later
"""How well a take follows its clip or its path, and how somebody who stands stayed up. Defined in docs/measures.md."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..gaits.path_speeds import shot_path
from ..sim.take import Take
from ..specs.motions import Jump, Stand
from ..worlds.paths import offset
from .feet import stance_slips
from .needs import FEET, NUMBERS, Group, Need
from .strides import WholeStrides, end_of_walking_s, heading_rad, sample_lengths_s, strikes_s, weight_n

FOLLOW_UNITS: dict[str, str] = {
    "joint_error_rms_deg": "deg", "com_off_plan_m_mean": "m", "foot_off_print_m_max": "m", "touchdown_timing_ms_median": "ms",
    "followed_fraction": "", "foot_slip_mm_per_step": "mm",
}
CAUGHT_UNITS: dict[str, str] = {"strategy": "", "steps_taken": "", "handed_over_s": "s", "spliced_back_s": "s"}
"""The same of one who is caught where his clip does not hold him."""

CLIP_TIME, JOINT_ERROR, OFF_PLAN = "follow_clip_time_s", "follow_joint_error_deg", "follow_com_off_plan_m"
"""Channels: how far the clip has come; joints off the clip's (root mean square); the centre of mass off its plan."""
TOLD = Need(lambda take: JOINT_ERROR in take.channels and OFF_PLAN in take.channels, "its controller does not tell how far it is "
            "from the clip")


def worst_s(take: Take, channel: str) -> float:
    """When [s] a channel is largest, up to a fall."""
    return float(take.time_s[np.where(_followed(take), take.channels[channel].values, -1.0).argmax()])


def _followed(take: Take) -> np.ndarray:
    """The samples (T,) bool up to a fall; in that of the fall another controller may be at work already, which tells nothing."""
    return (take.time_s <= end_of_walking_s(take)) & np.isfinite(take.channels[JOINT_ERROR].values)


def _off(take: Take) -> dict[str, Any]:
    """Means over time, up to a fall."""
    rows, lengths = _followed(take), sample_lengths_s(take.time_s)
    lengths[0] = lengths[-1] if len(lengths) > 1 else 1.0
    joints, way = (np.asarray(take.channels[name].values)[rows] for name in (JOINT_ERROR, OFF_PLAN))
    return {"joint_error_rms_deg": np.sqrt(np.average(joints**2, weights=lengths[rows])),
            "com_off_plan_m_mean": np.average(way, weights=lengths[rows])}


def _slip(take: Take) -> dict[str, Any]:
    """Mean over stances of the largest slip of any point of the sole."""
    slips = [1e3 * stance.slip_m for stance in stance_slips(take)]
    return {"foot_slip_mm_per_step": np.mean(slips)} if slips else {}


_COUNTED = ("foot_off_print_m_max", "touchdown_timing_ms_median", "followed_fraction")
GROUPS = (
    Group(("joint_error_rms_deg", "com_off_plan_m_mean"), _off, (NUMBERS, TOLD)),
    Group(_COUNTED, lambda take: take.stats, none={
        **dict.fromkeys(_COUNTED, "no foot landed"), "followed_fraction": "its controller does not tell how far it came"}),
    Group(("foot_slip_mm_per_step",), _slip, (FEET, NUMBERS), {"foot_slip_mm_per_step": "no foot stood"}),
)
CAUGHT_GROUP = Group(tuple(CAUGHT_UNITS), lambda take: take.stats)


LEAST_TURN_RAD = math.radians(45.0)
"""A way that turns by less has no radius worth the name."""


def way_m(take: Take) -> float:
    """Length of the way [m] of the centre of mass from landing to landing of any foot, so without its sway within steps."""
    landed = [strikes_s(take, foot) for foot in range(len(take.body.feet))] if take.body.feet else []
    times = np.unique(np.concatenate([take.time_s[[0, -1]], *landed]))
    places = [np.interp(times, take.time_s, take.com_m[:, axis]) for axis in (0, 1)]
    return float(np.hypot(*np.diff(places, axis=1)).sum())


def turning_radius_m(take: Take, strides: WholeStrides, speed_m_s: float) -> float | None:
    """Way over turn of the pelvis, left positive; None where it turns by less than `LEAST_TURN_RAD`."""
    first, last = strides.at_boundaries(take.time_s, heading_rad(take))[[0, -1]]
    return speed_m_s * strides.duration_s / float(last - first) if abs(last - first) >= LEAST_TURN_RAD else None


def off_path(take: Take, strides: WholeStrides) -> dict[str, float | None]:
    """`path_error_m`, root mean square over strides of the distance from the path to the stride's mean place, and
    `heading_off_deg`, how far from the path's direction the pelvis faces at the end of the last, to either side. A circle whose
    radius the gait chose is fitted (least squares), which knows no direction; None where fewer than four strides are there."""
    places = np.array([complex(*take.com_m[stride, :2].mean(axis=0)) for stride in strides.ranges(take.time_s)])
    spec, near = take.shot.motion.path, None
    if spec.kind == "circle" and not spec.radius_m:
        return {"path_error_m": _roundness_m(places)}
    path, off = shot_path(take.shot, take.body.leg_length_m), []
    for place in places.tolist():
        near = path.locate(place, near)
        off.append(offset(path, near, place))
    end = complex(*strides.at_boundaries(take.time_s, take.com_m[:, :2])[-1])
    turned = float(strides.at_boundaries(take.time_s, heading_rad(take))[-1]) - path.heading(path.locate(end, near))
    return {"path_error_m": math.sqrt(float(np.mean(np.square(off)))),
            "heading_off_deg": abs(math.degrees(math.remainder(turned, 2.0 * math.pi)))}


def _roundness_m(places: np.ndarray) -> float | None:
    """Root mean square distance of places (N,) from the circle that fits them best: |p|^2 = 2 c.p + (r^2 - |c|^2)."""
    if len(places) < 4:
        return None
    columns = np.column_stack([2.0 * places.real, 2.0 * places.imag, np.ones(len(places))])
    (x, y, rest), *_ = np.linalg.lstsq(columns, np.abs(places) ** 2, rcond=None)
    radius = math.sqrt(max(0.0, rest + x * x + y * y))
    return math.sqrt(float(np.mean((np.abs(places - complex(x, y)) - radius) ** 2)))


STANDING_UNITS: dict[str, str] = {"strategy": "", "steps_taken": "", "ground_peak_over_mg": "", "com_speed_m_s_max": "m/s"}


def stands(take: Take) -> bool:
    """Whether it is a take of somebody who stands."""
    return take.shot.controller in Stand.CONTROLLERS


def _told(take: Take) -> dict[str, Any]:
    return {name: take.stats.get(name) for name in ("strategy", "steps_taken")}


def _moved(take: Take) -> dict[str, Any]:
    vertical = take.grf_n[:, :, 2].sum(axis=1)
    return {"ground_peak_over_mg": (vertical / weight_n(take)).max(),
            "com_speed_m_s_max": np.hypot(*take.com_velocity_m_s[:, :2].T).max()}


JUMP_UNITS: dict[str, str] = {"jump_height_m": "m", "jump_height_over_asked": "", "jump_ahead_m": "m",
                                 "steps_taken": "", "ground_peak_over_mg": ""}


def jumps(take: Take) -> bool:
    """Whether it is a take of somebody who jumps."""
    return take.shot.controller in Jump.CONTROLLERS


def _jumped(take: Take) -> dict[str, Any]:
    """How far the centre of mass rose over where it was at the start, and the feet's way to where they landed."""
    edges = np.flatnonzero(np.diff(np.pad(~take.contact.any(axis=1), 1))).reshape(-1, 2)  # of flights, as samples
    ahead, rise = None, float((take.com_m[:, 2] - take.com_m[0, 2]).max())
    if len(edges):
        landed = min(int(edges[np.diff(edges)[:, 0].argmax(), 1]), len(take.time_s) - 1)
        way = take.contact_point_m[landed, :, :2].mean(axis=0) - take.contact_point_m[0, :, :2].mean(axis=0)
        facing = float(heading_rad(take)[0])
        ahead = float(way @ [math.cos(facing), math.sin(facing)])
    return {"jump_height_m": rise, "jump_height_over_asked": rise / take.shot.motion_as(Jump).up_m, "jump_ahead_m": ahead,
            "steps_taken": take.stats.get("steps_taken")}


JUMP_GROUPS = (
    Group(("jump_height_m", "jump_height_over_asked", "jump_ahead_m", "steps_taken"), _jumped),
    Group(("ground_peak_over_mg",), lambda take: {"ground_peak_over_mg": _moved(take)["ground_peak_over_mg"]}, (NUMBERS,)),
)
STANDING_GROUPS = (
    Group(("strategy", "steps_taken"), _told),
    Group(("ground_peak_over_mg", "com_speed_m_s_max"), _moved, (NUMBERS,)),
)

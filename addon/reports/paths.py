# SPDX-License-Identifier: GPL-3.0-or-later
"""How a take goes along the path it was asked for, and how tightly it turns."""

from __future__ import annotations

import math

import numpy as np

from ..gaits.shot_path import shot_path
from ..maths.angles import plane_angle
from ..maths.quaternions import quat_rotate
from ..take import Take
from ..worlds.paths import offset
from .strides import WholeStrides, strikes_s

LEAST_TURN_RAD = math.radians(45.0)
"""A way that turns by less has no radius worth the name."""


def stride_places(take: Take, strides: WholeStrides) -> np.ndarray:
    """Mean place (N,) of the centre of mass in each stride, x + iy [m]: sway within the stride is gone."""
    number = strides.stride_of(take.time_s)
    return np.array([complex(*take.com_m[number == k, :2].mean(axis=0)) for k in range(strides.count)])


def way_m(take: Take) -> float:
    """Length of the way [m] of the centre of mass over the ground from the first sample to the last, from landing to landing of
    any foot: what it sways within a step counts no more than a turn does."""
    landed = [strikes_s(take, foot) for foot in range(len(take.body.feet))] if take.body.feet else []
    times = np.unique(np.concatenate([take.time_s[[0, -1]], *landed]))
    places = [np.interp(times, take.time_s, take.com_m[:, axis]) for axis in (0, 1)]
    return float(np.hypot(*np.diff(places, axis=1)).sum())


def heading_rad(take: Take) -> np.ndarray:
    """The pelvis' direction (T,) about the vertical, without jumps."""
    forward = quat_rotate(take.root_quaternion, np.broadcast_to([1.0, 0.0, 0.0], take.root_position_m.shape))
    return np.unwrap(plane_angle(forward[:, 1], forward[:, 0]))


def turning_radius_m(take: Take, strides: WholeStrides, speed_m_s: float) -> float | None:
    """Way over turn of the pelvis, left positive; None where it turns by less than `LEAST_TURN_RAD`."""
    first, last = strides.at_boundaries(take.time_s, heading_rad(take))[[0, -1]]
    return speed_m_s * strides.duration_s / float(last - first) if abs(last - first) >= LEAST_TURN_RAD else None


def path_error_m(take: Take, strides: WholeStrides) -> float | None:
    """Root mean square over strides of the distance from the path to the stride's mean place.

    A circle whose radius the gait chose is fitted (least squares); None where fewer than four strides are there to fit it.
    """
    places = stride_places(take, strides)
    spec = take.shot.path
    if spec.kind == "circle" and not spec.radius_m:
        return _roundness_m(places)
    path, near, off = shot_path(take.shot, take.body.leg_length_m), None, []
    for place in places.tolist():
        near = path.locate(place, near)
        off.append(offset(path, near, place))
    return math.sqrt(float(np.mean(np.square(off))))


def _roundness_m(places: np.ndarray) -> float | None:
    """Root mean square distance of places (N,) from the circle that fits them best: |p|^2 = 2 c.p + (r^2 - |c|^2)."""
    if len(places) < 4:
        return None
    columns = np.column_stack([2.0 * places.real, 2.0 * places.imag, np.ones(len(places))])
    (x, y, rest), *_ = np.linalg.lstsq(columns, np.abs(places) ** 2, rcond=None)
    radius = math.sqrt(max(0.0, rest + x * x + y * y))
    return math.sqrt(float(np.mean((np.abs(places - complex(x, y)) - radius) ** 2)))

# SPDX-License-Identifier: GPL-3.0-or-later
"""How well a take keeps the speed that its plan asks for, stride by stride."""

from __future__ import annotations

import numpy as np

from ..maths.quaternions import quat_rotate
from ..take import Take
from .strides import WholeStrides, sample_lengths_s


def speed_over_planned(take: Take, strides: WholeStrides) -> float | None:
    """Way of the whole strides over the way that was planned for the same times: slow bends are planned, and strides in which
    the walk starts from standing or stops to it are left out. Older takes have one planned speed for all. None where no stride
    is left, or none was to lead on."""
    gone, planned = ways_m(take, strides), _planned_m(take, strides)
    kept = np.isfinite(planned)
    asked = float(planned[kept].sum())
    return float(gone[kept].sum()) / asked if asked else None


def ways_m(take: Take, strides: WholeStrides) -> np.ndarray:
    """How far (N,) [m] each stride leads: its chord, lengthened to the arc that turns as the root does. So the way is the
    path's in a bend, too, without the sway within the stride."""
    chords = np.linalg.norm(np.diff(strides.at_boundaries(take.time_s, take.com_m[:, :2]), axis=0), axis=1)
    forward = quat_rotate(take.root_quaternion, np.broadcast_to([1.0, 0.0, 0.0], take.root_position_m.shape))
    heading = np.unwrap(np.arctan2(forward[:, 1], forward[:, 0]))
    half = 0.5 * np.diff(strides.at_boundaries(take.time_s, heading))
    return chords / np.sinc(half / np.pi)


def _planned_m(take: Take, strides: WholeStrides) -> np.ndarray:
    """How far (N,) [m] the plan asks each stride to lead; not a number where it starts or stops standing."""
    if not take.holds("plan_speed_m_s"):
        return np.diff(strides.time_s) * take.stats["planned_speed_m_s"]
    lengths, number = sample_lengths_s(take.time_s), strides.stride_of(take.time_s)
    means = [np.average(take.plan_speed_m_s[number == k], weights=lengths[number == k]) for k in range(strides.count)]
    return np.diff(strides.time_s) * np.array(means)

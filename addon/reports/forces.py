# SPDX-License-Identifier: GPL-3.0-or-later
"""Forces and torques of a take against what the ground and a person can give."""

from __future__ import annotations

import numpy as np

from ..controllers.tracking.weights import torque_limits
from ..take import Take
from ..worlds.ground import make_ground
from .strides import end_of_walking_s
from .weight import weight_n

CARRIES = 0.10
"""A foot counts for friction while it carries more than this share of the weight: below, both forces are a few newtons and
their ratio says nothing."""
TYPICAL = 95.0
"""Percentile that stands for "nearly always": landings last a few samples of a hundred."""


def friction_use(take: Take) -> np.ndarray:
    """The numbers (K,) of `friction_series`."""
    series = friction_series(take).T
    return series[np.isfinite(series)]


def friction_series(take: Take) -> np.ndarray:
    """Tangential over normal ground force over the friction coefficient (T, F) of every sample and foot that carries weight,
    up to a fall, not a number elsewhere; 1 is all that the ground can give. The body must have feet."""
    ground = make_ground(take.shot.world.ground)
    carried = take.grf_n[..., 2] > CARRIES * weight_n(take)[:, None]
    carried &= (take.time_s <= end_of_walking_s(take))[:, None]
    used = np.full(carried.shape, np.nan)
    for row, foot in enumerate(take.body.feet):
        rows, points = carried[:, row], list(foot.points)
        places = take.contact_point_m[rows][:, points, :2].mean(axis=1)
        normal = ground.normal(places[:, 0], places[:, 1])
        force = take.grf_n[rows, row]
        pressing = (force * normal).sum(axis=1)
        along = np.linalg.norm(force - pressing[:, None] * normal, axis=1)
        used[rows, row] = along / (take.shot.world.friction * np.maximum(pressing, 1e-9))
    return used


def torque_use(take: Take) -> tuple[np.ndarray, list[str]]:
    """Largest and typical joint torque over a strong person's, (2, J) for the joints named: largest up to a fall, and its
    `TYPICAL` percentile. The body must be human: the limits are those of `weights.TORQUE_LIMIT_NM` for the mass without suit.
    """
    share = np.abs(take.torque_nm[take.time_s <= end_of_walking_s(take)]) / torque_limits(take.body)
    columns, at = [], 0
    for name in take.body.joint_segments:
        width = 3 if take.body.segment(name).joint == "ball" else 1
        columns.append(share[:, at:at + width].max(axis=1))
        at += width
    shares = np.array(columns)
    return np.array([shares.max(axis=1), np.percentile(shares, TYPICAL, axis=1)]), list(take.body.joint_segments)

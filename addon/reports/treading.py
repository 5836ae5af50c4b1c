# SPDX-License-Identifier: GPL-3.0-or-later
"""How feet come down and leave in a take: what makes a walk look like a person's, as a few numbers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..take import Take
from .events import clean_stances
from .weight import weight_n

TOUCHES = 0.01
"""A part of a foot is down when it carries more than this fraction of the weight."""

NEAR_PERCENT = 5.0
"""Ankles are as near as this percentile of how far they are apart: one sample is no habit."""


@dataclass(frozen=True)
class Treading:
    """The largest vertical force over the weight, the share of time on both feet, how long heels are down before the rest of the
    foot and toes stay after the heel [s] on the average, how far knees are bent as a foot comes down [rad], and how far the chest
    rolls from side to side [rad, rms]; the share of time on no foot, and how near ankles come to each other sideways [m]."""

    peak: float
    double_support: float
    heel_first_s: float
    toes_last_s: float
    knee_at_strike: float
    roll: float
    flight: float
    apart_m: float


def treading(take: Take, from_s: float = 0.0) -> Treading | None:
    """What a take of a human is like from a time on; None where it has no whole stance there."""
    rows = take.time_s >= from_s
    weight = weight_n(take)
    names = list(take.body.joint_segments)
    heels, toes, knees = [], [], []
    for side, begin, end in clean_stances(take):
        if begin < from_s:
            continue
        span = (take.time_s >= begin - 1e-9) & (take.time_s <= end + 1e-9)
        points, time = list(take.body.feet[side].points), take.time_s[span]
        down = take.contact_point_force_n[span][:, points] > TOUCHES * weight[span, None]
        back = np.array([take.body.contact_points[p].kind == "heel" for p in points])
        heel, fore = down[:, back].any(axis=1), down[:, ~back].any(axis=1)
        if not heel.any() or not fore.any():
            heels.append(0.0)
            toes.append(0.0)
        else:
            heels.append(time[fore][0] - time[heel][0])
            toes.append(time[fore][-1] - time[heel][-1])
        shank = take.body.feet[side].leg[1]
        knees.append(2.0 * float(np.arccos(min(abs(take.joint_quaternions[span][0, names.index(shank), 0]), 1.0))))
    if not heels:
        return None
    force, loaded = take.grf_n[rows][:, :, 2], take.contact[rows]
    segments, (places, turns) = [segment.name for segment in take.body.segments], take.segment_poses
    w, x, y, z = turns[rows, segments.index(take.body.role("trunk"))].T
    roll = np.arctan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y))
    left, right = (places[rows, segments.index(foot.segment), :2] for foot in take.body.feet[:2])
    w, x, y, z = turns[rows, 0].T
    yaw = np.arctan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))
    apart = (left - right)[:, 1] * np.cos(yaw) - (left - right)[:, 0] * np.sin(yaw)
    return Treading(float((force.sum(axis=1) / weight[rows]).max()), float(loaded.all(axis=1).mean()), float(np.mean(heels)),
                    float(np.mean(toes)), float(np.mean(knees)), float(np.std(roll)), float((~loaded.any(axis=1)).mean()),
                    float(np.percentile(apart, NEAR_PERCENT)))

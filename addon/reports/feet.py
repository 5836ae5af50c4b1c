# SPDX-License-Identifier: GPL-3.0-or-later
"""What the soles do on the ground: slip while loaded, and depth below it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..take import Take
from ..worlds.ground import make_ground
from .strides import end_of_walking_s, shortest_phase_s
from .weight import weight_n

LOADED_FRACTION = 0.02
"""A contact point is loaded while its own normal force exceeds this fraction of the body's weight."""


@dataclass(frozen=True)
class StanceSlip:
    """The slip of one stance of one foot: its start time and the largest slip of any of its points [m]."""

    start_s: float
    slip_m: float


def stance_slips(take: Take) -> list[StanceSlip]:
    """Slip of every stance up to a fall, in order of time.

    A stance lasts while the foot or any of its points is loaded, moments without load included. Within it each point's slip
    is the vector sum of its travel along the ground between samples at both of which it is loaded; the stance's slip is the
    longest such vector met. The points are the nearest to the ground of small spheres, so rolling over the ball of the foot
    counts as travel.
    """
    travelled = travel_along_ground(take)
    loaded = loaded_points(take)
    before_fall = take.time_s <= end_of_walking_s(take)
    stances = []
    for row, foot in enumerate(take.body.feet):
        points = list(foot.points)
        down = (take.contact[:, row] | loaded[:, points].any(axis=1)) & before_fall
        for start, end in joined(runs(down), take.time_s, shortest_phase_s(take)):
            both = loaded[start:end - 1, points] & loaded[start + 1:end, points]
            travel = np.cumsum(travelled[start:end - 1, points] * both[..., None], axis=0)
            slip = float(np.linalg.norm(travel, axis=-1).max(initial=0.0))
            stances.append(StanceSlip(float(take.time_s[start]), slip))
    return sorted(stances, key=lambda s: s.start_s)


def travel_along_ground(take: Take) -> np.ndarray:
    """Travel (T-1, P, 3) [m] of the contact points from sample to sample, without its part along the ground's normal."""
    points = take.contact_point_m
    normal = make_ground(take.shot.world.ground).normal(points[:-1, :, 0], points[:-1, :, 1])
    travel = np.diff(points, axis=0)
    return travel - (travel * normal).sum(axis=-1, keepdims=True) * normal


def loaded_points(take: Take) -> np.ndarray:
    """Which contact points (T, P) bool carry more than `LOADED_FRACTION` of the weight."""
    return take.contact_point_force_n > LOADED_FRACTION * weight_n(take)[:, None]


def deepest_m(take: Take) -> float:
    """Largest depth [m] of any contact point below the ground up to a fall; 0 if none was below."""
    return max(0.0, float(depths_m(take).max()))


def depths_m(take: Take) -> np.ndarray:
    """Depth (T', P) [m] of the contact points below the ground, negative above it, of the samples up to a fall."""
    points, ground = take.contact_point_m[take.time_s <= end_of_walking_s(take)], make_ground(take.shot.world.ground)
    x, y, z = np.moveaxis(points, -1, 0)
    return (ground.height(x, y) - z) * ground.normal(x, y)[..., 2]


def runs(mask: np.ndarray) -> list[tuple[int, int]]:
    """Half-open index ranges over which a mask (T,) is true."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]]).astype(int)))
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))


def joined(ranges: list[tuple[int, int]], time_s: np.ndarray, gap_s: float) -> list[tuple[int, int]]:
    """Ascending half-open ranges, those less than `gap_s` apart made one."""
    out: list[tuple[int, int]] = []
    for start, end in ranges:
        if out and time_s[start] - time_s[out[-1][1]] < gap_s:
            out[-1] = (out[-1][0], end)
        else:
            out.append((start, end))
    return out

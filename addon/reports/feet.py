# SPDX-License-Identifier: GPL-3.0-or-later
"""What the soles do on the ground, slip while loaded and depth below it; and the flights of a take."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..maths.curves import closest
from ..rows import in_blocks, let_go
from ..sim.take import Take
from ..specs.motions import Followed
from ..worlds.ground import make_ground
from .strides import end_of_walking_s, gravity_m_s2, shortest_phase_s, walked_samples, weight_n, whole_strides

LOADED_FRACTION = 0.02
"""A contact point is loaded while its own normal force exceeds this fraction of the body's weight."""


@dataclass(frozen=True)
class StanceSlip:
    """The slip of one stance of one foot: its start time and the largest slip of any of its points [m]."""

    start_s: float
    slip_m: float


def stance_slips(take: Take) -> list[StanceSlip]:
    """Slip of every stance up to a fall, in order of time. A stance lasts while the foot or any of its points is loaded, moments
    without load included. Within it each point's slip is the vector sum of its travel along the ground between samples at both of
    which it is loaded; the stance's slip is the longest such vector met. The points are the nearest to the ground of small
    spheres, so rolling over the ball of the foot counts as travel."""
    loaded = loaded_points(take)
    before_fall = take.time_s <= end_of_walking_s(take)
    stances = []
    for row, foot in enumerate(take.body.feet):
        points = list(foot.points)
        down = (take.contact[:, row] | loaded[:, points].any(axis=1)) & before_fall
        for start, end in joined(runs(down), take.time_s, shortest_phase_s(take)):
            both = loaded[start:end - 1, points] & loaded[start + 1:end, points]
            travel = np.cumsum(travel_along_ground(take, slice(start, end))[:, points] * both[..., None], axis=0)
            slip = float(np.linalg.norm(travel, axis=-1).max(initial=0.0))
            stances.append(StanceSlip(float(take.time_s[start]), slip))
            let_go(take.contact_point_m)
    return sorted(stances, key=lambda s: s.start_s)


def travel_along_ground(take: Take, rows: slice) -> np.ndarray:
    """Travel (n-1, P, 3) [m] of the contact points in n samples from one to the next, without its part along the ground's
    normal."""
    points = take.contact_point_m[rows]
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
    ground = make_ground(take.shot.world.ground)

    def depths(rows: slice) -> np.ndarray:
        x, y, z = np.moveaxis(take.contact_point_m[rows], -1, 0)
        return (ground.height(x, y) - z) * ground.normal(x, y)[..., 2]

    return in_blocks(depths, walked_samples(take), take.contact_point_m)


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


def between(start: np.ndarray, end: np.ndarray, begin: np.ndarray, stop: np.ndarray) -> np.ndarray:
    """Distances (T,) of straight lines from `start` to `end` from others from `begin` to `stop`, all (T, 3)."""
    points = closest(np.stack([start, end], axis=1), np.stack([begin, stop], axis=1))
    return np.linalg.norm(points[:, 0] - points[:, 1], axis=1)


LEAST_SAMPLES = 3
"""Moments without load shorter than this are chatter of the contact, not flights."""


@dataclass(frozen=True)
class Flight:
    """From take-off to landing: when, the centre of mass's vertical velocity at both [m/s], and gravity [m/s^2]."""

    start_s: float
    end_s: float
    off_m_s: float
    landing_m_s: float
    gravity_m_s2: float

    @property
    def duration_s(self) -> float:
        return self.end_s - self.start_s

    @property
    def over_ballistic(self) -> float:
        """Flight time over 2 v / g, with v half of what the vertical velocity loses: the mean of take-off and landing speed. A
        body on which nothing but gravity acts has exactly 1, also where it lands higher or lower than it took off."""
        return self.duration_s * self.gravity_m_s2 / (self.off_m_s - self.landing_m_s)


def flights(take: Take) -> list[Flight]:
    """Flights over the whole strides, in order of time, of a take that follows a clip all of them; a foot is loaded above 2 % of
    the weight."""
    strides = whole_strides(take)
    if strides is None and not isinstance(take.shot.motion, Followed):
        return []
    gravity = gravity_m_s2(take)
    inside = take.time_s <= end_of_walking_s(take)
    if strides is not None:
        inside &= strides.rows(take.time_s)
    found = []
    for start, end in runs(~take.contact.any(axis=1)):
        if end - start >= LEAST_SAMPLES and start > 0 and inside[start] and inside[end - 1]:
            before, last = start - 1, end - 1  # a sample's force stands for the interval that ends there
            off, landing = take.com_velocity_m_s[[before, last], 2].tolist()
            if off > landing:
                found.append(Flight(float(take.time_s[before]), float(take.time_s[last]), off, landing,
                                    float(np.mean(gravity[before:last + 1]))))
    return found



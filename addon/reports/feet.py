# SPDX-License-Identifier: GPL-3.0-or-later
"""What the soles do on the ground, slip while loaded and depth below it; flights; forces and torques against what the ground and
a person can give; and what would have pressed under the feet of a motion on rails (Yin 2007, appendix A: the zero moment
point)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..locomotion.tracking.weights import torque_limits
from ..maths.curves import closest, runs
from ..rows import in_blocks, let_go
from ..sim.take import Take
from ..specs.motions import Followed
from ..worlds.ground import Steps, make_ground
from .strides import end_of_walking_s, gravity_m_s2, shortest_phase_s, walked_samples, weight_n, whole_strides

CARRIES = 0.10
"""A foot counts for friction while it carries more than this share of the weight: below, the ratio of forces says nothing."""
TYPICAL = 95.0
"""Percentile that stands for "nearly always": landings last a few samples of a hundred."""


def friction_use(take: Take) -> np.ndarray:
    """The numbers (K,) of `friction_series`."""
    series = friction_series(take).T
    return series[np.isfinite(series)]


def friction_series(take: Take) -> np.ndarray:
    """Tangential over normal force over friction (T, F) where a foot carries weight, up to a fall, else not a number."""
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


def torque_peak_nm(take: Take) -> float:
    """Largest torque [N m] of any joint up to a fall."""
    peaks = in_blocks(lambda rows: np.abs(take.torque_nm[rows]).max(axis=1, initial=0.0), walked_samples(take), take.torque_nm)
    return float(peaks.max(initial=0.0))


def torque_use(take: Take) -> tuple[np.ndarray, list[str]]:
    """Largest and typical joint torque over a strong person's, (2, J) for the joints named: largest up to a fall, and its
    `TYPICAL` percentile. The body must be human: the limits are those of `weights.TORQUE_LIMIT_NM` for the mass without suit."""
    limits, names = torque_limits(take.body), list(take.body.joint_segments)
    widths = [3 if take.body.segment(name).joint == "ball" else 1 for name in names]
    starts = np.cumsum([0, *widths[:-1]])

    def shares(rows: slice) -> np.ndarray:
        return np.maximum.reduceat(np.abs(take.torque_nm[rows]) / limits, starts, axis=1)

    used = in_blocks(shares, walked_samples(take), take.torque_nm).T
    return np.array([used.max(axis=1), [np.percentile(one, TYPICAL) for one in used]]), names


TREAD_UNITS: dict[str, str] = {"treads": "", "treads_skipped": ""}


def tread_counts(take: Take) -> dict[str, int]:
    """On how many treads of steps some point of a foot carried weight up to a fall, and how many were passed over before the last
    of them; the ground before the first edge is none."""
    ground = make_ground(take.shot.world.ground)
    carries = take.contact_point_force_n > CARRIES * weight_n(take)[:, None]
    carries &= (take.time_s <= end_of_walking_s(take))[:, None]
    x, y = take.contact_point_m[carries][:, :2].T
    trodden = set(ground.tread(x, y).astype(int).tolist()) - {0} if isinstance(ground, Steps) else set()
    return {"treads": len(trodden), "treads_skipped": max(trodden, default=0) - len(trodden)}


SMOOTH_S = 0.04
"""Standard deviation over which accelerations are smoothed: captured poses shake (first guess)."""
LOW_M, STILL_M_S = 0.02, 0.5
"""How far over the lowest that its foot comes, and how fast over the ground, a point that bears weight may be (first guess)."""
LEAST_BEARING = 1e-3
LOWEST_SHARE = 10.0
"""Percentile of a foot's heights that is its ground: clips sink and float by a centimetre."""
EVEN = 0.05
"""How much is given for even shares, over the moments, of a length of a foot [m]."""


def forces_on_floor(take: Take) -> np.ndarray:
    """Normal forces (T, P) [N] on a Take's contact points."""
    from scipy.ndimage import gaussian_filter1d  # what few takes need loads when it is needed
    from scipy.optimize import nnls

    dt = float(take.time_s[-1] - take.time_s[0]) / (len(take.time_s) - 1)
    mass, gravity = take.body.mass_kg, take.shot.world.gravity_m_s2
    smooth = SMOOTH_S / dt
    com = gaussian_filter1d(take.com_m, smooth, axis=0, mode="nearest")
    acceleration = np.gradient(np.gradient(com, dt, axis=0), dt, axis=0)
    acceleration[:2], acceleration[-2:] = acceleration[2], acceleration[-3]
    force = np.maximum(mass * (gravity + acceleration[:, 2]), 0.0)
    point = take.contact_point_m
    ground = _ground(take)
    height = com[:, 2] - ground.mean()
    safe = np.maximum(force, 0.1 * mass * gravity)
    centre = com[:, :2] - (mass * height / safe)[:, None] * acceleration[:, :2]
    bearing = _bearing(take, ground, dt, smooth)
    found = np.zeros(bearing.shape)
    for t in np.nonzero(force > 0.0)[0]:
        able = bearing[t] > LEAST_BEARING
        if not able.any():
            continue
        arm = (point[t, able, :2] - centre[t]).T
        rows = np.vstack([np.ones(int(able.sum())), arm, np.diag(EVEN / np.sqrt(bearing[t, able]))])
        shares = nnls(rows, np.concatenate([[1.0], np.zeros(len(rows) - 1)]))[0]
        found[t, able] = force[t] * shares / max(float(shares.sum()), 1e-9)
    return found


def _ground(take: Take) -> np.ndarray:
    """Height of the ground (P,) as each point's foot has it."""
    found = np.zeros(take.contact_point_m.shape[1])
    for foot in take.body.feet:
        rows = list(foot.points)
        found[rows] = np.percentile(take.contact_point_m[:, rows, 2].min(axis=1), LOWEST_SHARE)
    return found


def _bearing(take: Take, ground: np.ndarray, dt: float, smooth: float) -> np.ndarray:
    """How able each point is to bear weight (T, P), 1 where it rests on the ground."""
    from scipy.ndimage import gaussian_filter1d

    point = take.contact_point_m
    high = np.maximum(point[:, :, 2] - ground, 0.0) / LOW_M
    speed = np.linalg.norm(np.gradient(gaussian_filter1d(point[:, :, :2], smooth, axis=0, mode="nearest"), dt, axis=0), axis=2)
    found = np.exp(-high**2 - (speed / STILL_M_S) ** 2)
    return np.where(found.max(axis=1, keepdims=True) > LEAST_BEARING, found, np.exp(-high / 2.0))


LOADED_FRACTION = 0.02
"""A contact point is loaded while its own normal force exceeds this fraction of the body's weight."""


@dataclass(frozen=True)
class StanceSlip:
    """The slip of one stance of one foot: its start time and the largest slip of any of its points [m]."""

    start_s: float
    slip_m: float


def stance_slips(take: Take) -> list[StanceSlip]:
    """Slip of every stance up to a fall, in order: while the foot or any of its points is loaded, the longest vector sum of a
    point's travel along the ground between samples at both of which it is loaded. The points are the nearest to the ground of
    small spheres, so rolling over the ball counts as travel."""
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
    """Travel (n-1, P, 3) [m] of contact points from one of n samples to the next, along the ground."""
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
    """Flights over the whole strides, in order, or all of a take that follows a clip; feet bear over 2 % of the weight."""
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

# SPDX-License-Identifier: GPL-3.0-or-later
"""Forces and torques of a take against what the ground and a person can give; and what would have pressed under the feet of a
motion on rails: the forces on its contact points by which its momentum changes as it does (Yin 2007, appendix A: the zero moment
point), on what is low and still."""

from __future__ import annotations

import numpy as np

from ..locomotion.tracking.weights import torque_limits
from ..rows import in_blocks
from ..sim.take import Take
from ..worlds.ground import make_ground
from .strides import end_of_walking_s, walked_samples, weight_n

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

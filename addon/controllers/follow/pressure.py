# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the pressure under a clip's standing feet is wanted: under one foot on its line from heel to ball, between two where the
plan before had it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.ndimage import gaussian_filter1d

from ...bodies.human.landmarks import SIDES
from ..tracking.planners.foot_geometry import FootGeometry
from .clip import FollowedClip
from .prints import Print, Prints
from .schedule import FOREVER_S, Schedule, weights
from .settings import PlanSettings

SHARES, ASIDE_M = (0.1, 0.9), 0.05
"""Between two standing feet the pressure stays within these shares of their distance and so near to their line."""
PRESSURE_SMOOTHING_S = 0.15
"""Low-pass of the clip's own centre of mass for the first guess of the pressure between two standing feet."""
VELOCITY_SMOOTHING_S = 0.10
SIGN = {"L": 1, "R": -1}


@dataclass(frozen=True)
class PressureWish:
    """Over K nodes: `lines` (K, 2) of the feet and the pressure `by_shares` (K,) that their shares of the weight make of them,
    the `weight` (K,) of the wish, whether both feet stand and neither lands or lifts soon (`settled`), or none does (`aloft`);
    and a first guess of the `pressure` (K,). Places are x + iy [m]."""

    lines: np.ndarray
    by_shares: np.ndarray
    weight: np.ndarray
    settled: np.ndarray
    aloft: np.ndarray
    pressure: np.ndarray

    def wanted(self, pressure: np.ndarray) -> np.ndarray:
        """The wanted pressure (K,), given the one (K,) that the plan before has."""
        found, settled = self.by_shares.copy(), self.settled
        found[settled] = between(pressure[settled], self.lines[settled])
        return found


def pressure_wish(
    clip: FollowedClip, schedule: Schedule, prints: Prints, geometry: FootGeometry, times: np.ndarray, step: float,
    place: np.ndarray, settings: PlanSettings,
) -> PressureWish:
    """The wish at nodes `step` [clip s] apart (K,), at which the clip's centre of mass is at places (K,)."""
    shares = weights(schedule, times, settings.ramp_s)
    velocity = _smoothed(np.gradient(place, step), VELOCITY_SMOOTHING_S / step)
    lines = np.stack([pressure_line(clip, prints[side], times, velocity, geometry, settings) for side in SIDES], axis=1)
    standing = (shares > 0.0).sum(axis=1)
    weight = np.where(standing == 2, settings.double_weight, 1.0) * (standing > 0)
    settled = settled_nodes(schedule, times, settings.settled_s) & (standing == 2)
    return PressureWish(lines, (shares * lines).sum(axis=1), weight, settled, standing == 0,
                        _smoothed(place, PRESSURE_SMOOTHING_S / step))


def pressure_line(
    clip: FollowedClip, prints: list[Print], times: np.ndarray, velocity: np.ndarray, geometry: FootGeometry,
    settings: PlanSettings,
) -> np.ndarray:
    """Centre of pressure (K,) under a foot at times (K,), were all the weight on it: from heel to ball over its stance, the
    other way round where the body passes backward, and at mid foot where it stays. Between stances it is the next one's, or the
    last one's."""
    leg, found = clip.body.leg_length_m, np.zeros(len(times), dtype=complex)
    heel, ball = settings.cop_heel * leg, settings.cop_ball * geometry.ball_x
    middle = 0.5 * (heel + ball)
    until = -FOREVER_S
    for i, one in enumerate(prints):
        stance = one.stance
        rows = times > until
        until = FOREVER_S if i == len(prints) - 1 else stance.off_s
        start = stance.strike_s if stance.strike_s > -0.5 * FOREVER_S else clip.start_s
        end = min(stance.off_s, clip.end_s)
        facing, place, turning = _turned(one, times[rows])
        share = np.clip((times[rows] - start) / max(end - start, 1e-6), 0.0, 1.0)
        passing = np.clip((velocity[rows] / facing).real / settings.passing_m_s, -1.0, 1.0)
        along = middle + passing * (heel + (ball - heel) * share - middle)
        under = along - 1j * SIGN[one.side] * settings.cop_inward * leg
        if one.turn is not None:
            under = under + turning * (one.turn.pivot - under)
        found[rows] = place + facing * under
    return found


def _turned(one: Print, times: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Facing (k,) as unit vectors, places (k,) and shares of turning (k,) of a print at times (k,)."""
    if one.turn is None:
        return np.full(len(times), np.exp(1j * one.yaw)), np.full(len(times), one.place), np.zeros(len(times))
    steps = [one.planned(time) for time in times.tolist()]
    return (np.exp(1j * np.array([step.yaw for step in steps])), np.array([step.place for step in steps]),
            np.array([one.turn.share(time) for time in times.tolist()]))


def settled_nodes(schedule: Schedule, times: np.ndarray, margin_s: float) -> np.ndarray:
    """(K,) bool: no foot lands or lifts within `margin_s`."""
    events = np.array([x for stances in schedule.values() for s in stances for x in (s.strike_s, s.off_s)])
    return (np.abs(times[:, None] - events) > margin_s).all(axis=1)


def _smoothed(values: np.ndarray, width: float) -> np.ndarray:
    return gaussian_filter1d(values, width, mode="nearest")


def between(pressure: np.ndarray, lines: np.ndarray) -> np.ndarray:
    """Pressures (k,) moved between two feet (k, 2)."""
    way = lines[:, 1] - lines[:, 0]
    long = np.maximum(np.abs(way), 1e-6)
    local = (pressure - lines[:, 0]) / (way / long)
    return lines[:, 0] + way / long * (np.clip(local.real, SHARES[0] * long, SHARES[1] * long)
                                       + 1j * np.clip(local.imag, -ASIDE_M, ASIDE_M))

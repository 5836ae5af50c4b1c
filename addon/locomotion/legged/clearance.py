# SPDX-License-Identifier: GPL-3.0-or-later
"""Over edges: the smoothest raise of a swinging foot that keeps its sole off the ground between its lift and its landing, as
quickly as a leg can raise it. Of all curves over what is needed it has the least mean square acceleration."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ...worlds.ground import Ground
from ..qp.program import BIG, Problem, solve_daqp
from .foot_geometry import FootGeometry, FootPose, Footstep
from .foot_path import FootPath

KNOTS = np.linspace(0.0, 1.0, 33)
"""Shares of the swing."""
SOLE_OVER_M, ENDS = 0.025, 0.25
"""How far over the ground the sole is kept, and the share of the swing at either end in which it comes to that."""
AHEAD_M, BEHIND_M = 0.012, 0.03
"""How far ahead of a point and behind it the ground counts: a foot lags behind its plan."""
QUICKEST_G = 3.0
"""Acceleration, over Earth's gravity, with which a foot can leave the ground and come back to it there. It goes with the root of
gravity, as people's steps do: by gravity itself no foot came over a riser in the time that people take for a step on the Moon."""
Raise = Callable[[float], float]


def no_raise(share: float) -> float:
    """The raise of a swing that is yet to be looked at."""
    return 0.0


def raise_over(path: FootPath, lift: FootPose, target: Footstep, heading: float, ground: Ground, quickest_m: float,
               since: float = 0.0) -> Raise:
    """The raise [m] by the share of the swing from `lift` to `target`; up to a share `since` what `lift` has stays. `quickest_m`
    is how high the foot comes in the time of the whole swing at `QUICKEST_G`."""
    toe_off = path.phases.toe_off
    poses = path.swinging(replace(lift, over=no_raise), target, (toe_off + KNOTS * (1.0 - toe_off)).tolist(), heading)
    soles = np.array([sole_places(path.geometry, pose, heading) for pose in poses])
    x, y, z = np.moveaxis(soles, 2, 0)
    c, s = math.cos(target.yaw), math.sin(target.yaw)
    high = np.max([ground.height(x + away * c, y + away * s) for away in (-BEHIND_M, 0.0, AHEAD_M)], axis=0)
    ends = np.minimum(KNOTS, 1.0 - KNOTS)
    need = (high - z).max(axis=1) + SOLE_OVER_M * np.minimum(ends / ENDS, 1.0)
    rises = target.support.height_m > lift.ground_m
    return _smoothest(np.clip(need, 0.0, quickest_m * ends**2), lift.over, since, rises)


def _smoothest(need: np.ndarray, before: Raise | None, since: float, soft: bool) -> Raise:
    """The curve from 0 to 0 over needs (N,) at the knots that is as it was `before` up to a share; `soft` ends level."""
    from scipy.interpolate import CubicSpline  # loads for a third of a second, and only ground with edges needs it

    inner = slice(1, -1)
    low, high = need[inner].copy(), np.full(len(need) - 2, BIG)
    if before is not None:
        past = KNOTS[inner] <= since
        low[past] = high[past] = [before(share) for share in KNOTS[inner][past].tolist()]
    second = np.diff(np.eye(len(need)), 2, axis=0)[:, inner]
    if soft:
        second = np.concatenate([second, 2.0 * np.eye(len(low))[-1:]])
    found = solve_daqp(Problem(second.T @ second, np.zeros(len(low)), np.zeros((0, len(low))), np.zeros(0), 0, low, high))
    values = np.zeros(len(need))
    values[inner] = low if found is None else found
    return CubicSpline(KNOTS, values, bc_type=((2, 0.0), (1, 0.0) if soft else (2, 0.0)))


def sole_places(geometry: FootGeometry, pose: FootPose, heading: float) -> np.ndarray:
    """Places (4, 3) [m] of heel, middle, ball and tip of a sole in a pose, of its pitch and yaw alone."""
    pitch, yaw = float(pose.rotvec[1]), heading + float(pose.rotvec[2])
    c, s, h = math.cos(pitch), math.sin(pitch), geometry.ankle_height_m
    toe, tip = pitch - pose.toe, geometry.tip_x - geometry.ball_x
    ball = c * geometry.ball_x - s * h, -s * geometry.ball_x - c * h
    along = [c * geometry.heel_x - s * h, 0.5 * c * geometry.ball_x - s * h, ball[0], ball[0] + math.cos(toe) * tip]
    up = [-s * geometry.heel_x - c * h, -0.5 * s * geometry.ball_x - c * h, ball[1], ball[1] - math.sin(toe) * tip]
    return np.column_stack([np.outer(along, [math.cos(yaw), math.sin(yaw)]), up]) + pose.ankle

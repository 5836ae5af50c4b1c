# SPDX-License-Identifier: GPL-3.0-or-later
"""From the planned poses of both feet at three moments to the motion that the tracker should give them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from ....maths.plain_rotations import about_z, from_rotvec, inverse, product, to_rotvec
from .foot_path import FootPose
from .targets import FootTarget

SIDES = ("L", "R")
FeetPose = dict[str, FootPose]


def foot_targets(
    heading: float, instants: Sequence[FeetPose], dt: float, stands: Mapping[str, bool], turn_limit: float = math.inf
) -> dict[str, FootTarget]:
    """Wanted motion of the feet from their poses `dt` [s] before, now and `dt` after, by central differences.

    `stands` tells which foot its contact points hold. No angular acceleration fed forward exceeds `turn_limit` [rad/s^2].
    """
    turn, found = about_z(heading), {}
    for side in SIDES:
        poses = [feet[side] for feet in instants]
        (x0, y0, z0), (x, y, z), (x1, y1, z1) = (pose.ankle.tolist() for pose in poses)
        before, now, after = (product(turn, from_rotvec(pose.rotvec.tolist())) for pose in poses)
        first, second = to_rotvec(product(now, inverse(before))), to_rotvec(product(after, inverse(now)))
        half, square = 0.5 / dt, 1.0 / dt**2
        row = np.array([
            x, y, z, half * (x1 - x0), half * (y1 - y0), half * (z1 - z0),
            square * (x1 - 2.0 * x + x0), square * (y1 - 2.0 * y + y0), square * (z1 - 2.0 * z + z0), *now,
            *[half * (a + b) for a, b in zip(first, second, strict=True)],
            *[min(max(square * (b - a), -turn_limit), turn_limit) for a, b in zip(first, second, strict=True)]])
        found[side] = FootTarget(row[:3], row[3:6], row[6:9], row[9:13], row[13:16], stands[side], row[16:])
    return found


def turn_quat(heading: float) -> np.ndarray:
    """Quaternion (4,) of a turn about the vertical [rad]."""
    return np.array([math.cos(0.5 * heading), 0.0, 0.0, math.sin(0.5 * heading)])

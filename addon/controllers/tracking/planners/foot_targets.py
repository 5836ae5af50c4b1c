# SPDX-License-Identifier: GPL-3.0-or-later
"""From the planned poses of both feet at three moments to the motion that the tracker should give them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from ....maths.quaternions import quat_conjugate, quat_from_rotvec, quat_multiply, rotvec_from_quat
from .foot_path import FootPose
from .targets import FootTarget

SIDES = ("L", "R")
FeetPose = dict[str, FootPose]


def foot_targets(
    heading: float, moments: Sequence[FeetPose], dt: float, stands: Mapping[str, bool], turn_limit: float = math.inf
) -> dict[str, FootTarget]:
    """Wanted motion of the feet from their poses `dt` [s] before, now and `dt` after, by central differences.

    `stands` tells which foot its contact points hold. No angular acceleration fed forward exceeds `turn_limit` [rad/s^2].
    """
    ankles = np.array([[feet[side].ankle for side in SIDES] for feet in moments])
    rotvecs = np.array([[feet[side].rotvec for side in SIDES] for feet in moments])
    quats = quat_multiply(turn_quat(heading), quat_from_rotvec(rotvecs))
    turned = rotvec_from_quat(quat_multiply(quats[1:], quat_conjugate(quats[:-1]))) / dt
    spins = 0.5 * (turned[0] + turned[1])
    spin_rates = np.minimum(np.maximum((turned[1] - turned[0]) / dt, -turn_limit), turn_limit)
    velocities = (ankles[2] - ankles[0]) / (2.0 * dt)
    accelerations = (ankles[2] - 2.0 * ankles[1] + ankles[0]) / dt**2
    return {side: FootTarget(ankles[1, i], velocities[i], accelerations[i], quats[1, i], spins[i], stands[side], spin_rates[i])
            for i, side in enumerate(SIDES)}


def turn_quat(heading: float) -> np.ndarray:
    """Quaternion (4,) of a turn about the vertical [rad]."""
    return np.array([math.cos(0.5 * heading), 0.0, 0.0, math.sin(0.5 * heading)])

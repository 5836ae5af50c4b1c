# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a foot that is found in the midst of its swing would have left the ground, for its path to pass through where it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ....bodies.state import BodyState
from ....maths.curves import smooth
from ....maths.quaternions import quat_conjugate, quat_multiply, rotvec_from_quat
from .foot_path import FootPath, FootPose, Footstep
from .foot_targets import turn_quat

ROUNDS = 4
MOST_SWUNG = 0.8
"""Share of the swing up to which its start still tells on its path."""
LEAST_LEFT = 0.3
"""Least share of the start's height and turn that is left in the path for these to be moved."""


def swing_start(
    state: BodyState, path: FootPath, target: Footstep, stride: complex, since: float, heading: float,
    path_at: Callable[[FootPose], FootPose],
) -> FootPose:
    """The pose in which a foot left the ground that is on its way to `target` at a phase `since` its strike: that of the footstep
    one `stride` (world, x + iy [m]) before, moved so that `path_at`, the path's pose now, is the foot's own. What is left of the
    difference at the end of a swing is for who fades it."""
    before = replace(target, place=target.place - stride)
    lift = path.standing(before, [path.phases.toe_off], heading)[0]
    share = (since - path.phases.toe_off) / (1.0 - path.phases.toe_off)
    if not 0.0 <= share < MOST_SWUNG:
        return lift
    frame = state.frame(f"foot_{path.side}")
    rotvec = rotvec_from_quat(quat_multiply(quat_conjugate(turn_quat(heading)), frame.quaternion))
    left = 1.0 - float(smooth(share))
    for _ in range(ROUNDS):
        now = path_at(lift)
        lack = frame.position - now.ankle
        moved = lack / np.array([1.0 - share, 1.0 - share, left])
        moved[2] *= left > LEAST_LEFT
        turned = (rotvec - now.rotvec) / left if left > LEAST_LEFT else 0.0
        lift = replace(lift, ankle=lift.ankle + moved, rotvec=lift.rotvec + turned)
    return lift

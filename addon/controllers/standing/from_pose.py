# SPDX-License-Identifier: GPL-3.0-or-later
"""From a pose that a body has somewhere to the stance that it stands in there."""

from __future__ import annotations

import numpy as np

from ...bodies.body import Body
from ...bodies.kinematics import contact_point_positions, segment_poses
from ...bodies.model import build_model
from ...bodies.state import BodyState
from ...errors import InputError
from ...maths.quaternions import rotvec_from_quat
from ...specs.shot import World
from ...specs.stand import HELD_LEGS, StancePose
from .posed import Posed, posed

DIGITS = 4
"""Decimals of the turns [rad] that are kept; a smaller one is none."""


def stance_from_pose(body: Body, place: np.ndarray, turns: np.ndarray) -> tuple[StancePose, Posed]:
    """The stance of a body whose root is at `place` (3,) [m] over level ground at height 0, with `turns` (S, 4), the root's
    first, each other one relative to its parent; and what it comes to. Raises InputError for a pose with no foot on the ground,
    or one that does not stand."""
    places, orientations = segment_poses(body, place[None], turns[None, 0], turns[None, 1:])
    over_m = float(contact_point_positions(body, places, orientations)[0, :, 2].min())
    if over_m > HELD_LEGS * body.leg_length_m:
        raise InputError(f"No foot is on the ground: the lower one is {100.0 * over_m:.0f} cm above it. Lower the hips until it "
                         "stands.")
    vectors = np.round(rotvec_from_quat(turns), DIGITS)
    names = (body.segments[0].name, *body.joint_segments)
    pose = StancePose({name: (x, y, z) for name, (x, y, z) in zip(names, vectors.tolist(), strict=True) if x or y or z})
    return pose, posed(pose, BodyState(body, build_model(body, World())))

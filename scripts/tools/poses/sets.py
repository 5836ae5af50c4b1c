# SPDX-License-Identifier: GPL-3.0-or-later
"""Sets of two key poses of one step, as an animator would draw them: the right leg passes, and is about to land.

Each joint is turned against the segment above by a rotation vector [degrees] in the body's neutral axes (x forward, y left, z
up): a thigh forward and an elbow bent are negative about y, a knee bent and a trunk leaning forward positive; an arm is lifted
outward by x, positive on the left and negative on the right.
"""

from __future__ import annotations

from dataclasses import dataclass

Pose = dict[str, tuple[float, float, float]]


@dataclass(frozen=True)
class PoseSet:
    """Two poses, and how many frames of 24 a second lie between them."""

    passing: Pose
    landing: Pose
    apart: int


SWAGGER = PoseSet(
    passing={"pelvis": (0, -6, 0), "chest": (0, -6, -8), "head": (0, 8, 6),
             "thigh_R": (-4, -38, 0), "shank_R": (0, 62, 0), "foot_R": (0, 5, 0),
             "thigh_L": (4, 8, 0), "shank_L": (0, 8, 0), "foot_L": (0, -8, 0),
             "upper_arm_L": (32, -22, 0), "forearm_L": (0, -50, 0), "upper_arm_R": (-32, 18, 0), "forearm_R": (0, -40, 0)},
    landing={"pelvis": (0, -6, 0), "chest": (0, -6, 14), "head": (0, 8, -8),
             "thigh_R": (-6, -28, 0), "shank_R": (0, 6, 0), "foot_R": (0, -8, 0),
             "thigh_L": (4, 22, 0), "shank_L": (0, 10, 0), "foot_L": (0, 8, 0),
             "upper_arm_L": (32, -38, 0), "forearm_L": (0, -60, 0), "upper_arm_R": (-32, 34, 0), "forearm_R": (0, -30, 0)},
    apart=6)
CREEP = PoseSet(
    passing={"pelvis": (0, 14, 0), "chest": (0, 16, 0), "head": (0, -24, 0),
             "thigh_R": (0, -82, 0), "shank_R": (0, 96, 0), "foot_R": (0, 30, 0),
             "thigh_L": (0, -26, 0), "shank_L": (0, 26, 0), "foot_L": (0, 18, 0),
             "upper_arm_L": (20, -62, 0), "forearm_L": (0, -95, 0), "hand_L": (0, 40, 0),
             "upper_arm_R": (-20, -62, 0), "forearm_R": (0, -95, 0), "hand_R": (0, 40, 0)},
    landing={"pelvis": (0, 14, 0), "chest": (0, 20, 0), "head": (0, -28, 0),
             "thigh_R": (0, -44, 0), "shank_R": (0, 22, 0), "foot_R": (0, 24, 0),
             "thigh_L": (0, -4, 0), "shank_L": (0, 34, 0), "foot_L": (0, 14, 0),
             "upper_arm_L": (20, -74, 0), "forearm_L": (0, -100, 0), "hand_L": (0, 45, 0),
             "upper_arm_R": (-20, -74, 0), "forearm_R": (0, -100, 0), "hand_R": (0, 45, 0)},
    apart=10)
SOLDIER = PoseSet(
    passing={"thigh_R": (0, -58, 0), "shank_R": (0, 4, 0), "foot_R": (0, 12, 0),
             "thigh_L": (0, 2, 0), "shank_L": (0, 2, 0),
             "upper_arm_L": (6, -72, 0), "forearm_L": (0, -4, 0), "upper_arm_R": (-6, 30, 0), "forearm_R": (0, -4, 0)},
    landing={"thigh_R": (0, -28, 0), "shank_R": (0, 2, 0), "foot_R": (0, 4, 0),
             "thigh_L": (0, 20, 0), "shank_L": (0, 3, 0), "foot_L": (0, -12, 0),
             "upper_arm_L": (6, -50, 0), "forearm_L": (0, -4, 0), "upper_arm_R": (-6, 24, 0), "forearm_R": (0, -4, 0)},
    apart=7)
OLD = PoseSet(
    passing={"pelvis": (0, 16, 0), "lower_spine": (0, 12, 0), "chest": (0, 20, 0), "neck": (0, -18, 0), "head": (0, -14, 0),
             "thigh_R": (0, -42, 0), "shank_R": (0, 48, 0), "foot_R": (0, -20, 0),
             "thigh_L": (0, -24, 0), "shank_L": (0, 28, 0), "foot_L": (0, -16, 0),
             "upper_arm_L": (10, 26, 0), "forearm_L": (0, -78, 0), "upper_arm_R": (-8, -34, 0), "forearm_R": (0, -48, 0)},
    landing={"pelvis": (0, 16, 0), "lower_spine": (0, 12, 0), "chest": (0, 24, 0), "neck": (0, -20, 0), "head": (0, -16, 0),
             "thigh_R": (0, -36, 0), "shank_R": (0, 22, 0), "foot_R": (0, -2, 0),
             "thigh_L": (0, -8, 0), "shank_L": (0, 30, 0), "foot_L": (0, -18, 0),
             "upper_arm_L": (10, 22, 0), "forearm_L": (0, -78, 0), "upper_arm_R": (-8, -28, 0), "forearm_R": (0, -52, 0)},
    apart=8)
ZOMBIE = PoseSet(
    passing={"pelvis": (0, 4, 0), "chest": (6, 8, 0), "head": (-14, 10, 0),
             "thigh_R": (-8, -30, 0), "shank_R": (0, 42, 0), "foot_R": (0, -12, 0),
             "thigh_L": (2, 0, 0), "shank_L": (0, 12, 0), "foot_L": (0, -8, 0),
             "upper_arm_L": (8, -84, 0), "forearm_L": (0, -8, 0), "hand_L": (0, 30, 0),
             "upper_arm_R": (-8, -70, 0), "forearm_R": (0, -20, 0), "hand_R": (0, 40, 0)},
    landing={"pelvis": (0, 6, 0), "chest": (-6, 10, 0), "head": (10, 12, 0),
             "thigh_R": (-8, -24, 0), "shank_R": (0, 8, 0), "foot_R": (0, 4, 0),
             "thigh_L": (2, 12, 0), "shank_L": (0, 14, 0), "foot_L": (0, -4, 0),
             "upper_arm_L": (8, -80, 0), "forearm_L": (0, -8, 0), "hand_L": (0, 30, 0),
             "upper_arm_R": (-8, -74, 0), "forearm_R": (0, -20, 0), "hand_R": (0, 40, 0)},
    apart=9)
SETS = {"swagger": SWAGGER, "creep": CREEP, "soldier": SOLDIER, "old": OLD, "zombie": ZOMBIE}
TUNED_ON, HELD_BACK = ("swagger", "creep", "soldier"), ("old", "zombie")
"""On which the search was made what it is, and those that it saw for the first time when it was done."""

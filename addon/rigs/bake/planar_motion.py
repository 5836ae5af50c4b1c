# SPDX-License-Identifier: GPL-3.0-or-later
"""A planar body's motion on a figure: its legs as simulated, each on its own side, and what a planar body does not have.

Pelvis, spine, neck and head go with the trunk. Arms hang and swing against the thighs, as gaits from key poses let a human's arms
swing; toes stay on the ground while the heel lifts off it.
"""

from __future__ import annotations

import numpy as np

from ...bodies.body import Body
from ...bodies.human.landmarks import SIDES
from ...maths.curves import cubic
from ...maths.quaternions import matrix_from_quat, quat_from_rotvec, quat_multiply
from ...specs.pose_gait import PoseGait
from ...specs.settings import settings_of

ARM_SWING, ELBOW_RAD = (float(settings_of(PoseGait)[name].default) for name in ("arm_swing", "elbow"))
ARM_OUT_RAD = 0.12
"""Upper arms hang so far off the trunk that hands pass the thighs, as in the law of the whole body."""
TOES_OFF_M = 0.05
"""The ball of a foot that is higher over the ground than this does not bend the toes."""


def human_turns(own: Body, body: Body, taken: np.ndarray, ball_height_m: dict[str, np.ndarray]) -> np.ndarray:
    """Orientations (T, S, 4) of a human's segments from those of a planar body's (T, Z, 4); `ball_height_m`: side -> height (T,)
    of its front contact point over the ground."""
    trunk = taken[:, 0]
    turns = np.repeat(trunk[:, None], len(own.segments), axis=1)
    for i, segment in enumerate(own.segments):
        if segment.name in body.index:
            turns[:, i] = taken[:, body.index[segment.name]]
    for side, out in zip(SIDES, (1.0, -1.0), strict=True):
        arm = _about(0, np.full(len(taken), out * ARM_OUT_RAD))
        arm = quat_multiply(arm, _about(1, ARM_SWING * -_pitch(taken[:, body.index[f"thigh_{side}"]])))
        for name in (f"upper_arm_{side}", f"forearm_{side}", f"hand_{side}"):
            if name.startswith("forearm"):
                arm = quat_multiply(arm, _about(1, np.full(len(taken), -ELBOW_RAD)))
            if name in own.index:
                turns[:, own.index[name]] = arm
        if f"toes_{side}" in own.index:
            foot = taken[:, body.index[f"foot_{side}"]]
            low = 1.0 - cubic(np.clip(ball_height_m[side] / TOES_OFF_M, 0.0, 1.0))
            turns[:, own.index[f"toes_{side}"]] = quat_multiply(foot, _about(1, -low * np.maximum(_pitch(foot), 0.0)))
    return turns


def _pitch(turns: np.ndarray) -> np.ndarray:
    """Angles (T,) [rad] about the leftward axis of orientations (T, 4) in the sagittal plane, positive nose down."""
    matrices = matrix_from_quat(turns)
    return np.arctan2(matrices[:, 0, 2], matrices[:, 2, 2])


def _about(axis: int, angle: np.ndarray) -> np.ndarray:
    """Rotations (T, 4) by angles (T,) [rad] about an axis of the body."""
    vectors = np.zeros((len(angle), 3))
    vectors[:, axis] = angle
    return quat_from_rotvec(vectors)

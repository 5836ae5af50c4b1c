# SPDX-License-Identifier: GPL-3.0-or-later
"""Which way is up in a clip: as its skeleton rests, unless it stands along another axis, on the file's ground, while it moves.

Some tools turn a skeleton by its root alone: it rests with y up and stands with z up.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..maths.least_turn import rotation_between
from .bvh import BvhClip
from .figure_joints import stands
from .recognise import resting_as

LOOKED_AT = 40
"""Frames, spread over a clip, in which it is looked at."""
MOSTLY = 0.5
"""In more of them than this share the figure must stand."""
STEADY = 0.9
"""So long is the mean of its upward unit vectors at least; a figure that lies turns about."""
ALONG_DEG = 25.0
"""So near to an axis of the file it stands."""
ON_GROUND_LEGS = 0.15
"""So near to the file's zero its lowest joints are, per leg: ankles are .08 over the sole (Winter, fig. 4.1: .039 over .491),
end sites of toes about nothing."""


def resting_upright(clip: BvhClip, joints: Mapping[str, int], up: np.ndarray, leg: float) -> BvhClip:
    """The same motion from a rest pose turned to stand along the axis along which the figure stands while it moves.

    `up` (3,) is up at rest, `leg` the leg's length, in the file's axes and unit. The clip itself where both are one, and where
    somebody lies: on the file's ground, and not with feet on it along the other axis.
    """
    frames = np.unique(np.linspace(0, clip.frames - 1, LOOKED_AT).astype(int))
    places = clip.world()[0][frames]
    middle = {name: 0.5 * (places[:, joints[f"{name}_L"]] + places[:, joints[f"{name}_R"]]) for name in ("shoulder", "ankle")}
    ways = middle["shoulder"] - middle["ankle"]
    mean = (ways / np.maximum(np.linalg.norm(ways, axis=1, keepdims=True), 1e-9)).mean(axis=0)
    if np.linalg.norm(mean) < STEADY:
        return clip
    k = int(np.argmax(np.abs(mean)))
    axis = np.sign(mean[k]) * np.eye(3)[k]
    if mean @ axis < np.cos(np.radians(ALONG_DEG)) * np.linalg.norm(mean) or axis @ up > 0.5:
        return clip
    if np.mean([stands(pose, joints) for pose in places]) <= MOSTLY:
        return clip
    off = _off_ground(places, axis) / leg
    if off > ON_GROUND_LEGS or off >= _off_ground(places, up) / leg:
        return clip
    return resting_as(clip, np.broadcast_to(rotation_between(up, axis), (len(clip.names), 3, 3)))


def _off_ground(places: np.ndarray, up: np.ndarray) -> float:
    """How far the lowest joints of poses (T, J, 3) are from the file's zero along up, over the frames' middle."""
    return float(abs(np.median((places @ up).min(axis=1))))

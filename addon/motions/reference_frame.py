# SPDX-License-Identifier: GPL-3.0-or-later
"""A clip's first frame that is no part of its motion, but the rest pose, put there for whoever retargets it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .bvh import BvhClip

REST_DEG = 12.0
"""Root mean square of the joints' turns in such a frame: 2.0 and 7.8 in those at hand."""
APART_DEG, QUICKER = 15.0, 1.5
"""Of the turns from it to the next frame: at least so much, and so many times as much as in any of the three frames after (25.8
degrees and 1.7 times in the nearest; the motion itself goes evenly)."""


def without_reference(clip: BvhClip) -> BvhClip:
    """A clip without a first frame that is the rest pose, far from the second; any other one as it is."""
    if clip.frames < 5 or len(clip.names) < 2:
        return clip
    joints = clip.rotations[:5, 1:]
    steps = _rms_deg(np.swapaxes(joints[:-1], -1, -2) @ joints[1:])
    rest = _rms_deg(joints[0])
    if rest > REST_DEG or steps[0] < max(APART_DEG, QUICKER * steps[1:].max()) or _rms_deg(joints[1]) < 2.0 * rest:
        return clip
    return replace(clip, rotations=clip.rotations[1:], root_positions=clip.root_positions[1:],
                   travels={joint: places[1:] for joint, places in clip.travels.items()}, first_frame=clip.first_frame + 1)


def _rms_deg(turns: np.ndarray) -> np.ndarray:
    """Root mean square of the angles [deg] of rotations (..., J, 3, 3) over the joints."""
    cosine = 0.5 * (np.trace(turns, axis1=-2, axis2=-1) - 1.0)
    return np.degrees(np.sqrt(np.mean(np.arccos(np.clip(cosine, -1.0, 1.0)) ** 2, axis=-1)))

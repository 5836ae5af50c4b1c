# SPDX-License-Identifier: GPL-3.0-or-later
"""Which part of a clip is followed: from frame to frame as it is asked for, else without the T-pose at its start, which recorders
and animators put there for calibration, and the way out of it. A T-pose is known by structure: both arms level and straight,
sideways, and the body still, at the clip's start; the motion begins where the arms have come down and slow down, or behind a
root's jump."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..bodies.human.landmarks import SIDES
from ..errors import ClipError
from ..maths.rotations import matrix_from_quat
from .bvh import BvhClip
from .retarget import Motion

LEVEL_DEG = 20.0
"""Arms within this of level; an A-pose hangs by 40 to 50 degrees and is nobody's calibration that a walk could not begin with."""
STRAIGHT_COS = 0.9
SIDEWAYS_COS = 0.8
STILL_DEG_S, STILL_LEGS_S = 25.0, 0.1
"""Nobody who stands in a T moves faster, in any arm and in place."""
DOWN_DEG = 35.0
"""Arms that hang so far below level have left it."""
RAMP_S = 2.5
"""No way out of a T-pose lasts longer."""
SLOW_SHARE = 0.25
"""An arm that goes at this share of the fastest on its way down has come down."""
JUMP_LEGS = 0.25
"""A root that goes so far in one frame has jumped."""
LEAST_S = 0.5
"""So much of a clip has to be left."""


def cut(clip: BvhClip, first: int | None, last: int | None) -> BvhClip:
    """A clip from a frame to a frame, as numbered in its file, from 1; None for its ends. Raises ClipError for frames that it has
    not, and where fewer than two are left."""
    if first is None and last is None:
        return clip
    low, high = clip.first_frame, clip.first_frame + clip.frames - 1
    begin, end = max(first or low, low), min(last or high, high)
    if (first or low) > high or end - begin < 1:
        raise ClipError(f"{clip.path} has frames {low} to {high}: from {first or low} to {last or high} there is nothing to "
                        "follow. Choose a first frame before the last one, within the clip.")
    rows = slice(begin - low, end - low + 1)
    return replace(clip, rotations=clip.rotations[rows], root_positions=clip.root_positions[rows],
                   travels={joint: places[rows] for joint, places in clip.travels.items()}, first_frame=begin)


def without_t_pose(motion: Motion) -> BvhClip:
    """The clip of a motion without the T-pose at its start and the way out of it, and told so; as it is where there is none."""
    clip, frames = motion.clip, t_pose_frames(motion)
    if not frames:
        return clip
    first = clip.first_frame + frames
    return cut(clip, first, None).changed(
        f"Frames {clip.first_frame} to {first - 1} of the clip are a T-pose and the way out of it, and were left out: it is "
        f"followed from frame {first} on. A first frame of your own keeps them.")


def t_pose_frames(motion: Motion) -> int:
    """How many frames at a motion's start are a T-pose and the way out of it; 0 where it begins otherwise, and where nothing
    would be left."""
    arms = [name for side in SIDES for name in (f"upper_arm_{side}", f"forearm_{side}")]
    index, dt = motion.body.index, motion.frame_time_s
    if any(name not in index for name in arms):
        return 0
    _, turns = motion.poses()
    along = -matrix_from_quat(turns[:, [index[name] for name in arms]])[..., 2]  # (T, 4, 3): they hang in the neutral pose
    left = matrix_from_quat(motion.root_quaternion)[:, :, 1]
    below = np.degrees(np.arcsin(np.clip(-along[..., 2], -1.0, 1.0)))
    sideways = np.einsum("taj,tj->ta", along[:, ::2], left) * [1.0, -1.0]
    straight = np.einsum("taj,taj->ta", along[:, ::2], along[:, 1::2])
    level = (np.abs(below[:, ::2]) < LEVEL_DEG).all(axis=1) & (sideways > SIDEWAYS_COS).all(axis=1) & (
        straight > STRAIGHT_COS).all(axis=1)
    quick = np.degrees(np.linalg.norm(np.diff(along, axis=0), axis=-1)).max(axis=1) / dt
    way = np.linalg.norm(np.diff(motion.root_position[:, :2], axis=0), axis=1) / motion.body.leg_length_m
    still = np.append(True, (quick < STILL_DEG_S) & (way < STILL_LEGS_S * dt))
    held = int(np.argmin(np.append(level & still, False)))  # frames of the T-pose itself
    if held == 0 or held >= len(level):
        return 0
    begins = _comes_down(below[:, ::2].min(axis=1), quick, way, held, dt)
    return begins if (len(level) - begins - 1) * dt >= LEAST_S else 0


def _comes_down(below: np.ndarray, quick: np.ndarray, way: np.ndarray, held: int, dt: float) -> int:
    """The first frame behind a T-pose of so many frames whose way out is over; 0 where the arms do not leave it. `below` (T,)
    [deg] is how far the higher arm hangs, `quick` [deg/s] and `way` [legs] (T-1,) how far arms and root go to the next frame."""
    most = min(held + round(RAMP_S / dt), len(below) - 1)
    down = np.flatnonzero(below[held:most + 1] > DOWN_DEG)
    if not len(down):
        return 0
    at, fastest = held + int(down[0]), quick[max(held - 1, 0):held + int(down[0])].max()
    while at < most and quick[at] > SLOW_SHARE * fastest:
        at += 1
    jumps = np.flatnonzero(way[:most] > JUMP_LEGS)
    return max(at, int(jumps[-1]) + 1 if len(jumps) else 0)

# SPDX-License-Identifier: GPL-3.0-or-later
"""A clip's pose at any time: one spline over all that is asked for at every plan step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.interpolate import CubicSpline

from ...bodies.human.landmarks import SIDES
from ...maths.plain_rotations import Vector
from ...maths.quaternions import quat_rotate
from .clip import FollowedClip

LEGS = ("thigh", "shank", "foot", "toes")


class Instant(NamedTuple):
    """What the clip shows at one time. `root_m` (3,) is the root's place from the centre of mass, `joints` (U,) the coordinates
    of all joints but the legs', in the order of `Track.slots`; of the feet, left then right: `knee_axis` (2, 3), the thighs' y
    axes in the root's frame, `ankle_m` (2, 3), `foot_quaternion` (2, 4), `foot_pitch` (2,) [rad]. Quaternions are not quite
    unit."""

    root_m: list[float]
    root_quaternion: list[float]
    joints: np.ndarray
    knee_axis: list[Vector]
    ankle_m: np.ndarray
    foot_quaternion: list[list[float]]
    foot_pitch: list[float]


class Track:
    """The clip as a function of its time, held still beyond its ends."""

    def __init__(self, clip: FollowedClip) -> None:
        body = clip.body
        self.start_s, self.end_s = clip.start_s, clip.end_s
        parts: list[np.ndarray] = [clip.root_m - clip.com_m, clip.root_quaternion]
        slots: list[int] = []
        at = 7
        knees = []
        for i, name in enumerate(body.joint_segments):
            segment, quats = body.segment(name), clip.joint_quaternions[:, i]
            size = 4 if segment.joint == "ball" else 1
            if name.rpartition("_")[0] not in LEGS:
                slots += range(at, at + size)
                parts.append(quats if segment.axis is None else hinge_angles(quats, segment.axis)[:, None])
            at += size
        for side in SIDES:
            quats = clip.joint_quaternions[:, body.joint_segments.index(f"thigh_{side}")]
            knees.append(quat_rotate(quats, np.array([0.0, 1.0, 0.0])))
        self.slots, self.coordinates = np.array(slots), at
        parts += [*knees, clip.ankle_m.reshape(len(clip.root_m), 6), clip.foot_quaternion.reshape(len(clip.root_m), 8),
                  clip.foot_pitch]
        self._spline = CubicSpline(clip.times_s, np.hstack(parts))
        self._joints = 7 + len(slots)

    def at(self, times_s: Sequence[float]) -> list[Instant]:
        """The clip at some times."""
        rows = self._spline([min(max(t, self.start_s), self.end_s) for t in times_s])
        j = self._joints
        found = []
        for row in rows:
            a = row.tolist()
            axes = [(a[j], a[j + 1], a[j + 2]), (a[j + 3], a[j + 4], a[j + 5])]
            found.append(Instant(a[:3], a[3:7], row[7:j], axes, row[j + 6:j + 12].reshape(2, 3),
                                 [a[j + 12:j + 16], a[j + 16:j + 20]], a[j + 20:j + 22]))
        return found


def hinge_angles(quats: np.ndarray, axis: np.ndarray) -> np.ndarray:
    """Angles (T,) [rad] of rotations (T, 4) about a hinge's axis (3,)."""
    # A copy: of numbers that lie apart numpy takes another arctangent, in the last digit, where the result lies close behind.
    return 2.0 * np.arctan2(quats[:, 1:] @ axis, quats[:, 0].copy())

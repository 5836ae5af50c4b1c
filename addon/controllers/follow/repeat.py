# SPDX-License-Identifier: GPL-3.0-or-later
"""A clip that goes round: followed to a touch-down late in it, and from there again and again from the like one before; straight
on where it hardly turns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...bodies.human.landmarks import SIDES
from ...errors import ClipError
from ...maths.quaternions import quat_conjugate, quat_from_rotvec, quat_multiply, quat_rotate, rotvec_from_quat
from .clip import FollowedClip
from .piece import cut, heading
from .prints import Prints
from .schedule import Schedule
from .splice import joined, lay, with_prints
from .straight import straightened

TURNING_S, MOVING_S, TILTING = 0.1, 0.3, 2.0
"""What a difference of joint velocities [rad/s], of the body's velocity [leg lengths / s], and of the pelvis's tilt [rad] counts
beside one of joint angles [rad] (first guess)."""
ALIKE = 1.3
"""Of the ways round that are up to so many times as unlike as the best one the longest is taken: it has more of the clip."""
BEYOND_S = 2.5
"""How much longer than the shot the motion is planned, so that its end is as if it went on."""


@dataclass(frozen=True)
class Round:
    """From when to when a clip goes round [clip s], two touch-downs of one foot, and how unlike they are [rad]."""

    from_s: float
    to_s: float
    unlike: float


def find_round(clip: FollowedClip, schedule: Schedule) -> Round:
    """The best way round of a clip: between two touch-downs of one foot, with one of the other between them, that are most alike
    in pose and velocity. Raises ClipError for a clip without."""
    found = []
    for side, other in zip(SIDES, reversed(SIDES), strict=True):
        strikes, between = (_strikes(schedule, foot, clip.duration_s) for foot in (side, other))
        looks = [_look(clip, time) for time in strikes]
        found += [Round(strikes[i], strikes[j], _unlike(looks[i], looks[j])) for i in range(len(strikes))
                  for j in range(i + 1, len(strikes)) if any(strikes[i] < time < strikes[j] for time in between)]
    if not found:
        raise ClipError(f"{clip.path} cannot go round: no foot in it touches down twice with the other between. Use a clip with "
                        "three steps or more, or follow it once.")
    most = ALIKE * min(way.unlike for way in found)
    return max((way for way in found if way.unlike <= most), key=lambda way: (way.to_s - way.from_s, -way.unlike))


def _strikes(schedule: Schedule, side: str, duration_s: float) -> list[float]:
    """The touch-downs of a foot that a clip shows."""
    return [s.strike_s for s in schedule[side] if 0.0 < s.strike_s < duration_s and s.off_s > s.strike_s]


def _look(clip: FollowedClip, time_s: float) -> np.ndarray:
    """What a clip looks like at a time, as far as place and heading do not count: numbers whose differences are comparable."""
    row = min(max(round(time_s / clip.step_s), 1), len(clip.root_m) - 2)
    rows, leg = slice(row - 1, row + 2), clip.body.leg_length_m
    yaw = float(heading(clip.root_quaternion[row]))
    back = quat_from_rotvec(np.array([0.0, 0.0, -yaw]))
    joints, root = clip.joint_quaternions[rows], quat_multiply(back, clip.root_quaternion[rows])
    span = 2.0 * clip.step_s

    def turning(quats: np.ndarray) -> np.ndarray:
        return rotvec_from_quat(quat_multiply(quats[2], quat_conjugate(quats[0]))) / span

    velocity = quat_rotate(back, clip.com_m[row + 1] - clip.com_m[row - 1]) / span / leg
    each = np.sqrt(joints.shape[1])
    return np.concatenate([rotvec_from_quat(joints[1]).ravel() / each, TURNING_S * turning(joints).ravel() / each,
                           TILTING * rotvec_from_quat(root[1]), TURNING_S * turning(root), MOVING_S * velocity,
                           clip.root_m[row, 2:] / leg])


def _unlike(one: np.ndarray, other: np.ndarray) -> float:
    return float(np.linalg.norm(one - other))


def repeated(clip: FollowedClip, prints: Prints, way: Round, until_s: float) -> tuple[FollowedClip, Prints]:
    """A clip that goes round until a time of it [clip s], and a little longer, with its prints."""
    laid = [lay(cut(clip, prints, 0.0, way.to_s))]
    cycle, found = straightened(cut(clip, prints, way.from_s, way.to_s)), laid[0].prints
    while laid[-1].end_s < until_s + BEYOND_S:
        laid.append(lay(cycle, laid[-1]))
        found = with_prints(found, laid[-1])
    return joined(laid), found


def schedule_of(prints: Prints) -> Schedule:
    """The stances of prints."""
    return {side: [one.stance for one in prints[side]] for side in SIDES}



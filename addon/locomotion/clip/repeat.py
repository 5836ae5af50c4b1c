# SPDX-License-Identifier: GPL-3.0-or-later
"""A clip that goes round: followed to a touch-down late in it, and from there again and again from the like one before; straight
on where it hardly turns."""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass, replace

import numpy as np

from ...bodies.human.landmarks import SIDES
from ...errors import ClipError
from ...maths.rotations import quat_conjugate, quat_from_rotvec, quat_multiply, quat_rotate, rotvec_from_quat
from .clip import FollowedClip
from .prints import Print, Prints
from .schedule import Schedule
from .splice import SAME_S, Piece, cut, heading, joined, lay, with_prints

MOST_STRIDE_RAD = math.radians(5.0)
"""Up to so much a stride nobody meant to turn: over one stride captured straight walks turn by 0.8 to 4.3 degrees, bends by 25 to
50."""


def straightened(piece: Piece) -> Piece:
    """A piece between touch-downs of one foot that ends with the heading with which it begins, bent evenly, were it to turn by
    little; else as it is. Standing feet turn with it: their prints are those of the middle of their stances."""
    clip = piece.clip
    strides = sum(one.stance.strike_s > -SAME_S for one in piece.prints.get(piece.begins, []))
    turn = math.remainder(float(heading(clip.root_quaternion[-1]) - heading(clip.root_quaternion[0])), math.tau)
    if piece.begins != piece.ends or not 0.0 < abs(turn) <= strides * MOST_STRIDE_RAD:
        return piece
    angle = -turn * np.linspace(0.0, 1.0, len(clip.root_m))
    turned = np.exp(1j * angle)
    root = clip.root_m[:, 0] + 1j * clip.root_m[:, 1]
    way = root[0] + np.concatenate([[0j], np.cumsum(0.5 * (turned[1:] + turned[:-1]) * np.diff(root))])

    def bent(points: np.ndarray) -> np.ndarray:
        """Points (T, ..., 3) with their time's turn about the root, on the root's new way."""
        shape = (-1, *[1] * (points.ndim - 2))
        level = way.reshape(shape) + turned.reshape(shape) * (points[..., 0] + 1j * points[..., 1] - root.reshape(shape))
        return np.stack([level.real, level.imag, points[..., 2]], axis=-1)

    def moved(one: Print) -> Print:
        """A print, turned and moved as the body is in the middle of what the piece has of its stance."""
        middle_s = 0.5 * (max(one.stance.strike_s, 0.0) + min(one.stance.off_s, clip.duration_s))
        row = min(max(round(middle_s / clip.step_s), 0), len(way) - 1)
        return replace(one, place=complex(way[row]) + cmath.exp(1j * angle[row]) * (one.place - complex(root[row])),
                       yaw=one.yaw + float(angle[row]))

    about = np.zeros((len(angle), 4))
    about[:, 0], about[:, 3] = np.cos(0.5 * angle), np.sin(0.5 * angle)
    straight = replace(
        clip, root_m=bent(clip.root_m), com_m=bent(clip.com_m), ankle_m=bent(clip.ankle_m),
        root_quaternion=quat_multiply(about, clip.root_quaternion), foot_yaw=clip.foot_yaw + angle[:, None],
        foot_quaternion=quat_multiply(about[:, None], clip.foot_quaternion))
    return replace(piece, clip=straight, prints={side: [moved(one) for one in piece.prints[side]] for side in SIDES})


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
        found += [Round(strikes[i], strikes[j], float(np.linalg.norm(looks[i] - looks[j]))) for i in range(len(strikes))
                  for j in range(i + 1, len(strikes)) if any(strikes[i] < time < strikes[j] for time in between)]
    if not found:
        raise ClipError(f"{clip.path} cannot go round: no foot in it touches down twice with the other between. Use a clip with "
                        "three steps or more, or follow it once.")
    most = ALIKE * min(way.unlike for way in found)
    return max((way for way in found if way.unlike <= most), key=lambda way: (way.to_s - way.from_s, -way.unlike))


def _strikes(schedule: Schedule, side: str, duration_s: float) -> list[float]:
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


def repeated(clip: FollowedClip, prints: Prints, way: Round, until_s: float) -> tuple[FollowedClip, Prints]:
    """A clip that goes round until a time of it [clip s], and a little longer, with its prints."""
    laid = [lay(cut(clip, prints, 0.0, way.to_s))]
    cycle, found = straightened(cut(clip, prints, way.from_s, way.to_s)), laid[0].prints
    while laid[-1].end_s < until_s + BEYOND_S:
        laid.append(lay(cycle, laid[-1]))
        found = with_prints(found, laid[-1])
    return joined(laid), found


def schedule_of(prints: Prints) -> Schedule:
    return {side: [one.stance for one in prints[side]] for side in SIDES}

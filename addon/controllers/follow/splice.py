# SPDX-License-Identifier: GPL-3.0-or-later
"""Pieces of motion laid one behind the other: at every joint the next one lies where the last one ends, and what the pose is off
it there fades.

At a joint a foot touches down, or both stand. There the ways of the pelvises are made one and the ankles' middles; a foot that
stands keeps its print, and its stance goes on into the next piece, which tells when it ends.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...bodies.human.landmarks import SIDES
from ...bodies.kinematics import centre_of_mass, segment_poses
from ...maths.quaternions import (
    matrix_from_quat,
    quat_conjugate,
    quat_from_rotvec,
    quat_multiply,
    rotvec_from_quat,
)
from ...motions.stance import FOREVER_S
from . import turning
from .clip import FollowedClip, feet_of
from .piece import SAME_S, SAMPLED, Piece, later
from .prints import Print, Prints

FADE_S = 0.5
"""Time over which what a piece's begin is off the last one's end fades (measured in a prototype: 16 of 16 streams stood)."""


@dataclass(frozen=True)
class Laid:
    """A piece where it lies in a stream. `own` is its clip turned and moved there, `clip` the one that is followed, which begins
    in the pose and with the velocity that the piece before ends with; both begin at `start_s` of the stream's time. `prints` are
    the piece's, turned and moved."""

    piece: Piece
    start_s: float
    own: FollowedClip
    clip: FollowedClip
    prints: Prints

    @property
    def end_s(self) -> float:
        """When the next one begins."""
        return self.start_s + self.clip.duration_s


def lay(piece: Piece, before: Laid | None = None) -> Laid:
    """A piece laid behind another one; the first one where it is."""
    if before is None:
        return Laid(piece, 0.0, piece.clip, piece.clip, piece.prints)
    last, clip = before.own, piece.clip
    turn = float(heading(last.root_quaternion[-1]) - heading(clip.root_quaternion[0]))
    turned = np.exp(1j * turn)
    shift = _level(last.ankle_m[-1]).mean() - turned * _level(clip.ankle_m[0]).mean()
    laps = 2.0 * math.pi * np.round((before.clip.foot_yaw[-1] - clip.foot_yaw[0] - turn) / (2.0 * math.pi))
    own = _moved(clip, turn, turned, shift, laps)
    prints = {side: [replace(later(one, before.end_s), place=turned * one.place + shift, yaw=one.yaw + turn + laps[i])
                     for one in piece.prints[side]] for i, side in enumerate(SIDES)}
    return Laid(piece, before.end_s, own, _faded(own, before.clip), prints)


def _moved(clip: FollowedClip, turn: float, turned: complex, shift: complex, laps: np.ndarray) -> FollowedClip:
    """A clip turned about the vertical and moved over the ground; `laps` (2,) are added to the feet's yaws."""
    rotation = np.array([math.cos(0.5 * turn), 0.0, 0.0, math.sin(0.5 * turn)])

    def placed(points: np.ndarray) -> np.ndarray:
        level = turned * _level(points) + shift
        return np.stack([level.real, level.imag, points[..., 2]], axis=-1)

    return replace(clip, root_m=placed(clip.root_m), com_m=placed(clip.com_m), ankle_m=placed(clip.ankle_m),
                   root_quaternion=quat_multiply(rotation, clip.root_quaternion),
                   foot_quaternion=quat_multiply(rotation, clip.foot_quaternion), foot_yaw=clip.foot_yaw + turn + laps)


def _level(points: np.ndarray) -> np.ndarray:
    """Places (...,) over the ground, x + iy, of points (..., 3)."""
    return points[..., 0] + 1j * points[..., 1]


def heading(quat: np.ndarray) -> np.ndarray:
    """Headings (...,) [rad] of the forward axes of orientations (..., 4)."""
    forward = matrix_from_quat(quat)[..., :, 0]
    return np.arctan2(forward[..., 1], forward[..., 0])


def _faded(own: FollowedClip, before: FollowedClip) -> FollowedClip:
    """A clip that begins in the last pose of another one, moving as that one does, and comes to itself within `FADE_S`."""
    body, step = own.body, own.step_s
    count = min(len(own.root_m), round(FADE_S / step) + 1)
    share = step * np.arange(count) / FADE_S
    keep, drift = 1.0 - share**2 * (3.0 - 2.0 * share), FADE_S * share * (1.0 - share) ** 2

    def fading(value: np.ndarray, rate: np.ndarray) -> np.ndarray:
        return np.multiply.outer(keep, value) + np.multiply.outer(drift, rate)

    def rotated(name: str) -> tuple[np.ndarray, np.ndarray]:
        old, new = getattr(before, name), getattr(own, name)
        sign = np.where(np.sum(old[-1] * new[0], axis=-1, keepdims=True) < 0.0, -1.0, 1.0)
        away = rotvec_from_quat(quat_multiply(old[-1], quat_conjugate(sign * new[0])))
        return sign * new, fading(away, (_turning(old[-2:]) - _turning(new[:2])) / step)

    root = fading(before.root_m[-1] - own.root_m[0],
                  (before.root_m[-1] - before.root_m[-2] - own.root_m[1] + own.root_m[0]) / step)
    (root_quat, root_turn), (joints, joint_turns) = rotated("root_quaternion"), rotated("joint_quaternions")
    poses = [(own.root_m[:count], root_quat[:count], joints[:count]),
             (own.root_m[:count] + root, quat_multiply(quat_from_rotvec(root_turn), root_quat[:count]),
              quat_multiply(quat_from_rotvec(joint_turns), joints[:count]))]
    (places, turns), (moved, found) = (segment_poses(body, *pose) for pose in poses)
    (ankle, _, yaw, pitch), (new_ankle, new_quat, new_yaw, new_pitch) = feet_of(body, places, turns), feet_of(body, moved, found)
    sign = np.where(np.sum(before.foot_quaternion[-1] * new_quat[0], axis=-1, keepdims=True) < 0.0, -1.0, 1.0)
    feet = sign * new_quat
    rest = own.foot_quaternion[count:]
    if len(rest):
        rest = rest * np.where(np.sum(feet[-1] * rest[0], axis=-1, keepdims=True) < 0.0, -1.0, 1.0)
    turned = new_yaw - yaw
    changes = {
        "root_m": poses[1][0] - own.root_m[:count], "ankle_m": new_ankle - ankle,
        "com_m": centre_of_mass(body, moved, found) - centre_of_mass(body, places, turns),
        "foot_yaw": turned - 2.0 * math.pi * np.round(turned / (2.0 * math.pi)), "foot_pitch": new_pitch - pitch,
    }
    values = {}
    for name, change in changes.items():
        values[name] = getattr(own, name).copy()
        values[name][:count] += change
    return replace(own, root_quaternion=np.concatenate([poses[1][1], root_quat[count:]]),
                   joint_quaternions=np.concatenate([poses[1][2], joints[count:]]),
                   foot_quaternion=np.concatenate([feet, rest]), **values)


def _turning(quats: np.ndarray) -> np.ndarray:
    """Rotation vector (..., 3) from the first of two orientations (2, ..., 4) to the second."""
    return rotvec_from_quat(quat_multiply(quats[1], quat_conjugate(quats[0])))


def joined(laid: Sequence[Laid]) -> FollowedClip:
    """Neighbouring pieces as one clip."""
    first = laid[0].clip
    return replace(first, **{name: np.concatenate([*(getattr(part.clip, name)[:-1] for part in laid[:-1]),
                                                   getattr(laid[-1].clip, name)]) for name in SAMPLED})


def with_prints(prints: Prints, coming: Laid) -> Prints:
    """The prints of a stream with those of the piece that is laid behind it: what stands at the joint keeps its place, and the
    piece tells when its heel rises and when it leaves the ground."""
    found = {}
    for side in SIDES:
        old, new = list(prints[side]), list(coming.prints[side])
        stands = bool(old) and old[-1].stance.off_s > coming.start_s + SAME_S
        goes_on = bool(new) and new[0].stance.strike_s < (coming.start_s + SAME_S if stands else -0.5 * FOREVER_S)
        if stands and goes_on:
            old[-1] = _continued(old[-1], new.pop(0), coming.start_s)
        elif stands:
            old[-1] = _ended(old[-1], coming.start_s)
        elif goes_on:
            new[0] = _begun(new[0], coming.start_s)
        found[side] = old + new
    return found


def _continued(one: Print, on: Print, time_s: float) -> Print:
    """A print whose stance goes on as another one's from a time."""
    stance, further = one.stance, on.stance
    lies = stance.flat_s < 0.5 * FOREVER_S
    flat_s = stance.flat_s if lies else max(further.flat_s, time_s)
    heel_off_s = stance.heel_off_s if stance.heel_off_s < 0.5 * FOREVER_S else max(further.heel_off_s, time_s, flat_s)
    return replace(one, level=one.level if lies else on.level, turn=turning.joined(one.turn, on.turn, time_s),
                   stance=replace(stance, flat_s=flat_s, heel_off_s=heel_off_s, off_s=further.off_s))


def _ended(one: Print, time_s: float) -> Print:
    """A print whose stance ends at a time."""
    stance = one.stance
    return replace(one, stance=replace(stance, flat_s=min(stance.flat_s, time_s), heel_off_s=min(stance.heel_off_s, time_s),
                                       off_s=time_s))


def _begun(one: Print, time_s: float) -> Print:
    """A print of a stance under way, begun at a time."""
    stance, begun = one.stance, one.planned(time_s)
    return replace(one, place=begun.place, yaw=begun.yaw, turn=one.turn and one.turn.since(time_s),
                   stance=replace(stance, strike_s=time_s, flat_s=max(stance.flat_s, time_s),
                                  heel_off_s=max(stance.heel_off_s, time_s)))

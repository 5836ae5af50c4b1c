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
from functools import cached_property

import numpy as np

from ...bodies.human.landmarks import SIDES
from ...bodies.kinematics import centre_of_mass, segment_poses
from ...maths.quaternions import (
    quat_conjugate,
    quat_from_rotvec,
    quat_multiply,
    rotvec_from_quat,
)
from ...motions.stance import FOREVER_S
from . import turning
from .clip import FollowedClip, feet_of
from .momentum import specific_momentum
from .piece import SAME_S, SAMPLED, Piece, heading, later
from .prints import Print, Prints

FADE_S = 0.5
"""Time over which what a piece's begin is off the last one's end fades (measured in a prototype: 16 of 16 streams stood)."""

THINNED = 2
"""Of so many samples one is enough for angular momentum, which is smoothed by far more."""


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
        return self.clip.end_s

    def reckon(self) -> None:
        """Find now what is found once: whoever lays a piece has the time, whoever plans with many has not."""
        _ = self.momentum

    @cached_property
    def momentum(self) -> np.ndarray:
        """Angular momentum (N, 3) over mass, as of `specific_momentum`, from every other sample."""
        thin = slice(None, None, THINNED)
        clip = self.clip
        few = replace(clip, step_s=THINNED * clip.step_s, root_m=clip.root_m[thin], root_quaternion=clip.root_quaternion[thin],
                      joint_quaternions=clip.joint_quaternions[thin])
        found, at = specific_momentum(few), np.arange(len(clip.root_m)) / THINNED
        return np.stack([np.interp(at, np.arange(len(found)), column) for column in found.T], axis=1)


def lay(piece: Piece, before: Laid | None = None) -> Laid:
    """A piece laid behind another one; the first one where it is."""
    if before is None:
        return Laid(piece, 0.0, piece.clip, piece.clip, piece.prints)
    last, clip = before.own, piece.clip
    turn = float(heading(last.root_quaternion[-1]) - heading(clip.root_quaternion[0]))
    turned = np.exp(1j * turn)
    shift = _level(last.ankle_m[-1]).mean() - turned * _level(clip.ankle_m[0]).mean()
    laps = 2.0 * math.pi * np.round((before.clip.foot_yaw[-1] - clip.foot_yaw[0] - turn) / (2.0 * math.pi))
    own = replace(_moved(clip, turn, turned, shift, laps), start_s=before.end_s)
    prints = {side: [replace(later(one, before.end_s), place=turned * one.place + shift, yaw=one.yaw + turn + laps[i])
                     for one in piece.prints[side]] for i, side in enumerate(SIDES)}
    return Laid(piece, before.end_s, own, _faded(own, before.clip, piece.level), prints)


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


def _faded(own: FollowedClip, before: FollowedClip, level: bool) -> FollowedClip:
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
    moved_root = own.root_m[:count] + root
    turned_root = quat_multiply(quat_from_rotvec(root_turn), root_quat[:count])
    turned_joints = quat_multiply(quat_from_rotvec(joint_turns), joints[:count])
    places, turns = segment_poses(body, moved_root, turned_root, turned_joints)
    ankle, feet, yaw, pitch = feet_of(body, places, turns)
    if not level:  # a clip from a slope has its feet's heights over it
        plain = segment_poses(body, own.root_m[:count], root_quat[:count], joints[:count])
        ankle = ankle + own.ankle_m[:count] - plain[0][:, [body.index[f"foot_{side}"] for side in SIDES]]
    feet = np.concatenate([_like(feet, before.foot_quaternion[-1]), _like(own.foot_quaternion[count:], feet[-1])])
    laps = 2.0 * math.pi * np.round((own.foot_yaw[0] - yaw[0]) / (2.0 * math.pi))
    begin = {"root_m": moved_root, "root_quaternion": turned_root, "joint_quaternions": turned_joints, "ankle_m": ankle,
             "com_m": centre_of_mass(body, places, turns), "foot_yaw": yaw + laps, "foot_pitch": pitch}
    rest = {name: getattr(own, name)[count:] for name in begin} | {
        "root_quaternion": root_quat[count:], "joint_quaternions": joints[count:]}
    return replace(own, foot_quaternion=feet, **{name: np.concatenate([begin[name], rest[name]]) for name in begin})


def _like(quats: np.ndarray, last: np.ndarray) -> np.ndarray:
    """Quaternions (T, ..., 4) with signs that go on from the last ones before them (..., 4)."""
    if not len(quats):
        return quats
    return quats * np.where(np.sum(last * quats[0], axis=-1, keepdims=True) < 0.0, -1.0, 1.0)


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

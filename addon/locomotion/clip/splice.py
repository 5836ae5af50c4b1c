# SPDX-License-Identifier: GPL-3.0-or-later
"""Pieces of motion laid one behind the other: at every joint the next one lies where the last one ends, and what the pose is off
it there fades. At a joint a foot touches down, or both stand. There the ways of the pelvises are made one and the ankles'
middles; a foot that stands keeps its print, and its stance goes on into the next piece, which tells when it ends."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np
from scipy.interpolate import CubicSpline

from ...bodies.human.landmarks import SIDES
from ...bodies.kinematics import centre_of_mass, segment_poses
from ...maths.rotations import matrix_from_quat, plane_angle, quat_conjugate, quat_from_rotvec, quat_multiply, rotvec_from_quat
from ...motions.fragment import STANDING, Fragment
from ...motions.strides import FOREVER_S, Stance
from ..legged.foot_geometry import FootGeometry
from . import prints as turning
from .clip import RATE_HZ, FollowedClip, feet_of
from .clip_plan import specific_momentum
from .prints import Print, Prints, make_prints

SAMPLED = ("root_m", "root_quaternion", "joint_quaternions", "com_m", "ankle_m", "foot_quaternion", "foot_yaw", "foot_pitch")
"""What a clip has a sample of at every time."""
QUATERNIONS = ("root_quaternion", "joint_quaternions", "foot_quaternion")
SAME_S = 1e-6
"""Times so near are one."""


@dataclass(frozen=True)
class Piece:
    """A clip from one joint to the next, its times from 0, with its `prints`, whose stances are as a `Fragment`'s; `begins` and
    `ends` as there. Where the ground is `level` by itself its feet's heights are those of its poses."""

    clip: FollowedClip
    prints: Prints
    begins: str
    ends: str
    level: bool = False


@lru_cache(maxsize=256)
def piece_of(fragment: Fragment) -> Piece:
    """A fragment as a piece; kept, as a stream asks for the same ones again and again."""
    body = fragment.body
    positions, orientations = segment_poses(body, fragment.root_m, fragment.root_quaternion, fragment.joint_quaternions)
    ankle, foot_quat, yaw, pitch = feet_of(body, positions, orientations)
    clip = FollowedClip(fragment.name, body, 1.0 / RATE_HZ, 1.0, fragment.root_m, fragment.root_quaternion,
                        fragment.joint_quaternions, centre_of_mass(body, positions, orientations), ankle, foot_quat, yaw, pitch,
                        ())
    schedule = {side: [s for s in fragment.stances if s.side == side] for side in SIDES}
    return Piece(clip, make_prints(clip, schedule, FootGeometry(body, "L")), fragment.begins, fragment.ends, True)


def cut(clip: FollowedClip, prints: Prints, from_s: float, to_s: float) -> Piece:
    """The piece of a clip between two times of it, which is stretched in time by less than a sample."""
    count = max(round((to_s - from_s) / clip.step_s), 1)
    grid = np.linspace(from_s, to_s, count + 1)
    values = {name: CubicSpline(clip.times_s, getattr(clip, name))(grid) for name in SAMPLED}
    for name in QUATERNIONS:
        values[name] = values[name] / np.linalg.norm(values[name], axis=-1, keepdims=True)
    scale = count * clip.step_s / (to_s - from_s)
    found = {side: [replace(one, stance=_within(one.stance, from_s, to_s, scale), turn=one.turn and one.turn.moved(from_s, scale))
                    for one in prints[side]
                    if one.stance.strike_s < to_s - SAME_S and one.stance.off_s > from_s + SAME_S] for side in SIDES}
    return Piece(replace(clip, contacts=(), **values), found, _landing(prints, from_s), _landing(prints, to_s))


def heading(quat: np.ndarray) -> np.ndarray:
    """Headings (...,) [rad] of the forward axes of orientations (..., 4)."""
    x, y, _ = np.moveaxis(matrix_from_quat(quat)[..., :, 0], -1, 0)
    return plane_angle(y, x)


def _landing(prints: Prints, time_s: float) -> str:
    return next((side for side in SIDES for one in prints[side] if abs(one.stance.strike_s - time_s) < SAME_S), STANDING)


def _within(stance: Stance, from_s: float, to_s: float, scale: float) -> Stance:
    """A stance in the time of a piece cut out between two times."""
    def moved(time_s: float) -> float:
        if time_s < from_s - SAME_S:
            return -FOREVER_S
        return FOREVER_S if time_s >= to_s - SAME_S else max(scale * (time_s - from_s), 0.0)

    return at_times(stance, moved)


def at_times(stance: Stance, moved: Callable[[float], float]) -> Stance:
    return replace(stance, strike_s=moved(stance.strike_s), flat_s=moved(stance.flat_s), heel_off_s=moved(stance.heel_off_s),
                   off_s=moved(stance.off_s))


def later(one: Print, by_s: float) -> Print:
    """A print so much later; what is under way at an end of what is shown stays so."""
    return replace(one, stance=at_times(one.stance, lambda time: time + by_s if abs(time) < 0.5 * FOREVER_S else time),
                   turn=one.turn and one.turn.moved(-by_s))


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
    stance, further = one.stance, on.stance
    lies = stance.flat_s < 0.5 * FOREVER_S
    flat_s = stance.flat_s if lies else max(further.flat_s, time_s)
    heel_off_s = stance.heel_off_s if stance.heel_off_s < 0.5 * FOREVER_S else max(further.heel_off_s, time_s, flat_s)
    return replace(one, level=one.level if lies else on.level, turn=turning.joined(one.turn, on.turn, time_s),
                   stance=replace(stance, flat_s=flat_s, heel_off_s=heel_off_s, off_s=further.off_s))


def _ended(one: Print, time_s: float) -> Print:
    stance = one.stance
    return replace(one, stance=replace(stance, flat_s=min(stance.flat_s, time_s), heel_off_s=min(stance.heel_off_s, time_s),
                                       off_s=time_s))


def _begun(one: Print, time_s: float) -> Print:
    stance, begun = one.stance, one.planned(time_s)
    return replace(one, place=begun.place, yaw=begun.yaw, turn=one.turn and one.turn.since(time_s),
                   stance=replace(stance, strike_s=time_s, flat_s=max(stance.flat_s, time_s),
                                  heel_off_s=max(stance.heel_off_s, time_s)))

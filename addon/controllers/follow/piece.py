# SPDX-License-Identifier: GPL-3.0-or-later
"""A piece of motion that can be laid into a stream: a stretch of a clip, or a fragment, with the prints of its stances."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from scipy.interpolate import CubicSpline

from ...bodies.human.landmarks import SIDES
from ...bodies.kinematics import centre_of_mass, segment_poses
from ...maths.quaternions import matrix_from_quat
from ...motions.fragment import STANDING, Fragment
from ...motions.stance import FOREVER_S, Stance
from ..tracking.planners.foot_geometry import FootGeometry
from .clip import RATE_HZ, FollowedClip, feet_of
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
    return Piece(clip, make_prints(clip, schedule, FootGeometry(body, "L")), fragment.begins, fragment.ends,
                 True)


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


def fragment_of(piece: Piece, name: str, gait: str) -> Fragment:
    """A piece as a fragment of a stream."""
    clip = piece.clip
    way = np.abs(np.diff(clip.com_m[:, 0] + 1j * clip.com_m[:, 1])).sum()
    turned = math.remainder(float(heading(clip.root_quaternion[-1]) - heading(clip.root_quaternion[0])), math.tau)
    return Fragment(name, gait, clip.body, piece.begins, piece.ends, clip.root_m, clip.root_quaternion, clip.joint_quaternions,
                    tuple(one.stance for side in SIDES for one in piece.prints[side]), float(way) / clip.duration_s, turned)


def heading(quat: np.ndarray) -> np.ndarray:
    """Headings (...,) [rad] of the forward axes of orientations (..., 4)."""
    x, y, _ = np.moveaxis(matrix_from_quat(quat)[..., :, 0], -1, 0).copy()  # whole: see `hinge_angles`
    return np.arctan2(y, x)


def _landing(prints: Prints, time_s: float) -> str:
    """The foot that lands at a time; `STANDING` where none does."""
    return next((side for side in SIDES for one in prints[side] if abs(one.stance.strike_s - time_s) < SAME_S), STANDING)


def _within(stance: Stance, from_s: float, to_s: float, scale: float) -> Stance:
    """A stance in the time of a piece cut out between two times."""
    def moved(time_s: float) -> float:
        if time_s < from_s - SAME_S:
            return -FOREVER_S
        return FOREVER_S if time_s >= to_s - SAME_S else max(scale * (time_s - from_s), 0.0)

    return at_times(stance, moved)


def at_times(stance: Stance, moved: Callable[[float], float]) -> Stance:
    """A stance whose times are changed by a function of a time."""
    return replace(stance, strike_s=moved(stance.strike_s), flat_s=moved(stance.flat_s), heel_off_s=moved(stance.heel_off_s),
                   off_s=moved(stance.off_s))


def later(one: Print, by_s: float) -> Print:
    """A print so much later; what is under way at an end of what is shown stays so."""
    return replace(one, stance=at_times(one.stance, lambda time: time + by_s if abs(time) < 0.5 * FOREVER_S else time),
                   turn=one.turn and one.turn.moved(-by_s))

# SPDX-License-Identifier: GPL-3.0-or-later
"""A clip brought to the body that is to follow it: even samples of its pose in the body's metres, at the clip's own times. A pose
beyond a range is pushed back by the joint's stop, and that push bends the joints beside it: a shoulder captured 5 degrees beyond
its range kept the whole arm 7 degrees off."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.ndimage import gaussian_filter1d

from ...bodies.body import Body
from ...bodies.human.landmarks import SIDES
from ...bodies.human.load import carrying
from ...bodies.kinematics import centre_of_mass, segment_poses
from ...maths.rotations import (
    Vector,
    continuous,
    matrix_from_quat,
    plane_angle,
    quat_conjugate,
    quat_from_rotvec,
    quat_multiply,
    quat_rotate,
    rotvec_from_quat,
)
from ...motions.followable import check_followable, read_followed, stamp
from ...motions.retarget import Motion, retarget
from ...motions.strides import Contact, find_contacts
from ...motions.trim import cut, without_t_pose
from ...specs.motions import OWN_TIME, Clip
from ...specs.shot import EARTH_GRAVITY_M_S2

RATE_HZ = 120.0
SMOOTHING_S = 0.020
"""Standard deviation of the Gaussian that takes the capture's noise out (measured: less leaves the feet trembling)."""


@dataclass(frozen=True)
class FollowedClip:
    """N samples `step_s` apart, from the clip's first frame on; lengths are the body's, the first pelvis faces +x with its ankles
    about the origin. A window of a stream begins at its time `start_s`, wherever the stream is by then.

    `root_m` (N, 3), `root_quaternion` (N, 4), `joint_quaternions` (N, S-1, 4) in the order of `body.joint_segments`; `com_m`
    (N, 3); of the feet, left then right: `ankle_m` (N, 2, 3), heights over the ground under them, `foot_quaternion` (N, 2, 4),
    `foot_yaw` and `foot_pitch` (N, 2) [rad], the yaw without jumps, the pitch positive with the heel up. `leg_ratio` is the
    body's legs' length over the figure's in the clip, `first_frame` the number in the file of the first frame that is followed.
    `told` is what else is known of where it is from.
    """

    path: str
    body: Body
    step_s: float
    leg_ratio: float
    root_m: np.ndarray
    root_quaternion: np.ndarray
    joint_quaternions: np.ndarray
    com_m: np.ndarray
    ankle_m: np.ndarray
    foot_quaternion: np.ndarray
    foot_yaw: np.ndarray
    foot_pitch: np.ndarray
    contacts: tuple[Contact, ...]
    first_frame: int = 1
    start_s: float = 0.0
    told: tuple[tuple[str, str], ...] = ()

    @property
    def times_s(self) -> np.ndarray:
        """(N,) from `start_s`."""
        return self.start_s + self.step_s * np.arange(len(self.root_m))

    @property
    def end_s(self) -> float:
        return self.start_s + self.duration_s

    @property
    def duration_s(self) -> float:
        return self.step_s * (len(self.root_m) - 1)

    @property
    def origin(self) -> dict[str, str]:
        """Its file's name and what else is told of it, for a Take's figures."""
        return {"clip": Path(self.path).name, **dict(self.told)}

    def poses(self) -> tuple[np.ndarray, np.ndarray]:
        """World joint centres (N, S, 3) and orientations (N, S, 4)."""
        return segment_poses(self.body, self.root_m, self.root_quaternion, self.joint_quaternions)


def followed_clip(follow: Clip, body: Body, gravity: float = EARTH_GRAVITY_M_S2, *, on_feet: bool = True,
                  trims: bool = True) -> FollowedClip:
    """The part of a clip that a shot follows under a gravity, as `read_clip` gives it; one that `trims` leaves a T-pose at the
    start out where no first frame is asked for. Raises InputError where a shot follows none."""
    motion, contacts = _read(str(follow.file), stamp(follow.file), follow.database, stamp(follow.database), on_feet,
                             (follow.first_frame, follow.last_frame, trims and on_feet and follow.database is None),
                             gravity if follow.time == OWN_TIME else EARTH_GRAVITY_M_S2)
    return on_body(motion, contacts, body, SMOOTHING_S if on_feet else 0.0)


def read_clip(path: str | Path, body: Body, *, on_feet: bool = True, database: str | None = None) -> FollowedClip:
    """The clip of a BVH file, or of pressure that is read by a `database`, on a body; where it need not be carried `on_feet`,
    as it was captured, not smoothed. Raises ClipError for a file that cannot be read, a skeleton that cannot be understood, and,
    on its feet, a clip that no body could follow by them (`followable`), InputError for pressure that cannot be read."""
    motion, contacts = _read(str(path), stamp(path), database, stamp(database), on_feet, (None, None, False))
    return on_body(motion, contacts, body, SMOOTHING_S if on_feet else 0.0)


@lru_cache(maxsize=4)
def _read(
    path: str, _stamp: tuple[int, int], database: str | None, _stamp_of_it: tuple[int, int], on_feet: bool,
    part: tuple[int | None, int | None, bool], gravity: float = EARTH_GRAVITY_M_S2,
) -> tuple[Motion, tuple[Contact, ...]]:
    """A clip's motion and contacts, from its first frame to its last one, without a T-pose where that is asked for; kept, as the
    plan, the length and the controller of one shot all ask for them."""
    first, last, trims = part
    motion = retarget(cut(read_followed(path, database), first, last))
    if trims and first is None:
        clip = without_t_pose(motion)
        motion = motion if clip is motion.clip else retarget(clip)
    contacts = find_contacts(motion)
    if on_feet:
        check_followable(motion, contacts, gravity)
    return motion, tuple(contacts)


def on_body(motion: Motion, contacts: Sequence[Contact], body: Body, smoothing_s: float = SMOOTHING_S) -> FollowedClip:
    """A motion on another body: directions of segments stay, lengths go with the legs', the pelvis keeps its height over ankles
    that rest, and feet stand as far apart as under the figure's hips. `smoothing_s` takes the capture's noise out."""
    dt = motion.frame_time_s
    times = np.arange(motion.clip.frames) * dt
    grid = np.arange(0.0, times[-1] + 1e-9, 1.0 / RATE_HZ)

    def sampled(values: np.ndarray) -> np.ndarray:
        smooth = gaussian_filter1d(values, smoothing_s / dt, axis=0, mode="nearest") if smoothing_s else values
        return CubicSpline(times, smooth, axis=0)(grid)

    ratio = body.leg_length_m / motion.skeleton.leg_length_m
    _, turns = motion.poses()
    root = ratio * motion.root_position
    root[:, 2] += -body.sole_height_m - ratio * motion.resting_ankle_height_m()
    root, root_quat = sampled(root), unit_quats(sampled(continuous(motion.root_quaternion)))
    joints = unit_quats(sampled(continuous(_joints_on(body, motion.body, turns))))
    root_quat, joints = carrying(root_quat, joints, body)
    gradient = motion.ground.gradient
    heading = _yaw(root_quat)[0]
    turn = np.array([np.cos(-0.5 * heading), 0.0, 0.0, np.sin(-0.5 * heading)])
    root, root_quat = quat_rotate(turn, root), quat_multiply(turn, root_quat)
    positions, orientations = segment_poses(body, root, root_quat, joints)
    feet = [body.index[f"foot_{side}"] for side in SIDES]
    shift = positions[0, feet].mean(axis=0) * [1.0, 1.0, 0.0]
    root, positions = root - shift, positions - shift
    gradient = quat_rotate(turn, np.array([*gradient, 0.0]))[:2]
    ankle = positions[:, feet].copy()
    ankle += _aside(root_quat)[:, None] * (_half_hips(body) - ratio * _half_hips(motion.body)) * [[-1.0], [1.0]]
    ankle[..., 2] -= (ankle - root[:, None])[..., :2] @ gradient
    _, foot_quat, yaw, pitch = feet_of(body, positions, orientations)
    return FollowedClip(
        str(motion.clip.path), body, 1.0 / RATE_HZ, ratio, root, root_quat, joints,
        centre_of_mass(body, positions, orientations), ankle, foot_quat, yaw, pitch, tuple(contacts), motion.clip.first_frame,
        told=motion.clip.told)


def _half_hips(body: Body) -> float:
    """Distance of a hip from the middle [m]."""
    return abs(float(body.segment("thigh_L").offset[1]))


def _aside(root_quat: np.ndarray) -> np.ndarray:
    """Level unit vectors (T, 3) to the left of a root's orientations (T, 4)."""
    left = quat_rotate(root_quat, np.array([0.0, 1.0, 0.0])) * [1.0, 1.0, 0.0]
    return left / np.linalg.norm(left, axis=1, keepdims=True)


def feet_of(body: Body, positions: np.ndarray, orientations: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Ankles (T, 2, 3), feet's orientations (T, 2, 4), yaws and pitches (T, 2) of poses, as a `FollowedClip` has them."""
    feet = [body.index[f"foot_{side}"] for side in SIDES]
    x, y, z = np.moveaxis(matrix_from_quat(orientations[:, feet])[..., 0], -1, 0)
    return (positions[:, feet], continuous(orientations[:, feet]), np.unwrap(plane_angle(y, x), axis=0),
            plane_angle(-z, np.hypot(x, y)))


def _joints_on(body: Body, source: Body, turns: np.ndarray) -> np.ndarray:
    """Joint quaternions (T, S-1, 4) of a body whose segments turn as those of the same names of another one, in the world's
    axes (T, S', 4); segments that the other one lacks are stiff."""
    found = {body.segments[0].name: turns[:, 0]}
    joints = []
    for segment in body.segments[1:]:
        parent = found[segment.hangs_on]
        own = found[segment.name] = turns[:, source.index[segment.name]] if segment.name in source.index else parent
        joints.append(quat_multiply(quat_conjugate(parent), own))
    return np.stack(joints, axis=1)


def unit_quats(quats: np.ndarray) -> np.ndarray:
    return quats / np.linalg.norm(quats, axis=-1, keepdims=True)


def _yaw(quats: np.ndarray) -> np.ndarray:
    """Headings (T,) [rad] of the forward axes of orientations (T, 4), without jumps."""
    x, y, _ = np.moveaxis(matrix_from_quat(quats)[:, :, 0], -1, 0)
    return np.unwrap(plane_angle(y, x))


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
    return 2.0 * plane_angle(quats[:, 1:] @ axis, quats[:, 0])


BALL_MARGIN_RAD, HINGE_MARGIN_RAD = math.radians(1.0), math.radians(2.0)
"""Distance that a pose keeps from the end of a joint's range; the tracker keeps hinges as far from it."""


def within_ranges(clip: FollowedClip) -> FollowedClip:
    """The clip with every joint within its range. Directions of segments stay but where a hinge would have to give."""
    body, turns = clip.body, clip.poses()[1]
    found, joints = {body.segments[0].name: turns[:, 0]}, clip.joint_quaternions.copy()
    for i, segment in enumerate(body.segments[1:]):
        low, high = segment.range_rad
        if segment.axis is not None:
            angles = hinge_angles(joints[:, i], segment.axis)
            angles = np.clip(angles, low + HINGE_MARGIN_RAD, high - HINGE_MARGIN_RAD)
            joints[:, i] = quat_from_rotvec(angles[:, None] * segment.axis)
        else:
            parent = found[segment.hangs_on]
            bend = rotvec_from_quat(quat_multiply(quat_conjugate(parent), turns[:, body.index[segment.name]]))
            size = np.linalg.norm(bend, axis=1)
            share = np.minimum(1.0, (high - BALL_MARGIN_RAD) / np.maximum(size, 1e-9))
            inside = share >= 1.0
            near = np.where(np.sum(joints[:, i] * quat_from_rotvec(bend), axis=1) < 0.0, -1.0, 1.0)
            joints[:, i] = near[:, None] * quat_from_rotvec(share[:, None] * bend)
            if inside.all() and np.array_equal(parent, turns[:, body.index[segment.hangs_on]]):
                joints[:, i] = clip.joint_quaternions[:, i]
        found[segment.name] = quat_multiply(found[segment.hangs_on], joints[:, i])
    positions, orientations = segment_poses(body, clip.root_m, clip.root_quaternion, joints)
    return replace(clip, joint_quaternions=joints, com_m=centre_of_mass(body, positions, orientations))

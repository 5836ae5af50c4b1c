# SPDX-License-Identifier: GPL-3.0-or-later
"""A take at the frames of a scene: which frames get keys, the motion and the ground's load there, the foot events; loops."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...bodies.body import Body
from ...bodies.kinematics import contact_point_positions, segment_poses
from ...bodies.makers import KIND as PLANAR
from ...errors import RigError
from ...maths.curves import cubic
from ...maths.rotations import matrix_from_quat, quat_conjugate, quat_from_rotvec, quat_multiply, rotvec_from_quat
from ...reports.feet import loaded_points
from ...reports.strides import WholeStrides, end_of_walking_s, gravity_m_s2, weight_n, whole_strides
from ...rows import in_blocks, parts
from ...sim.take import Take
from ...specs.bake_options import BakeOptions
from .foot_lock import Loads
from .own_motion import Motion, OwnMotion, resampled

_STRAIGHT_RAD = np.radians(15.0)
"""A stride that turns more than this is no loop: the loop would have to jump back to its first heading."""

_SAME_FRAME = 1e-3
"""Frames nearer than this are one."""


@dataclass(frozen=True)
class FootEvent:
    """A strike or an off: its exact frame (between frames too), side "L" or "R", kind "strike" or "off"."""

    frame: float
    side: str
    kind: str

    @property
    def label(self) -> str:
        return f"{self.side} {self.kind}"


@dataclass(frozen=True)
class Sampled:
    """A take at frames (T,), at `time_s` (T,) [s] from its first sample. `motion` is its own body's, `share` (T, P) of the weight
    is on contact points at `points_m` (T, P, 3), `gravity_m_s2` (T,). `stride_s` is None without whole strides, `drift_m` (2,)
    how far a loop comes in one round, `let_go_s` when no foot stands any more after a fall, else None; `length_s` is the take's
    or the loop's."""

    frames: np.ndarray
    time_s: np.ndarray
    motion: Motion
    share: np.ndarray
    points_m: np.ndarray
    gravity_m_s2: np.ndarray
    events: tuple[FootEvent, ...]
    stride_s: float | None
    drift_m: np.ndarray | None = None
    let_go_s: float | None = None
    length_s: float = 0.0


def begins(take: Take, options: BakeOptions) -> float:
    """The frame, or the place between two, of the take's first sample: of one that goes on from another where that ends."""
    if take.shot.motion.after is not None and options.after_frame is not None:
        return options.after_frame
    return options.start_frame


def foot_events(take: Take, rate: float, start_frame: float) -> list[FootEvent]:
    """Every foot event of a take up to a fall, its first sample lying at `start_frame`, at `rate` frames a second."""
    frames = start_frame + (take.event_time_s - take.time_s[0]) * rate
    return [FootEvent(float(frame), take.body.feet[int(side)].name, ("strike", "off")[int(kind)])
            for frame, kind, side, time in zip(frames, take.event_kind, take.event_side, take.event_time_s, strict=True)
            if time <= end_of_walking_s(take)]


def sample(take: Take, rate: float, options: BakeOptions) -> Sampled:
    """The take at the frames that the options ask for. Raises RigError for a take or a range that cannot be baked."""
    for part in ("root_position_m", "root_quaternion", "joint_quaternions"):
        if not all(np.isfinite(some).all() for some in parts(take.arrays[part])):
            raise RigError(f"This take cannot be baked: its {part} holds values that are not finite; simulate again.")
    if len(take.time_s) < 2:
        raise RigError(f"This take holds {len(take.time_s)} samples; two are needed to bake a motion.")
    if options.loop:
        return _loop(take, rate, options)
    strides = _strides(take)
    start = begins(take, options)
    events = foot_events(take, rate, start)
    frames = _frames(take, rate, options, events)
    wanted = np.maximum(take.time_s[0] + (frames - start) / rate, take.time_s[0])
    motion = _motion_at(take, wanted)
    kept = tuple(e for e in events if frames[0] - 0.5 <= e.frame <= frames[-1] + 0.5)
    let_go_s = float(end_of_walking_s(take) - take.time_s[0]) if take.fell else None
    return Sampled(frames, wanted - take.time_s[0], motion, _share(take, wanted), _points(take.body, motion),
                   _gravity(take, wanted), kept, None if strides is None else strides.duration_s / strides.count,
                   let_go_s=let_go_s, length_s=float(take.time_s[-1] - take.time_s[0]))


def _strides(take: Take) -> WholeStrides | None:
    """The whole strides of a take; None where it has none, or does not say how long they were planned to be."""
    return whole_strides(take, settled=True) if "planned_stride_frequency_hz" in take.stats else None


def _frames(take: Take, rate: float, options: BakeOptions, events: list[FootEvent]) -> np.ndarray:
    """Frames (T,) to key, rising."""
    start = begins(take, options)
    last = int(np.floor(start + (take.time_s[-1] - take.time_s[0]) * rate + 1e-6))
    first = int(np.ceil(start - 1e-6))
    if options.frame_range is not None:
        first, last = max(first, options.frame_range[0]), min(last, options.frame_range[1])
        if last <= first:
            raise RigError(f"The take covers no two frames of the range {options.frame_range[0]} to "
                           f"{options.frame_range[1]}: with its start at frame {start:g} it ends at frame "
                           f"{int(np.floor(start + (take.time_s[-1] - take.time_s[0]) * rate + 1e-6))}.")
    frames = np.append(np.arange(first, last, options.frame_step, dtype=float), float(last))
    if options.subframe_events:
        exact = np.array([e.frame for e in events if first < e.frame < last])
        frames = np.sort(np.concatenate([frames, exact]))
        frames = frames[np.append(True, np.diff(frames) > _SAME_FRAME)]
    return frames


def _motion_at(take: Take, wanted_s: np.ndarray) -> Motion:
    return resampled(take.time_s, Motion(take.root_position_m, take.root_quaternion, take.joint_quaternions), wanted_s)


def _share(take: Take, wanted_s: np.ndarray) -> np.ndarray:
    """Share (T, P) of the weight on each contact point at the frames: the mean of the samples next to each, where it bears weight
    at both. At one alone it is about to strike or has just left, and still moves."""
    stands = loaded_points(take) & (take.time_s <= end_of_walking_s(take))[:, None]
    force = np.where(stands, take.contact_point_force_n, 0.0) / weight_n(take)[:, None]
    after = np.clip(np.searchsorted(take.time_s, wanted_s), 1, len(take.time_s) - 1)
    before, after = force[after - 1], force[after]
    return np.where((before > 0.0) & (after > 0.0), 0.5 * (before + after), 0.0)


def _gravity(take: Take, wanted_s: np.ndarray) -> np.ndarray:
    """Gravity (T,) [m/s^2] at the frames: the world's, or its ramp's."""
    return np.interp(wanted_s, take.time_s, gravity_m_s2(take))


def _points(body: Body, motion: Motion) -> np.ndarray:
    """Places (T, P, 3) [m] of the body's contact points."""
    def places(rows: slice) -> np.ndarray:
        poses = segment_poses(body, motion.root_position[rows], motion.root_quaternion[rows], motion.joint_quaternions[rows])
        return contact_point_positions(body, *poses)

    return in_blocks(places, len(motion.root_position), motion.joint_quaternions)


def loads_on(motion: OwnMotion, taken: Body, sampled: Sampled) -> Loads:
    """The loads of a take on the figure's own contact points, matched by name; of a planar body by foot and kind."""
    rows = {p.name: i for i, p in enumerate(taken.contact_points)}
    if taken.kind == PLANAR:
        of_kind = {(p.side, p.kind): i for i, p in enumerate(taken.contact_points)}
        rows = {p.name: of_kind[p.side, p.kind] for p in motion.body.contact_points if (p.side, p.kind) in of_kind}
    share = np.zeros((len(sampled.frames), len(motion.body.contact_points)))
    points = np.zeros((*share.shape, 3))
    for i, point in enumerate(motion.body.contact_points):
        if point.name in rows:
            share[:, i] = sampled.share[:, rows[point.name]]
            points[:, i] = motion.scale * sampled.points_m[:, rows[point.name]]
    return Loads(share, points, sampled.let_go_s)


def middle_stride(take: Take) -> tuple[float, float]:
    """When the stride of a take that a loop is made of begins, and how long it lasts [s]. Raises RigError for too few of them."""
    strides = _strides(take)
    if strides is None or strides.count < 2:
        raise RigError("A loop needs two whole strides after the character has got under way; simulate for longer.")
    middle = max(1, strides.count // 2)
    return float(strides.time_s[middle]), float(strides.time_s[middle + 1] - strides.time_s[middle])


def _loop(take: Take, rate: float, options: BakeOptions) -> Sampled:
    """One stride whose end runs on into its start: this stride and the one before, faded into each other over the round. With the
    weight w = 3 s^2 - 2 s^3, whose slope is zero at both ends, pose and velocity agree at the seam."""
    begin, period = middle_stride(take)
    count = max(2, int(np.rint(period * rate)))
    s = np.arange(count + 1) / count
    now, before = _motion_at(take, begin + s * period), _motion_at(take, begin + (s - 1.0) * period)
    drift = now.root_position[0] - before.root_position[0]
    drift[2] = 0.0
    _check_straight(now, before)
    w = cubic(s)
    motion = Motion((1.0 - w)[:, None] * now.root_position + w[:, None] * (before.root_position + drift),
                    _faded(now.root_quaternion, before.root_quaternion, w),
                    _faded(now.joint_quaternions, before.joint_quaternions, w))
    share = (1.0 - w)[:, None] * _share(take, begin + s * period) + w[:, None] * _share(take, begin + (s - 1.0) * period)
    start = options.start_frame
    events = []
    for event in foot_events(take, count / period, 0):
        frame = event.frame - (begin - take.time_s[0]) * count / period
        if -1e-6 <= frame < count - 1e-6:
            events.append(FootEvent(start + max(frame, 0.0), event.side, event.kind))
    return Sampled(start + np.arange(count + 1, dtype=float), s * period, motion, share, _points(take.body, motion),
                   _gravity(take, begin + s * period), tuple(events), period, drift[:2].copy(), length_s=period)


def _faded(a: np.ndarray, b: np.ndarray, w: np.ndarray) -> np.ndarray:
    """Rotations (T, ..., 4) a share `w` (T,) of the way from `a` to `b`."""
    step = rotvec_from_quat(quat_multiply(quat_conjugate(a), b))
    return quat_multiply(a, quat_from_rotvec(step * w.reshape(-1, *[1] * (step.ndim - 1))))


def _check_straight(now: Motion, before: Motion) -> None:
    """Raises RigError for a stride that turns."""
    facing = [matrix_from_quat(m.root_quaternion[0])[:2, 0] for m in (now, before)]
    turn = abs(np.angle(complex(*facing[0]) / complex(*facing[1])))
    if turn > _STRAIGHT_RAD:
        raise RigError(f"The character turns by {np.degrees(turn):.0f} degrees in one stride, so that stride cannot be a "
                       "loop; simulate a straight path.")


def repeated(motion: Motion, drift_m: np.ndarray) -> Motion:
    """A loop three times over, end to end (3 (T - 1) + 1 frames), so that the middle round sees both neighbours."""
    last = len(motion.root_position) - 1
    rows = np.concatenate([np.arange(last), np.arange(last), np.arange(last + 1)])
    round_ = np.concatenate([np.full(last, -1.0), np.zeros(last), np.ones(last + 1)])
    root = motion.root_position[rows].copy()
    root[:, :2] += round_[:, None] * drift_m
    return Motion(root, motion.root_quaternion[rows], motion.joint_quaternions[rows])

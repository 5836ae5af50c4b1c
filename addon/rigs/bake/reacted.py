# SPDX-License-Identifier: GPL-3.0-or-later
"""A figure's acted motion with what a hit changes of it: each joint is turned on from the action's own pose by what the hit
turned it from the pose of a simulation without. So nothing changes before the hit, and where the body is back so is the action;
feet stand as still as they do in both simulations. Plain numpy."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ...bodies.human.landmarks import SIDES, neutral_alignments
from ...bodies.kinematics import segment_poses
from ...maths.curves import cubic
from ...maths.rotations import (
    matrix_from_quat,
    quat_conjugate,
    quat_from_matrix,
    quat_from_rotvec,
    quat_multiply,
    quat_rotate,
    rotvec_from_quat,
)
from ..read.figure import Figure
from .foot_lock import SINK_WINDOW_S, sink_of
from .leg import move_leg
from .own_motion import OwnMotion, continuous_quaternions

BACK_RAD, BACK_M, BACK_FOOT_M = np.radians(3.0), 0.03, 0.01
"""A body is back where every joint is turned, hips and feet have come less than this off where they are without the hit: what can
fade out in `BLEND_S` and nobody sees, feet not sliding."""
BLEND_S = 0.25
"""Time in which what is left of the difference fades out (Earth; first guess)."""


def acted(figure: Figure, like: OwnMotion, poses: dict[str, np.ndarray]) -> OwnMotion:
    """The motion of the figure's own body, that of `like`, where its bones have these poses (T, 4, 4), in armature space as it
    stands in the action's first frame. Segments without a bone go with those that carry them."""
    body, alignments = like.body, neutral_alignments(figure.points)
    count = len(poses[figure.bone_of["pelvis"]])
    turns = np.empty((count, len(body.segments), 4))
    for i, segment in enumerate(body.segments):
        bone = figure.bone_of.get(segment.name)
        if bone is None:
            turns[:, i] = turns[:, body.index[segment.hangs_on]] if i else [1.0, 0.0, 0.0, 0.0]
            continue
        linear = poses[bone][:, :3, :3]
        away = linear / np.cbrt(np.linalg.det(linear))[:, None, None] @ figure.bone[bone].rotation.T
        turns[:, i] = continuous_quaternions(quat_from_matrix(figure.axes.T @ away @ figure.axes @ alignments[segment.name].T))
    hips = figure.bone_of["pelvis"]
    joint = figure.origin + figure.units_per_m * (figure.axes @ figure.points["pelvis"])
    away = poses[hips][:, :3, :3] / np.cbrt(np.linalg.det(poses[hips][:, :3, :3]))[:, None, None] @ figure.bone[hips].rotation.T
    place = poses[hips][:, :3, 3] + away @ (joint - figure.bone[hips].head)
    root = (place - figure.ground) @ figure.axes / figure.units_per_m
    return _posed(replace(like, moved=frozenset(figure.bone_of) & frozenset(body.index)), root, turns)


def _posed(motion: OwnMotion, root: np.ndarray, turns: np.ndarray) -> OwnMotion:
    """A motion of the same body with its hips at places (T, 3) and its segments turned so (T, S, 4)."""
    body = motion.body
    joints = np.stack([quat_multiply(quat_conjugate(turns[:, body.index[s.hangs_on]]), turns[:, i])
                       for i, s in enumerate(body.segments) if i], axis=1)
    places, _ = segment_poses(body, root, turns[:, 0], joints)
    return replace(motion, places=places, turns=turns)


@dataclass(frozen=True)
class Difference:
    """What a hit changes from frame to frame (T rows): how far hips and feet come [m], `place` and `ankle` (T, 3), by side; how
    the hips and the feet are turned in the world, `turn` and `foot` (T, 4), by side; how each joint is turned in its own frame,
    `joint` (T, S, 4), the first row's not used."""

    place: np.ndarray
    turn: np.ndarray
    ankle: dict[str, np.ndarray]
    foot: dict[str, np.ndarray]
    joint: np.ndarray

    def share(self, share: np.ndarray) -> Difference:
        """A share (T,) of it."""
        def some(turns: np.ndarray) -> np.ndarray:
            return quat_from_rotvec(rotvec_from_quat(turns) * share.reshape(-1, *[1] * (turns.ndim - 1)))

        return Difference(self.place * share[:, None], some(self.turn), {s: x * share[:, None] for s, x in self.ankle.items()},
                          {s: some(x) for s, x in self.foot.items()}, some(self.joint))

    def part(self, rows: slice) -> Difference:
        return Difference(self.place[rows], self.turn[rows], {s: x[rows] for s, x in self.ankle.items()},
                          {s: x[rows] for s, x in self.foot.items()}, self.joint[rows])

    @property
    def angle(self) -> np.ndarray:
        """The largest turn (T,) [rad] of the hips and of any joint."""
        turns = np.concatenate([self.turn[:, None], self.joint[:, 1:]], axis=1)
        return np.linalg.norm(rotvec_from_quat(turns), axis=-1).max(axis=1)

    @property
    def way(self) -> np.ndarray:
        """How far (T,) [m] the hips have come."""
        return np.linalg.norm(self.place, axis=1)

    @property
    def step(self) -> np.ndarray:
        """The farthest (T,) [m] that a foot has come."""
        return np.max([np.linalg.norm(x, axis=1) for x in self.ankle.values()], axis=0)

    def back(self) -> int | None:
        """The first frame from which on all that is left is small; None where it is not small at the end."""
        off = np.flatnonzero((self.angle > BACK_RAD) | (self.way > BACK_M) | (self.step > BACK_FOOT_M))
        if not len(off):
            return 0
        return None if off[-1] == len(self.angle) - 1 else int(off[-1]) + 1


def difference(struck: OwnMotion, unstruck: OwnMotion, yaw: float) -> Difference:
    """What differs between a motion with a hit and one without, seen in axes that are turned from theirs by `yaw` [rad]."""
    body = struck.body
    turn = np.array([np.cos(0.5 * yaw), 0.0, 0.0, np.sin(0.5 * yaw)])

    def world(i: int) -> np.ndarray:
        off = quat_multiply(struck.turns[:, i], quat_conjugate(unstruck.turns[:, i]))
        return _short(quat_multiply(quat_multiply(turn, off), quat_conjugate(turn)))

    def moved(i: int) -> np.ndarray:
        return quat_rotate(np.broadcast_to(turn, (len(struck.places), 4)), struck.places[:, i] - unstruck.places[:, i])

    joint = np.zeros_like(struck.turns)
    joint[..., 0] = 1.0
    for i, segment in enumerate(body.segments):
        if i:
            above = body.index[segment.hangs_on]
            one, other = (quat_multiply(quat_conjugate(m.turns[:, above]), m.turns[:, i]) for m in (struck, unstruck))
            joint[:, i] = _short(quat_multiply(quat_conjugate(other), one))
    feet = {side: body.index[f"foot_{side}"] for side in SIDES}
    return Difference(moved(0), world(0), {side: moved(i) for side, i in feet.items()},
                      {side: world(i) for side, i in feet.items()}, joint)


def reacted(motion: OwnMotion, made: Difference, time_s: np.ndarray, gravity_ratio: float = 1.0) -> OwnMotion:
    """An acted motion with a difference made to it, at times (T,) [s]. Where a foot cannot be reached the hips sink a little."""
    body = motion.body
    turns = motion.turns.copy()
    turns[:, 0] = quat_multiply(made.turn, motion.turns[:, 0])
    for i, segment in enumerate(body.segments):
        if i:
            above = body.index[segment.hangs_on]
            own = quat_multiply(quat_conjugate(motion.turns[:, above]), motion.turns[:, i])
            turns[:, i] = quat_multiply(turns[:, above], quat_multiply(own, made.joint[:, i]))
    posed = _posed(motion, motion.places[:, 0] + made.place, turns)
    plans = {}
    for side in SIDES:
        foot = body.index[f"foot_{side}"]
        turned = quat_multiply(made.foot[side], motion.turns[:, foot])
        off = quat_multiply(turned, quat_conjugate(posed.turns[:, foot]))
        for name in ("foot", "toes"):
            i = body.index.get(f"{name}_{side}")
            if i is not None:
                posed.turns[:, i] = quat_multiply(off, posed.turns[:, i])
        shift = motion.places[:, foot] + made.ankle[side] - posed.places[:, foot]
        plans[side] = shift, np.zeros(len(shift)), np.linalg.norm(shift, axis=1) > 0.0
    window = np.full(len(time_s), SINK_WINDOW_S / np.sqrt(gravity_ratio))
    sink = sink_of(posed, plans, time_s, window) * cubic(np.clip((made.way + made.step) / BACK_FOOT_M, 0.0, 1.0))
    places, turns = posed.places.copy(), posed.turns.copy()
    places[..., 2] -= sink[:, None]
    for side, (shift, still, _) in plans.items():
        move_leg(posed, places, turns, side, shift, still)
    return replace(posed, places=places, turns=turns)


def heading(turns: np.ndarray) -> float:
    """Which way hips that are turned so (4,) face [rad]."""
    x, y = matrix_from_quat(turns)[:2, 0]
    return float(np.arctan2(y, x))


def _short(turns: np.ndarray) -> np.ndarray:
    """The same turns (T, 4) the short way round, without jumps of sign."""
    return np.where(turns[..., :1] < 0.0, -turns, turns)

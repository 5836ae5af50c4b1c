# SPDX-License-Identifier: GPL-3.0-or-later
"""Motions of a database as a stream lays them: where their feet are, when they swing, and a few poses of them at a time, turned
and moved to where the feet that stand are, and faded in (as `laying` does with whole runs)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...bodies.body import Body
from ...maths.quaternions import matrix_from_quat, quat_conjugate, quat_from_rotvec, quat_multiply, rotvec_from_quat
from ..responses.blending import faded
from ..responses.feet import Sole
from ..responses.figure import Figure, levels_of, with_feet
from ..responses.measuring import spans
from .database import MOTION_HZ, PressedMotion
from .laying import BLEND_S, at_poses, heading, standing
from .live_feet import Swings
from .warp import at_frames, way_at


class Piece:
    """A motion of a database, T poses: its feet, and their swings."""

    def __init__(self, body: Body, motion: PressedMotion) -> None:
        figure = with_feet(body, motion.root, motion.turn, motion.joints)
        down = float(levels_of(body, part_of(figure, slice(0, 1))).min()) if motion.quiet else 0.0
        self.root, self.ankles = (places - [0.0, 0.0, down] for places in (figure.root, figure.ankles))
        self._quats = np.concatenate([motion.turn[:, None], motion.joints, figure.soles], axis=1)
        self._feet = figure.soles.shape[1]
        self._planted = standing(body, motion)
        self._swings, self._lifts = [], []
        for f, foot in enumerate(body.feet):
            swings = np.array(spans(~self._planted[:, f].any(axis=1)), dtype=float).reshape(-1, 2)
            ends = np.minimum(swings[:, 1].astype(int), len(motion) - 1)
            points = Sole.of(body, foot).at(self.ankles[ends, f], figure.soles[ends, f])
            held = self._planted[ends, f] @ Sole.of(body, foot).parts > 0
            level = -np.where(held, points[..., 2], np.inf).min(axis=1)
            self._lifts.append(np.where(np.isfinite(level), level, 0.0))
            self._swings.append(swings)

    def at(self, frames: np.ndarray) -> tuple[Figure, np.ndarray]:
        """The poses at its fractional frames (N,), and which parts of the feet stand (N, 2, 2)."""
        quats = at_frames(frames, self._quats)
        ankles = way_at(frames, self.ankles.reshape(len(self.ankles), -1)).reshape(len(frames), self._feet, 3)
        return (Figure(way_at(frames, self.root), quats[:, 0], quats[:, 1:-self._feet], ankles, quats[:, -self._feet:]),
                at_poses(frames, self._planted))

    def swings(self, foot: int, frames: np.ndarray, stands: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """How far through its swing a foot is at frames (N,), not a number where it stands (N,); how many frames that lasts, the
        frame at which it lands, and by how much it is lifted there [m]."""
        known = self._swings[foot]
        phase, long = np.full(len(frames), np.nan), np.ones(len(frames))
        ends, lifts = np.full(len(frames), len(self.root) - 1), np.zeros(len(frames))
        for i in np.flatnonzero(~stands) if len(known) else ():
            k = max(int(np.searchsorted(known[:, 0] - 1.0, frames[i], side="right")) - 1, 0)
            begin, end = known[k] - [1.0, 0.0]
            if begin <= frames[i] <= end:
                phase[i], long[i] = (frames[i] - begin) / (end - begin), end - begin
                ends[i], lifts[i] = min(int(end), len(self.root) - 1), self._lifts[foot][k]
        return phase, long, ends, lifts

    def next_lift(self, foot: int, frame: int) -> float:
        """The frame at which a foot is lifted after it has landed at one."""
        later = self._swings[foot][:, 0]
        return float(later[later > frame].min(initial=np.inf))


@dataclass(frozen=True, eq=False)
class Joint:
    """How a piece goes on from the pose before it: turned by `yaw` about a vertical line through `pivot` (3,), moved by `shift`
    (3,), and what fades: root (3,), turn (3,) and joints (S-1, 3) as rotation vectors, ankles (F, 3) and soles (F, 3). Which
    feet stand on `both` sides (F,)."""

    yaw: float
    pivot: np.ndarray
    shift: np.ndarray
    both: np.ndarray
    root: np.ndarray
    turn: np.ndarray
    joints: np.ndarray
    ankles: np.ndarray
    soles: np.ndarray

    @classmethod
    def start(cls, piece: Figure) -> Joint:
        """Of a first piece, before which there is nothing."""
        none = np.zeros(3)
        joints, feet = np.zeros((piece.joints.shape[1], 3)), np.zeros((piece.ankles.shape[1], 3))
        return cls(0.0, none, none, np.ones(len(feet), dtype=bool), none, none, joints, feet, feet)

    @classmethod
    def of(cls, before: Figure, stood: np.ndarray, piece: Figure, stands: np.ndarray) -> Joint:
        """From one pose, of whose feet some stood (F,), to a piece's first, of whose some stand (F,). The ankles' difference over
        the ground is left to the feet (`steps_of`) where both stand."""
        both = stood & stands
        if both.any():  # by where feet look to: the line between them turns with every stride
            yaws = np.array([heading(before.soles[0, f]) - heading(piece.soles[0, f]) for f in np.flatnonzero(both)])
            yaw = float(np.angle(np.exp(1j * yaws).mean()))
            pivot, goal = piece.ankles[0, both].mean(axis=0), before.ankles[0, both].mean(axis=0)
        else:
            yaw = float(np.angle(np.exp(1j * (heading(before.turn[0]) - heading(piece.turn[0])))))
            pivot, goal = piece.root[0], before.root[0]
        shift = np.array([goal[0] - pivot[0], goal[1] - pivot[1], 0.0])
        bare = cls.start(piece)
        here = cls(yaw, pivot, shift, both, bare.root, bare.turn, bare.joints, bare.ankles, bare.soles).placed(piece)
        ankles = before.ankles[0] - here.ankles[0]
        if both.all():
            ankles = ankles * np.array([0.0, 0.0, 1.0])
        return cls(yaw, pivot, shift, both, before.root[0] - here.root[0], _away(before.turn[0], here.turn[0]),
                   _away(before.joints[0], here.joints[0]), ankles, _away(before.soles[0], here.soles[0]))

    def placed(self, piece: Figure) -> Figure:
        """Poses turned and moved."""
        turn = quat_from_rotvec(np.array([0.0, 0.0, self.yaw]))
        return Figure(self.places(piece.root), quat_multiply(turn[None], piece.turn), piece.joints, self.places(piece.ankles),
                      quat_multiply(turn[None, None], piece.soles))

    def places(self, places: np.ndarray) -> np.ndarray:
        """Places (..., 3) turned and moved."""
        about = matrix_from_quat(quat_from_rotvec(np.array([0.0, 0.0, self.yaw])))
        return np.asarray((places - self.pivot) @ about.T + self.pivot + self.shift)

    def faded(self, body: Body, piece: Figure, since: int) -> Figure:
        """Poses that are placed, with what fades of those from so many on after the joint (`since`)."""
        times = (1.0 + since + np.arange(len(piece.root))) / MOTION_HZ
        if times[0] >= BLEND_S:
            return piece

        def turned(quats: np.ndarray, away: np.ndarray) -> np.ndarray:
            return quat_multiply(quat_from_rotvec(faded(times, BLEND_S, away)), quats)

        root = piece.root + faded(times, BLEND_S, self.root)
        turn, joints = turned(piece.turn, self.turn), turned(piece.joints, self.joints)
        if self.both.all():
            return Figure(root, turn, joints, piece.ankles + faded(times, BLEND_S, self.ankles), turned(piece.soles, self.soles))
        legs = with_feet(body, root, turn, joints)  # a foot that does not stand goes where the fading leg has it
        both = self.both[:, None]
        return Figure(root, turn, joints, np.where(both, piece.ankles + faded(times, BLEND_S, self.ankles), legs.ankles),
                      np.where(both, turned(piece.soles, self.soles), legs.soles))

    def steps_of(self, before: Figure, piece: Figure) -> np.ndarray:
        """How far (F, 2) [m] from where a piece has them both feet stand after the joint, as they stood otherwise before it."""
        if not self.both.all():
            return np.zeros((len(self.both), 2))
        return np.asarray(before.ankles[0, :, :2] - self.placed(piece).ankles[0, :, :2])


def part_of(figure: Figure, some: slice) -> Figure:
    """Some of a figure's poses."""
    return Figure(figure.root[some], figure.turn[some], figure.joints[some], figure.ankles[some], figure.soles[some])


def swings_of(piece: Piece, joint: Joint, foot: int, frames: np.ndarray, stands: np.ndarray, step: np.ndarray) -> Swings:
    """A foot's swings at a piece's frames (N,), as it is laid; it lands a step (2,) [m] from where the piece has it."""
    phase, long, ends, lifts = piece.swings(foot, frames, stands)
    pace = max(float(np.diff(frames).mean()), 1e-3) if len(frames) > 1 else 1.0
    return Swings(phase, long / pace, joint.places(piece.ankles[ends, foot])[:, :2] + step, lifts)


def _away(here: np.ndarray, there: np.ndarray) -> np.ndarray:
    """The rotation (..., 3) from one orientation to the other, (..., 4) each."""
    return rotvec_from_quat(quat_multiply(here, quat_conjugate(there)))

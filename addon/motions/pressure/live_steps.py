# SPDX-License-Identifier: GPL-3.0-or-later
"""Steps of a stream that land where the user's foot does, as far as that is seen by the time the leg swings. What stands stays
where it came down, what was held back goes in the swing after it, and nothing of it is known but the swing's own landing. Ankles
on the mat are ahead of the middle of a whole print's last rows (Yin 2007, appendix B, takes that itself)."""

from __future__ import annotations

from collections import deque
from copy import copy
from dataclasses import dataclass

import numpy as np

from ...bodies.body import Body
from ...maths.curves import runs, smooth
from ...maths.rotations import matrix_from_quat, quat_conjugate, quat_from_rotvec, quat_multiply, rotvec_from_quat
from ..responses.feet import CLEAR_M, CLEAR_S, OFF_M, Figure, Hold, Sole, faded, levels_of, with_feet
from .database import MOTION_HZ, PER_FRAME, PressedMotion
from .images import Pressure
from .laying import BLEND_S, at_frames, at_poses, heading, standing, way_at
from .recognition import AHEAD
from .steps import LEAST_SHIFT_M, lead_share

SETTLES = 0.75
"""What is left, a pose later, of the height at which a foot came down over the ground (first guess)."""


@dataclass(frozen=True, eq=False)
class Swings:
    """Of n poses of a foot: how far through its swing it is, 0 to 1 (n,), not a number where it stands; how long that lasts, in
    poses (n,); over where its ankle lands (n, 2) [m], and by how much it is lifted there (n,) [m]. One that only `falls` comes
    down as a motion fades in, and may at any time."""

    phase: np.ndarray
    long: np.ndarray
    lands_m: np.ndarray
    lift_m: np.ndarray
    falls: bool = False

    def part(self, some: slice) -> Swings:
        return Swings(self.phase[some], self.long[some], self.lands_m[some], self.lift_m[some], self.falls)


@dataclass(frozen=True, eq=False)
class _Laid:
    """How far n poses of a foot are shifted, x + iy [m], turned [rad] and lifted [m] (n,), filled pose by pose."""

    shift: np.ndarray
    yaw: np.ndarray
    lift: np.ndarray


class LiveFoot:
    """Lays one foot of a body on level ground, pose after pose."""

    def __init__(self, body: Body, foot: int) -> None:
        self.sole = Sole.of(body, body.feet[foot])
        self._hold: Hold | None = None
        self._shift, self._yaw, self._lift, self._over = 0j, 0.0, 0.0, 0.0
        self._phase: float | None = 0.0
        self._entered = 0.0
        self._stood_m: complex | None = None

    def copy(self) -> LiveFoot:
        """One that goes on from here by itself."""
        other = copy(self)
        other._hold = copy(self._hold)
        return other

    def begins(self, stands: bool) -> None:
        """Another motion begins, that is laid on the pose given last: what stands on goes on to stand."""
        self._lift, self._over, self._phase = 0.0, 0.0, None
        if not stands:
            self._hold, self._shift, self._yaw = None, 0j, 0.0

    def over(
        self, ankle: np.ndarray, turn: np.ndarray, toe_rad: np.ndarray, planted: np.ndarray, swings: Swings,
    ) -> tuple[np.ndarray, np.ndarray]:
        """The next ankles (n, 3) and turns (n, 4), of which heel or ball are `planted` (n, 2), on the ground."""
        points = self.sole.at(ankle, turn)
        held = planted @ self.sole.parts > 0
        flat = ankle[:, 0] + 1j * ankle[:, 1]
        laid = _Laid(np.zeros(len(ankle), dtype=complex), np.zeros(len(ankle)), np.zeros(len(ankle)))
        stands = held.any(axis=1)
        for some in sorted((slice(*part) for part in (*runs(stands), *runs(~stands))), key=lambda part: part.start):
            if stands[some.start]:
                self._stand(some, ankle, turn, points, held, laid)
                self._stood_m, self._phase = complex(flat[some.stop - 1] + laid.shift[some.stop - 1]), 0.0
                self._entered = 0.0
            else:
                lowest = self.sole.lowest(ankle[some], turn[some], toe_rad[some])
                self._swing(some, ankle, points, lowest, swings.part(some), laid)
            last = some.stop - 1
            self._shift, self._yaw, self._lift = complex(laid.shift[last]), float(laid.yaw[last]), float(laid.lift[last])
        goes = flat + laid.shift
        about = np.zeros((len(ankle), 3))
        about[:, 2] = laid.yaw
        return np.stack([goes.real, goes.imag, ankle[:, 2] + laid.lift], axis=1), quat_multiply(quat_from_rotvec(about), turn)

    def _stand(self, some: slice, ankle: np.ndarray, turn: np.ndarray, points: np.ndarray, held: np.ndarray, laid: _Laid) -> None:
        heights = points[some, :, 2]
        level = -np.where(held[some], heights, np.inf).min(axis=1)
        grips, holds = self.sole.grips(ankle[some], turn[some], points[some], held[some])
        places, middle = grips[..., 0] + 1j * grips[..., 1], ankle[some, 0] + 1j * ankle[some, 1]
        if self._hold is None:
            shown = middle[0] + self._shift + (places[0] - middle[0]) * np.exp(1j * self._yaw)
            self._hold = Hold(self.sole, shown, self._yaw)
            self._over = max(self._lift - float(level[0]), 0.0) if self._stood_m is not None else 0.0
        laid.shift[some], laid.yaw[some] = self._hold.over(places, grips[..., 2], holds, middle)
        over = self._over * SETTLES ** np.arange(1.0, len(level) + 1.0)
        self._over = float(over[-1])
        laid.lift[some] = np.maximum(level + over, -heights.min(axis=1))

    def _swing(self, some: slice, ankle: np.ndarray, points: np.ndarray, lowest: np.ndarray, swings: Swings, laid: _Laid) -> None:
        self._hold = None
        if self._phase is None:
            self._entered = min(float(swings.phase[0]), 1.0 - 1e-6)  # a swing that is gone into in its midst
        phase = self._entered if self._phase is None else self._phase
        u = np.maximum.accumulate(np.maximum(swings.phase, phase))  # one swing after another, without a stand between, is one
        stays = faded(np.append(phase, u), 1.0, np.ones(()))  # of what is there now and gone at the end
        left = np.asarray(stays[1:] / max(stays[0], 1e-6))
        laid.shift[some], laid.yaw[some] = left * self._shift, left * self._yaw
        goes = (1.0 - u) / max(1.0 - phase, 1e-6)
        level = np.maximum(swings.lift_m + goes * (self._lift - swings.lift_m), -points[some, :, 2].min(axis=1))
        since = np.clip((u - self._entered) / (1.0 - self._entered), 0.0, 1.0)
        high = 0.0 if swings.falls else CLEAR_M
        clear = high * np.minimum(swings.long / (CLEAR_S * MOTION_HZ), 1.0) * 16.0 * (since * (1.0 - since)) ** 2
        place = ankle[some, 0] + 1j * ankle[some, 1] + laid.shift[some]
        gone = np.abs(place - swings.lands_m[:, 0] - 1j * swings.lands_m[:, 1])
        if self._stood_m is not None:
            gone = np.minimum(gone, np.abs(place - self._stood_m))
        laid.lift[some] = np.maximum(level, np.maximum(clear, np.minimum(gone, OFF_M)) - lowest)
        self._phase = float(u[-1])


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
            swings = np.array(runs(~self._planted[:, f].any(axis=1)), dtype=float).reshape(-1, 2)
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
    return Figure(figure.root[some], figure.turn[some], figure.joints[some], figure.ankles[some], figure.soles[some])


def swings_of(piece: Piece, joint: Joint, foot: int, frames: np.ndarray, stands: np.ndarray, step: np.ndarray) -> Swings:
    """A foot's swings at a piece's frames (N,), as it is laid; it lands a step (2,) [m] from where the piece has it."""
    phase, long, ends, lifts = piece.swings(foot, frames, stands)
    pace = max(float(np.diff(frames).mean()), 1e-3) if len(frames) > 1 else 1.0
    return Swings(phase, long / pace, joint.places(piece.ankles[ends, foot])[:, :2] + step, lifts)


def _away(here: np.ndarray, there: np.ndarray) -> np.ndarray:
    """The rotation (..., 3) from one orientation to the other, (..., 4) each."""
    return rotvec_from_quat(quat_multiply(here, quat_conjugate(there)))


LATEST = 0.7
"""How far through its swing a foot may be sent elsewhere (first guess)."""
FASTEST_M_S, MOST_SHIFT_M = 1.5, 0.4
"""How fast, over what is left of its swing, a foot may be sent elsewhere than the motion has it, and how far (first guess)."""
SAME_M = 0.01
"""What is seen of a landing anew changes nothing below this."""
KEPT = 60
"""Frames of the first stance by which the mat is laid."""


class LiveSteps:
    """How far each foot is from where the motion has it: now (`shifts`), and where it steps to (`aims`), (2, 2) [m]."""

    def __init__(self) -> None:
        self.shifts, self.aims = np.zeros((2, 2)), np.zeros((2, 2))
        self._left = self._left_aim = 0.5
        self._phases = np.zeros(2)
        self._aimed = [False, False]
        self._seen: list[list[np.ndarray]] = [[], []]
        self._mat: np.ndarray | None = None

    @property
    def mat_m(self) -> np.ndarray | None:
        """Where the mat lies (2,) [m]: the ankles of the first stance are where the user's are; None before they are seen."""
        if self._mat is not None:
            return self._mat
        told = [np.median(mine, axis=0) for mine in self._seen if mine]
        return np.asarray(np.mean(told, axis=0)) if told else None

    def see(self, last: Figure | None, stood: np.ndarray, ankles_m: np.ndarray) -> None:
        """The user's ankles (2, 2) in a frame, and the pose before it, of whose feet some stood (2,)."""
        if last is None or self._mat is not None:
            return
        for foot in (0, 1):
            if stood[foot] and np.isfinite(ankles_m[foot]).all() and len(self._seen[foot]) < KEPT:
                self._seen[foot].append(last.ankles[0, foot, :2] - ankles_m[foot])

    def start(self, ankles: np.ndarray, stands: np.ndarray, ankles_m: np.ndarray) -> None:
        """The first pose, its ankles (2, 2): feet stand beside one another as the user's are seen to (`ankles_m` (K, 2, 2), of
        this frame and those after it), while each stands (K, 2) as at first."""
        known = np.logical_and.accumulate(stands, axis=0)[:len(ankles_m)] & np.isfinite(ankles_m[:len(stands)]).all(axis=2)
        if not known.any(axis=0).all():
            return
        away = np.array([np.median(ankles_m[:len(known)][known[:, foot], foot], axis=0) for foot in (0, 1)]) - ankles
        if float(np.linalg.norm(away[0] - away[1])) <= MOST_SHIFT_M:
            self.shifts = away - away.mean(axis=0)
            self.aims = self.shifts.copy()

    def begin(self, shifts: np.ndarray) -> None:
        """Another motion begins, with feet (2, 2) [m] from where it has them."""
        self.shifts, self.aims = shifts.copy(), shifts.copy()
        self._left = self._left_aim = 0.5
        self._phases = np.full(2, np.nan)  # of a swing that is gone into in its midst
        self._aimed = [False, False]

    def aim(self, foot: int, piece: Piece, joint: Joint, frames: np.ndarray, swing: Swings, stands: np.ndarray,
            ankles_m: np.ndarray | None) -> None:
        """Where a foot that swings now, or begins to, steps to: to the user's, or as the motion has it beside the other one."""
        swings = np.flatnonzero(~stands[:PER_FRAME, foot])
        if not len(swings):
            self._aimed[foot] = False
            return
        first = int(swings[0])
        if first > 0:
            self._aimed[foot] = False  # a swing that begins
        if swing.phase[first] > LATEST:
            self.aims[foot] = self.aims[foot] if self._aimed[foot] else self.shifts[foot]
            self._aimed[foot] = True
            return
        if self.mat_m is not None and self._mat is None:
            self._mat = self.mat_m
        other = 1 - foot
        beside = self.aims[other] if stands[first, other] else self.aims[foot]
        wanted, landing = self._wanted(foot, piece, joint, frames, frames[first], ankles_m), None
        aim = beside
        if wanted is not None and LEAST_SHIFT_M < float(np.linalg.norm(wanted - beside)) \
                and float(np.linalg.norm(wanted - beside)) <= MOST_SHIFT_M:
            aim = wanted
        elif wanted is None and self._aimed[foot]:
            return
        if self._aimed[foot] and float(np.linalg.norm(aim - self.aims[foot])) < SAME_M:
            return
        left_s = float((1.0 - swing.phase[first]) * swing.long[first]) / MOTION_HZ
        far = float(np.linalg.norm(aim - self.shifts[foot]))
        aim = self.shifts[foot] + min(FASTEST_M_S * left_s / max(far, 1e-9), 1.0) * (aim - self.shifts[foot])
        self.aims[foot], self._aimed[foot] = aim, True
        landing = int(piece.swings(foot, frames[first:first + 1], np.zeros(1, dtype=bool))[2][0])
        legs = joint.places(piece.ankles[landing]) - joint.places(piece.root[landing])
        share = lead_share(legs[foot], legs[other], aim - self.aims[other])
        share = 0.5 if share is None else share
        self._left_aim = share if foot else 1.0 - share

    def _wanted(self, foot: int, piece: Piece, joint: Joint, frames: np.ndarray, now: float,
                ankles_m: np.ndarray | None) -> np.ndarray | None:
        """How far (2,) [m] from where the motion has it the user's foot lands; None where that is not seen yet."""
        if ankles_m is None or self._mat is None:
            return None
        landing = int(piece.swings(foot, np.array([now]), np.zeros(1, dtype=bool))[2][0])
        down, up = (int(np.searchsorted(frames, frame)) for frame in (landing, piece.next_lift(foot, landing)))
        seen = ankles_m[-(-down // PER_FRAME):max(up // PER_FRAME, 0), foot]
        seen = seen[np.isfinite(seen).all(axis=1)]
        if not len(seen):
            return None
        return np.asarray(np.median(seen, axis=0) + self._mat - joint.places(piece.ankles[landing, foot])[:2])

    def over(self, swings: list[Swings], stands: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The feet's shifts (n, 2, 2) and the root's (n, 2) [m] over poses of which each foot stands (n, 2); what is given, the
        first `PER_FRAME` of them, is gone on from."""
        shifts, roots = np.zeros((len(stands), 2, 2)), np.zeros((len(stands), 2))
        now, left, phases = self.shifts.copy(), self._left, self._phases.copy()
        for n in range(len(stands)):
            for foot in (0, 1):
                if stands[n, foot]:
                    if phases[foot] > 0.0:
                        now[foot], left = self.aims[foot], self._left_aim
                    phases[foot] = 0.0
                    continue
                phase = float(swings[foot].phase[n])
                phases[foot] = phase if np.isnan(phases[foot]) else phases[foot]
                stays = _stays(phase) / _stays(phases[foot]) if phase > phases[foot] else 1.0
                now[foot] = self.aims[foot] + stays * (now[foot] - self.aims[foot])
                left = self._left_aim + stays * (left - self._left_aim)
                phases[foot] = max(phase, phases[foot])
            shifts[n], roots[n] = now, left * now[0] + (1.0 - left) * now[1]
            if n == PER_FRAME - 1:
                self.shifts, self._left, self._phases = now.copy(), left, phases.copy()
        return shifts, roots


def _stays(phase: float) -> float:
    """What is left at a phase of a swing of what goes in it."""
    return max(1.0 - smooth(phase), 1e-6)


HEEL_ROWS = 3
ANKLE_SHARE = 0.33
"""Of a whole print's length from its rear end on, where the ankle is above it: 0.28 of the sole's, and a rim around that."""
FULL_SHARE = 0.7
"""Of a foot's longest print so far: from there on the whole sole is down, heel and all."""


class LiveAnkles:
    """Takes the feet's masks of one frame after the other; `ahead` are the ankles of the last `AHEAD` + 1 of them."""

    def __init__(self, like: Pressure) -> None:
        self._like = like
        self._longest = np.zeros(2)
        self._heels: deque[np.ndarray] = deque(maxlen=AHEAD + 1)
        self._long: deque[np.ndarray] = deque(maxlen=AHEAD + 1)

    def push(self, masks: np.ndarray) -> None:
        """The next frame's masks (2, rows, columns) of the left and the right foot."""
        touched = masks.any(axis=2)
        heels = np.full((2, 2), np.nan)
        for foot in (0, 1):
            rows = np.flatnonzero(touched[foot])[:HEEL_ROWS]
            if len(rows) == HEEL_ROWS:
                weight = masks[foot, rows].astype(float)
                heels[foot] = (weight.sum(axis=1) @ self._like.rows_m[rows], weight.sum(axis=0) @ self._like.columns_m)
                heels[foot] /= weight.sum()
        self._heels.append(heels)
        self._long.append(touched.sum(axis=1))
        self._longest = np.maximum(self._longest, self._long[-1])

    @property
    def ahead(self) -> np.ndarray:
        """Ankles (K, 2, 2) [m] of the last K frames, oldest first, not a number while a foot is not wholly down."""
        ahead_m = (ANKLE_SHARE * self._longest - 0.5 * HEEL_ROWS) * self._like.pitch_m[0]
        whole = np.array(self._long) >= FULL_SHARE * self._longest
        return np.where(whole[..., None], np.array(self._heels) + ahead_m[:, None] * np.array([1.0, 0.0]), np.nan)

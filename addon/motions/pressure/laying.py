# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs of known motions laid one after the other, each on the feet on which the one before stands (Yin 2007, section 3.5.1), at
another pace (section 3.5.3). Feet that are where the user's are though no known motion has them there, in the first stance and
after a step in which none was recognised, drift in section 3.5.2 until a known motion steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.ndimage import gaussian_filter1d

from ...bodies.body import Body
from ...maths.curves import runs, smoothstep
from ...maths.rotations import matrix_from_quat, quat_conjugate, quat_from_rotvec, quat_multiply, rotvec_from_quat
from ..responses.feet import Figure, Sole, faded, joined, levels_of, with_feet
from .database import MOTION_HZ, PER_FRAME, Database, PressedMotion
from .recognition import QUIET


def at_frames(frames: np.ndarray, quats: np.ndarray) -> np.ndarray:
    """Orientations (N, S, 4) at the fractional frames (N,) of a motion's (T, S, 4)."""
    low, past = _between(frames, len(quats))
    turn = rotvec_from_quat(quat_multiply(quat_conjugate(quats[low]), quats[np.minimum(low + 1, len(quats) - 1)]))
    return quat_multiply(quats[low], quat_from_rotvec(past[:, None, None] * turn))


def way_at(frames: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Places (N, K) at the fractional frames (N,) of a motion's (T, K), by the way between its frames: what is stored of a root
    is how far it goes from frame to frame, and the sum over parts of frames is the place between them."""
    low, past = _between(frames, len(places))
    high = np.minimum(low + 1, len(places) - 1)
    return places[low] + past[:, None] * (places[high] - places[low])


def between(frames: np.ndarray, holds: np.ndarray) -> np.ndarray:
    """What holds (N, ...) at the fractional frames (N,) of a motion's (T, ...): in the frames before and after."""
    low, past = _between(frames, len(holds))
    return holds[low] & holds[np.minimum(low + (past > 0.0), len(holds) - 1)]


def _between(frames: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """The frame before each fractional one, and how far past it that is."""
    at = np.clip(np.asarray(frames, dtype=float), 0.0, count - 1.0)
    low = np.minimum(at.astype(int), max(count - 2, 0))
    return low, at - low


BLEND_S = 0.35
"""How long a transition fades (first guess)."""
APART_M, GATHERS_S = 0.5, (0.1, 0.5)
"""Nobody's stance is so far off the one in which a motion begins; how soon a foot steps then, and for how long (first guess)."""
DOWN_M = 0.01
"""A foot that is lower has come down."""
REST_M = 0.03
"""A foot that is nearer to where it will be has come to rest."""
HOP_S = 0.1
"""A foot that is off the ground for less than this does not step: it strikes twice, or is lighter for a moment."""
TOUCH_S = 0.05
"""A foot that is on the ground for less than this does not stand: it brushes over it."""
RISES_M = 0.002
"""A part of a foot that is so much higher than where it stands is on its way up or down."""
STILL_M, STILL_M_S = 0.005, 0.05
"""A part of a foot that is lower and slower stands, whatever bears the weight: toes alone may."""
PACE_S = 0.2
"""How smoothly a run's pace changes: frames that are held or left out come one at a time (first guess)."""
MOST_PACE = 1.5
"""Nobody goes at more of the database's pace: what is run through faster is a slip of the recognition (first guess)."""


@dataclass(frozen=True)
class Run:
    """Frames of pressure from `begin` up to but not with `end` that are one motion (`QUIET`: none), and its frames (N,)."""

    row: int
    begin: int
    end: int
    frames: np.ndarray


def laid(body: Body, database: Database, runs: Sequence[Run], stays: Sequence[bool] = ()) -> tuple[Figure, np.ndarray]:
    """All runs one after the other, each laid where the feet of the one before stand, poses faded into one another. In one that
    begins with both feet of the user seen to stand (`stays`, of each run) none steps unseen."""
    stance = database.stance or next(database.active[run.row] for run in runs if run.row != QUIET)
    figure: Figure | None = None
    planted = np.zeros((0, 2, 2), dtype=bool)
    for run, stay in zip(runs, stays or [False] * len(runs), strict=True):
        motion = stance if run.row == QUIET else database.active[run.row]
        piece, stands = _piece(body, motion, run)
        if figure is None:
            figure, planted = piece, stands
            continue
        piece, stands = _joined(body, figure, planted[-1], piece, stands, stay)
        stands = _landed(body, piece, planted[-1], stands)
        figure = Figure(*(np.concatenate([getattr(figure, name), getattr(piece, name)]) for name in (
            "root", "turn", "joints", "ankles", "soles")))
        planted = np.concatenate([planted, stands])
    assert figure is not None
    return figure, planted


def _piece(body: Body, motion: PressedMotion, run: Run) -> tuple[Figure, np.ndarray]:
    """A run's poses at `MOTION_HZ`. Quiet stance goes on by itself, there and back."""
    count = (run.end - run.begin) * PER_FRAME
    if run.row == QUIET:
        last = len(motion) - 1 if motion.quiet else 0
        at = np.abs((np.arange(count) + last) % max(2 * last, 1) - last).astype(float)
    else:
        within = np.arange(count) / PER_FRAME
        frames = np.append(run.frames, run.frames[-1] + 1.0)
        at = _no_faster(np.interp(within, np.arange(len(frames)), frames) * PER_FRAME)
        at = gaussian_filter1d(at, PACE_S * MOTION_HZ, mode="nearest")
    turns = at_frames(at, np.concatenate([motion.turn[:, None], motion.joints], axis=1))
    figure = with_feet(body, way_at(at, motion.root), turns[:, 0], turns[:, 1:])
    stands = at_poses(at, standing(body, motion))
    levels = levels_of(body, Figure(*(getattr(figure, name)[:1] for name in ("root", "turn", "joints", "ankles", "soles"))))
    down = float(levels.min()) if motion.quiet else 0.0
    return _moved(figure, np.zeros(3), np.array([0.0, 0.0, -down]), 0.0), stands


def _no_faster(at: np.ndarray) -> np.ndarray:
    """A motion's frames (N,) that go no faster than `MOST_PACE`, behind where they would until they are come up with."""
    out = at.copy()
    for i in range(1, len(at)):
        out[i] = min(at[i], out[i - 1] + MOST_PACE)
    return out


def _joined(
    body: Body, before: Figure, stood: np.ndarray, piece: Figure, stands: np.ndarray, stays: bool,
) -> tuple[Figure, np.ndarray]:
    """A piece, of whose feet parts stand (N, 2, 2), turned and moved so that the feet that stand on both sides of the joint are
    where they were, and faded in. A foot that does not goes where the fading leg has it. Which parts stand then."""
    both = stood.any(axis=1) & stands[0].any(axis=1)
    here, there = before.ankles[-1], piece.ankles[0]
    if both.any():  # by where feet look to: the line between them turns with every stride
        yaws = np.array([heading(before.soles[-1, f]) - heading(piece.soles[0, f]) for f in np.flatnonzero(both)])
        yaw = float(np.angle(np.exp(1j * yaws).mean()))
        pivot, goal = there[both].mean(axis=0), here[both].mean(axis=0)
    else:
        yaw = heading(before.turn[-1]) - heading(piece.turn[0])
        pivot, goal = piece.root[0], before.root[-1]
    moved = _moved(piece, pivot, np.array([goal[0] - pivot[0], goal[1] - pivot[1], 0.0]), (yaw + np.pi) % (2.0 * np.pi) - np.pi)
    if both.all():
        off = here[:, :2] - moved.ankles[0, :, :2]
        stands = stands if stays else _gathered(stands, off, int(np.argmax(np.hypot(*(here - before.root[-1])[:, :2].T))))
        moved = _stood(moved, stands.any(axis=2), off)
    times = (1.0 + np.arange(len(moved.root))) / MOTION_HZ
    turn, joints = (joined(of, times, BLEND_S, was[-1]) for of, was in ((moved.turn, before.turn), (moved.joints, before.joints)))
    faint = with_feet(body, moved.root + faded(times, BLEND_S, before.root[-1] - moved.root[0]), turn, joints)
    ankles, soles = (np.where(both[:, None], of_piece, of_leg) for of_piece, of_leg in (
        (moved.ankles, faint.ankles), (moved.soles, faint.soles)))
    return replace(faint, ankles=ankles + faded(times, BLEND_S, here - ankles[0]),
                   soles=joined(soles, times, BLEND_S, before.soles[-1])), stands


def _gathered(stands: np.ndarray, off: np.ndarray, foot: int) -> np.ndarray:
    """Parts that stand (N, 2, 2), where a `foot` steps to where a piece has it that begins in another stance, its feet `off`
    (2, 2) [m], and has no step of its own so soon: who stood wide and is told to stand still has stepped unseen."""
    begin, end = (round(time * MOTION_HZ) for time in (GATHERS_S[0], sum(GATHERS_S)))
    if float(np.hypot(*(off[1] - off[0]))) <= APART_M or not stands[:end + 1].any(axis=2).all() or len(stands) <= end:
        return stands
    found = stands.copy()
    found[begin:end, foot] = False
    return found


def _stood(piece: Figure, stands: np.ndarray, off: np.ndarray) -> Figure:
    """A piece whose feet, of which each stands (N, 2), are held `off` (2, 2) [m] from where it has them, as both were standing
    otherwise, until one of them is lifted: that one is set down as the piece has it beside the one that stands, and the root goes
    over with it (Yin 2007, section 3.5.1: the lower body's difference is let go when a foot leaves the ground)."""
    root, ankles = piece.root.copy(), piece.ankles.copy()
    alone = np.flatnonzero(stands.sum(axis=1) == 1)
    feet = np.repeat(off[None], len(root), axis=0)
    if len(alone):
        up, foot = int(alone[0]), int(np.argmax(stands[alone[0]]))
        down = up + int(np.argmax(np.append(stands[up:, 1 - foot], True)))
        if down == len(stands):  # it lands in what comes after this piece
            down = max(down, up + round(BLEND_S * MOTION_HZ))
        rows = np.arange(len(root))
        goes = smoothstep((rows - max(up - BLEND_S * MOTION_HZ, 0.0)) / (BLEND_S * MOTION_HZ))
        root[:, :2] += goes[:, None] * off[foot]
        steps = smoothstep((rows - up + 1.0) / (down - up + 1.0))[:, None]
        feet[:, 1 - foot] = off[1 - foot] + steps * (off[foot] - off[1 - foot])
    ankles[..., :2] += feet
    return replace(piece, root=root, ankles=ankles)


def _landed(body: Body, piece: Figure, stood: np.ndarray, stands: np.ndarray) -> np.ndarray:
    """Parts that stand (N, 2, 2) in a piece that fades in: a foot that did not stand does once it has come to rest."""
    found, long = stands.copy(), round(BLEND_S * MOTION_HZ)
    for foot in np.flatnonzero(~stood.any(axis=1)):
        sole = Sole.of(body, body.feet[foot])
        low = sole.at(piece.ankles[:long, foot], piece.soles[:long, foot])[..., 2].min(axis=1)
        way = piece.ankles[:long, foot, :2] - piece.ankles[:long + 1, foot, :2][-1]
        above = np.flatnonzero((low > DOWN_M) | (np.hypot(*way.T) > REST_M))
        found[:above[-1] + 1 if len(above) else 0, foot] = False
    return found


def standing(body: Body, motion: PressedMotion) -> np.ndarray:
    """Parts that stand (N, 2, 2) in a motion: what presses, and what lies still on the ground. A part that still presses as it
    goes up, or does already as it comes down, does not stand there, and would be torn off the ground, or put on it, from one pose
    to the next. In a hop stands what is lower, and what touches the ground for a moment goes on."""
    figure, found = with_feet(body, motion.root, motion.turn, motion.joints), motion.planted.copy()
    for f, foot in enumerate(body.feet):
        sole = Sole.of(body, foot)
        points = sole.at(figure.ankles[:, f], figure.soles[:, f])
        low = np.stack([points[:, mine, 2].min(axis=1) for mine in sole.parts], axis=1)
        middle = np.stack([points[:, mine].mean(axis=1) for mine in sole.parts], axis=1)
        found[:, f] |= (low < STILL_M) & (np.linalg.norm(np.gradient(middle, axis=0), axis=2) * MOTION_HZ < STILL_M_S)
        for part in (0, 1):
            for begin, end in runs(found[:, f, part]):
                on = np.flatnonzero(low[begin:end, part] <= np.median(low[begin:end, part]) + RISES_M)
                found[begin:begin + int(on[0]) if begin else 0, f, part] = False
                found[begin + int(on[-1]) + 1 if end < len(low) else end:end, f, part] = False
        for begin, end in _short(~found[:, f].any(axis=1), HOP_S):
            found[begin:end, f] = (low <= low.min(axis=1, keepdims=True))[begin:end]
        for begin, end in _short(found[:, f].any(axis=1), TOUCH_S):
            found[begin:end, f] = False
    return found


def at_poses(at: np.ndarray, stands: np.ndarray) -> np.ndarray:
    """Parts that stand (n, 2, 2) at the fractional poses (n,) of a motion's (N, 2, 2): in the pose before and the one after, and
    on what it is before where a foot goes over from part to part."""
    low = np.clip(at.astype(int), 0, len(stands) - 1)
    one, both = stands[low], between(at, stands)
    goes_over = ~both.any(axis=2) & one.any(axis=2) & between(at, stands.any(axis=2))
    return np.where(goes_over[..., None], one, both)


def without_hops(planted: np.ndarray) -> np.ndarray:
    """Parts that stand (N, 2, 2), where a foot that is off the ground for a moment only goes on standing: no step is so short."""
    found = planted.copy()
    for foot in (0, 1):
        for begin, end in _short(~found[:, foot].any(axis=1), HOP_S):
            found[begin:end, foot] = found[begin - 1, foot]
    return found


def _short(holds: np.ndarray, least_s: float) -> list[tuple[int, int]]:
    """From when to when something holds (N,) for less than that [s]."""
    return [(begin, end) for begin, end in runs(holds) if 0 < begin and end < len(holds) and end - begin < least_s * MOTION_HZ]


def _moved(figure: Figure, pivot: np.ndarray, shift: np.ndarray, yaw: float) -> Figure:
    """Poses turned by `yaw` about a vertical line through `pivot`, then shifted."""
    turn = quat_from_rotvec(np.array([0.0, 0.0, yaw]))
    about = matrix_from_quat(turn)
    return replace(figure, root=(figure.root - pivot) @ about.T + pivot + shift,
                   turn=quat_multiply(turn[None], figure.turn),
                   ankles=(figure.ankles - pivot) @ about.T + pivot + shift,
                   soles=quat_multiply(turn[None, None], figure.soles))


def heading(quat: np.ndarray) -> float:
    """Where an orientation (4,) looks to [rad]."""
    ahead = matrix_from_quat(quat)[:, 0]
    return float(np.arctan2(ahead[1], ahead[0]))


FAR_M = 0.1
"""A foot that is seen to stand so far from where it stood has stepped."""
SWING_S, WAITS_S = 0.25, 1.5
"""Poses of a step last so long at least; a foot that is nowhere for longer was not seen, rather than up."""


def first_shifts(ankles_m: np.ndarray, stands: np.ndarray, wanted: np.ndarray, most_m: float) -> np.ndarray:
    """How far (2, 2) from where the motion has them feet stand until they are lifted, to be as the user's (`wanted` (T, 2, 2))
    are beside one another; the motion's ankles are (N, 2, 2), and each stands (N, 2). Nothing where both are not known, or one is
    farther off than that [m]: then it is no foot."""
    frames = np.minimum(PER_FRAME * np.arange(len(wanted)), len(stands) - 1)
    away = wanted - ankles_m[frames]
    known = np.logical_and.accumulate(stands, axis=0)[frames] & np.isfinite(away).all(axis=2)
    if not known.any(axis=0).all():
        return np.zeros((2, 2))
    found = np.array([np.median(away[known[:, foot], foot], axis=0) for foot in (0, 1)])
    return found - found.mean(axis=0) if np.linalg.norm(found, axis=1).max() <= most_m else np.zeros((2, 2))


def stays(run: Run, ankles_m: np.ndarray | None) -> bool:
    """Whether both feet of the user are seen to stand as a run begins: none steps unseen."""
    return ankles_m is not None and bool(np.isfinite(ankles_m[run.begin]).all())


def unknown_steps(runs: Sequence[Run], stands: np.ndarray, ankles_m: np.ndarray) -> np.ndarray:
    """Poses (N, 2) in which a foot is up as the user's was, who stepped where none was recognised; feet that stand (N, 2)."""
    quiet, found = np.zeros(len(ankles_m), dtype=bool), np.zeros_like(stands)
    for run in runs:
        quiet[run.begin:run.end] = run.row == QUIET
    for foot in (0, 1):
        told = np.flatnonzero(np.isfinite(ankles_m[:, foot]).all(axis=1))
        far = np.linalg.norm(np.diff(ankles_m[told, foot], axis=0), axis=1) > FAR_M
        for last, first in zip(told[:-1][far], told[1:][far], strict=True):
            end = PER_FRAME * int(first)
            begin = min(PER_FRAME * (int(last) + 1), end - round(SWING_S * MOTION_HZ))
            stood = begin > 0 and quiet[last:first + 1].all() and stands[begin - 1:end + 1].all()
            if stood and end - begin < WAITS_S * MOTION_HZ:
                found[begin:end, foot] = True
    return found

# SPDX-License-Identifier: GPL-3.0-or-later
"""From what every frame of pressure was found to be to a motion: runs of known motions laid on one another's feet, steps that
land where the user's foot did (Yin 2007, section 3.5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.ndimage import gaussian_filter1d

from ...bodies.body import Body
from ...errors import InputError
from ...maths.curves import smoothstep
from ...maths.quaternions import matrix_from_quat, quat_from_rotvec, quat_multiply, quat_rotate
from ..responses.blending import faded, joined
from ..responses.feet import Legs, Sole
from ..responses.figure import Figure, grounded, levels_of, with_feet
from ..responses.measuring import spans
from .database import MOTION_HZ, PER_FRAME, Database, PressedMotion
from .recognition import QUIET, Match
from .step_ik import lead_share
from .warp import at_frames, between, way_at

BLEND_S = 0.35
"""How long a transition fades (first guess)."""
LEAST_SHIFT_M, MOST_SHIFT_M = 0.02, 0.4
"""Between which the error of a foot's place is mended: below it nobody sees it, beyond it another step was meant."""
DOWN_M = 0.01
"""A foot that is lower has come down."""
HOP_S = 0.1
"""A foot that is off the ground for less than this does not step: it strikes twice, or is lighter for a moment."""
PACE_S = 0.2
"""How smoothly a run's pace changes: frames that are held or left out come one at a time (first guess)."""
MOST_PACE = 1.5
"""Nobody goes at more of the database's pace: what is run through faster is a slip of the recognition (first guess)."""
SHARE_S = 0.1
"""How smoothly the root goes over from one foot's shift to the other's."""
RAMP = 0.3
"""Share of a swing in which its leg goes over to the length it had, and back."""
SHORTEST_FRAMES = 3
"""A run of fewer frames of pressure is a slip of the recognition, and part of what was before."""


@dataclass(frozen=True)
class Run:
    """Frames of pressure from `begin` up to but not with `end` that are one motion (`QUIET`: none), and its frames (N,)."""

    row: int
    begin: int
    end: int
    frames: np.ndarray


@dataclass(frozen=True, eq=False)
class Synthesis:
    """N poses, `MOTION_HZ` a second, with which parts of the feet stand (N, 2, 2); `mat_m` (2,) is where the user's mat, or what
    its places count from, lies under them [m], None where pressure does not tell."""

    figure: Figure
    planted: np.ndarray
    mat_m: np.ndarray | None = None


def runs_of(matches: Sequence[Match]) -> list[Run]:
    """The runs of a sequence's matches, slips left out."""
    rows = np.array([match.row for match in matches])
    frames = np.array([float(match.frame) for match in matches])
    edges = [0, *(np.flatnonzero((np.diff(rows) != 0) | ((np.diff(frames) < 0.0) & (rows[1:] != QUIET))) + 1).tolist(), len(rows)]
    found: list[Run] = []
    for begin, end in zip(edges[:-1], edges[1:], strict=True):
        if found and end - begin < SHORTEST_FRAMES:
            last = found[-1]
            held = np.concatenate([last.frames, last.frames[-1] + np.arange(1.0, end - begin + 1.0)])
            found[-1] = replace(last, end=end, frames=held)
        elif found and found[-1].row == QUIET == rows[begin]:
            found[-1] = replace(found[-1], end=end, frames=np.concatenate([found[-1].frames, frames[begin:end]]))
        else:
            found.append(Run(int(rows[begin]), begin, end, frames[begin:end]))
    if len(found) > 1 and found[0].end < SHORTEST_FRAMES:  # a slip at the start has nothing before it
        later = found[1]
        found[:2] = [replace(later, begin=0, frames=np.concatenate([np.full(later.begin, later.frames[0]), later.frames]))]
    return found


def synthesise(body: Body, database: Database, matches: Sequence[Match], ankles_m: np.ndarray | None = None) -> Synthesis:
    """The motion of the matches of all frames of pressure. `ankles_m` (T, 2, 2) are the user's ankles on the mat, left and right,
    not a number where they are not known: steps land there. Raises InputError where nothing was found at all."""
    runs = runs_of(matches)
    if all(run.row == QUIET for run in runs) and database.stance is None:
        raise InputError("Nothing was recognised in the pressure but quiet stance, and the database has none to show: record a "
                         "motion that is in it, or index a clip of somebody who stands.")
    figure, planted = _laid(body, database, runs)
    planted = _without_hops(planted)
    figure = grounded(body, figure, planted, 1.0 / MOTION_HZ, np.zeros(2))
    mat_m = None
    if ankles_m is not None:
        mat_m = _mat_at(figure, planted.any(axis=2), ankles_m)
        figure = grounded(body, _stepped(Legs.of(body), figure, planted, ankles_m + mat_m), planted, 1.0 / MOTION_HZ, np.zeros(2))
    return Synthesis(figure, planted, mat_m)


def _laid(body: Body, database: Database, runs: Sequence[Run]) -> tuple[Figure, np.ndarray]:
    """All runs one after the other, each laid where the feet of the one before stand, poses faded into one another."""
    stance = database.stance or next(database.active[run.row] for run in runs if run.row != QUIET)
    figure: Figure | None = None
    planted = np.zeros((0, 2, 2), dtype=bool)
    for run in runs:
        motion = stance if run.row == QUIET else database.active[run.row]
        piece, stands = _piece(body, motion, run)
        if figure is None:
            figure, planted = piece, stands
            continue
        piece = _joined(body, figure, planted[-1], piece, stands[0])
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
    stands = between(at, _without_hops(motion.planted))
    levels = levels_of(body, Figure(*(getattr(figure, name)[:1] for name in ("root", "turn", "joints", "ankles", "soles"))))
    down = float(levels.min()) if motion.quiet else 0.0
    return _moved(figure, np.zeros(3), np.array([0.0, 0.0, -down]), 0.0), stands


def _no_faster(at: np.ndarray) -> np.ndarray:
    """A motion's frames (N,) that go no faster than `MOST_PACE`, behind where they would until they are come up with."""
    out = at.copy()
    for i in range(1, len(at)):
        out[i] = min(at[i], out[i - 1] + MOST_PACE)
    return out


def _joined(body: Body, before: Figure, stood: np.ndarray, piece: Figure, stands: np.ndarray) -> Figure:
    """A piece turned and moved so that the feet that stand on both sides of the joint are where they were, and faded in. A foot
    that does not goes where the fading leg has it."""
    both = stood.any(axis=1) & stands.any(axis=1)
    here, there = before.ankles[-1], piece.ankles[0]
    if both.any():  # by where feet look to: the line between them turns with every stride
        yaws = np.array([_heading(before.soles[-1, f]) - _heading(piece.soles[0, f]) for f in np.flatnonzero(both)])
        yaw = float(np.angle(np.exp(1j * yaws).mean()))
        pivot, goal = there[both].mean(axis=0), here[both].mean(axis=0)
    else:
        yaw = _heading(before.turn[-1]) - _heading(piece.turn[0])
        pivot, goal = piece.root[0], before.root[-1]
    moved = _moved(piece, pivot, np.array([goal[0] - pivot[0], goal[1] - pivot[1], 0.0]), (yaw + np.pi) % (2.0 * np.pi) - np.pi)
    times = (1.0 + np.arange(len(moved.root))) / MOTION_HZ
    faint = with_feet(body, moved.root + faded(times, BLEND_S, before.root[-1] - moved.root[0]),
                      joined(moved.turn, times, BLEND_S, before.turn[-1]), joined(moved.joints, times, BLEND_S, before.joints[-1]))
    ankles, soles = (np.where(both[:, None], of_piece, of_leg) for of_piece, of_leg in (
        (moved.ankles, faint.ankles), (moved.soles, faint.soles)))
    return replace(faint, ankles=ankles + faded(times, BLEND_S, here - ankles[0]),
                   soles=joined(soles, times, BLEND_S, before.soles[-1]))


def _landed(body: Body, piece: Figure, stood: np.ndarray, stands: np.ndarray) -> np.ndarray:
    """Parts that stand (N, 2, 2) in a piece that fades in: a foot that was in the air before stands once it has come down."""
    found, long = stands.copy(), round(BLEND_S * MOTION_HZ)
    for foot in np.flatnonzero(~stood.any(axis=1)):
        sole = Sole.of(body, body.feet[foot])
        low = sole.at(piece.ankles[:long, foot], piece.soles[:long, foot])[..., 2].min(axis=1)
        above = np.flatnonzero(low > DOWN_M)
        found[:above[-1] + 1 if len(above) else 0, foot] = False
    return found


def _without_hops(planted: np.ndarray) -> np.ndarray:
    """Parts that stand (N, 2, 2), where a foot that is off the ground for a moment only goes on standing: no step is so short."""
    found = planted.copy()
    for foot in (0, 1):
        for begin, end in spans(~found[:, foot].any(axis=1)):
            if 0 < begin and end < len(found) and end - begin < HOP_S * MOTION_HZ:
                found[begin:end, foot] = found[begin - 1, foot]
    return found


def _stepped(legs: Legs, figure: Figure, planted: np.ndarray, wanted: np.ndarray) -> Figure:
    """Steps that land where the user's foot did (`wanted`, ankles (T, 2, 2)): each foot is shifted over its swing, and the root
    with both feet, by the share that lets both hips sink alike."""
    count = len(figure.root)
    stands = planted.any(axis=2)
    shifts, left = np.zeros((count, 2, 2)), np.full(count, 0.5)
    for foot in (0, 1):
        for begin, end in spans(~stands[:, foot]):
            if begin == 0 or end >= count:
                continue
            target = shifts[begin - 1, foot]
            until = next((b for b, _ in spans(~stands[:, foot]) if b > end), count)
            landed = np.arange(-(-end // PER_FRAME), min(-(-until // PER_FRAME), len(wanted)))
            told = landed[np.isfinite(wanted[landed, foot]).all(axis=1)]
            if len(told):
                needed = np.median(wanted[told, foot] - figure.ankles[np.minimum(PER_FRAME * told, count - 1), foot, :2], axis=0)
                if LEAST_SHIFT_M < float(np.linalg.norm(needed - target)) <= MOST_SHIFT_M:
                    target = needed
            goes = faded(np.arange(end - begin) / (end - begin), 1.0, shifts[begin - 1, foot] - target)
            shifts[begin:end, foot], shifts[end:, foot] = target + goes, target
            share = _share(figure, end, foot, target - shifts[end, 1 - foot])
            left[begin:] = share if foot else 1.0 - share
    left = gaussian_filter1d(left, SHARE_S * MOTION_HZ, mode="nearest")
    root = figure.root.copy()
    root[:, :2] += left[:, None] * shifts[:, 0] + (1.0 - left)[:, None] * shifts[:, 1]
    ankles = figure.ankles.copy()
    ankles[..., :2] += shifts
    for foot in (0, 1):
        for begin, end in spans(~stands[:, foot]):
            ankles[begin:end, foot] = _as_long(legs.hips[foot], figure, root, ankles[:, foot], foot, begin, end)
    return replace(figure, root=root, ankles=ankles)


def _as_long(
    hip: np.ndarray, figure: Figure, root: np.ndarray, ankles: np.ndarray, foot: int, begin: int, end: int,
) -> np.ndarray:
    """The ankle (n, 3) of a swing, its leg as long as it was before the root and the ankle were shifted: the knee bends as it did
    (Yin 2007, appendix C). At lift-off and landing the ankle is where it is to be."""
    offset = quat_rotate(figure.turn[begin:end], np.broadcast_to(hip, (end - begin, 3)))
    here, aim = root[begin:end] + offset, ankles[begin:end]
    length = np.linalg.norm(figure.ankles[begin:end, foot] - figure.root[begin:end] - offset, axis=1)
    away = aim - here
    kept = here + away * (length / np.maximum(np.linalg.norm(away, axis=1), 1e-6))[:, None]
    first, last = begin == 0, end == len(root)
    times = np.arange(1.0, end - begin + 1.0) / (end - begin + 1.0)
    weight = np.where(first, 1.0, smoothstep(times / RAMP)) * np.where(last, 1.0, smoothstep((1.0 - times) / RAMP))
    return np.asarray(aim + weight[:, None] * (kept - aim))


def _share(figure: Figure, frame: int, foot: int, shift_m: np.ndarray) -> float:
    """The share of a step's shift that its own leg does."""
    legs = figure.ankles[frame] - figure.root[frame]
    share = lead_share(legs[foot], legs[1 - foot], shift_m)
    return 0.5 if share is None else share


def _mat_at(figure: Figure, stands: np.ndarray, ankles_m: np.ndarray) -> np.ndarray:
    """Where the mat lies (2,): the ankles of the first stance, before either foot steps, are where the user's are. A foot of
    which nothing is known until it has stepped tells nothing; where neither does, the first known frame of both is taken."""
    frames = np.minimum(PER_FRAME * np.arange(len(ankles_m)), len(figure.root) - 1)
    away = figure.ankles[frames, :, :2] - ankles_m
    for alike in (stands[frames] & np.logical_and.accumulate(stands, axis=0)[frames], np.ones((len(frames), 2), dtype=bool)):
        told = [np.median(mine, axis=0) for foot in (0, 1)
                if len(mine := away[alike[:, foot] & np.isfinite(away[:, foot]).all(axis=1), foot])]
        if told:
            return np.asarray(np.mean(told, axis=0))
    return np.zeros(2)


def _moved(figure: Figure, pivot: np.ndarray, shift: np.ndarray, yaw: float) -> Figure:
    """Poses turned by `yaw` about a vertical line through `pivot`, then shifted."""
    turn = quat_from_rotvec(np.array([0.0, 0.0, yaw]))
    about = matrix_from_quat(turn)
    return replace(figure, root=(figure.root - pivot) @ about.T + pivot + shift,
                   turn=quat_multiply(turn[None], figure.turn),
                   ankles=(figure.ankles - pivot) @ about.T + pivot + shift,
                   soles=quat_multiply(turn[None, None], figure.soles))


def _angle(vector: np.ndarray) -> float:
    """The direction of a vector over the ground [rad]."""
    return float(np.arctan2(vector[1], vector[0]))


def _heading(quat: np.ndarray) -> float:
    """Where an orientation (4,) looks to [rad]."""
    return _angle(matrix_from_quat(quat)[:, 0])

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
from ...maths.quaternions import matrix_from_quat, quat_from_rotvec, quat_multiply
from ..responses.blending import faded, joined
from ..responses.figure import Figure, grounded, levels_of, with_feet
from ..responses.measuring import spans
from .database import MOTION_HZ, PER_FRAME, Database, PressedMotion
from .recognition import QUIET, Match
from .step_ik import lead_share
from .warp import at_frames, way_at

BLEND_S = 0.35
"""How long a transition fades (first guess)."""
LEAST_SHIFT_M, MOST_SHIFT_M = 0.02, 0.4
"""Between which the error of a foot's place is mended: below it nobody sees it, beyond it another step was meant."""
SHARE_S = 0.1
"""How smoothly the root goes over from one foot's shift to the other's."""
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
    """N poses, `MOTION_HZ` a second, with which parts of the feet stand (N, 2, 2)."""

    figure: Figure
    planted: np.ndarray


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
    return found


def synthesise(body: Body, database: Database, matches: Sequence[Match], ankles_m: np.ndarray | None = None) -> Synthesis:
    """The motion of the matches of all frames of pressure. `ankles_m` (T, 2, 2) are the user's ankles on the mat, left and right,
    not a number where they are not known: steps land there. Raises InputError where nothing was found at all."""
    runs = runs_of(matches)
    if all(run.row == QUIET for run in runs) and database.stance is None:
        raise InputError("Nothing was recognised in the pressure but quiet stance, and the database has none to show: record a "
                         "motion that is in it, or index a clip of somebody who stands.")
    figure, planted = _laid(body, database, runs)
    if ankles_m is not None:
        figure = _stepped(figure, planted, ankles_m)
    return Synthesis(grounded(body, figure, planted, 1.0 / MOTION_HZ, np.zeros(2)), planted)


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
        piece = _joined(figure, planted[-1], piece, stands[0])
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
        at = np.interp(within, np.arange(len(frames)), frames) * PER_FRAME
    turns = at_frames(at, np.concatenate([motion.turn[:, None], motion.joints], axis=1))
    figure = with_feet(body, way_at(at, motion.root), turns[:, 0], turns[:, 1:])
    stands = motion.planted[np.clip(np.rint(at).astype(int), 0, len(motion) - 1)]
    levels = levels_of(body, Figure(*(getattr(figure, name)[:1] for name in ("root", "turn", "joints", "ankles", "soles"))))
    down = float(levels.min()) if motion.quiet else 0.0
    return _moved(figure, np.zeros(3), np.array([0.0, 0.0, -down]), 0.0), stands


def _joined(before: Figure, stood: np.ndarray, piece: Figure, stands: np.ndarray) -> Figure:
    """A piece turned and moved so that the feet that stand on both sides of the joint are where they were, and faded in."""
    both = stood.any(axis=1) & stands.any(axis=1)
    here, there = before.ankles[-1], piece.ankles[0]
    if both.all():
        yaw = _angle(here[0] - here[1]) - _angle(there[0] - there[1])
        pivot, goal = there.mean(axis=0), here.mean(axis=0)
    elif both.any():
        foot = int(np.argmax(both))
        yaw = _heading(before.soles[-1, foot]) - _heading(piece.soles[0, foot])
        pivot, goal = there[foot], here[foot]
    else:
        yaw = _heading(before.turn[-1]) - _heading(piece.turn[0])
        pivot, goal = piece.root[0], before.root[-1]
    moved = _moved(piece, pivot, np.array([goal[0] - pivot[0], goal[1] - pivot[1], 0.0]), (yaw + np.pi) % (2.0 * np.pi) - np.pi)
    times = (1.0 + np.arange(len(moved.root))) / MOTION_HZ
    return replace(moved, root=moved.root + faded(times, BLEND_S, before.root[-1] - moved.root[0]),
                   turn=joined(moved.turn, times, BLEND_S, before.turn[-1]),
                   joints=joined(moved.joints, times, BLEND_S, before.joints[-1]),
                   ankles=moved.ankles + faded(times, BLEND_S, here - moved.ankles[0]),
                   soles=joined(moved.soles, times, BLEND_S, before.soles[-1]))


def _stepped(figure: Figure, planted: np.ndarray, ankles_m: np.ndarray) -> Figure:
    """Steps that land where the user's foot did: each foot is shifted over its swing, and the root with both feet, by the share
    that lets both hips sink alike."""
    count = len(figure.root)
    first = np.array([_first_known(ankles_m[:, foot]) for foot in (0, 1)])
    wanted = ankles_m + (figure.ankles[0, :, :2] - first).mean(axis=0)
    shifts, left = np.zeros((count, 2, 2)), np.full(count, 0.5)
    stands = planted.any(axis=2)
    for foot in (0, 1):
        for begin, end in spans(~stands[:, foot]):
            if begin == 0 or end >= count:
                continue
            target = shifts[begin - 1, foot]
            until = next((b for b, _ in spans(~stands[:, foot]) if b > end), count)
            landed = wanted[end // PER_FRAME:max(until, end + PER_FRAME) // PER_FRAME, foot]
            told = landed[np.isfinite(landed).all(axis=1)]
            if len(told):
                needed = np.median(told, axis=0) - figure.ankles[end, foot, :2]
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
    return replace(figure, root=root, ankles=ankles)


def _share(figure: Figure, frame: int, foot: int, shift_m: np.ndarray) -> float:
    """The share of a step's shift that its own leg does."""
    legs = figure.ankles[frame] - figure.root[frame]
    share = lead_share(legs[foot], legs[1 - foot], shift_m)
    return 0.5 if share is None else share


def _first_known(places: np.ndarray) -> np.ndarray:
    """The first of places (T, 2) that is known; the origin where none is."""
    known = places[np.isfinite(places).all(axis=1)]
    return known[0] if len(known) else np.zeros(2)


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

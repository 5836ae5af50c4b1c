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
from ...maths.quaternions import quat_rotate
from ..responses.blending import faded
from ..responses.feet import Legs
from ..responses.figure import Figure, grounded
from ..responses.measuring import spans
from .database import MOTION_HZ, PER_FRAME, Database
from .laying import Run, laid, without_hops
from .recognition import QUIET, Match
from .step_ik import HALVINGS, lead_share

LEAST_SHIFT_M, MOST_SHIFT_M = 0.02, 0.4
"""Between which the error of a foot's place is mended: below it nobody sees it, beyond it another step was meant."""
MOST_SINK_M = 0.05
"""How much lower the hips may be for a step that lands elsewhere (first guess)."""
SHARE_S = 0.1
"""How smoothly the root goes over from one foot's shift to the other's."""
RAMP = 0.3
"""Share of a swing in which its leg goes over to the length it had, and back."""
BENT = 0.985
"""Legs that have to reach farther than in the database's step are no longer than this share of themselves (first guess)."""
SHORTEST_FRAMES = 3
"""A run of fewer frames of pressure is a slip of the recognition, and part of what was before."""


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
    figure, planted = laid(body, database, runs)
    planted = without_hops(planted)
    figure = grounded(body, figure, planted, 1.0 / MOTION_HZ, np.zeros(2))
    mat_m = None
    if ankles_m is not None:
        mat_m = _mat_at(figure, planted.any(axis=2), ankles_m)
        figure = grounded(body, _stepped(Legs.of(body), figure, planted, ankles_m + mat_m), planted, 1.0 / MOTION_HZ, np.zeros(2))
    return Synthesis(figure, planted, mat_m)


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
            target = _reached(legs, figure, end, foot, target, shifts[end, 1 - foot])
            goes = faded(np.arange(end - begin) / (end - begin), 1.0, shifts[begin - 1, foot] - target)
            shifts[begin:end, foot], shifts[end:, foot] = target + goes, target
            share = _share(figure, end, foot, target - shifts[end, 1 - foot])
            left[begin:] = share if foot else 1.0 - share
    left = gaussian_filter1d(left, SHARE_S * MOTION_HZ, mode="nearest")
    root = figure.root.copy()
    root[:, :2] += left[:, None] * shifts[:, 0] + (1.0 - left)[:, None] * shifts[:, 1]
    ankles = figure.ankles.copy()
    ankles[..., :2] += shifts
    drop = _sunk(legs, figure, root, ankles, stands) - _sunk(legs, figure, figure.root, figure.ankles, stands)
    root[:, 2] -= np.maximum(drop, 0.0)
    for foot in (0, 1):
        for begin, end in spans(~stands[:, foot]):
            ankles[begin:end, foot] = _as_long(legs, figure, root, ankles[:, foot], foot, begin, end)
    return replace(figure, root=root, ankles=ankles)


def _reached(
    legs: Legs, figure: Figure, frame: int, foot: int, wanted: np.ndarray, other: np.ndarray,
) -> np.ndarray:
    """A foot's shift (2,) as `wanted`, as far as both legs reach, the hips little lower, where it lands beside the foot that is
    shifted by `other` (2,): what is left is for later steps (Yin 2007, appendix C)."""
    hips = figure.root[frame] + quat_rotate(figure.turn[frame], legs.hips)
    longest = BENT * (legs.thigh_m + legs.shank_m)
    for halved in range(HALVINGS):
        target = other + 0.5**halved * (wanted - other)
        share = _share(figure, frame, foot, target - other)
        shifts = np.array([target, other] if foot == 0 else [other, target]) - (1.0 - share) * target - share * other
        legs_m = figure.ankles[frame] - hips
        level = np.hypot(*(legs_m[:, :2] + shifts).T)
        if np.all(level < longest) and np.all(-legs_m[:, 2] - np.sqrt(np.maximum(longest**2 - level**2, 0.0)) < MOST_SINK_M):
            return target
    return other


def _sunk(legs: Legs, figure: Figure, root: np.ndarray, ankles: np.ndarray, stands: np.ndarray) -> np.ndarray:
    """How much lower (N,) [m] the root (N, 3) has to go for feet that stand (N, 2) with their ankles there (N, 2, 3), knees not
    straight: they would snap."""
    hips = root[:, None] + quat_rotate(figure.turn[:, None], legs.hips[None])
    short = replace(legs, thigh_m=BENT * legs.thigh_m, shank_m=BENT * legs.shank_m)
    lower = short.sunk(root, figure.turn, np.where(stands[..., None], ankles, hips), 1.0 / MOTION_HZ)
    return np.asarray(root[:, 2] - lower[:, 2])


def _as_long(
    legs: Legs, figure: Figure, root: np.ndarray, ankles: np.ndarray, foot: int, begin: int, end: int,
) -> np.ndarray:
    """The ankle (n, 3) of a swing, its leg as long as it was before the root and the ankle were shifted: the knee bends as it did
    (Yin 2007, appendix C). At lift-off and landing the ankle is where it is to be, as far as a bent leg reaches."""
    offset = quat_rotate(figure.turn[begin:end], np.broadcast_to(legs.hips[foot], (end - begin, 3)))
    here, aim = root[begin:end] + offset, ankles[begin:end]
    length = np.linalg.norm(figure.ankles[begin:end, foot] - figure.root[begin:end] - offset, axis=1)
    away = aim - here
    kept = here + away * (length / np.maximum(np.linalg.norm(away, axis=1), 1e-6))[:, None]
    first, last = begin == 0, end == len(root)
    times = np.arange(1.0, end - begin + 1.0) / (end - begin + 1.0)
    weight = np.where(first, 1.0, smoothstep(times / RAMP)) * np.where(last, 1.0, smoothstep((1.0 - times) / RAMP))
    away = aim + weight[:, None] * (kept - aim) - here
    far = np.linalg.norm(away, axis=1)
    most = np.maximum(length, BENT * (legs.thigh_m + legs.shank_m))
    return np.asarray(here + away * np.minimum(most / np.maximum(far, 1e-6), 1.0)[:, None])


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

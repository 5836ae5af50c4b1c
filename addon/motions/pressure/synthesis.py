# SPDX-License-Identifier: GPL-3.0-or-later
"""From what every frame of pressure was found to be to a motion: runs of known motions laid on one another's feet, steps that
land where the user's foot did (Yin 2007, section 3.5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...bodies.body import Body
from ...errors import InputError
from ..responses.feet import Legs
from ..responses.figure import Figure, grounded
from .database import MOTION_HZ, PER_FRAME, Database
from .laying import Run, laid, without_hops
from .recognition import QUIET, Match
from .steps import stepped, with_legs
from .users_feet import stays, unknown_steps

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
    figure, planted = laid(body, database, runs, [stays(run, ankles_m) for run in runs])
    planted = without_hops(planted)
    own = np.zeros(planted.shape[:2], dtype=bool) if ankles_m is None else unknown_steps(runs, planted.any(axis=2), ankles_m)
    planted &= ~own[..., None]
    stands = planted.any(axis=2)
    held = grounded(body, figure, planted, 1.0 / MOTION_HZ, np.zeros(2))
    figure, mat_m = replace(figure, ankles=held.ankles, soles=held.soles), None
    if ankles_m is not None:
        mat_m = _mat_at(figure, stands, ankles_m)
        figure = stepped(Legs.of(body), figure, stands, ankles_m + mat_m, own)
    figure = grounded(body, with_legs(body, figure, stands), planted, 1.0 / MOTION_HZ, np.zeros(2))
    return Synthesis(figure, planted, mat_m)


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

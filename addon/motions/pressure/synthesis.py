# SPDX-License-Identifier: GPL-3.0-or-later
"""From what every frame of pressure was found to be to a motion: runs of known motions laid on one another's feet, steps that
land where the user's foot did (Yin 2007, section 3.5); and how sure that is: how like the database's motion it is, whether
another motion is as near, and whether anybody goes at such a pace."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from ...bodies.body import Body
from ...errors import InputError
from ..responses.feet import Figure, Legs, grounded
from ..responses.response import reference_body
from .database import MOTION_HZ, PER_FRAME, Database
from .features import features_of
from .feet import ankles_m
from .files import read_pressure
from .images import LEFT, MAT, MAT_RATE_HZ, RIGHT, SOLES, Pressure, side_by_side
from .laying import MOST_PACE, Run, laid, stays, unknown_steps, without_hops
from .recognition import QUIET, Match, Recogniser, recognised, streamed
from .steps import stepped, with_legs

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


STANDS, UNKNOWN = "stands", "unknown"
"""What quiet stance is called in a report, and what is like no motion of the database."""
LIKE = 0.7
"""Likeness from which on a motion is not doubted: 19 in 20 right ones reach it, a third of others (`scripts/check pressure`)."""
NEARER = 1.1
"""By so much farther at least is the next motion of another name, where there is no doubt which one it is."""
UNLIKE, PACE, ALIKE = "unlike", "pace", "alike"
"""Reasons to doubt a motion."""


def rows_of(runs: Sequence[Run], matches: Sequence[Match], features: np.ndarray, recogniser: Recogniser,
            start_s: float) -> tuple[dict[str, Any], ...]:
    """The runs of pressure that begins at `start_s` [s] as a report tells them, from what each of its frames (T, F) was found to
    be; where the person did nothing that is known, that apart from quiet stance."""
    rows: list[dict[str, Any]] = []
    for run in runs:
        if run.row == QUIET:
            rows += [{"motion": STANDS if known else UNKNOWN, **_times(begin, end, start_s)}
                     for known, begin, end in _stances(run, matches)]
        else:
            rows.append(_motion(run, matches, features, recogniser, start_s))
    return tuple(rows)


def doubtful(likeness: float) -> bool:
    """Whether so little like a motion is doubted."""
    return likeness < LIKE


def _motion(run: Run, matches: Sequence[Match], features: np.ndarray, recogniser: Recogniser, start_s: float) -> dict[str, Any]:
    """What a run is, from when to when, how fast against the database, how like it, and why that may be doubted."""
    within = slice(run.begin, run.end)
    name = recogniser.known[run.row].name
    pace = float((run.frames[-1] - run.frames[0] + 1.0) / len(run.frames))
    likeness = recogniser.likeness(matches[within], features[within])
    costs = recogniser.alone(features[within])
    own = costs.pop(name)
    other = min(costs, key=lambda one: costs[one], default=None)
    reasons = {UNLIKE: doubtful(likeness), PACE: not 1.0 / MOST_PACE <= pace <= MOST_PACE,
               ALIKE: other is not None and costs[other] < NEARER * own}
    row = {"motion": name, **_times(run.begin, run.end, start_s), "pace": round(pace, 2), "likeness": round(likeness, 2)}
    if any(reasons.values()):
        row["doubt"] = [reason for reason, holds in reasons.items() if holds]
    if reasons[ALIKE]:
        row["or"] = other
    return row


def _stances(run: Run, matches: Sequence[Match]) -> list[tuple[bool, int, int]]:
    """The stretches of quiet stance and of what is not known, each with begin and end, slips left out."""
    known = [match.known for match in matches[run.begin:run.end]]
    edges = [0, *(np.flatnonzero(np.diff(known)) + 1).tolist(), len(known)]
    found: list[tuple[bool, int, int]] = []
    for begin, end in zip(edges[:-1], edges[1:], strict=True):
        if found and (end - begin < SHORTEST_FRAMES or found[-1][0] == known[begin]):
            found[-1] = (*found[-1][:2], run.begin + end)
        else:
            found.append((known[begin], run.begin + begin, run.begin + end))
    return found


def _times(begin: int, end: int, start_s: float) -> dict[str, float]:
    """From when to when frames are [s]."""
    return {"from_s": round(start_s + begin / MAT_RATE_HZ, 2), "to_s": round(start_s + end / MAT_RATE_HZ, 2)}


CLOSE = 0.01
"""A rate so near to the database's, over it, is that."""
LEAST_S = 2.0
"""Of pressure, to be recognised at all: quiet stance has to be told from what moves."""


@dataclass(frozen=True, eq=False)
class Reading:
    """What pressure was read as. `pressure` (T frames) is as it was compared, at the database's rate; `runs` are the stretches of
    one motion each, `motion` the poses on `body`; `rows` the runs as a report tells them, in its own time."""

    pressure: Pressure
    runs: tuple[Run, ...]
    body: Body
    motion: Synthesis
    rows: tuple[dict[str, Any], ...]

    @property
    def called(self) -> str:
        return "; ".join(row["motion"] for row in self.rows)


def read_motion(source: str | Path | Pressure, database: Database, *, stream: bool = False, body: Body | None = None) -> Reading:
    """The motion of a file or folder of pressure, or of a sequence, by what a database knows, on `body` (the reference body, on
    which databases are, unless told). In a `stream` no frame is told by what comes later than `recognition.AHEAD` frames after
    it. Raises InputError for pressure that cannot be read as motion."""
    seen = at_database_rate(source) if isinstance(source, Pressure) else pressure_in(source)
    find, features = streamed if stream else recognised, features_of(seen)
    matches = find(database.recogniser(seen.place == SOLES), features)
    return laid_reading(seen, database, matches, features, body)


def laid_reading(seen: Pressure, database: Database, matches: Sequence[Match], features: np.ndarray, body: Body | None = None,
         motion: Synthesis | None = None) -> Reading:
    """The reading of pressure at the database's rate whose frames, with these features (T, F), are known already, and the
    `motion` where that was laid as they came. Raises InputError where nothing was found."""
    body = reference_body() if body is None else body
    runs = runs_of(matches)
    places = ankles_m(seen) if seen.place == MAT else None
    motion = synthesise(body, database, matches, places) if motion is None else motion
    rows = rows_of(runs, matches, features, database.recogniser(seen.place == SOLES), seen.start_s)
    return Reading(seen, tuple(runs), body, motion, rows)


def pressure_in(path: str | Path) -> Pressure:
    """The pressure of a mat, or of both insoles side by side, in a file or folder, at the database's rate. Raises InputError for
    one insole alone, and for what is too slow, too short or empty."""
    found = {one.place: one for one in read_pressure(path)}
    if MAT in found:
        return at_database_rate(found[MAT])
    if len(found) != 2:
        raise InputError(f"{path} is of one insole: motions are recognised from both, or from a mat.")
    return at_database_rate(side_by_side(found[LEFT], found[RIGHT]))


def at_database_rate(mat: Pressure) -> Pressure:
    """Pressure of a mat, or of insoles side by side, as it is compared with the database's. Raises InputError for what is too
    slow, too short, empty, or bears no person's weight."""
    path = mat.source
    if abs(mat.rate_hz - MAT_RATE_HZ) < CLOSE * MAT_RATE_HZ:  # times are written with so many figures
        mat = replace(mat, rate_hz=MAT_RATE_HZ)
    if mat.rate_hz < MAT_RATE_HZ:
        raise InputError(f"{path} has {mat.rate_hz:g} frames a second: motions are recognised from {MAT_RATE_HZ:g} or more.")
    if not mat.images.any():
        raise InputError(f"Nobody stands on the {'insoles' if mat.place == SOLES else 'mat'} in {path}: all of its cells are 0.")
    mat.check_load()
    mat = mat.at_rate(MAT_RATE_HZ)
    if len(mat) < LEAST_S * MAT_RATE_HZ:
        raise InputError(f"{path} lasts {len(mat) / MAT_RATE_HZ:.1f} s: motions are recognised in {LEAST_S:g} s or more.")
    return mat

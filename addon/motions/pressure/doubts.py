# SPDX-License-Identifier: GPL-3.0-or-later
"""What was found in pressure as a report tells it, and how sure that is: how like the database's motion it is, whether another
motion is as near, and whether anybody goes at such a pace."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .laying import MOST_PACE, Run
from .recognition import QUIET, Match, Recogniser
from .soles import MAT_RATE_HZ
from .synthesis import SHORTEST_FRAMES

STANDS, UNKNOWN = "stands", "unknown"
"""What quiet stance is called in a report, and what is like no motion of the database."""
LIKE = 0.7
"""Likeness from which on a motion is not doubted: nineteen in twenty that were right reach it, a third to a quarter of others
(`scripts/check pressure`)."""
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

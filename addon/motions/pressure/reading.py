# SPDX-License-Identifier: GPL-3.0-or-later
"""From pressure to motion in one go: what it is of, when, and the poses that are laid of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from ...bodies.body import Body
from ...errors import InputError
from ..responses.response import reference_body
from .database import Database
from .doubts import rows_of
from .features import features_of
from .files import read_pressure
from .images import LEFT, MAT, RIGHT, SOLES, Pressure, side_by_side
from .laying import Run
from .prints import ankles_m
from .recognition import Match, recognised, streamed
from .soles import MAT_RATE_HZ
from .synthesis import Synthesis, runs_of, synthesise

CLOSE = 0.01
"""A rate so near to the database's, over it, is that."""
LEAST_S = 2.0
"""Of pressure, to be recognised at all: quiet stance has to be told from what moves."""


@dataclass(frozen=True, eq=False)
class Reading:
    """What pressure was read as. `pressure` (T frames) is as it was compared, at the database's rate; `matches` (T) what each
    frame was found to be, `runs` those of one motion each. `ankles_m` (T, 2, 2) are the user's on the mat, None where pressure
    does not tell places. `motion` are the poses on `body`; `rows` the runs as a report tells them, in the pressure's own time."""

    pressure: Pressure
    matches: tuple[Match, ...]
    runs: tuple[Run, ...]
    ankles_m: np.ndarray | None
    body: Body
    motion: Synthesis
    rows: tuple[dict[str, Any], ...]

    @property
    def called(self) -> str:
        """The motions in their order, in words."""
        return "; ".join(row["motion"] for row in self.rows)


def read_motion(
    source: str | Path | Pressure, database: Database, *, stream: bool = False, body: Body | None = None,
) -> Reading:
    """The motion of a file or folder of pressure, or of a sequence, by what a database knows, on `body` (the reference body, on
    which databases are, unless told). In a `stream` no frame is told by what comes later than `recognition.AHEAD` frames after
    it. Raises InputError for pressure that cannot be read as motion."""
    seen = at_database_rate(source) if isinstance(source, Pressure) else pressure_in(source)
    find, features = streamed if stream else recognised, features_of(seen)
    matches = find(database.recogniser(seen.place == SOLES), features)
    return laid(seen, database, matches, features, body)


def laid(seen: Pressure, database: Database, matches: Sequence[Match], features: np.ndarray, body: Body | None = None,
         motion: Synthesis | None = None) -> Reading:
    """The reading of pressure at the database's rate whose frames, with these features (T, F), are known already, and the
    `motion` where that was laid as they came. Raises InputError where nothing was found."""
    body = reference_body() if body is None else body
    runs = runs_of(matches)
    places = ankles_m(seen) if seen.place == MAT else None
    motion = synthesise(body, database, matches, places) if motion is None else motion
    rows = rows_of(runs, matches, features, database.recogniser(seen.place == SOLES), seen.start_s)
    return Reading(seen, tuple(matches), tuple(runs), places, body, motion, rows)


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

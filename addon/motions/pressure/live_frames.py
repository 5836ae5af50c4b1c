# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines of pressure as they come, as frames at the database's rate, each from nothing but what came before."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import InputError
from .files import cells_of, made_of, names_of, told_in, values_of
from .images import MAT, MAT_RATE_HZ, Pressure
from .recognition import AHEAD
from .synthesis import CLOSE

MOST_GAP_S = 1.0
"""Without a frame: for so long the one before is held, beyond it the stream has broken off."""
SOURCE = Path("standard input")
STEP_S = 1.0 / MAT_RATE_HZ
NEAR_S = 0.02 * STEP_S
"""Times are written with so many figures: what is left of a frame then is no frame."""

Frame = tuple[float, np.ndarray]
"""When it begins [s], and the image (rows, columns)."""


class EvenFrames:
    """Frames of any rate and their times in, frames `STEP_S` apart out, each the mean of the time that it stands for.

    A frame lasts until the next one comes; the newest is taken to last as long as frames do on average, so that nothing waits for
    the one after it. How long that is, is measured on the first frames, before a stream has told anything."""

    def __init__(self, source: Path = SOURCE) -> None:
        self._source = source
        self._waiting: list[Frame] = []
        self._last: Frame | None = None
        self._step_s = 0.0
        self._at = self._begin = self._held_s = 0.0
        self._sum: np.ndarray | float = 0.0

    def push(self, time_s: float, image: np.ndarray) -> list[Frame]:
        """The next frame; those that are whole by it. Raises InputError for a time that does not go on, and a rate too low."""
        if self._step_s:
            return self._taken(time_s, image)
        if self._waiting:
            self._step_of(time_s - self._waiting[-1][0], time_s)
        self._waiting.append((time_s, image))
        lasted = time_s - self._waiting[0][0]
        return [] if lasted < AHEAD * STEP_S - NEAR_S else self._started(lasted)

    def end(self) -> list[Frame]:
        """What waits yet, where there was too little to measure a rate. Raises InputError as `push` does."""
        if self._step_s or len(self._waiting) < 2:
            return []
        return self._started(self._waiting[-1][0] - self._waiting[0][0])

    def _started(self, lasted_s: float) -> list[Frame]:
        rate = (len(self._waiting) - 1) / lasted_s
        if rate < MAT_RATE_HZ * (1.0 - CLOSE):
            raise InputError(f"{self._source} has {rate:.3g} frames a second: motions are recognised from "
                             f"{MAT_RATE_HZ:g} or more.")
        self._step_s = STEP_S if rate < MAT_RATE_HZ * (1.0 + CLOSE) else 1.0 / rate
        self._at = self._begin = self._waiting[0][0]
        waiting, self._waiting = self._waiting, []
        return [frame for time, image in waiting for frame in self._taken(time, image)]

    def _taken(self, time_s: float, image: np.ndarray) -> list[Frame]:
        before, self._last = self._last, (time_s, image)
        step_s = STEP_S if before is None else self._step_of(time_s - before[0], time_s)
        if self._step_s == STEP_S:  # one for one, and one that was left out is held
            held = [] if before is None else [(before[0] + i * STEP_S, before[1]) for i in range(1, round(step_s / STEP_S))]
            return [*held, (time_s, image)]
        waited = [] if before is None else self._held(before[1], time_s)
        return [*waited, *self._held(image, time_s + self._step_s)]

    def _held(self, image: np.ndarray, until_s: float) -> list[Frame]:
        """The frames that become whole while an image lasts."""
        found: list[Frame] = []
        while self._at < until_s:
            edge = self._begin + STEP_S
            share = min(until_s, edge) - self._at
            self._sum, self._held_s, self._at = self._sum + share * image, self._held_s + share, self._at + share
            if edge - self._at < NEAR_S:
                found.append((self._begin, np.asarray(self._sum / self._held_s)))
                self._sum, self._held_s, self._begin = 0.0, 0.0, edge
                self._at = max(self._at, edge)
        return found

    def _step_of(self, step_s: float, time_s: float) -> float:
        """The time between two frames, of which the second comes at `time_s`. Raises InputError for none, and for a gap."""
        if step_s <= 0.0:
            raise InputError(f"The times of {self._source} do not go on: {time_s:g} s comes after {time_s - step_s:g} s.")
        if step_s > MOST_GAP_S:
            raise InputError(f"{self._source} breaks off: no frame for {step_s:.1f} s before {time_s:g} s, and {MOST_GAP_S:g} s "
                             "at most are bridged. Begin anew.")
        return step_s


class LiveFrames:
    """Reads a mat's lines one by one as `lope pressure` writes them: what begins with #, names, then a line a frame."""

    def __init__(self, source: Path = SOURCE) -> None:
        self._source = source
        self._head: dict[str, Any] = {}
        self._columns: list[str] = []
        self._shape, self._places = (0, 0), (np.zeros(0, dtype=int), np.zeros(0, dtype=int))
        self._line, self._even = 0, EvenFrames(source)
        self.like: Pressure | None = None
        """The first frame, which tells how all are, at the database's rate."""

    def push(self, line: str) -> list[Frame]:
        """The frames that are whole by one more line. Raises InputError naming the line and what is wrong with it."""
        self._line += 1
        line = line.strip().removeprefix("\ufeff")
        if line.startswith("#"):
            self._head |= told_in(line, self._source)
        elif line and not self._columns:
            self._names(line)
        elif line:
            return self._even.push(*self._frame(line))
        return []

    def end(self) -> Iterator[Frame]:
        """What is left at the end of the input. Raises InputError where no frame came at all."""
        if self.like is None:
            raise InputError(f"{self._source} has no frames: a line of column names is expected, then a line for every frame.")
        yield from self._even.end()

    def _names(self, line: str) -> None:
        names = names_of(line, self._source)
        cells = cells_of(names, self._source)
        if not cells or any(place != MAT for place, _, _ in cells):
            raise InputError(f"{self._source} is of insoles: as lines come, only a mat's are read, whose columns are "
                             "p_ROW_COLUMN. Insoles are read from a file.")
        rows, columns = (np.array([cell[i] for cell in cells]) for i in (1, 2))
        self._columns, self._places = names, (rows, columns)
        self._shape = (int(rows.max()) + 1, int(columns.max()) + 1)

    def _frame(self, line: str) -> Frame:
        values = np.array(values_of(line, self._columns, f"Line {self._line} of {self._source}"))
        image = np.zeros(self._shape)
        image[self._places] = values[1:]
        if self.like is None:
            origin = self._head.get("origin_m_p", self._head.get("origin_m"))
            told = {**self._head, "place": MAT, "rate_hz": MAT_RATE_HZ, "start_s": float(values[0]), "origin_m": origin}
            self.like = made_of(image[None], told, self._source)
        return float(values[0]), image

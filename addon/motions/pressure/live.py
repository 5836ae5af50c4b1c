# SPDX-License-Identifier: GPL-3.0-or-later
"""Pressure as it comes, told 1 s later: which motion it is of, which frame of it, and at what pace. Its lines are brought to
the database's rate, each frame from nothing but what came before."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from ...errors import InputError
from . import synthesis
from .database import Database
from .features import FrameFeatures
from .files import cells_of, made_of, names_of, told_in, values_of, write_pressure
from .images import MAT, MAT_RATE_HZ, Pressure
from .live_motion import LiveMotion, in_a_row
from .live_steps import LiveAnkles
from .recognition import AHEAD, QUIET, Match, Stream

MOST_GAP_S = 1.0
"""Without a frame: for so long the one before is held, beyond it the stream has broken off."""
SOURCE = Path("standard input")
STEP_S = 1.0 / MAT_RATE_HZ
NEAR_S = 0.02 * STEP_S
"""Times are written with so many figures: what is left of a frame then is no frame."""

Frame = tuple[float, np.ndarray]
"""When it begins [s], and the image (rows, columns)."""


class EvenFrames:
    """Frames of any rate and their times in, frames `STEP_S` apart out, each the mean of the time that it stands for. A frame
    lasts until the next one comes; the newest is taken to last as long as frames do on average, so that nothing waits for the one
    after it. How long that is, is measured on the first frames, before a stream has told anything."""

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
        if rate < MAT_RATE_HZ * (1.0 - synthesis.CLOSE):
            raise InputError(f"{self._source} has {rate:.3g} frames a second: motions are recognised from "
                             f"{MAT_RATE_HZ:g} or more.")
        self._step_s = STEP_S if rate < MAT_RATE_HZ * (1.0 + synthesis.CLOSE) else 1.0 / rate
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


PACE_FRAMES = 6
"""Over how many frames of a motion, half a second, its pace is told (first guess)."""


@dataclass(frozen=True)
class Told:
    """What the frame at `time_s` [s] is: a motion, its frame at the database's rate, counted from 0, how many of its frames
    go by in one, and how like it the person's frames are; all None in quiet stance and in what is not known, the pace also in a
    motion's first frame."""

    time_s: float
    motion: str
    frame: int | None = None
    pace: float | None = None
    likeness: float | None = None

    @property
    def doubted(self) -> bool:
        """Whether the person's frames are little like the motion's."""
        return self.likeness is not None and synthesis.doubtful(self.likeness)

    def to_dict(self) -> dict[str, Any]:
        return {"time_s": round(self.time_s, 3), "motion": self.motion, "frame": self.frame,
                "pace": None if self.pace is None else round(self.pace, 2),
                "likeness": None if self.likeness is None else round(self.likeness, 2)}

    def __str__(self) -> str:
        frame = "" if self.frame is None else f"  frame {self.frame}"
        pace = "" if self.pace is None else f"  pace {self.pace:.2f}"
        like = "" if self.likeness is None else f"  likeness {self.likeness:.2f}"
        return f"{self.time_s:8.2f} s  {self.motion}{'?' if self.doubted else ''}{frame}{pace}{like}"


class LiveReading:
    """Reads lines of a mat's pressure by a database. Images are kept where they are to be laid as a motion (`keeps`)."""

    def __init__(self, database: Database, keeps: bool = False, motion: LiveMotion | None = None, source: Path = SOURCE) -> None:
        """With a `motion` its poses are laid as frames are told. `source` is what its lines are called."""
        self.database, self.matches = database, list[Match]()
        self.motion, self.given = motion, list[synthesis.Synthesis]()
        self._ankles: LiveAnkles | None = None
        self._source = source
        self._recogniser = database.recogniser()
        self._lines, self._stream = LiveFrames(source), Stream(self._recogniser)
        self._features: FrameFeatures | None = None
        self.keeps, self._times, self._images = keeps, list[float](), list[np.ndarray]()
        self._masks, self._first = list[np.ndarray](), list[np.ndarray]()
        self._seen = list[np.ndarray]()

    def push(self, line: str) -> list[Told]:
        """What is told by one more line. Raises InputError for one that is no frame (`LiveFrames.push`)."""
        return [told for frame in self._lines.push(line) for told in self._frame(frame)]

    def end(self) -> list[Told]:
        """What is told of the last frames, of which no more comes. Raises InputError where there was no frame."""
        found = [told for frame in self._lines.end() for told in self._frame(frame)]
        while len(self.matches) < len(self._times):
            found += self._pushed(self._seen[-1])
        return found

    def __len__(self) -> int:
        return len(self._times)

    @property
    def seconds(self) -> float:
        """How much was read [s]."""
        return len(self._times) / self._like.rate_hz

    @property
    def begun(self) -> bool:
        return self._lines.like is not None

    def felt(self, frame: int) -> tuple[Pressure, np.ndarray]:
        """A frame at the database's rate, as a sequence of one, and the cells (2, rows, columns) that the left and the right foot
        press in it, as far as that was known when it came."""
        return replace(self._like, images=self._images[frame][None], start_s=self._times[frame]), self._masks[frame]

    @property
    def rows(self) -> tuple[dict[str, Any], ...]:
        if not self.matches:
            return ()
        runs = synthesis.runs_of(self.matches)
        return synthesis.rows_of(runs, self.matches, np.array(self._seen), self._recogniser, self._times[0])

    def reading(self) -> synthesis.Reading:
        """All that was told, laid as a motion; with a `motion`, as that was given. Raises InputError."""
        if not self.keeps:
            raise InputError("The images of this stream were not kept, so no motion can be laid of them.")
        whole = replace(self._like, images=np.array(self._images[:len(self.matches)]), start_s=self._times[0])
        seen = synthesis.at_database_rate(whole)
        features = np.array(self._seen[:len(self.matches)])
        if self.motion is None:
            return synthesis.laid_reading(seen, self.database, self.matches, features)
        return synthesis.laid_reading(seen, self.database, self.matches, features, self.motion.body, in_a_row(self.given))

    @property
    def _like(self) -> Pressure:
        if self._lines.like is None or not self._times:
            raise InputError(f"{self._source} has too few frames to be read.")
        return self._lines.like

    def _frame(self, frame: Frame) -> list[Told]:
        time_s, image = frame
        if self.keeps:
            self._images.append(image)
        self._times.append(time_s)
        self._check_load(image)
        if self._features is None:
            self._features = FrameFeatures(self._like)
            self._ankles = None if self.motion is None else LiveAnkles(self._like)
        self._seen.append(self._features.of(image))
        if self.keeps:
            self._masks.append(self._features.masks)
        if self._ankles is not None:
            self._ankles.push(self._features.masks)
        return self._pushed(self._seen[-1])

    def _check_load(self, image: np.ndarray) -> None:
        """Raises InputError where the first second bears what no person does; whoever is to stand there may come later."""
        if len(self._times) > AHEAD:
            return
        self._first.append(image)
        if len(self._first) == AHEAD:
            replace(self._like, images=np.array(self._first)).check_load(stood=False)
            self._first.clear()

    def _pushed(self, seen: np.ndarray) -> list[Told]:
        match = self._stream.push(seen)
        if match is None:
            return []
        self.matches.append(match)
        if self.motion is not None and self._ankles is not None:
            known = len(self._times) - len(self.matches) + 1
            self.given.append(self.motion.push(self._stream.ahead, self._ankles.ahead[-known:]))
        return [self._told(self._times[len(self.matches) - 1])]

    def _told(self, time_s: float) -> Told:
        last = self.matches[-1]
        if last.row == QUIET:
            return Told(time_s, synthesis.STANDS if last.known else synthesis.UNKNOWN)
        frames = [last.frame]
        for match in reversed(self.matches[-PACE_FRAMES:-1]):
            if match.row != last.row or match.frame > frames[-1]:
                break
            frames.append(match.frame)
        pace = (frames[0] - frames[-1]) / (len(frames) - 1) if len(frames) > 1 else None
        until = len(self.matches)
        these = slice(until - len(frames), until)
        likeness = self._recogniser.likeness(self.matches[these], np.array(self._seen[these]))
        return Told(time_s, self.database.active[last.row].name, last.frame, pace, likeness)


class PlayedFile:
    """A file or folder of pressure, whose lines come when they are due. Raises InputError for what is no pressure of a mat."""

    def __init__(self, path: Path) -> None:
        self._lines = _lines_of(path)
        self._next: str | None = next(self._lines, None)
        self._began_s: float | None = None
        self._first_s = 0.0

    @property
    def over(self) -> bool:
        return self._next is None

    def due(self, now_s: float) -> Iterator[str]:
        """The lines that have come by now [s]."""
        while self._next is not None:
            time_s = _time_of(self._next)
            if time_s is not None:
                if self._began_s is None:
                    self._began_s, self._first_s = now_s, time_s
                if time_s - self._first_s > now_s - self._began_s:
                    return
            line, self._next = self._next, next(self._lines, None)
            yield line

    def close(self) -> None:
        """Nothing is held open."""


class WrittenFile:
    """A CSV file that a sensor's software appends lines to: what tells how they are, then those that come from now on. Raises
    InputError for one that cannot be opened."""

    over = False

    def __init__(self, path: Path) -> None:
        self._path = path
        if path.suffix.lower() != ".csv":
            raise InputError(f"{path} cannot be followed while it is written: that goes with a CSV file, to which a sensor's "
                             "program appends a line a frame.")
        try:
            self._file = path.open(encoding="utf-8", newline="")
        except OSError as error:
            raise InputError(f"{path} cannot be read while it is written: {error.strerror or error}.") from error
        self._part, self._from_now = "", False

    def due(self, _now_s: float) -> Iterator[str]:
        """The lines that have come since the last call. Raises InputError where the file was begun anew."""
        lines = self._come()
        if not self._from_now:  # of what was there before, only how lines are
            lines = [line if _time_of(line) is None else "" for line in lines]
            self._from_now = True
        yield from lines

    def close(self) -> None:
        self._file.close()

    def _come(self) -> list[str]:
        try:
            if self._path.stat().st_size < self._file.tell():
                raise InputError(f"{self._path} was begun anew while it was read: begin anew, too.")
            *lines, self._part = (self._part + self._file.read()).replace("\r\n", "\n").split("\n")
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"{self._path} cannot be read while it is written: {error}.") from error
        return lines


def _lines_of(path: Path) -> Iterator[str]:
    if path.suffix.lower() != ".csv" or not path.is_file():
        seen = synthesis.pressure_in(path)
        if seen.place != MAT:
            raise InputError(f"{path} is of insoles, and live a mat is read, which tells where feet stand: Read Pressure reads "
                             "insoles.")
        with TemporaryDirectory() as folder:
            table = Path(folder) / "played.csv"
            write_pressure(table, [seen])
            yield from io.StringIO(table.read_text(encoding="utf-8"))
        return
    try:
        with path.open(encoding="utf-8") as file:
            yield from file
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read as text: {error}.") from error


def _time_of(line: str) -> float | None:
    """The time that a frame's line begins with; None of any other line."""
    try:
        return float(line.split(",", 1)[0])
    except ValueError:
        return None

# SPDX-License-Identifier: GPL-3.0-or-later
"""Where lines of pressure come from in a show: a file that is played at the clock's speed, or one that is still being written."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from ...errors import InputError
from .files import write_pressure
from .images import MAT
from .reading import pressure_in


class PlayedFile:
    """A file or folder of pressure, whose lines come when they are due. Raises InputError for what is no pressure of a mat."""

    def __init__(self, path: Path) -> None:
        self._lines = _lines_of(path)
        self._next: str | None = next(self._lines, None)
        self._began_s: float | None = None
        self._first_s = 0.0

    @property
    def over(self) -> bool:
        """Whether nothing more will come."""
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
        """Close the file."""
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
    """The lines of a table, and of anything else as if it were one."""
    if path.suffix.lower() != ".csv" or not path.is_file():
        seen = pressure_in(path)
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

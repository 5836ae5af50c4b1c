# SPDX-License-Identifier: GPL-3.0-or-later
"""What a file of pressure, or a database, is at a glance: read from its head alone, however long it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...archives import opened_archive, read_array_head
from ...errors import InputError
from ...files import MOST_LINE, read_lines, reading
from .database import opened
from .files import PICTURES, cells_of, check_archive, check_frames, head_in, names_of, picture_of, pictures_in, told_in
from .images import MAT

TAIL = 1 << 16
"""Bytes that are looked back in at once for the last line of a table."""


@dataclass(frozen=True)
class Seen:
    """A file of pressure: where its sensors lie, cells (rows, columns) of the first place, frames a second, how long it lasts."""

    places: tuple[str, ...]
    cells: tuple[int, int]
    rate_hz: float
    lasts_s: float


@dataclass(frozen=True)
class Known:
    """A database: the names of its motions, one for each occurrence, how many quiet stances it holds, and the licence."""

    names: tuple[str, ...]
    quiet: int
    licence: str


def seen_in(path: str | Path) -> Seen:
    """A file or folder of pressure at a glance. Raises InputError with what is wrong with it as far as its head tells."""
    path = Path(path)
    kind = path.suffix.lower()
    with reading(f"{path} is no pressure of Lope's, or it is damaged"):
        if path.is_dir():
            return _pictures(path)
        if not path.is_file():
            raise InputError(f"There is no pressure at {path}: name a .csv or .npz file, or a folder of pictures.")
        if kind == ".csv":
            return _table(path)
        if kind == ".npz":
            return _archive(path)
    raise InputError(f"{path} is no pressure that Lope reads: a .csv or .npz file, or a folder of pictures "
                     f"({', '.join(PICTURES)}).")


def _table(path: Path) -> Seen:
    """A CSV file by its lines of names and of the first two frames, and the time of its last."""
    told: dict[str, Any] = {}
    lines: list[str] = []
    for line in map(str.strip, read_lines(path, "utf-8-sig")):
        if line.startswith("#"):
            told |= told_in(line, path)
        elif line:
            lines.append(line)
        if len(lines) == 3:
            break
    check_frames(len(lines) - 1, path)
    cells = cells_of(names_of(lines[0], path), path)
    _all_told(path, told, ("pitch_m", "unit"))
    first, second, last = (_time(line, path) for line in (lines[1], lines[2], _last_line(path)))
    if not first < second <= last:
        raise InputError(f"The times of {path} do not go on: {first:g} s, {second:g} s, and {last:g} s at its end.")
    places = tuple(dict.fromkeys(place for place, _, _ in cells))
    mine = [(row, column) for place, row, column in cells if place == places[0]]
    shape = (1 + max(row for row, _ in mine), 1 + max(column for _, column in mine))
    count = 1 + round((last - first) / (second - first))
    rate = (count - 1) / (last - first)
    return Seen(places, shape, round(rate, 3), count / rate)


def _time(line: str, path: Path) -> float:
    try:
        return float(line.partition(",")[0])
    except ValueError:
        raise InputError(f"A line of {path} begins with {line[:20]!r} where a time [s] is to be.") from None


def _last_line(path: Path) -> str:
    with path.open("rb") as file:
        size = at = file.seek(0, 2)
        tail = b""
        while at > 0 and b"\n" not in tail.rstrip():
            at = max(at - TAIL, 0)
            file.seek(at)
            tail = file.read(size - at)
            if len(tail) > MOST_LINE:
                raise ValueError("its last line has no end")
    return tail.rstrip().rpartition(b"\n")[2].decode("utf-8")


def _archive(path: Path) -> Seen:
    """An NPZ file by its head, and the head of its first array."""
    check_archive(path)
    with opened_archive(path) as archive:
        sequences: dict[str, Any] = head_in(archive)["sequences"]
        places = tuple(sequences)
        with archive.open(f"images_{places[0]}.npy") as file:
            count, rows, columns = read_array_head(file)[0]
    rate = float(sequences[places[0]]["rate_hz"])
    return Seen(places, (rows, columns), rate, count / rate)


def _pictures(folder: Path) -> Seen:
    """A folder by its first picture and what is told beside them."""
    files, told = pictures_in(folder)
    _all_told(folder, told, ("pitch_m", "rate_hz"))
    rows, columns = picture_of(files[0]).shape
    rate = float(told["rate_hz"])
    return Seen((str(told.get("place", MAT)),), (rows, columns), rate, len(files) / rate)


def _all_told(path: Path, told: dict[str, Any], names: Sequence[str]) -> None:
    for name in names:
        if told.get(name) is None:
            raise InputError(f"{path} does not tell {name}: pitch_m [m] is how far apart cells are, rate_hz frames a second, "
                             "unit what the numbers are.")


def known_in(path: str | Path) -> Known:
    """A database at a glance. Raises InputError as `Database.load` does, as far as its head tells."""
    with opened(path) as (_, head):
        active = tuple(str(one["name"]) for one in head["motions"] if not one["quiet"])
        return Known(active, len(head["motions"]) - len(active), str(head["licence"]))

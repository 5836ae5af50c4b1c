# SPDX-License-Identifier: GPL-3.0-or-later
"""What the chosen files of pressure are, in a line each: read once, and again only when they have changed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..addon.errors import LopeError
from ..addon.motions.pressure.glance import Known, Seen, known_in, seen_in
from ..addon.motions.pressure.images import MAT
from .texts import said, words

NAMED = 3
"""So many kinds of motions are named in the line on a database."""
MOST = 32
"""So many glances are kept."""
_glances: dict[tuple[Any, ...], Seen | Known | LopeError] = {}


def _stamp(path: Path) -> tuple[float, int]:
    """What changes with a file, or with what is in a folder."""
    try:
        status = path.stat()
        return status.st_mtime, status.st_size
    except OSError:
        return 0.0, -1


def _glance(look: Callable[[Path], Any], path: Path) -> Any:
    """What is seen in a file as it is now. Raises LopeError."""
    key = look, path, _stamp(path)
    if key not in _glances:
        while len(_glances) >= MOST:
            _glances.pop(next(iter(_glances)))
        try:
            _glances[key] = look(path)
        except LopeError as error:
            _glances[key] = error
    found = _glances[key]
    if isinstance(found, LopeError):
        raise found
    return found


def pressure_seen(path: Path) -> Seen:
    """A file of pressure at a glance. Raises LopeError with what is wrong with it."""
    found: Seen = _glance(seen_in, path)
    return found


def database_seen(path: Path) -> Known:
    """A database at a glance. Raises LopeError with what is wrong with it."""
    found: Known = _glance(known_in, path)
    return found


def pressure_line(path: Path) -> tuple[str, str]:
    """A line on a file of pressure, and its icon."""
    try:
        seen = pressure_seen(path)
    except LopeError as error:
        return said(str(error)), "ERROR"
    rows, columns = seen.cells
    values = {"rows": rows, "columns": columns, "rate": seen.rate_hz, "seconds": seen.lasts_s}
    if seen.places == (MAT,):
        return words("A mat of {rows} x {columns} cells, {rate:g} Hz, {seconds:.1f} s", **values), "INFO"
    return words("Insoles of {rows} x {columns} cells, {rate:g} Hz, {seconds:.1f} s", **values), "INFO"


def database_line(path: Path) -> tuple[str, str]:
    """A line on a database, and its icon."""
    try:
        known = database_seen(path)
    except LopeError as error:
        return said(str(error)), "ERROR"
    if not known.quiet:
        return words("It has no quiet stance, and needs one: mark a part in which somebody only stands, under Motions of the "
                     "Database, and index again"), "ERROR"
    names = list(dict.fromkeys(known.names))
    named = ", ".join(names[:NAMED])
    if len(names) > NAMED:
        named = words("{names} and {count} more", names=named, count=len(names) - NAMED)
    return words("{count} motions: {names}", count=len(known.names), names=named), "INFO"

# SPDX-License-Identifier: GPL-3.0-or-later
"""What becomes of pressure that was read, and of a folder that was indexed: what the panel has of it, and the word on it.

What the chosen files of pressure are, in a line each: read once, and again only when they have changed.

What was shown live and waits to be kept: nothing of it is on its armature before somebody wants it there.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import bpy

from ..addon.errors import LopeError
from . import context as notes
from .context import Order, said, words
from .pressure_settings import path_of

if TYPE_CHECKING:
    from ..addon.motions.pressure.glance import Known, Seen

READ, INDEX, SHOW = "pressure", "pressure_index", "pressure_show"
"""Kinds of the jobs."""
BUTTONS = {READ: "LOPE_OT_read_pressure", INDEX: "LOPE_OT_index_clips", SHOW: "LOPE_OT_live_pressure"}
"""The button that each is begun with: beside it is said why it failed."""


class FoundMotion(NamedTuple):
    """A motion that was found in pressure, from and to [s], when it begins in the take [s], its pace over the database's and how
    like it it is (both None for stance and what is not known), whether that is doubted, and which other motion it may be as
    well."""

    motion: str
    from_s: float
    to_s: float
    at_s: float
    pace: float | None
    likeness: float | None
    doubted: bool
    other: str | None

    @property
    def text(self) -> str:
        """The motion, its times, and how sure it is, in a line."""
        parts = [shown_name(self.motion, self.doubted), words("{begin:.1f} to {end:.1f} s", begin=self.from_s, end=self.to_s)]
        if self.pace is not None:
            parts.append(f"{self.pace:.2f}x")
        if self.likeness is not None:
            parts.append(f"{100.0 * self.likeness:.0f} %")
        if self.other is not None:
            parts.append(words("or {motion}", motion=self.other))
        return "   ".join(parts)


def shown_name(motion: str, doubted: bool) -> str:
    """A motion's name as a report has it, in the user's language, with a mark where it is doubted."""
    from ..addon.motions.pressure.synthesis import STANDS, UNKNOWN

    name = {STANDS: words("stands"), UNKNOWN: words("like none of these")}.get(motion, motion)
    return f"{name} ?" if doubted else name


def found_of(armature: bpy.types.Object) -> list[FoundMotion]:
    """The motions that the last take was read as; none where it was not read from pressure."""
    try:
        told = json.loads(armature.lope.take_pressure or "{}")
        return [FoundMotion(one["motion"], one["from_s"], one["to_s"], one["at_s"], one.get("pace"), one.get("likeness"),
                            "doubt" in one, one.get("or")) for one in told["found"]]
    except (ValueError, TypeError, KeyError):
        return []


def source_of(armature: bpy.types.Object) -> dict[str, str] | None:
    """The pressure and the database of which the last take was laid; None for a take that was simulated."""
    try:
        told = json.loads(armature.lope.take_pressure or "{}")
    except ValueError:
        return None
    return {name: told[name] for name in ("pressure", "database")} if told.get("laid") else None


def kept_of(order: Order) -> str:
    """What a take keeps of the pressure that it was read from, as JSON; "" for one of anything else."""
    task, report = order.job.task, order.job.report
    if task.kind not in (READ, SHOW):
        return ""
    source = task.options if task.kind == READ else {
        "pressure": task.options["recorded"], "database": task.options["database"]}
    return json.dumps({"found": report["found"], "laid": bool(report.get("laid")), **source}, sort_keys=True)


def summary(report: dict[str, Any]) -> str:
    """One line on a motion that was laid: what it is of, with a mark on what is doubted wherever it was found."""
    from ..addon.motions.pressure.synthesis import STANDS

    doubted: dict[str, bool] = {}
    for one in report["found"]:
        if one["motion"] != STANDS:
            doubted[one["motion"]] = doubted.get(one["motion"], True) and "doubt" in one
    names = ", ".join(shown_name(motion, mark) for motion, mark in doubted.items()) or words("stands")
    return words("{time:.1f} s read from pressure: {names}", time=report["duration_s"], names=names)


def indexed(order: Order, armature: bpy.types.Object) -> notes.Note:
    """A database was made: the armature's settings have it. Gives the word on it."""
    settings, report, out = armature.lope, order.job.report, Path(order.job.task.out)
    settings.pressure_clips = order.job.task.options["folder"]
    if path_of(settings.pressure_database) != out:
        settings.pressure_database = str(out)
    else:
        settings.pressure_database = settings.pressure_database  # its list is shown anew
    bpy.ops.ed.undo_push(message=words("Index Clips"))
    text = words("{motions} motions of {clips} clips are in the database {name}", motions=report["motions"],
                 clips=report["clips"], name=out.name)
    if report["early"]:
        text = words("{text} (ended early)", text=text)
    wrong = [words("Left out: {clip}: {reason}", clip=clip, reason=said(reason)) for clip, reason in report["left_out"]]
    if not report["stance"]:
        wrong.append(words("No clip is quiet stance, and one is needed: mark one of somebody who only stands, or such a part of "
                           "one, and index again. The stillest: {clips}", clips=", ".join(report["stillest"])))
    return notes.Note(notes.WARNED, ". ".join([text, *wrong])) if wrong else notes.Note(notes.DONE, text)


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
    from ..addon.motions.pressure.glance import seen_in

    found: Seen = _glance(seen_in, path)
    return found


def database_seen(path: Path) -> Known:
    """A database at a glance. Raises LopeError with what is wrong with it."""
    from ..addon.motions.pressure.glance import known_in

    found: Known = _glance(known_in, path)
    return found


def pressure_line(path: Path) -> tuple[str, str]:
    """A line on a file of pressure, and its icon."""
    from ..addon.motions.pressure.images import MAT

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


class Offer(NamedTuple):
    """A take, the file of its pressure, what an armature keeps of them, and why it broke off, "" where it did not."""

    take: str
    recorded: str
    text: str
    kept: str
    wrong: str


_offers: dict[int, Offer] = {}
"""By armature (session_uid)."""


def make(order: Order) -> notes.Note:
    """What a show has left can be kept from now on. Gives the word on it."""
    job = order.job
    wrong, seconds = said(job.report["wrong"]), job.report["duration_s"]
    _offers[order.object_uid] = Offer(job.task.out, job.task.options["recorded"], summary(job.report), kept_of(order), wrong)
    if wrong:
        text = words("{reason} {seconds:.1f} s came before that: Keep bakes them", reason=wrong, seconds=seconds)
        return notes.Note(notes.WARNED, text)
    return notes.Note(notes.DONE, words("{seconds:.1f} s came live: Keep bakes them", seconds=seconds))


def of(uid: int) -> Offer | None:
    """What waits to be kept for the armature of this number."""
    return _offers.get(uid)


def drop(uid: int) -> None:
    """It is kept, or is not to be."""
    _offers.pop(uid, None)


def throw_away(uid: int) -> None:
    """Nobody wants it: its files go, too."""
    offer = _offers.pop(uid, None)
    for path in () if offer is None else (offer.take, offer.recorded):
        Path(path).unlink(missing_ok=True)


def forget() -> None:
    """Drop everything: another file is coming."""
    _offers.clear()

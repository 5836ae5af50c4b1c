# SPDX-License-Identifier: GPL-3.0-or-later
"""What the worker does with pressure: reads a motion from it, and makes databases of folders of clips."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..children.protocol import Task
from ..children.server import Line
from ..errors import InputError
from ..example_take import pressure_take
from ..motions.pressure.database import Database
from ..motions.pressure.doubts import UNKNOWN
from ..motions.pressure.reading import Reading, read_motion
from ..motions.pressure.recognition import QUIET
from ..motions.pressure.spans import Span, is_former, read_spans, read_starts, write_spans
from ..tuning.measured_clips import pressing
from ..tuning.pressed_clips import PressedClip, index_clips

CLIPS = ".bvh"
"""Ending of the clips that are indexed here: all others need Blender, or the command line with it."""


def read_of(task: Task) -> Reading:
    """What the pressure of a task's `options` (pressure, database) is of. Raises InputError where that is no motion of the
    database."""
    source, database = task.options["pressure"], Database.load(task.options["database"])
    reading = read_motion(source, database)
    if any(row["motion"] == UNKNOWN for row in reading.rows) and all(run.row == QUIET for run in reading.runs):
        raise InputError(f"What was done in {Path(source).name} is like none of the motions of the database {database.name}: "
                         "index clips of it, done as it was there.")
    if all(run.row == QUIET for run in reading.runs):
        raise InputError(f"Nothing but quiet stance was recognised in {Path(source).name}: record a motion that the database "
                         f"{database.name} knows, the person looking the way the mat does, or index clips of what was done.")
    return reading


def lay_pressure(task: Task, line: Line) -> dict[str, Any]:
    """Lay the motion of the pressure of `options` on the reference body and write its take; the report has what was `found`."""
    line.progress(0.1, "reading the pressure")
    reading = read_of(task)
    line.progress(0.7, "laying the motion")
    take = pressure_take(reading)
    take.save(task.out)
    return {"found": found_in(reading), "duration_s": float(take.time_s[-1]), "laid": True}


def found_in(reading: Reading, scale: float = 1.0) -> list[dict[str, Any]]:
    """The motions of a reading as its report tells them, each with `at_s`, where in a take it begins that is `scale` times as
    slow."""
    start_s = reading.pressure.start_s
    return [{**row, "at_s": round(scale * (row["from_s"] - start_s), 3)} for row in reading.rows]


def index_folder(task: Task, line: Line) -> dict[str, Any]:
    """Make a database of the clips of the folder `options` names (folder, licence, and `known`, the motions of clips by their
    file's name as dicts, None for what the list beside the database says), write it to `out` and its list beside it. Ended early,
    it is of the clips until then."""
    out, folder, listed = Path(task.out), Path(task.options["folder"]), Path(task.out).with_suffix(".json")
    paths = clips_in(folder)
    asked = task.options["known"]
    known = read_spans(listed) if asked is None else {clip: [Span(**one) for one in of] for clip, of in asked.items()}
    told: list[tuple[str, str]] = []
    starts = read_starts(listed)

    def of(path: Path, clip: PressedClip | None, reason: str) -> None:
        told.append((path.name, reason))
        if clip is not None and clip.said:
            starts[path.name] = clip.said["start_s"]
        line.progress(len(told) / len(paths), f"{len(told)} of {len(paths)} clips, {path.name}")

    line.progress(0.0, f"0 of {len(paths)} clips, {paths[0].name}")
    database, spans = index_clips(out.stem, task.options["licence"], paths, known, of, line.ended, pressing(dict(starts)),
                                  is_former(listed))
    database.save(out)
    write_spans(listed, {**{clip: known[clip] for clip in known if clip not in spans}, **spans}, starts)
    return {"motions": sum(map(len, spans.values())), "clips": len(spans), "left_out": [one for one in told if one[1]],
            "early": len(told) < len(paths), "stance": database.stance is not None,
            "stillest": list(database.stillest)}


def clips_in(folder: Path) -> list[Path]:
    """The clips of a folder by name. Raises InputError for a folder that is not there or has none."""
    if not folder.is_dir():
        raise InputError(f"The folder of clips {folder} is not there: choose it again.")
    found = sorted(path for path in folder.iterdir() if path.suffix.lower() == CLIPS)
    if not found:
        raise InputError(f"The folder {folder} holds no clips: BVH files are expected. Import others in Blender, and export them "
                         "as BVH.")
    return found

# SPDX-License-Identifier: GPL-3.0-or-later
"""What the worker does with pressure: reads a motion from it, makes databases of clips, and shows pressure as motion while it
comes, each pose a second after what it is of."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ..children.protocol import Task
from ..children.server import Line
from ..errors import InputError
from ..motions.pressure.database import MOTION_HZ, PER_FRAME, Database, Span, read_list, write_spans
from ..motions.pressure.files import write_pressure
from ..motions.pressure.live import LiveReading, PlayedFile, WrittenFile
from ..motions.pressure.live_motion import LiveMotion
from ..motions.pressure.recognition import QUIET
from ..motions.pressure.synthesis import LEAST_S, UNKNOWN, Reading, read_motion
from ..motions.responses.response import reference_body
from ..reports.pressure_on_ground import told
from ..search.pressed_clips import PressedClip, index_clips, pressing
from ..sim.example_take import pressure_take
from ..sim.live import VIEW_S

CLIPS = ".bvh"
"""Ending of the clips that are indexed here: all others need Blender, or the command line with it."""


def read_of(task: Task) -> Reading:
    """What the pressure of a task's `options` (pressure, database) is of. Raises InputError for no motion of the database."""
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
    """The motions of a reading as its report tells them, with `at_s`, where each begins in a take `scale` times as slow."""
    start_s = reading.pressure.start_s
    return [{**row, "at_s": round(scale * (row["from_s"] - start_s), 3)} for row in reading.rows]


def index_folder(task: Task, line: Line) -> dict[str, Any]:
    """Make a database of the clips of a folder (`options`: folder, licence, and `known` motions by file name, None for what the
    list beside it says), and its list. Ended early, it is of the clips until then."""
    out, folder, listed = Path(task.out), Path(task.options["folder"]), Path(task.out).with_suffix(".json")
    paths = clips_in(folder)
    asked = task.options["known"]
    known = read_list(listed)
    if asked is not None:
        known = replace(known, spans={clip: [Span(**one) for one in of] for clip, of in asked.items()})
    told: list[tuple[str, str]] = []
    starts = dict(known.starts)

    def of(path: Path, clip: PressedClip | None, reason: str) -> None:
        told.append((path.name, reason))
        if clip is not None and clip.said:
            starts[path.name] = clip.said["start_s"]
        line.progress(len(told) / len(paths), f"{len(told)} of {len(paths)} clips, {path.name}")

    line.progress(0.0, f"0 of {len(paths)} clips, {paths[0].name}")
    database, spans = index_clips(out.stem, task.options["licence"], paths, known, of, line.ended, pressing(known.starts))
    database.save(out)
    write_spans(listed, known.and_then(spans), starts)
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


WAITS, SHOWING, OVER, BROKEN, ENDING = "waits", "showing", "over", "broken", "ending"
"""What a View says: no frame yet; poses are shown; all of the file was; a line could not be read; its take is being written."""
DELAY_S = 1.0
"""From a frame to its first pose (Yin 2007, section 3.4.3: 12 frames at 12 a second)."""
SLACK_S = 0.25
"""Lines that come later than this against the pace that they tell are shown as much later from then on."""


class Show:
    """A show. `due` moves it on to a moment [s] of any steady clock, `view` is what is seen then. Raises InputError."""

    def __init__(self, path: Path, database: Database, written: bool) -> None:
        self._source = WrittenFile(path) if written else PlayedFile(path)
        self.reading = LiveReading(database, keeps=True, motion=LiveMotion(reference_body(), database), source=path)
        self.state, self.wrong, self.held = WAITS, "", 0
        self._told, self._doubted, self._ended = "", False, False
        self._starts_s = self._came_s = self._now_s = 0.0
        self._at = -1
        self._most = 0.0
        self._felt_at, self._felt = -1, dict[str, Any]()

    def due(self, now_s: float) -> None:
        """Read what has come, and go on to the pose that is due. A line that cannot be read ends it; what came before stays."""
        self._now_s = now_s
        if self.state in (WAITS, SHOWING):
            try:
                for line in self._source.due(now_s):
                    self._came_s = now_s
                    for one in self.reading.push(line):
                        self._told, self._doubted = one.motion, one.doubted
                    if self.reading.begun and self.state == WAITS:
                        self.state, self._starts_s = SHOWING, now_s + DELAY_S
                if self._source.over and not self._ended:
                    self._ended = True
                    self.reading.end()
            except InputError as error:
                self.state, self.wrong = BROKEN, str(error)
        if self.state == SHOWING:
            self._go(now_s)

    def _go(self, now_s: float) -> None:
        last = PER_FRAME * len(self.reading.given) - 1
        due = int((now_s - self._starts_s) * MOTION_HZ) if now_s >= self._starts_s else -1
        if due > last and self._source.over:
            self.state = OVER
        elif due > last + SLACK_S * MOTION_HZ:
            self._starts_s += (due - last) / MOTION_HZ
            self.held += due - last
        self._at = min(due, last)

    @property
    def lasts_s(self) -> float:
        """How much was laid [s]."""
        return len(self.reading.given) * PER_FRAME / MOTION_HZ

    @property
    def view(self) -> dict[str, Any]:
        """The pose (root and turns), its moment [s], the motion told last and whether that is doubted, the state, for how long no
        line has come [s]; `mat`, the pressure under it as `pressure_now.told` has it, once it is known where the mat lies."""
        if self._at < 0:
            return {"state": self.state, "wrong": self.wrong, "time_s": 0.0, "motion": "", "doubted": False, "silent_s": 0.0}
        frame, row = self._at // PER_FRAME, self._at % PER_FRAME
        figure = self.reading.given[frame].figure
        turns = np.concatenate([figure.turn[row, None], figure.joints[row]])
        silent = 0.0 if self._source.over else round(self._now_s - self._came_s, 2)
        return {"root_m": figure.root[row].tolist(), "turns": turns.tolist(), "state": self.state, "wrong": self.wrong,
                "time_s": (self._at + 1) / MOTION_HZ, "motion": self._told, "doubted": self._doubted, "silent_s": silent,
                **self._mat(frame)}

    def _mat(self, frame: int) -> dict[str, Any]:
        """What is felt in a frame; nothing where nobody has stood yet."""
        if frame != self._felt_at:
            felt, masks = self.reading.felt(frame)
            place, self._most = self.reading.given[frame].mat_m, max(self._most, float(felt.images.max()))
            self._felt_at, self._felt = frame, {}
            if place is not None and self._most > 0.0:
                at_m = float(place[0]), float(place[1])
                self._felt = {"mat": {"frame": frame, **told(felt, masks, self._most, at_m)}}
        return self._felt

    def close(self) -> None:
        self._source.close()


def show_pressure(task: Task, line: Line) -> dict[str, Any]:
    """Show the pressure of `options` (pressure, database, whether it is still being `written`) until it is to be finished, is
    over or breaks off; then its take and the pressure (`recorded`) are written. The report has what was `found`, why it broke off
    (`wrong`), and `show`: poses a second, share of a processor, poses held. Raises InputError for what was too short."""
    show = Show(Path(task.options["pressure"]), Database.load(task.options["database"]), bool(task.options["written"]))
    began, worked, views = time.perf_counter(), time.process_time(), 0
    try:
        while not line.ended() and show.state not in (OVER, BROKEN):
            now = time.perf_counter()
            show.due(now)
            line.show(show.view)
            views += 1
            line.heard(max(VIEW_S - (time.perf_counter() - now), 0.0))
    finally:
        show.close()
    if show.wrong and show.lasts_s < LEAST_S:
        raise InputError(show.wrong)
    went = time.perf_counter() - began
    share = (time.process_time() - worked) / went
    figures = {"views_hz": round(views / went, 1), "processor": round(share, 3), "held": show.held}
    line.show({**show.view, "state": ENDING})
    line.progress(0.5, "laying the motion")
    reading = show.reading.reading()
    recorded = task.options["recorded"]
    write_pressure(recorded, [reading.pressure])
    take = pressure_take(replace(reading, pressure=replace(reading.pressure, source=recorded)))
    take.save(task.out)
    return {"found": found_in(reading), "duration_s": float(take.time_s[-1]), "laid": True, "wrong": show.wrong, "show": figures}

# SPDX-License-Identifier: GPL-3.0-or-later
"""The task of a process that shows pressure as motion while it comes: each pose a second after what it is of."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ..children.protocol import Task
from ..children.server import Line
from ..drive import VIEW_S
from ..errors import InputError
from ..example_take import pressure_take
from ..motions.pressure.database import MOTION_HZ, PER_FRAME, Database
from ..motions.pressure.files import write_pressure
from ..motions.pressure.live import LiveReading
from ..motions.pressure.live_motion import LiveMotion
from ..motions.pressure.live_source import PlayedFile, WrittenFile
from ..motions.pressure.reading import LEAST_S
from ..motions.responses.response import reference_body
from ..reports.pressure_now import told
from .pressure import found_in

WAITS, SHOWING, OVER, BROKEN, ENDING = "waits", "showing", "over", "broken", "ending"
"""What a View says of it: no frame has come yet; poses are shown; all of the file was; a line could not be read; its take is
being written."""
DELAY_S = 1.0
"""From a frame to its first pose (Yin 2007, section 3.4.3: 12 frames at 12 a second)."""
SLACK_S = 0.25
"""Lines that come later than this, as they do not come at the pace that they tell, are shown as much later from then on."""


class Show:
    """A show. `due` moves it on to a moment [s] of any steady clock, `view` is what there is to be seen then. Raises InputError
    for a source or a database that cannot be shown."""

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
        """Go on to the pose that is due by now, or that is the last."""
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
        """The pose (root and turns), of which moment of the pressure it is [s], the motion told last and whether that is doubted,
        the state, and for how long no line has come [s]; `mat` is the pressure under that pose as `pressure_now.told` has it, and
        the number of its frame, as soon as it is known where the mat lies."""
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
        """Close the source."""
        self._source.close()


def show_pressure(task: Task, line: Line) -> dict[str, Any]:
    """Show the pressure of `options` (pressure, database, and whether it is still being `written`) until it is to be finished, is
    over or cannot be read on. Then the take of what was given is written, and the pressure itself to the file `recorded`. The
    report has what was `found`, why it broke off (`wrong`), and `show`: poses a second, the share of one processor, and poses
    that were held as lines came late. Raises InputError for what broke off before it was long enough to be a motion."""
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

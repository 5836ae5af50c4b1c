# SPDX-License-Identifier: GPL-3.0-or-later
"""The task of a process at whose wheel the artist sits: a shot at the speed of the clock, seen and steered meanwhile."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from ..children.protocol import Task, Word
from ..children.server import Line
from ..drive import VIEW_S, Clock, Drive
from ..errors import InputError
from ..specs.shot import Shot
from ..take import Take

READY, DRIVING, FELL, ENDING = "ready", "driving", "fell", "ending"
"""What a View says of it: it waits to go; it goes; it fell, and waits for what is to become of it; its take is being written."""
STEER, PUSH, GO, ANEW = "steer", "push", "go", "anew"
"""The words that it takes."""
WAIT_S = 0.5
"""How long it waits for a word while nothing goes on."""
AT_ONCE_S = 0.25 * VIEW_S
"""So much is simulated after a word before it is shown."""


def drive_shot(task: Task, line: Line) -> tuple[Take, dict[str, Any]]:
    """Drive the shot until it is to be finished; gives its take and figures: how often it was begun anew, simulated seconds in a
    second of the clock, and in a second of work. `options`: the file `script` to note it in."""
    wheel = Wheel(task, line)
    try:
        take = wheel.until_finished()
    finally:
        wheel.close()
    return take, wheel.figures


class Wheel:
    """A drive, its clock and its line. Raises LopeError for a shot that cannot be driven."""

    def __init__(self, task: Task, line: Line) -> None:
        self._shot, self._script, self._line = Shot.from_dict(task.shot), Path(task.options["script"]), line
        self._drive = Drive(self._shot, self._script)
        self._state, self._heard, self._refused = READY, 0, ""
        self._clock = Clock(time.perf_counter())
        self._begun, self._went_s = 1, 0.0
        self._drove_s = self._worked_s = self._simulated_s = 0.0

    @property
    def figures(self) -> dict[str, Any]:
        """What the drive was like."""
        return {"begun": self._begun, "clock_rate": _share(self._simulated_s, self._drove_s),
                "sim_s_per_s": _share(self._simulated_s, self._worked_s)}

    def until_finished(self) -> Take:
        """Go on until the artist ends it; gives the take."""
        line, wait_s = self._line, 0.0
        self._show()
        while not line.ended():
            words = line.heard(wait_s)
            for word in words:
                self._take_in(word)
            if self._state == DRIVING:
                began = time.perf_counter()
                self._go(began, bool(words))
                wait_s = max(VIEW_S - (time.perf_counter() - began), 0.0)
            else:
                wait_s = WAIT_S
            self._show()
        self._state = ENDING
        self._show()
        return self._drive.end(line.progress)

    def close(self) -> None:
        """Free what it holds."""
        self._drive.close()

    def _go(self, began: float, at_once: bool) -> None:
        """Simulate what the clock asks for now, but not past a word that comes; of a word just heard something is to be seen
        `at_once`."""
        due = self._clock.due(began)
        went = self._drive.go(min(due, AT_ONCE_S) if at_once else due, enough=self._line.waiting)
        now = time.perf_counter()
        self._clock.went(now, went, self._drive.simulation.time_s)
        self._drove_s += now - self._went_s
        self._worked_s += now - began
        self._simulated_s += went
        self._went_s = now
        if self._drive.simulation.over:
            self._state = FELL

    def _take_in(self, word: Word) -> None:
        """One word of the artist's."""
        self._heard = word.number
        try:
            if word.kind == STEER:
                self._drive.steer(word.values)
            elif word.kind == PUSH and self._state == DRIVING:
                self._drive.push(word.values)
            elif word.kind == ANEW:
                self._anew()
            if word.kind in (GO, ANEW) and self._state == READY:
                self._went_s = time.perf_counter()
                self._state, self._clock = DRIVING, Clock(self._went_s)
            self._refused = ""
        except InputError as error:
            self._refused = str(error)

    def _anew(self) -> None:
        """Begin again, as if nothing had been."""
        self._drive.close()
        self._drive = Drive(self._shot, self._script)
        self._state, self._begun = READY, self._begun + 1

    def _show(self) -> None:
        """Let it be seen."""
        rate = self._clock.rate() if self._state == DRIVING else 1.0
        self._line.show({**self._drive.pose(), "state": self._state, "heard": self._heard, "rate": round(rate, 3),
                         "refused": self._refused})


def _share(part: float, whole: float) -> float | None:
    return round(part / whole, 3) if whole > 0.0 else None

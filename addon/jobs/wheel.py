# SPDX-License-Identifier: GPL-3.0-or-later
"""Tasks that simulate while the artist looks on: a shot at the speed of the clock, steered meanwhile; and pushes that are tried,
of which the shot is simulated up to the push beforehand, so that what is seen is what it will do."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ..bodies.body import joint_quaternions, root_pose
from ..children.protocol import Task, Word
from ..children.server import Line
from ..errors import InputError
from ..sim.live import VIEW_S, Clock, Drive
from ..sim.simulation import Simulation
from ..sim.take import Take
from ..specs.shot import Push, Shot

READY, DRIVING, FELL, ENDING = "ready", "driving", "fell", "ending"
"""What a View says: it waits to go; it goes; it fell, and waits for a word; its take is being written."""
STEER, PUSH, GO, ANEW = "steer", "push", "go", "anew"
WAIT_S = 0.5
"""How long it waits for a word while nothing goes on."""
AT_ONCE_S = 0.25 * VIEW_S
"""So much is simulated after a word before it is shown."""


def drive_shot(task: Task, line: Line) -> tuple[Take, dict[str, Any]]:
    """Drive the shot until it is to be finished; gives its take, how often begun anew, and simulated seconds in a second."""
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
        self._drive.close()

    def _go(self, began: float, at_once: bool) -> None:
        """Simulate what the clock asks for, but not past a word; of one just heard something is seen `at_once`."""
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
        self._drive.close()
        self._drive = Drive(self._shot, self._script)
        self._state, self._begun = READY, self._begun + 1

    def _show(self) -> None:
        rate = self._clock.rate() if self._state == DRIVING else 1.0
        self._line.show({**self._drive.pose(), "state": self._state, "heard": self._heard, "rate": round(rate, 3),
                         "refused": self._refused})


def _share(part: float, whole: float) -> float | None:
    return round(part / whole, 3) if whole > 0.0 else None


PREPARING, REHEARSAL_READY, SIMULATING, SHOWN, REFUSED = "preparing", "ready", "simulating", "shown", "refused"
"""What a View says: simulated up to the push; it waits for one; tries one; all of it is in the View; it cannot be, see `why`."""
TRY = "try"
"""The word that it takes: a push without its start."""
VIEW_HZ = 30.0
"""Poses of a response in a second."""
SHOWN_EVERY = 15
"""So many poses more are shown at once, half a second, while there are more to come."""
DIGITS = 4


def rehearse(task: Task, line: Line) -> dict[str, Any]:
    """Try pushes at `at_s`, looked at for `lasts_s` (`options`), until finished; gives how many. Raises LopeError."""
    rehearsal = Rehearsal(task, line)
    try:
        rehearsal.until_finished()
    finally:
        rehearsal.close()
    return {"tried": rehearsal.tried}


class Rehearsal:
    """The shot up to the push, and the line to whoever dials."""

    def __init__(self, task: Task, line: Line) -> None:
        at_s, self._lasts_s = task.options["at_s"], task.options["lasts_s"]
        shot = Shot.from_dict(task.shot)
        self._shot = replace(shot, duration_s=max(shot.duration_s, at_s + self._lasts_s + 1.0))
        self._at_s, self._line, self.tried = at_s, line, 0
        self._ready: Simulation | None = None

    def until_finished(self) -> None:
        """Be ready for a push, try it, be ready for the next one."""
        line = self._line
        while not line.ended():
            if self._ready is None:
                self._prepare()
            for word in line.heard(WAIT_S)[-1:]:  # of several only the last one is still wanted
                self._try(word)

    def close(self) -> None:
        if self._ready is not None:
            self._ready.close()
            self._ready = None

    def _prepare(self) -> None:
        """Simulate up to the push, as nothing of that depends on it."""
        first = self.tried == 0
        if first:
            self._line.show({"state": PREPARING, "tried": 0})
        simulation = self._ready = Simulation(self._shot)
        while simulation.time_s < self._at_s - 0.5 * simulation.control_step_s and not simulation.over:
            simulation.step()
        if simulation.over:
            raise InputError(f"The character is down by {simulation.time_s:.1f} s, before this push: choose an earlier frame, or "
                             "weaken the pushes before it.")
        if first:
            qpos = simulation.engine.qpos
            self._line.show({"state": REHEARSAL_READY, "tried": 0, "stance": qpos.tolist(), **_poses(simulation, [qpos.copy()])})

    def _try(self, word: Word) -> None:
        """Push, and look at what comes of it; not to the end where the next push is told meanwhile."""
        assert self._ready is not None
        simulation, self.tried = self._ready, word.number
        began_s, worked_s = time.perf_counter(), time.process_time()
        try:
            simulation.push(Push.from_dict({"start_s": simulation.time_s, **word.values}))
        except InputError as error:
            self._line.show({"state": REFUSED, "tried": word.number, "why": str(error)})
            return
        self._ready = None
        seen: list[np.ndarray] = []
        try:
            while len(seen) <= self._lasts_s * VIEW_HZ and not simulation.over:
                if self._line.waiting():
                    return
                if simulation.time_s >= self._at_s + len(seen) / VIEW_HZ - 0.5 * simulation.control_step_s:
                    seen.append(simulation.engine.qpos.copy())
                    if len(seen) % SHOWN_EVERY == 0:
                        self._line.show({"state": SIMULATING, "tried": word.number, **_poses(simulation, seen)})
                simulation.step()
            stats = simulation.controller.stats()
            self._line.show({
                "state": SHOWN, "tried": word.number, **_poses(simulation, seen),
                "fell": simulation.time_fell_s is not None, "lost": simulation.lost is not None,
                **{name: stats.get(name) for name in ("strategy", "steps_taken")},
                "took_s": round(time.perf_counter() - began_s, 3), "worked_s": round(time.process_time() - worked_s, 3)})
        finally:
            simulation.close()


def _poses(simulation: Simulation, seen: list[np.ndarray]) -> dict[str, Any]:
    """Places of the root (N, 3), and its and the joints' orientations (N, S, 4), of generalised coordinates, as JSON."""
    qpos = np.array(seen)
    place, turn = root_pose(simulation.plant, qpos)
    turns = np.concatenate([turn[:, None], joint_quaternions(simulation.plant, qpos)], axis=1)
    return {"rate_hz": VIEW_HZ, "root_m": place.round(DIGITS).tolist(), "turns": turns.round(DIGITS).tolist()}

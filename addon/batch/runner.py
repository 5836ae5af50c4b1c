# SPDX-License-Identifier: GPL-3.0-or-later
"""Works a plan off: simulations on all workers, Blender one at a time, every step noted in the state. A stage that fails ends its
own shot and no other."""

from __future__ import annotations

import shutil
import time
import uuid
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any

from ..children.protocol import Done, Failed, Progress, Task
from ..errors import InputError, LopeError
from . import steps
from .made import WORK, clear_left_overs
from .plan import BAKE, RENDER, REPORT, RIG, SIMULATE, Plan, PlannedRig
from .schedule import Schedule, Unit, amount
from .shot_list import RIGS
from .state import DONE, KILLED, State
from .station import PATIENCE_S, Station
from .verdict import LIST, SHEET, cells, is_current, judge, sheet_key, sheet_step

BLENDER_TASKS = 20
"""Tasks after which Blender is started anew: it does not give all its memory back."""
LOOK_S = 0.5
"""How long the loop waits for a message before it looks round; a stop by the user is seen then at the latest."""

Tell = Callable[[dict[str, Any]], None]
Elsewhere = Callable[[SimpleQueue[Any]], Sequence[Any]]


@dataclass
class Running:
    unit: Unit
    step: steps.Step
    attempt: int
    heard_s: float = 0.0
    """When something was last heard of it, by the monotonic clock."""


class Runner:
    """Works off one plan. `tell` hears of every begin, progress and end as plain JSON values. Simulations are done by
    `workers` children, or by the stations that `elsewhere` makes for an inbox (addon/farm/dask_station.py). A stage of which
    nothing is heard for `patience_s` is ended and has failed."""

    def __init__(self, plan: Plan, state: State, workers: int, tell: Tell, elsewhere: Elsewhere | None = None,
                 patience_s: float = PATIENCE_S) -> None:
        self.plan, self.state, self.tell, self.patience_s = plan, state, tell, patience_s
        self.inbox: SimpleQueue[Any] = SimpleQueue()
        self.blender = Station(self.inbox, needs_blender=True)
        self.plain = (elsewhere(self.inbox) if elsewhere is not None else
                      [Station(self.inbox, needs_blender=False) for _ in range(workers)])
        self.workers = len(self.plain)
        self.running: dict[Station, Running] = {}
        self.ended = 0

    def run(self, redo: bool = False) -> None:
        """Do everything that is not done; with `redo` all of it anew. Raises LopeError where the state cannot be kept, and before
        anything is begun where a result would replace what Lope did not make."""
        self.state.recover()
        Schedule(self.plan, {} if redo else self.state.latest()).check_results(self.state.made)
        if redo:
            self._forget()
        self._clear(redo)
        for shot in self.plan.shots:
            if shot.problem is not None:
                self.tell({"event": "failed", "shot": shot.name, "stage": "plan", "sentence": shot.problem})
        self.schedule = Schedule(self.plan, self.state.latest())
        try:
            self._until_idle()
            if self.plan.list.sheet:
                self._begin_sheet()
                self._until_idle()
        finally:
            for station in [*self.plain, self.blender]:
                station.close()
            for running in self.running.values():
                self.state.fail(running.attempt, "the batch was stopped meanwhile", state=KILLED)

    def _until_idle(self) -> None:
        while True:
            while self._begin_one():
                pass
            if not self.running:
                break
            self._listen()

    def _begin_sheet(self) -> None:
        """Begin the sheet of all shots, unless there is one that shows just what it would show."""
        latest = self.state.latest()
        wanted = cells(self.plan, judge(self.plan, latest))
        key = sheet_key(self.plan, wanted)
        if not any(cell["pictures"] for cell in wanted) or is_current(latest.get((LIST, SHEET)), key, self.plan):
            return
        attempt = self.state.begin(LIST, SHEET, key)
        try:
            step = sheet_step(self.plan, wanted, uuid.uuid4().hex)
        except OSError as error:
            self.state.fail(attempt, f"The sheet's cells cannot be written: {error.strerror or error}.")
            return
        self.schedule.stages += 1
        self._give(self.blender, Running(Unit(LIST, None, deque([SHEET])), step, attempt))

    def _forget(self) -> None:
        units = {shot.name for shot in self.plan.shots} | set(self.plan.rigs)
        for (unit, _), attempt in self.state.latest().items():
            if unit in units and attempt.state == DONE:
                self.state.drop(attempt.id)

    def _clear(self, redo: bool) -> None:
        """Take away what a killed run left half done, but for pictures that a render goes on with."""
        for shot in self.plan.shots:
            clear_left_overs(shot.folder, None if redo or RENDER not in shot.keys else steps.pictures_folder(shot))
        clear_left_overs(self.plan.list.out / RIGS)
        clear_left_overs(self.plan.list.out)

    def _begin_one(self) -> bool:
        """Begin one stage that may; whether there was any."""
        if self.schedule.ready[REPORT]:
            self._report(self.schedule.ready[REPORT].popleft())
            return True
        rendering = any(running.step.stage == RENDER for running in self.running.values())
        unit = self.schedule.next(len(self.running), self.workers, not self.blender.idle, rendering)
        if unit is None:
            return False
        if unit.left[0] == RENDER:
            for station in self.plain:  # nothing is left to simulate: their memory goes to the render
                station.close()
        self._begin(unit)
        return True

    def _begin(self, unit: Unit) -> None:
        stage = unit.left[0]
        key = unit.planned.key if isinstance(unit.planned, PlannedRig) else unit.shot.keys[stage]
        attempt = self.state.begin(unit.name, stage, key)
        step = self._step(unit, stage, uuid.uuid4().hex)
        station = self.blender if stage in steps.BLENDER_STAGES else next(s for s in self.plain if s.idle)
        self._give(station, Running(unit, step, attempt))

    def _give(self, station: Station, running: Running) -> None:
        if station is self.blender and station.done >= BLENDER_TASKS:
            station.close()
        try:
            running.step.work.mkdir(parents=True, exist_ok=True)
            station.give(running.step.task)
        except OSError as error:
            folder = running.step.work.parent
            self._failed(running, f"The folder {folder} cannot be made: {error.strerror or error}.")
        except LopeError as error:
            self._failed(running, str(error))
        else:
            running.heard_s = time.monotonic()
            self.running[station] = running
            self.tell({"event": "begin", "shot": running.unit.name, "stage": running.step.stage})

    def _step(self, unit: Unit, stage: str, token: str) -> steps.Step:
        if isinstance(unit.planned, PlannedRig):
            return steps.rig_step(unit.planned, token)
        rig = self.schedule.rig_of(unit)
        if stage == SIMULATE:
            return steps.simulate_step(unit.shot, steps.shot_with_rig(unit.shot, rig), token)
        if rig is None:
            raise InputError(f"The rig of {unit.name} is not ready.")
        return (steps.bake_step if stage == BAKE else steps.render_step)(unit.shot, rig, token)

    def _listen(self) -> None:
        """Take in what a child says, if any says something within a while; end those that have been silent for too long."""
        with suppress(Empty):
            self._hear(*self.inbox.get(timeout=LOOK_S))
        for station, running in list(self.running.items()):
            if time.monotonic() - running.heard_s > self.patience_s:
                del self.running[station]
                sentence = station.give_up(self.patience_s)
                self._forget_words(station)
                self._failed(running, sentence)

    def _forget_words(self, station: Any) -> None:
        """Take what a station said last out of the inbox: it was about a task that is given up."""
        kept = []
        with suppress(Empty):
            while True:
                kept.append(self.inbox.get_nowait())
        for words in kept:
            if words[0] is not station:
                self.inbox.put(words)

    def _hear(self, station: Any, message: Any) -> None:
        running = self.running[station]
        running.heard_s = time.monotonic()
        if isinstance(message, Progress):
            self.tell({"event": "progress", "shot": running.unit.name, "stage": running.step.stage,
                       "share": round(message.share, 3), "text": message.text})
            return
        station.freed()
        del self.running[station]
        if isinstance(message, Done):
            self._done(running, message.report)
        elif isinstance(message, Failed):
            self._failed(running, message.text, message.detail)

    def _done(self, running: Running, report: dict[str, Any]) -> None:
        """A child has delivered: its outputs get their names, and the unit goes on."""
        unit, stage = running.unit, running.step.stage
        if unit.planned is not None:
            report["amount"] = amount(stage, unit.planned)
        if not self._placed(running, report):
            return
        self._passed(unit, stage)
        if stage == RIG:
            self.schedule.rig_known(unit.name, report)
            return
        if stage == SIMULATE:
            self.schedule.simulated[unit.name] = report
        if stage != SHEET:
            self.schedule.queue(unit)

    def _placed(self, running: Running, report: dict[str, Any]) -> bool:
        """Give outputs that are whole their names; whether that went well."""
        moves = running.step.moves
        try:
            self.state.made.check_free(target for _, target in moves)
        except InputError as error:  # somebody has put it there meanwhile
            self._failed(running, str(error))
            return False
        try:
            self.state.finish(running.attempt, report, moves)
        except OSError as error:
            self._failed(running, f"The results cannot be put in their place: {error}.")
            return False
        shutil.rmtree(running.step.work, ignore_errors=True)
        return True

    def _passed(self, unit: Unit, stage: str) -> None:
        unit.left.popleft()
        self.ended += 1
        self.tell({"event": "done", "shot": unit.name, "stage": stage, "ended": self.ended, "stages": self.schedule.stages})

    def _failed(self, running: Running, sentence: str, detail: str = "") -> None:
        """A stage came to nothing: the state keeps the sentence, what was half made goes."""
        shutil.rmtree(running.step.work, ignore_errors=True)
        unit, stage = running.unit, running.step.stage
        self.state.fail(running.attempt, sentence, detail)
        self.ended += len(unit.left)
        self.tell({"event": "failed", "shot": unit.name, "stage": stage, "sentence": sentence, "ended": self.ended,
                   "stages": self.schedule.stages})
        unit.left.clear()
        if stage == RIG:
            self.schedule.rig_known(unit.name, None)

    def _report(self, unit: Unit) -> None:
        planned, work = unit.shot, unit.shot.folder / f"{WORK}{uuid.uuid4().hex}"
        attempt = self.state.begin(unit.name, REPORT, planned.keys[REPORT])
        step = steps.Step(REPORT, Task(REPORT, {}, str(work)), work, [])
        running = Running(unit, step, attempt)
        try:
            shot = steps.shot_with_rig(planned, self.schedule.rig_of(unit))
            step.moves.extend(steps.write_report(planned, shot, self.schedule.simulated[unit.name], work))
        except OSError as error:
            self._failed(running, f"The report cannot be written: {error.strerror or error}.")
            return
        if not self._placed(running, {}):
            return
        self._passed(unit, REPORT)
        self.schedule.queue(unit)

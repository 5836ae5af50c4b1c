# SPDX-License-Identifier: GPL-3.0-or-later
"""A station of a batch (addon/batch/station.py) whose child is far away: it simulates on the workers of a Dask scheduler. Shot
and take travel by the scheduler, so the machines need no drive in common, except for clips and heightfields that a shot names:
those are read by the worker under the same path."""

from __future__ import annotations

import hashlib
import tempfile
import threading
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from ..batch.plan import SIMULATE
from ..batch.station import silent
from ..batch.steps import run
from ..children.protocol import Done, Failed, Message, Task
from ..errors import InputError, LopeError
from ..files import write_whole
from ..gaits.tuned_maps import tuning_file
from ..motions.library import GAITS_FOLDER
from ..specs.settings import named_file
from ..specs.shot import Shot
from .dask_pool import DaskPool

AHEAD = 2
"""Simulations asked for per worker: while one is done the next is on its way."""


class DaskStation:
    """Takes simulations one at a time; answers come to `inbox` as (station, Done or Failed), as from a local station."""

    def __init__(self, inbox: SimpleQueue[tuple[DaskStation, Message]], pool: DaskPool) -> None:
        self.inbox, self.done = inbox, 0
        self.task: Task | None = None
        self._pool = pool
        self._answer: Future | None = None
        self._lock = threading.Lock()

    @property
    def idle(self) -> bool:
        return self.task is None

    def give(self, task: Task) -> None:
        """Give it a simulation. Raises LopeError where the farm is lost."""
        answer = self._pool.submit(simulated, task, presets(gait_of(task)))
        self.task, self._answer = task, answer
        answer.add_done_callback(lambda done: self._answered(task, done))

    def freed(self) -> None:
        self.task = None
        self.done += 1

    def close(self) -> None:
        """Nothing to end: what has not been done goes with the pool, which belongs to the caller."""
        self.task = None

    def give_up(self, seconds: float) -> str:
        """Withdraw a simulation that was not answered for so long; gives the sentence about it. A worker that hangs goes on
        hanging: Dask ends none in the middle of its work."""
        with self._lock:
            self.task, answer = None, self._answer
        if answer is not None:
            self._pool.withdraw(answer)
        return silent(seconds, "its work was withdrawn from the Dask scheduler; restart a worker that still is at it")

    def _answered(self, task: Task, answer: Future) -> None:
        """Write the take that came back, and tell."""
        try:
            data, report = answer.result()
            write_whole(task.out, data, "take")
            message: Message = Done(task.out, report)
        except LopeError as error:
            message = Failed(str(error))
        except Exception as error:
            message = Failed(f"A fault in Lope on a Dask worker: {error!r}; please report it.")
        with self._lock:
            if task is self.task:  # else it was given up
                self.inbox.put((self, message))


def stations(pool: DaskPool, inbox: SimpleQueue[Any]) -> list[DaskStation]:
    return [DaskStation(inbox, pool) for _ in range(AHEAD * pool.workers)]


def gait_of(task: Task) -> str:
    return Shot.from_dict(task.shot).motion.name


def presets(gait: str) -> str:
    """A key of what this machine's own files say about a gait: its preset and its tuned maps."""
    digest = hashlib.sha256()
    for path in (named_file(GAITS_FOLDER, "gait", gait), tuning_file(gait)):
        digest.update(path.read_bytes() if path.is_file() else b"")
    return digest.hexdigest()


def simulated(task: Task, gait_files: str) -> tuple[bytes, dict[str, Any]]:
    """In a worker: the take's file and the report of a simulation. Raises LopeError."""
    gait = gait_of(task)
    if presets(gait) != gait_files:
        raise InputError(f"A Dask worker has another preset or other tuned maps of the gait {gait}; copy "
                         f"{tuning_file(gait)} there, or stop that worker.")
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "take.npz"
        report = run(replace(task, kind=SIMULATE, out=str(out)), lambda share, words: None)
        return out.read_bytes(), report

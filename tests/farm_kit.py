# SPDX-License-Identifier: GPL-3.0-or-later
"""A Dask farm on this machine: a scheduler and its workers, each a process; and work that ends the worker it is done by."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from lope.addon.children.protocol import Task
from lope.addon.farm.dask_station import simulated
from lope.addon.search.search import Evaluation
from tuning_kit import Bowl

DEATH = "LOPE_TEST_DEATH"
"""Names a file: the first worker that finds it absent makes it and dies."""
UP_S = 60.0
"""A busy machine may take long to start a Python; waiting ends as soon as it stands."""


def die_once() -> None:
    """End this process the hard way, unless one did so before."""
    path = os.environ.get(DEATH)
    if path:
        try:
            Path(path).touch(exist_ok=False)
        except FileExistsError:
            return
        os.kill(os.getpid(), signal.SIGKILL)


def hang_once(task: Task, gait_files: str) -> tuple[bytes, dict[str, Any]]:
    """What a worker does for a station, but that the first one hangs until the file "hung" is gone."""
    path = Path(os.environ[DEATH]).with_name("hung")
    try:
        path.touch(exist_ok=False)
    except FileExistsError:
        return simulated(task, gait_files)
    until = time.monotonic() + UP_S
    while path.exists() and time.monotonic() < until:
        time.sleep(0.05)
    raise TimeoutError("nobody waits for this answer")


@dataclass(frozen=True)
class MortalBowl(Bowl):
    """A bowl at whose questions after the first generation a worker dies, once."""

    def evaluate(self, x: np.ndarray, limit: float | None = None) -> Evaluation:
        found = super().evaluate(x, limit)
        if limit is not None:  # from the second generation on
            die_once()
        return found


class Farm:
    """A scheduler and `size` workers on loopback."""

    def __init__(self, folder: Path, size: int) -> None:
        self._folder, self._size, self.workers = folder, size, []
        self.death = folder / "dead"
        self.address = ""
        card = folder / "scheduler.json"
        self.scheduler = self._start("dask_scheduler", "--port", "0", "--scheduler-file", str(card))
        self._card = card

    def __enter__(self) -> Farm:
        self.ensure()
        return self

    def __exit__(self, *_) -> None:
        for process in [*self.workers, self.scheduler]:
            process.kill()
            process.wait()

    def ensure(self) -> None:
        """Replace workers that died, and wait until all are there."""
        from distributed import Client

        self.workers = [worker for worker in self.workers if worker.poll() is None]
        while len(self.workers) < self._size:
            self.workers.append(self.worker())
        with Client(scheduler_file=str(self._card), timeout=UP_S, set_as_default=False) as client:
            self.address = client.scheduler.address
            if self._size:
                client.wait_for_workers(self._size, timeout=UP_S)

    def worker(self, *python: str, **environment: str) -> subprocess.Popen:
        """One more worker, its Python started with options and more of an environment."""
        tests = os.pathsep.join([str(Path(__file__).parent), *os.environ.get("PYTHONPATH", "").split(os.pathsep)])
        own = {"PYTHONPATH": tests, DEATH: str(self.death), **environment}
        return self._start("dask_worker", "--no-nanny", "--nthreads", "1", "--death-timeout", "60", "--local-directory",
                           str(self._folder), "--scheduler-file", str(self._card), python=python, environment=own)

    def _start(self, name: str, *options: str, python=(), environment=None) -> subprocess.Popen:
        command = [sys.executable, *python, "-m", f"distributed.cli.{name}", "--host", "127.0.0.1", "--no-dashboard",
                   *options]
        with open(self._folder / f"{name}.log", "a", encoding="utf-8") as log:
            return subprocess.Popen(command, stdout=log, stderr=log, env={**os.environ, **(environment or {})})

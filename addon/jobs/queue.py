# SPDX-License-Identifier: GPL-3.0-or-later
"""Jobs in a row: one runs, the others wait their turn. `tick` moves things on and never waits."""

from __future__ import annotations

from ..errors import LopeError
from .job import FAILED, WAITING, Job

AT_ONCE = 1
"""Jobs that run at the same time: one keeps a processor busy, and Blender needs another."""


class JobQueue:
    """The jobs that have not ended, in the order they were asked for."""

    def __init__(self, at_once: int = AT_ONCE) -> None:
        self.jobs: list[Job] = []
        self._at_once = at_once

    @property
    def busy(self) -> bool:
        """Whether any job has not ended."""
        return bool(self.jobs)

    def add(self, job: Job) -> None:
        """Queue a job; it starts at the next tick at which a place is free."""
        self.jobs.append(job)

    def find(self, number: int) -> Job | None:
        """The job of that number, if it has not ended."""
        return next((job for job in self.jobs if job.number == number), None)

    def tick(self) -> tuple[list[Job], bool]:
        """Take in what came, start what can start; gives the jobs that ended and whether anything changed."""
        changed = False
        for job in self.jobs:
            changed |= job.poll()
        ended = [job for job in self.jobs if job.ended]
        self.jobs = [job for job in self.jobs if not job.ended]
        waiting = [job for job in self.jobs if job.state == WAITING]
        for job in waiting[:max(0, self._at_once - (len(self.jobs) - len(waiting)))]:
            changed = True
            try:
                job.start()
            except LopeError as error:
                job.state, job.error = FAILED, str(error)
        return ended, changed or bool(ended)

    def cancel(self) -> None:
        """Give every job up, the waiting ones first so that none of them starts."""
        for job in reversed(self.jobs):
            job.cancel()

    def close(self) -> list[Job]:
        """Cancel every job and wait until no process is left; gives them."""
        closed, self.jobs = self.jobs, []
        for job in closed:
            job.cancel()
        for job in closed:
            job.close()
        return closed

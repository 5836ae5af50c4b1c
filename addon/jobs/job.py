# SPDX-License-Identifier: GPL-3.0-or-later
"""One job: a child process that simulates or tunes, seen from Blender; jobs in a row; and a worker that stays, for small tasks.
Nothing here ever waits, but `close`."""

from __future__ import annotations

import contextlib
import itertools
import math
import time
from collections import deque
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Any

from ..children import child as launch
from ..children.child import Callback, Child, Ended
from ..children.protocol import FINISH, Done, Failed, Message, Progress, Task, View, Word, encode
from ..errors import LopeError

WAITING, RUNNING, STOPPING, DONE, CANCELLED, FAILED = "waiting", "running", "stopping", "done", "cancelled", "failed"
ENDED = (DONE, CANCELLED, FAILED)
LIVE = ("drive", "rehearse", "pressure_show", "plan", "traces", "under")
"""Kinds of tasks that the artist sits and waits for, as at the wheel."""
GRACE_S = 0.3
"""How long a cancelled worker may take to leave by itself before it is killed."""
LEAST_SHARE = 0.01
"""Below this share of the way nothing is said about the time left."""

_numbers = itertools.count(1)


STAYS = "--stays"
"""Word to a worker that there is time: while it has no task it gets ready for one."""


def worker_command(*words: str) -> list[str]:
    """The worker's command line. Raises JobError where Python or packages are not found."""
    return launch.command("addon.jobs.worker", words)


class Job:
    """A task on its way. `state`, `share` (0 to 1), `text`, `view`, `report`, `error`, `detail` are kept up to date by `poll`."""

    def __init__(self, task: Task, label: str = "", clock: Callable[[], float] = time.monotonic,
                 command: Callable[[], list[str]] = worker_command, worker: Worker | None = None) -> None:
        """It takes over the process of the `worker` that is ready, where that has nothing to do, else has one started."""
        self.number, self.task, self.label = next(_numbers), task, label
        self.state, self.share, self.text = WAITING, 0.0, "waiting"
        self.report: dict[str, Any] = {}
        self.error, self.detail = "", ""
        self.view: dict[str, Any] = {}
        """What there is to be seen of a task that shows itself; empty before anything is."""
        self._said = 0
        self._clock, self._command, self._worker = clock, command, worker
        self._began_s = self._share_at_s = self._stopped_s = 0.0
        self._started_s = clock()
        self._messages: SimpleQueue[tuple[float, Message | Ended]] = SimpleQueue()
        self._foreseen = self._finishing = False
        self._untried = False
        """Whether its process was there before, and has said nothing of the task yet."""
        self._child: Child | None = None

    @property
    def ended(self) -> bool:
        return self.state in ENDED

    @property
    def process_id(self) -> int | None:
        """The worker's process id, None before it has one."""
        return None if self._child is None else self._child.process_id

    def left_s(self) -> float | None:
        """Estimated time to the end [s]; None where nothing can be said: at the beginning, and while the share does not rise, as
        of who fell and gets up, or where another try has begun anew."""
        if self.state != RUNNING or self.share < LEAST_SHARE or not self._foreseen:
            return None
        return max((self._share_at_s - self._began_s) / self.share - (self._clock() - self._began_s), 0.0)

    def so_far_s(self) -> float:
        """How long it has been running [s]."""
        return self._clock() - self._started_s

    def start(self) -> None:
        """Have a process do the task. Raises JobError where its Python or packages are not found."""
        ready = None if self._worker is None else self._worker.give(self._heard)
        self._untried = ready is not None
        self._child = ready or Child(self._command(), self._heard).start()
        self.state, self.text, self._started_s = RUNNING, "starting", self._clock()
        self._child.say(encode(self.task))

    def poll(self) -> bool:
        """Take in what the worker has said since the last call; whether anything changed. Never waits."""
        if self.state == STOPPING and self._child is not None and self._clock() - self._stopped_s > GRACE_S:
            self._child.kill()
        changed = False
        with contextlib.suppress(Empty):
            while not self.ended:
                self._take_in(*self._messages.get_nowait())
                changed = True
        return changed

    def finish(self) -> None:
        """Ask for the best there is so far; the job then ends as `done`."""
        if self.state == RUNNING and self._child is not None and not self._finishing:
            self._finishing = True
            self._child.say(FINISH)

    def tell(self, kind: str, values: dict[str, Any] | None = None) -> int:
        """Say a word to a task that takes them; gives its number, 0 where it does not run."""
        if self.state != RUNNING or self._child is None:
            return 0
        self._said += 1
        self._child.say(encode(Word(kind, values or {}, self._said)))
        return self._said

    def cancel(self) -> None:
        """Give the job up. It ends within `GRACE_S` and a poll."""
        if self.state == WAITING:
            self.state, self.text = CANCELLED, "cancelled"
        elif self.state == RUNNING and self._child is not None:
            self.state, self.text, self._stopped_s = STOPPING, "stopping", self._clock()
            self._child.end_input()

    def close(self) -> None:
        self.cancel()
        if self._child is not None:
            self._child.close(GRACE_S)
        self.poll()

    def _heard(self, child: Child, message: Message | Ended) -> None:
        """In the child's thread: hand a message to `poll`, with the time it came. Once it has answered it may go."""
        self._messages.put((self._clock(), message))
        if isinstance(message, (Done, Failed)):
            child.end_input()

    def _take_in(self, at_s: float, message: Message | Ended) -> None:
        if isinstance(message, Ended) and self._untried and self.state == RUNNING:
            self._anew()
            return
        self._untried = False
        if isinstance(message, Progress):
            if message.share <= 0.0:
                self._began_s = at_s
            self._share_at_s, self._foreseen = at_s, message.share > self.share
            self.share, self.text = min(max(message.share, self.share), 1.0), message.text
        elif isinstance(message, View):
            self.view = message.values
        elif isinstance(message, Done) and self.state == RUNNING:
            self.report, self.share = message.report, 1.0
        elif isinstance(message, Failed):
            self.error, self.detail = message.text, message.detail
        elif isinstance(message, Ended):
            self._end(message.code, message.last_words)

    def _anew(self) -> None:
        """The process that was ready is gone, for no fault of the task's: have another one do it."""
        self._worker = None
        try:
            self.start()
        except LopeError as error:
            self.state, self.error = FAILED, str(error)

    def _end(self, code: int, last_words: str) -> None:
        if self.state == STOPPING:
            self.state, self.text = CANCELLED, "cancelled"
        elif self.report:
            self.state, self.text = DONE, "done"
        else:
            self.state, self.text = FAILED, "failed"
            self.error = self.error or _ended_by_itself(code)
            self.detail = self.detail or last_words


AT_ONCE = 1
"""Jobs that run at the same time: one keeps a processor busy, and Blender needs another."""


class JobQueue:
    """The jobs that have not ended, in the order they were asked for."""

    def __init__(self, at_once: int = AT_ONCE) -> None:
        self.jobs: list[Job] = []
        self._at_once = at_once

    @property
    def busy(self) -> bool:
        return bool(self.jobs)

    def add(self, job: Job) -> None:
        """Queue a job; it starts at the next tick at which a place is free."""
        self.jobs.append(job)

    def find(self, number: int) -> Job | None:
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


AGAIN_S = 10.0
"""A worker that nobody waits for is not started sooner than this after the last one: it may end at once each time."""


class Worker:
    """A worker that stays: it is started with its first task, or before, to be ready for it; does one after the other; may be
    given to a job; and after that, and after a sudden end, is replaced. No method but `close` waits for it."""

    def __init__(self, command: Callable[[], list[str]] = lambda: worker_command(STAYS),
                 clock: Callable[[], float] = time.monotonic) -> None:
        self._command, self._clock = command, clock
        self._child: Child | None = None
        self._over: Child | None = None
        self._warmed_s = -math.inf
        self._tasks: deque[Task] = deque()
        self._answers: SimpleQueue[tuple[Child | None, Done | Failed | Ended]] = SimpleQueue()

    def warm(self) -> None:
        """Have a process ready, that has loaded what a walk needs."""
        now = self._clock()
        if self._child_there() is not None or now - self._warmed_s < AGAIN_S:
            return
        self._warmed_s = now
        with contextlib.suppress(LopeError):  # whoever asks it for something is told
            self._start()

    def give(self, callback: Callback) -> Child | None:
        """The process, which from now on is the caller's; None where there is none, or it has something to do."""
        child = self._child_there()
        if child is None or self._tasks:
            return None
        self._child, self._warmed_s = None, -math.inf
        return child if child.hand_over(callback) else None

    def ask(self, task: Task) -> None:
        self._tasks.append(task)
        self._say(task)

    def answer(self) -> Done | Failed | None:
        """The answer to the first task that has none yet; None until it is there."""
        with contextlib.suppress(Empty):
            while True:
                child, message = self._answers.get_nowait()
                if not self._tasks or child not in (self._child, None):
                    continue  # it ended while it had nothing to do
                self._tasks.popleft()
                if not isinstance(message, Ended):
                    return message
                self._child = None
                for task in self._tasks:
                    self._say(task)
                return Failed(_ended_by_itself(message.code), message.last_words)
        return None

    def close(self) -> None:
        child, self._child = self._child, None
        self._tasks.clear()
        if child is not None:
            child.close(GRACE_S)

    def _say(self, task: Task) -> None:
        try:
            (self._child_there() or self._start()).say(encode(task))
        except LopeError as error:
            self._answers.put((None, Failed(str(error))))

    def _child_there(self) -> Child | None:
        """The process, unless it has ended."""
        return None if self._child is self._over else self._child

    def _start(self) -> Child:
        self._child = Child(self._command(), self._heard).start()
        return self._child

    def _heard(self, child: Child, message: Message | Ended) -> None:
        """In the child's thread: keep what answers a task."""
        if isinstance(message, Ended):
            self._over = child
        if isinstance(message, (Done, Failed, Ended)):
            self._answers.put((child, message))


def _ended_by_itself(code: int) -> str:
    how = f"signal {-code}" if code < 0 else f"exit code {code}"
    return (f"The simulation's process ended by itself ({how}) before it had a result; simulate "
            "again, and free some memory if it happens again.")

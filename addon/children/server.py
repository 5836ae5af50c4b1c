# SPDX-License-Identifier: GPL-3.0-or-later
"""The child's side: reads tasks from standard input, does them one by one, and leaves when the input ends. A thread listens to
standard input all the time. It ends when the task is given up or the process that asked is gone, however that went."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import sys
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any, BinaryIO

from ..errors import JobError, LopeError
from ..files import drop_unfinished
from .protocol import FINISH, MARK, WORD, Done, Failed, Message, Progress, Task, View, Word, decode, encode

LEFT = 3
"""Exit code of a child whose input ended in the middle of a task."""
TELL_S = 0.1
"""Progress is told no oftener than this."""



@dataclass(frozen=True)
class Line:
    """A task's line to whoever asked for it: `progress(share, words)` tells how far it is, `ended()` asks whether to finish
    early, `heard(seconds)` gives the words that came since, waiting so long for one, `show(values)` shows what it looks like;
    `waiting()` tells whether words, or a wish to finish, have come that nobody has heard yet."""

    progress: Callable[[float, str], None]
    ended: Callable[[], bool]
    heard: Callable[[float], list[Word]]
    show: Callable[[dict[str, Any]], None]
    waiting: Callable[[], bool]


PAUSE_S = 0.05
"""What its first task takes to come after a child's start: then there is none, and there is time to prepare."""

Run = Callable[[Task, Line], dict[str, Any]]
"""Does a task, given its line; gives a report or raises LopeError."""


class Inbox:
    """The tasks that come in, read by a thread of its own."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._tasks: SimpleQueue[bytes | None] = SimpleQueue()
        self._words: SimpleQueue[tuple[int, bytes]] = SimpleQueue()
        self._lock = threading.Lock()
        self._read = self._answered = self._to_finish = 0
        threading.Thread(target=self._listen, daemon=True).start()

    def next(self) -> Task | None:
        """The next task, as soon as it is there; None when there will be none. Raises JobError for a line that is none."""
        line = self._tasks.get()
        if line is None:
            return None
        task = decode(line)
        if not isinstance(task, Task):
            raise JobError(f"A task was expected, got {line[:80]!r}.")
        return task

    def empty(self) -> bool:
        """Whether no task waits."""
        return self._tasks.empty()

    def heard(self, seconds: float) -> list[Word]:
        """The words to the present task that came since the last call. Without any it waits so long for one, but not past a wish
        to finish. Raises JobError for a line that is none."""
        came = []
        with contextlib.suppress(Empty):
            came.append(self._words.get(seconds > 0.0, max(seconds, 0.0) or None))
            while True:
                came.append(self._words.get_nowait())
        words = (decode(line) for task, line in came if task > self._answered and line != FINISH)
        return [word for word in words if isinstance(word, Word)]

    def waiting(self) -> bool:
        """Whether something has come that `heard` would give, or be woken by."""
        return not self._words.empty()

    def answered(self) -> None:
        with self._lock:
            self._answered += 1

    def ended(self) -> bool:
        return self._to_finish > self._answered

    def _listen(self) -> None:
        """The thread. When the input ends in the middle of a task the process leaves on the spot, all unfinished; else it
        may end as it likes, and Blender take its temporary files away."""
        with contextlib.suppress(OSError, ValueError):
            for line in self._stream:
                if line == FINISH:
                    self._to_finish = self._read  # the task that came last before this
                    self._words.put((self._read, line))
                    continue
                if line.startswith(WORD):
                    self._words.put((self._read, line))
                    continue
                with self._lock:
                    self._read += 1
                self._tasks.put(line)
        with self._lock:
            if self._read > self._answered:
                self._leave()
        self._tasks.put(None)

    def _leave(self) -> None:
        """End this process and its children, and take half a result away."""
        for child in multiprocessing.active_children():
            child.kill()
        drop_unfinished()
        os._exit(LEFT)


def serve(run: Run, prepare: Callable[[], None] | None = None) -> None:
    """Do tasks until the input ends; as soon as none waits, `prepare` for the next."""
    say = _own_output()
    inbox = Inbox(sys.stdin.buffer)
    while True:
        if prepare is not None:
            time.sleep(PAUSE_S)
            if inbox.empty():
                prepare()
                prepare = None
        try:
            task = inbox.next()
            if task is None:
                return
            answer = _answer(task, run, say, inbox)
        except LopeError as error:  # the line was no task
            answer = Failed(str(error))
        inbox.answered()  # before that is said: whoever hears it may end the input
        say(answer)


def _answer(task: Task, run: Run, say: Callable[[Message], None], inbox: Inbox) -> Message:
    told_s = float("-inf")

    def progress(share: float, words: str) -> None:
        nonlocal told_s
        now = time.monotonic()
        if now - told_s >= TELL_S or share >= 1.0:
            told_s = now
            say(Progress(float(share), words))

    say(Progress(0.0, "starting"))
    try:
        line = Line(progress, inbox.ended, inbox.heard, lambda values: say(View(values)), inbox.waiting)
        return Done(task.out, run(task, line))
    except LopeError as error:
        return Failed(str(error))
    except Exception as error:  # a fault in Lope: the artist gets a sentence, the traceback goes along
        return Failed(f"The worker failed: {error!r}. This is a fault in Lope; please report it.", traceback.format_exc())


def _own_output() -> Callable[[Message], None]:
    """Standard output for messages alone: what engines and Blender print goes to standard error, and no process started
    later holds it open. It is never closed, so that its end is this process' end."""
    sys.stdout.flush()
    output = os.dup(1)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    lock = threading.Lock()

    def say(message: Message) -> None:
        line = MARK + encode(message)
        with lock:
            while line:
                line = line[os.write(output, line):]

    os.write(output, b"\n")  # whatever was printed before, messages begin a line
    return say

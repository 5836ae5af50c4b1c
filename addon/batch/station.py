# SPDX-License-Identifier: GPL-3.0-or-later
"""The child's side of a batch: reads tasks from standard input, does them one by one, and leaves when the input ends.

The input ends when the batch is gone, however it went: no child goes on for a batch that is no more.
"""

from __future__ import annotations

import os
import sys
import threading
import traceback
from queue import SimpleQueue
from typing import BinaryIO

from ..errors import LopeError
from ..children.protocol import Done, Failed, Message, Progress, Task, decode, encode
from .process import MARK
from .stage_work import run

LEFT = 3
"""Exit code of a child whose batch is gone."""
SHARE_STEP = 0.02
"""Progress is told in steps of that."""


class Inbox:
    """The tasks that come in, read by a thread of its own."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream, self._lines = stream, SimpleQueue()
        self._lock, self._open = threading.Lock(), 0
        threading.Thread(target=self._listen, daemon=True).start()

    def next(self) -> Task | None:
        """The next task, as soon as it is there; None when there will be none."""
        line = self._lines.get()
        return None if line is None else decode(line)

    def answered(self) -> None:
        """A task is done."""
        with self._lock:
            self._open -= 1

    def _listen(self) -> None:
        """The thread. When the input ends in the middle of a task the process leaves on the spot, all unfinished; else it
        may end as it likes, and Blender take its temporary files away."""
        try:
            for line in self._stream:
                with self._lock:
                    self._open += 1
                self._lines.put(line)
        finally:
            with self._lock:
                if self._open:
                    os._exit(LEFT)
            self._lines.put(None)


def serve() -> None:
    """Do tasks until the input ends."""
    inbox = Inbox(sys.stdin.buffer)
    while (task := inbox.next()) is not None:
        say(_answer(task))
        inbox.answered()


def _answer(task: Task) -> Message:
    """A task's result, or why there is none."""
    told = -1.0

    def progress(share: float, words: str) -> None:
        nonlocal told
        if share - told >= SHARE_STEP or share >= 1.0:
            told = share
            say(Progress(float(share), words))

    try:
        return Done(task.out, run(task, progress))
    except LopeError as error:
        return Failed(str(error))
    except Exception as error:  # a fault in Lope must not take the other shots along
        return Failed(f"A fault in Lope: {error!r}; please report it.", traceback.format_exc())


def say(message: Message) -> None:
    """One message on standard error, on a line of its own whatever was printed before; standard output may be anybody's."""
    sys.stderr.flush()
    line = b"\n" + MARK + encode(message)
    while line:
        line = line[os.write(2, line):]

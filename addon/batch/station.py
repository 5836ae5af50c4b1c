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

from ..errors import LopeError
from ..jobs.protocol import Done, Failed, Message, Progress, Task, decode, encode
from .process import MARK
from .work import run

LEFT = 3
"""Exit code of a child whose batch is gone."""
SHARE_STEP = 0.02
"""Progress is told in steps of that."""


def serve() -> None:
    """Do tasks until the input ends; never returns."""
    tasks: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_listen, args=(tasks,), daemon=True).start()
    while True:
        say(_answer(decode(tasks.get())))


def _listen(tasks: SimpleQueue[bytes]) -> None:
    """The thread: hand on the tasks; leave at once, with everything unfinished, when the input ends."""
    try:
        for line in sys.stdin.buffer:
            tasks.put(line)
    finally:
        os._exit(LEFT)


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

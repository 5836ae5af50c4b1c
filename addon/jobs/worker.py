# SPDX-License-Identifier: GPL-3.0-or-later
"""The worker: reads one task from standard input, does it, and ends. It never outlives the process that started it.

A thread listens to standard input all the time. When that ends, because the job was cancelled or because Blender is
gone, the whole process leaves on the spot.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import sys
import threading
import traceback
from pathlib import Path
from queue import SimpleQueue
from typing import BinaryIO

from ..errors import LopeError
from ..children.launch import NICENESS
from ..children.protocol import FINISH, Done, Failed, Message, Progress, Task, decode, encode

DONE, FAILED, LEFT = 0, 1, 3
"""Exit codes: the result is there; a `Failed` was said; the input ended."""


class Listener:
    """Listens to the input in a thread of its own."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._tasks: SimpleQueue[bytes] = SimpleQueue()
        self.finish = threading.Event()
        self.out: str | None = None
        threading.Thread(target=self._listen, daemon=True).start()

    def task(self) -> Task:
        """The task, as soon as it is there. Raises JobError for a line that is none."""
        task = decode(self._tasks.get())
        self.out = task.out
        return task

    def _listen(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            self._tasks.put(self._stream.readline())
            for line in self._stream:
                if line == FINISH:
                    self.finish.set()
        self._leave()

    def _leave(self) -> None:
        """End this process and its children, and take half a result away."""
        for child in multiprocessing.active_children():
            child.kill()
        if self.out is not None:
            with contextlib.suppress(OSError):
                Path(f"{self.out}.part").unlink(missing_ok=True)
        os._exit(LEFT)


def main() -> int:
    """Do the one task of standard input."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    listener = Listener(sys.stdin.buffer)
    with _own_output() as output:
        def say(message: Message) -> None:
            output.write(encode(message))
            output.flush()

        try:
            say(_work(listener, say))
            return DONE
        except LopeError as error:
            say(Failed(str(error)))
        except Exception as error:  # a fault in Lope: the artist gets a sentence, the traceback goes along
            say(Failed(f"The worker failed: {error!r}. This is a fault in Lope; please report it.", traceback.format_exc()))
    return FAILED


def _work(listener: Listener, say) -> Message:
    """The task's result; the engine side is imported only now, while listening."""
    task = listener.task()
    say(Progress(0.0, "starting"))
    from .tasks import run

    report = run(task, lambda share, text: say(Progress(float(share), text)), listener.finish.is_set)
    return Done(task.out, report)


@contextlib.contextmanager
def _own_output():
    """Standard output for messages alone: what engines print by themselves goes to standard error."""
    with os.fdopen(os.dup(1), "wb") as output:
        os.dup2(2, 1)
        sys.stdout = sys.stderr
        yield output

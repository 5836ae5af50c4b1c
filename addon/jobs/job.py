# SPDX-License-Identifier: GPL-3.0-or-later
"""One job: a worker's process seen from Blender. Nothing here ever waits for the worker, but `close`."""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Any

from ..errors import LopeError
from ..children import launch
from ..children.protocol import FINISH, Done, Failed, Progress, Task, decode, encode

WAITING, RUNNING, STOPPING, DONE, CANCELLED, FAILED = "waiting", "running", "stopping", "done", "cancelled", "failed"
ENDED = (DONE, CANCELLED, FAILED)
GRACE_S = 0.3
"""How long a cancelled worker may take to leave by itself before it is killed."""
LEAST_SHARE = 0.01
"""Below this share of the way nothing is said about the time left."""

_numbers = itertools.count(1)


class Job:
    """A task on its way. `state`, `share` (0 to 1), `text`, `report`, `error`, `detail` are kept up to date by `poll`.

    A thread of its own starts the process and reads it, so that neither a slow start nor a busy disk holds Blender up.
    """

    def __init__(self, task: Task, label: str = "", clock: Callable[[], float] = time.monotonic,
                 command: Callable[[], list[str]] = launch.command) -> None:
        self.number, self.task, self.label = next(_numbers), task, label
        self.state, self.share, self.text = WAITING, 0.0, "waiting"
        self.report: dict[str, Any] = {}
        self.error, self.detail = "", ""
        self._clock, self._command = clock, command
        self._began_s = self._share_at_s = self._stopped_s = 0.0
        self._messages: SimpleQueue[Any] = SimpleQueue()
        self._finishing = False
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    @property
    def ended(self) -> bool:
        """Whether nothing more will come."""
        return self.state in ENDED

    @property
    def process_id(self) -> int | None:
        """The worker's process id, None before it has one."""
        return None if self._process is None else self._process.pid

    def left_s(self) -> float | None:
        """Estimated time to the end [s]; None where nothing can be said yet."""
        if self.state != RUNNING or self.share < LEAST_SHARE:
            return None
        return max((self._share_at_s - self._began_s) / self.share - (self._clock() - self._began_s), 0.0)

    def start(self) -> None:
        """Start the worker. Raises JobError where its Python or packages are not found."""
        arguments = self._command()
        self.state, self.text = RUNNING, "starting"
        self._thread = threading.Thread(target=self._watch, args=(arguments,), name=f"lope job {self.number}", daemon=True)
        self._thread.start()

    def poll(self) -> bool:
        """Take in what the worker has said since the last call; whether anything changed. Never waits."""
        if self.state == STOPPING and self._clock() - self._stopped_s > GRACE_S:
            self._kill()
        changed = False
        with contextlib.suppress(Empty):
            while not self.ended:
                self._take_in(*self._messages.get_nowait())
                changed = True
        return changed

    def finish(self) -> None:
        """Ask for the best there is so far; the job then ends as `done`."""
        if self.state == RUNNING and not self._finishing:
            self._finishing = True
            self._tell(FINISH)

    def cancel(self) -> None:
        """Give the job up. It ends within `GRACE_S` and a poll."""
        if self.state == WAITING:
            self.state, self.text = CANCELLED, "cancelled"
        elif self.state == RUNNING:
            self.state, self.text, self._stopped_s = STOPPING, "stopping", self._clock()
            self._tell(None)

    def close(self) -> None:
        """Cancel, and wait until the process is gone."""
        self.cancel()
        if self._thread is not None:
            self._thread.join(GRACE_S)
            if self._thread.is_alive():
                self._kill()
                self._thread.join()
        self.poll()

    def _take_in(self, at_s: float, message: Any) -> None:
        """One message of the thread, and when it came: the worker's own, or its exit as (code, last words)."""
        if isinstance(message, Progress):
            if message.share <= 0.0:
                self._began_s = at_s
            self._share_at_s = at_s
            self.share, self.text = min(max(message.share, self.share), 1.0), message.text
        elif isinstance(message, Done) and self.state == RUNNING:
            self.report, self.share = message.report, 1.0
        elif isinstance(message, Failed):
            self.error, self.detail = message.text, message.detail
        elif isinstance(message, tuple):
            self._end(*message)

    def _end(self, code: int, last_words: str) -> None:
        """The process is gone."""
        if self.state == STOPPING:
            self.state, self.text = CANCELLED, "cancelled"
        elif self.report:
            self.state, self.text = DONE, "done"
        else:
            self.state, self.text = FAILED, "failed"
            how = f"signal {-code}" if code < 0 else f"exit code {code}"
            self.error = self.error or (f"The simulation's process ended by itself ({how}) before it had a result; simulate "
                                        "again, and free some memory if it happens again.")
            self.detail = self.detail or last_words

    def _tell(self, line: bytes | None) -> None:
        """Write a line to the worker; None ends its input, at which it leaves."""
        with self._lock, contextlib.suppress(OSError, ValueError):
            if self._process is None:
                return
            if line is None:
                self._process.stdin.close()
            else:
                self._process.stdin.write(line)
                self._process.stdin.flush()

    def _kill(self) -> None:
        """End the worker and everything it started."""
        with self._lock:
            if self._process is not None:
                _kill_group(self._process)

    def _watch(self, arguments: list[str]) -> None:
        """The thread: start the process, read it to its end, note its exit."""
        code, last_words = -1, ""
        try:
            with tempfile.TemporaryFile() as log:
                process = launch.start(arguments, log)
                with self._lock:
                    self._process = process
                    with contextlib.suppress(OSError):
                        process.stdin.write(encode(self.task))
                        process.stdin.flush()
                if self.state == STOPPING:  # cancelled while it started
                    self._tell(None)
                self._read(process)
                code = process.wait()
                self._tell(None)
                _kill_group(process)
                log.seek(0)
                last_words = log.read().decode(errors="replace")[-4000:]
        except OSError as error:
            self._put(Failed(f"The worker cannot be started: {error.strerror or error}."))
        finally:
            self._put((code, last_words))

    def _put(self, message: Any) -> None:
        """Hand a message to `poll`, with the time it came."""
        self._messages.put((self._clock(), message))

    def _read(self, process: subprocess.Popen[bytes]) -> None:
        """Pass the worker's messages on until its output ends."""
        with process.stdout as output:
            for line in output:
                try:
                    self._put(decode(line))
                except LopeError as error:
                    self._put(Failed(str(error)))


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill a worker and its children; nothing where they are gone."""
    with contextlib.suppress(OSError):
        if os.name == "nt":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)

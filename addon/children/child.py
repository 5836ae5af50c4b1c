# SPDX-License-Identifier: GPL-3.0-or-later
"""A child process, seen from the process that started it: it is told, heard and ended, and its end is told once.

Its process number belongs to it until it has been waited for; afterwards the system may give it to any other process. So
whatever it started is ended before that, and no signal is sent after.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from queue import SimpleQueue
from typing import IO

from ..errors import LopeError
from . import launch
from .protocol import MARK, Failed, Message, decode

LAST_LINES, LAST_BYTES = 40, 4000
"""How much is kept of what a child printed besides messages, to explain its end."""


@dataclass(frozen=True)
class Ended:
    """The child is gone: its exit code (negative: the signal that ended it) and the last of what it printed."""

    code: int
    last_words: str = ""


class Child:
    """A process that is started at once, in a thread, so that neither a slow start nor a busy disk holds the caller up.

    `callback(child, message)` is called in that thread with what the child says: Progress, Done, Failed; at last once Ended.
    No method but `close` waits for the child.
    """

    def __init__(
        self, command: Sequence[str], callback: Callable[[Child, Message | Ended], None], *, behind: bool = False
    ) -> None:
        self._command, self._callback, self._behind = list(command), callback, behind
        self._lines: SimpleQueue[bytes | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._killed = self._gone = False
        self._log: IO[bytes] | None = None
        self._thread = threading.Thread(target=self._live, name="lope child", daemon=True)

    def start(self) -> Child:
        """Start it; gives itself."""
        self._thread.start()
        return self

    @property
    def process_id(self) -> int | None:
        """Its process id, None before it has one."""
        return None if self._process is None else self._process.pid

    def say(self, line: bytes) -> None:
        """Send it a line; one that is still being started gets it as soon as it is there."""
        self._lines.put(line)

    def end_input(self) -> None:
        """End its input, at which it leaves."""
        self._lines.put(None)

    def forget_chatter(self) -> None:
        """What it printed until now is of no more use."""
        log = self._log
        with contextlib.suppress(OSError, ValueError):  # it is closed already
            if log is not None:
                log.seek(0)
                log.truncate()

    def kill(self) -> None:
        """End it and everything it started; nothing where it is gone."""
        with self._lock:
            self._killed = True
            if self._process is not None and not self._gone:
                _kill_group(self._process)

    def close(self, grace_s: float) -> None:
        """End its input, end it by force when it has not left after a while, and wait until it is gone."""
        self.end_input()
        self._thread.join(grace_s)
        if self._thread.is_alive():
            self.kill()
            self._thread.join()

    def _live(self) -> None:
        """The thread: start the process, read it to its end, tell of that."""
        end = Ended(-1)
        try:
            with tempfile.TemporaryFile() as self._log:
                process = self._start(self._log)
                threading.Thread(target=self._write, args=(process,), daemon=True).start()
                chatter = self._read(process)
                code = self._bury(process)
                self._log.seek(max(self._log.seek(0, os.SEEK_END) - LAST_BYTES, 0))
                said = self._log.read().decode(errors="replace")
                end = Ended(code, "\n".join([*chatter, said])[-LAST_BYTES:].strip())
        except OSError as error:
            self._callback(self, Failed(f"The worker cannot be started: {error.strerror or error}."))
        finally:
            self.end_input()
            self._callback(self, end)

    def _start(self, log: IO[bytes]) -> subprocess.Popen[bytes]:
        """The process; killed at once where that was asked for meanwhile."""
        process = launch.start(self._command, log, self._behind)
        with self._lock:
            self._process = process
            if self._killed:
                _kill_group(process)
        return process

    def _write(self, process: subprocess.Popen[bytes]) -> None:
        """A second thread: pass lines on to its input until that is to end. Only this one may wait for a child that does not
        read."""
        words = _pipe(process.stdin)
        with contextlib.suppress(OSError):  # it is gone, and `_read` sees that
            while (line := self._lines.get()) is not None:
                words.write(line)
                words.flush()
        with contextlib.suppress(OSError):
            words.close()

    def _read(self, process: subprocess.Popen[bytes]) -> list[str]:
        """Pass its messages on until its output ends, which is when it has gone; gives the last of its other lines."""
        chatter: deque[str] = deque(maxlen=LAST_LINES)
        with _pipe(process.stdout) as output:
            for line in output:
                if not line.startswith(MARK):
                    chatter.append(line.decode(errors="replace").rstrip())
                    continue
                try:
                    self._callback(self, decode(line[len(MARK):]))
                except LopeError as error:
                    if line.endswith(b"\n"):  # else it was cut short by the child's end, which is told anyway
                        self._callback(self, Failed(str(error)))
        return list(chatter)

    def _bury(self, process: subprocess.Popen[bytes]) -> int:
        """End what it has left behind while its number is still its own, and wait for it; gives its exit code."""
        with self._lock:
            _kill_group(process)
            self._gone = True
        return process.wait()


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill a child that was not waited for yet, and its own children. Windows lets only itself be ended."""
    with contextlib.suppress(OSError):
        if os.name == "nt":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    """A pipe of a child that `launch` has started, which makes both."""
    assert stream is not None
    return stream

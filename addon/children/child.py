# SPDX-License-Identifier: GPL-3.0-or-later
"""A child process, seen from the process that started it: it is told, heard and ended, and its end is told once. Its process
number belongs to it until it has been waited for; afterwards the system may give it to any other process. So whatever it started
is ended before that, and no signal is sent after. And how it is started, apart from Blender's own signals."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import IO, Any

from ..errors import JobError, LopeError
from .bootstrap import WORDS
from .protocol import MARK, Failed, Message, decode

PACKAGE = Path(__file__).resolve().parents[2]
"""Folder of Lope's package."""
NEEDED = ("numpy", "scipy", "mujoco", "daqp", "quadprog")
WELCOME = ("pybullet", "cma")
"""Packages that a child uses where they are installed."""


def interpreter() -> str:
    """Path of this process' Python; in Blender, the Python that Blender carries. Raises JobError where there is none."""
    if Path(sys.executable or "").stem.lower().startswith("python"):
        return sys.executable
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    folder = Path(sys.prefix) / ("" if os.name == "nt" else "bin")
    for name in (f"python{version}", "python3", "python", "python.exe"):
        if (folder / name).is_file():
            return str(folder / name)
    raise JobError(f"Blender's own Python was not found in {folder}; reinstall Blender.")


def package_folders() -> list[str]:
    """Folders that hold the packages Lope needs, found without importing them. Raises JobError naming those that lack."""
    specs = {name: importlib.util.find_spec(name) for name in (*NEEDED, *WELCOME)}
    missing = [name for name in NEEDED if specs[name] is None]
    if missing:
        raise JobError(f"This Blender's Python has no package {', '.join(missing)}, which Lope's zip brings for Blender 4.5 "
                       "and 5.2; install the zip made for this platform.")
    found = [spec for spec in specs.values() if spec is not None]
    places = [Path(next(iter(spec.submodule_search_locations))).parent if spec.submodule_search_locations
              else Path(str(spec.origin)).parent for spec in found]
    return list(dict.fromkeys(map(str, places)))


def command(module: str, words: Sequence[str] = (), also: Sequence[str] = ()) -> list[str]:
    """The command line that runs `main(words)` of a module of Lope's, such as "addon.cli", in a Python without Blender's window,
    from inside Blender or any other Python; `also` are more folders of packages. Raises JobError where Python or packages are not
    found."""
    bootstrap = str(Path(__file__).with_name("bootstrap.py"))
    return [interpreter(), "-I", bootstrap, str(PACKAGE), *package_folders(), *also, WORDS, module, *words]


def verb_command(words: Sequence[str]) -> list[str]:
    """The command line that runs `lope WORDS`. Raises JobError where Python or packages are not found."""
    return command("addon.cli", words)


environment: dict[str, str] = {}
"""Variables that children get besides this process' own; see `specs.settings.TUNED_FOLDER`."""


def start(arguments: Sequence[str], log: IO[bytes]) -> subprocess.Popen[bytes]:
    """Start a child, its standard error going to `log`. It leads a group of its own, so that its children end with it."""
    apart: dict[str, Any] = {"start_new_session": True}
    if sys.platform == "win32":
        apart = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW}
    return subprocess.Popen(arguments, env={**os.environ, **environment}, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                            stderr=log, **apart)


LAST_LINES, LAST_BYTES = 40, 4000
"""How much is kept of what a child printed besides messages, to explain its end."""


@dataclass(frozen=True)
class Ended:
    """The child is gone: its exit code (negative: the signal that ended it) and the last of what it printed."""

    code: int
    last_words: str = ""


Callback = Callable[["Child", Message | Ended], None]


class Child:
    """A process that is started at once, in a thread, so that neither a slow start nor a busy disk holds the caller up.
    `callback(child, message)` is called in that thread with what the child says: Progress, Done, Failed; at last once Ended. No
    method but `close` waits for the child."""

    def __init__(self, command: Sequence[str], callback: Callback) -> None:
        self._command, self._callback = list(command), callback
        self._lines: SimpleQueue[bytes | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._killed = self._gone = self._over = False
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

    def hand_over(self, callback: Callback) -> bool:
        """Let somebody else hear it from now on; whether it is still there."""
        self.forget_chatter()
        with self._lock:
            if not self._over:
                self._callback = callback
            return not self._over

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
            with self._lock:
                self._over = True
            self._callback(self, end)

    def _start(self, log: IO[bytes]) -> subprocess.Popen[bytes]:
        """The process; killed at once where that was asked for meanwhile."""
        process = start(self._command, log)
        with self._lock:
            self._process = process
            if self._killed:
                _kill_group(process)
        return process

    def _write(self, process: subprocess.Popen[bytes]) -> None:
        """A second thread: pass lines on to its input until that is to end. Only this may wait for a child that does not read."""
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

# SPDX-License-Identifier: GPL-3.0-or-later
"""Child processes of a batch: how Lope's verbs are started where it runs; a child that takes one task after the other."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import signal
import subprocess
import sys
import threading
from collections import deque
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from ..errors import InputError, JobError, LopeError
from ..children import launch
from ..children.protocol import Failed, Message, Task, decode, encode

BLENDER = "BLENDER"
"""Environment variable: the Blender, with Lope's extension installed, that does what needs Blender."""
MARK = b"\x1e"
"""What a message begins with (ASCII's record separator): everything else that a child prints is chatter."""
GRACE_S = 3.0
"""How long an idle child may take to end by itself, as Blender wants to, which takes its temporary files away."""
LAST_WORDS = 40
"""Lines of chatter that are kept, to explain a child's end."""


def verb_command(verb: str, arguments: list[str], needs_blender: bool) -> list[str]:
    """The command line of one of Lope's verbs in a process of its own.

    Without Blender: the Python that runs Lope, or the one that Blender carries. With Blender: a Blender without a window
    where Lope runs in one; the bpy module where this Python has it; or else the program that the variable BLENDER names.
    Raises InputError where there is no Blender, JobError where packages are missing.
    """
    words = [verb, *arguments]
    if not needs_blender:
        return launch.verb_command(words)
    program = _blender_program()
    if program is not None:
        return [program, "--background", "--command", "lope", *words]
    module = importlib.util.find_spec("bpy")
    if module is None:
        raise InputError("This needs Blender: run Lope in a Python with the bpy module (scripts/setup makes one), or in "
                         f"Blender, or name a Blender that has Lope's extension with {BLENDER}=/path/to/blender.")
    return [*launch.command(), str(Path(module.origin).parents[1]), launch.WORDS, *words]


def _blender_program() -> str | None:
    """The Blender to start: the one that this is, or the one that the environment names; None for the bpy module."""
    running = sys.modules.get("bpy")
    if running is not None and running.app.binary_path:
        return running.app.binary_path
    return os.environ.get(BLENDER) or None


class Station:
    """A child process that does one task after the other; it is started with the first and never outlives this process.

    What it says comes to `inbox` as (station, message): Progress, then Done or Failed. A child that ends by itself has its
    task answered with a Failed; one that ends without a task says nothing.
    """

    def __init__(self, inbox: SimpleQueue[tuple[Station, Message]], *, needs_blender: bool) -> None:
        self.inbox, self.needs_blender = inbox, needs_blender
        self.task: Task | None = None
        self.done = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()

    @property
    def idle(self) -> bool:
        """Whether it has no task."""
        return self.task is None

    def give(self, task: Task) -> None:
        """Give it a task. Raises LopeError where no child can be started."""
        with self._lock:
            if self._process is None or self._process.poll() is not None:
                self._start()
            self.task = task
        with contextlib.suppress(OSError):  # a child that is gone answers with its end
            self._process.stdin.write(encode(task))
            self._process.stdin.flush()

    def _start(self) -> None:
        command = verb_command("batch", ["--station"], self.needs_blender)
        apart: dict[str, Any] = {"start_new_session": True}
        if os.name == "nt":
            apart = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW}
        try:
            process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                       env={**os.environ, **launch.environment}, **apart)
        except OSError as error:
            raise JobError(f"The program {command[0]} cannot be started: {error.strerror or error}.") from error
        self._process, self.done = process, 0
        threading.Thread(target=self._listen, args=(process,), daemon=True).start()

    def _listen(self, process: subprocess.Popen[bytes]) -> None:
        """The thread: pass messages on, keep the chatter's end, and tell of the child's end."""
        chatter: deque[str] = deque(maxlen=LAST_WORDS)
        for line in process.stdout:
            if not line.startswith(MARK):
                chatter.append(line.decode(errors="replace").rstrip())
                continue
            with contextlib.suppress(LopeError):  # a line cut short by the child's end: the end itself is told below
                self._pass_on(process, decode(line[len(MARK):]))
        self._pass_on(process, Failed(_last_words(process.wait(), chatter), "\n".join(chatter)))

    def _pass_on(self, process: subprocess.Popen[bytes], message: Message) -> None:
        """Hand on what a child says about the present task; not what an earlier child or one without a task says."""
        with self._lock:
            if process is self._process and self.task is not None:
                self.inbox.put((self, message))

    def freed(self) -> None:
        """Its task is answered."""
        self.task = None
        self.done += 1

    def close(self) -> None:
        """End the child and everything it started; one without a task may end by itself."""
        with self._lock:
            process, self._process, idle, self.task = self._process, None, self.idle, None
        if process is None:
            return
        if idle:
            with contextlib.suppress(OSError, subprocess.TimeoutExpired):
                process.stdin.close()
                process.wait(GRACE_S)
        with contextlib.suppress(OSError):
            if os.name == "nt":
                process.kill()
            else:
                os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        with contextlib.suppress(OSError):
            process.stdin.close()


def _last_words(code: int, chatter: deque[str]) -> str:
    """Why a child ended by itself: what it said as Lope, or else its exit code and its last line."""
    said = [line for line in chatter if line.strip()]
    own = next((line.removeprefix("lope: ") for line in reversed(said) if line.startswith("lope: ")), None)
    if own is not None:
        return own
    if code < 0:
        return (f"The process that did this ended by itself (signal {-code}): out of memory, or a fault in a compiled library. "
                "Run the list again, with fewer --workers if it was memory.")
    return f"The process that did this ended by itself (exit code {code}). Its last words: {said[-1] if said else 'none'}"

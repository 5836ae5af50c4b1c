# SPDX-License-Identifier: GPL-3.0-or-later
"""A station of a batch: a child process that does one stage after the other, in a Python without Blender or in Blender."""

from __future__ import annotations

import importlib.util
import os
import sys
import threading
from pathlib import Path
from queue import SimpleQueue

from ..children import child as launch
from ..children.child import Child, Ended
from ..children.protocol import Done, Failed, Message, Task, encode
from ..errors import InputError, LopeError

BLENDER = "BLENDER"
"""Environment variable: the Blender, with Lope's extension installed, that does what needs Blender."""
MODULE = "addon.commands.station_child"
"""What the child runs; it stands above this room, and is loaded by its name."""
STATION = "--station"
"""The word at which `blender --command lope` does the same (`operators/command_line.py`)."""
GRACE_S = 3.0
"""How long an idle child may take to end by itself, as Blender wants to, which takes its temporary files away."""
PATIENCE_S = 3600.0
"""How long a stage may tell nothing: simulations tell every tenth of a second, renders after each picture."""


def station_command(needs_blender: bool) -> list[str]:
    """The command line of a station's process. Without Blender: the Python that runs Lope, or the one that Blender carries. With
    Blender: a Blender without a window where Lope runs in one; the bpy module where this Python has it; or else the program that
    the variable BLENDER names. Raises InputError where there is no Blender, JobError where packages are missing."""
    if not needs_blender:
        return launch.command(MODULE)
    program = _blender_program()
    if program is not None:
        return [program, "--background", "--command", "lope", STATION]
    module = importlib.util.find_spec("bpy")
    if module is None or module.origin is None:
        raise InputError("This needs Blender: run Lope in a Python with the bpy module (scripts/setup makes one), or in "
                         f"Blender, or name a Blender that has Lope's extension with {BLENDER}=/path/to/blender.")
    return launch.command(MODULE, also=[str(Path(module.origin).parents[1])])


def _blender_program() -> str | None:
    """The Blender to start: the one that this is, or the one that the environment names; None for the bpy module."""
    running = sys.modules.get("bpy")
    if running is not None and running.app.binary_path:
        return running.app.binary_path
    return os.environ.get(BLENDER) or None


class Station:
    """Does one task after the other in a child process, which is started with the first and never outlives this process. Every
    task is answered once: what the child says comes to `inbox` as (station, message), Progress, then Done or Failed. A child that
    ends in the middle of a task has it answered with a Failed; one that ends between two tasks is replaced."""

    def __init__(self, inbox: SimpleQueue[tuple[Station, Message]], *, needs_blender: bool) -> None:
        self.inbox, self.needs_blender = inbox, needs_blender
        self.task: Task | None = None
        self.done = 0
        self._child: Child | None = None
        self._waiting = self._begun = False
        self._lock = threading.RLock()

    @property
    def idle(self) -> bool:
        return self.task is None

    def give(self, task: Task) -> None:
        """Give it a task. Raises LopeError where no child can be started."""
        with self._lock:
            child = self._child or self._start()
            self.task, self._waiting, self._begun = task, True, False
            child.forget_chatter()
            child.say(encode(task))

    def freed(self) -> None:
        self.task = None
        self.done += 1

    def close(self) -> None:
        """End the child and everything it started; one without a task may end by itself."""
        with self._lock:
            child, self._child, busy = self._child, None, self._waiting
            self.task, self._waiting = None, False
        if child is not None:
            child.close(0.0 if busy else GRACE_S)

    def give_up(self, seconds: float) -> str:
        """End a child that has told nothing for so long; gives the sentence about it."""
        self.close()
        return silent(seconds)

    def _start(self) -> Child:
        """A child that has done nothing yet. Raises LopeError."""
        self._child, self.done = Child(station_command(self.needs_blender), self._heard), 0
        return self._child.start()

    def _heard(self, child: Child, message: Message | Ended) -> None:
        """In a child's thread: pass on what it says about the present task; not what comes of an earlier child or task."""
        with self._lock:
            if child is not self._child:
                return
            told: Message | None
            if isinstance(message, Ended):
                self._child = None
                told = self._after(message)
            else:
                told = message
            if told is None or not self._waiting:
                return
            self._begun = True
            self._waiting = not isinstance(told, (Done, Failed))
        self.inbox.put((self, told))

    def _after(self, end: Ended) -> Failed | None:
        """What a child's end means for the present task: one that had ended before it could begin has another take its place."""
        if self.task is not None and self._waiting and not self._begun and self.done:
            try:
                self._start().say(encode(self.task))
            except LopeError as error:
                return Failed(str(error))
            return None
        return Failed(_why(end), end.last_words)


def silent(seconds: float, done: str = "its process was ended") -> str:
    """The sentence for a stage that has told nothing for so long."""
    minutes = seconds / 60.0
    return (f"Nothing was heard of this stage for {minutes:.3g} min, so {done}. Run the list again, with more --patience if it "
            "only needs longer.")


def _why(end: Ended) -> str:
    """Why a child ended by itself: what it said as Lope, or else its exit code and its last line."""
    said = [line for line in end.last_words.splitlines() if line.strip()]
    own = next((line.removeprefix("lope: ") for line in reversed(said) if line.startswith("lope: ")), None)
    if own is not None:
        return own
    if end.code < 0:
        return (f"The process that did this ended by itself (signal {-end.code}): out of memory, or a fault in a compiled "
                "library. Run the list again, with fewer --workers if it was memory.")
    return f"The process that did this ended by itself (exit code {end.code}). Its last words: {said[-1] if said else 'none'}"

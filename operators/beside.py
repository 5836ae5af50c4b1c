# SPDX-License-Identifier: GPL-3.0-or-later
"""What is worked out beside Blender for what it shows: in a process that stays, taken in by a timer.

Never in a thread: an operator of Blender's that is called from Python lets go of Python's lock, and in a context that is
overridden takes the lock of whichever thread runs Python for its own (`PyC_IsInterpreterActive`, Blender 4.5): it crashes, though
the thread touches nothing of Blender's. Without a window nobody waits, and `tick` works it out by itself.
"""

from __future__ import annotations

import sys
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import bpy

from ..addon.children.protocol import Done, Failed, Task
from ..addon.errors import LopeError
from ..addon.jobs.job import Worker

LOOK_S = 0.03

worker = Worker()
here = bpy.app.background
"""Whether all is worked out in this process."""
_asked: list[Asked] = []


@dataclass(eq=False)
class Asked:
    """A task, what it `found` or the `error` in a sentence once it is `done`, and who is told then."""

    task: Task
    told: Callable[[Asked], None]
    found: Any = field(default=None, init=False)
    error: str = field(default="", init=False)
    done: bool = field(default=False, init=False)


def warm() -> None:
    """Have the process ready before anything is asked for: a job may take it over, too."""
    if not here:
        worker.warm()


def ask(kind: str, told: Callable[[Asked], None], options: dict[str, Any], shot: dict[str, Any] | None = None) -> Asked:
    """Have a task of `jobs.beside` done; `told` is called by the timer when it is."""
    out = Path(bpy.app.tempdir) / f"lope_found_{uuid.uuid4().hex}.npz"
    one = Asked(Task(kind, shot or {}, str(out), options), told)
    _asked.append(one)
    if not here:
        worker.ask(one.task)
        if not bpy.app.timers.is_registered(tick):
            bpy.app.timers.register(tick, first_interval=LOOK_S)
    return one


def tick() -> float | None:
    """The timer: take in what was answered."""
    answer = _done_here(_asked[0].task) if here and _asked else worker.answer()
    if answer is not None and _asked:
        _take_in(_asked.pop(0), answer)
    return LOOK_S if _asked else None


def wait(one: Asked) -> None:
    """Take in answers until this one is among them."""
    while not one.done:
        tick()


def close() -> None:
    """Forget what was asked for, and end the process."""
    _asked.clear()
    worker.close()
    if bpy.app.timers.is_registered(tick):
        bpy.app.timers.unregister(tick)


def _done_here(task: Task) -> Done | Failed:
    from ..addon.jobs.beside import TASKS

    try:
        return Done(task.out, TASKS[task.kind](task))
    except (LopeError, ModuleNotFoundError) as error:
        return Failed(str(error))


def _take_in(one: Asked, answer: Done | Failed) -> None:
    from ..addon.jobs.beside import read_found

    if isinstance(answer, Done):
        try:
            one.found = read_found(answer.path)
        except LopeError as error:
            answer = Failed(str(error))
        Path(one.task.out).unlink(missing_ok=True)
    if isinstance(answer, Failed):
        one.error = answer.text
        if answer.detail:
            print(answer.detail, file=sys.stderr)
    one.done = True
    one.told(one)

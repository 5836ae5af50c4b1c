# SPDX-License-Identifier: GPL-3.0-or-later
"""What a job's process runs: it does its task for the artist who works in Blender meanwhile, and lets that go first."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Sequence
from typing import Any

from ..children.protocol import Task
from ..children.server import Line, serve
from .job import LIVE, STAYS

NICENESS = 5
"""How far the worker steps back behind Blender on the processor (POSIX)."""


def main(words: Sequence[str] = ()) -> int:
    serve(_run, _prepare if STAYS in words else None)
    return 0


def _run(task: Task, line: Line) -> dict[str, Any]:
    """Do a task; the engine side is imported only now. One at whose wheel the artist sits steps back behind nothing."""
    if task.kind not in LIVE:
        _step_back()
    from .tasks import run

    return run(task, line)


def _prepare() -> None:
    """Have everything loaded that a walk needs. What goes wrong, the task itself will tell."""
    with contextlib.suppress(Exception):
        from ..sim.simulation import Simulation
        from ..specs.shot import Shot
        from . import tasks  # noqa: F401

        simulation = Simulation(Shot())
        simulation.step()
        simulation.close()


def _step_back() -> None:
    """Let Blender go first on the processor."""
    if sys.platform == "win32":
        import ctypes
        import subprocess

        ctypes.windll.kernel32.SetPriorityClass(ctypes.c_void_p(-1), subprocess.BELOW_NORMAL_PRIORITY_CLASS)  # -1: this process
    else:
        os.nice(NICENESS)

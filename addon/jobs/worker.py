# SPDX-License-Identifier: GPL-3.0-or-later
"""What a job's process runs: it does its task for the artist who works in Blender meanwhile, and lets that go first."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

from ..children.protocol import Task
from ..children.server import serve

NICENESS = 5
"""How far the worker steps back behind Blender on the processor (POSIX)."""


def main(words: Sequence[str] = ()) -> int:
    """Do tasks until standard input ends."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    serve(_run)
    return 0


def _run(task: Task, progress: Callable[[float, str], None], ended: Callable[[], bool]) -> dict[str, Any]:
    """Do a task; the engine side is imported only now, while listening."""
    from .tasks import run

    return run(task, progress, ended)

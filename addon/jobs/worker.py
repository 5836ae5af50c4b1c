# SPDX-License-Identifier: GPL-3.0-or-later
"""What a job's process runs: it does its task for the artist who works in Blender meanwhile, and lets that go first."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from ..children.protocol import Task
from ..children.server import Line, serve
from .job import LIVE

NICENESS = 5
"""How far the worker steps back behind Blender on the processor (POSIX)."""


def main(words: Sequence[str] = ()) -> int:
    serve(_run)
    return 0


def _run(task: Task, line: Line) -> dict[str, Any]:
    """Do a task; the engine side is imported only now, while listening. One at whose wheel the artist sits steps back behind
    nothing."""
    if hasattr(os, "nice") and task.kind not in LIVE:
        os.nice(NICENESS)
    from .tasks import run

    return run(task, line)

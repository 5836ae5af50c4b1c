# SPDX-License-Identifier: GPL-3.0-or-later
"""What the worker can do. Each task writes its result to `Task.out` and reports on it in plain JSON values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import unknown_name
from ..reports.measures import measure
from ..shot import Shot
from ..simulate import simulate
from ..take import Take
from .protocol import Task

Progress = Callable[[float, str], None]
Ended = Callable[[], bool]
"""Tells whether the artist wants the best there is by now."""


def run(task: Task, progress: Progress, ended: Ended) -> dict[str, Any]:
    """Do a task; gives its report. Raises LopeError for what cannot be done, with one sentence for the artist."""
    if task.kind not in TASKS:
        raise unknown_name("task", task.kind, TASKS)
    return TASKS[task.kind](task, progress, ended)


def simulate_shot(task: Task, progress: Progress, ended: Ended) -> dict[str, Any]:
    """Simulate the shot and write the take. Ended early, the take holds what was simulated until then."""
    take = simulate(Shot.from_dict(task.shot), progress=progress, cancelled=ended)
    take.save(task.out)
    return take_report(take)


def take_report(take: Take) -> dict[str, Any]:
    """The measures of a take, and `walked_m`, the way from start to end, and `early`, whether it ended before the shot."""
    walked = float(np.linalg.norm(take.com_m[-1, :2] - take.com_m[0, :2]))
    early = not take.fell and float(take.time_s[-1]) < take.shot.duration_s - 0.1
    return {**measure(take), "walked_m": walked, "early": early}


TASKS: dict[str, Callable[[Task, Progress, Ended], dict[str, Any]]] = {"simulate": simulate_shot}

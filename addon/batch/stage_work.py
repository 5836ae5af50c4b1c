# SPDX-License-Identifier: GPL-3.0-or-later
"""What a station of a batch does, but for pictures: each task writes its outputs where it is told and reports in plain JSON."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..children.protocol import Task
from ..errors import unknown_name
from ..options.blender import blender_room
from ..specs.shot import Shot

Progress = Callable[[float, str], None]


def run(task: Task, progress: Progress) -> dict[str, Any]:
    """Do a task; gives its report. Raises LopeError."""
    if task.kind not in TASKS:
        raise unknown_name("task", task.kind, TASKS)
    return TASKS[task.kind](task, progress)


def simulate_shot(task: Task, progress: Progress) -> dict[str, Any]:
    """Simulate and write the take; the report holds its measures and its physics card."""
    from ..attempts import attempt
    from ..reports.card import physics_card
    from ..reports.gait_measures import study

    take = attempt(Shot.from_dict(task.shot), progress=progress)
    take.save(task.out)
    found = study(take)
    return {"fell": take.broken_off, "lost": take.lost, "measures": found.values, "card": physics_card(take, found).to_dict(),
            "changed": take.stats.get("changed"),
            "peak_mb": peak_mb()}


def prepare_rig(task: Task, progress: Progress) -> dict[str, Any]:
    """Open or build the rig of `options`, check it, and save it; the report holds its armature's name and its body."""
    progress(0.0, f"opening {task.options['file'] or task.options['name']}")
    return blender_room("shots.open_rig").prepare_rig(task.options, Path(task.out))


def bake_shot(task: Task, progress: Progress) -> dict[str, Any]:
    """Bake the take of `options` on its prepared rig, put it on a stage, and save the file."""
    progress(0.0, "baking")
    return blender_room("shots.shot_scene").bake_shot(task.options, Path(task.out))


def peak_mb() -> float | None:
    """The most memory that this process has ever had [MB]; None where the system does not tell."""
    try:
        import resource
    except ImportError:
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1e6 if sys.platform == "darwin" else 1e3)  # bytes there, kilobytes elsewhere


TASKS: dict[str, Callable[[Task, Progress], dict[str, Any]]] = {
    "simulate": simulate_shot, "rig": prepare_rig, "bake": bake_shot}
"""By stage; the pictures are made by the verb `render` (addon/commands/station_child.py)."""

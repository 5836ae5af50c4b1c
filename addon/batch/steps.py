# SPDX-License-Identifier: GPL-3.0-or-later
"""What each stage of a shot makes: the task for a child, the temporary names of its outputs and their own names. The results of a
shot lie in a folder of its name: take.npz, report.json and card.txt, baked.blend, frames, film.mp4 and sheet.png. Everything is
made under a temporary name beside its place and renamed once it is whole. What a station of a batch does, but for pictures: each
task writes its outputs where it is told and reports in plain JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..children.protocol import Task
from ..errors import unknown_name
from ..options.outputs import blender_room
from ..options.shot_options import render_fields
from ..specs.shot import Shot
from .made import DIGITS, PICTURES, WORK
from .plan import BAKE, RENDER, REPORT, RIG, SIMULATE, PlannedRig, PlannedShot

EXTRAS = {"film": "film.mp4", "sheet": "sheet.png"}
"""What a render makes of its pictures where the list wants it, and its file's name."""
BLENDER_STAGES = (RIG, BAKE, RENDER)
"""Stages that need Blender."""

Moves = list[tuple[Path, Path]]


@dataclass(frozen=True)
class Step:
    """A stage ready to be done: its task, the folder for what is half done, and its outputs' (temporary name, own name)."""

    stage: str
    task: Task
    work: Path
    moves: Moves


def outputs(stage: str, shot: PlannedShot | PlannedRig) -> list[Path]:
    if isinstance(shot, PlannedRig):
        return [shot.blend]
    if stage == RENDER:
        render = shot.listed.render or {}
        extras = [name for switch, name in EXTRAS.items() if render.get(switch, False)]
        return [shot.folder / name for name in ("frames", *extras)]
    return [shot.folder / name for name in {SIMULATE: ("take.npz",), REPORT: ("report.json", "card.txt"),
                                            BAKE: ("baked.blend",)}[stage]]


def rig_step(rig: PlannedRig, token: str) -> Step:
    work = rig.blend.parent / f"{WORK}{token}"
    options = {**rig.spec.to_dict(), "height_m": rig.height_m, "creature": rig.creature}
    return Step(RIG, Task(RIG, {}, str(work / rig.blend.name), options), work, [(work / rig.blend.name, rig.blend)])


def simulate_step(planned: PlannedShot, shot: Shot, token: str) -> Step:
    work = planned.folder / f"{WORK}{token}"
    take = work / "take.npz"
    return Step(SIMULATE, Task(SIMULATE, shot.to_dict(), str(take)), work, [(take, outputs(SIMULATE, planned)[0])])


def bake_step(planned: PlannedShot, rig: Mapping[str, Any], token: str) -> Step:
    work = planned.folder / f"{WORK}{token}"
    out = work / "baked.blend"
    options = {"blend": str(planned.own_rig.blend), "armature": rig["armature"], "bones": rig["bones"],
               "take": str(outputs(SIMULATE, planned)[0]), "bake": planned.listed.bake}
    return Step(BAKE, Task(BAKE, {}, str(out), options), work, [(out, outputs(BAKE, planned)[0])])


def pictures_folder(planned: PlannedShot) -> Path:
    """Where a render's pictures gather; another run of the same render goes on there."""
    return planned.folder / f"{PICTURES}{planned.keys[RENDER][:DIGITS]}"


def render_step(planned: PlannedShot, rig: Mapping[str, Any], token: str) -> Step:
    """Rendering a shot's baked file: pictures, and of them a film and a sheet where they are wanted."""
    work, values = planned.folder / f"{WORK}{token}", dict(planned.listed.render or {})
    pictures = pictures_folder(planned)
    extra = {switch: work / name for switch, name in EXTRAS.items() if values.pop(switch, False)}
    words = ["--blend", str(outputs(BAKE, planned)[0]), "--armature", rig["armature"]]
    words += ["--out", str(extra["film"]), "--pictures", str(pictures)] if "film" in extra else ["--out", str(pictures)]
    words += ["--sheet", str(extra["sheet"])] if "sheet" in extra else []
    moves = [(path, planned.folder / path.name) for path in extra.values()] + [(pictures, planned.folder / "frames")]
    return Step(RENDER, Task(RENDER, {}, str(pictures), {"words": words + render_fields().words(values)}), work, moves)


def write_report(planned: PlannedShot, shot: Shot, simulated: Mapping[str, Any], work: Path) -> Moves:
    """The report stage, which needs no child: what the simulation measured, as JSON and text. Gives the moves. Raises OSError."""
    work.mkdir(parents=True, exist_ok=True)
    card = simulated["card"]
    report = {"name": planned.name, "shot": shot.to_dict(), "measures": simulated["measures"], "card": card}
    lines = [f"{line['grade']:10}  {line['name']:23}  {line['reason']}" for line in card["lines"]]
    (work / "report.json").write_text(json.dumps(report, indent=2, allow_nan=False) + "\n", encoding="utf-8")
    (work / "card.txt").write_text("\n".join([f"{planned.name}: physics card {card['grade']}", "", *lines]) + "\n",
                                   encoding="utf-8")
    return [(work / path.name, path) for path in outputs(REPORT, planned)]


def shot_with_rig(planned: PlannedShot, rig: Mapping[str, Any] | None) -> Shot:
    """The Shot to simulate: with the body of the rig where that is a file's, and no creature's."""
    if rig is None or planned.own_rig.spec.file is None or planned.own_rig.creature:
        return planned.whole
    return planned.with_body(rig["body"])


Progress = Callable[[float, str], None]


def run(task: Task, progress: Progress) -> dict[str, Any]:
    """Do a task; gives its report. Raises LopeError."""
    if task.kind not in TASKS:
        raise unknown_name("task", task.kind, TASKS)
    return TASKS[task.kind](task, progress)


def simulate_shot(task: Task, progress: Progress) -> dict[str, Any]:
    """Simulate and write the take; the report holds its measures and its physics card."""
    from ..reports.card import physics_card
    from ..reports.measures import study
    from ..reports.retry import attempt

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
    return blender_room("shots.open_rig").bake_shot(task.options, Path(task.out))


def peak_mb() -> float | None:
    """The most memory that this process has ever had [MB]; None where the system does not tell."""
    try:
        import resource
    except ImportError:
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1e6 if sys.platform == "darwin" else 1e3)  # bytes there, kilobytes elsewhere


TASKS: dict[str, Callable[[Task, Progress], dict[str, Any]]] = {"simulate": simulate_shot, "rig": prepare_rig, "bake": bake_shot}
"""By stage; the pictures are made by the verb `render` (addon/commands/station_child.py)."""

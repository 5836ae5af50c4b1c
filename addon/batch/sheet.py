# SPDX-License-Identifier: GPL-3.0-or-later
"""The sheet of a whole list: a picture of every rendered shot, planets down and gaits across, with names and numbers."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..children.protocol import Task
from ..worlds.planets import preset_of
from .made import WORK
from .plan import Plan, PlannedShot
from .state import DONE
from .steps import Step
from .verdict import Verdict

SHEET, LIST = "sheet", "the list"
"""The stage, and its unit in the state: no shot can have that name."""
LONGEST_LINE = 60
HEALTHY = "healthy"
PARTS = ("gait", "condition", "rig", "speed", "seed")
"""What a column may be named by; all but the gait where it differs."""


def cells(plan: Plan, verdicts: Sequence[Verdict]) -> list[dict[str, Any]]:
    """The cells of the sheet, for `lope render --grid-sheet`: one for every shot that is to be rendered.

    A column is a gait; where the list's shots differ in more, condition, rig, speed or seed go into its name. Shots that would
    have the same one still go by their own names, each of them.
    """
    shown = [(shot, verdict) for shot, verdict in zip(plan.shots, verdicts, strict=True)
             if shot.listed.render is not None and shot.shot is not None]
    varied = [part for part in range(1, len(PARTS)) if len({_parts(shot)[part] for shot, _ in shown}) > 1]
    heads = [(_world(shot), _head(shot, varied)) for shot, _ in shown]
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for (shot, verdict), (row, head) in zip(shown, heads, strict=True):
        column = head if heads.count((row, head)) == 1 else shot.name  # they differ in something else
        found[row, column] = {"row": row, "column": column, "pictures": _pictures(shot), "lines": _lines(shot, verdict)}
    return sorted(found.values(), key=_by_column(found))


def _head(shot: PlannedShot, varied: Sequence[int]) -> str:
    """What a column is named by: the gait, and what else the shots differ in."""
    parts = _parts(shot)
    return ", ".join([parts[0], *(parts[part] for part in varied if parts[part])])


def _by_column(found: dict[tuple[str, str], Any]) -> Any:
    """Order of the cells: rows as the list has them."""
    rows = list(dict.fromkeys(row for row, _ in found))
    return lambda cell: rows.index(cell["row"])


def _parts(shot: PlannedShot) -> tuple[str, ...]:
    """The values of `PARTS`."""
    planned = shot.whole
    speed, condition = planned.speed_m_s, planned.condition
    return (planned.called, HEALTHY if condition is None else condition.name, shot.listed.rig.name,
            "" if speed is None else f"{speed:g} m/s", f"seed {planned.seed}")


def _world(shot: PlannedShot) -> str:
    """The world's label and gravity."""
    world = shot.whole.world
    preset = preset_of(world.name)
    label = world.name if preset is None else preset.label
    return f"{label}, {world.gravity_m_s2:.2f} m/s²"


def _pictures(shot: PlannedShot) -> list[str]:
    """The middle one of a shot's pictures, where there are any."""
    found = sorted((shot.folder / "frames").glob("*.png"))
    return [str(found[len(found) // 2])] if found else []


def _lines(shot: PlannedShot, verdict: Verdict) -> list[str]:
    """Numbers of a shot, or why it has none."""
    speed = "" if verdict.speed_m_s is None else f"{verdict.speed_m_s:.2f} m/s"
    grade = "" if verdict.grade is None else f"physics {verdict.grade}"
    numbers = ", ".join(part for part in (speed, grade) if part)
    said = verdict.sentence if len(verdict.sentence) <= LONGEST_LINE else f"{verdict.sentence[:LONGEST_LINE - 3]}..."
    return [line for line in (shot.name, numbers, said) if line]


def sheet_file(plan: Plan) -> Path:
    """Where the sheet of a list goes."""
    return plan.list.out / "sheet.png"


def sheet_step(plan: Plan, wanted: Sequence[dict[str, Any]], token: str) -> Step:
    """Making the sheet. Raises OSError where its folder cannot be written."""
    out = plan.list.out
    work = out / f"{WORK}{token}"
    work.mkdir(parents=True, exist_ok=True)
    file = work / "cells.json"
    file.write_text(json.dumps(list(wanted)), encoding="utf-8")
    made = work / "sheet.png"
    task = Task(SHEET, {}, str(made), {"words": ["--grid-sheet", str(file), "--out", str(made)]})
    return Step(SHEET, task, work, [(made, sheet_file(plan))])


def sheet_key(plan: Plan, wanted: Sequence[dict[str, Any]]) -> str:
    """What the sheet depends on: its cells and the renders behind the pictures."""
    renders = [shot.keys.get("render") for shot in plan.shots]
    return hashlib.sha256(json.dumps([list(wanted), renders]).encode()).hexdigest()


def is_current(attempt: Any, key: str, plan: Plan) -> bool:
    """Whether the sheet that there is shows just that."""
    return attempt is not None and attempt.state == DONE and attempt.key == key and sheet_file(plan).is_file()

# SPDX-License-Identifier: GPL-3.0-or-later
"""How a shot came out, from what its stages left: passed, fell, lost, under the gate, failed, or not done yet. The sheet of a
whole list: a picture of every rendered shot, planets down and gaits across, with names and numbers."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..children.protocol import Task
from ..worlds.planets import preset_of
from .made import WORK
from .plan import RIG, SIMULATE, STAGES, Plan, PlannedShot
from .shot_list import GRADES
from .state import DONE, FAILED, RUNNING, Attempt
from .steps import Step, outputs

PASSED, FELL, MISSED, LOST, GATE, FAILURE, UNDONE = "passed", "fell", "missed", "lost", "gate", "failed", "to do"
"""`missed`: it stood, and did not do what was asked; `lost`: the physics engine lost the simulation, and not the character;
`gate`: the card is worse than the list's `min_card`."""

Attempts = Mapping[tuple[str, str], Attempt]


@dataclass(frozen=True)
class Verdict:
    """How a shot stands: the word, the sentence that explains it, each stage's state by name, and the card's grade."""

    name: str
    word: str
    sentence: str
    stages: dict[str, str]
    grade: str | None = None
    speed_m_s: float | None = None

    def to_dict(self) -> dict[str, Any]:
        return dict(vars(self))


def settled(stage: str, unit: Any, key: str, attempt: Attempt | None) -> bool:
    """Whether a stage is done for that key, and its outputs are there."""
    return (attempt is not None and attempt.state == DONE and attempt.key == key
            and all(path.exists() for path in outputs(stage, unit)))


def physics(shot: PlannedShot, report: Mapping[str, Any]) -> tuple[str, str] | None:
    """What the physics of a simulated shot says against going on: (word, sentence), None where nothing."""
    if report.get("lost"):
        return LOST, report["lost"]
    if report["fell"]:
        return FELL, f"The character fell after {report['measures']['time_fell_s']:.2f} s."
    if undone := report["card"].get("undone"):
        return MISSED, f"Not done as asked: {'; '.join(undone)}."
    grade, least = report["card"]["grade"], shot.listed.min_card
    if least is None or grade not in GRADES or GRADES.index(grade) <= GRADES.index(least):
        return None
    worst = [line["reason"].partition(" (green to")[0] for line in report["card"]["lines"] if line["grade"] == grade]
    return GATE, f"The physics card is {grade}, and {least} is asked for: {'; '.join(worst)}."


def judge(plan: Plan, attempts: Attempts) -> list[Verdict]:
    return [_judge(shot, attempts) for shot in plan.shots]


def _judge(shot: PlannedShot, attempts: Attempts) -> Verdict:
    if shot.problem is not None:
        return Verdict(shot.name, FAILURE, shot.problem, {})
    stages, failed = {}, None
    for stage in shot.keys:
        attempt = attempts.get((shot.name, stage))
        if settled(stage, shot, shot.keys[stage], attempt):
            stages[stage] = DONE
        elif attempt is None or attempt.key != shot.keys[stage]:
            stages[stage] = UNDONE
        else:
            stages[stage] = attempt.state if attempt.state in (RUNNING, FAILED) else UNDONE
            failed = failed or (attempt if attempt.state == FAILED else None)
    rig = attempts.get((shot.rig.unit, RIG)) if shot.rig is not None else None
    report = attempts[shot.name, SIMULATE].report if stages[SIMULATE] == DONE else None
    speed = report["measures"].get("mean_speed_m_s") if report else None
    word, sentence = PASSED, ""
    against = physics(shot, report) if report else None
    if against is not None:
        word, sentence = against
    elif failed is not None:
        word, sentence = FAILURE, failed.sentence
    elif rig is not None and rig.state == FAILED and UNDONE in stages.values():
        word, sentence = FAILURE, rig.sentence
    elif any(state != DONE for state in stages.values()):
        word = UNDONE
    ordered = {stage: stages[stage] for stage in STAGES if stage in stages}
    return Verdict(shot.name, word, sentence, ordered, report["card"]["grade"] if report else None, speed)


def exit_code(verdicts: list[Verdict]) -> int:
    """0 where all passed; 2 where one failed or is still to do; else 4, where one was lost by the engine; else 1, where one
    fell, missed what was asked or stands under the gate."""
    words = {verdict.word for verdict in verdicts}
    if words & {FAILURE, UNDONE}:
        return 2
    if LOST in words:
        return 4
    return 1 if words & {FELL, MISSED, GATE} else 0


def table(verdicts: list[Verdict]) -> str:
    """The verdicts for people: one line a shot, and below each that did not pass its sentence."""
    width = max((len(verdict.name) for verdict in verdicts), default=0)
    lines = []
    for verdict in verdicts:
        stages = " ".join(f"{stage}{'' if state == DONE else f'({state})'}" for stage, state in verdict.stages.items())
        speed = "        " if verdict.speed_m_s is None else f"{verdict.speed_m_s:4.2f} m/s"
        lines.append(f"{verdict.name:{width}}  {verdict.word:7}  {verdict.grade or '-':10}  {speed}  {stages}".rstrip())
        if verdict.sentence:
            lines.append(f"{'':{width}}  {verdict.sentence}")
    counts = {word: sum(v.word == word for v in verdicts) for word in (PASSED, FELL, MISSED, LOST, GATE, FAILURE, UNDONE)}
    lines.append(f"{len(verdicts)} shots: " + ", ".join(f"{n} {word}" for word, n in counts.items() if n) + ".")
    return "\n".join(lines)


SHEET, LIST = "sheet", "the list"
"""The stage, and its unit in the state: no shot can have that name."""
LONGEST_LINE = 60
HEALTHY = "healthy"
PARTS = ("gait", "condition", "rig", "speed", "seed")
"""What a column may be named by; all but the gait where it differs."""


def cells(plan: Plan, verdicts: Sequence[Verdict]) -> list[dict[str, Any]]:
    """The cells of the sheet, for `lope render --grid-sheet`: one for every shot that is to be rendered. A column is a gait;
    where the list's shots differ in more, condition, rig, speed or seed go into its name. Shots that would have the same one
    still go by their own names, each of them."""
    shown = [(shot, verdict) for shot, verdict in zip(plan.shots, verdicts, strict=True)
             if shot.listed.render is not None and shot.shot is not None]
    varied = [part for part in range(1, len(PARTS)) if len({_parts(shot)[part] for shot, _ in shown}) > 1]
    heads = [(_world(shot), _head(shot, varied)) for shot, _ in shown]
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for (shot, verdict), (row, head) in zip(shown, heads, strict=True):
        column = head if heads.count((row, head)) == 1 else shot.name  # they differ in something else
        found[row, column] = {"row": row, "column": column, "pictures": _pictures(shot), "lines": _lines(shot, verdict)}
    rows = [row for row, _ in heads]  # as the list has them
    return sorted(found.values(), key=lambda cell: rows.index(cell["row"]))


def _head(shot: PlannedShot, varied: Sequence[int]) -> str:
    parts = _parts(shot)
    return ", ".join([parts[0], *(parts[part] for part in varied if parts[part])])


def _parts(shot: PlannedShot) -> tuple[str, ...]:
    planned = shot.whole
    speed, condition = planned.motion.speed_m_s, planned.condition
    return (planned.called, HEALTHY if condition is None else condition.name, shot.listed.rig.name,
            "" if speed is None else f"{speed:g} m/s", f"seed {planned.seed}")


def _world(shot: PlannedShot) -> str:
    world = shot.whole.world
    preset = preset_of(world.name)
    label = world.name if preset is None else preset.label
    return f"{label}, {world.gravity_m_s2:.2f} m/s²"


def _pictures(shot: PlannedShot) -> list[str]:
    found = sorted((shot.folder / "frames").glob("*.png"))
    return [str(found[len(found) // 2])] if found else []


def _lines(shot: PlannedShot, verdict: Verdict) -> list[str]:
    speed = "" if verdict.speed_m_s is None else f"{verdict.speed_m_s:.2f} m/s"
    grade = "" if verdict.grade is None else f"physics {verdict.grade}"
    numbers = ", ".join(part for part in (speed, grade) if part)
    said = verdict.sentence if len(verdict.sentence) <= LONGEST_LINE else f"{verdict.sentence[:LONGEST_LINE - 3]}..."
    return [line for line in (shot.name, numbers, said) if line]


def sheet_file(plan: Plan) -> Path:
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

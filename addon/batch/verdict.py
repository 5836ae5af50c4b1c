# SPDX-License-Identifier: GPL-3.0-or-later
"""How a shot came out, from what its stages left: passed, fell, lost, under the gate, failed, or not done yet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .plan import RIG, SIMULATE, STAGES, Plan, PlannedShot
from .shot_list import GRADES
from .state import DONE, FAILED, RUNNING, Attempt
from .steps import outputs

PASSED, FELL, LOST, GATE, FAILURE, UNDONE = "passed", "fell", "lost", "gate", "failed", "to do"
"""`lost`: the physics engine lost the simulation, which says nothing about the character; `gate`: the physics card is worse
than the list's `min_card`."""

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
        """Plain JSON values."""
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
    grade, least = report["card"]["grade"], shot.listed.min_card
    if least is None or grade not in GRADES or GRADES.index(grade) <= GRADES.index(least):
        return None
    worst = [line["reason"].partition(" (green to")[0] for line in report["card"]["lines"] if line["grade"] == grade]
    return GATE, f"The physics card is {grade}, and {least} is asked for: {'; '.join(worst)}."


def judge(plan: Plan, attempts: Attempts) -> list[Verdict]:
    """A verdict on every shot of a plan, from the state."""
    return [_judge(shot, attempts) for shot in plan.shots]


def _judge(shot: PlannedShot, attempts: Attempts) -> Verdict:
    """A verdict on one shot."""
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
    fell or stands under the gate."""
    words = {verdict.word for verdict in verdicts}
    if words & {FAILURE, UNDONE}:
        return 2
    if LOST in words:
        return 4
    return 1 if words & {FELL, GATE} else 0


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
    counts = {word: sum(v.word == word for v in verdicts) for word in (PASSED, FELL, LOST, GATE, FAILURE, UNDONE)}
    lines.append(f"{len(verdicts)} shots: " + ", ".join(f"{n} {word}" for word, n in counts.items() if n) + ".")
    return "\n".join(lines)

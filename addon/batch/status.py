# SPDX-License-Identifier: GPL-3.0-or-later
"""What `lope batch` says: of a run that ended, of the present state, and of a run that is only thought of."""

from __future__ import annotations

from typing import Any

from .made import Made
from .plan import Plan
from .schedule import Schedule, predicted_s, rates, slowed, told
from .state import DONE, FAILED, State, state_file
from .verdict import LIST, SHEET, Attempts, exit_code, judge, table

Said = tuple[dict[str, Any], str, int]
"""Report, text, exit code."""


def result(plan: Plan, state: State) -> Said:
    latest = state.latest()
    verdicts = judge(plan, latest)
    report: dict[str, Any] = {"list": str(plan.list.path), "out": str(plan.list.out),
                              "shots": [verdict.to_dict() for verdict in verdicts]}
    text, code = f"{table(verdicts)}\nResults: {plan.list.out}", exit_code(verdicts)
    sheet = latest.get((LIST, SHEET))
    if plan.list.sheet and sheet is not None:
        report["sheet"] = {"state": sheet.state, "sentence": sheet.sentence}
        if sheet.state == FAILED:
            text, code = f"{text}\nThe sheet failed: {sheet.sentence}", 2
    return report, text, code


def status(plan: Plan) -> Said:
    """The present state, also while a batch is at work; nothing is changed."""
    state = _open(plan)
    if state is None:
        verdicts = judge(plan, {})
        return {"list": str(plan.list.path), "shots": [v.to_dict() for v in verdicts]}, table(verdicts), exit_code(verdicts)
    try:
        report, text, code = result(plan, state)
        finishes = {key: states.get(DONE, 0) for key, states in state.counts().items()}
        report["done_twice"] = sum(count > 1 for count in finishes.values())
        report["attempts"] = sum(sum(states.values()) for states in state.counts().values())
        return report, text, code
    finally:
        state.close()


BUSY = 1.5
"""From here on a machine's other work is worth a word."""


def dry_run(plan: Plan, workers: int, redo: bool) -> Said:
    """What a run would do and how long it would take. Exit code 2 where a shot cannot be done as it stands.
    Raises InputError where it would replace what Lope did not make."""
    state = _open(plan)
    latest: Attempts = {} if state is None else state.latest()
    times = slowed()
    per = rates(() if state is None else state.durations(), times)
    if state is not None:
        state.close()
    latest = {} if redo else latest
    schedule = Schedule(plan, latest)
    schedule.check_results(Made(plan.list.out))
    seconds = predicted_s(schedule, per, workers)
    left = {unit.name: list(unit.left) for unit in schedule.units}
    known = {verdict.name: verdict for verdict in judge(plan, latest)}
    shots, lines = [], []
    width = max(len(shot.name) for shot in plan.shots)
    for shot in plan.shots:
        needed = seconds.get(shot.name, 0.0)
        verdict = known[shot.name]
        shots.append({"name": shot.name, "rig": shot.listed.rig.name, **_shown(shot), "stages": left.get(shot.name, []),
                      "seconds": round(needed, 1), "problem": shot.problem})
        does = " ".join(left.get(shot.name, [])) or f"nothing ({verdict.word})"
        if shot.problem is not None:
            does = f"cannot be done: {shot.problem}"
        lines.append(f"{shot.name:{width}}  {told(needed) if needed else '-':>7}  {does}")
    rigs = [unit for unit in schedule.units if unit.name in plan.rigs]
    lines += [f"{unit.name:{width}}  {told(seconds[unit.name]):>7}  {' '.join(unit.left)}" for unit in rigs]
    busy = f", as busy as this machine is now ({times:.1f} times as long as idle)" if times > BUSY else ""
    todo = f"{schedule.stages} stages to do: about {told(seconds[''])} with {workers} workers{busy}"
    lines.append(f"{len(plan.shots)} shots, {todo if schedule.stages else 'nothing to do'}.")
    report = {"list": str(plan.list.path), "out": str(plan.list.out), "shots": shots, "stages": schedule.stages,
              "seconds": round(seconds[""], 1), "workers": workers}
    return report, "\n".join(lines), 2 if any(shot.problem for shot in plan.shots) else 0


def _shown(shot: Any) -> dict[str, Any]:
    if shot.shot is None:
        return {}
    return {"gait": shot.shot.motion.source_file or shot.shot.called, "world": shot.shot.world.name,
            "gravity_m_s2": shot.shot.world.gravity_m_s2, "speed_m_s": shot.shot.motion.speed_m_s, "seed": shot.shot.seed,
            "duration_s": shot.shot.duration_s}


def _open(plan: Plan) -> State | None:
    file = state_file(plan.list.path)
    return State(file, Made(plan.list.out)) if file.is_file() else None

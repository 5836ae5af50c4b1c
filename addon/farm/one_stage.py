# SPDX-License-Identifier: GPL-3.0-or-later
"""One stage of one shot of a list, on whatever machine: what a task of a render farm does; and a planned list as a job of
Flamenco 3. The farm knows what is done and in which order, so neither the list's lock nor its state is needed: SQLite files on
network drives are no safe place for several machines. What one stage has to know of another lies in a note beside its output.
Flamenco's scripts read no files, so the job carries the names of the shots, their stages, and which of them share a rig; its form
is `SubmittedJob` of Flamenco's published interface (flamenco-openapi.yaml), its type in scripts/tools/flamenco."""

from __future__ import annotations

import json
import platform
import shutil
import uuid
from collections.abc import Callable
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from .. import VERSION
from ..batch import steps
from ..batch.made import WORK, Made
from ..batch.plan import BAKE, REPORT, RIG, SIMULATE, Plan, PlannedRig, PlannedShot
from ..batch.state import DONE, Attempt
from ..batch.station import PATIENCE_S, Station, silent
from ..batch.verdict import SHEET, cells, judge, physics, sheet_file, sheet_step
from ..children.protocol import Done, Failed, Message, Progress
from ..errors import InputError, JobError
from ..gaits.tuned_maps import write_json

Tell = Callable[[float, str], None]
Note = dict[str, Any]
"""`key`: what the stage was made of, as planned; `report`: what it told."""


def run_stage(shot: PlannedShot, stage: str, tell: Tell, patience_s: float = PATIENCE_S) -> tuple[str, str] | None:
    """Do a stage, unless that has happened already; `tell(share, words)` hears how far it is. One of which nothing is heard for
    `patience_s` is ended. Gives what the physics says against going on, as (word, sentence); None where nothing. Raises LopeError
    for a stage that the shot does not have, whose turn has not come, or that cannot be done."""
    if shot.problem is not None:
        raise InputError(shot.problem)
    note = _finished(shot, stage) or _do(shot, stage, tell, patience_s)
    return physics(shot, note["report"]) if stage == SIMULATE else None


def run_sheet(plan: Plan, tell: Tell, patience_s: float = PATIENCE_S) -> Path:
    """Make the sheet of all shots from what there is by now; gives its file. Raises LopeError, also without any picture."""
    wanted = cells(plan, judge(plan, _attempts(plan)))
    if not any(cell["pictures"] for cell in wanted):
        raise InputError(f"No shot of {plan.list.path} is rendered yet, so there is nothing to put on the sheet.")
    try:
        made = Made(plan.list.out)
        made.check_free([sheet_file(plan)])
        step = sheet_step(plan, wanted, uuid.uuid4().hex)
        _worked_off(step, made, tell, patience_s)
    except OSError as error:
        raise InputError(f"The sheet of {plan.list.path} cannot be written: {error}.") from error
    return step.moves[0][1]


def _attempts(plan: Plan) -> dict[tuple[str, str], Attempt]:
    return {(shot.name, stage): Attempt(0, shot.name, stage, key, DONE, 0.0, None, "", "", report, [])
            for shot in plan.shots for stage, key in shot.keys.items()
            if (report := read_report(shot, stage)) is not None}


def read_report(shot: PlannedShot, stage: str) -> Note | None:
    """The report of a stage that was done of the very inputs that are planned; None where there is none."""
    note = _finished(shot, stage)
    return None if note is None else note["report"]


def _unit(shot: PlannedShot, stage: str) -> PlannedShot | PlannedRig:
    """What a stage works on. Raises InputError where the shot has no such stage."""
    known = ([RIG] if shot.rig else []) + list(shot.keys)
    if stage not in known:
        raise InputError(f"The shot {shot.name} has no stage {stage!r}; it has {', '.join(known)}.")
    return shot.own_rig if stage == RIG else shot


def _key(shot: PlannedShot, stage: str) -> str:
    return shot.own_rig.key if stage == RIG else shot.keys[stage]


def _place(shot: PlannedShot, stage: str) -> Path:
    return shot.own_rig.blend.with_suffix(".note.json") if stage == RIG else shot.folder / f".{stage}.json"


def _finished(shot: PlannedShot, stage: str) -> Note | None:
    """The note on a stage whose inputs and outputs are still those."""
    unit = _unit(shot, stage)
    try:
        note = json.loads(_place(shot, stage).read_text(encoding="utf-8"))
        whole = note["key"] == _key(shot, stage) and all(path.exists() for path in steps.outputs(stage, unit))
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return note if whole else None


def _before(shot: PlannedShot, stage: str, other: str) -> dict[str, Any]:
    """The report of a stage that has to be done before. Raises InputError where it is not."""
    report = read_report(shot, other)
    if report is None:
        raise InputError(f"The {stage} stage of {shot.name} comes after its {other} stage, which was not done yet, or not of "
                         f"the list, files and Lope of now: run `lope batch LIST --only {shot.name} --stage {other}` first.")
    return report


def _do(shot: PlannedShot, stage: str, tell: Tell, patience_s: float) -> Note:
    token, made = uuid.uuid4().hex, Made(shot.folder.parent)
    made.check_free(steps.outputs(stage, _unit(shot, stage)))
    try:
        if stage == REPORT:
            report: dict[str, Any] = {}
            _write_report(shot, shot.folder / f"{WORK}{token}", made)
        else:
            report = _worked_off(_step(shot, stage, token), made, tell, patience_s)
    except OSError as error:
        raise InputError(f"The results of {shot.name} cannot be written: {error}.") from error
    note = {"key": _key(shot, stage), "report": report}
    write_json(_place(shot, stage), note)
    return note


def _write_report(shot: PlannedShot, work: Path, made: Made) -> None:
    simulated = _before(shot, REPORT, SIMULATE)
    try:
        _put_in_place(steps.write_report(shot, steps.shot_with_rig(shot, _rig(shot, REPORT)), simulated, work), made)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _rig(shot: PlannedShot, stage: str) -> dict[str, Any] | None:
    """What preparing the shot's rig found; None where the stage can do without."""
    if stage in (SIMULATE, REPORT) and (shot.rig is None or shot.rig.spec.file is None):
        return None
    return _before(shot, stage, RIG)


def _step(shot: PlannedShot, stage: str, token: str) -> steps.Step:
    """A stage ready to be done. Raises InputError where another one has to be done first."""
    if stage == RIG:
        return steps.rig_step(shot.own_rig, token)
    rig = _rig(shot, stage)
    if stage == SIMULATE:
        return steps.simulate_step(shot, steps.shot_with_rig(shot, rig), token)
    against = physics(shot, _before(shot, stage, SIMULATE))
    if against is not None:
        raise InputError(f"{shot.name} is not shown: {against[1]}")
    if rig is None:
        raise InputError(f"The rig of {shot.name} is not ready.")
    if stage == BAKE:
        return steps.bake_step(shot, rig, token)
    _before(shot, stage, BAKE)
    return steps.render_step(shot, rig, token)


def _worked_off(step: steps.Step, made: Made, tell: Tell, patience_s: float) -> dict[str, Any]:
    """Have a child do a step and give its outputs their names; gives its report. Raises JobError with the child's words."""
    step.work.mkdir(parents=True, exist_ok=True)
    inbox: SimpleQueue[tuple[Station, Message]] = SimpleQueue()
    station = Station(inbox, needs_blender=step.stage in (*steps.BLENDER_STAGES, SHEET))
    try:
        station.give(step.task)
        while True:
            try:
                _, message = inbox.get(timeout=patience_s)
            except Empty:
                raise JobError(silent(patience_s)) from None
            if isinstance(message, Progress):
                tell(message.share, message.text)
            elif isinstance(message, Done):
                _put_in_place(step.moves, made)
                return message.report
            elif isinstance(message, Failed):
                raise JobError(message.text)
    finally:
        station.close()
        shutil.rmtree(step.work, ignore_errors=True)


def _put_in_place(moves: steps.Moves, made: Made) -> None:
    for source, target in moves:
        made.put_in_place(source, target)


JOB_TYPE = "lope-shot-list"
"""Flamenco names a job type by its script's file."""
PRIORITY = 50
"""Flamenco's own default."""


def flamenco_job(plan: Plan) -> dict[str, Any]:
    """The job to submit, plain JSON values, without shots that cannot be planned. Raises InputError where none is left."""
    shots = [{"name": shot.name, "stages": list(shot.keys), "rig": shot.rig.blend.stem if shot.rig else None}
             for shot in plan.shots if shot.problem is None]
    if not shots:
        raise InputError(f"No shot of {plan.list.path} can be done: {plan.shots[0].name}: {plan.shots[0].problem}")
    settings = {"list": str(plan.list.path.resolve()), "sheet": plan.list.sheet, "shots": json.dumps(shots)}
    return {"name": plan.list.path.stem, "type": JOB_TYPE, "priority": PRIORITY, "settings": settings,
            "submitter_platform": platform.system().lower(), "metadata": {"lope.version": VERSION}}


def left_out(plan: Plan) -> list[str]:
    return [f"{shot.name} is left out: {shot.problem}" for shot in plan.shots if shot.problem is not None]

# SPDX-License-Identifier: GPL-3.0-or-later
"""What the worker can do. Each task writes its result to `Task.out` and reports on it in plain JSON values."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from ..children.protocol import Task
from ..children.server import Line
from ..errors import InputError, JobError, unknown_name
from ..files import write_whole
from ..gaits.remedy import remedy
from ..reports.card import physics_card
from ..reports.following import way_m
from ..reports.hits import missed_of
from ..reports.measures import study, units_of
from ..reports.retry import attempt
from ..sim.take import Take
from ..specs.settings import named_file
from ..specs.shot import Shot
from . import beside

LEAST_S = 0.5
"""A take of less cannot be looked at; of one sample it cannot even be baked [s]."""


def run(task: Task, line: Line) -> dict[str, Any]:
    """Do a task; gives its report. Raises LopeError for what cannot be done, with one sentence for the artist."""
    if task.kind not in TASKS:
        raise unknown_name("task", task.kind, TASKS)
    return TASKS[task.kind](task, line)


def simulate_shot(task: Task, line: Line) -> dict[str, Any]:
    """Simulate the shot and write the take. Ended early, the take holds what was simulated until then, `LEAST_S` at least."""
    shot, simulated_s = Shot.from_dict(task.shot), 0.0

    def told(share: float, words: str) -> None:
        nonlocal simulated_s
        simulated_s = share * shot.duration_s
        line.progress(share, words)

    take = attempt(shot, progress=told, cancelled=lambda: simulated_s >= LEAST_S and line.ended())
    take.save(task.out)
    return take_report(take)


def hit_action(task: Task, line: Line) -> dict[str, Any]:
    """Simulate the shot with its hits and without, and write both takes; the report has what each hit did as `hits`."""
    from ..reports.hits import hits_of
    from ..reports.retry import unhit_file, with_and_without

    struck, without = with_and_without(Shot.from_dict(task.shot), line.progress, line.ended)
    struck.save(task.out)
    without.save(unhit_file(task.out))
    return {**take_report(struck), "hits": [dataclasses.asdict(hit) for hit in hits_of(struck, without)]}


def drive(task: Task, line: Line) -> dict[str, Any]:
    """Let the artist drive the shot, and write the take; the report has the figures of the drive as `drive`."""
    from .wheel import drive_shot

    take, figures = drive_shot(task, line)
    take.save(task.out)
    return {**take_report(take), "drive": figures}


def take_report(take: Take) -> dict[str, Any]:
    """The measures of a take, `fell` only of a fall that ended it; `card` as (grade, name, sentence, moment [s] or None, advice);
    `walked_m`; `early`, whether it ended before the shot's end; `remedy` after a fall that ended it; `changed`, what Lope changed
    where it was not done; `undone`, what of it is not as asked, in clauses; `missed` balls, in sentences; and `gait`, its name,
    None for a motion file's."""
    early = not take.broken_off and take.lost is None and float(take.time_s[-1]) < take.shot.duration_s - 0.1
    found = study(take)
    card = physics_card(take, found)
    lines = [(line.grade, line.name, line.reason.split(" (green to")[0], line.at_s, line.advice) for line in card.lines]
    cure = None
    if take.broken_off:
        speed, leg = take.stats.get("planned_speed_m_s"), take.body.leg_length_m
        tried = [fall["speed_m_s"] for fall in take.stats.get("tries") or ()]
        cure = remedy(take.shot, float(take.stats["time_fell_s"]), speed, leg, tried)
    return {**{name: found.values[name] for name in units_of(take)}, "fell": take.broken_off, "card": lines,
            "walked_m": way_m(take), "early": early, "remedy": None if cure is None else cure.to_dict(),
            "changed": take.stats.get("changed"), "undone": list(card.undone),
            "missed": [one.sentence() for one in missed_of(take)],
            "gait": take.shot.motion.name if take.shot.motion.source_file is None else None}


def tune_gait(task: Task, line: Line) -> dict[str, Any]:
    """Tune the foot paths of the shot's gait, write the map to `out`, after the shipped ones. Raises LopeError for no try."""
    from ..gaits.tuned_maps import TUNING_FOLDER
    from ..search.gait_cost import CostWeights
    from ..search.maps import tune_map
    from ..search.search import Plan, Run

    shot, out = Shot.from_dict(task.shot), Path(task.out)  # its gait is named: whose file `out` is hangs on it
    if shot.motion.source_file is not None:
        raise InputError("Only built-in gaits can be tuned; choose a preset under Walk.")
    shipped = named_file(TUNING_FOLDER, "gait", shot.motion.name)
    if not out.is_file() and shipped.is_file():
        out.parent.mkdir(parents=True, exist_ok=True)
        write_whole(out, shipped.read_bytes(), "tuning result")

    def told(share: float, words: str) -> None:
        line.progress(share, words)
        if line.ended():
            raise KeyboardInterrupt

    run = Run(Plan(generations=task.options["iterations"], seed=shot.seed), out, out.with_name(f"{out.stem}.checkpoint.json"),
              callback=told)
    try:
        return tune_map(shot, run, strides=task.options["strides"], weights=CostWeights()).report
    except KeyboardInterrupt:
        raise JobError("Tuning was ended before anything was tried; the gait stays as it was.") from None
    finally:
        run.checkpoint.unlink(missing_ok=True)


def read_pressure(task: Task, line: Line) -> dict[str, Any]:
    """Read a motion from pressure, and write the take of it: laid as it is, or of the shot that follows it; see `pressure`."""
    from .pressure import found_in, lay_pressure, read_of

    if not task.shot:
        return lay_pressure(task, line)
    reading = read_of(task)
    report = simulate_shot(task, line)
    return {**report, "found": found_in(reading, Take.load(task.out).stats["time_scale"])}


def make_gait_of_poses(task: Task, line: Line) -> dict[str, Any]:
    """Search the gait nearest to the poses of `options` (with evaluations, seed, `body`) and write it to `out`."""
    from ..gaits.pose_gaits import load_pose_gait
    from ..gaits.tuned_maps import write_json
    from ..search.gait_from_poses import SEARCHING, Budget, make_gait
    from ..specs.pose_gait import PoseGait, pose_gait_file
    from ..specs.shot import BodySpec

    def told(share: float, words: str) -> None:
        line.progress(share, words)
        if line.ended() and words == SEARCHING:
            raise KeyboardInterrupt

    drawn = PoseGait.from_dict(task.options["poses"])
    budget, body = Budget(task.options["evaluations"], None, task.options["seed"]), BodySpec.from_dict(task.options["body"])
    made = make_gait(drawn, load_pose_gait("walk"), budget, told, body)
    write_json(Path(task.out), pose_gait_file(made.gait))
    off = [(one.state, one.words, round(math.degrees(one.angle_rad), 1)) for one in made.gave]
    return {"pose_gait": made.gait.name, "off": off, **made.figures}


def _of(module: str, name: str) -> Callable[[Task, Line], dict[str, Any]]:
    """A task of another module of this room, which is loaded when it is asked for."""
    return lambda task, line: getattr(import_module(f".{module}", __package__), name)(task, line)


TASKS: dict[str, Callable[[Task, Line], dict[str, Any]]] = {
    "simulate": simulate_shot, "tune": tune_gait, "drive": drive, "rehearse": _of("wheel", "rehearse"), "hit": hit_action,
    "poses": make_gait_of_poses, "creature": _of("creature_search", "find_gait"), "pressure": read_pressure,
    "pressure_index": _of("pressure", "index_folder"), "pressure_show": _of("pressure", "show_pressure"), **beside.TASKS}

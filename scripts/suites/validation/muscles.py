# SPDX-License-Identifier: GPL-3.0-or-later
"""What bodies can do that muscles move: curves and arms, speed, skills, pushes, effort.

    scripts/check muscles [curves speed skills pushes effort ...] [--seconds 60] [--only TEXT ...] [--out out/muscles]

`curves`: the tests of curves, mechanics and moment arms; `speed`: simulated seconds a second of processor time of both sets (with
nothing else running); `skills`: seven on Earth and two on the Moon, so many seconds; `pushes`: of 0.2 s at the pelvis, 80 N
walking and 160 N running, four directions; `effort`: MET of the skills beside Lee's; only the normal walk has to lie within a
range, and what costs Lee's body more must cost this one more. A result is kept under a key of the shot and of the code that made
it, so that what was stopped goes on where it was, and what the code has changed since is done anew. """

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from lope.addon.errors import LopeError
from lope.addon.reports.card import physics_card
from lope.addon.reports.measures import study
from lope.addon.sim.simulation import simulate
from lope.addon.specs.motion import Style
from lope.addon.specs.motions import Gait
from lope.addon.specs.muscles import Actuation
from lope.addon.specs.shot import Push, Shot
from lope.addon.worlds.planets import load_world
from lope.scripts.suites.runner import Case as Measured
from lope.scripts.suites.runner import Figures, Row, Suite, Table, is_, within

from .case import ROOT, code_version, results_in

CURVES, SPEED, SKILLS, PUSHES, EFFORT = "curves", "speed", "skills", "pushes", "effort"
ROWS = (CURVES, SPEED, SKILLS, PUSHES, EFFORT)
RESULTS = "muscles.jsonl"
TESTS = ("test_muscle_curves", "test_muscle_mechanics", "test_muscle_paths", "test_muscle_gait2392", "test_path_actuator")
RUN = replace(Actuation(), strength=2.0)
"""Runs have twice the force, as in Lee 2014."""
LEE_MET = {"normal": 7.1, "leaning": 9.2, "marching": 8.4, "slow run": 10.6, "in place, slow": 11.9,
                            "in place, fast": 28.4, "quick steps": 11.3}
"""Lee 2014's table 4.1."""
IN_PLACE_M_S, SLOW_RUN_M_S, PUSHED_S, PUSH_S, AFTER_S = 0.05, 2.2, 5.0, 0.2, 6.0
FASTEST_OVER_REAL_TIME = {"legs": 2.0, "full": 1.0}
DIRECTIONS = {"forward": (1.0, 0.0), "left": (0.0, 1.0), "back": (-1.0, 0.0), "right": (0.0, -1.0)}
MET_RANGE = 3.0, 6.0


@dataclass(frozen=True)
class Case:
    """One thing that is tried: for which row, and the shot, None for what needs none."""

    row: str
    name: str
    shot: Shot | None = None

    @property
    def key(self) -> str:
        """Of shot and code."""
        shot = None if self.shot is None else self.shot.to_dict()
        return hashlib.sha256(json.dumps([self.row, self.name, shot, code_version()], sort_keys=True).encode()).hexdigest()[:16]


def skills(seconds: float) -> dict[str, Shot]:
    """The seven of Lee 2014, in Lope's words, and walks on the Moon."""
    walk, run = (
        Shot(duration_s=seconds, actuation=Actuation()),
        Shot(motion=Gait("run", force=True), duration_s=seconds, actuation=RUN),
    )
    return {
        "normal": walk, "leaning": walk.with_motion(style=Style(trunk_lean_deg=15.0)),
        "marching": walk.with_motion(style=Style(foot_lift_m=0.15, arm_swing=1.8)),
        "slow run": run.with_motion(speed_m_s=SLOW_RUN_M_S),
        "in place, slow": run.with_motion(speed_m_s=IN_PLACE_M_S),
        "in place, fast": run.with_motion(speed_m_s=IN_PLACE_M_S, stride_frequency_hz=1.7),
        "quick steps": run.with_motion(speed_m_s=SLOW_RUN_M_S, stride_frequency_hz=1.7),
        "walk on the Moon": replace(walk, world=load_world("moon")),
        "lope on the Moon": replace(walk.with_motion(name="lope"), world=load_world("moon"), actuation=RUN),
    }


def cases(rows: list[str], seconds: float) -> Iterator[Case]:
    """All cases of some rows."""
    shots = skills(seconds)
    if CURVES in rows:
        yield from (Case(CURVES, name) for name in TESTS)
    if SPEED in rows:
        yield Case(SPEED, "bench")
    if SKILLS in rows or EFFORT in rows:  # effort is of the same takes
        yield from (Case(SKILLS, name, shot) for name, shot in shots.items())
    if PUSHES in rows:
        for name, force in (("normal", 80.0), ("slow run", 160.0)):
            shot = replace(shots[name], duration_s=PUSHED_S + PUSH_S + AFTER_S)
            for words, (x, y) in DIRECTIONS.items():
                push = Push(PUSHED_S, PUSH_S, (force * x, force * y, 0.0), "pelvis")
                yield Case(PUSHES, f"{name}, {force:.0f} N {words}", replace(shot, pushes=(push,)))


def fill(wanted: list[Case], folder: Path) -> Iterator[dict[str, Any]]:
    """The result of each case; those that there are none of are made, and kept at once."""
    folder.mkdir(parents=True, exist_ok=True)
    known = results_in(folder / RESULTS)
    for case in wanted:
        if case.key not in known:
            result = {"key": case.key, "row": case.row, "name": case.name, **made(case, folder)}
            with (folder / RESULTS).open("a", encoding="utf-8") as file:
                file.write(json.dumps(result) + "\n")
            known[case.key] = result
        yield known[case.key]


def made(case: Case, folder: Path) -> dict[str, Any]:
    """What comes of a case."""
    if case.row == CURVES:
        done = _python("-m", "pytest", "-q", str(next((ROOT / "tests").rglob(f"{case.name}.py"))))
        return {"held": done.returncode == 0, "told": (done.stdout.strip().splitlines() or [done.stderr])[-1]}
    if case.row == SPEED:
        words = ("-m", "lope.scripts.suites.bench", "speed", "--json", "--repeats", "3", "--worlds", "earth")
        told = json.loads(_python(*words).stdout)["muscles"]
        return {"held": all(told[name]["stands"] and told[name]["sim_s_per_cpu_s"] >= least
                            for name, least in FASTEST_OVER_REAL_TIME.items()), "sets": told}
    begun = time.process_time()
    try:
        take = simulate(case.shot)
    except LopeError as error:
        return {"held": False, "error": str(error)}
    spent = time.process_time() - begun
    (folder / "takes").mkdir(exist_ok=True)
    take.save(folder / "takes" / f"{case.key}.npz")
    found = study(take).values
    return {"held": not take.fell and take.lost is None and "changed" not in take.stats, "stood_s": found["time_fell_s"]
            or found["duration_s"], "sim_s_per_cpu_s": found["duration_s"] / spent, "card": physics_card(take).grade,
            **{name: found[name] for name in ("met", "cost_of_transport_j_kg_m", "mean_speed_m_s", "activation_peak",
                                              "reserve_nm_rms", "reserve_over_torque")}}


def _python(*args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *args], cwd=ROOT, capture_output=True, text=True)


def measure(case: Measured, args: argparse.Namespace) -> Figures:
    """The figures of a case, kept or made."""
    (result,) = fill([case.what], args.out)
    sets = {f"{name}_{what}": value for name, one in result.pop("sets", {}).items() for what, value in one.items()}
    return {name: value for name, value in (result | sets).items() if name not in ("key", "row", "name")}


def effort(case: Measured, args: argparse.Namespace) -> Figures:
    """The MET of a skill, beside Lee's; of people who walk they are 3."""
    found = measure(case, args)
    met = found["met"] if found["held"] else None
    return {"normal_met" if case.name == "normal" else "met": met, "lee_met": LEE_MET[case.name]}


def in_order(rows: list[Row], args: argparse.Namespace) -> Iterator[Row]:
    """Whether what costs Lee's body more costs this one more; who fell is not ranked."""
    met = {row.case: row.figures.get("met", row.figures.get("normal_met")) for row in rows}
    ranked = [name for name in ("normal", "marching", "leaning", "slow run") if met.get(name) is not None]
    if len(ranked) > 1:
        yield Row(EFFORT, "order", {"order": " < ".join(sorted(ranked, key=met.__getitem__))}, {"order": is_(" < ".join(ranked))})


def named(row: str) -> Callable[[argparse.Namespace], Iterator[tuple[str, Case]]]:
    """The cases of a row by their names."""
    return lambda args: ((case.name, case) for case in cases([row], args.seconds) if row != EFFORT or case.name in LEE_MET)


def options(parser: argparse.ArgumentParser) -> None:
    """The suite's own."""
    parser.add_argument("--seconds", type=float, default=60.0, help="of each skill (default: %(default)g)")
    parser.add_argument("--out", type=Path, default=Path("out/muscles"), help="default: %(default)s")


HELD = {"held": is_(True)}
SUITE = Suite({row: Table(named(row), measure, HELD) for row in (CURVES, SPEED, SKILLS, PUSHES)} | {
    EFFORT: Table(named(EFFORT), effort, {"normal_met": within(*MET_RANGE)}, end=in_order)}, options,
    {"seconds": 3.0, "only": ["curves", "normal"]})

# SPDX-License-Identifier: GPL-3.0-or-later
"""`lope tune --creature`: search a creature's gait for a speed in a world, a quick one or one by muscles."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..errors import InputError
from ..gaits.remedy import much_slower
from ..options.outputs import check_output
from ..options.shot_options import shot_from
from ..progress import Progress
from .outcome import DONE, FELL, STOPPED, Outcome, table

MINUTES, MUSCLED_MINUTES = 5.0, 120.0
NOT_OF_CREATURES = ("gains", "gains_file", "dask", "until", "key", "steer", "push", "after", "path")


def add_creature_search_options(search: argparse._ArgumentGroup) -> None:
    """--by-muscles and --minutes."""
    search.add_argument("--by-muscles", action="store_true",
                        help="with --creature: search the gait by muscles, which takes hours where a quick one takes minutes")
    search.add_argument("--minutes", type=float, metavar="M",
                        help=f"with --creature: processor time at most (default: {MINUTES:g}, by muscles {MUSCLED_MINUTES:g}); "
                             "it ends as soon as a gait is as asked")


def checkpoint_of(args: argparse.Namespace, out: Path) -> Path:
    """Where a search whose result goes to `out` keeps what it needs to go on: --checkpoint, or beside the result. Raises
    InputError."""
    return check_output(args, "checkpoint", args.checkpoint or out.with_name(f"{out.stem}.checkpoint.json"), reads=[out])


def tune_creature_from(args: argparse.Namespace) -> Outcome:
    """Search, and write the gait, at the speed that `lope simulate` would take where none is said.
    The report tells what it still lacks of what was asked; the exit code is that of a fall where not all of its starts stand.
    Raises InputError."""
    from ..bodies.makers import make_body
    from ..controllers.creature.controller import asked_speed_m_s
    from ..controllers.creature.search import Plan
    from ..tuning.creature import CreatureProblem, CreatureSearch, tune_creature
    from ..tuning.search import SearchSettings

    lost = [f"--{name.replace('_', '-')}" for name in NOT_OF_CREATURES if getattr(args, name, None)]
    if lost:
        raise InputError("A creature's gait is searched as a whole, straight on, a generation in one batch on this machine: "
                         f"leave {', '.join(lost)} out.")
    if args.out is None:
        raise InputError("Say with --out FILE.json where the creature's gait that is found goes; the file's name is its name.")
    minutes = args.minutes if args.minutes is not None else MUSCLED_MINUTES if args.by_muscles else MINUTES
    if not 0.0 < minutes <= 10000.0:
        raise InputError(f"--minutes must lie between 0 and 10000, got {minutes:g}.")
    shot, usual = shot_from(args), SearchSettings()
    if shot.body.creature is None:
        raise InputError("Only a creature's gait is searched so: name one with --creature.")
    given, plan, searcher = {}, Plan(), CreatureSearch
    if args.by_muscles:
        from ..tuning.creature_muscles import POPULATION, SIGMA, CreatureMuscleSearch

        plan, searcher = replace(plan, population=POPULATION, sigma=SIGMA), CreatureMuscleSearch
    for name in ("population", "sigma"):  # what was not asked for is as these searches have it
        value = getattr(args, name)
        given[name] = getattr(plan, name) if value == getattr(usual, name) else value
    generations = plan.generations if args.iterations == usual.iterations else args.iterations
    plan = Plan(generations=generations, minutes=minutes, seed=args.seed or plan.seed, **given)
    if plan.sigma > 1.0:
        raise InputError(f"--sigma must lie between 0 and 1 with --creature, got {plan.sigma:g}.")
    out = check_output(args, "out")
    progress = Progress(sys.stderr, args.json)

    def says(sentence: str) -> None:
        progress.close()
        print(sentence, file=sys.stderr, flush=True)

    try:
        result = tune_creature(
            CreatureProblem(shot.body, shot.world, asked_speed_m_s(shot, make_body(shot.body)),
                            start=shot.creature if args.creature_gait else None),
            plan, searcher=searcher, out=out, resume=args.resume, threads=args.workers, callback=progress, says=says,
            checkpoint=checkpoint_of(args, out))
    finally:
        progress.close()
    print(f"Gait written to {out}. {ending(result.report, out)}", file=sys.stderr)
    code = STOPPED if result.stopped else DONE if _stands(result.report) else FELL
    return Outcome(result.report, table(result.report), code)


def ending(report: Mapping[str, Any], out: Path) -> str:
    """In a sentence or two how good the gait is that a search wrote to `out`, and what to do where it is not as asked."""
    stood, starts = report["stood"], report["starts"]
    lacks = [name for name in report["lacks"] if name != "standing"]
    if _stands(report):
        if not lacks:
            return f"It stands from all {starts} starts, as asked."
        return f"It stands from all {starts} starts, and lacks {', '.join(lacks)}: go on with --resume and more --minutes."
    if not starts:
        how = "It was stopped before any long trial"
    elif not stood:
        how = f"It falls from every one of {starts} starts"
    else:
        how = f"It falls from {starts - stood} of {starts} starts"
    return (f"{how}: {out.name} holds the best there is. Go on with --resume and more --minutes, or search a slower gait: "
            f"{much_slower(report['speed_asked_m_s'])}, without --resume.")


def _stands(report: Mapping[str, Any]) -> bool:
    """Whether it stands from every start."""
    return 0 < report["starts"] == report["stood"]

# SPDX-License-Identifier: GPL-3.0-or-later
"""`lope tune --creature`: search a creature's quick gait for a speed in a world."""

from __future__ import annotations

import argparse
import sys

from ..errors import InputError
from ..options.outputs import check_output
from ..options.shot_options import shot_from
from ..progress import Progress
from .outcome import DONE, FELL, STOPPED, Outcome, table

MINUTES = 5.0
NOT_OF_CREATURES = ("gains", "gains_file", "dask", "until", "key", "steer", "push", "after", "path")


def add_creature_search_options(search: argparse._ArgumentGroup) -> None:
    """--minutes."""
    search.add_argument("--minutes", type=float, default=MINUTES, metavar="M",
                        help="with --creature: processor time at most (default: %(default)g); it ends as soon as a gait "
                             "is as asked")


def tune_creature_from(args: argparse.Namespace) -> Outcome:
    """Search, and write the gait. The report tells what it still lacks of what was asked, if anything; then the exit code is that
    of a fall where not all of its starts stand. Raises InputError."""
    from ..controllers.creature.search import Plan
    from ..tuning.creature import CreatureProblem, tune_creature
    from ..tuning.search import SearchSettings

    lost = [f"--{name.replace('_', '-')}" for name in NOT_OF_CREATURES if getattr(args, name, None)]
    if lost:
        raise InputError("A creature's gait is searched as a whole, straight on, a generation in one batch on this machine: "
                         f"leave {', '.join(lost)} out.")
    if args.out is None:
        raise InputError("Say with --out FILE.json where the creature's gait that is found goes; the file's name is its name.")
    if not 0.0 < args.minutes <= 10000.0:
        raise InputError(f"--minutes must lie between 0 and 10000, got {args.minutes:g}.")
    shot, usual = shot_from(args), SearchSettings()
    if shot.body.creature is None:
        raise InputError("Only a creature's gait is searched so: name one with --creature.")
    given, plan = {}, Plan()
    for name in ("population", "sigma"):  # what was not asked for is as these searches have it
        value = getattr(args, name)
        given[name] = getattr(plan, name) if value == getattr(usual, name) else value
    generations = plan.generations if args.iterations == usual.iterations else args.iterations
    plan = Plan(generations=generations, minutes=args.minutes, seed=args.seed or plan.seed, **given)
    if plan.sigma > 1.0:
        raise InputError(f"--sigma must lie between 0 and 1 with --creature, got {plan.sigma:g}.")
    out = check_output(args.out)
    progress = Progress(sys.stderr, args.json)

    def says(sentence: str) -> None:
        progress.close()
        print(sentence, file=sys.stderr, flush=True)

    try:
        result = tune_creature(
            CreatureProblem(shot.body, shot.world, shot.speed_m_s, start=shot.creature if args.creature_gait else None), plan,
            out=out, resume=args.resume, threads=args.workers, callback=progress, says=says,
            checkpoint=check_output(args.checkpoint or out.with_name(f"{out.stem}.checkpoint.json")))
    finally:
        progress.close()
    print(f"Gait written to {out}.", file=sys.stderr)
    code = STOPPED if result.stopped else FELL if "standing" in result.report["lacks"] else DONE
    return Outcome(result.report, table(result.report), code)

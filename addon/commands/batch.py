# SPDX-License-Identifier: GPL-3.0-or-later
"""`lope batch`: a whole shot list: simulated, baked, rendered, reported; stopped and begun again without losing anything."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from ..errors import InputError
from ..progress import Progress
from .outcome import DONE, FELL, LOST, Outcome, add_dask_option, add_patience_option, dask_pool, patience_s, stop_at_sigterm

if TYPE_CHECKING:
    from ..batch.plan import Plan
    from ..batch.runner import Elsewhere
    from ..farm.dask_pool import DaskPool


EXAMPLE = """examples:
  lope batch night.toml --dry-run     what would be done, and how long it will take
  lope batch night.toml               do it; after a stop or a change of the list, again: only what is missing is done
  lope batch night.toml --status      how every shot stands
  lope batch night.toml --flamenco    the same as a job for a render farm

Exit codes here: 0 all shots passed, 1 a character fell or stands under the list's min_card, 2 a shot or the list cannot be
done as it stands, 4 the physics engine lost a simulation."""
SHEET = "sheet"
STAGES = ("rig", "simulate", "report", "bake", "render", SHEET)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("list", nargs="?", metavar="LIST", help="a .toml or .json file")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--dry-run", action="store_true", help="only say what would be done and how long it will take")
    what.add_argument("--status", action="store_true", help="only say how every shot stands")
    what.add_argument("--stage", choices=STAGES, help="do this one stage, as a farm's tasks do, without the list's lock and "
                      "state; with --only, but for the sheet of all shots (docs/farm.md)")
    what.add_argument("--flamenco", action="store_true", help="only print the list as a job for the render farm Flamenco "
                      "(docs/farm.md)")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="only this shot; may be repeated")
    parser.add_argument("--workers", type=int, default=cores(), metavar="N",
                        help="simulations at the same time (default: all cores, %(default)s)")
    add_dask_option(parser, "simulate")
    add_patience_option(parser, "a stage of which nothing is heard for so long hangs: it is ended and has failed; one picture "
                        "may take so long")
    parser.add_argument("--redo", action="store_true", help="do everything anew, also what is done")


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run(args: argparse.Namespace) -> Outcome:
    """Do, show or predict; the report holds every shot's verdict."""
    if args.list is None:
        raise InputError("Give the shot list, a .toml or .json file (`lope batch --help`).")
    if args.workers < 1:
        raise InputError(f"--workers must be 1 or more, got {args.workers}.")
    patience_s(args)
    from ..batch.plan import plan_list
    from ..batch.shot_list import read_list

    plan = plan_list(read_list(args.list), args.only)
    if args.stage is not None:
        return _one_stage(args, plan)
    if args.flamenco:
        return _flamenco(plan)
    if args.dry_run:
        from ..batch.status import dry_run

        return Outcome(*dry_run(plan, args.workers, args.redo))
    if args.status:
        from ..batch.status import status

        return Outcome(*status(plan))
    return _work_off(args, plan)


def _work_off(args: argparse.Namespace, plan: Plan) -> Outcome:
    """The batch itself."""
    from ..batch.runner import Runner
    from ..batch.state import held
    from ..batch.status import result

    stop_at_sigterm()  # so that children end and the state says so, as with Ctrl-C
    with dask_pool(args.dask) as pool, held(plan.list.path, plan.list.out) as state:
        with Progress(sys.stderr) as progress:
            tell = _tell_json if args.json else _teller(progress)
            Runner(plan, state, args.workers, tell, _elsewhere(pool), patience_s(args)).run(args.redo)
        return Outcome(*result(plan, state))


def _elsewhere(pool: DaskPool | None) -> Elsewhere | None:
    """What makes stations that simulate on a farm; None without one."""
    if pool is None:
        return None
    from ..farm.dask_station import stations

    return partial(stations, pool)


def _one_stage(args: argparse.Namespace, plan: Plan) -> Outcome:
    """One stage without the state."""
    from ..batch.verdict import LOST as LOST_WORD
    from ..farm.one_stage import run_sheet, run_stage

    with Progress(sys.stderr, args.json) as progress:
        if args.stage == SHEET:
            made = run_sheet(plan, progress, patience_s(args))
            return Outcome({"sheet": str(made)}, f"The sheet of all shots is written to {made}.")
        if len(plan.shots) != 1 or not args.only:
            raise InputError("--stage does one stage of one shot: name the shot with --only.")
        shot = plan.shots[0]
        against = run_stage(shot, args.stage, progress, patience_s(args))
    report = {"shot": shot.name, "stage": args.stage, "word": "done" if against is None else against[0]}
    return Outcome(report, f"{shot.name}: {args.stage} is done." if against is None else f"{shot.name}: {against[1]}",
                   DONE if against is None else LOST if against[0] == LOST_WORD else FELL)


def _flamenco(plan: Plan) -> Outcome:
    """The job for Flamenco."""
    from ..farm.one_stage import flamenco_job, left_out

    job = flamenco_job(plan)
    for sentence in left_out(plan):
        print(sentence, file=sys.stderr)
    return Outcome(job, json.dumps(job, indent=2))


def _tell_json(event: dict[str, Any]) -> None:
    """An event as one line."""
    print(json.dumps(event), file=sys.stderr, flush=True)


def _teller(progress: Progress) -> Callable[[dict[str, Any]], None]:
    """Events for people: on a terminal a bar over everything with the latest news, elsewhere a line for every stage."""
    def tell(event: dict[str, Any]) -> None:
        kind = event["event"]
        if kind in ("begin", "progress"):
            return
        news = f"{event['shot']}: {event['stage']} {'done' if kind == 'done' else 'failed: ' + event['sentence']}"
        share = event.get("ended", 0) / max(1, event.get("stages", 1))
        if progress.terminal and kind == "done":
            progress(share, news)
        else:
            progress.close()
            print(f"{100.0 * share:3.0f} %  {news}", file=sys.stderr, flush=True)

    return tell

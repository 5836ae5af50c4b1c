# SPDX-License-Identifier: GPL-3.0-or-later
"""`lope tune`: search the foot displacement map of a gait in a world, a controller's gains for one clip, or with --gains the
controller's own gains. `lope tune --creature`: search a creature's gait for a speed in a world, a quick one or one by muscles."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import InputError
from ..files import write_whole
from ..gaits.remedy import much_slower
from ..options.body_options import body_from
from ..options.outputs import check_output
from ..options.shot_options import add_shot_options, held, shot_from
from ..progress import Progress
from ..specs.motions import REFLEX, Clip, Creature
from .outcome import (
    DONE,
    FELL,
    STOPPED,
    Outcome,
    add_dask_option,
    add_patience_option,
    dask_pool,
    patience_s,
    stop_at_sigterm,
    table,
)

if TYPE_CHECKING:
    from ..search.search import Plan, Result, Run
    from ..specs.muscles import Condition
    from ..specs.pose_gait import PoseGait
    from ..specs.shot import BodySpec, Shot


NOT_OF_CREATURES = ("gains", "gains_file", "dask", "until", "key", "steer", "after", "path")


def add_creature_search_options(search: argparse._ArgumentGroup) -> None:
    """--by-muscles and --minutes."""
    search.add_argument("--by-muscles", action="store_true",
                        help="with --creature: search the gait by muscles, which takes hours where a quick one takes minutes")
    search.add_argument("--minutes", type=float, metavar="M",
                        help="with --creature: processor time at most (default: 5, by muscles 120); it ends as soon as a gait is "
                             "as asked")


@contextmanager
def running(args: argparse.Namespace, plan: Plan, out: Path, *, beside: Path | None = None,
            executor: Executor | None = None) -> Iterator[Run]:
    """How a search runs whose result goes to `out`: what it needs to go on is kept in --checkpoint, or `beside` the result, and
    progress is told on standard error. Raises InputError."""
    from ..search.search import Run

    beside = beside or out
    kept = check_output(args, "checkpoint", args.checkpoint or beside.with_name(f"{beside.stem}.checkpoint.json"), reads=[out])
    with Progress(sys.stderr, args.json) as progress:

        def says(sentence: str) -> None:
            progress.close()
            print(sentence, file=sys.stderr, flush=True)

        yield Run(plan, out, kept, args.resume, progress, executor, says)


def outcome(result: Result, words: str, code: int = DONE) -> Outcome:
    """What came of a search, its words on standard error."""
    print(words, file=sys.stderr)
    return Outcome(result.report, table(result.report), STOPPED if result.stopped else code)


def _tune_creature(args: argparse.Namespace, plan: Plan) -> Outcome:
    """Search a creature's gait at the speed that `lope simulate` would take where none is said. The report tells what it still
    lacks of what was asked; the exit code is a fall's where not all starts stand. Raises InputError."""
    from ..bodies.makers import make_body
    from ..locomotion.creature.controller import asked_speed_m_s
    from ..search.creature import CreatureMuscleSearch, CreatureProblem, CreatureSearch, tune_creature

    lost = [f"--{name.replace('_', '-')}" for name in NOT_OF_CREATURES if getattr(args, name, None)]
    if lost:
        raise InputError("A creature's gait is searched as a whole, straight on, a generation in one batch on this machine: "
                         f"leave {', '.join(lost)} out.")
    if args.out is None:
        raise InputError("Say with --out FILE.json where the creature's gait that is found goes; the file's name is its name.")
    if args.minutes is not None and not 0.0 < args.minutes <= 10000.0:
        raise InputError(f"--minutes must lie between 0 and 10000, got {args.minutes:g}.")
    args.quick = args.quick or not args.by_muscles  # the speed of the stored gait of the kind that is searched
    shot = shot_from(args)
    if shot.body.creature is None:
        raise InputError("Only a creature's gait is searched so: name one with --creature.")
    searcher = CreatureMuscleSearch if args.by_muscles else CreatureSearch
    plan = _asked(plan, searcher.usual, args)
    if plan.sigma > 1.0:
        raise InputError(f"--sigma must lie between 0 and 1 with --creature, got {plan.sigma:g}.")
    out = check_output(args, "out")
    problem = CreatureProblem(shot.body, shot.world, asked_speed_m_s(shot, make_body(shot.body)), shot.pushes,
                              start=shot.motion_as(Creature).gait if args.creature_gait else None)
    with running(args, plan, out) as run:
        result = tune_creature(problem, run, searcher=searcher)
    return outcome(result, f"Gait written to {out}. {ending(result.report, out)}", DONE if _stands(result.report) else FELL)


def _asked(plan: Plan, usual: Plan, args: argparse.Namespace) -> Plan:
    """A plan in which what was not asked for is as such searches usually have it."""
    standard = type(plan)()
    kept = {name: getattr(usual, name) for name in ("generations", "population", "sigma")
            if getattr(plan, name) == getattr(standard, name)}
    return replace(plan, **kept, seed=plan.seed or usual.seed, minutes=usual.minutes if args.minutes is None else args.minutes)


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


EXAMPLE = """examples:
  lope tune --gait walk --world moon
  lope tune --gait walk --world jupiter --iterations 100 --resume
  lope tune --gait walk --world moon --until 0.876 --out walk-moon.json
  lope tune --gait walk --world mars --objective effort
  lope tune --gains --out gains.json
  lope tune --pose-gait march --speed 0.8 --out brisk.json
  lope tune --pose-gait walk --learn --firmness 0.5 --out easy.json
  lope tune --controller lee --follow march.bvh
  lope tune --gait reflex --speed 1.2 --out mine.json
  lope tune --gait reflex --world mars --objective effort --out mars.json
  lope tune --creature ostrich --speed 1.2 --out ostrich_fast.json
  lope tune --creature ostrich --world moon --minutes 3 --out ostrich_moon.json
  lope tune --gait walk --world moon --population 24 --dask tcp://192.168.0.7:8786

Ctrl-C keeps the best so far; --resume goes on from there. The map is stored with the gait, the gains of a clip beside it by
what is in the clip; both are used from then on.
--seconds does not count here: a map is tried over its first strides (--strides), a reflex walker over 8 s."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from ..search.gait_cost import GAIT, OBJECTIVES, CostWeights
    from ..search.search import Plan

    add_shot_options(parser)
    search, defaults = parser.add_argument_group("the search"), Plan()
    search.add_argument("--gains", action="store_true", help="tune the controller's gains over many shots instead")
    search.add_argument("--objective", choices=tuple(OBJECTIVES), default=GAIT, help="what is sought: a gait near to its "
                        "reference, or one that costs little effort a metre, by the metabolic rate of muscles where they move "
                        "the body, else by the joints' work (default: %(default)s)")
    search.add_argument("--iterations", type=int, default=defaults.generations, metavar="N", help="default: %(default)s")
    search.add_argument("--population", type=int, default=defaults.population, metavar="N", help="default: %(default)s")
    search.add_argument("--until", type=float, metavar="COST", help="end as soon as a cost is this low (default: when nothing "
                        "comes any more)")
    search.add_argument("--sigma", type=float, default=defaults.sigma, metavar="X",
                        help="first step, in units of 2 %% of the leg (default: %(default)g)")
    search.add_argument("--workers", type=int, default=os.cpu_count() or 1, metavar="N",
                        help="processes; the result does not depend on them (default: all cores, %(default)s)")
    add_dask_option(search, "try")
    add_patience_option(search, "with --dask: where no trial is answered for so long, a worker hangs and the search ends")
    search.add_argument("--strides", type=int, default=10, metavar="N", help="that a trial lasts (default: %(default)s)")
    search.add_argument("--out", metavar="FILE.json", help="where the result goes (default: the gait's own tuning)")
    search.add_argument("--checkpoint", metavar="FILE.json", help="default: beside the result")
    add_creature_search_options(search)
    search.add_argument("--resume", action="store_true", help="go on from the checkpoint where there is one")
    for weight in fields(CostWeights):
        own = ", ".join(f"{getattr(weights, weight.name):g} for {name}" for name, weights in OBJECTIVES.items())
        search.add_argument(f"--weight-{weight.name}", type=float, metavar="X", help=f"of this term of the cost (default: {own})")


def run(args: argparse.Namespace) -> Outcome:
    """Search and store; the report holds the costs before and after and the result."""
    from ..search.gait_cost import GAIT
    from ..search.search import Plan

    for name, least in (("iterations", 1), ("population", 4), ("workers", 1), ("strides", 3)):
        if getattr(args, name) < least:
            raise InputError(f"--{name} must be {least} or more, got {getattr(args, name)}.")
    if not 0.0 < args.sigma <= 2.0:
        raise InputError(f"--sigma must lie between 0 and 2, got {args.sigma:g}.")
    if args.until is not None and not args.until >= 0.0:
        raise InputError(f"--until must be a cost of 0 or more, got {args.until:g}.")
    if args.gait != REFLEX and args.objective != GAIT and (args.gains or args.follow is not None or args.action is not None):
        raise InputError(f"The objective {args.objective} is for a gait's foot paths and for gaits from key poses: gains are "
                         "searched for robustness, and of a clip for its likeness. Leave --objective out.")
    stop_at_sigterm()  # the best so far is kept, and no worker goes on
    plan = Plan(args.iterations, args.population, args.sigma, args.seed, args.workers, args.until, patience_s=patience_s(args))
    if getattr(args, "creature", None) is not None:
        return _tune_creature(args, plan)
    if args.gait == REFLEX:
        return _tune_reflex(args, plan)
    with dask_pool(args.dask) as executor:
        if args.pose_gait is not None:
            return _tune_pose_gait(args, plan, executor)
        if args.follow is not None or args.action is not None:
            return _tune_clip(args, plan, executor)
        return _tune_gains(args, plan, executor) if args.gains else _tune_map(args, plan, executor)


def _tune_pose_gait(args: argparse.Namespace, plan: Plan, executor: Executor | None) -> Outcome:
    """Search around a gait from key poses."""
    from ..gaits.pose_gaits import load_pose_gait
    from ..search.pose_gait import tune_pose_gait

    if args.gains or args.out is None:
        raise InputError("A gait from key poses is searched as a whole: leave --gains out, and say with --out FILE.json where "
                         "the gait that is found goes; the file's name is its name.")
    body = body_from(args)
    gait, out = held(load_pose_gait(args.pose_gait, body.kind), args), check_output(args, "out")
    if args.speed is not None:
        gait = replace(gait, speed_m_s=args.speed)
    if args.learn:
        return _learn(replace(gait, learning=load_pose_gait(args.pose_gait, body.kind).learning), body, out, args.json)
    with running(args, plan, out, executor=executor) as run:
        return outcome(tune_pose_gait(gait, run, args.objective), f"Gait written to {out}.")


def _tune_reflex(args: argparse.Namespace, plan: Plan) -> Outcome:
    """Search a reflex walker for a speed, or for the one that effort chooses."""
    from ..bodies.makers import make_body
    from ..locomotion.reflex.controller import scaled
    from ..locomotion.reflex.walkers import USUAL_M_S, walker_of
    from ..search.gait_cost import EFFORT
    from ..search.reflex import ReflexProblem, tune_reflex
    from ..specs.shot import NO_SUIT, SAGITTAL, BodySpec

    shot = shot_from(args).with_motion(force=True)
    lost = [f"--{name}" for name in ("gains", "gains_file", "dask") if getattr(args, name)]
    if args.out is None:
        raise InputError("Say with --out FILE.json where the reflex walker that is found goes; the file's name is its name.")
    if lost or shot.body.kind not in (BodySpec().kind, SAGITTAL) or shot.suit != NO_SUIT:
        raise InputError("A reflex walker is searched as a whole, for a human without a suit, a generation in one batch on this "
                         f"machine: leave {', '.join(lost) or 'the other body'} out.")
    free = args.objective == EFFORT and shot.motion.speed_m_s is None
    body = make_body(shot.body)
    walker, _ = walker_of(shot, body)
    gravity = shot.world.gravity_m_s2
    problem = ReflexProblem(shot.world, None if free else shot.motion.speed_m_s or USUAL_M_S, scaled(
        walker.parameters, gravity, walker.gravity_m_s2, body.leg_length_m, walker.leg_length_m), shot.body, shot.condition)
    out = check_output(args, "out")
    with running(args, plan, out) as run:
        return outcome(tune_reflex(problem, run, f"lope tune, from {walker.name}, {'effort alone' if free else 'for its speed'}"),
                       f"Walker written to {out}.")


def _learn(gait: PoseGait, body: BodySpec, out: Path, quiet: bool) -> Outcome:
    """Let a gait from key poses learn, and write it with what it has learned."""
    from ..gaits.tuned_maps import write_json
    from ..search.pose_gait import learn
    from ..specs.pose_gait import pose_gait_file

    with Progress(sys.stderr, quiet) as progress:
        found, report = learn(gait, body, progress)
    found = replace(found, name=out.stem, source=f"{gait.source}; learned")
    write_json(out, pose_gait_file(found))
    print(f"Gait written to {out}.", file=sys.stderr)
    return Outcome(report, table(report), DONE)


def _tune_map(args: argparse.Namespace, plan: Plan, executor: Executor | None) -> Outcome:
    """Tune the displacement map of one gait in one world."""
    from ..search.gait_cost import CostWeights, weights_for
    from ..search.maps import tune_map

    if args.motion is not None:
        raise InputError("Maps are tuned for built-in gaits: fit yours with scripts/tools/fit_gait.py, then give --gait.")
    given = {f.name: getattr(args, f"weight_{f.name}") for f in fields(CostWeights)}
    weights = replace(weights_for(args.objective), **{name: value for name, value in given.items() if value is not None})
    negative = next((f.name for f in fields(weights) if not getattr(weights, f.name) >= 0.0), None)
    if negative is not None:
        raise InputError(f"--weight-{negative} must be 0 or more, got {getattr(weights, negative):g}.")
    shot = _with_gait(shot_from(args))
    out = check_output(args, "out", args.out or _own_file(shot.motion.name, shot.condition))
    beside = out.with_stem(f"{out.stem}-{shot.world.gravity_m_s2:g}")
    with running(args, plan, out, beside=beside, executor=executor) as run:
        return outcome(tune_map(shot, run, strides=args.strides, weights=weights), f"Map written to {out}.")


def _with_gait(shot: Shot) -> Shot:
    """The shot with its gait by name; of one that was chosen it is said which, and why."""
    from ..bodies.of_shot import shot_body
    from ..gaits.choice import is_suited, shot_choice, with_gait

    body = shot_body(shot)
    choice = shot_choice(shot, body.leg_length_m, is_suited(body))
    if choice is not None:
        print(f"The gait tuned here is {choice.gait}: {choice.words}.", file=sys.stderr)
    return with_gait(shot, body)


def _own_file(gait: str, condition: Condition | None = None) -> Path:
    """Where a gait's maps are stored without --out: a user's own file goes before the shipped one and begins as it."""
    from ..gaits.tuned_maps import TUNING_FOLDER, file_name, tuning_file
    from ..specs.settings import TUNED_FOLDER, named_file

    name = file_name(gait, condition)
    folder, shipped = os.environ.get(TUNED_FOLDER), named_file(TUNING_FOLDER, "gait", name)
    if not folder:
        return tuning_file(gait, condition)
    own = check_output(argparse.Namespace(), "out", named_file(Path(folder), "gait", name))
    if not own.is_file() and shipped.is_file():
        write_whole(own, shipped.read_bytes(), "tuning result")
    return own


def _tune_clip(args: argparse.Namespace, plan: Plan, executor: Executor | None) -> Outcome:
    """Tune a controller's gains to the clip that is followed."""
    from ..locomotion.motion_gains import clip_digest, motion_file
    from ..search.gains import tune_clip

    shot = shot_from(args)
    clip, database = (shot.motion.file, shot.motion.database) if isinstance(shot.motion, Clip) else ("", None)
    out = check_output(args, "out", args.out or motion_file(shot.controller, clip, database))
    with running(args, plan, out, executor=executor) as run:
        told = {"clip": Path(clip).name, "clip_sha256": clip_digest(clip, database)}
        return outcome(tune_clip(shot, run, told), f"Gains written to {out}.")


def _tune_gains(args: argparse.Namespace, plan: Plan, executor: Executor | None) -> Outcome:
    """Tune the controller's gains over many shots."""
    from ..search.gains import tune_gains

    if args.out is None:
        raise InputError("--gains needs --out FILE.json: the gains are not taken over by themselves; `lope simulate "
                         "--gains-file FILE.json` uses them.")
    if args.gains_file is not None:
        raise InputError("--gains searches from the shipped gains: leave --gains-file out.")
    shot, out = shot_from(args), check_output(args, "out")
    with running(args, plan, out, executor=executor) as run:
        return outcome(tune_gains(_with_gait(shot).motion.name, run, shot.controller), f"Gains written to {out}.")

# SPDX-License-Identifier: GPL-3.0-or-later
"""`lope simulate`: a shot in, a take and its measures out."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Mapping
from typing import Any

from ..gaits.remedy import much_slower
from ..options.motion_options import how_it_goes
from ..options.outputs import check_output, read_by
from ..options.shot_options import add_shot_options, shot_from
from ..progress import Progress
from ..specs.motions import Creature, Gait
from ..specs.shot import BodySpec, Shot
from .outcome import DONE, FELL, LOST, Outcome, table

EXAMPLE = """examples:
  lope simulate --gait walk --world moon --seconds 10 --out moon.npz
  lope simulate --creature ostrich --speed 1.2 --out ostrich.npz
  lope simulate --motion walk.bvh --gravity 3.71 --push 4,0.2,0,75,0 --json"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_shot_options(parser)
    add_out(parser)


def add_out(parser: argparse.ArgumentParser) -> None:
    """--out."""
    parser.add_argument("--out", metavar="TAKE.npz", help="where to write the take (default: it is only measured)")


def run(args: argparse.Namespace) -> Outcome:
    """Simulate the shot that the options describe; the report holds the measures of docs/measures.md."""
    shot = shot_from(args)
    if told := how_it_goes(args, shot):
        print(told, file=sys.stderr)
    return outcome_of(shot, args)


def outcome_of(shot: Shot, args: argparse.Namespace) -> Outcome:
    """The outcome of a shot, its take written where `args.out` says."""
    out = None if args.out is None else check_output(args, "out", reads=read_by(shot))
    warn_of_legs(shot.body)
    told = not_promised(shot)
    if told is not None:
        print(f"{told}.", file=sys.stderr)
    from ..reports.card import physics_card
    from ..reports.effort import muscle_rows, muscle_table
    from ..reports.hits import hit_rows, hit_sentences
    from ..reports.measures import study, units_of
    from ..reports.retry import attempt

    cpu_s = time.process_time()
    with Progress(sys.stderr, args.json) as progress:
        take = attempt(shot, progress=progress)
    cpu_s = time.process_time() - cpu_s
    found = study(take)
    report = {name: found.values[name] for name in units_of(take)}
    report["sim_s_per_cpu_s"] = report["duration_s"] / cpu_s if cpu_s > 0.0 else None
    report |= hit_rows(take) | ({} if told is None else {"not_promised": told})
    if out is not None:
        take.save(out)
        print(f"Take written to {out}.", file=sys.stderr)
    if take.stats.get("changed"):
        report["changed"] = take.stats["changed"]
        print(take.stats["changed"], file=sys.stderr)
    if take.lost is not None:
        print(f"{take.lost} That is no fall of the character: try another engine, or a gentler shot.", file=sys.stderr)
    elif take.fell:
        then = "" if take.broken_off else f" It is simulated on to {take.time_s[-1]:.2f} s."
        if report["time_rest_s"] is not None:
            then = f" It lies still after {report['time_rest_s']:.2f} s."
        if "got_up" in report:
            then += f" {got_up(report)}"
        print(f"The character fell after {report['time_fell_s']:.2f} s.{then}", file=sys.stderr)
        if slower := slower_creature(shot):
            print(slower, file=sys.stderr)
    for sentence in hit_sentences(take):
        print(sentence, file=sys.stderr)
    card = physics_card(take, found)
    if card.undone:
        report["undone"] = list(card.undone)
        print(f"Not done as asked: {'; '.join(card.undone)}.", file=sys.stderr)
    print(card.short(), file=sys.stderr)
    text = "\n\n".join(filter(None, (table(report, units_of(take)), muscle_table(take))))
    code = LOST if take.lost is not None else FELL if take.broken_off or card.undone else DONE
    return Outcome(report | muscle_rows(take), text, code)


def got_up(report: Mapping[str, Any]) -> str:
    """How somebody got up, in a sentence."""
    if not report["got_up"]:
        return "It did not get up."
    again = "" if not report["retries"] else f" at try {report['retries'] + 1}"
    return f"It got up in {report['time_up_s']:.1f} s{again}."


def slower_creature(shot: Shot) -> str:
    """What helps a creature that fell and has no gait that was searched for it; empty for one that has, and for people."""
    gait = shot.motion.gait if isinstance(shot.motion, Creature) else None
    if shot.body.creature is None or (gait is not None and gait.creature == shot.body.creature.name):
        return ""
    from ..bodies.makers import make_body
    from ..locomotion.creature.controller import asked_speed_m_s

    speed = asked_speed_m_s(shot, make_body(shot.body))
    return (f"At {speed:.2f} m/s it has no gait of its own: try {much_slower(speed)}, or search it a gait with "
            "lope tune --creature.")


def not_promised(shot: Shot) -> str | None:
    """Of a shot that goes by a gait: in what its body is unlike those that were tried, and what such bodies do."""
    if not isinstance(shot.motion, Gait) or shot.motion.file is not None or shot.body.landmarks is None:
        return None
    from ..bodies.human.suit import load_suit
    from ..bodies.makers import make_body
    from ..gaits.ranges import unlike

    return unlike(make_body(shot.body, load_suit(shot.suit)))


def warn_of_legs(body: BodySpec) -> None:
    """Say where a body rests with its legs far from under it."""
    from ..bodies.human.tree import legs_away

    legs = None if body.landmarks is None else legs_away(body.landmarks)
    if legs is not None:
        print(f"The body's legs are not under it at rest: its feet are {abs(legs.feet_m):.2f} m "
              f"{'ahead of' if legs.feet_m > 0.0 else 'behind'} its hips. It will hardly stand or walk; `lope doctor --blend` "
              "says what to do.", file=sys.stderr)

# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether the bodies of a zoo of rigs (scripts/tools/make_zoo.py) do as asked in every gait under every gravity, by default.
No bake.

    scripts/check stands ZOO --bodies BODIES.json                     read the zoo's bodies, each once
    scripts/check stands BODIES.json [--keep OUT.jsonl] [--only WORD ...] [--gaits ...] [--worlds ...] [--held yes|no]

Every third body is held back (`held`), for judging what was tuned on the others. A body that is another one again, whatever its
rest pose and its names, is left out; `auto` is the gait that it chooses. A default shot that falls is tried again, as in the
panel: `first_s` is when the first one fell, `promised` whether its speed was. With `--keep` a row that stands there is not run
again. """

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from lope.addon.bodies.makers import make_body
from lope.addon.errors import LopeError
from lope.addon.files import write_whole
from lope.addon.gaits.choice import with_gait
from lope.addon.gaits.ranges import OWN_SLACK, promised_range
from lope.addon.reports.card import physics_card
from lope.addon.reports.retry import attempt
from lope.addon.specs.motions import AUTO, PEOPLE, Gait
from lope.addon.specs.shot import BodySpec, Shot
from lope.addon.worlds.planets import load_world
from lope.scripts.suites.runner import STANDS, Case, Figures, Row, Suite, Table, is_, simulated
from lope.scripts.tools.common import leave

GAITS = ("walk", "run", "lope", "skip", "hop", "auto")
SECONDS = 10.0
"""Length of a shot: the default's."""
SAME = 0.005
"""Bodies whose joints are so near in the neutral pose, over height, and whose legs are as long within this share, are one."""


def bodies(args: argparse.Namespace) -> None:
    """Read the bodies of a zoo, each once, where that is asked for, and end."""
    if args.bodies is None:
        return
    import bpy  # noqa: F401

    from lope.addon.rigs.read.armature import read_figure
    from lope.addon.rigs.shots.open_rig import open_rig

    found: dict[str, dict] = {}
    shapes: dict[str, dict] = {}
    for name, animal in json.loads((args.file / "zoo.json").read_text(encoding="utf-8")).items():
        try:
            figure = read_figure(open_rig(str(args.file / animal["file"]), animal["armature"]))
            spec = figure.body_spec(height_m=None if 0.5 <= figure.height_m <= 3.0 else 1.7)
        except LopeError as error:
            print(f"{name}: {error}")
            continue
        shape = _shape(spec)
        twin = next((other for other, one in shapes.items() if _same(one, shape)), None)
        print(f"{name}: {spec.height_m:.2f} m{f', as {twin}' if twin else ''}", flush=True)
        if twin is None:
            shapes[name] = shape
            found[name] = {"height_m": spec.height_m, "landmarks": spec.landmarks}
    for i, one in enumerate(found.values()):
        one["held"] = i % 3 == 2
    write_whole(args.bodies, json.dumps(found), "table")
    leave(0)


def _shape(spec: BodySpec) -> dict:
    """Every segment's joint and tip from its parent's joint in the neutral pose [m], and the leg's length."""
    body = make_body(spec)
    parts = {part.name: np.concatenate([part.offset, part.tip]) for part in body.segments}
    return {"leg": np.array([body.leg_length_m]), **parts}


def _same(one: dict, other: dict) -> bool:
    return one.keys() == other.keys() and all(
        float(np.abs(one[key] - other[key]).max()) < SAME * 2.0 * float(one["leg"][0]) for key in one)


def cases(args: argparse.Namespace) -> Iterator[tuple[str, tuple[BodySpec, str]]]:
    """Every body in every gait."""
    for name, one in json.loads(args.file.read_text(encoding="utf-8")).items():
        if args.held is None or one["held"] == (args.held == "yes"):
            body = BodySpec(height_m=one["height_m"], landmarks={k: tuple(v) for k, v in one["landmarks"].items()})
            for gait in args.gaits:
                yield f"{name} {'held' if one['held'] else 'tuned'} {gait}", (body, gait)


def measure(case: Case, args: argparse.Namespace) -> Figures:
    """A shot as the panel makes it."""
    spec, gait = case.what
    place, body = load_world(case.world), make_body(spec)
    if gait == AUTO:
        gait = with_gait(Shot(motion=Gait(AUTO, law=PEOPLE), body=spec, world=place), body).gait
    take, figures = simulated(
        Shot(motion=Gait(gait, law=args.law, speed_m_s=None, retry=True), body=spec, world=place, duration_s=args.seconds),
        case,
        args,
        attempt,
    )
    low, high = promised_range(gait, place.gravity_m_s2, body) or (math.inf, 0.0)
    stats, tries = take.stats, take.stats.get("tries", [])
    first = tries[0] if tries else {"speed_m_s": stats["planned_speed_m_s"], "time_fell_s": stats["time_fell_s"]}
    undone = "; ".join(physics_card(take).undone) or None
    return figures | {"undone": undone, "went": take.shot.motion.name, "first_s": first["time_fell_s"],
                      "own_m_s": first["speed_m_s"],
                      "promised": bool(low / OWN_SLACK <= first["speed_m_s"] <= OWN_SLACK * high),
                      "speed_m_s": stats["planned_speed_m_s"]}


def shares(rows: list[Row], args: argparse.Namespace) -> Iterator[Row]:
    """How many stand by body, gait, world, and of those held back; told, not judged."""
    for place, what in enumerate(("body", "held back or not", "gait", "world")):
        names = dict.fromkeys(row.case.split()[place] for row in rows)
        for name in names:
            mine = [row for row in rows if row.case.split()[place] == name]
            yield Row("stands", f"{what} {name}", {"stand": sum(not row.broken for row in mine), "of": len(mine)})


def options(parser: argparse.ArgumentParser) -> None:
    """The suite's own."""
    parser.add_argument("file", type=Path, metavar="BODIES.json")
    parser.add_argument("--bodies", type=Path, metavar="BODIES.json", help="write the bodies of the zoo, a folder")
    parser.add_argument("--gaits", nargs="*", default=GAITS)
    parser.add_argument("--law", default=PEOPLE)
    parser.add_argument("--held", choices=("yes", "no"), help="only bodies held back, or only the others")
    parser.add_argument("--seconds", type=float, default=SECONDS)


SUITE = Suite({"stands": Table(cases, measure, STANDS | {"undone": is_(None)}, begin=bodies, end=shares)}, options,
              {"gaits": ["walk"], "worlds": ["earth"], "seconds": 3.0}, worlds=("earth", "mars", "moon"), takes=True)

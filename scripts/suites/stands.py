# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether the bodies of a zoo of rigs (scripts/tools/make_zoo.py) stand in every gait under every gravity, by default. No bake.

    scripts/check stands bodies ZOO BODIES.json      the zoo's bodies, each once
    scripts/check stands run BODIES.json OUT.jsonl [--bodies WORD ...] [--gaits ...] [--worlds ...]
    scripts/check stands show OUT.jsonl ...          what fell, by body, gait and world

Every third body is held back (`held`), for judging what was tuned on the others. A body that is another one again,
whatever its rest pose and its names, is left out; `auto` is the gait that it chooses. A default shot that falls is tried again,
as in the panel: `first_s` is when the first one fell. A shot that stands in OUT.jsonl is not run again.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
import time
from collections import Counter
from pathlib import Path

import numpy as np

from lope.addon.bodies.makers import make_body
from lope.addon.errors import LopeError
from lope.addon.files import write_whole
from lope.addon.gaits.choice import with_gait
from lope.addon.gaits.ranges import OWN_SLACK, promised_range
from lope.addon.sim.retry import attempt
from lope.addon.specs.shot import AUTO, PEOPLE, BodySpec, Shot
from lope.addon.worlds.planets import load_world

GAITS = ("walk", "run", "lope", "skip", "hop", "auto")
WORLDS = ("earth", "mars", "moon")
SECONDS = 10.0
"""Length of a shot: the default's."""
SAME = 0.005
"""Bodies whose joints are so near in the neutral pose, over height, and whose legs are as long within this share, are one."""


def bodies(zoo: Path, out: Path) -> int:
    """Read the bodies of a zoo, each once."""
    import bpy  # noqa: F401

    from lope.addon.rigs.read.armature import read_figure
    from lope.addon.rigs.shots.open_rig import open_rig

    found: dict[str, dict] = {}
    shapes: dict[str, dict] = {}
    for name, animal in json.loads((zoo / "zoo.json").read_text(encoding="utf-8")).items():
        try:
            figure = read_figure(open_rig(str(zoo / animal["file"]), animal["armature"]))
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
    write_whole(out, json.dumps(found), "table")
    sys.stdout.flush()
    os._exit(0)  # after Rigify's rigs, Blender's module may hang at the interpreter's end


def _shape(spec: BodySpec) -> dict:
    """Every segment's joint and tip from its parent's joint in the neutral pose [m], and the leg's length."""
    body = make_body(spec)
    parts = {part.name: np.concatenate([part.offset, part.tip]) for part in body.segments}
    return {"leg": np.array([body.leg_length_m]), **parts}


def _same(one: dict, other: dict) -> bool:
    return one.keys() == other.keys() and all(
        float(np.abs(one[key] - other[key]).max()) < SAME * 2.0 * float(one["leg"][0]) for key in one)


def run(args: argparse.Namespace) -> int:
    """Simulate what is not there yet."""
    done = {_key(row): row for row in _rows([args.out])} if args.out.is_file() else {}
    for name, one in json.loads(args.file.read_text(encoding="utf-8")).items():
        if args.bodies and not any(word in name for word in args.bodies):
            continue
        if args.held is not None and one["held"] != args.held:
            continue
        body = BodySpec(height_m=one["height_m"], landmarks={k: tuple(v) for k, v in one["landmarks"].items()})
        for gait in args.gaits:
            for world in args.worlds:
                if (name, gait, world) not in done:
                    went = _chosen(body, world) if gait == AUTO else gait
                    told = done.get((name, went, world)) or _stands(body, went, world, args)
                    row = {**told, "body": name, "gait": gait, "world": world, "held": one["held"]}
                    print(json.dumps(row), flush=True)
                    with args.out.open("a", encoding="utf-8") as stream:
                        stream.write(json.dumps(row) + "\n")
                    done[_key(row)] = row
    return 0


def _chosen(spec: BodySpec, world: str) -> str:
    """The gait that `auto` takes."""
    return with_gait(Shot(body=spec, world=load_world(world), gait=AUTO, gait_law=PEOPLE), make_body(spec)).gait


def _stands(spec: BodySpec, gait: str, world: str, args: argparse.Namespace) -> dict:
    place, start_s = load_world(world), time.process_time()
    shot = Shot(body=spec, world=place, gait=gait, duration_s=SECONDS, gait_law=args.law, speed_m_s=None, retry=True)
    body = make_body(spec)
    low, high = promised_range(gait, place.gravity_m_s2, body) or (math.inf, 0.0)
    try:
        take = attempt(shot)
    except LopeError as error:
        return {"refused": str(error)}
    stats, tries = take.stats, take.stats.get("tries", [])
    first = tries[0] if tries else {"speed_m_s": stats["planned_speed_m_s"], "time_fell_s": stats["time_fell_s"]}
    return {"went": take.shot.gait, "fell_s": stats["time_fell_s"], "lost": take.lost, "first_s": first["time_fell_s"],
            "promised": low / OWN_SLACK <= first["speed_m_s"] <= OWN_SLACK * high, "own_m_s": round(first["speed_m_s"], 3),
            "speed_m_s": round(stats["planned_speed_m_s"], 3), "cpu_s": round(time.process_time() - start_s, 1)}


def _rows(files: list[Path]) -> list[dict]:
    return [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]


def _key(row: dict) -> tuple[str, str, str]:
    return row["body"], row["gait"], row["world"]


def _bad(row: dict) -> bool:
    return "refused" in row or row["fell_s"] is not None or row["lost"] is not None


def show(files: list[Path]) -> int:
    """What fell."""
    rows = list({_key(row): row for row in _rows(files)}.values())
    for what in ("body", "gait", "world"):
        fell, all_ = Counter(r[what] for r in rows if _bad(r)), Counter(r[what] for r in rows)
        print(", ".join(f"{name} {fell[name]}/{count}" for name, count in all_.items() if fell[name]) or f"no {what} fell")
    for row in filter(_bad, rows):
        print(f"{row['body']:20} {row['gait']:5} {row['world']:6} {row.get('refused') or row['lost'] or row['fell_s']}")
    for row in rows:
        if row.get("first_s") is not None:
            told = "under a promise" if row["promised"] else "nothing was promised"
            print(f"{row['body']:20} {row['gait']:5} {row['world']:6} fell at first, at {row['own_m_s']} m/s: {told}")
    for held in (False, True):
        part = [row for row in rows if row["held"] == held]
        if part:
            good = sum(not _bad(row) for row in part)
            print(f"{'held back' if held else 'others'}: {good} of {len(part)} stand, {100.0 * good / len(part):.1f} %")
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    read = verbs.add_parser("bodies")
    read.add_argument("zoo", type=Path)
    read.add_argument("out", type=Path)
    runs = verbs.add_parser("run")
    runs.add_argument("file", type=Path)
    runs.add_argument("out", type=Path)
    runs.add_argument("--bodies", nargs="*", default=[])
    runs.add_argument("--gaits", nargs="*", default=GAITS)
    runs.add_argument("--worlds", nargs="*", default=WORLDS)
    runs.add_argument("--law", default=PEOPLE)
    runs.add_argument("--held", type=lambda text: text == "yes", help="yes or no: only bodies held back, or only the others")
    shows = verbs.add_parser("show")
    shows.add_argument("files", type=Path, nargs="+")
    args = parser.parse_args()
    if args.verb == "bodies":
        return bodies(args.zoo, args.out)
    return run(args) if args.verb == "run" else show(args.files)


if __name__ == "__main__":
    sys.exit(main())

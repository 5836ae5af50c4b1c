# SPDX-License-Identifier: GPL-3.0-or-later
"""`lope responses`: push responses by example: a library of clips, the one that answers a push, and Lope's own library."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from ..errors import InputError, unknown_name
from ..options.body_options import add_body_options, body_from
from ..options.outputs import check_output
from ..options.response_options import FORM, allowed_from, forces_from, shove_from, then_from
from ..progress import Progress
from ..worlds.planets import load_world, world_from_gravity, world_names
from .outcome import Outcome, table

SUMMARY = "find the motion that answers a push, from a library of examples; index a folder of clips; make Lope's own library"
EXAMPLE = """examples:
  lope responses find --push left,0.6                        0.6 m/s to the left: what would be played, and how it is fitted
  lope responses find --push 180,0.5 --allow ankles,hips,arms   backward on a ledge: without a step
  lope responses find --push 0,0.7 --then 0.6,right,0.4 --out shoved.npz   pushed again after 0.6 s; a take to bake
  lope responses index clips/ --out mine.npz                 a library of your own clips
  lope responses find --library mine.npz --push forward,1 --blend scene.blend --armature Rig --out shoved.npz"""
ACTIONS = ("find", "index", "make")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this verb."""
    parser.add_argument("what", metavar="|".join(ACTIONS), help="what to do")
    parser.add_argument("folder", nargs="?", metavar="DIR", help="after index: a folder of .bvh clips, or .fbx (needs Blender)")
    parser.add_argument("--out", metavar="FILE.npz", help="after find: where to write the motion as a take (default: it is only "
                        "told); after index and make: where to write the library")
    find = parser.add_argument_group("find")
    find.add_argument("--library", metavar="NAME|FILE.npz", help="the library, by name or as a file (default: Lope's own)")
    find.add_argument("--push", metavar="DIRECTION,M/S", help=f"the push: {FORM}; and the speed that it gives the centre of "
                      "mass: force times duration over mass")
    find.add_argument("--then", action="append", default=[], metavar="T,DIRECTION,M/S",
                      help="another push T seconds after the first; may be repeated")
    find.add_argument("--allow", metavar="NAME,...", help="only these strategies, of ankles, hips, arms, step and "
                      "steps (default: all)")
    where = parser.add_argument_group("where, and who (find)")
    place = where.add_mutually_exclusive_group()
    place.add_argument("--world", metavar="NAME", help=f"one of {', '.join(world_names())} (default: earth)")
    place.add_argument("--gravity", type=float, metavar="M/S^2", help="any gravity from 0.05 to 3 g instead")
    add_body_options(where)
    made = parser.add_argument_group("index and make")
    made.add_argument("--licence", metavar="TEXT", help="after index: under which licence the clips are, kept in the library")
    made.add_argument("--directions", type=int, metavar="N", help="after make: round the circle (default: 16)")
    made.add_argument("--forces", metavar="N,N,...", help="after make: pushes [N] of 0.2 s on 75 kg, the weakest first (default: "
                      "twelve from 50 to 450)")


def run(args: argparse.Namespace) -> Outcome:
    """Find, index or make."""
    if args.what not in ACTIONS:
        raise unknown_name("action of `lope responses`", args.what, ACTIONS)
    if args.folder is not None and args.what != "index":
        raise InputError(f"`lope responses {args.what}` reads no folder; {args.folder} belongs to `lope responses index`.")
    return {"find": _find, "index": _index, "make": _make}[args.what](args)


def _find(args: argparse.Namespace) -> Outcome:
    """The response to a push, and to those that come then."""
    if args.push is None:
        raise InputError(f"Say how hard, and which way: --push DIRECTION,M/S, the direction {FORM}.")
    pushes = [(0.0, shove_from(args.push)), *(then_from(text) for text in args.then)]
    allowed, out = allowed_from(args.allow), None if args.out is None else check_output(args, "out")
    world = load_world(args.world or "earth") if args.gravity is None else world_from_gravity(args.gravity)
    from ..motions.responses.library import OWN, load_library
    from .responses_found import Answered

    answered = Answered(load_library(args.library or OWN), pushes, body_from(args), world, allowed)
    if out is not None:
        answered.take().save(out)
        print(f"Take written to {out}.", file=sys.stderr)
    report = answered.report()
    return Outcome(report, table(report))


def _index(args: argparse.Namespace) -> Outcome:
    """The library of a folder of clips."""
    if args.folder is None or args.out is None:
        raise InputError("`lope responses index` needs a folder of clips and --out FILE.npz.")
    from ..motions.responses.indexing import Indexed, index_folder
    from .responses_clips import clip_files, clips_in

    out = check_output(args, "out", reads=clip_files(Path(args.folder)))

    clips: list[dict[str, Any]] = []

    def told(one: Indexed) -> None:
        clips.append({"clip": one.path.name, "responses": len(one.responses), **({"reason": one.reason} if one.reason else {})})

    library = index_folder(args.folder, clips_in(Path(args.folder)), args.licence or "not told", told)
    library.save(out)
    print(f"Library written to {out}.", file=sys.stderr)
    from .responses_found import row

    report = {"library": str(out), "clips": clips, "responses": [row(response) for response in library.responses]}
    return Outcome(report, table(report))


def _make(args: argparse.Namespace) -> Outcome:
    """Lope's own library, simulated."""
    if args.out is None:
        raise InputError("`lope responses make` needs --out FILE.npz: it simulates for some minutes.")
    out = check_output(args, "out")
    from ..tuning.push_responses import Grid, make_library

    grid = Grid(args.directions or Grid.directions, forces_from(args.forces) or Grid.forces)
    progress = Progress(sys.stderr, args.json)
    try:
        library = make_library(grid, lambda done, count, words: progress(done / count, words))
    finally:
        progress.close()
    library.save(out)
    print(f"Library written to {out}.", file=sys.stderr)
    counts: dict[str, int] = {}
    for response in library.responses:
        counts[response.strategy] = counts.get(response.strategy, 0) + 1
    report = {"library": str(out), "responses": len(library.responses), "strategies": counts}
    return Outcome(report, table(report))

# SPDX-License-Identifier: GPL-3.0-or-later
"""How the motion goes that is laid of pressure: feet that stand, joints that jump, at any pace and over several motions.

    scripts/check pressure_motion CLIPS [--db DB.npz] [--sessions small fast ...] [--recordings] [--out out/pressure]

Pressure is that of clips simulated anew (as in `pressure`; `fast` and `slow` at 1.3 and 0.7 times the clips' pace), read with the
database as a file (offline), as one with no more known than a stream (streamed), and laid as it comes (live; what is shorter than
a live reading is kept is left out). Of each motion:

- slip: the farthest that any of the body's own contact points of heel or ball goes over the ground while it is on it (within 5
mm),
  over each stretch in which its part is planted; and how deep any point goes into the ground (within 5 mm);
- jump: twice the angle by which a joint is off what the two frames before and the two after say it is (a cubic through them). A
step
  of so many degrees between two frames has that size; a fast motion that is smooth has none. Where a captured joint jumps by
  itself it may jump as much here; beyond that within 10 degrees. Beside it the plain turn from frame to frame;
- sunk: how much lower the root comes than in any of the clips that were laid.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from lope.addon.motions.pressure.database import Database
from lope.addon.motions.pressure.features import features_of
from lope.addon.motions.pressure.files import write_pressure
from lope.addon.motions.pressure.images import Pressure
from lope.addon.motions.pressure.live import LiveReading
from lope.addon.motions.pressure.live_motion import LiveMotion
from lope.addon.motions.pressure.recognition import recognised, streamed
from lope.addon.motions.pressure.synthesis import LEAST_S, Reading
from lope.addon.motions.pressure.synthesis import laid_reading as laid
from lope.addon.motions.responses.response import reference_body
from lope.scripts.suites.pressed import (
    PACES,
    REFERENCE,
    SESSIONS,
    clips_and_database,
    load,
    occurrence,
    own_jumps,
    recordings,
    seen,
)
from lope.scripts.suites.runner import Case, Figures, Row, Suite, Table, at_most

EACH = 5
"""Motions of one recording."""
WAYS = {"offline": recognised, "streamed": streamed}
LIVE = "live"


def read(mat: Pressure, database: Database, way: str, out: Path) -> Reading:
    """Pressure read as a file, as a stream, or line by line and laid as it comes."""
    if way != LIVE:
        features = features_of(mat)
        return laid(mat, database, WAYS[way](database.recogniser(), features), features)
    write_pressure(out / "live.csv", [mat])
    live = LiveReading(database, keeps=True, motion=LiveMotion(reference_body(), database))
    for line in (out / "live.csv").read_text(encoding="utf-8").splitlines():
        live.push(line)
    live.end()
    return live.reading()


def begin(args: argparse.Namespace) -> None:
    """The database, and how its own joints jump."""
    load(args)
    args.own = own_jumps(args.database)


def cases(args: argparse.Namespace) -> Iterator[tuple[str, tuple[Pressure, str]]]:
    """The pressure of every motion or recording of every session, by every way."""
    for name in args.sessions:
        ones = [occurrence(clip, name, args.out) for clip in args.files]
        told = [(Path(one.clip).stem, one.mat) for one in ones]
        if args.recordings:
            quiet = next(one for one in ones if one.clip in args.still)
            moved = [one for one in ones if one.clip not in args.still]
            several = recordings(moved, quiet, EACH, (SESSIONS | PACES)[name]["seed"])
            told = [(f"recording-{i}", one.pressure) for i, one in enumerate(several, 1)]
        for way in (*WAYS, LIVE):
            yield from ((f"{name} {way} {label}", (mat, way)) for label, mat in told
                        if way != LIVE or len(mat) >= LEAST_S * mat.rate_hz)


def measure(case: Case, args: argparse.Namespace) -> Figures:
    """What the motion of a reading shows."""
    mat, way = case.what
    return asdict(seen(read(mat, args.database, way, args.out), args.database, args.own))


def worst(rows: list[Row], args: argparse.Namespace) -> Iterator[Row]:
    """The worst of each figure, by session and way."""
    kinds = dict.fromkeys(" ".join(row.case.split()[:2]) for row in rows)
    for kind in (*kinds, ""):
        mine = [row.figures for row in rows if row.case.startswith(kind)]
        yield Row("pressure_motion", f"worst {kind or 'of all'}", {name: max(one[name] for one in mine)
                                                                   for name in mine[0] if name != "where"})


def options(parser: argparse.ArgumentParser) -> None:
    """The suite's own."""
    clips_and_database(parser)
    known = [name for name in (*SESSIONS, *PACES) if name != REFERENCE]
    parser.add_argument("--sessions", nargs="*", default=known, choices=known, help="default: all")
    parser.add_argument("--recordings", action="store_true", help="several motions one after another")


SUITE = Suite({"pressure_motion": Table(cases, measure, dict.fromkeys(("slip_mm", "deep_mm"), at_most(5.0)) | {
    "beyond_deg": at_most(10.0)}, begin=begin, end=worst)}, options, {"sessions": ["small"], "only": ["offline"], "most": 3})

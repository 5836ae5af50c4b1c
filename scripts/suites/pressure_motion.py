# SPDX-License-Identifier: GPL-3.0-or-later
"""How the motion goes that is laid of pressure: feet that stand, joints that jump, at any pace and over several motions.

    scripts/check pressure_motion CLIPS [--db DB.npz] [--sessions small fast ...] [--recordings] [--out out/pressure]

Pressure is that of clips simulated anew (as in check_pressure; `fast` and `slow` at 1.3 and 0.7 times the clips' pace), read with
the database as a file (offline), as one with no more known than a stream (streamed), and laid as it comes (live; what is shorter
than a live reading is kept is left out). Of each motion:

- slip: the farthest that any of the body's own contact points of heel or ball goes over the ground while it is on it (under
  5 mm), over each stretch in which its part is planted; and how deep any point goes into the ground;
- jump: twice the angle by which a joint is off what the two frames before and the two after say it is (a cubic through them). A
  step of so many degrees between two frames has that size; a fast motion that is smooth has none. Where a captured joint jumps by
  itself it may jump as much here. Beside it the plain turn from frame to frame;
- sunk: how much lower the root comes than in any of the clips that were laid.

Exit code 1 where a foot slips or goes into the ground by more than 5 mm, or a joint jumps by more than 10 degrees and more than
in the clips that were laid.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import astuple
from pathlib import Path

import numpy as np

from lope.addon.files import write_whole
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
from lope.addon.search.pressed_clips import index_clips
from lope.scripts.suites.pressed import PACES, REFERENCE, SESSIONS, Seen, occurrence, own_jumps, recordings, seen

MOST_M, MOST_DEG = 0.005, 10.0
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


def row(label: str, way: str, one: Seen) -> str:
    """A line of the table."""
    *figures, where = astuple(one)
    return f"| {label} | {way} | " + " | ".join(f"{figure:.1f}" for figure in figures) + f" | {where} |"


def worst(ones: Sequence[Seen]) -> str:
    """The worst of each figure."""
    return " | ".join(f"{figure:.1f}" for figure in np.max([astuple(one)[:-1] for one in ones], axis=0))


def main() -> int:
    """Read every session, write and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    known = [name for name in (*SESSIONS, *PACES) if name != REFERENCE]
    parser.add_argument("clips", type=Path, metavar="CLIPS", help="a folder of .bvh clips, one of them quiet stance")
    parser.add_argument("--db", type=Path, metavar="DB.npz", help="the database of those clips (default: it is made)")
    parser.add_argument("--sessions", nargs="*", default=known, choices=known, help="default: all")
    parser.add_argument("--recordings", action="store_true", help="also several motions one after another")
    parser.add_argument("--out", type=Path, default=Path("out/pressure"), help="default: %(default)s")
    args = parser.parse_args()
    clips = sorted(args.clips.glob("*.bvh"))
    args.out.mkdir(parents=True, exist_ok=True)
    database = index_clips(args.clips.name, "", clips)[0] if args.db is None else Database.load(args.db)
    still, own = {one.source for one in database.motions if one.quiet}, own_jumps(database)
    head = "slip, mm | in the ground, mm | jump beyond the clips', deg | jump, deg | plain turn, deg | sunk, mm"
    lines, sums = [f"| what | read | {head} | where |", f"|{'---|' * 9}"], [f"| session | read | {head} |", f"|{'---|' * 8}"]
    every: list[Seen] = []
    for name in args.sessions:
        ones = [occurrence(clip, name, args.out) for clip in clips]
        told = [(Path(one.clip).stem, one.mat) for one in ones]
        if args.recordings:
            quiet = next(one for one in ones if one.clip in still)
            several = recordings([one for one in ones if one.clip not in still], quiet, EACH, (SESSIONS | PACES)[name]["seed"])
            told = [(f"recording {i}", one.pressure) for i, one in enumerate(several, 1)]
        for way in (*WAYS, LIVE):
            some = [(label, mat) for label, mat in told if way != LIVE or len(mat) >= LEAST_S * mat.rate_hz]
            found = [seen(read(mat, database, way, args.out), database, own) for _, mat in some]
            lines += [row(f"{name}: {label}", way, one) for (label, _), one in zip(some, found, strict=True)]
            sums.append(f"| {name} | {way} | {worst(found)} |")
            print(sums[-1], flush=True)
            every += found
    text = "\n".join([*lines, "", *sums, f"| all | all | {worst(every)} |"])
    print("\n" + text)
    write_whole(args.out / "pressure_motion.md", text + "\n", "table")
    held = all(max(one.slip_mm, one.deep_mm) <= 1e3 * MOST_M and one.beyond_deg <= MOST_DEG for one in every)
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: GPL-3.0-or-later
"""`lope pressure`: the pressure that a take leaves under its feet, and motions known by theirs."""

from __future__ import annotations

import argparse

from ..errors import InputError, unknown_name
from ..worlds.planets import world_names
from .outcome import Outcome

SUMMARY = "the pressure under the feet of a take, as a mat or insoles feel it; motions known by theirs, and read from it"
EXAMPLE = """examples:
  lope pressure of walk.npz                                      how much presses, and where: the mat in numbers
  lope pressure of walk.npz --out walk-mat.csv --picture mat.png a mat at 12 frames a second, and a sheet of its frames
  lope pressure of walk.npz --insoles --out walk-soles.npz       insoles at 50 frames a second
  lope pressure of kick.npz --counts 345 --noise 1 --out kick.csv   as a sensor of 8 bits up to 345 kPa (50 psi) tells it
  lope pressure index clips/ --out mine.npz                      motions of a folder of clips; mine.json lists them
  lope pressure read kick.csv --database mine.npz --out kick.npz --clip kick.bvh   which motions it is of, laid on the feet
  lope pressure read kick.csv --database mine.npz --physical --world moon --out moon.npz"""
ACTIONS = ("of", "index", "read")
BELONGS = {"of": ("insoles", "rate", "pitch", "cells", "counts", "noise", "seed", "picture", "frames"), "index": ("licence",),
           "read": ("database", "clip", "stream", "physical", "world")}
"""The options that only one action has."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this verb."""
    parser.add_argument("what", metavar="|".join(ACTIONS), help="what to do")
    parser.add_argument("path", metavar="TAKE|DIR|FILE", help="after of: a take (.npz); after index: a folder of .bvh clips, or "
                        ".fbx (needs Blender); after read: pressure of a mat (.csv, .npz or a folder of pictures)")
    parser.add_argument("--out", metavar="FILE", help="after of: where to write the pressure, .csv or .npz (default: it is only "
                        "told); after index: where to write the database, .npz, its list of motions beside it as .json; after "
                        "read: where to write the motion as a take, .npz")
    of = parser.add_argument_group("of")
    of.add_argument("--insoles", action="store_true", help="what insoles feel (default: a mat on the ground)")
    of.add_argument("--rate", type=float, metavar="HZ", help="frames a second (default: 12 of a mat, 50 of insoles)")
    of.add_argument("--pitch", type=float, metavar="MM", help="from cell to cell (default: 12.7 of a mat, 7 of insoles)")
    of.add_argument("--cells", metavar="ROWS,COLUMNS", help="of a mat, ahead and across (default: as many as the way of the feet "
                    "needs, 80,64 at least)")
    of.add_argument("--counts", type=float, metavar="KPA", help="as a sensor of 8 bits tells it whose last count is so much "
                    "(FootSee's mat: 207, 345, 552 or 689)")
    of.add_argument("--noise", type=float, metavar="COUNTS", help="standard deviation of the sensor's noise on pressed cells")
    of.add_argument("--seed", type=int, metavar="N", help="of the noise (default: 0)")
    of.add_argument("--picture", metavar="FILE.png", help="also a sheet of frames (needs the extra \"plot\")")
    of.add_argument("--frames", type=int, metavar="N", help="on the sheet (default: 12)")
    index = parser.add_argument_group("index")
    index.add_argument("--licence", metavar="TEXT", help="under which licence the clips are, kept in the database")
    read = parser.add_argument_group("read")
    read.add_argument("--database", metavar="DB.npz", help="the motions that are known")
    read.add_argument("--clip", metavar="OUT.bvh", help="where to write the motion as a clip")
    read.add_argument("--stream", action="store_true", help="as it is told 1 s after each frame (default: with all frames known)")
    read.add_argument("--physical", action="store_true", help="simulate a body that follows the motion; the take is of that")
    read.add_argument("--world", metavar="NAME", help="where, with --physical: one of "
                      f"{', '.join(world_names())} (default: earth)")


def run(args: argparse.Namespace) -> Outcome:
    """What was asked."""
    if args.what not in ACTIONS:
        raise unknown_name("action of `lope pressure`", args.what, ACTIONS)
    for action, names in BELONGS.items():
        given = [name for name in names if getattr(args, name) not in (None, False)]
        if action != args.what and given:
            raise InputError(f"--{given[0]} belongs to `lope pressure {action}`.")
    from .pressure_index import pressure_index
    from .pressure_of import pressure_of
    from .pressure_read import pressure_read

    return {"of": pressure_of, "index": pressure_index, "read": pressure_read}[args.what](args)

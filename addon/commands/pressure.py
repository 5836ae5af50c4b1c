# SPDX-License-Identifier: GPL-3.0-or-later
"""`lope pressure`: the pressure that a take leaves under its feet, and motions known by theirs."""

from __future__ import annotations

import argparse

from ..errors import unknown_name
from .outcome import Outcome

SUMMARY = "the pressure under the feet of a take, as a mat or insoles feel it"
EXAMPLE = """examples:
  lope pressure of walk.npz                                      how much presses, and where: the mat in numbers
  lope pressure of walk.npz --out walk-mat.csv --picture mat.png a mat at 12 frames a second, and a sheet of its frames
  lope pressure of walk.npz --insoles --out walk-soles.npz       insoles at 50 frames a second
  lope pressure of kick.npz --counts 345 --noise 1 --out kick.csv   as a sensor of 8 bits up to 345 kPa (50 psi) tells it"""
ACTIONS = ("of",)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this verb."""
    parser.add_argument("what", metavar="|".join(ACTIONS), help="what to do")
    parser.add_argument("path", metavar="TAKE", help="after of: a take (.npz)")
    parser.add_argument("--out", metavar="FILE", help="after of: where to write the pressure, .csv or .npz (default: it is only "
                        "told)")
    of = parser.add_argument_group("of")
    of.add_argument("--insoles", action="store_true", help="what insoles feel (default: a mat on the ground)")
    of.add_argument("--rate", type=float, metavar="HZ", help="frames a second (default: 12 of a mat, 50 of insoles)")
    of.add_argument("--pitch", type=float, metavar="MM", help="from cell to cell (default: 12.7 of a mat, 7 of insoles)")
    of.add_argument("--cells", metavar="ROWS,COLUMNS", help="of a mat, ahead and across (default: as many as the way of the feet "
                    "needs, 80,64 at least)")
    of.add_argument("--counts", type=float, metavar="KPA", help="as a sensor of 8 bits tells it whose last count is so much "
                    "(FootSee's mat: 207, 345, 552 or 689)")
    of.add_argument("--noise", type=float, metavar="COUNTS", help="standard deviation of the sensor's noise on pressed cells")
    of.add_argument("--seed", type=int, default=0, metavar="N", help="of the noise (default: 0)")
    of.add_argument("--picture", metavar="FILE.png", help="also a sheet of frames (needs the extra \"plot\")")
    of.add_argument("--frames", type=int, default=12, metavar="N", help="on the sheet (default: 12)")


def run(args: argparse.Namespace) -> Outcome:
    """What was asked."""
    if args.what not in ACTIONS:
        raise unknown_name("action of `lope pressure`", args.what, ACTIONS)
    from .pressure_of import pressure_of

    return {"of": pressure_of}[args.what](args)

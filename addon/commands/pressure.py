# SPDX-License-Identifier: GPL-3.0-or-later
"""`lope pressure`: the pressure that a take leaves under its feet, and motions known by theirs."""

from __future__ import annotations

import argparse

from ..errors import InputError, unknown_name
from ..worlds.planets import world_names
from .outcome import Outcomes

SUMMARY = "the pressure under the feet of a take, as a mat or insoles feel it; motions known by theirs, and read from it"
EXAMPLE = """examples:
  lope pressure of walk.npz                                      how much presses, and where: the mat in numbers
  lope pressure of walk.npz --out walk-mat.csv --picture mat.png a mat at 12 frames a second, and a sheet of its frames
  lope pressure of walk.npz --insoles --out walk-soles.npz       insoles at 50 frames a second
  lope pressure of kick.npz --counts 345 --noise 1 --out kick.csv   as a sensor of 8 bits up to 345 kPa (50 psi) tells it
  lope pressure index clips/ --out mine.npz                      motions of a folder of clips; mine.json lists them
  lope pressure index clips/ --out mine.npz --picture onsets.html   with how active each clip is, and what was found where
  lope pressure read kick.csv --database mine.npz --out kick.npz --clip kick.bvh   which motions it is of, laid on the feet
  lope pressure read kick.csv --database mine.npz --physical --world moon --out moon.npz
  sensor | lope pressure read - --stream --database mine.npz --json   each frame on a line, 1 s after it came
  lope pressure of walk.npz --film walk.mp4                      the body, and the mat under it
  lope pressure film kick.csv --database mine.npz --out kick.mp4 pressure, what it was found to be, and the motion"""
ACTIONS = ("of", "index", "read", "film")
OF = ("insoles", "rate", "pitch", "cells", "counts", "noise", "seed", "frames", "film")
BELONGS = {**dict.fromkeys(OF, ("of",)), "picture": ("of", "index"), "licence": ("index",),
           **dict.fromkeys(("clip", "physical", "world"), ("read",)), "beside": ("film",),
           **dict.fromkeys(("database", "stream"), ("read", "film")), **dict.fromkeys(("size", "fps"), ("film", "of"))}
"""The actions that an option belongs to."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this verb."""
    parser.add_argument("what", metavar="|".join(ACTIONS), help="what to do")
    parser.add_argument("path", metavar="TAKE|DIR|FILE", help="after of: a take (.npz); after index: a folder of .bvh clips, or "
                        ".fbx (needs Blender); after read and film: pressure of a mat or insoles (.csv, .npz or a folder of "
                        "pictures), after read also - for lines as they come on standard input")
    parser.add_argument("--out", metavar="FILE", help="after of: where to write the pressure, .csv or .npz (default: it is only "
                        "told); after index: where to write the database, .npz, its list of motions beside it as .json; after "
                        "read: where to write the motion as a take, .npz; after film: where to write the film, .mp4 "
                        "(needs Blender), or a folder for its pictures")
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
    of.add_argument("--picture", metavar="FILE.png", help="also a sheet of frames (needs the extra \"plot\"); after index: "
                    "clips over time with their motions, or .html")
    of.add_argument("--frames", type=int, metavar="N", help="on the sheet (default: 12)")
    of.add_argument("--film", metavar="FILM.mp4|DIR", help="also a film of the body and of what is felt under it, or a folder of "
                    "its pictures (a film needs Blender, both the extra \"plot\")")
    index = parser.add_argument_group("index")
    index.add_argument("--licence", metavar="TEXT", help="under which licence the clips are, kept in the database")
    read = parser.add_argument_group("read and film")
    read.add_argument("--database", metavar="DB.npz", help="the motions that are known")
    read.add_argument("--clip", metavar="OUT.bvh", help="where to write the motion as a clip")
    read.add_argument("--stream", action="store_true", help="as it is told 1 s after each frame, and in a film shown so late "
                      "(default: with all frames known)")
    read.add_argument("--physical", action="store_true", help="simulate a body that follows the motion; the take is of that")
    read.add_argument("--world", metavar="NAME", help="where, with --physical: one of "
                      f"{', '.join(world_names())} (default: earth)")
    film = parser.add_argument_group("films")
    film.add_argument("--beside", metavar="TAKE.npz|CLIP", help="the true motion, which left the pressure, shown upper left "
                      "(default: how active the person is)")
    film.add_argument("--size", metavar="WIDTHxHEIGHT", help="in pixels, even (default: 1280x720)")
    film.add_argument("--fps", type=float, metavar="N", help="frames a second (default: 30)")


def run(args: argparse.Namespace) -> Outcomes:
    """What was asked."""
    if args.what not in ACTIONS:
        raise unknown_name("action of `lope pressure`", args.what, ACTIONS)
    for name, actions in BELONGS.items():
        if args.what not in actions and getattr(args, name) not in (None, False):
            raise InputError(f"--{name} belongs to {' and '.join(f'`lope pressure {one}`' for one in actions)}.")
    if args.what == "of" and args.film is None and (args.size, args.fps) != (None, None):
        raise InputError("--size and --fps are a film's: say with --film where to write it.")
    from .pressure_film import pressure_film
    from .pressure_index import pressure_index
    from .pressure_of import pressure_of
    from .pressure_read import pressure_read

    return {"of": pressure_of, "index": pressure_index, "read": pressure_read, "film": pressure_film}[args.what](args)

# SPDX-License-Identifier: GPL-3.0-or-later
"""`lope pressure read`: which known motions pressure is of, laid one after the other on the user's feet."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from ..errors import InputError
from ..example_take import pressure_take
from ..motions.bvh_writing import write_bvh
from ..motions.pressure.database import MOTION_HZ, Database
from ..motions.pressure.reading import read_motion
from ..options.outputs import check_output
from ..specs.follow import FOLLOWERS, Follow
from ..specs.shot import Shot
from ..worlds.planets import load_world
from .outcome import Outcome, table
from .simulate import outcome_of


def pressure_read(args: argparse.Namespace) -> Outcome:
    """The motions of a file of pressure; a take and a clip of them where asked."""
    if args.database is None:
        raise InputError("`lope pressure read` needs --database DB.npz: `lope pressure index` makes one of a folder of clips.")
    if args.world is not None and not args.physical:
        raise InputError("--world says where the motion is simulated: add --physical.")
    out = None if args.out is None else _ends(check_output(args.out), ".npz", "A take")
    clip = None if args.clip is None else _ends(check_output(args.clip), ".bvh", "A clip")
    world = load_world(args.world or "earth")
    database = Database.load(args.database)
    if args.physical and args.stream and clip is None:
        raise InputError("A body follows what is read with all frames known; to follow what a stream tells, say with --clip "
                         "OUT.bvh where that is kept.")
    reading = read_motion(args.path, database, stream=args.stream)
    seen, figure = reading.pressure, reading.motion.figure
    report: dict[str, Any] = {"frames": len(seen), "lasts": round(len(seen) / seen.rate_hz, 3), "database": database.name,
                              "motions": list(reading.rows)}
    said = table(report, {"lasts": "s"})
    if clip is not None:
        write_bvh(clip, reading.body, 1.0 / MOTION_HZ, figure.root, figure.turn, figure.joints)
        print(f"Clip written to {clip}.", file=sys.stderr)
    if args.physical:
        follow = Follow(str(clip)) if args.stream else Follow(str(args.path), database=str(args.database))
        shot = Shot(controller=FOLLOWERS[0], follow=follow, world=world, until_end=True)
        stood = outcome_of(shot, args)
        return Outcome(report | {"physical": stood.report}, f"{said}\n\n{stood.text}", stood.code)
    if out is not None:
        pressure_take(reading).save(out)
        print(f"Take written to {out}.", file=sys.stderr)
    return Outcome(report, said)


def _ends(path: Path, ending: str, what: str) -> Path:
    """A path with the ending that is meant. Raises InputError otherwise."""
    if path.suffix.lower() != ending:
        raise InputError(f"{what} is written as {ending}; got {path.name!r}.")
    return path

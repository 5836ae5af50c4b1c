# SPDX-License-Identifier: GPL-3.0-or-later
"""`lope pressure read`: which known motions pressure is of, laid one after the other on the user's feet."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ..errors import InputError
from ..example_take import pressure_take
from ..motions.bvh_writing import write_bvh
from ..motions.pressure.database import MOTION_HZ, Database
from ..motions.pressure.live import LiveReading
from ..motions.pressure.reading import Reading, read_motion
from ..options.outputs import check_output
from ..specs.follow import FOLLOWERS, Follow
from ..specs.shot import Shot
from ..worlds.planets import load_world
from .live_lines import LiveLines
from .outcome import STOPPED, Outcome, Outcomes, table
from .simulate import outcome_of

STDIN = "-"
"""In place of a file: what comes on standard input."""


def pressure_read(args: argparse.Namespace) -> Outcomes:
    """The motions of pressure, a take and a clip of them where asked; of a stream on standard input what each frame is, at
    once."""
    if args.database is None:
        raise InputError("`lope pressure read` needs --database DB.npz: `lope pressure index` makes one of a folder of clips.")
    if args.world is not None and not args.physical:
        raise InputError("--world says where the motion is simulated: add --physical.")
    if args.path == STDIN and not args.stream:
        raise InputError("Standard input (-) is read as it comes: add --stream.")
    if args.out is not None:
        args.out = _ends(check_output(args, "out"), ".npz", "A take")
    if args.clip is not None:
        args.clip = _ends(check_output(args, "clip"), ".bvh", "A clip")
    if args.physical and args.stream and args.clip is None:
        raise InputError("A body follows what is read with all frames known; to follow what a stream tells, say with --clip "
                         "OUT.bvh where that is kept.")
    load_world(args.world or "earth")
    database = Database.load(args.database)
    if args.path == STDIN:
        return _live(args, database)
    reading = read_motion(args.path, database, stream=args.stream)
    _write_clip(args, reading)
    outcome = _told(database, len(reading.pressure) / reading.pressure.rate_hz, len(reading.pressure), reading.rows)
    return _with_take(args, outcome, reading)


def _live(args: argparse.Namespace, database: Database) -> Iterator[Outcome]:
    """What each frame of standard input is, then all of it. What came before a line that cannot be read, or before the user stops
    it, is kept as it would be at the end of the input."""
    live, lines, wrong = LiveReading(database, keeps=args.out is not None or args.clip is not None), LiveLines(), None
    try:
        for line in lines:
            for told in live.push(line):
                yield Outcome(told.to_dict(), str(told))
    except InputError as error:
        wrong = error
    try:
        for told in live.end():
            yield Outcome(told.to_dict(), str(told))
        if live.keeps:
            reading = live.reading()
            _write_clip(args, reading)
            outcome = _with_take(args, _told(database, live.seconds, len(live), reading.rows), reading)
        else:
            outcome = _told(database, live.seconds, len(live), live.rows)
    except InputError as error:
        if wrong is not None and live.keeps and live.begun:
            print(f"lope: Of what came before nothing is written: {error}", file=sys.stderr)
        raise wrong or error from None
    if wrong is not None:
        raise wrong
    yield Outcome(outcome.report, f"\n{outcome.text}", STOPPED if lines.stopped else outcome.code)


def _told(database: Database, lasts_s: float, frames: int, rows: Sequence[dict[str, Any]]) -> Outcome:
    """What was read, as a report and a table."""
    report = {"frames": frames, "lasts": round(lasts_s, 3), "database": database.name, "motions": list(rows)}
    return Outcome(report, table(report, {"lasts": "s"}))


def _write_clip(args: argparse.Namespace, reading: Reading) -> None:
    """The clip, where it is asked for."""
    if args.clip is not None:
        figure = reading.motion.figure
        write_bvh(args.clip, reading.body, 1.0 / MOTION_HZ, figure.root, figure.turn, figure.joints)
        print(f"Clip written to {args.clip}.", file=sys.stderr)


def _with_take(args: argparse.Namespace, read: Outcome, reading: Reading) -> Outcome:
    """The outcome with the take of what was read, or of the body that follows it."""
    if args.physical:
        follow = Follow(str(args.clip)) if args.stream else Follow(str(args.path), database=str(args.database))
        shot = Shot(controller=FOLLOWERS[0], follow=follow, world=load_world(args.world or "earth"), until_end=True)
        stood = outcome_of(shot, args)
        return Outcome(read.report | {"physical": stood.report}, f"{read.text}\n\n{stood.text}", stood.code)
    if args.out is not None:
        pressure_take(reading).save(args.out)
        print(f"Take written to {args.out}.", file=sys.stderr)
    return read


def _ends(path: Path, ending: str, what: str) -> Path:
    """A path with the ending that is meant. Raises InputError otherwise."""
    if path.suffix.lower() != ending:
        raise InputError(f"{what} is written as {ending}; got {path.name!r}.")
    return path

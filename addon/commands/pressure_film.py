# SPDX-License-Identifier: GPL-3.0-or-later
"""`lope pressure film`, and the film of `lope pressure of`: pictures of pressure and bodies, encoded where Blender is."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Any

from ..errors import InputError
from ..motions.pressure.database import Database
from ..motions.pressure.reading import read_motion
from ..options.blender import blender_room
from ..options.outputs import check_input, check_output, check_pictures
from ..options.render_options import FILM, size_from
from ..progress import Progress
from ..reports.film.canvas import FPS, SIZE, check_drawing, check_film, write_pictures
from ..reports.film.canvas import Film as Pictures
from ..reports.film.four import DELAY_S, four_panels
from ..simulate import simulate
from ..specs.follow import Follow
from ..specs.hit import HIT, RAILS, Reaction
from ..specs.shot import Shot
from ..take import Take
from .outcome import Outcome, table

CLIPS = (".bvh", ".fbx")


def pressure_film(args: argparse.Namespace) -> Outcome:
    """Read a file of pressure and film it in four panels."""
    if args.database is None or args.out is None:
        raise InputError(f"`lope pressure film` needs --database DB.npz and --out FILM{FILM} or a folder for its pictures.")
    size, fps = film_size(args)
    place = film_place(args, "out")
    beside = None if args.beside is None else check_input(args.beside, "take or clip")
    database = Database.load(args.database)
    reading = read_motion(args.path, database, stream=args.stream)
    truth = None if beside is None else _true_motion(beside)
    film = four_panels(reading, database, truth, size, fps, DELAY_S if args.stream else 0.0)
    write_film(film, place, Progress(sys.stderr, args.json))
    report: dict[str, Any] = {"film": str(place), "frames": len(film), "lasts": round(len(film) / fps, 3),
                              "motions": list(reading.rows)}
    return Outcome(report, table(report, {"lasts": "s"}))


def film_size(args: argparse.Namespace) -> tuple[tuple[int, int], float]:
    """The size [pixels] and frames a second of the options. Raises InputError for what is none of a film."""
    size, fps = SIZE if args.size is None else size_from(args.size), args.fps or FPS
    check_film(size, fps)
    return size, fps


def film_place(args: argparse.Namespace, option: str) -> Path:
    """Where an option says that a film, or the folder of its pictures, is to be written. Raises InputError where it cannot be
    made there."""
    check_drawing()
    place = Path(getattr(args, option))
    if place.suffix.lower() != FILM:
        if place.suffix and not place.is_dir():
            raise InputError(f"A film is written as {FILM}, or its pictures into a folder, whose name has no ending; got "
                             f"{place.name!r}.")
        return check_pictures(args, option)
    try:
        blender_room("render.film").check_film(film_size(args)[0])
    except InputError as error:
        raise InputError(f"{error} The pictures alone need no Blender: name a folder with --out in place of a film.") from error
    return check_output(args, option)


def write_film(film: Pictures, place: Path, progress: Progress) -> None:
    """Write a film, or a folder of its pictures, and say so."""
    try:
        if place.suffix.lower() != FILM:
            write_pictures(film, place, progress)
            print(f"{len(film)} pictures written to {place}.", file=sys.stderr)
            return
        with tempfile.TemporaryDirectory(prefix="lope-film-") as folder:
            pictures = write_pictures(film, Path(folder), progress)
            blender_room("render.film").encode_film(pictures, place, film.fps)
    finally:
        progress.close()
    print(f"Film of {len(film)} frames written to {place}.", file=sys.stderr)


def _true_motion(path: Path) -> Take:
    """The motion beside: a take, or a clip as it is, in its own time. Raises InputError."""
    if path.suffix.lower() not in CLIPS:
        return Take.load(path)
    return simulate(Shot(controller=HIT, reaction=Reaction(law=RAILS), follow=Follow(str(path), time="clip"), until_end=True))

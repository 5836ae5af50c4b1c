# SPDX-License-Identifier: GPL-3.0-or-later
"""`lope pressure`: what a mat or insoles would have felt of a take, a database of the motions of a folder of clips, known by
their pressure, which known motions pressure is of, laid on the user's feet, and films of these, encoded where Blender is."""

from __future__ import annotations

import argparse
import importlib.util
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import InputError, unknown_name
from ..files import write_whole
from ..motions.bvh import write_bvh
from ..motions.pressure import images
from ..motions.pressure.database import MOTION_HZ, Database, read_list, write_spans
from ..motions.pressure.files import write_pressure
from ..motions.pressure.live import LiveReading
from ..motions.pressure.synthesis import Reading, read_motion
from ..options.outputs import blender_room, check_apart, check_input, check_output, check_pictures
from ..options.render_options import FILM, size_from
from ..progress import Progress
from ..reports.film.canvas import FPS, SIZE, check_drawing, check_film, write_pictures
from ..reports.film.canvas import Film as Pictures
from ..reports.film.films import DELAY_S, four_panels, take_film
from ..reports.pictures import SeenClip, onset_page, onset_sheet
from ..reports.pressure import FRAMES, insoles_of, mat_of, sheet
from ..sim.example_take import pressure_take
from ..sim.simulation import simulate
from ..sim.take import Take
from ..specs.disturbances import HIT, RAILS, Reaction
from ..specs.motions import Clip
from ..specs.shot import Shot
from ..worlds.planets import load_world, world_names
from .outcome import STOPPED, LiveLines, Outcome, Outcomes, table
from .responses import clip_files, clips_in
from .simulate import outcome_of

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

    return {"of": pressure_of, "index": pressure_index, "read": pressure_read, "film": pressure_film}[args.what](args)


STDIN = "-"
"""In place of a file: what comes on standard input."""


def pressure_read(args: argparse.Namespace) -> Outcomes:
    """The motions of pressure, a take and a clip of them where asked; of a stream what each frame is, at once."""
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
        source, database = (args.clip, None) if args.stream else (args.path, str(args.database))
        shot = Shot(motion=Clip(str(source), database=database, until_end=True), world=load_world(args.world or "earth"))
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


PAGE = ".html"


def pressure_index(args: argparse.Namespace) -> Outcome:
    """Simulate each clip, write the database and the list of its motions; a list that is there is taken over."""
    if args.out is None:
        raise InputError("`lope pressure index` needs a folder of clips and --out DB.npz.")
    out = _ends(check_output(args, "out"), ".npz", "A database of pressure")
    picture = None if args.picture is None else _picture(args)
    listed = check_output(args, "out", out.with_suffix(".json"))
    for path in (out, listed, *([] if picture is None else [picture])):
        check_apart(path, clip_files(Path(args.path)))
    known, paths = read_list(listed), clips_in(Path(args.path))
    from ..search.pressed_clips import PressedClip, index_clips, pressing

    rows: list[dict[str, Any]] = []
    played: list[PressedClip] = []

    def told(path: Path, clip: PressedClip | None, reason: str) -> None:
        played.extend([] if clip is None else [clip])
        how = "left out" if clip is None else clip.how
        rows.append({"clip": path.name, "how": how, **({"reason": reason} if reason else {}),
                     **({} if clip is None else clip.said)})
        progress(len(rows) / len(paths), f"{path.name}: {how}")

    with Progress(sys.stderr, args.json) as progress:
        database, spans = index_clips(out.stem, args.licence or "not told", paths, known, told, press=pressing(known.starts))
    database.save(out)
    write_spans(listed, known.and_then(spans), known.starts | {one.path.name: one.said["start_s"] for one in played if one.said})
    print(f"Database written to {out}, its motions to {listed}: mend begins and ends there and index again.", file=sys.stderr)
    if picture is not None:
        seen = [SeenClip(one.path.name, one.how, one.pressure, one.features, spans[one.path.name], one.path.name in known.spans,
                         one.offset_s, one.slow)
                for one in played]
        write_whole(picture, onset_page(seen, f"Motions of {out.stem}", listed.name) if picture.suffix == PAGE
                    else onset_sheet(seen), "picture")
        print(f"Motions over time drawn to {picture}.", file=sys.stderr)
    motions: list[dict[str, Any]] = [
        {"motion": one.name, "clip": clip, "begin_s": one.begin_s, "end_s": one.end_s, **({"quiet": True} if one.quiet else {})}
        for clip, all_of in spans.items() for one in all_of]
    report = {"database": str(out), "list": str(listed), "taken_over": sorted(set(known.spans) & set(spans)), "clips": rows,
              "motions": motions}
    if database.stance is None:
        report["warning"] = str(database.no_stance)
    return Outcome(report, table(report))


def _picture(args: argparse.Namespace) -> Path:
    """Where a picture or a page is to be written. Raises InputError."""
    path = check_output(args, "picture")
    if path.suffix not in (".png", PAGE):
        raise InputError(f"Motions over time are drawn to a .png, or to a page with a picture a clip, {PAGE}; got {path.name!r}.")
    check_drawing()
    return path


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
    """Where an option says that a film, or the folder of its pictures, is to be written. Raises InputError where it cannot be."""
    check_drawing()
    place = Path(getattr(args, option))
    if place.suffix.lower() != FILM:
        if place.suffix and not place.is_dir():
            raise InputError(f"A film is written as {FILM}, or its pictures into a folder, whose name has no ending; got "
                             f"{place.name!r}.")
        return check_pictures(args, option)
    try:
        blender_room("render.frames").check_film(film_size(args)[0])
    except InputError as error:
        raise InputError(f"{error} The pictures alone need no Blender: name a folder with --out in place of a film.") from error
    return check_output(args, option)


def write_film(film: Pictures, place: Path, progress: Progress) -> None:
    """Write a film, or a folder of its pictures, and say so."""
    with progress:
        if place.suffix.lower() != FILM:
            write_pictures(film, place, progress)
            print(f"{len(film)} pictures written to {place}.", file=sys.stderr)
            return
        with tempfile.TemporaryDirectory(prefix="lope-film-") as folder:
            pictures = write_pictures(film, Path(folder), progress)
            blender_room("render.frames").encode_film(pictures, place, film.fps)
    print(f"Film of {len(film)} frames written to {place}.", file=sys.stderr)


def _true_motion(path: Path) -> Take:
    """The motion beside: a take, or a clip as it is, in its own time. Raises InputError."""
    if path.suffix.lower() not in CLIPS:
        return Take.load(path)
    return simulate(Shot(motion=Clip(str(path), time="clip", controller=HIT, until_end=True), reaction=Reaction(law=RAILS)))


UNITS = {"rate": "Hz", "lasts": "s", "mean_force": "N", "peak_force": "N", "peak_pressure": "kPa", "pitch": "mm"}
COUNTS_KPA, NOISE_COUNTS, SHEET = (1.0, 10_000.0), (0.0, 100.0), (1, 120)


def pressure_of(args: argparse.Namespace) -> Outcome:
    """The pressure of a take, told, and written where asked."""
    _check(args)
    out = None if args.out is None else check_output(args, "out")
    if out is not None and out.suffix.lower() not in (".csv", ".npz"):
        raise InputError(f"Pressure is written as .csv or .npz; got {out.name!r}.")
    picture = None if args.picture is None else check_output(args, "picture")
    if picture is not None and importlib.util.find_spec("matplotlib") is None:
        raise InputError("--picture needs matplotlib, which is not installed here: install Lope with its extra \"plot\" (pip "
                         "install 'lope[plot]'), or leave the picture out.")
    film = None if args.film is None else film_place(args, "film")
    take = Take.load(check_input(args.path, "take"))
    sequences = _felt(take, args)
    if args.counts is not None:
        sequences = tuple(images.as_measured(one, args.counts * 1e3, args.noise or 0.0, args.seed or 0) for one in sequences)
    if out is not None:
        write_pressure(out, sequences)
        print(f"Pressure written to {out}.", file=sys.stderr)
    if picture is not None:
        write_whole(picture, sheet(sequences, args.frames or FRAMES, None if args.counts is None else args.counts * 1e3), "sheet")
        print(f"Sheet written to {picture}.", file=sys.stderr)
    if film is not None:
        size, fps = film_size(args)
        write_film(take_film(take, sequences, size, fps, None if args.counts is None else args.counts * 1e3), film,
                   Progress(sys.stderr, args.json))
    report: dict[str, Any] = {one.place: _row(one) for one in sequences}
    return Outcome(report, "\n\n".join(f"{_NAMES[one.place]}\n{table(report[one.place], UNITS)}" for one in sequences))


_NAMES = {"mat": "mat", "L": "left insole", "R": "right insole"}


def _felt(take: Take, args: argparse.Namespace) -> tuple[images.Pressure, ...]:
    if args.insoles:
        return insoles_of(take, rate_hz=args.rate or images.INSOLE_RATE_HZ,
                          pitch_m=(args.pitch or 1e3 * images.INSOLE_PITCH_M) / 1e3)
    return (mat_of(take, rate_hz=args.rate or images.MAT_RATE_HZ, cells=_cells(args.cells),
                   pitch_m=(args.pitch or 1e3 * images.MAT_PITCH_M) / 1e3),)


def _cells(text: str | None) -> tuple[int, int] | None:
    """ROWS,COLUMNS as numbers; None where nobody says."""
    if text is None:
        return None
    parts = text.split(",")
    if len(parts) != 2 or not all(part.strip().isdecimal() and 4 <= int(part) <= 4096 for part in parts):
        raise InputError(f"--cells is ROWS,COLUMNS, each from 4 to 4096, such as 80,64; got {text!r}.")
    return int(parts[0]), int(parts[1])


def _check(args: argparse.Namespace) -> None:
    """Raises InputError for options that are out of range or do not go together."""
    pitch = tuple(1e3 * value for value in images.PITCH_RANGE_M)
    for name, value, (low, high) in (("rate", args.rate, images.RATE_RANGE_HZ), ("pitch", args.pitch, pitch),
                                     ("counts", args.counts, COUNTS_KPA), ("noise", args.noise, NOISE_COUNTS),
                                     ("frames", args.frames, SHEET)):
        if value is not None and not low <= value <= high:
            raise InputError(f"--{name} must lie between {low:g} and {high:g}, got {value:g}.")
    if args.noise is not None and args.counts is None:
        raise InputError("--noise is in counts of a sensor: say with --counts what its last count is.")
    if args.insoles and args.cells is not None:
        raise InputError("--cells belongs to a mat; insoles are as large as the soles.")


def _row(one: images.Pressure) -> dict[str, Any]:
    """A sequence in numbers."""
    force = one.force_n
    return {"frames": len(one), "rate": one.rate_hz, "lasts": round(len(one) / one.rate_hz, 3),
            "cells": [int(n) for n in one.images.shape[1:]], "pitch": round(1e3 * one.pitch_m[0], 3),
            "mean_force": round(float(force.mean()), 1), "peak_force": round(float(force.max()), 1),
            "peak_pressure": round(float(one.images.max()) / 1e3, 1),
            "loaded": round(float(np.mean(force > 0.02 * max(float(force.max()), 1e-9))), 3)}

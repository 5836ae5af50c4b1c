# SPDX-License-Identifier: GPL-3.0-or-later
"""Options of `lope render`, and the texts among them read."""

from __future__ import annotations

import argparse

from ..errors import InputError

FILM = ".mp4"
SHEET_FRAMES = 8
LIGHTS = ("auto", "none")
"""What `--light` takes."""


def add_render_options(parser: argparse.ArgumentParser) -> None:
    """What to write, which frames, through which camera, how finely."""
    outputs = parser.add_argument_group("what to write")
    outputs.add_argument("--out", metavar=f"FOLDER|FILM{FILM}",
                         help="where to write frame_NNNN.png (or .exr), or a film of them")
    outputs.add_argument("--pictures", metavar="FOLDER", help="where to keep the pictures of a film (default: FILM_frames)")
    outputs.add_argument("--format", default="png", metavar="NAME",
                         help="of the pictures: png or exr (default: %(default)s)")
    outputs.add_argument("--redo", action="store_true", help="render the pictures that an earlier run finished, too")
    outputs.add_argument("--sheet", metavar="FILE.png",
                         help="write some of the pictures side by side, with a title and times; without --out only "
                         "these are rendered")
    outputs.add_argument("--sheet-frames", type=int, default=SHEET_FRAMES, metavar="N",
                         help="pictures on the sheet, evenly over the frames (default: %(default)s)")
    outputs.add_argument("--grid-sheet", metavar="CELLS.json",
                         help="render nothing: put pictures that there are on one sheet at --out, rows by columns; a "
                         "list of objects with row, column, pictures and lines")
    views = parser.add_argument_group("what to show")
    views.add_argument("--scene", metavar="NAME", help="which scene of the file (default: the one it was saved in)")
    views.add_argument("--frames", metavar="FIRST,LAST[,STEP]", help="which frames (default: the scene's, as long as "
                       "anything moves; for a sheet alone, those of them in which what Lope baked goes on)")
    views.add_argument("--camera", metavar="NAME",
                       help="file: the scene's own; follow[:VIEW]: a new one that goes along with the character, VIEW being "
                       "side, front, back or three_quarter; or a camera's name (default: file, or follow where the scene has "
                       "none). A sheet alone takes several views, such as follow:side,front, each a row")
    views.add_argument("--armature", metavar="NAME", help="whom the camera follows (default: the only character)")
    views.add_argument("--light", default=LIGHTS[0], metavar="HOW",
                       help=f"{LIGHTS[0]}: a plain sun and sky where nothing in the scene gives light; {LIGHTS[1]}: the scene as "
                       "it is, black or not (default: %(default)s)")
    views.add_argument("--dust", metavar="TAKE.npz",
                       help="add footprints and dust of this take, which is baked in the file, for these pictures")
    views.add_argument("--show-pressure", metavar="TAKE.npz",
                       help="show the pressure under the feet of this take, which is baked in the file, on the ground for these "
                       "pictures")
    views.add_argument("--show-muscles", metavar="TAKE.npz",
                       help="show the muscles of this take, which is baked in the file, inside of the character, for these "
                       "pictures")
    views.add_argument("--see-through", action="store_true",
                       help="show the character as a shell for these pictures, so that muscles that are in the file are seen")
    fineness = parser.add_argument_group("how finely")
    fineness.add_argument("--size", metavar="WIDTHxHEIGHT", help="in pixels (default: the scene's)")
    fineness.add_argument("--renderer", default="cycles", metavar="NAME", help="cycles or eevee (default: %(default)s)")
    fineness.add_argument("--samples", type=int, default=16, metavar="N", help="a pixel (default: %(default)s)")


def cameras_from(text: str | None) -> list[str | None]:
    """The cameras of --camera: one, or several that follow, written follow:VIEW,VIEW."""
    kind, _, views = (text or "").partition(":")
    return [text] if kind != "follow" or "," not in views else [f"{kind}:{view.strip()}" for view in views.split(",")]


def frames_from(text: str) -> range:
    """The frames written as "FIRST,LAST[,STEP]". Raises InputError."""
    try:
        first, last, *step = (int(part) for part in text.split(","))
        frames = range(first, last + 1, *step)
    except (TypeError, ValueError):
        frames = range(0)
    if len(frames) == 0 or frames.step < 1:
        raise InputError(f"Frames are written FIRST,LAST or FIRST,LAST,STEP, such as 1,240,12; got {text!r}.")
    return frames


def size_from(text: str) -> tuple[int, int]:
    """The picture size written as "WIDTHxHEIGHT". Raises InputError."""
    try:
        width, height = (int(part) for part in text.lower().split("x"))
    except ValueError:
        width, height = 0, 0
    if not (4 <= width <= 16384 and 4 <= height <= 16384):
        raise InputError(f"A size is written WIDTHxHEIGHT in pixels, such as 960x540; got {text!r}.")
    return width, height


def check_together(args: argparse.Namespace, size: tuple[int, int] | None) -> None:
    """Raises InputError for options that do not go together."""
    film = args.out is not None and args.out.lower().endswith(FILM)
    if args.out is None and args.sheet is None:
        raise InputError("Say what to write: --out FOLDER for pictures, --out FILM.mp4 for a film, --sheet FILE.png for a "
                         "sheet.")
    if args.out is not None and len(cameras_from(args.camera)) > 1:
        raise InputError("Pictures and films go through one camera, a sheet alone through several; got "
                         f"{args.camera!r} beside --out.")
    if film and size is not None and (size[0] % 2 or size[1] % 2):
        raise InputError(f"A film's width and height must be even, got {args.size}.")
    if args.pictures is not None and not film:
        raise InputError("--pictures says where a film's pictures are kept; give a film with --out, such as walk.mp4.")
    if args.light not in LIGHTS:
        raise InputError(f"A light is {' or '.join(LIGHTS)}, got {args.light!r}.")
    if args.sheet_frames < 1:
        raise InputError(f"A sheet has at least one picture, got --sheet-frames {args.sheet_frames}.")
    for path in (args.sheet, args.out if args.grid_sheet is not None else None):
        if path is not None and not path.lower().endswith(".png"):
            raise InputError(f"A sheet is a PNG file, such as sheet.png; got {path!r}.")

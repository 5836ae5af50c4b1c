# SPDX-License-Identifier: GPL-3.0-or-later
"""Options of `lope render`, and the texts among them read; options on how a take is written on a rig (`BakeOptions`)."""

from __future__ import annotations

import argparse

from ..errors import InputError
from ..specs.bake_options import CONTROLS, PARTS, ROOT_MOTIONS, TARGETS, BakeOptions

FILM = ".mp4"
SHEET_FRAMES = 8
LIGHTS = ("auto", "none")
"""What `--light` takes."""


def add_render_options(parser: argparse.ArgumentParser) -> None:
    """What to write, which frames, through which camera, how finely."""
    outputs = parser.add_argument_group("what to write")
    outputs.add_argument("--out", metavar=f"FOLDER|FILM{FILM}", help="where to write frame_NNNN.png (or .exr), or a film of them")
    outputs.add_argument("--pictures", metavar="FOLDER", help="where to keep the pictures of a film (default: FILM_frames)")
    outputs.add_argument("--format", default="png", metavar="NAME", help="of the pictures: png or exr (default: %(default)s)")
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


MM = 1e-3
STAGES = ("auto", "none")
"""What `--stage` takes: ground, sun and sky of the world where the file has no light, or the file as it is."""


def add_bake_options(parser: argparse.ArgumentParser) -> None:
    """What is written, where to, and when. Defaults are those of `BakeOptions`."""
    plain = BakeOptions()
    what = parser.add_argument_group("what is written")
    what.add_argument("--parts", metavar="NAME",
                      help=f"part of the body, one of {', '.join(PARTS)}: keys of all other bones stay (default: {plain.parts}, "
                      "or bones with --bones)")
    what.add_argument("--bones", metavar="A,B,...", help="only these bones")
    what.add_argument("--controls", default=plain.controls, metavar="NAME",
                      help=f"which controls of the rig, one of {', '.join(CONTROLS)} (default: %(default)s)")
    what.add_argument("--root-motion", default=plain.root_motion, metavar="NAME",
                      help=f"what carries the travel, one of {', '.join(ROOT_MOTIONS)} (default: %(default)s)")
    what.add_argument("--loop", action="store_true", help="one whole stride, end joined to start")
    what.add_argument("--no-lock-feet", action="store_true", help="leave planted feet as they were simulated")
    what.add_argument("--reduce-error", type=float, metavar="MM",
                      help="leave out keys as long as hands, feet and head stay within this [mm]")
    what.add_argument("--no-hang", action="store_true", help="leave what hangs on the rig (hair, hoses, straps) as it is")
    what.add_argument("--no-markers", action="store_true", help="no pose markers at strikes and offs")
    what.add_argument("--subframe-events", action="store_true", help="keys between frames too, at exact strikes and offs")
    where = parser.add_argument_group("where to and when")
    where.add_argument("--target", default=plain.target, metavar="NAME",
                       help=f"where the keys go, one of {', '.join(TARGETS)} (default: %(default)s, the last Lope action)")
    where.add_argument("--name", metavar="NAME", help="of the action (default: rig, gait and world)")
    where.add_argument("--keep-old", action="store_true", help="a fake user for the action before")
    where.add_argument("--start-frame", type=int, metavar="N", help="where the take starts (default: the scene's first)")
    where.add_argument("--frames", metavar="FIRST,LAST", help="write only these frames")
    where.add_argument("--locked-frames", metavar="FIRST,LAST", help="with --target replace: frames whose keys stay")
    where.add_argument("--frame-step", type=int, default=plain.frame_step, metavar="N",
                       help="one key every so many frames (default: %(default)s)")
    where.add_argument("--go-on", action="store_true", help="begin when and where the last baked motion ends")
    where.add_argument("--push-down", action="store_true", help="make the action an NLA strip")
    around = parser.add_argument_group("around the character")
    around.add_argument("--stage", default="none", metavar="HOW",
                        help=f"{STAGES[0]}: ground, sun and sky of the take's world where the file has no light; {STAGES[1]}: "
                        "the file as it is (default: %(default)s)")
    around.add_argument("--dust", action="store_true", help="footprints in the ground, and dust that the feet throw up")
    around.add_argument("--show-pressure", action="store_true",
                        help="the pressure under the feet on the ground, from green to red, as objects that render")
    around.add_argument("--show-muscles", action="store_true",
                        help="the muscles of a take that has some, as tubes on the bones, blue at rest and red at work")


def bake_options_from(args: argparse.Namespace, start_frame: int) -> BakeOptions:
    """The BakeOptions of the options of `add_bake_options`; `start_frame` where none is asked for. Raises InputError."""
    bones = tuple(name.strip() for name in (args.bones or "").split(",") if name.strip())
    as_said = {name: getattr(args, name) for name in ("target", "frame_step", "controls", "root_motion", "loop", "push_down",
                                                      "subframe_events", "name", "keep_old", "go_on")}
    return BakeOptions(
        start_frame=start_frame if args.start_frame is None else args.start_frame, frame_range=_span(args.frames, "--frames"),
        lock_feet=not args.no_lock_feet, hang=not args.no_hang,
        reduce_error_m=None if args.reduce_error is None else MM * args.reduce_error,
        markers=not args.no_markers, locked_frames=_span(args.locked_frames, "--locked-frames"),
        parts=args.parts or ("bones" if bones else BakeOptions().parts), bones=bones, **as_said)


def check_stage(text: str) -> bool:
    """Whether a stage is asked for. Raises InputError for another word."""
    if text not in STAGES:
        raise InputError(f"A stage is {' or '.join(STAGES)}, got {text!r}.")
    return text == STAGES[0]


def _span(text: str | None, option: str) -> tuple[int, int] | None:
    """The frames written as "FIRST,LAST". Raises InputError."""
    if text is None:
        return None
    try:
        first, last = (int(part) for part in text.split(","))
    except ValueError:
        raise InputError(f"{option} takes FIRST,LAST, such as 1,48; got {text!r}.") from None
    return first, last

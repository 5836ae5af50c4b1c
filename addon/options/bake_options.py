# SPDX-License-Identifier: GPL-3.0-or-later
"""Options of the command line on how a take is written on a rig: `BakeOptions`, and what stands around the character."""

from __future__ import annotations

import argparse

from ..errors import InputError
from ..specs.bake_options import CONTROLS, PARTS, ROOT_MOTIONS, TARGETS, BakeOptions

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
    return BakeOptions(
        target=args.target,
        start_frame=start_frame if args.start_frame is None else args.start_frame,
        frame_range=_span(args.frames, "--frames"),
        frame_step=args.frame_step,
        controls=args.controls,
        root_motion=args.root_motion,
        loop=args.loop,
        lock_feet=not args.no_lock_feet,
        reduce_error_m=None if args.reduce_error is None else MM * args.reduce_error,
        push_down=args.push_down,
        markers=not args.no_markers,
        subframe_events=args.subframe_events,
        name=args.name,
        locked_frames=_span(args.locked_frames, "--locked-frames"),
        parts=args.parts or ("bones" if bones else BakeOptions().parts),
        bones=bones,
        keep_old=args.keep_old,
        go_on=args.go_on,
    )


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

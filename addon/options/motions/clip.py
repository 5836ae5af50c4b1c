# SPDX-License-Identifier: GPL-3.0-or-later
"""What a shot follows, as it is written on a command line: a clip, pressure, or an action in a Blender file, and how."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ...errors import ClipError, InputError
from ...files import temporary_folder
from ...specs.motions.clip import FLIGHTS, TIMES, Clip
from ...specs.settings import settings_of
from ..outputs import blender_room, check_input, find_armature, open_scene

ACTION, MOVES = "--action", "--action-armature"


def add_follow_options(group: argparse._ArgumentGroup) -> None:
    """--database, --action-armature, --follow-time, --stretch, --flight, --repeat and --catch."""
    stretch = settings_of(Clip)["stretch"]
    group.add_argument("--database", metavar="DB.npz",
                       help="the motions by which pressure is read that is followed in place of a clip (`lope pressure index`)")
    group.add_argument(MOVES, metavar="NAME",
                       help=f"armature of that file that the action of {ACTION} moves (default: --armature)")
    group.add_argument("--follow-time", metavar="WHOSE",
                       help=f"in whose time a clip is followed, one of {', '.join(TIMES)}: as slowly as things fall there, or as "
                            f"it was captured (default: {TIMES[0]})")
    group.add_argument("--stretch", type=float, metavar="X",
                       help=f"it lasts so many times longer, {stretch.low:g} to {stretch.high:g} (default: {stretch.default:g})")
    group.add_argument("--push-from-clip", action="store_true",
                       help="push the chest where the clip moves as its own feet could not move it, with the least force that "
                            "explains it; the plan goes along with it")
    group.add_argument("--flight", metavar="KEEPS",
                       help=f"what its jumps keep, one of {', '.join(FLIGHTS)}: their height, or the speed of the "
                            f"take-off, so that they go higher and longer under a light gravity (default: {FLIGHTS[0]})")
    group.add_argument("--repeat", action="store_true", default=None,
                       help="let the clip go round, between its two most alike touch-downs of one foot, for as long as the shot "
                            "lasts (--seconds)")
    group.add_argument("--catch", action="store_true", default=None,
                       help="where a push or a hit is more than the clip's own steps can bear, step as who stands does, and go "
                            "on with the clip from there; of itself in a shot with hits")


def add_clip_or_action(group: argparse._MutuallyExclusiveGroup, clip: str, **kwargs: Any) -> None:
    """The option or the argument `clip`, --action and --moves."""
    group.add_argument(clip, metavar="CLIP.bvh", **kwargs,
                       help="a captured clip, followed step by step as that body would go there; with --database pressure of "
                            "a mat (.csv, .npz or a folder of pictures), read as a motion")
    group.add_argument(ACTION, metavar="NAME", help="follow this action of the file of --blend instead (needs Blender)")
    group.add_argument("--moves", action="store_true",
                       help="go by the library of moves instead, standing at first and then as the shot is steered")


def followed_from(args: argparse.Namespace) -> dict[str, Any]:
    """What the options say of the clip that is followed, or of the library's moves, by the fields of `Clip`. Raises InputError
    for those that are said of none."""
    chosen = {"time": args.follow_time, "stretch": args.stretch, "flight": args.flight, "repeat": args.repeat,
              "catch": args.catch, "database": args.database}
    given = {name: value for name, value in chosen.items() if value is not None}
    if args.moves:
        return given
    clip = args.follow if args.action is None else clip_from(args)
    if clip is None:
        if args.push_from_clip:
            raise InputError(f"There is no clip whose pushes could be found: add --follow CLIP.bvh, or {ACTION} NAME.")
        told = {"--follow-time": args.follow_time, "--stretch": args.stretch, "--flight": args.flight,
                "--repeat": args.repeat, "--catch": args.catch, "--database": args.database, MOVES: args.action_armature}
        lost = [name for name, value in told.items() if value is not None]
        if lost:
            raise InputError(f"There is no clip for {' and '.join(lost)}: add --follow CLIP.bvh, or {ACTION} NAME.")
        return {}
    if args.database is None or not Path(clip).is_dir():  # pictures of pressure are a folder
        check_input(clip, "clip" if args.database is None else "file of pressure")
    if args.database is not None:
        check_input(args.database, "database of pressure")
    return {"file": str(clip), **given}


def clip_from(args: argparse.Namespace) -> Path:
    """The action of --action as a clip: a file beside the one of --out, or in the folder for temporary ones. Raises InputError,
    also where there is no Blender, and ClipError for an action that nobody could follow."""
    scene = open_scene(args.blend)
    armature = find_armature(args.action_armature or args.armature)
    out = getattr(args, "out", None)
    folder = temporary_folder("takes") if out is None else Path(out).absolute().parent
    from ...motions.followable import check_clip  # loads what reads clips, which most commands do without

    clip = blender_room("shots.action_clip").clip_of_named(args.action, armature, scene, folder)
    try:
        check_clip(clip)
    except ClipError as error:  # a refused action leaves nothing behind
        clip.unlink()
        for empty in (clip.parent, clip.parent.parent):
            with contextlib.suppress(OSError):
                empty.rmdir()
        raise ClipError(str(error).replace(str(clip), f"The action {args.action!r}")) from error
    return clip


def with_clip(words: Sequence[str], clip: Path) -> list[str]:
    """The words of a command line with a clip in place of the action that they name."""
    verb, *rest = words
    kept = []
    while rest:
        word = rest.pop(0)
        name, equals, _ = word.partition("=")
        if name not in (ACTION, MOVES):
            kept.append(word)
        elif not equals:
            rest.pop(0)
    return [verb, str(clip), *kept] if verb == "follow" else [verb, f"--follow={clip}", *kept]


def defaults_of(add: Any) -> dict[str, Any]:
    """What options are where none of them is given; `add` adds them to a parser."""
    parser = argparse.ArgumentParser(add_help=False)
    add(parser)
    return vars(parser.parse_args([]))

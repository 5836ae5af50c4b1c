# SPDX-License-Identifier: GPL-3.0-or-later
"""How motions are written on a command line: a gait's path, keys of speed and gait, style sliders and locked footprints; what is
followed, a clip, pressure, or an action in a Blender file; how somebody stands; a creature's shape and gait."""

from __future__ import annotations

import argparse
import contextlib
import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..errors import ClipError, InputError
from ..files import read_json, read_text, reading, temporary_folder
from ..specs.creature import CREATURE
from ..specs.motion import SLIDERS, Style
from ..specs.motions import CLIP_TIMES, FLIGHTS, STAND, Clip, CreatureGait, StancePose, Stand
from ..specs.path import Footprint, PathSpec
from ..specs.settings import settings_of
from ..specs.shot import BodySpec, Shot
from ..specs.steering import Key
from .outputs import blender_room, check_input, find_armature, named_values, number_in, open_scene

OPTIONS = {slider.words.replace(" ", "-"): name for name, slider in SLIDERS.items()}
"""A slider's name on the command line ("arm-swing") and in `Style`."""
STYLE_FORMS = ", ".join(f"{option}={SLIDERS[name].low:g}..{SLIDERS[name].high:g}" for option, name in OPTIONS.items())


def style_from(texts: list[str]) -> Style:
    """The Style of texts such as "arm-swing=1.5,trunk-lean=10". Raises InputError."""
    values: dict[str, float] = {}
    for name, text, part in named_values(texts, OPTIONS, "style slider"):
        try:
            values[name] = float(text)
        except ValueError:
            raise InputError(f"A style is written NAME=VALUE,... such as arm-swing=1.5,trunk-lean=10; got {part!r}.") from None
    return Style(**values)


def footprint_from(text: str) -> Footprint:
    """The locked footprint written as "N,X,Y" or "N,X,Y,YAW". Raises InputError."""
    parts = text.split(",")
    try:
        number, place = int(parts[0]), [float(part) for part in parts[1:]]
    except ValueError:
        number, place = 0, []
    if len(place) not in (2, 3):
        raise InputError("A footprint is written N,X,Y or N,X,Y,YAW: its number in the plan, metres and degrees, such as "
                         f"5,3.6,0.1; got {text!r}. `lope plan --json` lists the plan's.")
    return Footprint(number, *place)


FORM = "T,GAIT, T,SPEED or T,GAIT,SPEED, such as 3,lope or 5,1.4 or 3,run,3.2"


def key_from(text: str) -> Key:
    """The key written as one of `FORM`: a time [s], then the gait that begins there, the speed [m/s] reached there, or both.
    Raises InputError."""
    first, *rest = (part.strip() for part in text.split(","))
    time_s, speed, gait = number_in(first), None, None
    for part in rest:
        number = number_in(part)
        if number is None and gait is None and part:
            gait = part
        elif number is not None and speed is None:
            speed = number
        else:
            rest = []
    if time_s is None or not rest:
        raise InputError(f"A key is written {FORM}; got {text!r}.")
    return Key(time_s, gait, speed)


PATH_FORMS = "straight, circle, circle:RADIUS, X,Y;X,Y;... or a text file with one x,y a line"
_PAIRS = re.compile(r"[-+.\deE]+\s*,[-+.\deE,;\s]*")


def add_path_options(group: argparse._ArgumentGroup) -> None:
    """--path, --heading, --reverse and --until-end."""
    group.add_argument("--path", metavar="PATH", help=f"the way to go: {PATH_FORMS}; metres, from the origin (default: straight)")
    group.add_argument("--heading", type=float, metavar="DEG",
                       help="direction of the path's start, 0 is +x, 90 is +y (default: 0, of a reversed path towards its first "
                       "point)")
    group.add_argument("--reverse", action="store_true",
                       help="go a path through points from its last one to the origin, laid so that it starts at the origin")
    group.add_argument("--until-end", action="store_true",
                       help="make the shot as long as its path through points, and stop standing at its end where the gait can; "
                       "--seconds and --stop do not count then")


def path_from(text: str | None, heading_deg: float | None, reverse: bool = False) -> PathSpec:
    """The path written as one of `FORMS`, with the heading at its start, 0 where it is None. Raises InputError."""
    text, heading = "straight" if text is None else text.strip(), heading_deg or 0.0
    if text == "straight" or text == "circle" or text.startswith("circle:"):
        if reverse:
            raise InputError(f"--reverse is for paths through points, and this one is {text}; turn a straight one with "
                             "--heading, a circle with the sign of its radius.")
        return PathSpec(heading_deg=heading) if text == "straight" else PathSpec("circle", heading, radius_m=_radius(text))
    points = _points(text.split(";"), "--path") if _PAIRS.fullmatch(text) else _read(text)
    if not reverse:
        return PathSpec("points", heading, points_m=points)
    points = reversed_points(points)
    if heading_deg is None:
        heading = math.degrees(math.atan2(points[0][1], points[0][0]))
    return PathSpec("points", heading, points_m=points)


def reversed_points(points: tuple[tuple[float, float], ...]) -> tuple[tuple[float, float], ...]:
    """The points of a path that goes the other way, from the last one to the origin, moved so that it starts at the origin."""
    x, y = points[-1]
    return tuple((before[0] - x, before[1] - y) for before in ((0.0, 0.0), *points)[-2::-1])


def _read(text: str) -> tuple[tuple[float, float], ...]:
    """The points in a file."""
    path = check_input(text, f"path ({PATH_FORMS})")
    return _points(_lines(path), str(path))


def _radius(text: str) -> float:
    """The radius [m] of "circle:RADIUS"; 0, which chooses one, of "circle"."""
    _, _, radius = text.partition(":")
    try:
        return float(radius or "0")
    except ValueError:
        raise InputError(f"A circle is written circle:RADIUS with metres, left positive; got {text!r}.") from None


def _lines(path: Path) -> list[str]:
    with reading(f"The path {path} cannot be read as text"):
        lines = read_text(path).splitlines()
    return [line.partition("#")[0] for line in lines]


def _points(parts: list[str], where: str) -> tuple[tuple[float, float], ...]:
    """Points of "x,y" or "x y" texts, empty ones left out."""
    points = []
    for part in parts:
        numbers = part.replace(",", " ").split()
        if not numbers:
            continue
        try:
            x, y = (float(number) for number in numbers)
        except ValueError:
            raise InputError(f"In {where}: a point is x,y in metres, such as 3,0.5; got {part.strip()!r}.") from None
        points.append((x, y))
    if not points:
        raise InputError(f"{where} holds no points; a path needs at least one x,y besides the start.")
    return tuple(points)


ACTION, MOVES = "--action", "--action-armature"


def add_follow_options(group: argparse._ArgumentGroup) -> None:
    """--database, --action-armature, --follow-time, --stretch, --from, --to, --flight, --repeat and --catch."""
    stretch = settings_of(Clip)["stretch"]
    group.add_argument("--database", metavar="DB.npz",
                       help="the motions by which pressure is read that is followed in place of a clip (`lope pressure index`)")
    group.add_argument(MOVES, metavar="NAME",
                       help=f"armature of that file that the action of {ACTION} moves (default: --armature)")
    group.add_argument("--follow-time", metavar="WHOSE",
                       help=f"in whose time a clip is followed, one of {', '.join(CLIP_TIMES)}: as slowly as things fall there, "
                            f"as it was captured, or as people would go it there (default: {Clip.time})")
    group.add_argument("--stretch", type=float, metavar="X",
                       help=f"it lasts so many times longer, {stretch.low:g} to {stretch.high:g} (default: {stretch.default:g})")
    group.add_argument("--from", dest="from_frame", type=int, metavar="FRAME",
                       help="first frame of the clip that is followed, counted from 1 (default: the first one behind a T-pose)")
    group.add_argument("--to", dest="to_frame", type=int, metavar="FRAME", help="last frame of it (default: its last)")
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
              "catch": args.catch, "database": args.database, "first_frame": args.from_frame, "last_frame": args.to_frame}
    given = {name: value for name, value in chosen.items() if value is not None}
    if args.moves:
        return given
    clip = args.follow if args.action is None else clip_from(args)
    if clip is None:
        if args.push_from_clip:
            raise InputError(f"There is no clip whose pushes could be found: add --follow CLIP.bvh, or {ACTION} NAME.")
        told = {"--follow-time": args.follow_time, "--stretch": args.stretch, "--flight": args.flight,
                "--repeat": args.repeat, "--catch": args.catch, "--database": args.database, "--from": args.from_frame,
                "--to": args.to_frame, MOVES: args.action_armature}
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
    from ..motions.followable import check_clip  # loads what reads clips, which most commands do without

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



def defaults_of(add: Any) -> dict[str, Any]:
    """What options are where none of them is given; `add` adds them to a parser."""
    parser = argparse.ArgumentParser(add_help=False)
    add(parser)
    return vars(parser.parse_args([]))


NAMES = {"apart": "apart_m", "ahead": "ahead_m", "leg": "one_leg", "hips": "hips", "steps": "steps",
         "reaction": "reaction_s", "swing": "swing_m_s", "sway": "sway", "pose": "pose"}
"""Fields of `Stand` by what they are called here."""
FORMS = ("apart=M, ahead=M (the left foot), leg=L|R (on one leg), hips=yes|no, steps=N|any, reaction=S, swing=M/S (at most), "
         "sway=SHARE, pose=FILE.json")
ANSWERS: Mapping[str, bool] = {"yes": True, "no": False}
EXAMPLE = "apart=0.4,steps=0"


def stance_from(texts: list[str], stands: bool, catches: bool = False) -> Stand | None:
    """The stance of texts such as "apart=0.4,steps=0"; None for a shot that neither `stands` nor `catches`. Raises InputError."""
    values: dict[str, Any] = {}
    for name, text, part in named_values(texts, NAMES, "part of a stance"):
        values[name] = _value(name, text, part)
    if not stands and not (catches and values):
        if values:
            raise InputError(f"--stance says how to stand: it goes with --gait {STAND}, or with a clip and --catch.")
        return None
    return Stand(**values)


def pose_in(path: str) -> StancePose:
    """The pose of a file: a table of rotation vectors [rad] by segments. Raises InputError for another file."""
    with reading(f"The pose {path} cannot be read"):
        data = read_json(path)
    if not isinstance(data, dict) or not isinstance(data.get("turns"), dict):
        raise InputError(f'The pose {path} holds no turns: write {{"turns": {{"thigh_L": [0, -0.4, 0]}}}}, in radians.')
    return StancePose.from_dict({"turns": data["turns"]})


def _value(name: str, text: str, part: str) -> Any:
    """The value of one part of a stance. Raises InputError."""
    try:
        if name == "one_leg":
            return text
        if name == "pose":
            return pose_in(text)
        if name == "hips":
            return ANSWERS[text]
        if name == "steps":
            return None if text == "any" else int(text)
        return float(text)
    except (KeyError, ValueError):
        raise InputError(f"A stance is written NAME=VALUE,... such as {EXAMPLE}, of {FORMS}; got {part!r}.") from None


def add_jump(gait: argparse._MutuallyExclusiveGroup) -> None:
    """--jump, which is chosen instead of a gait."""
    gait.add_argument("--jump", metavar="UP[,AHEAD]",
                      help="a jump off both feet from standing to standing: how far [m] the centre of mass rises over its height "
                           "at rest, and how far ahead [m] the feet land (default: where they stood), on level ground or --steps")


def jump_from(text: str) -> dict[str, float]:
    """The fields of the `Jump` written as "UP" or "UP,AHEAD". Raises InputError."""
    numbers = [number_in(part) for part in str(text).split(",")]
    if None in numbers or len(numbers) > 2:
        raise InputError(f"A jump is written UP or UP,AHEAD in metres, such as 0.3 or 0.3,1.0; got {text!r}.")
    return {name: number for name, number in zip(("up_m", "ahead_m"), numbers, strict=False) if number is not None}


OF_PEOPLE = ("height", "mass", "blend", "armature", "map", "body", "planar")
"""Options that say who walks otherwise."""


def add_creature(gait: argparse._MutuallyExclusiveGroup) -> None:
    """--creature, which is chosen instead of a gait."""
    gait.add_argument("--creature", metavar="NAME|FILE.json",
                      help="a creature on two legs: one of `lope presets creatures`, or a file that `lope creature from` wrote. "
                           "It goes by the muscles that a search found for it, or, where none did, by the quick law")


def add_creature_options(what: argparse._ArgumentGroup) -> None:
    """--quick and --creature-gait."""
    what.add_argument("--quick", action="store_true",
                      help="with --creature: by torques at the joints, though a gait by muscles is stored for it")
    what.add_argument("--creature-gait", metavar="NAME|FILE.json",
                      help="with --creature: the gait, the name of a shipped one or a file that a search wrote "
                           "(default: the one stored for the nearest creature, gravity and speed)")


def creature_from(args: argparse.Namespace) -> BodySpec | None:
    """The body of --creature; None without it. Raises InputError."""
    if args.creature is None:
        lost = [f"--{name.replace('_', '-')}" for name in ("quick", "creature_gait") if getattr(args, name)]
        if lost:
            raise InputError(f"Only a creature goes by {' and '.join(lost)}: name one with --creature, or leave "
                             f"{'it' if len(lost) == 1 else 'them'} out.")
        return None
    lost = [f"--{name}" for name in OF_PEOPLE if getattr(args, name)]
    if lost:
        raise InputError(f"A creature is as large and as heavy as it is drawn: leave {' and '.join(lost)} out, or --creature.")
    from ..bodies.creature.template import find_creature  # loads what other shots do without

    return BodySpec(kind=CREATURE, creature=find_creature(args.creature))


def creature_gait_from(args: argparse.Namespace) -> CreatureGait | None:
    """The gait of --creature-gait; None without it. Raises InputError."""
    if args.creature is None or args.creature_gait is None:
        return None
    from ..locomotion.creature.stored import load_gait

    return load_gait(args.creature_gait)


def chosen_by(args: argparse.Namespace, shot: Shot) -> Shot:
    """A creature's shot with the gait and the controller that are its; any other as it is. Raises LopeError."""
    return shot if args.creature is None else _chosen(args, shot)[0]


def how_it_goes(args: argparse.Namespace, shot: Shot) -> str:
    """In a sentence what a creature goes by; empty where its shot says so itself, and of whoever is none."""
    if getattr(args, "creature", None) is None or args.creature_gait is not None:
        return ""
    return _chosen(args, shot.with_motion(gait=None))[1]


def _chosen(args: argparse.Namespace, shot: Shot) -> tuple[Shot, str]:
    from ..locomotion.creature.stored import chosen

    if args.controller is not None:  # what it is moved by is said
        return shot, ""
    return chosen(shot, args.quick)

# SPDX-License-Identifier: GPL-3.0-or-later
"""How what is around a body is written on a command line: the ground, gravity's way through a shot, what hits the body and how it
takes it, and loose objects: walls of boxes, or a file with any."""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..archives import read_array
from ..bodies.human.anthropometry import SEGMENTS, segment_called
from ..checks import Part, Series
from ..errors import InputError, unknown_name
from ..files import read_json, read_text, reading
from ..specs.disturbances import BALL, LAWS, Hit, LooseObject, Reaction, punch
from ..specs.path import GroundSpec
from ..worlds.ground import make_ground, wall
from .outputs import blender_room, check_input, named_values

MOST_HEIGHTS = 1_000_000
"""Of a height field: 100 m by 100 m at every 10 cm."""


def add_ground_options(group: argparse._ArgumentGroup, plane: bool = False) -> None:
    """--slope, --steps or --heightfield, and --gravity-ramp; --slope alone where only a plane under one gravity will do."""
    ground = group.add_mutually_exclusive_group()
    ground.add_argument("--slope", metavar="DEG[,DIRECTION]",
                        help="walk on a slope that rises towards a direction, 0 is +x, 90 is +y (default: ahead)")
    if plane:
        return
    ground.add_argument("--steps", metavar="RISE,RUN[,DIRECTION]",
                        help="walk on steps of that rise (negative: down) and run [m], the first one run ahead")
    ground.add_argument("--heightfield", metavar="FILE,SPACING[,X,Y]",
                        help="walk on heights [m] of a .npy or .csv file, rows along x, that far apart [m], the first at "
                        "X,Y (default: the field's middle is the origin)")
    group.add_argument("--gravity-ramp", nargs="+", default=[], metavar="T,G",
                       help="gravity [m/s^2] reached at times [s], even changes between, such as 4,1.62 8,3.71")


def ground_from(args: argparse.Namespace) -> GroundSpec:
    """The ground of the options. Raises InputError."""
    if args.slope is not None:
        slope, direction = numbers("--slope", args.slope, 1, (0.0,), "DEG or DEG,DIRECTION, such as 5 or -8,90")
        return GroundSpec("slope", slope_deg=slope, direction_deg=direction)
    if args.steps is not None:
        rise, run, direction = numbers("--steps", args.steps, 2, (0.0,), "RISE,RUN or RISE,RUN,DIRECTION, such as 0.15,0.35")
        return GroundSpec("steps", rise_m=rise, run_m=run, direction_deg=direction)
    return GroundSpec() if args.heightfield is None else field_from(args.heightfield)


def field_from(text: str) -> GroundSpec:
    """The height field written as "FILE,SPACING" or "FILE,SPACING,X,Y". Raises InputError."""
    name, *rest = text.split(",")
    form = "FILE,SPACING or FILE,SPACING,X,Y, such as hill.csv,0.1"
    if len(rest) not in (1, 3):
        raise InputError(f"--heightfield is written {form}; got {text!r}.")
    spacing, *corner = numbers("--heightfield", ",".join(rest), len(rest), (), form)
    path = check_input(name, "height field")
    with reading(f"The height field {path} cannot be read"):
        if path.suffix.lower() == ".npy":
            with path.open("rb") as file:
                heights = read_array(file, path.stat().st_size)
        else:
            lines = [line for line in read_text(path).splitlines() if line.strip()]
            heights = np.loadtxt(lines, delimiter=",", ndmin=2) if lines else np.zeros((0, 0))
    if heights.ndim != 2:
        raise InputError(f"The height field {path} must be a table of rows and columns; its array has {heights.ndim} axes.")
    rows, columns = heights.shape
    if heights.size > MOST_HEIGHTS:
        raise InputError(f"The height field {path} has {rows} rows and {columns} columns, and may have {MOST_HEIGHTS} heights "
                         "in all: take every second one, or a part of it.")
    x, y = corner or (-0.5 * spacing * (rows - 1), -0.5 * spacing * (columns - 1))
    return GroundSpec("field", heights_m=tuple(map(tuple, heights.astype(float).tolist())), spacing_m=spacing, origin_m=(x, y))


def ramp_from(texts: list[str]) -> tuple[tuple[float, float], ...]:
    """Gravity's way, (time [s], gravity [m/s^2]) pairs, written as "T,G" each. Raises InputError."""
    pairs = (numbers("--gravity-ramp", text, 2, (), "T,G, such as 4,1.62") for text in texts)
    return tuple((time_s, gravity) for time_s, gravity in pairs)


def numbers(option: str, text: str, least: int, defaults: tuple[float, ...], form: str) -> tuple[float, ...]:
    """Numbers with commas, at least `least` of them; the ones missing after that are the defaults. Raises InputError."""
    try:
        values = tuple(float(part) for part in text.split(","))
    except ValueError:
        values = ()
    if not least <= len(values) <= least + len(defaults):
        raise InputError(f"{option} is written {form}; got {text!r}.")
    return values + defaults[len(values) - least:]


HIT_OPTION, PUNCH_OPTION = "--hit", "--punch"
HIT_FORM = "T,BONE,MASS,SPEED,DIRECTION, such as 1.5,head,4.2,6,180 or 2,left_arm,0.4,12,0.2/-1/0"
PUNCH_FORM = "T,BONE,IMPULSE,DIRECTION, such as 1.5,head,20,180"
NAMES = {"law": "law", "loose": "looseness", "low": "low", "hold": "hold_s", "back": "back_s", "before": "before_s",
         "after": "after_s"}
"""Fields of `Reaction` by what they are called here."""
REACTIONS = f"law={'|'.join(LAWS)}, loose=SHARE, low=SHARE, hold=S, back=S, before=S, after=S"
REACTION_EXAMPLE = "law=rails,loose=0.5"


def add_hit_options(group: argparse._ArgumentGroup) -> None:
    """--hit, --punch and --reaction."""
    group.add_argument(HIT_OPTION, action="append", default=[], metavar="T,BONE,MASS,SPEED,DIRECTION",
                       help="a ball of that mass [kg] strikes a bone at time T [s] with a speed [m/s]; DIRECTION is the way it "
                            "flies, in degrees (0 is +x, 90 is +y) or as X/Y/Z; BONE is a part of the body in words (head, "
                            "left_forearm) or a bone of the rig; may be repeated")
    group.add_argument(PUNCH_OPTION, action="append", default=[], metavar="T,BONE,IMPULSE,DIRECTION",
                       help="a punch of that impulse [N s] instead of a ball; may be repeated")
    group.add_argument("--reaction", action="append", default=[], metavar="NAME=VALUE,...",
                       help=f"how hits are taken: {REACTIONS}")


def hits_from(args: argparse.Namespace) -> tuple[Hit, ...]:
    """The hits and punches of the options, in their order. Raises InputError."""
    known = None

    def segment(bone: str) -> str:
        nonlocal known
        found = segment_called(bone)
        if found is not None:
            return found
        if all(getattr(args, name, None) is None for name in ("blend", "armature", "map")):
            raise unknown_name("part of the body", bone, SEGMENTS)
        if known is None:
            from .body_options import figure_from

            known = figure_from(args)
        return blender_room("read.detect").segment_of_bone(known, bone)

    found = [_ball(text, segment) for text in args.hit] + [_punch(text, segment) for text in args.punch]
    return tuple(sorted(found, key=lambda hit: hit.time_s))


def _ball(text: str, segment: Any) -> Hit:
    """The ball written as `HIT_FORM`. Raises InputError."""
    time_s, bone, (mass, speed), way = _parts(HIT_OPTION, text, 2, HIT_FORM)
    return Hit(time_s, segment(bone), mass, speed, way, BALL)


def _punch(text: str, segment: Any) -> Hit:
    """The punch written as `PUNCH_FORM`. Raises InputError."""
    time_s, bone, (impulse,), way = _parts(PUNCH_OPTION, text, 1, PUNCH_FORM)
    return punch(time_s, segment(bone), impulse, way)


def _parts(option: str, text: str, count: int, form: str) -> tuple[float, str, list[float], tuple[float, float, float]]:
    """Time, bone, so many numbers, and direction of a text. Raises InputError."""
    parts = [part.strip() for part in text.split(",")]
    try:
        if len(parts) != count + 3 or not parts[1]:
            raise ValueError
        return float(parts[0]), parts[1], [float(part) for part in parts[2:-1]], _direction(parts[-1])
    except ValueError:
        raise InputError(f"{option} is written {form}; got {text!r}.") from None


def _direction(text: str) -> tuple[float, float, float]:
    """A direction written in degrees or as X/Y/Z. Raises ValueError."""
    if "/" in text:
        x, y, z = (float(part) for part in text.split("/"))
        return x, y, z
    turn = math.radians(float(text))
    return round(math.cos(turn), 9) + 0.0, round(math.sin(turn), 9) + 0.0, 0.0


def reaction_from(texts: Sequence[str]) -> Reaction | None:
    """The reaction of texts such as "law=rails,loose=0.5"; None without any. Raises InputError."""
    values: dict[str, Any] = {}
    for name, text, part in named_values(texts, NAMES, "part of a reaction"):
        try:
            values[name] = text if name == "law" else float(text)
        except ValueError:
            raise InputError(f"A reaction is written NAME=VALUE,... such as {REACTION_EXAMPLE}, of {REACTIONS}; got "
                             f"{part!r}.") from None
    return Reaction(**values) if values else None



FORM = "COLUMNSxROWS,SIZE,KG,X,Y or COLUMNSxROWS,SIZE,KG,X,Y,DIRECTION, such as 3x4,0.35,1,2.5,0"


def add_object_options(group: argparse._ArgumentGroup) -> None:
    """--boxes and --objects."""
    group.add_argument("--boxes", action="append", default=[], metavar="COLUMNSxROWS,SIZE,KG,X,Y[,DIRECTION]",
                       help="a wall of loose boxes of that size [m] and mass each, its middle at X,Y [m], facing a direction, "
                       "0 is +x; may be repeated")
    group.add_argument("--objects", metavar="FILE.json",
                       help="loose boxes and spheres: a list of tables with name, shape, size_m, mass_kg or density_kg_m3, "
                       "place_m, orientation, velocity_m_s, spin_rad_s, release_s, friction")


def objects_from(args: argparse.Namespace, ground: GroundSpec) -> tuple[LooseObject, ...]:
    """The loose objects of the options, on a ground. Raises InputError."""
    found = () if args.objects is None else read_objects(args.objects)
    for text in args.boxes:
        found += wall_from(text, ground, 1 + len(found))
    return found


def wall_from(text: str, ground: GroundSpec, first: int = 1) -> tuple[LooseObject, ...]:
    """The boxes of a wall written as one of `FORM`. Raises InputError."""
    counts, _, rest = text.partition(",")
    found = re.fullmatch(r"\s*(\d+)\s*[x×]\s*(\d+)\s*", counts)
    if found is None:
        raise InputError(f"--boxes is written {FORM}; got {text!r}.")
    size, mass, x, y, yaw = numbers("--boxes", rest, 4, (0.0,), FORM)
    return wall((int(found[1]), int(found[2])), size, mass, complex(x, y), yaw, make_ground(ground), first)


def read_objects(path: str) -> tuple[LooseObject, ...]:
    """The loose objects in a JSON file. Raises InputError saying what is wrong with it."""
    with reading(f"The file of loose objects {path} cannot be read as JSON"):
        data = read_json(check_input(path, "file of loose objects"))
    if not isinstance(data, list):
        raise InputError(f"The file of loose objects {path} must hold a list of tables, one for each object.")
    rule = Series(Part(LooseObject), each="Loose object {i}")
    return rule.read("The loose objects", data)

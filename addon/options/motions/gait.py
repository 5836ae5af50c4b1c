# SPDX-License-Identifier: GPL-3.0-or-later
"""A gait's path, keys of speed and gait, style sliders and locked footprints, as they are written on a command line."""

from __future__ import annotations

import argparse
import math
import re
from pathlib import Path

from ...errors import InputError
from ...reading import read_text, why
from ...specs.motions.keys import Key
from ...specs.motions.style import SLIDERS, Style
from ...specs.path import Footprint, PathSpec
from ..outputs import check_input, named_values

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
    time_s, speed, gait = _number(first), None, None
    for part in rest:
        number = _number(part)
        if number is None and gait is None and part:
            gait = part
        elif number is not None and speed is None:
            speed = number
        else:
            rest = []
    if time_s is None or not rest:
        raise InputError(f"A key is written {FORM}; got {text!r}.")
    return Key(time_s, gait, speed)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


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
    try:
        lines = read_text(path).splitlines()
    except (OSError, ValueError) as error:
        raise InputError(f"The path {path} cannot be read as text: {why(error)}.") from error
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

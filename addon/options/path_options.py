# SPDX-License-Identifier: GPL-3.0-or-later
"""The way to go, as it is written on a command line."""

from __future__ import annotations

import argparse
import math
import re
from pathlib import Path

from ..errors import InputError
from ..specs.path import PathSpec
from .outputs import check_input

FORMS = "straight, circle, circle:RADIUS, X,Y;X,Y;... or a text file with one x,y a line"
_PAIRS = re.compile(r"[-+.\deE]+\s*,[-+.\deE,;\s]*")


def add_path_options(group: argparse._ArgumentGroup) -> None:
    """--path, --heading, --reverse and --until-end."""
    group.add_argument("--path", metavar="PATH", help=f"the way to go: {FORMS}; metres, from the origin (default: straight)")
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
    path = check_input(text, f"path ({FORMS})")
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
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"The path {path} cannot be read as text: {error}.") from error
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

# SPDX-License-Identifier: GPL-3.0-or-later
"""The way to go, as it is written on a command line."""

from __future__ import annotations

import re
from pathlib import Path

from ..errors import InputError
from ..specs.path import PathSpec
from .outputs import check_input

FORMS = "straight, circle, circle:RADIUS, X,Y;X,Y;... or a text file with one x,y a line"
_PAIRS = re.compile(r"[-+.\deE]+\s*,[-+.\deE,;\s]*")


def path_from(text: str | None, heading_deg: float) -> PathSpec:
    """The path written as one of `FORMS`, with the heading at its start. Raises InputError."""
    text = "straight" if text is None else text.strip()
    if text == "straight":
        return PathSpec(heading_deg=heading_deg)
    if text == "circle" or text.startswith("circle:"):
        return PathSpec("circle", heading_deg, radius_m=_radius(text))
    if _PAIRS.fullmatch(text):
        return PathSpec("points", heading_deg, points_m=_points(text.split(";"), "--path"))
    path = check_input(text, f"path ({FORMS})")
    return PathSpec("points", heading_deg, points_m=_points(_lines(path), str(path)))


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

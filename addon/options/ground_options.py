# SPDX-License-Identifier: GPL-3.0-or-later
"""The options that describe the ground and gravity's way through a shot, and what they describe."""

from __future__ import annotations

import argparse

import numpy as np

from ..errors import InputError
from ..reading import read_array, read_text, why
from ..specs.path import GroundSpec
from .outputs import check_input

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
    try:
        if path.suffix.lower() == ".npy":
            with path.open("rb") as file:
                heights = read_array(file, path.stat().st_size)
        else:
            lines = [line for line in read_text(path).splitlines() if line.strip()]
            heights = np.loadtxt(lines, delimiter=",", ndmin=2) if lines else np.zeros((0, 0))
    except (OSError, ValueError) as error:
        raise InputError(f"The height field {path} cannot be read: {why(error)}.") from error
    if heights.ndim != 2:
        raise InputError(f"The height field {path} must be a table of rows and columns; its array has {heights.ndim} axes.")
    rows, columns = heights.shape
    if heights.size > MOST_HEIGHTS:
        raise InputError(f"The height field {path} has {rows} rows and {columns} columns, and may have {MOST_HEIGHTS} heights "
                         "in all: take every second one, or a part of it.")
    x, y = corner or (-0.5 * spacing * (rows - 1), -0.5 * spacing * (columns - 1))
    return GroundSpec("field", heights_m=tuple(map(tuple, heights.astype(float).tolist())), spacing_m=spacing,
                      origin_m=(x, y))


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

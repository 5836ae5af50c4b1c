# SPDX-License-Identifier: GPL-3.0-or-later
"""Loose objects, as they are written on a command line: walls of boxes, or a file with any."""

from __future__ import annotations

import argparse
import json
import re

from ..checks import Part, Series
from ..errors import InputError
from ..specs.ground import GroundSpec
from ..specs.loose import LooseObject
from ..worlds.ground import make_ground
from ..worlds.walls import wall
from .ground_options import numbers
from .outputs import check_input

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
    return wall(int(found[1]), int(found[2]), size, mass, complex(x, y), yaw, make_ground(ground), first)


def read_objects(path: str) -> tuple[LooseObject, ...]:
    """The loose objects in a JSON file. Raises InputError saying what is wrong with it."""
    try:
        data = json.loads(check_input(path, "file of loose objects").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"The file of loose objects {path} cannot be read as JSON: {error}.") from error
    if not isinstance(data, list):
        raise InputError(f"The file of loose objects {path} must hold a list of tables, one for each object.")
    rule = Series(Part(LooseObject), each="Loose object {i}")
    return rule.read("The loose objects", data)

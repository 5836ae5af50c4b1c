# SPDX-License-Identifier: GPL-3.0-or-later
"""The options that say who walks: height and mass, a rig in a Blender file, or a body that was written down before."""

from __future__ import annotations

import argparse
import dataclasses
import json
from collections.abc import Sequence
from typing import Any

from ..errors import InputError
from ..specs.shot import BODIES, PLANAR_MASS_KG, BodySpec
from .blender import ASTRONAUT, blender_room, find_armature, open_scene
from .map_options import OPTION as MAP
from .map_options import add_map_option, map_of
from .outputs import check_input

PLANAR = BODIES[1]
IN_BLENDER = ("--blend", "--armature", MAP)
"""Options whose body only Blender can tell."""


def add_body_options(group: argparse._ArgumentGroup) -> None:
    """--height, --mass, --planar; --blend, --armature and --map; --body."""
    group.add_argument("--height", type=float, metavar="M", help=f"default: {BodySpec().height_m:g}")
    group.add_argument("--blend", metavar="IN.blend",
                       help=f"proportions of an armature in this file, or of the built-in figure: {ASTRONAUT} (needs Blender)")
    group.add_argument("--armature", metavar="NAME", help="name of that armature (default: the only one)")
    add_map_option(group)
    group.add_argument("--body", metavar="BODY.json",
                       help="a body that `lope doctor --blend IN.blend --body BODY.json` wrote, which needs no Blender here")
    group.add_argument("--mass", type=float, metavar="KG",
                       help=f"without suit (default: {BodySpec().mass_kg:g}, of a planar body {PLANAR_MASS_KG:g})")
    group.add_argument("--planar", action="store_true",
                       help="a planar body of seven links, for gaits from key poses: as tall as --height, or with legs as long "
                            "as the figure's")


def body_from(args: argparse.Namespace) -> BodySpec:
    """The body of these options. Raises InputError."""
    body = _figure_or_standard(args)
    if not args.planar:
        return body
    return dataclasses.replace(body, kind=PLANAR, mass_kg=PLANAR_MASS_KG if args.mass is None else args.mass, skin_m=None)


def _figure_or_standard(args: argparse.Namespace) -> BodySpec:
    """The human of these options. Raises InputError."""
    mass = BodySpec().mass_kg if args.mass is None else args.mass
    of_rig = any(value is not None for value in (args.blend, args.armature, args.map))
    if of_rig and args.body is not None:
        raise InputError("--body cannot go with --blend, --armature or --map: give one body.")
    if args.height is not None and (of_rig or args.body is not None):
        other = "--armature: the armature" if of_rig else "--body: the body"
        raise InputError(f"--height cannot go with {other}'s own height counts.")
    if of_rig:
        return figure_from(args).body_spec(mass)
    if args.body is None:
        return BodySpec(BodySpec().height_m if args.height is None else args.height, mass)
    body = read_body(args.body)
    return body if args.mass is None else dataclasses.replace(body, mass_kg=args.mass)


def figure_from(args: argparse.Namespace) -> Any:
    """The Figure of the armature that --blend and --armature name. Raises InputError, also where there is no Blender."""
    scene = open_scene(args.blend)
    armature = find_armature(args.armature)
    return blender_room("read.armature").read_figure(armature, map_of(args.map, armature), scene)


def read_body(text: str) -> BodySpec:
    """The body in a JSON file, or in JSON text itself. Raises InputError saying what is wrong with it."""
    named = "The body" if text.lstrip().startswith("{") else f"The body {text}"
    try:
        source = text if named == "The body" else check_input(text, "body").read_text(encoding="utf-8")
        return BodySpec.from_dict(json.loads(source))
    except (OSError, ValueError) as error:
        raise InputError(f"{named} cannot be read as JSON: {error}.") from error
    except InputError as error:
        raise InputError(f"{named} cannot be used: {error} `lope doctor --body` writes what can.") from error


def body_text(body: BodySpec) -> str:
    """A body as JSON text, which `read_body` reads."""
    return json.dumps(dataclasses.asdict(body))


def with_body(words: Sequence[str], body: BodySpec) -> list[str]:
    """The words of a command line with a body in place of the armature whose proportions they asked for."""
    kept, words = [], list(words)
    while words:
        word = words.pop(0)
        name, equals, _ = word.partition("=")
        if name not in IN_BLENDER:
            kept.append(word)
        elif not equals:
            words.pop(0)
            while name == MAP and words and not words[0].startswith("-"):
                words.pop(0)
    return [*kept, "--body", body_text(body)]

# SPDX-License-Identifier: GPL-3.0-or-later
"""The options for a creature: its shape, and the gait that it goes by."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ...errors import InputError
from ...specs.creature import CREATURE
from ...specs.shot import BodySpec, Shot

if TYPE_CHECKING:
    from ...specs.motions.creature import CreatureGait


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
    from ...bodies.creature.template import find_creature  # loads what other shots do without

    return BodySpec(kind=CREATURE, creature=find_creature(args.creature))


def creature_gait_from(args: argparse.Namespace) -> CreatureGait | None:
    """The gait of --creature-gait; None without it. Raises InputError."""
    if args.creature is None or args.creature_gait is None:
        return None
    from ...locomotion.creature.stored import load_gait

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
    from ...locomotion.creature.stored import chosen

    if args.controller is not None:  # what it is moved by is said
        return shot, ""
    return chosen(shot, args.quick)

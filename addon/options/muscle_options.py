# SPDX-License-Identifier: GPL-3.0-or-later
"""What pulls at the joints, as it is written on a command line: torques, or muscles of a set."""

from __future__ import annotations

import argparse
from typing import Any

from ..errors import InputError, unknown_name
from ..specs.actuation import SETS, TENDONS, Actuation
from ..specs.condition import WITH_MUSCLES

TORQUE, MUSCLES = ACTUATIONS = ("torque", "muscles")
"""What `--actuation` takes."""
_FIELDS = {"muscles": "--muscles", "tendon": "--tendon", "strength": "--strength"}
"""Fields of `Actuation` that can be asked for, with their options."""


def add_muscle_options(group: argparse._ArgumentGroup) -> None:
    """--actuation, --muscles, --tendon and --strength."""
    group.add_argument("--actuation", metavar="HOW",
                       help=f"what moves the joints, {' or '.join(ACTUATIONS)} (default: {TORQUE}, or {MUSCLES} where something "
                            "is said of them or of a condition)")
    group.add_argument("--muscles", metavar="SET",
                       help=f"which muscles: {SETS[0]} (with the trunk) or {SETS[1]} (with shoulders and arms) "
                            f"(default: {Actuation().muscles})")
    group.add_argument("--tendon", metavar="KIND", help=f"of the muscles, {' or '.join(TENDONS)} (default: {Actuation().tendon})")
    group.add_argument("--strength", type=float, metavar="X",
                       help="active force of every muscle, over that of a person of this size, whose passive tissue it keeps "
                            f"(default: {Actuation().strength:g})")


def actuation_from(args: argparse.Namespace, controller: str) -> Actuation | None:
    """The muscles of the options, which a condition needs too; None for torques, and where the controller has muscles of its own.
    Raises InputError."""
    given: dict[str, Any] = {name: value for name in _FIELDS if (value := getattr(args, name)) is not None}
    if args.actuation is not None and args.actuation not in ACTUATIONS:
        raise unknown_name("actuation", args.actuation, ACTUATIONS)
    if args.actuation == TORQUE and given:
        raise InputError(f"Torques know no {' and no '.join(_FIELDS[name] for name in given)}: leave that out, or let muscles "
                         f"move the body with --actuation {MUSCLES}.")
    if args.actuation == TORQUE and controller in WITH_MUSCLES:
        raise InputError("Who goes by reflexes goes by muscles of its own: leave --actuation out, or choose another gait.")
    felt = bool(args.condition) and args.actuation is None and controller not in WITH_MUSCLES
    return Actuation(**given) if given or felt or args.actuation == MUSCLES else None

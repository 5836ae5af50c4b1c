# SPDX-License-Identifier: GPL-3.0-or-later
"""What pulls at the joints, as it is written on a command line: torques, or muscles of a set.

What is other than healthy about a body, as it is written on a command line: conditions by name, and single changes.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ..errors import InputError, unknown_name
from ..specs.muscles import (
    BODY,
    BOTH,
    FOOT,
    JOINTS,
    KINDS,
    SETS,
    SIDES,
    TENDONS,
    UNLOADED,
    WITH_MUSCLES,
    Actuation,
    Change,
    Condition,
    composed,
    condition_names,
    load_condition,
    scaled,
)

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


OPTION = "--condition"
CHANGED = "KIND=TARGET[:SIDE]:VALUE, such as weak=plantar_flexors:L:0.3 or unloaded=6"


def add_condition_option(group: argparse._ArgumentGroup) -> None:
    """--condition."""
    group.add_argument(OPTION, action="append", default=[], metavar="NAME|FILE.json|KIND=TARGET:SIDE:VALUE",
                       help=f"what is other than healthy: one of {', '.join(condition_names())}, or a file of your own, on SIDE "
                            f"({', '.join(SIDES)}), so much of it (1: as it is); or a change {CHANGED}, KIND one of "
                            f"{', '.join(KINDS)}, TARGET a group of muscles, a muscle, {FOOT}, or a joint ({', '.join(JOINTS)}); "
                            "may be repeated, they add up")


def condition_from(texts: Sequence[str]) -> Condition | None:
    """All of the options at once; None without any. Raises InputError."""
    conditions = [_named(text) for text in texts if "=" not in text]
    return composed(conditions, [change_from(text) for text in texts if "=" in text])


def change_from(text: str) -> Change:
    """The change written as `CHANGED`: a side that is left out is both. Raises InputError."""
    kind, _, rest = (part.strip() for part in text.partition("="))
    if kind not in KINDS:
        raise unknown_name("kind of change", kind, KINDS)
    *parts, number = (part.strip() for part in rest.split(":"))
    if kind == UNLOADED and not parts:
        parts = [BODY]
    if not 1 <= len(parts) <= 2 or (value := _number(number)) is None:
        raise InputError(f"A change of a condition is written {CHANGED}; got {text!r}.")
    return Change(kind, parts[0], parts[1] if len(parts) == 2 else BOTH, value)


def _named(text: str) -> Condition:
    """The condition written NAME[:SIDE][:AMOUNT] or FILE.json[:SIDE][:AMOUNT]. Raises InputError."""
    name, side, amount = text.strip(), None, None
    while ":" in name:
        rest, _, last = name.rpartition(":")
        if last in SIDES and side is None:
            name, side = rest, last
        elif amount is None and side is None and (amount := _number(last)) is not None:
            name = rest
        else:
            break  # part of a path
    condition = load_condition(name)
    if side is not None:
        condition = on_side(condition, side)
    return condition if amount is None else scaled(condition, amount)


def on_side(condition: Condition, side: str) -> Condition:
    """A one-sided condition, on that side. Raises InputError for one that is on both."""
    if all(change.side == BOTH for change in condition.changes):
        raise InputError(f"The condition {condition.name} is on both sides: leave the side out.")
    return replace(condition, changes=tuple(replace(change, side=change.side if change.side == BOTH else side)
                                            for change in condition.changes))


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None

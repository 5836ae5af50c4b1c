# SPDX-License-Identifier: GPL-3.0-or-later
"""What is other than healthy about a body, as it is written on a command line: conditions by name, and single changes."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace

from ..errors import InputError, unknown_name
from ..specs.condition import BODY, BOTH, FOOT, JOINTS, KINDS, SIDES, UNLOADED, Change, Condition, composed, scaled
from ..specs.condition_presets import condition_names, load_condition

OPTION = "--condition"
NAMED = "NAME[:SIDE][:AMOUNT] or FILE.json[:SIDE][:AMOUNT], such as trendelenburg, trendelenburg:R or waddle:0.5"
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
    """The condition written as `NAMED`. Raises InputError."""
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

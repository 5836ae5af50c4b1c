# SPDX-License-Identifier: GPL-3.0-or-later
"""What a verb gives back: a report for programs, a text for people, and the exit code."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

DONE, FELL, BAD_INPUT, FAULT, LOST, STOPPED = 0, 1, 2, 3, 4, 130
"""Exit codes: done; the character fell; bad input; a fault in Lope itself; the physics engine lost the simulation; stopped by
the user (as shells count it)."""


@dataclass(frozen=True)
class Outcome:
    """`report` is printed by --json (plain JSON values), `text` without it."""

    report: dict[str, Any]
    text: str
    code: int = DONE


Outcomes = Outcome | Iterator[Outcome]
"""What a verb gives: one outcome, or one after the other, each printed as soon as it is there; the last one's code counts."""


def table(values: Mapping[str, Any], units: Mapping[str, str] | None = None) -> str:
    """Name, value and unit of each entry, one a line, in columns; lists of records and of sentences one item a line."""
    width = max(map(len, values), default=0)
    lines = []
    for name, value in values.items():
        items = value if _is_long(value) else [value]
        for label, item in zip([name] + [""] * len(items), items, strict=False):
            lines.append(f"{label:{width}}  {shown(item)} {(units or {}).get(name, '')}".rstrip())
    return "\n".join(lines)


def shown(value: Any) -> str:
    """A value as people read it."""
    if value is None or value == [] or value == {}:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {f'({shown(v)})' if isinstance(v, Mapping) else shown(v)}" for name, v in value.items())
    if isinstance(value, (list, tuple)):
        return ", ".join(map(shown, value))
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _is_long(value: Any) -> bool:
    """Whether a value is a list that wants a line for each of its items."""
    return isinstance(value, (list, tuple)) and any(isinstance(v, Mapping) or len(str(v)) > 40 for v in value)

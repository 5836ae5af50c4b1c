# SPDX-License-Identifier: GPL-3.0-or-later
"""What a verb gives back: a report for programs, a text for people, and the exit code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

DONE, FELL, BAD_INPUT, FAULT, STOPPED = 0, 1, 2, 3, 130
"""Exit codes: done; the character fell; bad input; a fault in Lope itself; stopped by the user (as shells count it)."""


@dataclass(frozen=True)
class Outcome:
    """`report` is printed by --json (plain JSON values), `text` without it."""

    report: dict[str, Any]
    text: str
    code: int = DONE


def table(values: Mapping[str, Any], units: Mapping[str, str] | None = None) -> str:
    """Name, value and unit of each entry, one a line, in columns."""
    width = max(map(len, values), default=0)
    lines = [f"{name:{width}}  {shown(value)} {(units or {}).get(name, '')}".rstrip() for name, value in values.items()]
    return "\n".join(lines)


def shown(value: Any) -> str:
    """A value as people read it."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.4g}" if isinstance(value, float) else str(value)

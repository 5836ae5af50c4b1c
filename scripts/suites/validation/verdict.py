# SPDX-License-Identifier: GPL-3.0-or-later
"""What a verdict on a row is, and what all judges need: why a case failed, one check for all cases, figures as text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from .case import Case

Result = dict[str, Any]
Pairs = list[tuple[Case, Result]]


@dataclass
class Verdict:
    """`passed` of `cases`; `holds` is None while results are missing. `figures` are sentences, `table` rows of text under a
    head; `failures` name what did not pass and why."""

    cases: int
    passed: int
    holds: bool | None
    figures: list[str] = field(default_factory=list)
    table: list[list[str]] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    missing: int = 0


def fault(result: Result) -> str | None:
    """Why a case did not stand, None if it did."""
    if result["error"]:
        return result["error"]
    if result["stood"]:
        return None
    return f"fell after {result['measures']['time_fell_s']:.1f} s"


def checked(pairs: Pairs, check: Callable[[Result], str | None]) -> Verdict:
    """A verdict by one check a case: it gives what is wrong, or None; a case that did not stand is wrong already."""
    wrong = [(case, fault(result) or check(result)) for case, result in pairs]
    failures = [f"{case.name}: {why}" for case, why in wrong if why]
    return Verdict(len(pairs), len(pairs) - len(failures), not failures, failures=failures)


def number(value: float | None, digits: int = 2) -> str:
    """A figure as text."""
    return "–" if value is None else f"{value:.{digits}f}"

# SPDX-License-Identifier: GPL-3.0-or-later
"""docs/validation.md from the results: every figure comes from a run, none is typed. Behind them stands what was measured of
gaits from key poses, of standing and hits, of muscles, of creatures and of foot pressure, `key_poses.md`, `standing.md`,
`muscles.md`, `creatures.md` and `pressure.md`, which are written by hand and name their commands."""

from __future__ import annotations

import platform
from importlib import metadata
from itertools import groupby
from pathlib import Path

from .case import LIBRARIES, code_version
from .rows import Row
from .verdicts import Verdict

HEAD = """# What was measured

Written by `scripts/validate` from its own runs; do not edit. `scripts/validate` runs what has no result yet, `--rows 1,3`
some of it. A case that Lope refuses counts as failed, and its sentence is given. Row 10, tuning, has its own command."""
BY_HAND = tuple(Path(__file__).with_name(f"{name}.md") for name in ("key_poses", "standing", "muscles", "creatures", "pressure"))
WORDS = {True: "holds", False: "**does not hold**", None: "not all run"}


def document(verdicts: list[tuple[Row, Verdict]], versions: set[str], quick: bool) -> str:
    """The page as Markdown."""
    made = f"Code {', '.join(sorted(versions)) or code_version()}; Python {platform.python_version()}, " + ", ".join(
        f"{name} {metadata.version(name)}" for name in LIBRARIES) + "."
    parts = [HEAD, made]
    if quick:
        parts.append("**A quick slice: shots are short and few; it shows that the rows run, not that they hold.**")
    parts.append(markdown_table([["row", "measured", "must be", "passed", "verdict"]] + [
        [str(row.number), row.what, row.must, f"{v.passed} of {v.cases}", WORDS[v.holds]] for row, v in verdicts]))
    parts += [section(row, verdict) for row, verdict in verdicts]
    parts += [path.read_text(encoding="utf-8").strip() for path in BY_HAND]
    return "\n\n".join(parts) + "\n"


def section(row: Row, verdict: Verdict) -> str:
    """One row's figures."""
    lines = [f"## Row {row.number}: {row.what}", f"Must be: {row.must}. {verdict.passed} of {verdict.cases} passed: "
             f"{WORDS[verdict.holds]}." + (f" {verdict.missing} without a result." if verdict.missing else "")]
    lines += verdict.figures
    if verdict.failures:
        lines.append("Did not pass:\n\n" + "\n".join(f"- {text}" for text in verdict.failures))
    for table in tables_in(verdict.table):
        lines.append(markdown_table(table))
    return "\n\n".join(lines)


def tables_in(rows: list[list[str]]) -> list[list[list[str]]]:
    """Tables of consecutive rows: one whose first cell says "case" or ends in a bracket is a head."""
    counted, number = [], 0
    for row in rows:
        number += row[0] == "case" or row[0].endswith("]")
        counted.append((number, row))
    tables = [[row for _, row in group] for _, group in groupby(counted, key=lambda pair: pair[0])]
    return [table for table in tables if len(table) > 1]


def markdown_table(rows: list[list[str]]) -> str:
    """A Markdown table, its first row the head."""
    head, *body = ([cell.replace("|", "/") for cell in row] for row in rows)
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in body])

# SPDX-License-Identifier: GPL-3.0-or-later
"""How far the Moon's poses are from the Earth's at equal phase: people's walk and the gait auto must show the planet.

    scripts/check planet_shows

Degrees RMS of eleven angles of the similar walk, the walk and the gait of people. Row 16 of docs/validation.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from lope.scripts.suites.runner import Case, Figures, Row, Suite, Table, is_
from lope.scripts.suites.validation.kinds import run
from lope.scripts.suites.validation.rows import on_the_moon
from lope.scripts.suites.validation.verdicts import planet_shows
from lope.scripts.tools.common import ROOT


def measure(case: Case, args: argparse.Namespace) -> Figures:
    """What comes of a case of the row."""
    args.results.append((case.what, found := run((case.name, case.what), ROOT, "")))
    return {name: (found.get("measures") or {}).get(name) for name in ("mean_speed_m_s", "stride_frequency_hz", "time_fell_s")}


def judged(rows: list[Row], args: argparse.Namespace) -> Iterator[Row]:
    """The row's verdict."""
    verdict = planet_shows(args.results)
    head = verdict.table[0]
    for line in verdict.table[1:]:
        yield Row("planet_shows", " ".join(line[:2]), dict(zip(head[2:], line[2:], strict=True)))
    yield Row("planet_shows", "verdict", {"holds": bool(verdict.holds), "failures": "; ".join(verdict.failures) or None},
              {"holds": is_(True)})


SUITE = Suite({"planet_shows": Table(lambda args: ((case.name, case) for case in on_the_moon()), measure, end=judged)},
              lambda parser: parser.set_defaults(results=[]), {"only": ["walk"]}, jobs=0)

# SPDX-License-Identifier: GPL-3.0-or-later
"""`lope measure`: the measures of a take."""

from __future__ import annotations

import argparse

from .outcome import Outcome, table

SUMMARY = "measure a take: speed, strides, ground forces, slip and more (docs/measures.md)"
EXAMPLE = """example:
  lope measure moon.npz --json"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this verb."""
    parser.add_argument("take", metavar="TAKE.npz", help="what `lope simulate --out` wrote")


def run(args: argparse.Namespace) -> Outcome:
    """Measure; the exit code is 0 also for a take in which the character falls."""
    from ..reports.measures import UNITS, measure
    from ..take import Take

    report = measure(Take.load(args.take))
    return Outcome(report, table(report, UNITS))

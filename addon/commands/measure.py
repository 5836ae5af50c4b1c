# SPDX-License-Identifier: GPL-3.0-or-later
"""`lope measure`: the measures of a take and its physics card."""

from __future__ import annotations

import argparse

from .outcome import Outcome, table

SUMMARY = "measure a take: speed, strides, ground forces, slip and more, and judge its physics (docs/measures.md)"
EXAMPLE = """example:
  lope measure moon.npz --json"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this verb."""
    parser.add_argument("take", metavar="TAKE.npz", help="what `lope simulate --out` wrote")


def run(args: argparse.Namespace) -> Outcome:
    """Measure and judge; the exit code is 0 also for a take in which the character falls."""
    from ..reports.card import physics_card
    from ..reports.gait_measures import GAIT_UNITS, study
    from ..reports.hits import hit_rows
    from ..reports.measures import units_of
    from ..take import Take

    take = Take.load(args.take)
    found = study(take)
    card = physics_card(take, found)
    units = {name: unit for name, unit in (units_of(take) | GAIT_UNITS).items() if name not in found.reasons}
    shown = found.values | {name: f"not measured: {reason}" for name, reason in found.reasons.items()}
    return Outcome({**found.values, **hit_rows(take), "not_measured": found.reasons, "card": card.to_dict()},
                   f"{table(shown, units)}\n\n{card.text()}")

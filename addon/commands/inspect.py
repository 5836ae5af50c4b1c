# SPDX-License-Identifier: GPL-3.0-or-later
"""`lope inspect`: what was found in a motion file."""

from __future__ import annotations

import argparse

from ..options.outputs import check_input
from .outcome import BAD_INPUT, DONE, Outcome, table

SUMMARY = "look into a motion file: scale, contacts, strides, faults"
EXAMPLE = """example:
  lope inspect walk.bvh"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this verb."""
    parser.add_argument("motion", metavar="FILE.bvh", help="a captured clip")


def run(args: argparse.Namespace) -> Outcome:
    """Inspect; the report is what `inspect_clip` found. Bad input where no gait can be made of the clip: `faults` says why."""
    path = check_input(args.motion, "motion file")
    from ..motions.inspection import inspect_clip

    report = inspect_clip(path)
    return Outcome(report, table(report), DONE if report["gait"] is not None else BAD_INPUT)

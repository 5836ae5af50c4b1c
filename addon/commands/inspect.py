# SPDX-License-Identifier: GPL-3.0-or-later
"""`lope inspect`: what was found in a motion file."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from ..options.outputs import check_input
from .outcome import BAD_INPUT, DONE, Outcome, table

LISTS, SHOWN = ("contacts", "strides", "steps"), 8
"""Lists that grow with the clip, and how many of their items people are shown."""
EXAMPLE = """example:
  lope inspect walk.bvh"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("motion", metavar="FILE.bvh", help="a captured clip")


def run(args: argparse.Namespace) -> Outcome:
    """Inspect; the report is what `inspect_clip` found. Bad input where no gait can be made of the clip, as `faults` says, and no
    body could follow it either, as `not_followed` says."""
    path = check_input(args.motion, "motion file")
    from ..motions.followable import inspect_clip

    report = inspect_clip(path)
    usable = report["gait"] is not None or report["not_followed"] is None
    return Outcome(report, table(in_short(report)), DONE if usable else BAD_INPUT)


def in_short(report: Mapping[str, Any]) -> dict[str, Any]:
    """A report for people: long lists by their first items, and whether the clip can be followed as a yes, or why not."""
    found: dict[str, Any] = {}
    for name, value in report.items():
        if name == "not_followed":
            found["can_be_followed"] = True if value is None else f"no: {value}"
        elif name in LISTS and len(value) > SHOWN:
            found[name] = [*value[:SHOWN], f"and {len(value) - SHOWN} more, which --json lists"]
        else:
            found[name] = value
    return found

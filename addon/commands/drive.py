# SPDX-License-Identifier: GPL-3.0-or-later
"""`lope drive`: what was driven in Blender, simulated again without it."""

from __future__ import annotations

import argparse
from pathlib import Path

from ..sim.drive_script import ENDING, read_script
from ..sim.take import Take
from ..specs.shot import Shot
from .outcome import Outcome
from .simulate import add_out, outcome_of

EXAMPLE = """examples:
  lope drive --script Astronaut-20260314-101500.drive --out again.npz
  lope drive --script take.npz --json"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--script", metavar="FILE", required=True,
                        help=f"a drive's script ({ENDING}), of one cut short as far as it came, or its take (.npz)")
    add_out(parser)


def run(args: argparse.Namespace) -> Outcome:
    """Simulate; the report is that of `lope simulate`."""
    return outcome_of(shot_of(args.script), args)


def shot_of(path: str) -> Shot:
    """The shot of a drive's script or take. Raises LopeError for another file."""
    return Take.load(path).shot if Path(path).suffix == ".npz" else read_script(path)

# SPDX-License-Identifier: GPL-3.0-or-later
"""`lope follow`: short for `lope simulate --follow`, with the options that a followed clip has."""

from __future__ import annotations

import argparse

from ..options.shot_options import add_clip_options
from . import simulate
from .outcome import Outcome

EXAMPLE = """examples:
  lope follow left.bvh --world moon --out left.npz
  lope follow jump.bvh --gravity 3.71 --flight height --json
  lope follow kick.csv --database mine.npz --world moon --out kick.npz
  lope follow --blend scene.blend --armature Rig --action March --world mars --out march.npz"""

OWN_WAY = "A clip has its own way; the shot goes where it goes."
OWN_STEPS = "A clip has its own steps; --follow-time and --stretch say how quickly they come."
ONE_PLANE = "A clip is followed on level ground or on a slope, under one gravity."
INSTEAD = {
    **dict.fromkeys(("--path", "--heading", "--reverse", "--footprint", "--after"), OWN_WAY),
    **dict.fromkeys(("--gait", "--motion", "--gait-law", "--speed", "--stride-frequency", "--start", "--stop", "--key",
                     "--style"), OWN_STEPS),
    **dict.fromkeys(("--steps", "--heightfield", "--gravity-ramp"), ONE_PLANE),
}
"""Options of `lope simulate` that this verb does not have, and why."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_clip_options(parser)
    simulate.add_out(parser)


def run(args: argparse.Namespace) -> Outcome:
    """Simulate; the report is that of `lope simulate`."""
    return simulate.run(args)

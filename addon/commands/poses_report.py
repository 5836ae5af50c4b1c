# SPDX-License-Identifier: GPL-3.0-or-later
"""On whose body `lope poses` tries a gait, and what of its report people read."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from ..options.blender import blender_room, find_armature, open_scene
from ..specs.shot import BodySpec
from .outcome import table

TRIED_ON = "tried_on"
FOR_PROGRAMS = ("off_deg", "cost", "cpu_s", "swings", "shares", "coefficients", "error_most_deg")
"""What only --json tells."""


def tried_on(args: argparse.Namespace) -> tuple[BodySpec, str]:
    """The body that the trials move, and in words whose it is: the rig's of an action, whose file is open already, or of --blend;
    else the standard one. Raises LopeError."""
    if args.action is None and args.blend is None and args.armature is None:
        body = BodySpec()
        return body, f"Lope's standard body, {_size(body)}"
    if args.action is None:
        open_scene(args.blend)
    armature = find_armature(args.armature)
    body = blender_room("read.armature").read_figure(armature, scene=armature.users_scene[0]).body_spec()
    return body, f"{armature.name}'s own body, {_size(body)}"


def for_people(report: Mapping[str, Any]) -> str:
    """The report as a table, without what only programs ask for."""
    return table({name: value for name, value in report.items() if name not in FOR_PROGRAMS})


def _size(body: BodySpec) -> str:
    return f"{body.height_m:.2f} m and {body.mass_kg:g} kg"

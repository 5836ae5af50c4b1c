# SPDX-License-Identifier: GPL-3.0-or-later
"""A take that goes on from another: whether the one before is what the armature's action holds, and what is done where not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import bpy

from ...specs.bake_options import BakeOptions
from ...specs.shot import Shot

TAKE_KEY = "lope_take"
"""Property of a baked action: SHA-256 of the file of the take with which its motion ends, as `After.sha256` has it. A loop and
a take that was never in a file have none."""


def stamp_take(action: bpy.types.Action, digest: str | None) -> None:
    """Note with which take an action ends."""
    action.pop(TAKE_KEY, None)
    if digest is not None:
        action[TAKE_KEY] = digest


def continued(armature: bpy.types.Object, shot: Shot, options: BakeOptions, *, placed: bool) -> tuple[BakeOptions, str | None]:
    """The options with which a shot's take goes on by itself, and the sentence on what is done; None where that goes without
    saying. One that cannot go on leaves the action before in the file. `placed`: the start frame was asked for."""
    data = armature.animation_data
    action = None if data is None else data.action
    if shot.after is None or options.go_on:
        return options, None
    before = Path(shot.after.take).name
    if action is None:
        return options, (f"This take goes on from {before}, and {armature.name!r} has no action that it could go on in: it is "
                         "baked as a motion by itself.")
    asked = placed or options.loop or options.target != "update"
    if not asked and action.get(TAKE_KEY) == shot.after.sha256:
        return replace(options, go_on=True), f"This take goes on from {before}, where the action {action.name!r} ends."
    why = "other options ask for something else" if asked else f"the action {action.name!r} does not end with that"
    target = "new" if options.target == "update" else options.target
    return replace(options, target=target, keep_old=True), (
        f"This take goes on from {before}, but {why}: it is baked as a motion by itself (--go-on joins it to the last one), and "
        f"the action {action.name!r} is kept.")

# SPDX-License-Identifier: GPL-3.0-or-later
"""The asset library that Lope brings: moves of its own as actions, which there are, and one of them taken into the open file."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import bpy

from ...errors import InputError, unknown_name
from ...specs.settings import PRESETS
from ...specs.shot import Shot
from ..bake.provenance import shot_of

FOLDER = PRESETS / "library"
FILE, CATALOGUES, RIG = "moves.blend", "blender_assets.cats.txt", "Lope's Moves"
"""The file of the moves, what Blender calls a library's catalogues, and the armature that the moves are of."""
MAT, DATABASE = FOLDER / "mat.npz", FOLDER / "steps.npz"
"""What a mat felt of somebody who takes a few steps, and a database that knows these."""


@lru_cache(maxsize=1)
def move_names() -> tuple[str, ...]:
    """The moves in the order of their names. Raises InputError where the file is not there."""
    with bpy.data.libraries.load(str(_file()), assets_only=True) as (found, _):
        return tuple(sorted(found.actions))


def recipe_of(name: str) -> Shot:
    """The shot that a move was made of. Raises InputError for a name that there is not."""
    _check(name)
    with bpy.data.libraries.load(str(_file())) as (_, wanted):
        wanted.actions = [name]
    try:
        return shot_of(wanted.actions[0])
    finally:
        bpy.data.actions.remove(wanted.actions[0])


def bring_in(name: str) -> tuple[bpy.types.Action, bpy.types.Object]:
    """A move as an action of the open file, brought in once, and its armature, in no scene. Raises InputError."""
    _check(name)
    action, rig = bpy.data.actions.get(name), bpy.data.objects.get(RIG)
    with bpy.data.libraries.load(str(_file()), assets_only=False) as (_, wanted):
        wanted.actions = [] if action is not None else [name]
        wanted.objects = [] if rig is not None else [RIG]
    if action is None:
        action = wanted.actions[0]
        action.asset_clear()
        action.use_fake_user = False
    if rig is None:
        rig = wanted.objects[0]
        rig.use_fake_user = False
    return action, rig


def _check(name: str) -> None:
    if name not in move_names():
        raise unknown_name("move", name, move_names())


def _file() -> Path:
    if not (FOLDER / FILE).is_file():
        raise InputError(f"The library of moves is not there: {FOLDER / FILE}. Install Lope anew.")
    return FOLDER / FILE

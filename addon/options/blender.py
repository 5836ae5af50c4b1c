# SPDX-License-Identifier: GPL-3.0-or-later
"""The door to the rooms that need Blender: says clearly when Blender is not there, or has no file open."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ..errors import InputError
from .outputs import check_input

if TYPE_CHECKING:
    import argparse

    from ..specs.creature import Creature


def blender_room(name: str) -> ModuleType:
    """The module `addon.rigs.NAME` ("bake.bake", say). Raises InputError where this Python cannot load Blender."""
    try:
        return importlib.import_module(f"...rigs.{name}", __name__)
    except ImportError as error:
        if error.name is not None and error.name.startswith(__package__.rpartition(".")[0]):
            raise  # one of our own modules is missing: a fault, not an absent Blender
        raise InputError(
            f"This needs Blender or the bpy module, which this Python cannot load ({error}). Run scripts/setup, or run it "
            "inside Blender: blender --background --command lope ...") from error


ASTRONAUT = "astronaut"
"""What stands in place of a file for the built-in figure, in a scene of its own."""
CREATURE = "creature"
"""What stands in place of a file for a figure made of a creature."""


def add_blend_option(parser: argparse.ArgumentParser, what: str, more: str = "") -> None:
    """--blend: the file to work on; `more` is said of it at the end."""
    parser.add_argument("--blend", metavar="IN.blend",
                        help=f"{what}, or a .glb, .gltf, .vrm, .fbx or .bvh, or {ASTRONAUT} for the built-in figure "
                        f"(default: the file that Blender was started with){more}")


def check_blend(blend: str | None) -> Path | None:
    """The file of --blend; None for a figure that is made, and where none is given. Raises InputError where there is no such
    file."""
    return None if blend in (None, ASTRONAUT, CREATURE) else check_input(str(blend), "Blender file")


def open_scene(blend: str | None, height_m: float | None = None, creature: Creature | None = None) -> Any:
    """The scene of a Blender file, or of a glTF, FBX or BVH file that is imported; a new one with the astronaut, `height_m` tall,
    or with the figure of a `creature`; without one, of the file that is open. Raises InputError where there is none."""
    path = check_blend(blend)
    if blend == CREATURE:
        if creature is None:
            raise InputError(f"--blend {CREATURE} is the figure made of a creature, and there is none here; take {ASTRONAUT}, or "
                             "a file.")
        return blender_room("shots.open_rig").open_creature(creature).users_scene[0]
    if blend == ASTRONAUT:
        return blender_room("shots.open_rig").open_rig(None, None, height_m).users_scene[0]
    if path is not None and path.suffix.lower() in (".glb", ".gltf", ".vrm", ".fbx", ".bvh"):
        return blender_room("shots.open_rig").import_file(path)
    files = blender_room("read.blend_file")
    if path is not None:
        return files.open_blend(path)
    if files.open_file() is None:
        raise InputError("No Blender file is given: add --blend IN.blend, or start Blender with one "
                         "(blender --background IN.blend --command lope ...).")
    return files.scene_at_hand()


def find_armature(name: str | None) -> Any:
    """The armature object of that name, or the only one, in the open file. Raises InputError listing those there are."""
    return blender_room("read.blend_file").find_armature(name)

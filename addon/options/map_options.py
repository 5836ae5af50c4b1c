# SPDX-License-Identifier: GPL-3.0-or-later
"""--map: which bone of a rig is which, in a file or in words, where Lope's own guess is not to be taken."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from ..errors import InputError, unknown_name
from .blender import blender_room

OPTION = "--map"


def add_map_option(parser: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    """--map."""
    parser.add_argument(OPTION, nargs="+", action="extend", metavar="MAP.json|BONE=PART",
                        help="which bone is which: a bone map's file, or some of the bones (Bone.003=thigh_L; an empty BONE: "
                             "none), the others as Lope finds them")


def map_of(words: Sequence[str] | None, armature: Any) -> dict[str, str] | None:
    """The bone map (part -> bone) that the words ask for on an armature; None without any. Raises InputError."""
    if not words:
        return None
    rooms = blender_room("read.own_map"), blender_room("read.armature")
    files = [word for word in words if "=" not in word]
    if len(files) > 1:
        raise InputError(f"{OPTION} takes one file, got {', '.join(files)}.")
    bones = rooms[0].load_map(files[0]) if files else dict(rooms[1].guess_of(armature).bone_of)
    given = dict(_pair(word) for word in words if "=" in word)
    bones = {part: bone for part, bone in bones.items() if part not in given and bone not in given.values()}
    return bones | {part: bone for part, bone in given.items() if bone}


def keep_map(words: Sequence[str] | None, armature: Any) -> None:
    """Keep the map that the words ask for on the armature, as Blender's panel does. Raises InputError."""
    bones = map_of(words, armature)
    if bones is not None:
        blender_room("read.own_map").store_map(armature, bones)


def _pair(word: str) -> tuple[str, str]:
    """Part and bone of "BONE=PART", or of "PART=BONE" where only that makes sense. Raises InputError for no part's name."""
    parts = (*blender_room("read.maps").SEGMENTS, "root")
    bone, _, part = word.rpartition("=")
    if part in parts:
        return part, bone
    first, _, rest = word.partition("=")
    if first in parts:
        return first, rest
    raise unknown_name(f"part of the body in {OPTION} {word}", part, parts)

# SPDX-License-Identifier: GPL-3.0-or-later
"""--map of a creature: at which bone of a rig a part of it begins, in a file or in words, where what was found is not right."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ..errors import InputError, unknown_name
from .blender import blender_room

OPTION = "--map"


def add_creature_map(parser: argparse.ArgumentParser) -> None:
    """--map."""
    parser.add_argument(OPTION, nargs="+", action="extend", metavar="MAP.json|BONE=PART",
                        help="at which bone a part begins: a creature map's file, or some of the bones (Bone.003=leg_L; an "
                             "empty BONE: it has none), the others as Lope finds them; parts are trunk, leg_L, foot_L, neck, "
                             "head, tail, arm_L and those of the right side")


def said_of(words: Sequence[str] | None) -> dict[str, str] | None:
    """What the words say (part -> bone); None without any. Raises InputError."""
    if not words:
        return None
    room = blender_room("read.creature_map")
    files = [word for word in words if "=" not in word]
    if len(files) > 1:
        raise InputError(f"{OPTION} takes one file, got {', '.join(files)}.")
    said = room.load_said(files[0]) if files else {}
    for word in words:
        if "=" in word:
            bone, _, part = word.rpartition("=")
            if part not in room.PLACES:
                raise unknown_name(f"part of a creature in {OPTION} {word}", part, room.PLACES)
            said[part] = bone
    return said

# SPDX-License-Identifier: GPL-3.0-or-later
"""An artist's own word on a creature's bones: part -> the bone at which it begins, "" for a part that the creature has not.

What is not said is found by structure. `kept_map.py` says where it is kept and how.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from ...errors import RigError, unknown_name
from .kept_map import KeptMap

if TYPE_CHECKING:
    import bpy

CREATURE_MAP = KeptMap("creature map")
save_said, load_said = CREATURE_MAP.save, CREATURE_MAP.load

PLACES = ("trunk", "leg_L", "leg_R", "foot_L", "foot_R", "neck", "head", "tail", "arm_L", "arm_R")
"""What can be said: the bones at which these parts begin. A leg begins at the hip."""
MAY_LACK = ("neck", "head", "tail", "arm_L", "arm_R")
"""Parts that a creature may be said not to have."""


def check_said(bones: Mapping[str, str], names: Iterable[str], rig: str) -> dict[str, str]:
    """What is said of a rig's bones. Raises RigError, or InputError for a part that there is not."""
    known = set(names)
    for part, bone in bones.items():
        if part not in PLACES:
            raise unknown_name("part of a creature", part, PLACES)
        if not bone and part not in MAY_LACK:
            raise RigError(f"The creature map for {rig!r} says that there is no {part}: no creature walks without; name its "
                           "bone.")
        if bone and bone not in known:
            raise RigError(f"The creature map for {rig!r} names the bone {bone!r} for {part}, which the armature does not "
                           "have.")
    taken = [bone for bone in bones.values() if bone]
    twice = sorted({bone for bone in taken if taken.count(bone) > 1})
    if twice:
        raise RigError(f"The creature map for {rig!r} gives two parts the same bone: {', '.join(twice)}.")
    return dict(bones)


def store_said(armature: bpy.types.Object, bones: Mapping[str, str]) -> None:
    """Keep what is said on the armature, in the file. Raises RigError for what does not fit it."""
    CREATURE_MAP.check_writable(armature)
    CREATURE_MAP.keep(armature, check_said(bones, [bone.name for bone in armature.data.bones], armature.name))


def stored_said(armature: bpy.types.Object) -> dict[str, str]:
    """What is kept on the armature, empty where nothing is. Raises RigError for what is damaged or names bones that are
    gone."""
    said = CREATURE_MAP.kept(armature)
    return {} if said is None else check_said(said, [bone.name for bone in armature.data.bones], armature.name)


def forget_said(armature: bpy.types.Object) -> None:
    """Take away what is said; all is found by structure again. Raises RigError where that cannot be."""
    CREATURE_MAP.check_writable(armature)
    CREATURE_MAP.forget(armature)

# SPDX-License-Identifier: GPL-3.0-or-later
"""An artist's own bone map: segment -> bone name, and optionally "root" -> the bone that carries the travel.

`kept_map.py` says where it is kept and how.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from .detect import check_mapping
from .kept_map import KeptMap

if TYPE_CHECKING:
    import bpy

BONE_MAP = KeptMap("bone map")
MAP_KEY = BONE_MAP.key
"""Custom property of an armature object: its own bone map as JSON text."""
save_map, load_map, kept_text, stored_map = BONE_MAP.save, BONE_MAP.load, BONE_MAP.kept_text, BONE_MAP.kept


def store_map(armature: bpy.types.Object, bones: Mapping[str, str], *, whole: bool = True,
              unsure: Iterable[str] = ()) -> None:
    """Keep a map (segment -> bone) on the armature, in the file. Raises RigError for a map that does not fit it.

    With `whole` off a map that is still being made is kept too, and parts may lack. `unsure` are parts that were guessed and
    not yet said.
    """
    BONE_MAP.check_writable(armature)
    check_mapping(bones, [bone.name for bone in armature.data.bones], armature.name, whole=whole)
    doubtful = sorted(set(unsure) & set(bones))
    BONE_MAP.keep(armature, bones, **({"unsure": doubtful} if doubtful else {}))


def unsure_of(armature: bpy.types.Object) -> frozenset[str]:
    """Parts in the map kept on the armature that were guessed and not yet said; none where no sound map is kept."""
    try:
        return frozenset(json.loads(kept_text(armature) or "{}").get("unsure", ()))
    except (TypeError, ValueError, AttributeError):
        return frozenset()


def forget_map(armature: bpy.types.Object) -> None:
    """Take the armature's own map away; its bones are then found by names and structure again."""
    BONE_MAP.check_writable(armature)
    BONE_MAP.forget(armature)

# SPDX-License-Identifier: GPL-3.0-or-later
"""Actions that were made into motion clips: kept while nothing has changed."""

from __future__ import annotations

import zlib
from pathlib import Path

import bpy
import numpy as np

from ..addon.errors import InputError
from ..addon.rigs.bake.bake import frame_rate
from ..addon.rigs.read.curves import curves_of
from ..addon.rigs.shots.action_clip import write_clip
from .context import takes_folder
from .figures import figure_of, fingerprint

_made: dict[tuple[int, int, int, float], Path] = {}


def clip_of(armature: bpy.types.Object, action: bpy.types.Action | None, scene: bpy.types.Scene, fresh: bool = True) -> Path:
    """The BVH file of an action on an armature; equal motions give the same file. Raises LopeError.

    Unless it shall be `fresh`, a file that was made in this session of that action with these keys will do.
    """
    if action is None:
        raise InputError("There is no action to take the style from; choose one under Gait, or choose a preset.")
    key = action.session_uid, _keys_of(action), fingerprint(armature, scene), frame_rate(scene)
    if fresh or key not in _made or not _made[key].is_file():
        _made[key] = write_clip(armature, action, figure_of(armature, scene), frame_rate(scene), takes_folder())
    return _made[key]


def _keys_of(action: bpy.types.Action) -> int:
    """A number that changes with the keys of an action."""
    number = 0
    for curve in curves_of(action):
        places = np.empty(2 * len(curve.keyframe_points), dtype=np.float32)
        curve.keyframe_points.foreach_get("co", places)
        number = zlib.crc32(places.tobytes(), zlib.crc32(curve.data_path.encode(), number))
    return number

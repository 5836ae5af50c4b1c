# SPDX-License-Identifier: GPL-3.0-or-later
"""Actions that were made into motion clips: kept while nothing has changed."""

from __future__ import annotations

from pathlib import Path

import bpy

from ..addon.errors import InputError
from ..addon.rigs.bake.bake import frame_rate
from ..addon.rigs.shots.action_clip import write_clip
from .context import takes_folder
from .figures import figure_of, fingerprint

_made: dict[tuple[int, int, float], Path] = {}


def clip_of(armature: bpy.types.Object, action: bpy.types.Action | None, scene: bpy.types.Scene, fresh: bool = True) -> Path:
    """The BVH file of an action on an armature; equal motions give the same file. Raises LopeError.

    Unless it shall be `fresh`, a file that was made of that action in this session will do.
    """
    if action is None:
        raise InputError("There is no action to take the style from; choose one under Gait, or choose a preset.")
    key = action.session_uid, fingerprint(armature, scene), frame_rate(scene)
    if fresh or key not in _made or not _made[key].is_file():
        _made[key] = write_clip(armature, action, figure_of(armature, scene), frame_rate(scene), takes_folder())
    return _made[key]

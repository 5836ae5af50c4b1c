# SPDX-License-Identifier: GPL-3.0-or-later
"""What is baked on an armature."""

from __future__ import annotations

import bpy

from ..addon.rigs.bake.provenance import START_KEY, baked_actions


def baked_action(armature: bpy.types.Object) -> bpy.types.Action | None:
    """The armature's action that Lope baked: its own, or the last pushed down to the NLA; None where there is none."""
    return next(baked_actions(armature), None)


def start_frame(armature: bpy.types.Object, scene: bpy.types.Scene) -> float:
    """The frame at which an armature's last take begins: where it is baked, or else the scene's first."""
    action = baked_action(armature)
    return float(scene.frame_start if action is None else action.get(START_KEY, scene.frame_start))

# SPDX-License-Identifier: GPL-3.0-or-later
"""Which frame of a baked action is on show, and whether what lies beside its motion may go with the armature object."""

from __future__ import annotations

import bpy

from ..read.curves import curves_of
from .ownership import OBJECT_CHANNELS


def frame_in(armature: bpy.types.Object, action: bpy.types.Action, scene_frame: float) -> float | None:
    """The frame of an action that an armature shows at a frame of the scene: the same where it is the armature's own, of a strip
    the one that it plays there; None where it plays none. What a strip repeats or plays backwards is not told."""
    data = armature.animation_data
    if data is None:
        return None
    if data.action == action:
        return scene_frame
    for track in data.nla_tracks:
        for strip in track.strips:
            if strip.action == action and not (track.mute or strip.mute) and strip.frame_start <= scene_frame <= strip.frame_end:
                return strip.action_frame_start + (scene_frame - strip.frame_start) / strip.scale
    return None


def follows_object(armature: bpy.types.Object, action: bpy.types.Action) -> bool:
    """Whether what lies in the scene as the motion does may go with the armature object when that is moved: not where keys, a
    parent or constraints move it already."""
    keyed = any(curve.data_path in OBJECT_CHANNELS for curve in curves_of(action, _slot(armature, action)))
    return not (keyed or armature.parent is not None or any(not one.mute for one in armature.constraints))


def _slot(armature: bpy.types.Object, action: bpy.types.Action) -> bpy.types.ActionSlot | None:
    """The slot of an action by which an armature is moved."""
    data = armature.animation_data
    if data is not None and data.action == action:
        return data.action_slot
    strips = [] if data is None else [strip for track in data.nla_tracks for strip in track.strips if strip.action == action]
    return strips[0].action_slot if strips else None

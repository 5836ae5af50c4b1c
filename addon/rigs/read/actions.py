# SPDX-License-Identifier: GPL-3.0-or-later
"""What animates an object: its action, the curves of that, and which of its frames the scene shows."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

import bpy

OBJECT_CHANNELS = ("location", "rotation_quaternion", "rotation_axis_angle", "rotation_euler")
_NOTHING = SimpleNamespace(action=None, action_slot=None, nla_tracks=(), drivers=())


def animation_of(item: bpy.types.Object) -> bpy.types.AnimData:
    """What animates an object; of one without animation, what holds nothing."""
    return item.animation_data or _NOTHING


def curves_of(action: bpy.types.Action, slot: bpy.types.ActionSlot | None = None) -> Iterator[bpy.types.FCurve]:
    for layer in action.layers:
        for strip in layer.strips:
            for bag in strip.channelbags:
                if slot is None or bag.slot_handle == slot.handle:
                    yield from bag.fcurves


def frame_rate(scene: bpy.types.Scene) -> float:
    return scene.render.fps / scene.render.fps_base


def frame_in(armature: bpy.types.Object, action: bpy.types.Action, scene_frame: float) -> float | None:
    """The frame of an action that an armature shows at a frame of the scene: the same where it is the armature's own, of a strip
    the one that it plays there; None where it plays none. What a strip repeats or plays backwards is not told."""
    data = animation_of(armature)
    if data.action == action:
        return scene_frame
    for track in data.nla_tracks:
        for strip in track.strips:
            if strip.action == action and not (track.mute or strip.mute) and strip.frame_start <= scene_frame <= strip.frame_end:
                return strip.action_frame_start + (scene_frame - strip.frame_start) / strip.scale
    return None


def follows_object(armature: bpy.types.Object, action: bpy.types.Action) -> bool:
    """Whether what lies in the scene as the motion does may go with the armature: not where keys, parent, constraints move it."""
    keyed = any(curve.data_path in OBJECT_CHANNELS for curve in curves_of(action, slot_in(armature, action)))
    return not (keyed or armature.parent is not None or any(not one.mute for one in armature.constraints))


def slot_in(armature: bpy.types.Object, action: bpy.types.Action) -> bpy.types.ActionSlot | None:
    """The slot by which an armature plays an action, itself or in a strip."""
    data = animation_of(armature)
    strips = (strip for track in data.nla_tracks for strip in track.strips)
    return next((one.action_slot for one in (data, *strips) if one.action == action), None)

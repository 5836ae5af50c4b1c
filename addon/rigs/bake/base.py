# SPDX-License-Identifier: GPL-3.0-or-later
"""Where an armature object stands before a bake carries it anywhere. It must not depend on the frame that is shown just now."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import bpy

from ..read.curves import curves_of
from .ownership import OBJECT_CHANNELS, lopes_channels
from .provenance import SHOT_KEY


@contextlib.contextmanager
def standing_at_base(armature: bpy.types.Object, scene: bpy.types.Scene, frame: int, *, stay: bool = True) -> Iterator[None]:
    """The armature object at its base while this lasts, and with `stay` ever after if it ends well.

    What an earlier bake made the object travel is taken back to where it began; an object that the artist's keys, a parent,
    constraints or NLA strips move is taken where it is at `frame`, the bake's first. The scene's frame comes back at the end.
    """
    shown = scene.frame_current, scene.frame_subframe
    elsewhere = _moved_from_elsewhere(armature) and shown != (frame, 0.0)
    before = {prop: tuple(getattr(armature, prop)) for prop in OBJECT_CHANNELS}
    if elsewhere:
        scene.frame_set(frame)
    base = base_values(armature, frame)
    for (prop, index), value in base.items():
        getattr(armature, prop)[index] = value
    if base:
        bpy.context.view_layer.update()
    try:
        yield
        stays = stay
    except Exception:
        stays = False
        raise
    finally:
        if not stays:
            for prop, values in before.items():
                setattr(armature, prop, values)
            if base:
                bpy.context.view_layer.update()
        if elsewhere:
            scene.frame_set(shown[0], subframe=shown[1])


def base_values(armature: bpy.types.Object, frame: int) -> dict[tuple[str, int], float]:
    """Values (property, index) of the object's own channels at its base, as far as keys move them."""
    found: dict[tuple[str, int], float] = {}
    for action, slot in reversed(_playing(armature)):
        lopes = lopes_channels(action)
        for curve in curves_of(action, slot):
            if curve.data_path in OBJECT_CHANNELS and len(curve.keyframe_points):
                value = curve.keyframe_points[0].co[1] if curve.data_path in lopes else curve.evaluate(frame)
                found[curve.data_path, curve.array_index] = float(value)
    return found


def is_carried(armature: bpy.types.Object) -> bool:
    """Whether keys of an earlier bake move the object in the armature's own action."""
    data = armature.animation_data
    return data is not None and bool(lopes_channels(data.action) & set(OBJECT_CHANNELS))


def _playing(armature: bpy.types.Object) -> list[tuple[bpy.types.Action, bpy.types.ActionSlot | None]]:
    """The armature's action, then those that Lope pushed down to the NLA, the earliest first."""
    data = armature.animation_data
    if data is None:
        return []
    own = [] if data.action is None else [(data.action, data.action_slot)]
    strips = [strip for track in data.nla_tracks for strip in track.strips
              if strip.action is not None and SHOT_KEY in strip.action]
    return own + [(strip.action, strip.action_slot) for strip in sorted(strips, key=lambda strip: strip.frame_start)]


def _moved_from_elsewhere(armature: bpy.types.Object) -> bool:
    """Whether anything but the object's own action may move it from frame to frame."""
    data = armature.animation_data
    strips = data is not None and any(not track.mute and len(track.strips) for track in data.nla_tracks)
    drivers = data is not None and any(driver.data_path in OBJECT_CHANNELS for driver in data.drivers)
    return strips or drivers or armature.parent is not None or any(not one.mute for one in armature.constraints)

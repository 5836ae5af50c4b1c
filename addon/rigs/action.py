# SPDX-License-Identifier: GPL-3.0-or-later
"""Write actions: slots, channel bags and whole F-curves at once, one code path for Blender 4.5 and 5.x."""

from __future__ import annotations

from collections.abc import Iterable

import bpy
import numpy as np

_GROUP_ARGUMENT = bpy.app.version >= (5, 0, 0)  # fcurves.new() takes the group's name since 5.0


class ActionWriter:
    """A new action for one object; the caller assigns it when it is whole."""

    def __init__(self, name: str, target: bpy.types.Object) -> None:
        self.action = bpy.data.actions.new(name)
        self.slot = self.action.slots.new(id_type="OBJECT", name=target.name)
        strip = self.action.layers.new("Layer").strips.new(type="KEYFRAME")
        self._bag = strip.channelbag(self.slot, ensure=True)

    def write(self, path: str, group: str, frames: np.ndarray, values: np.ndarray, kinds: np.ndarray | None = None,
              interpolation: str = "LINEAR") -> None:
        """F-curves of every component of a property.

        `frames` (T,), `values` (T, C) or (T,) for a property without index, `kinds` (T,) key type codes (see `key_kinds`).
        """
        values = np.asarray(values, dtype=np.float32).reshape(len(frames), -1)
        codes = np.full(len(frames), _code("interpolation", interpolation), dtype=np.int32)
        handles = np.full(len(frames), _code("handle_left_type", "AUTO_CLAMPED"), dtype=np.int32)
        for index in range(values.shape[1]):
            curve = self._curve(path, index, group)
            keys = curve.keyframe_points
            keys.add(len(frames))
            keys.foreach_set("co", np.column_stack([frames, values[:, index]]).astype(np.float32).ravel())
            keys.foreach_set("interpolation", codes)
            keys.foreach_set("handle_left_type", handles)
            keys.foreach_set("handle_right_type", handles)
            if kinds is not None:
                keys.foreach_set("type", kinds)
            curve.update()

    def _curve(self, path: str, index: int, group: str) -> bpy.types.FCurve:
        if _GROUP_ARGUMENT:
            return self._bag.fcurves.new(path, index=index, group_name=group)
        curve = self._bag.fcurves.new(path, index=index)
        curve.group = self._bag.groups.get(group) or self._bag.groups.new(group)
        return curve

    def mark(self, label: str, frame: int) -> None:
        """A named marker of the action at a frame."""
        self.action.pose_markers.new(label).frame = frame

    def assign(self, target: bpy.types.Object) -> None:
        """Make this the object's action; an action it had stays in the file, kept by a fake user."""
        data = target.animation_data or target.animation_data_create()
        old = data.action
        if old is not None and old.library is None:
            old.use_fake_user = True
        data.action = self.action
        data.action_slot = self.slot


def key_kinds(frames: np.ndarray, extreme: Iterable[int]) -> np.ndarray:
    """Key type codes (T,) int32: GENERATED, and EXTREME at the frames in `extreme`."""
    return np.where(np.isin(frames, list(extreme)), _code("type", "EXTREME"), _code("type", "GENERATED")).astype(np.int32)


def _code(prop: str, item: str) -> int:
    """Number of an item of one of a keyframe's enumerations."""
    return int(bpy.types.Keyframe.bl_rna.properties[prop].enum_items[item].value)

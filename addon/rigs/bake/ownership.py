# SPDX-License-Identifier: GPL-3.0-or-later
"""Whose the keys of an action are: those that Lope wrote and nobody has touched since may be written anew; all others are the
artist's."""

from __future__ import annotations

import zlib

import bpy
import numpy as np

from ..read.curves import curves_of
from .provenance import SHOT_KEY, lopes_kinds

KEYS_KEY = "lope_keys"
"""Property of a baked action: checksum of Lope's keys in it as they were written."""

OBJECT_CHANNELS = ("location", "rotation_quaternion", "rotation_axis_angle", "rotation_euler")


def is_lopes(curve: bpy.types.FCurve) -> bool:
    """Whether every key of a curve is of a type that a bake writes."""
    kinds = _kinds(curve)
    return bool(kinds) and kinds <= set(lopes_kinds())


def checksum(action: bpy.types.Action, slot: bpy.types.ActionSlot) -> str:
    """A text that changes with Lope's keys in an action: with their places, and with a key of the artist's among them."""
    number, lopes = 0, lopes_kinds()
    for curve in curves_of(action, slot):
        points = curve.keyframe_points
        kinds, places = np.empty(len(points), np.int32), np.empty(2 * len(points), np.float32)
        points.foreach_get("type", kinds)
        if np.isin(kinds, lopes).any():
            points.foreach_get("co", places)
            number = zlib.crc32(repr((curve.data_path, curve.array_index)).encode(), number)
            number = zlib.crc32(places.tobytes(), zlib.crc32(kinds.tobytes(), number))
    return str(number)


def untouched(action: bpy.types.Action | None, slot: bpy.types.ActionSlot | None) -> bool:
    """Whether Lope wrote whole curves in an action and they still are as it wrote them."""
    if action is None or slot is None or KEYS_KEY not in action or SHOT_KEY not in action:
        return False
    lopes = set(lopes_kinds())
    if any(kinds & lopes and kinds - lopes for kinds in map(_kinds, curves_of(action, slot))):
        return False
    return action[KEYS_KEY] == checksum(action, slot)


def may_update(armature: bpy.types.Object) -> bool:
    """Whether the armature's action is Lope's alone, and nobody else's: neither linked nor used elsewhere."""
    data = armature.animation_data
    action = None if data is None else data.action
    return (action is not None and action.library is None and action.users - action.use_fake_user == 1
            and untouched(action, data.action_slot))


def keep(action: bpy.types.Action, *, asked: bool) -> None:
    """Give an action that is no longer in use a fake user if that is `asked` for, or if the artist's own keys would be lost with
    it when the file is saved; Lope's own can be baked again."""
    if asked or (action.users == 0 and not _all_lopes(action)):
        action.use_fake_user = True


def _all_lopes(action: bpy.types.Action) -> bool:
    return len(action.slots) == 1 and untouched(action, action.slots[0]) and all(
        is_lopes(curve) for curve in curves_of(action) if len(curve.keyframe_points))


def _kinds(curve: bpy.types.FCurve) -> set[int]:
    kinds = np.empty(len(curve.keyframe_points), np.int32)
    curve.keyframe_points.foreach_get("type", kinds)
    return set(np.unique(kinds).tolist())

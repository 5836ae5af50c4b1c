# SPDX-License-Identifier: GPL-3.0-or-later
"""Whose the curves of an action are: those that Lope wrote from end to end and nobody has touched since may be written anew; all
others are the artist's."""

from __future__ import annotations

import json
import zlib
from collections.abc import Collection, Set

import bpy
import numpy as np

from ..read.curves import curves_of

CHANNELS_KEY, KEYS_KEY = "lope_channels", "lope_keys"
"""Properties of a baked action: JSON of the data paths that are Lope's from end to end, and a checksum of their keys as they were
written. An action in which Lope's keys stand among the artist's has no checksum."""

AT_REST = 1e-4
"""A bone whose own matrix differs from one by less than this is at rest."""

OBJECT_CHANNELS = ("location", "rotation_quaternion", "rotation_axis_angle", "rotation_euler")


def lopes_channels(action: bpy.types.Action | None) -> frozenset[str]:
    """Data paths of the curves that Lope wrote from end to end, touched since or not."""
    return frozenset() if action is None else frozenset(json.loads(action.get(CHANNELS_KEY, "[]")))


def note_channels(action: bpy.types.Action, slot: bpy.types.ActionSlot, written: Set[str], theirs: Set[str],
                  before: Set[str]) -> None:
    """Note what is Lope's in a fresh bake: the paths that it has `written`, but for `theirs`, in which keys of the artist's are
    left, and those that were Lope's `before` and stay."""
    action[CHANNELS_KEY] = json.dumps(sorted((written | before) - theirs))
    action.pop(KEYS_KEY, None)
    if not theirs:
        action[KEYS_KEY] = _checksum(action, slot)


def untouched(action: bpy.types.Action | None, slot: bpy.types.ActionSlot | None) -> bool:
    """Whether Lope's curves in an action hold no key of the artist's and are as Lope wrote them."""
    return action is not None and slot is not None and KEYS_KEY in action and action[KEYS_KEY] == _checksum(action, slot)


def may_update(armature: bpy.types.Object, paths: Collection[str]) -> bool:
    """Whether the curves of these paths may be written anew in the armature's action: Lope's, untouched, or not there yet, in an
    action that is neither linked nor used elsewhere."""
    data = armature.animation_data
    action = None if data is None else data.action
    if action is None or action.library is not None or action.users - action.use_fake_user != 1:
        return False
    theirs = {curve.data_path for curve in curves_of(action, data.action_slot)} - lopes_channels(action)
    return untouched(action, data.action_slot) and not theirs & set(paths)


def keep(action: bpy.types.Action, *, asked: bool) -> None:
    """Give an action that is no longer in use a fake user if that is `asked` for, or if the artist's own keys would be lost with
    it when the file is saved; Lope's own can be baked again."""
    if asked or (action.users == 0 and not all_lopes(action)):
        action.use_fake_user = True


def all_lopes(action: bpy.types.Action) -> bool:
    """Whether Lope wrote all of an action, and nobody has touched it since."""
    return (len(action.slots) == 1 and untouched(action, action.slots[0])
            and {curve.data_path for curve in curves_of(action)} <= lopes_channels(action))


def _checksum(action: bpy.types.Action, slot: bpy.types.ActionSlot) -> str:
    """A text that changes with the keys of Lope's curves in an action."""
    number, channels = 0, lopes_channels(action)
    for curve in curves_of(action, slot):
        if curve.data_path in channels:
            places = np.empty(2 * len(curve.keyframe_points), np.float32)
            curve.keyframe_points.foreach_get("co", places)
            number = zlib.crc32(repr((curve.data_path, curve.array_index, curve.mute)).encode(), number)
            number = zlib.crc32(places.tobytes(), number)
    return str(number)


def not_the_artists(armature: bpy.types.Object) -> set[str]:
    """Bones that nobody has posed or keyed but Lope: at rest and without keys, or with keys that Lope wrote from end to end."""
    data = armature.animation_data
    action = None if data is None else data.action
    lopes = lopes_channels(action)
    keyed = set() if action is None else {curve.data_path for curve in curves_of(action, data.action_slot)}
    found = set()
    for bone in armature.pose.bones:
        own = {path for path in keyed if path.startswith(bone.path_from_id() + ".")}
        if own <= lopes and (own or np.abs(np.array(bone.matrix_basis) - np.eye(4)).max() < AT_REST):
            found.add(bone.name)
    return found

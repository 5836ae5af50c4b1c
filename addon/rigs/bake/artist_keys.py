# SPDX-License-Identifier: GPL-3.0-or-later
"""Whose keys an action has: what a bake changed (`diff`), and which curves Lope wrote from end to end and nobody has touched
since, so that they may be written anew."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Collection, Set
from dataclasses import dataclass

import bpy
import numpy as np

from ..read.actions import animation_of, curves_of
from .provenance import CHANNELS_KEY, KEYS_KEY

KEY_BYTES = 72
"""Bytes of one key in a .blend file (Blender's BezTriple)."""

_CONTROL = re.compile(r'^pose\.bones\["((?:[^"\\]|\\.)*)"\]')


@dataclass(frozen=True)
class ControlDiff:
    """Keys of one control that came, went, or hold another value; `own`: of what went or changed, the artist's."""

    control: str
    added: int = 0
    removed: int = 0
    changed: int = 0
    own: int = 0


@dataclass(frozen=True)
class ActionDiff:
    controls: tuple[ControlDiff, ...]
    keys_before: int
    keys_after: int

    def sentence(self) -> str:
        """The whole in one sentence. A bake alters no action of the artist's, so keys that gave way are still in theirs."""
        if not self.controls:
            return f"No key differs ({self.keys_after} keys)."
        written, own = (sum(part) for part in zip(*((c.added + c.changed, c.own) for c in self.controls), strict=True))
        size_mb = KEY_BYTES * self.keys_after / 1e6
        if own:
            return (f"{written} keys written on {len(self.controls)} controls ({size_mb:.2f} MB in all); {own} of "
                    "your own keys gave way here and are still in the action before.")
        return (f"{written} keys written on {len(self.controls)} controls ({size_mb:.2f} MB in all); none of your "
                "own keys was touched.")


Keys = tuple[np.ndarray, np.ndarray, np.ndarray]
Snapshot = dict[tuple[str, int], Keys]
"""Keys of an action by (path, index) of their curves: frames, rising, values and types, (N,) each."""


def snapshot(action: bpy.types.Action | None, slot: bpy.types.ActionSlot | None = None) -> Snapshot:
    return {path: _keys(found) for path, found in _curves(action, slot).items()}


def diff(before: Snapshot | bpy.types.Action | None, after: Snapshot | bpy.types.Action | None) -> ActionDiff:
    """What a bake changed between two actions, or what was kept of them, key by key (place, value, type); None is no action."""
    old, new = (part if isinstance(part, dict) else snapshot(part) for part in (before, after))
    counts: dict[str, list[int]] = {}
    keys_before = keys_after = 0
    for path in dict.fromkeys([*old, *new]):
        had, has = old.get(path, _NO_KEYS), new.get(path, _NO_KEYS)
        keys_before, keys_after = keys_before + len(had[0]), keys_after + len(has[0])
        both, mine, theirs = np.intersect1d(had[0], has[0], assume_unique=True, return_indices=True)
        changed = (had[1][mine] != has[1][theirs]) | (had[2][mine] != has[2][theirs])
        kept = np.zeros(len(had[0]), dtype=bool)
        kept[mine[~changed]] = True
        own = np.count_nonzero(~kept & ~np.isin(had[2], lopes_kinds()))
        found = len(has[0]) - len(both), len(had[0]) - len(both), np.count_nonzero(changed), own
        if any(found):
            row = counts.setdefault(control_of(path[0]), [0, 0, 0, 0])
            row[:] = [int(a + b) for a, b in zip(row, found, strict=True)]
    controls = tuple(ControlDiff(name, *counts[name]) for name in sorted(counts))
    return ActionDiff(controls, keys_before, keys_after)


def lopes_kinds() -> list[int]:
    """Numbers of the key types that a bake writes: its samples, strikes, and the edges of a replaced range."""
    items = bpy.types.Keyframe.bl_rna.properties["type"].enum_items
    return [items[kind].value for kind in ("GENERATED", "EXTREME", "JITTER")]


def control_of(path: str) -> str:
    found = _CONTROL.match(path)
    return found.group(1).replace('\\"', '"').replace("\\\\", "\\") if found else "Object"


def _curves(action: bpy.types.Action | None, slot: bpy.types.ActionSlot | None) -> dict[tuple, list[bpy.types.FCurve]]:
    """F-curves of an action by (path, index); one each, but for actions of several slots."""
    found: dict[tuple, list[bpy.types.FCurve]] = {}
    for curve in () if action is None else curves_of(action, slot):
        found.setdefault((curve.data_path, curve.array_index), []).append(curve)
    return found


_NO_KEYS: Keys = (np.zeros(0, np.float32), np.zeros(0, np.float32), np.zeros(0, np.int32))


def _keys(curves: list[bpy.types.FCurve]) -> Keys:
    """Frames, rising, values and types of the curves' keys, (N,) each; of several at one frame the last one."""
    co, kinds = [np.zeros(0, np.float32)], [np.zeros(0, np.int32)]
    for curve in curves:
        count = len(curve.keyframe_points)
        co.append(np.empty(2 * count, np.float32))
        kinds.append(np.empty(count, np.int32))
        curve.keyframe_points.foreach_get("co", co[-1])
        curve.keyframe_points.foreach_get("type", kinds[-1])
    places, kind = np.concatenate(co).reshape(-1, 2)[::-1], np.concatenate(kinds)[::-1]
    frames, last = np.unique(places[:, 0], return_index=True)
    return frames, places[last, 1], kind[last]


AT_REST = 1e-4
"""A bone whose own matrix differs from one by less than this is at rest."""


def lopes_channels(action: bpy.types.Action | None) -> frozenset[str]:
    """Data paths of the curves that Lope wrote from end to end, touched since or not."""
    return frozenset() if action is None else frozenset(json.loads(action.get(CHANNELS_KEY, "[]")))


def note_channels(action: bpy.types.Action, slot: bpy.types.ActionSlot, written: Set[str], theirs: Set[str],
                  before: Set[str]) -> None:
    """Note what is Lope's in a fresh bake: paths `written` without `theirs` (the artist's keys), and those from `before`."""
    action[CHANNELS_KEY] = json.dumps(sorted((written | before) - theirs))
    action.pop(KEYS_KEY, None)
    if not theirs:
        action[KEYS_KEY] = _checksum(action, slot)


def untouched(action: bpy.types.Action | None, slot: bpy.types.ActionSlot | None) -> bool:
    """Whether Lope's curves in an action hold no key of the artist's and are as Lope wrote them."""
    return action is not None and slot is not None and KEYS_KEY in action and action[KEYS_KEY] == _checksum(action, slot)


def may_update(armature: bpy.types.Object, paths: Collection[str]) -> bool:
    """Whether these paths' curves may be written anew: Lope's and untouched, or missing, the action not linked nor shared."""
    data = animation_of(armature)
    action = data.action
    if action is None or action.library is not None or action.users - action.use_fake_user != 1:
        return False
    return untouched(action, data.action_slot) and not (keyed_paths(armature) - lopes_channels(action)) & set(paths)


def keyed_paths(item: bpy.types.Object) -> set[str]:
    """Data paths of the curves of an object's own action."""
    data = animation_of(item)
    return set() if data.action is None else {curve.data_path for curve in curves_of(data.action, data.action_slot)}


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
    lopes, keyed, found = lopes_channels(animation_of(armature).action), keyed_paths(armature), set()
    for bone in armature.pose.bones:
        own = {path for path in keyed if path.startswith(bone.path_from_id() + ".")}
        if own <= lopes and (own or np.abs(np.array(bone.matrix_basis) - np.eye(4)).max() < AT_REST):
            found.add(bone.name)
    return found

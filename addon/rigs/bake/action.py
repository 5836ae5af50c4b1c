# SPDX-License-Identifier: GPL-3.0-or-later
"""Write actions: slots, channel bags and whole F-curves at once, for Blender 4.5 and 5.x alike. An action that exists is never
written to: all targets but "new" work on a copy of it. A key is put into an F-curve without bending it by de Casteljau's split of
Blender's Bézier segments."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass
from functools import lru_cache

import bpy
import numpy as np

from ..read.actions import animation_of, slot_in

Columns = dict[str, np.ndarray]
_HALVINGS = 60


def split(keys: Columns, frame: float, value: float, codes: Mapping[str, int]) -> Columns:
    """The keys with one at `frame`, where the curve has `value`, its course kept: handles beside it are shortened and free, as
    automatic ones would turn. `codes` are the numbers of BEZIER, LINEAR and FREE. Beyond its keys the curve goes on straight;
    segments of other kinds keep their kind."""
    at = int(np.searchsorted(keys["co"][:, 0], frame))
    count = len(keys["co"])
    out = {part: np.insert(values, at, values[min(max(at - 1, 0), count - 1)], axis=0) for part, values in keys.items()}
    out["co"][at] = frame, value
    out["handle_left"][at] = out["handle_right"][at] = frame, value
    for side in ("handle_left_type", "handle_right_type"):
        out[side][max(at - 1, 0):at + 2] = codes["FREE"]
    if at == 0 or at == count:
        out["interpolation"][at - 1 if at else at] = codes["LINEAR"]
    elif keys["interpolation"][at - 1] == codes["BEZIER"]:
        points = np.array([keys["co"][at - 1], keys["handle_right"][at - 1], keys["handle_left"][at], keys["co"][at]], float)
        first, second = _halves(_proper(points), frame)
        out["handle_right"][at - 1], out["handle_left"][at] = first[1], first[2]
        out["co"][at, 1] = first[3][1]
        out["handle_right"][at], out["handle_left"][at + 1] = second[1], second[2]
    return out


def _proper(points: np.ndarray) -> np.ndarray:
    """Points (4, 2) of a segment whose handles are no longer than it is, as Blender shortens them where it evaluates."""
    points = points.copy()
    length = points[3, 0] - points[0, 0]
    for end, handle in ((0, 1), (3, 2)):
        way = points[handle] - points[end]
        points[handle] = points[end] + way * min(1.0, length / max(abs(way[0]), 1e-9))
    return points


def _halves(points: np.ndarray, frame: float) -> tuple[np.ndarray, np.ndarray]:
    """Points (4, 2) of the parts of a segment before and after a frame."""
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        share = 0.5 * (low + high)
        first, second = _cut(points, share)
        low, high = (share, high) if first[3][0] < frame else (low, share)
    return first, second


def _cut(points: np.ndarray, share: float) -> tuple[np.ndarray, np.ndarray]:
    levels = [points]
    while len(levels[-1]) > 1:
        levels.append((1.0 - share) * levels[-1][:-1] + share * levels[-1][1:])
    return np.array([level[0] for level in levels]), np.array([level[-1] for level in levels[::-1]])


_GROUP_ARGUMENT = bpy.app.version >= (5, 0, 0)  # fcurves.new() takes the group's name since 5.0
_OBJECT_ID = "OBJECT"

_KEY_PARTS = {"co": 2, "handle_left": 2, "handle_right": 2, "interpolation": 1, "easing": 1, "handle_left_type": 1,
              "handle_right_type": 1, "type": 1, "back": 1, "amplitude": 1, "period": 1}
"""What a key holds, and how many numbers each part has."""

_INTEGERS = {"interpolation", "easing", "handle_left_type", "handle_right_type", "type"}

_DEFAULT_PARTS = {"easing", "back", "amplitude", "period"}
_DERIVED_PARTS = _DEFAULT_PARTS | {"handle_left", "handle_right"}
"""Parts that a new key has right already, and those that Blender works out for automatic handles."""

_NEW_KEY = {"back": 1.70158, "amplitude": 0.8, "period": 4.1}
"""What a new key has in Blender."""


@dataclass(frozen=True)
class Keys:
    """Keys of one F-curve: `frames`, `values`, type codes `kinds` (see `key_kinds`), and `slopes` of a smooth one, (N,) each."""

    frames: np.ndarray
    values: np.ndarray
    kinds: np.ndarray
    slopes: np.ndarray | None = None
    interpolation: str = "LINEAR"


class ActionWriter:
    """The action of one bake; the caller assigns it when it is whole, or drops it. `target`: "new", "copy" (of the object's
    action), "update" (a copy that takes the old one's name and place), "replace" (a copy, `span` replaced but for the `locked`
    frames) or "slot" (a copy, in a slot of its own); "new" without an action. With `goes_on` the old course is not taken up after
    the span. `into` is another writer's action, made just now: this object's, or one that it shares in a slot of its own."""

    def __init__(self, name: str, item: bpy.types.Object, target: str = "new", span: tuple[float, float] | None = None,
                 locked: tuple[float, float] | None = None, *, goes_on: bool = False,
                 into: bpy.types.Action | None = None) -> None:
        data = animation_of(item)
        old = data.action
        self._item, self._span = item, span if target == "replace" and old is not None else None
        self._goes_on, self._name = goes_on, name
        self._locked, self._updates = locked, target == "update" and old is not None
        if into is not None or old is None or target == "new":
            self.action = into or bpy.data.actions.new(name)
            self.slot = slot_in(item, self.action) or self.action.slots.new(id_type=_OBJECT_ID, name=item.name)
        else:
            self.action = old.copy()
            self.action.name = name
            kept = None if data.action_slot is None else self.action.slots.get(data.action_slot.identifier)
            fresh = target == "slot" or kept is None
            self.slot = self.action.slots.new(id_type=_OBJECT_ID, name=item.name) if fresh else kept
        layer = self.action.layers[0] if self.action.layers else self.action.layers.new("Layer")
        strip = layer.strips[0] if layer.strips else layer.strips.new(type="KEYFRAME")
        self._bag = strip.channelbag(self.slot, ensure=True)
        self._curves = {(curve.data_path, curve.array_index): curve for curve in self._bag.fcurves}
        self._groups = {group.name: group for group in self._bag.groups}
        self.written: set[str] = set()

    @property
    def paths(self) -> set[str]:
        return {path for path, _ in self._curves}

    def write(self, path: str, group: str, index: int, keys: Keys, rest: float | None = None, cyclic: str | None = None) -> None:
        """`rest`: the value outside a replaced span where there was no curve; `cyclic`: "REPEAT" or "REPEAT_OFFSET", for ever."""
        self.written.add(path)
        curve = self._curves.get((path, index))
        fresh = curve is None or not len(curve.keyframe_points)
        if self._span is not None:
            if len(keys.frames) == 1 and keys.interpolation != "CONSTANT":  # still, to the span's end
                keys = Keys(np.array(self._span), np.repeat(keys.values, 2), np.repeat(keys.kinds, 2))
            columns = self._within_span(curve, _columns(keys), rest)
        elif fresh:
            columns = _columns(keys, _DEFAULT_PARTS if keys.slopes is not None else _DERIVED_PARTS)
        else:
            columns = _columns(keys)
        if curve is None:
            curve = self._curves[path, index] = self._new_curve(path, index, group)
        points = curve.keyframe_points
        if not fresh:
            points.clear()
        points.add(len(columns["co"]))
        for part, values in columns.items():
            points.foreach_set(part, values.ravel())
        curve.update()
        if cyclic is not None:
            modifier = curve.modifiers.new("CYCLES")
            modifier.mode_before = modifier.mode_after = cyclic

    def _within_span(self, curve: bpy.types.FCurve | None, columns: dict[str, np.ndarray],
                     rest: float | None) -> dict[str, np.ndarray]:
        """The old keys outside the span, the new ones within it, and a key at each side that keeps the old course."""
        first, last = self._span
        outside = np.array([first - 1.0] if self._goes_on else [first - 1.0, last + 1.0])
        if self._locked is not None:
            outside = np.append(outside, [frame for frame in self._locked if first <= frame <= last])
        if curve is None:
            if rest is None:
                return columns
            old = None
        else:
            old = _read_keys(curve)
            for side in ("handle_left_type", "handle_right_type"):  # automatic ones would turn with what they are next to now
                old[side][np.isin(old["co"][:, 0], outside)] = _codes()["FREE"]
            outside = outside[~np.isin(outside, old["co"][:, 0])]
            for frame in outside:
                old = split(old, frame, curve.evaluate(frame), _codes())
            old["type"][np.isin(old["co"][:, 0], outside)] = _code("type", "JITTER")
            old = {part: x[self._stays(old["co"][:, 0])] for part, x in old.items()}
        columns = self._around_locked(columns)
        if old is None:
            kinds = np.full(len(outside), _code("type", "JITTER"), np.int32)
            old = _columns(Keys(outside, np.full(len(outside), rest), kinds))
        joined = {part: np.concatenate([p[part] for p in (old, columns)]) for part in columns}
        order = np.argsort(joined["co"][:, 0], kind="stable")
        return {part: values[order] for part, values in joined.items()}

    def _stays(self, frames: np.ndarray) -> np.ndarray:
        """Which of an old curve's keys (N,) stay: those outside the span, and locked ones."""
        first, last = self._span
        outside = (frames < first) | (frames > last)
        return outside if self._locked is None else outside | self._is_locked(frames)

    def _is_locked(self, frames: np.ndarray) -> np.ndarray:
        return (frames >= self._locked[0]) & (frames <= self._locked[1])

    def _around_locked(self, columns: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """The new keys outside the locked frames, one at either side of them: there the new course is left and taken up."""
        if self._locked is None:
            return columns
        frames, values = columns["co"].T
        beside = np.array([f for f in (self._locked[0] - 1.0, self._locked[1] + 1.0) if self._span[0] <= f <= self._span[1]])
        beside = beside[~np.isin(beside, frames)]
        kinds = np.full(len(beside), _code("type", "GENERATED"), np.int32)
        added = _columns(Keys(beside, np.interp(beside, frames, values), kinds))
        added["interpolation"] = np.full(len(beside), columns["interpolation"][0], np.int32)
        free = ~self._is_locked(frames)
        joined = {part: np.concatenate([x[free], added[part]]) for part, x in columns.items()}
        order = np.argsort(joined["co"][:, 0], kind="stable")
        return {part: x[order] for part, x in joined.items()}

    def _new_curve(self, path: str, index: int, group: str) -> bpy.types.FCurve:
        if _GROUP_ARGUMENT:
            return self._bag.fcurves.new(path, index=index, group_name=group)
        curve = self._bag.fcurves.new(path, index=index)
        if group not in self._groups:
            self._groups[group] = self._bag.groups.new(group)
        curve.group = self._groups[group]
        return curve

    def clear(self, goes: Callable[[bpy.types.FCurve], bool]) -> None:
        for key, curve in list(self._curves.items()):
            if goes(curve):
                self._bag.fcurves.remove(curve)
                del self._curves[key]
        self._groups = {group.name: group for group in self._bag.groups}  # an empty one has gone with its last curve

    def mark(self, labels: Mapping[str, Iterable[int]]) -> None:
        """Named markers of the action, label -> frames, in place of those of these names, of a replaced span those within it."""
        markers = self.action.pose_markers
        for marker in list(markers):
            if marker.name in labels and (self._span is None or self._span[0] <= marker.frame <= self._span[1]):
                markers.remove(marker)
        for label, frames in labels.items():
            for frame in frames:
                markers.new(label).frame = frame

    def assign(self) -> None:
        data = self._item.animation_data or self._item.animation_data_create()
        old = data.action
        data.action = self.action
        data.action_slot = self.slot
        if self._updates and old is not None:
            self.action.use_fake_user = old.use_fake_user
            bpy.data.actions.remove(old)
            self.action.name = self._name

    def drop(self) -> None:
        bpy.data.actions.remove(self.action)


def key_kinds(frames: np.ndarray, extreme: Iterable[float]) -> np.ndarray:
    """Key type codes (T,) int32: GENERATED, and EXTREME at the frames nearest to those in `extreme`."""
    kinds = np.full(len(frames), _code("type", "GENERATED"), dtype=np.int32)
    for frame in extreme:
        kinds[int(np.argmin(np.abs(frames - frame)))] = _code("type", "EXTREME")
    return kinds


def _columns(keys: Keys, without: Set[str] = frozenset()) -> dict[str, np.ndarray]:
    """Every part of the keys, as Blender's arrays want them, but for those `without`."""
    count, smooth = len(keys.frames), keys.slopes is not None
    handle = "ALIGNED" if smooth else "AUTO_CLAMPED"
    parts = {"co": _pairs(keys.frames, keys.values), "type": np.asarray(keys.kinds, np.int32),
             "interpolation": _same(count, "interpolation", "BEZIER" if smooth else keys.interpolation),
             "handle_left_type": _same(count, "handle_left_type", handle),
             "handle_right_type": _same(count, "handle_left_type", handle)}
    if smooth:
        frames = np.asarray(keys.frames, float)
        third = np.diff(frames) / 3.0 if count > 1 else np.ones(1)
        before, after = np.append(third[:1], third)[:count], np.append(third, third[-1:])[:count]
        parts["handle_left"] = _pairs(frames - before, keys.values - before * keys.slopes)
        parts["handle_right"] = _pairs(frames + after, keys.values + after * keys.slopes)
    elif "handle_left" not in without:
        parts["handle_left"] = parts["handle_right"] = parts["co"]
    if "easing" not in without:
        parts["easing"] = _same(count, "easing", "AUTO")
        parts |= {part: np.full(count, value, np.float32) for part, value in _NEW_KEY.items()}
    return parts


def _pairs(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Places (N, 2) of keys or handles, in the precision of a file."""
    pairs = np.empty((len(x), 2), np.float32)
    pairs[:, 0], pairs[:, 1] = x, y
    return pairs


@lru_cache(maxsize=256)
def _same(count: int, prop: str, item: str) -> np.ndarray:
    """The number of an item of one of a key's enumerations, `count` times; shared, so read-only."""
    codes = np.full(count, _code(prop, item), np.int32)
    codes.flags.writeable = False
    return codes


def _read_keys(curve: bpy.types.FCurve) -> dict[str, np.ndarray]:
    found = {}
    for part, size in _KEY_PARTS.items():
        values = np.empty(len(curve.keyframe_points) * size, np.int32 if part in _INTEGERS else np.float32)
        curve.keyframe_points.foreach_get(part, values)
        found[part] = values.reshape(-1, 2) if size == 2 else values
    return found


@lru_cache(maxsize=1)
def _codes() -> dict[str, int]:
    """What `split` needs to know of the enumerations."""
    return {"FREE": _code("handle_left_type", "FREE"), **{name: _code("interpolation", name) for name in ("BEZIER", "LINEAR")}}


@lru_cache(maxsize=64)
def _code(prop: str, item: str) -> int:
    return int(bpy.types.Keyframe.bl_rna.properties[prop].enum_items[item].value)

# SPDX-License-Identifier: GPL-3.0-or-later
"""What a baked action remembers of its making, what a bake changed (`diff`), and whose an action's curves are: those that Lope
wrote from end to end and nobody has touched since may be written anew. The scene's frame range follows the bakes until somebody
sets it."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
import re
import zlib
from collections.abc import Collection, Iterable, Iterator, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING

import bpy
import numpy as np

from ...errors import InputError, RigError
from ...specs.bake_options import BakeOptions
from ...specs.shot import Shot
from ..read.poses import animation_of, curves_of

if TYPE_CHECKING:
    from ...bodies.body import Body
    from .sampling import FootEvent

SHOT_KEY, OPTIONS_KEY, EVENTS_KEY = "lope_shot", "lope_bake", "lope_events"
"""Properties of a baked action, JSON: the Shot that made the take, the BakeOptions, strikes and offs with their exact frames."""

TAKE_KEY = "lope_take"
"""Property of a baked action: SHA-256 of the file of the take with which its motion ends; a loop has none."""

SEED_KEY, VERSION_KEY, BODY_KEY = "lope_seed", "lope_version", "lope_body_hash"
"""Properties of a baked action: the Shot's seed, Lope's version, and the hash of the simulated body."""

START_KEY, FELL_KEY, FRAMES_KEY = "lope_start_frame", "lope_fell_frame", "lope_frames"
"""Properties of a baked action: the frame at which its take begins, that at which the character fell, if it did, and the first
and the last frame that the last bake wrote, as JSON."""

CALLED_KEY = "lope_called"
"""Property of a baked action: what its motion is called, where that is not what the Shot calls it."""

MOVED_KEY = "lope_moved"
"""Property of an action that goes on: JSON of how far [m] and about the vertical [rad] its take was moved."""

KEY_BYTES = 72
"""Bytes of one key in a .blend file (Blender's BezTriple)."""

_CONTROL = re.compile(r'^pose\.bones\["((?:[^"\\]|\\.)*)"\]')


def body_hash(body: Body) -> str:
    """SHA-256 of a body's parts, as hexadecimal text; equal bodies have equal hashes."""
    return hashlib.sha256(json.dumps(body.to_dict(), sort_keys=True).encode()).hexdigest()


def stamp(action: bpy.types.Action, shot: Shot, body: Body, version: str, options: BakeOptions,
          events: Iterable[FootEvent]) -> None:
    action[SHOT_KEY] = json.dumps(shot.to_dict(), sort_keys=True)
    action[SEED_KEY] = str(shot.seed)  # as text: seeds may be larger than the property's 32 bits
    action[VERSION_KEY] = version
    action[BODY_KEY] = body_hash(body)
    action[OPTIONS_KEY] = json.dumps(dataclasses.asdict(options), sort_keys=True)
    action[EVENTS_KEY] = json.dumps([dataclasses.asdict(event) for event in events])


def stamp_name(action: bpy.types.Action, called: str | None) -> None:
    """Write on an action what its motion is `called`, None where its Shot tells."""
    if called is not None:
        action[CALLED_KEY] = called
    elif CALLED_KEY in action:
        del action[CALLED_KEY]


def stamp_moments(action: bpy.types.Action, start_frame: float, fell_frame: float | None, written: tuple[float, float]) -> None:
    """Write on an action where its take begins, where the character fell (None: nowhere), and which frames were `written`."""
    action[START_KEY], action[FRAMES_KEY] = start_frame, json.dumps(written)
    if fell_frame is not None:
        action[FELL_KEY] = fell_frame
    elif FELL_KEY in action:
        del action[FELL_KEY]


def baked_actions(item: bpy.types.Object) -> Iterator[bpy.types.Action]:
    """The actions of an object that Lope baked: its own, then those of its NLA strips, topmost track and last strip first."""
    data = animation_of(item)
    strips = [strip.action for track in reversed(data.nla_tracks) for strip in reversed(track.strips)]
    yield from (action for action in (data.action, *strips) if action is not None and SHOT_KEY in action)


def shot_of(action: bpy.types.Action) -> Shot:
    """The Shot stored in a baked action. Raises InputError where it cannot be read."""
    try:
        return Shot.from_dict(json.loads(action[SHOT_KEY]))
    except (ValueError, TypeError) as error:
        raise InputError(f"The shot stored in the action {action.name!r} cannot be read: {error}.") from error


def written_frames(action: bpy.types.Action) -> tuple[float, float]:
    """First and last frame that the last bake wrote into an action; of an earlier Lope's the action's own."""
    first, last = json.loads(action[FRAMES_KEY]) if FRAMES_KEY in action else action.frame_range
    return float(first), float(last)


@dataclass(frozen=True)
class Provenance:
    shot: Shot
    seed: int
    version: str
    body_hash: str
    options: BakeOptions
    events: tuple[FootEvent, ...]


def provenance(action: bpy.types.Action) -> Provenance:
    """How an action was made. Raises RigError for one that Lope did not bake."""
    from .sampling import FootEvent

    try:
        options = json.loads(action[OPTIONS_KEY])
        for span in ("frame_range", "locked_frames"):
            options[span] = None if options.get(span) is None else tuple(options[span])
        options["bones"] = tuple(options.get("bones", ()))
        return Provenance(Shot.from_dict(json.loads(action[SHOT_KEY])), int(action[SEED_KEY]), action[VERSION_KEY],
                          action[BODY_KEY], BakeOptions(**options),
                          tuple(FootEvent(**event) for event in json.loads(action[EVENTS_KEY])))
    except (KeyError, TypeError, ValueError) as error:
        raise RigError(f"The action {action.name!r} does not say how Lope baked it ({error!r}); bake anew.") from error


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


CHANNELS_KEY, KEYS_KEY = "lope_channels", "lope_keys"
"""Properties of a baked action: JSON of the paths that are Lope's from end to end; their keys' checksum, if no others."""

AT_REST = 1e-4
"""A bone whose own matrix differs from one by less than this is at rest."""

OBJECT_CHANNELS = ("location", "rotation_quaternion", "rotation_axis_angle", "rotation_euler")


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


RANGE_KEY = "lope_range"
"""Property of a scene: first and last frame of its range as Lope's last bake set them."""

UNTOUCHED = (1, 250)
"""The range of a new scene in Blender."""

_SIMULATED = ("CLOTH", "SOFT_BODY", "FLUID", "PARTICLE_SYSTEM", "DYNAMIC_PAINT", "OCEAN")


def fit_range(scene: bpy.types.Scene, action: bpy.types.Action, *, whole: bool) -> bool:
    """Let a scene end where a fresh bake does, if its range is a new scene's or the last bake's; whether the bake lies within it.
    It gets shorter only for a `whole` take, and never so that it cuts off what else moves."""
    now, last = (scene.frame_start, scene.frame_end), round(written_frames(action)[1])
    if tuple(scene.get(RANGE_KEY, UNTOUCHED)) == now:
        short = whole and not action.use_cyclic and last > scene.frame_start
        scene.frame_end = max(last, moving_until(scene) if short else now[1])
        scene[RANGE_KEY] = [scene.frame_start, scene.frame_end]
    return last <= scene.frame_end


def moving_until(scene: bpy.types.Scene) -> int:
    """The last frame of a scene's range at which something in it moves; its end where Lope baked nothing."""
    ends = list(_moving(scene))
    if not any(lopes for _, lopes in ends):
        return scene.frame_end
    last = max(end for end, _ in ends)
    return round(last) if scene.frame_start < last < scene.frame_end else scene.frame_end


def _moving(scene: bpy.types.Scene) -> Iterator[tuple[float, bool]]:
    """Where each motion in a scene ends, of objects, their data and shapes, the scene itself and its world, and whether Lope
    baked it. What repeats or is simulated has no end; what drivers move is not seen."""
    for item in scene.objects:
        for owner in (item, item.data, getattr(item.data, "shape_keys", None)):
            yield from _ends(getattr(owner, "animation_data", None))
        if item.rigid_body is not None or any(modifier.type in _SIMULATED for modifier in item.modifiers):
            yield math.inf, False
    for owner in (scene, scene.world):
        yield from _ends(getattr(owner, "animation_data", None))


def _ends(data: bpy.types.AnimData | None) -> Iterator[tuple[float, bool]]:
    """Where the action and the strips of an owner end."""
    if data is None:
        return
    if data.action is not None:
        goes_on = data.action.use_cyclic or any(len(curve.modifiers) for curve in curves_of(data.action, data.action_slot))
        yield math.inf if goes_on else float(data.action.frame_range[1]), SHOT_KEY in data.action
    for track in data.nla_tracks:
        for strip in () if track.mute else track.strips:
            yield float(strip.frame_end), strip.action is not None and SHOT_KEY in strip.action


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
    keyed = any(curve.data_path in OBJECT_CHANNELS for curve in curves_of(action, _slot(armature, action)))
    return not (keyed or armature.parent is not None or any(not one.mute for one in armature.constraints))


def _slot(armature: bpy.types.Object, action: bpy.types.Action) -> bpy.types.ActionSlot | None:
    data = animation_of(armature)
    strips = (strip for track in data.nla_tracks for strip in track.strips)
    return next((one.action_slot for one in (data, *strips) if one.action == action), None)

# SPDX-License-Identifier: GPL-3.0-or-later
"""What a baked action remembers of its making, and what a bake changed: custom properties of the action, and `diff`."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import bpy
import numpy as np

from ...bodies.body import Body
from ...errors import InputError, RigError
from ...specs.bake_options import BakeOptions
from ...specs.shot import Shot
from ..read.curves import curves_of
from .sampling import FootEvent

SHOT_KEY = "lope_shot"
"""Property of a baked action: JSON of the Shot that made the take."""

SEED_KEY, VERSION_KEY, BODY_KEY = "lope_seed", "lope_version", "lope_body_hash"
"""Properties of a baked action: the Shot's seed, Lope's version, and the hash of the simulated body."""

OPTIONS_KEY = "lope_bake"
"""Property of a baked action: JSON of the BakeOptions."""

START_KEY, FELL_KEY, FRAMES_KEY = "lope_start_frame", "lope_fell_frame", "lope_frames"
"""Properties of a baked action: the frame at which its take begins, that at which the character fell, if it did, and the first
and the last frame that the last bake wrote, as JSON."""

CALLED_KEY = "lope_called"
"""Property of a baked action: what its motion is called, where that is not what the Shot calls it."""

EVENTS_KEY = "lope_events"
"""Property of a baked action: JSON list of strikes and offs with their exact frames."""

KEY_BYTES = 72
"""Bytes of one key in a .blend file (Blender's BezTriple)."""

_CONTROL = re.compile(r'^pose\.bones\["((?:[^"\\]|\\.)*)"\]')


def body_hash(body: Body) -> str:
    """SHA-256 of a body's parts, as hexadecimal text; equal bodies have equal hashes."""
    return hashlib.sha256(json.dumps(body.to_dict(), sort_keys=True).encode()).hexdigest()


def stamp(action: bpy.types.Action, shot: Shot, body: Body, version: str, options: BakeOptions,
          events: Iterable[FootEvent]) -> None:
    """Write on an action how it was made."""
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
    """Write on an action where its take begins, where the character fell in it, None for a take without a fall, and the first and
    the last frame that were `written`."""
    action[START_KEY], action[FRAMES_KEY] = start_frame, json.dumps(written)
    if fell_frame is not None:
        action[FELL_KEY] = fell_frame
    elif FELL_KEY in action:
        del action[FELL_KEY]


def baked_actions(item: bpy.types.Object) -> Iterator[bpy.types.Action]:
    """The actions of an object that Lope baked: its own, then those of its NLA strips, topmost track and last strip first."""
    data = item.animation_data
    if data is not None:
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
    """How a baked action was made."""

    shot: Shot
    seed: int
    version: str
    body_hash: str
    options: BakeOptions
    events: tuple[FootEvent, ...]


def provenance(action: bpy.types.Action) -> Provenance:
    """How an action was made. Raises RigError for one that Lope did not bake."""
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
    """Keys of one control (a bone, or "Object") that came, went, and stayed but hold another value. `own` of those that went or
    changed were the artist's."""

    control: str
    added: int = 0
    removed: int = 0
    changed: int = 0
    own: int = 0


@dataclass(frozen=True)
class ActionDiff:
    """What changed from one action to another. `bytes_before` and `bytes_after` are those of their keys in the file."""

    controls: tuple[ControlDiff, ...]
    keys_before: int
    keys_after: int
    bytes_before: int = field(init=False)
    bytes_after: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "bytes_before", KEY_BYTES * self.keys_before)
        object.__setattr__(self, "bytes_after", KEY_BYTES * self.keys_after)

    def sentence(self) -> str:
        """The whole in one sentence. A bake alters no action of the artist's, so keys that gave way are still in theirs."""
        if not self.controls:
            return f"No key differs ({self.keys_after} keys)."
        written, own = (sum(part) for part in zip(*((c.added + c.changed, c.own) for c in self.controls), strict=True))
        if own:
            return (f"{written} keys written on {len(self.controls)} controls ({self.bytes_after / 1e6:.2f} MB in all); {own} of "
                    "your own keys gave way here and are still in the action before.")
        return (f"{written} keys written on {len(self.controls)} controls ({self.bytes_after / 1e6:.2f} MB in all); none of your "
                "own keys was touched.")


Keys = tuple[np.ndarray, np.ndarray, np.ndarray]
Snapshot = dict[tuple[str, int], Keys]
"""Keys of an action by (path, index) of their curves: frames, rising, values and types, (N,) each."""


def snapshot(action: bpy.types.Action | None, slot: bpy.types.ActionSlot | None = None) -> Snapshot:
    """The keys of an action, of one slot or of all; of None none."""
    return {path: _keys(found) for path, found in _curves(action, slot).items()}


def diff(before: Snapshot | bpy.types.Action | None, after: Snapshot | bpy.types.Action | None) -> ActionDiff:
    """What a bake changed: compares two actions, or what was kept of them, key by key (place, value, type).

    None stands for no action.
    """
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
    """The bone that an F-curve's path belongs to, or "Object"."""
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

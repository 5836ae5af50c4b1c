# SPDX-License-Identifier: GPL-3.0-or-later
"""What a baked action remembers of its making. The scene's frame range follows the bakes until somebody sets it."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import bpy

from ...errors import InputError, RigError
from ...specs.bake_options import BakeOptions
from ...specs.shot import Shot
from ..read.actions import animation_of, curves_of

if TYPE_CHECKING:
    from ...bodies.body import Body
    from .sampling import FootEvent

SHOT_KEY, OPTIONS_KEY, EVENTS_KEY = "lope_shot", "lope_bake", "lope_events"
"""Properties of a baked action, JSON: the Shot that made the take, the BakeOptions, strikes and offs with their exact frames."""

TAKE_KEY = "lope_take"
"""Property of a baked action: SHA-256 of the file of the take with which its motion ends; a loop has none."""

SEED_KEY, VERSION_KEY, BODY_KEY = "lope_seed", "lope_version", "lope_body_hash"
"""Properties of a baked action: the Shot's seed, Lope's version, and the hash of the simulated body."""

CHANNELS_KEY, KEYS_KEY = "lope_channels", "lope_keys"
"""Properties of a baked action: JSON of the paths that are Lope's from end to end; their keys' checksum, if no others."""

START_KEY, FELL_KEY, FRAMES_KEY = "lope_start_frame", "lope_fell_frame", "lope_frames"
"""Properties of a baked action: the frame at which its take begins, that at which the character fell, if it did, and the first
and the last frame that the last bake wrote, as JSON."""

CALLED_KEY = "lope_called"
"""Property of a baked action: what its motion is called, where that is not what the Shot calls it."""

MOVED_KEY = "lope_moved"
"""Property of an action that goes on: JSON of how far [m] and about the vertical [rad] its take was moved."""


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


def was_hit(action: bpy.types.Action) -> bool:
    """Whether the shot that an action was baked from had hits."""
    return bool(SHOT_KEY in action and json.loads(action[SHOT_KEY]).get("hits"))


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

# SPDX-License-Identifier: GPL-3.0-or-later
"""Bake what a hit does to an action: a copy of it, in which only the frames around the hit have other keys."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import bpy
import numpy as np

from ...errors import RigError
from ...maths.curves import cubic
from ...specs.hit import Reaction
from ...specs.shot import EARTH_GRAVITY_M_S2
from ...take import Take
from ..read.armature import read_figure
from ..read.curves import curves_of
from ..read.figure import Figure
from ..read.played import carried, played
from .action import ActionWriter
from .hands import palm_turns
from .hit_keys import BoneKeys, Posed, keys_of, write_keys
from .loose import key_objects
from .own_motion import Motion, OwnMotion, own_motion, resampled
from .ownership import keep
from .placement import BakedMotion
from .pose import turns_from_rest
from .prepare import frame_rate
from .pronation import forearm_twists, spread
from .reacted import BLEND_S, Difference, acted, difference, heading, reacted
from .ready import check_ready, free_bones

HIT_KEY = "lope_hit"
"""Property of an action with hits: JSON of the action that it is of, and its first and last frame with other keys."""



@dataclass(frozen=True)
class HitBake:
    """An action with hits: frames `first` to `last` have other keys than the action it is of. `back`: whether the body is back in
    the action's own keys by then; `off_m` is how far its feet come from where it has them, where not."""

    action: bpy.types.Action
    first: int
    last: int
    back: bool
    off_m: float


def bake_hit(armature: bpy.types.Object, action: bpy.types.Action, struck: Take, unstruck: Take, *,
             scene: bpy.types.Scene | None = None, name: str | None = None, bone_map: Mapping[str, str] | None = None,
             first_frame: float | None = None, thrown: Mapping[int, bpy.types.Object] | None = None) -> HitBake:
    """Write what a hit changes of an action to a copy of it, and make that the armature's action.

    Both takes follow the action in its own time, their first sample at `first_frame` (its first), one with the hits, the other
    without. Frames outside the time around the hits keep their keys and their course; fingers, faces and whatever else a take
    does not move keep them throughout. Balls fly as simulated, made where they are not there; objects that are `thrown` in their
    place, by the balls' rows, are keyed instead. Raises RigError where the rig or the action cannot be baked so.
    """
    scene = scene or bpy.context.scene
    check_ready(armature, scene)
    figure = read_figure(armature, bone_map, scene)
    if figure.controls is not None:
        raise RigError(f"{armature.name} is a rig of controls, on which only whole takes are baked: bake the take of the hit, or "
                       "give the hit to the skeleton that the rig moves.")
    _check_curves(action)
    rate, start = frame_rate(scene), float(action.frame_range[0]) if first_frame is None else first_frame
    window = _Window(struck, rate, start)
    motion, made, posed, lies = _worked_out(armature, action, figure, (struck, unstruck), window)
    share, back = _share(struck, made, window, float(action.frame_range[1]))
    rows = slice(0, len(share))
    ratio = struck.shot.world.gravity_m_s2 / EARTH_GRAVITY_M_S2
    result = reacted(motion.part(rows), made.part(rows).share(share), window.time_s[rows], ratio)
    frames = window.frames[rows]
    values = {(curve.data_path, curve.array_index): curve.evaluate(frames[0]) for curve in curves_of(action)}
    keys = keys_of(armature, figure, posed.part(rows), turns_from_rest(figure, result), result, values)
    written = _write(armature, action, figure, keys, frames, name)
    if struck.shot.loose:
        row = min(window.row(struck.shot.hits[0].time_s), len(frames) - 1)
        segment = result.body.index.get(struck.shot.hits[0].segment, 0)
        baked = BakedMotion(written, lies.matrix(figure, row, segment, result.places[row, segment]), float(struck.time_s[0]),
                            start / rate)
        key_objects(scene, baked, struck, np.arange(np.ceil(start), window.frames[-1] + 1.0), thrown)
    off_m = 0.0 if back else float((made.part(rows).step * share).max())
    return HitBake(written, round(frames[0]), round(frames[-1]), back, off_m)


def bake_hit_on_named(armature: bpy.types.Object, name: str, struck: Take, unstruck: Take, skipped: int) -> HitBake:
    """`bake_hit` of the open file's action of that name, of which the takes leave out so many frames at its beginning."""
    action = bpy.data.actions[name]
    return bake_hit(armature, action, struck, unstruck, first_frame=float(action.frame_range[0]) + skipped)


def _share(take: Take, made: Difference, window: _Window, end: float) -> tuple[np.ndarray, bool]:
    """Which share (T,) of the difference each frame has, for as long as there are other keys: all of it, but less and less from
    where the body is back or asked to be, or where an action that ends at frame `end` goes on after the take. And whether it is
    back."""
    fade = max(1, round(BLEND_S * np.sqrt(EARTH_GRAVITY_M_S2 / take.shot.world.gravity_m_s2) * window.rate))
    last, back, after_s = len(window.frames) - 1, made.back(), (take.shot.reaction or Reaction()).after_s
    fades = True
    if after_s is not None:
        last = min(last, window.row(max(hit_times(take)) + after_s))
    elif back is not None:
        last = min(last, back + fade)
    else:
        fades = end > window.frames[-1] + 0.5
    share = np.ones(last + 1)
    if fades:
        fade = min(fade, max(1, (last - window.row(max(hit_times(take)))) // 2))
        share = 1.0 - cubic(np.clip((np.arange(last + 1) - (last - fade)) / fade, 0.0, 1.0))
    return share, back is not None and back <= last


def facing_of(armature: bpy.types.Object, action: bpy.types.Action, figure: Figure, frame: int) -> float:
    """How the hips are turned about the vertical [rad] in a frame of an action, from where they face at rest."""
    hips = figure.bone_of["pelvis"]
    _, poses = played(armature, action, [hips], [frame])
    linear = poses[hips][0, :3, :3]
    away = figure.axes.T @ (linear / np.cbrt(np.linalg.det(linear)) @ figure.bone[hips].rotation.T) @ figure.axes
    return float(np.arctan2(away[1, 0], away[0, 0]))


def hit_times(take: Take) -> list[float]:
    """When the body is hit and pushed [s]. Raises RigError for a take without either."""
    times = [hit.time_s for hit in take.shot.hits] + [push.start_s for push in take.shot.pushes if not push.planned]
    if not times:
        raise RigError("Nothing hits the body in this take: add a hit.")
    return times


class _Window:
    """The frames (T,) that may change, and their times (T,) [s] from the takes' first sample."""

    def __init__(self, take: Take, rate: float, start: float) -> None:
        hits = hit_times(take)
        before = (take.shot.reaction or Reaction()).before_s
        length = float(take.time_s[-1] - take.time_s[0])
        first = int(np.floor(start + max(min(hits) - before, 0.0) * rate))
        final = int(np.floor(start + length * rate + 1e-6))
        if final <= first + 1:
            raise RigError(f"The take ends {length - min(hits):.2f} s after the hit, before any frame could show it: let the hit "
                           "come earlier.")
        self.rate, self.start = rate, start
        self.frames = np.arange(max(first, int(np.ceil(start))), final + 1, dtype=float)
        self.time_s = (self.frames - start) / rate

    def row(self, time_s: float) -> int:
        """The row of the first frame at or after a time."""
        return int(np.searchsorted(self.time_s, time_s - 1e-9))


def _worked_out(armature: bpy.types.Object, action: bpy.types.Action, figure: Figure, takes: Sequence[Take],
                window: _Window) -> tuple[OwnMotion, Difference, Posed, _Lies]:
    """The action's own motion, what the hit changes of it, and the poses of all bones, in the window's frames; and where
    the takes lie in the scene."""
    start = round(window.start)
    stands, poses = played(armature, action, [bone.name for bone in figure.bones], [start, *window.frames.astype(int).tolist()])
    way = carried(stands)
    shares, palms = forearm_twists(figure, free_bones(armature))[0], palm_turns(figure)
    own, motions = None, []
    for take in takes:
        found = resampled(take.time_s, Motion(take.root_position_m, take.root_quaternion, take.joint_quaternions),
                          take.time_s[0] + window.time_s)
        raw = own_motion(figure, take.body, found, own)
        own = raw.body
        motions.append(spread(raw, shares, palms))
    motion = acted(figure, motions[0], {bone: way @ pose for bone, pose in poses.items()})
    yaw = heading(motion.turns[0, 0])
    posed = Posed({bone: pose[1:] for bone, pose in poses.items()}, way[1:])
    return motion.part(slice(1, None)), difference(*motions, yaw), posed, _Lies(motions[0], yaw, stands[0])


@dataclass(frozen=True)
class _Lies:
    """Where a simulated motion is in the scene: turned by `yaw` [rad], carried by the object as it `stands` (4, 4) at first."""

    struck: OwnMotion
    yaw: float
    stands: np.ndarray

    def matrix(self, figure: Figure, row: int, segment: int, place: np.ndarray) -> np.ndarray:
        """From a take's places [m] to the world (4, 4), so that a segment is at a place (3,) of the figure's own motion in a
        frame: what strikes it there is to touch it."""
        into, turned = np.eye(4), np.eye(4)
        into[:3, :3], into[:3, 3] = figure.units_per_m * figure.axes, figure.ground
        turn = np.array([[np.cos(self.yaw), -np.sin(self.yaw), 0.0], [np.sin(self.yaw), np.cos(self.yaw), 0.0], [0.0, 0.0, 1.0]])
        turned[:3, :3], turned[:3, 3] = self.struck.scale * turn, place - turn @ self.struck.places[row, segment]
        return self.stands @ into @ turned


def _check_curves(action: bpy.types.Action) -> None:
    """Raises RigError for an action whose keys are not the whole of its course."""
    for curve in curves_of(action):
        if any(not modifier.mute for modifier in curve.modifiers):
            raise RigError(f"The action {action.name!r} has modifiers on its curves ({curve.data_path}), which would alter other "
                           "frames too: bake it to keys first (Bake Action).")


def _write(armature: bpy.types.Object, action: bpy.types.Action, figure: Figure, keys: list[BoneKeys], frames: np.ndarray,
           name: str | None) -> bpy.types.Action:
    """The copy of the action with the keys in place of its own in these frames; it is the armature's action from then on. A copy
    that an earlier hit made of the same action, and nobody has touched, goes."""
    data = armature.animation_data or armature.animation_data_create()
    present, slot = data.action, data.action_slot
    if present != action:
        data.action = action
        if data.action_slot is None and action.slots:
            data.action_slot = next((one for one in action.slots if one.target_id_type == "OBJECT"), None)
    title = name or f"{action.name} hit"
    writer = ActionWriter(title, armature, "replace", (float(frames[0]), float(frames[-1])))
    try:
        write_keys(writer, armature, figure, keys, frames)
    except Exception:
        writer.drop()
        data.action = present
        if present is not None:
            data.action_slot = slot
        raise
    writer.assign()
    made = writer.action
    made[HIT_KEY] = json.dumps({"of": action.name, "frames": [int(frames[0]), int(frames[-1])], "keys": _checksum(made)})
    if present is not None and present != action and _is_stale(present, action):
        bpy.data.actions.remove(present)
        made.name = title
    if action.library is None:
        keep(action, asked=True)
    return made


def _is_stale(made: bpy.types.Action, action: bpy.types.Action) -> bool:
    """Whether an action was made of another one by a hit, is used nowhere else, and nobody has touched it since."""
    if HIT_KEY not in made or made.library is not None or made.users - made.use_fake_user:
        return False
    noted = json.loads(made[HIT_KEY])
    return noted["of"] == action.name and noted["keys"] == _checksum(made)


def action_of(made: bpy.types.Action | None) -> bpy.types.Action | None:
    """The action that an action with hits was made of; the action itself where it is none."""
    if made is None or HIT_KEY not in made:
        return made
    return bpy.data.actions.get(json.loads(made[HIT_KEY])["of"]) or made


def _checksum(action: bpy.types.Action) -> str:
    """A text that changes with the keys of an action."""
    number = 0
    for curve in curves_of(action):
        places = np.empty(2 * len(curve.keyframe_points), np.float32)
        curve.keyframe_points.foreach_get("co", places)
        number = zlib.crc32(places.tobytes(), zlib.crc32(curve.data_path.encode(), number))
    return str(number)

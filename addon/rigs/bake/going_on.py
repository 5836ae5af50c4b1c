# SPDX-License-Identifier: GPL-3.0-or-later
"""One bake after another: where the last one ends, the next one's motion brought there, and baked actions as strips in a row,
each of which plays when it is its turn."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import bpy
import numpy as np

from ...errors import RigError
from ...maths.rotations import matrix_from_quat, plane_angle, quat_multiply
from ...specs.bake_options import BakeOptions
from ...specs.shot import Shot
from ..read.actions import animation_of
from .artist_keys import all_lopes
from .own_motion import OwnMotion, Travel, travel_of, upright_turns
from .provenance import MOVED_KEY, SHOT_KEY, TAKE_KEY
from .sampling import Sampled


def stamp_take(action: bpy.types.Action, digest: str | None) -> None:
    action.pop(TAKE_KEY, None)
    if digest is not None:
        action[TAKE_KEY] = digest


def continued(armature: bpy.types.Object, shot: Shot, options: BakeOptions, *, placed: bool) -> tuple[BakeOptions, str | None]:
    """The options with which a shot's take goes on by itself, and the sentence on what is done; None where that goes without
    saying. One that cannot go on leaves the action before in the file. `placed`: the start frame was asked for."""
    action = animation_of(armature).action
    if shot.motion.after is None or options.go_on:
        return options, None
    before = Path(shot.motion.after.take).name
    if action is None:
        return options, (f"This take goes on from {before}, and {armature.name!r} has no action that it could go on in: it is "
                         "baked as a motion by itself.")
    asked = placed or options.loop or options.target != "update"
    if not asked and action.get(TAKE_KEY) == shot.motion.after.sha256:
        return replace(options, go_on=True), f"This take goes on from {before}, where the action {action.name!r} ends."
    why = "other options ask for something else" if asked else f"the action {action.name!r} does not end with that"
    target = "new" if options.target == "update" else options.target
    return replace(options, target=target, keep_old=True), (
        f"This take goes on from {before}, but {why}: it is baked as a motion by itself (--go-on joins it to the last one), and "
        f"the action {action.name!r} is kept.")


BLEND_FRAMES = 12.0
"""A strip blends with those below it over so many frames at most: half a second of film."""
TRACK = "Lope"
"""Name of a track of baked actions; one on which an action of the artist's is put is called like that."""


def push_down(item: bpy.types.Object, action: bpy.types.Action, slot: bpy.types.ActionSlot) -> bpy.types.NlaStrip:
    """Put an action on the NLA where its keys are: behind the strips of the topmost track if that is Lope's and has room, else
    on a new track above all. The object's own action is left as it is."""
    data = item.animation_data or item.animation_data_create()
    first, last = math.floor(action.frame_range[0]), action.frame_range[1]
    track = next(iter(reversed(data.nla_tracks)), None)
    room = track is not None and bool(len(track.strips)) and not track.lock and all(
        strip.action is not None and SHOT_KEY in strip.action and strip.frame_end <= first for strip in track.strips)
    if not room:
        name = _free_name(data, TRACK if SHOT_KEY in action else action.name)
        track = data.nla_tracks.new()
        track.name = name
    strip = track.strips.new(action.name, first, action)
    strip.action_slot = slot
    _settle(data, strip, first, last)
    return strip


def lope_strips(item: bpy.types.Object) -> list[bpy.types.NlaStrip]:
    """The strips of baked actions, the one that ends last at the end."""
    tracks = [track for track in animation_of(item).nla_tracks if not track.mute]
    found = [strip for track in tracks for strip in track.strips if strip.action is not None and SHOT_KEY in strip.action]
    return sorted(found, key=lambda strip: strip.frame_end)


def drop_strips(item: bpy.types.Object, first: float) -> None:
    """Take away strips that begin at a frame and whose actions are Lope's alone and untouched: a new bake takes their place."""
    for strip in lope_strips(item):
        action = strip.action
        if abs(strip.frame_start - first) < 0.5 and all_lopes(action):
            track = next(one for one in item.animation_data.nla_tracks if strip in list(one.strips))
            track.strips.remove(strip)
            if not len(track.strips):
                item.animation_data.nla_tracks.remove(track)
            if not action.users:
                bpy.data.actions.remove(action)


def _free_name(data: bpy.types.AnimData, wanted: str) -> str:
    """A name for a track that no other has, numbered as Blender numbers."""
    taken = {track.name for track in data.nla_tracks}
    numbered = (f"{wanted}.{number:03d}" for number in range(1, len(taken) + 1))
    return next(name for name in (wanted, *numbered) if name not in taken)


def _settle(data: bpy.types.AnimData, strip: bpy.types.NlaStrip, first: float, last: float) -> None:
    """How far the pose of a new strip holds: before it only where no other strip comes earlier, after it only where none lasts
    longer. It blends in over a strip below that still moves as it begins, and out where one goes on at its end. An earlier bake's
    pose no longer holds backwards over what now comes before it."""
    others = [other for track in data.nla_tracks if not track.mute for other in track.strips if other != strip]
    if any(other.frame_end > last for other in others):
        strip.extrapolation = "NOTHING"
    else:
        strip.extrapolation = "HOLD_FORWARD" if any(other.frame_start < first for other in others) else "HOLD"
    strip.use_auto_blend = False  # it would fade the strip below out to the rest pose while this one fades in
    most = min(BLEND_FRAMES, 0.5 * (last - first))
    below = [other.frame_end - first for other in others if other.frame_start < first]
    after = [last - other.frame_start for other in others if other.frame_end > last]
    strip.blend_in, strip.blend_out = (min(max(max(frames, default=0.0), 0.0), most) for frames in (below, after))
    for other in others:
        if other.extrapolation == "HOLD" and other.frame_start > first and other.action is not None and SHOT_KEY in other.action:
            other.extrapolation = "HOLD_FORWARD"


END_KEY = "lope_end"
"""Property of a baked action: JSON of the `End` of its motion."""

_SAME_POSE_RAD = np.radians(2.0)
"""A motion whose hips stand within that of how the last one ended is the same walk taken up again, and joined to the hips
themselves; another one to their heading over a stride, as hips turn to and fro by several degrees."""

ONE_FRAME, NEAR_M = 1.3, 0.02
"""How far apart the hips may be where a motion goes on: over the way of a frame, and beside that [m]."""


@dataclass(frozen=True)
class End:
    """Where a baked motion ends: frame, the hips' place (x, y) [m] in the figure's frame, their facing, their heading over a
    stride [rad], and orientation (w, x, y, z). `origin`: where all of it began to travel; `exact_frame`: where the take ends,
    maybe between frames; `moved`: how its motion was (x, y, turn)."""

    frame: float
    place: tuple[float, float]
    facing: float
    heading: float
    hips: tuple[float, float, float, float]
    origin: tuple[float, float, float]
    exact_frame: float
    moved: tuple[float, float, float]

    def travelled(self, travel: Travel) -> Travel:
        """A travel counted from where all of it began."""
        x, y, heading = self.origin
        return Travel(travel.place, np.array([x, y]), travel.heading - heading, heading)


def end_of(motion: OwnMotion, sampled: Sampled, exact_frame: float, before: End | None,
           moved: tuple[float, float, float] | None) -> End:
    """The end of a motion that goes on from another's end, `moved` so, or from none. One of a part of the take ends with it."""
    end = _moment(motion, sampled, -1)
    whole = exact_frame - end.frame < 1.0
    end = replace(end, exact_frame=exact_frame if whole else end.frame, moved=moved or end.moved)
    return end if before is None else replace(end, origin=before.origin)


def last_end(armature: bpy.types.Object) -> End | None:
    """Where the last motion that Lope baked on an armature ends, on the timeline; None where there is none."""
    action = animation_of(armature).action
    if action is not None and END_KEY in action:
        return read_end(action)
    for strip in reversed(lope_strips(armature)):
        if END_KEY in strip.action:
            end = read_end(strip.action)
            return replace(end, **{name: strip.frame_start + (getattr(end, name) - strip.action_frame_start) * strip.scale
                                   for name in ("frame", "exact_frame")})
    return None


def read_end(action: bpy.types.Action) -> End:
    values = json.loads(action[END_KEY])
    return End(**{name: tuple(value) if isinstance(value, list) else value for name, value in values.items()})


def write_end(action: bpy.types.Action, end: End, moved: tuple[float, float, float] | None) -> None:
    """Note where an action's motion ends, and how the take was moved to go on from another."""
    action[END_KEY] = json.dumps(asdict(end))
    action.pop(MOVED_KEY, None)
    if moved is not None:
        action[MOVED_KEY] = json.dumps(moved)


def start_after(armature: bpy.types.Object) -> End:
    """The end to go on from. Raises RigError where there is none."""
    end = last_end(armature)
    if end is not None:
        return end
    action = animation_of(armature).action
    if action is not None and SHOT_KEY in action:
        raise RigError(f"The action {action.name!r} does not say where its motion ends, as an older Lope baked it; bake it "
                       "anew, then go on from it.")
    raise RigError(f"Armature {armature.name!r} has no motion of Lope's to go on from; bake one first.")


def brought_to(motion: OwnMotion, end: End, sampled: Sampled, continues: bool) -> tuple[OwnMotion, tuple[float, float, float]]:
    """A motion moved and turned about the vertical to begin where another ended; and the move (x, y) [m] and turn [rad]. One that
    `continues` a take is moved as that was, if it starts where that ends, at most a frame later."""
    x, y, turn = end.moved
    count = len(motion.places)
    as_before = _moved(motion, Travel(np.broadcast_to([x, y], (count, 2)), np.zeros(2), np.full(count, turn)))
    first, second = as_before[0].places[0, 0, :2], as_before[0].places[1, 0, :2]
    if continues and np.linalg.norm(first - end.place) <= ONE_FRAME * np.linalg.norm(second - first) + NEAR_M:
        return as_before
    begin = _moment(motion, sampled, 0)
    turn = end.facing - begin.facing
    if _angle(_turned(np.array(begin.hips), turn), np.array(end.hips)) > _SAME_POSE_RAD:
        turn = end.heading - begin.heading
    return _moved(motion, Travel(np.broadcast_to(np.array(end.place), (count, 2)), np.array(begin.place), np.full(count, turn)))


def _moved(motion: OwnMotion, travel: Travel) -> tuple[OwnMotion, tuple[float, float, float]]:
    """A motion brought to where a travel, the same at every frame, brings it; and the move of the origin and the turn."""
    turns = quat_multiply(np.broadcast_to(travel.turn[:, None], motion.turns.shape), motion.turns)
    x, y, _ = travel.part(slice(0, 1)).apply(np.zeros((1, 3)))[0]
    return replace(motion, places=travel.apply(motion.places), turns=turns), (float(x), float(y), float(travel.yaw[0]))


def _moment(motion: OwnMotion, sampled: Sampled, row: int) -> End:
    travel, frame = travel_of(motion, sampled.time_s, sampled.stride_s), float(sampled.frames[row])
    hips = motion.turns[row, 0]
    facing = matrix_from_quat(hips)[:2, 0]
    return End(frame, tuple(map(float, motion.places[row, 0, :2])), float(plane_angle(facing[1], facing[0])),
               float(travel.heading[row]), tuple(map(float, hips)), (*map(float, travel.start), float(travel.heading[0])),
               frame, (0.0, 0.0, 0.0))


def _turned(hips: np.ndarray, yaw: float) -> np.ndarray:
    return quat_multiply(upright_turns(yaw), hips)


def _angle(one: np.ndarray, other: np.ndarray) -> float:
    """Angle between two orientations [rad]."""
    return float(2.0 * np.arccos(min(1.0, abs(float(one @ other)))))

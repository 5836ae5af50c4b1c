# SPDX-License-Identifier: GPL-3.0-or-later
"""Bake a Take on an armature: its motion on the rig's own controls, in their rotation modes, at the scene's frame rate."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace

import bpy
import numpy as np

from ... import VERSION
from ...errors import RigError
from ...specs.bake_options import BakeOptions
from ...specs.shot import EARTH_GRAVITY_M_S2
from ...take import Take
from ..read.armature import read_figure
from ..read.figure import Figure
from .action import ActionWriter, Keys, key_kinds
from .controls import Chain, build_chain, uses_ik
from .foot_lock import Loads, lock_feet
from .held import CONSTRAINTS_KEY, hold_constraints, set_properties
from .object_motion import object_tracks
from .own_motion import OwnMotion, own_motion
from .pose import BoneChannels, solve
from .provenance import SHOT_KEY, stamp
from .ready import check_drivers, check_ready
from .sampling import Sampled, loads_on, repeated, sample
from .tracks import REST, Track, bone_tracks, thinned
from .travel import Travel, travel_of, without

__all__ = ["CONSTRAINTS_KEY", "SHOT_KEY", "Baking", "bake_take", "frame_rate", "prepare"]


@dataclass(frozen=True)
class Baking:
    """A bake, worked out and not yet written: frames (T,), chain, bone tracks, object tracks and foot events.

    `kept` holds for each moving bone track which samples (T, C) become keys and their slopes (T, C), or is None without key
    reduction; `error_m` is what that costs at hands, feet and head. `ik`: whether the legs go on IK controls. `motion` is
    the figure's own motion with planted feet, travel included.
    """

    figure: Figure
    sampled: Sampled
    chain: Chain
    ik: bool
    motion: OwnMotion
    tracks: list[Track]
    on_object: list[Track]
    kept: list[tuple[np.ndarray, np.ndarray]] | None
    error_m: float


def frame_rate(scene: bpy.types.Scene) -> float:
    """Frames a second of a scene."""
    return scene.render.fps / scene.render.fps_base


def bake_take(armature: bpy.types.Object, take: Take, *, name: str | None = None, start_frame: int | None = None,
              bone_map: Mapping[str, str] | None = None, scene: bpy.types.Scene | None = None,
              options: BakeOptions | None = None) -> bpy.types.Action:
    """Write the take's motion on the armature as `options` say, and make it the armature's action; returns the action.

    `name` and `start_frame` override those of the options. The action the armature had is never altered: it stays in the
    file with a fake user. Keys are GENERATED, or EXTREME where a foot strikes; pose markers name strikes and offs. On the
    figure that the take's body was made from every joint stands where it was simulated, but for planted feet; on another one
    limbs turn as simulated and the path scales by leg length. Constraints of the baked bones are held at influence 0 by the
    action; on a rig with controls the action sets the switches its map names. Raises RigError before anything is written.
    """
    scene = scene or bpy.context.scene
    options = options or BakeOptions()
    if start_frame is not None:
        options = replace(options, start_frame=start_frame)
    baking = prepare(armature, take, options, bone_map, scene)
    title = name or options.name or f"{armature.name} {take.shot.gait} {take.shot.world.name}"
    return _write(armature, take, options, baking, title)


def prepare(armature: bpy.types.Object, take: Take, options: BakeOptions, bone_map: Mapping[str, str] | None,
            scene: bpy.types.Scene) -> Baking:
    """Work out a bake. Changes nothing; raises RigError where it cannot be done."""
    check_ready(armature, scene)
    figure = read_figure(armature, bone_map, scene)
    sampled = sample(take, frame_rate(scene), options)
    motion = _planted(figure, take, sampled, options)
    travel = _travel(motion, sampled, options)
    ik = uses_ik(figure, options.controls)
    chain = build_chain(figure, motion.moved, ik, options.root_motion == "root_bone")
    still = options.root_motion in ("in_place", "object")
    solved = solve(figure, chain, without(motion, travel) if still else motion, travel)
    check_drivers(armature, solved)
    tracks = bone_tracks(chain, solved)
    on_object = object_tracks(armature, figure, travel) if options.root_motion == "object" else []
    kept, error_m = None, 0.0
    if options.reduce_error_m is not None:
        forced = np.zeros(len(sampled.frames), dtype=bool)
        forced[[int(np.argmin(np.abs(sampled.frames - e.frame))) for e in sampled.events if e.kind == "strike"]] = True
        if options.locked_frames is not None:
            forced |= np.isin(sampled.frames, np.add(options.locked_frames, (-1, 1)))
        kept, error_m = thinned(figure, chain, tracks, sampled.frames, forced, options.reduce_error_m)
    return Baking(figure, sampled, chain, ik, motion, tracks, on_object, kept, error_m)


def _planted(figure: Figure, take: Take, sampled: Sampled, options: BakeOptions) -> OwnMotion:
    """The figure's own motion, its feet planted where they carry weight; a loop's so that they are so over the seam too."""
    if not options.lock_feet:
        return own_motion(figure, take.body, sampled.motion)
    ratio = take.shot.world.gravity_m_s2 / EARTH_GRAVITY_M_S2
    if sampled.drift_m is None:
        motion = own_motion(figure, take.body, sampled.motion)
        return lock_feet(motion, loads_on(motion, take.body, sampled), sampled.time_s, ratio)
    last = len(sampled.frames) - 1
    motion = own_motion(figure, take.body, repeated(sampled.motion, sampled.drift_m))
    loads = loads_on(own_motion(figure, take.body, sampled.motion), take.body, sampled)
    drift = motion.scale * np.append(sampled.drift_m, 0.0)
    share = np.concatenate([loads.share[:-1], loads.share[:-1], loads.share])
    points = np.concatenate([loads.points_m[:-1] - drift, loads.points_m[:-1], loads.points_m + drift])
    time = np.concatenate([sampled.time_s[:-1] + k * sampled.time_s[-1] for k in range(3)] + [3.0 * sampled.time_s[-1:]])
    locked = lock_feet(motion, Loads(share, points), time, ratio)
    middle = slice(last, 2 * last + 1)
    return replace(locked, places=locked.places[middle], turns=locked.turns[middle])


def _travel(motion: OwnMotion, sampled: Sampled, options: BakeOptions) -> Travel | None:
    """The travel that the root motion takes off the hips; a loop's goes straight on."""
    if options.root_motion == "hips":
        return None
    if sampled.drift_m is None:
        return travel_of(motion, sampled.time_s, sampled.stride_s)
    share = sampled.time_s / sampled.time_s[-1]
    start = motion.places[0, 0, :2]
    return Travel(start + share[:, None] * sampled.drift_m * motion.scale, start.copy(), np.zeros(len(share)))


def _write(armature: bpy.types.Object, take: Take, options: BakeOptions, baking: Baking, title: str) -> bpy.types.Action:
    """Write a prepared bake and make it the armature's action."""
    frames, events = baking.sampled.frames, baking.sampled.events
    writer = ActionWriter(title, armature, options.target, (float(frames[0]), float(frames[-1])), options.locked_frames)
    try:
        kinds = key_kinds(frames, [event.frame for event in events if event.kind == "strike"])
        _write_tracks(writer, armature, baking, kinds, options)
        hold_constraints(writer, armature, baking.chain, float(frames[0]))
        if baking.figure.controls is not None:
            set_properties(writer, armature, baking.figure.controls, baking.ik, float(frames[0]), options.target)
        if options.markers:
            for event in events:
                writer.mark(event.label, int(np.rint(event.frame)))
        stamp(writer.action, take, VERSION, options, events)
        _set_range(writer.action, options, frames)
    except Exception:
        writer.drop()
        raise
    writer.assign(options.push_down)
    if armature.data.pose_position != "POSE":
        armature.data.pose_position = "POSE"
    return writer.action


def _set_range(action: bpy.types.Action, options: BakeOptions, frames: np.ndarray) -> None:
    """The action's own frame range; of a copy with a replaced span, the whole of its keys."""
    first, last = float(frames[0]), float(frames[-1])
    if options.target == "replace":
        low, high = action.curve_frame_range
        first, last = min(first, float(low)), max(last, float(high))
    action.use_frame_range = True
    action.frame_start, action.frame_end = first, last
    action.use_cyclic = options.loop


def _write_tracks(writer: ActionWriter, armature: bpy.types.Object, baking: Baking, kinds: np.ndarray,
                  options: BakeOptions) -> None:
    """F-curves of every track."""
    moving = 0
    for track in baking.tracks:
        path = armature.pose.bones[track.bone].path_from_id(track.prop)
        kept = None
        if track.moves and baking.kept is not None:
            kept = baking.kept[moving]
        moving += track.moves
        _write_track(writer, path, track, kept, baking.sampled.frames, kinds, options)
    for track in baking.on_object:
        _write_track(writer, track.prop, track, None, baking.sampled.frames, kinds, options)


def _write_track(writer: ActionWriter, path: str, track: Track, kept: tuple[np.ndarray, np.ndarray] | None,
                 frames: np.ndarray, kinds: np.ndarray, options: BakeOptions) -> None:
    """F-curves of one track: every sample, or those `kept`, with their slopes."""
    values, rest = track.values, REST[track.prop]
    for index in range(values.shape[1]):
        if not track.moves:
            keys = Keys(frames[:1], values[:, index], kinds[:1])
        elif kept is None:
            keys = Keys(frames, values[:, index], kinds)
        else:
            rows = kept[0][:, index]
            keys = Keys(frames[rows], values[rows, index], kinds[rows], kept[1][rows, index])
        cyclic = None
        if options.loop and track.moves:
            goes_on = abs(values[-1, index] - values[0, index]) > 1e-6
            cyclic = "REPEAT_OFFSET" if goes_on else "REPEAT"
        writer.write(path, track.bone, index, keys, rest[index], cyclic)

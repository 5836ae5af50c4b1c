# SPDX-License-Identifier: GPL-3.0-or-later
"""Bake a Take on an armature: its motion on the rig's own controls, in their rotation modes, at the scene's frame rate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import bpy
import numpy as np

from ... import VERSION
from ...specs.bake_options import BakeOptions
from ...take import Take
from .action import ActionWriter, Keys, key_kinds
from .held import CONSTRAINTS_KEY, hold_constraints, set_properties
from .prepare import Written, frame_rate, prepare
from .provenance import SHOT_KEY, stamp
from .tracks import REST, Track

__all__ = ["CONSTRAINTS_KEY", "SHOT_KEY", "bake_take", "frame_rate"]


def bake_take(armature: bpy.types.Object, take: Take | str | Path, *, name: str | None = None,
              start_frame: int | None = None, bone_map: Mapping[str, str] | None = None,
              scene: bpy.types.Scene | None = None, options: BakeOptions | None = None) -> bpy.types.Action:
    """Write the take's motion on the armature as `options` say, and make it the armature's action; returns the action.

    `take` may be the take's file: then nothing of it is in memory any more while Blender fills with keys.

    `name` and `start_frame` override those of the options. The action the armature had is never altered: it stays in the
    file with a fake user. Keys are GENERATED, or EXTREME where a foot strikes; pose markers name strikes and offs. On the
    figure that the take's body was made from every joint stands where it was simulated, but for planted feet; on another one
    limbs turn as simulated and the path scales by leg length. Constraints of the baked bones are held at influence 0 by the
    action; on a rig with controls the action sets the switches its map names. Raises RigError, or TakeError for a file that is no
    take, before anything is written.
    """
    scene = scene or bpy.context.scene
    options = options or BakeOptions()
    if start_frame is not None:
        options = replace(options, start_frame=start_frame)
    baking = prepare(armature, take, options, bone_map, scene).written
    title = name or options.name or f"{armature.name} {baking.shot.gait} {baking.shot.world.name}"
    return _write(armature, options, baking, title)


def _write(armature: bpy.types.Object, options: BakeOptions, baking: Written, title: str) -> bpy.types.Action:
    """Write a prepared bake and make it the armature's action."""
    frames, events = baking.frames, baking.events
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
        stamp(writer.action, baking.shot, baking.body, VERSION, options, events)
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


def _write_tracks(writer: ActionWriter, armature: bpy.types.Object, baking: Written, kinds: np.ndarray,
                  options: BakeOptions) -> None:
    """F-curves of every track."""
    moving = 0
    for track in baking.tracks:
        path = armature.pose.bones[track.bone].path_from_id(track.prop)
        kept = None
        if track.moves and baking.kept is not None:
            kept = baking.kept[moving]
        moving += track.moves
        _write_track(writer, path, track, kept, baking.frames, kinds, options)
    for track in baking.on_object:
        _write_track(writer, track.prop, track, None, baking.frames, kinds, options)


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

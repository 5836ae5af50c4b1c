# SPDX-License-Identifier: GPL-3.0-or-later
"""Bake a Take on an armature: its motion on the rig's own controls, in their rotation modes, at the scene's frame rate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import bpy
import numpy as np

from ... import VERSION
from ...specs.after import digest_of
from ...specs.bake_options import BakeOptions
from ...specs.shot import Shot
from ...take import Take
from ..read.curves import curves_of
from .action import ActionWriter, Keys, key_kinds
from .base import standing_at_base
from .chosen import has_hips
from .going_on import write_end
from .held import CONSTRAINTS_KEY, hold_constraints, set_properties
from .nla import drop_strips, push_down
from .on_its_own import stamp_take
from .ownership import OBJECT_CHANNELS, keep, lopes_channels, may_update, note_channels, untouched
from .prepare import Written, frame_rate, prepare
from .provenance import SHOT_KEY, control_of, stamp, stamp_moments, stamp_name
from .tracks import REST, Track

TITLE_KEY = "lope_title"
"""Property of a baked action: the name that Lope gave it. One that has another name was named by the artist."""

__all__ = ["CONSTRAINTS_KEY", "SHOT_KEY", "bake_take", "frame_rate"]


def bake_take(armature: bpy.types.Object, take: Take | str | Path, *, name: str | None = None,
              start_frame: int | None = None, bone_map: Mapping[str, str] | None = None,
              scene: bpy.types.Scene | None = None, options: BakeOptions | None = None,
              called: str | None = None) -> bpy.types.Action:
    """Write the take's motion on the armature as `options` say, and make it the armature's action; returns the action.

    `take` may be the take's file: then nothing of it is in memory any more while Blender fills with keys.

    `name` and `start_frame` override those of the options; `called` is what the motion is called in a name that nobody gave, by
    default what the take's shot calls it. No key of the artist's is ever altered: an action that is not Lope's
    alone stays in the file as it is, and where nothing else would keep it a fake user does. Keys are GENERATED, or EXTREME where
    a foot strikes; pose markers name strikes and offs. On the
    figure that the take's body was made from every joint stands where it was simulated, but for planted feet; on another one
    limbs turn as simulated and the path scales by leg length. Constraints of the baked bones are held at influence 0 by the
    action; on a rig with controls the action sets the switches its map names. Where the object stood before it travelled does not
    depend on the frame shown. Raises RigError, or TakeError for a file that is no take, before anything is written.
    """
    scene = scene or bpy.context.scene
    options = options or BakeOptions()
    if start_frame is not None:
        options = replace(options, start_frame=start_frame)
    with standing_at_base(armature, scene, options.start_frame):
        baking = prepare(armature, take, options, bone_map, scene).written
        title = f"{armature.name} {called or baking.shot.called} {baking.shot.world.name}"
        action = _write(armature, options, baking, title, name or options.name)
    stamp_name(action, called if called != baking.shot.called else None)
    stamp_take(action, None if isinstance(take, Take) or options.loop else digest_of(take))
    return action


def _goes_on(armature: bpy.types.Object, options: BakeOptions, shot: Shot) -> bool:
    """Whether a bake goes on in the action that there is: as asked, or since its take goes on from the one baked there."""
    data = armature.animation_data
    return options.go_on or (shot.after is not None and options.after_frame is not None and data is not None
                             and data.action is not None)


def _target(armature: bpy.types.Object, options: BakeOptions, baking: Written) -> str:
    """What the writer does, one of `ActionWriter`'s targets: bones that are left out keep their keys in every case."""
    if options.push_down:
        return "new"
    if _goes_on(armature, options, baking.shot):
        return "replace"
    paths = [_path(armature, track) for track in baking.tracks] + [track.prop for track in baking.on_object]
    if options.target == "update" and may_update(armature, paths):
        return "update"
    if options.target in ("update", "new"):
        return "new" if options.parts == "all" else "copy"
    return options.target


def _write(armature: bpy.types.Object, options: BakeOptions, baking: Written, title: str, name: str | None) -> bpy.types.Action:
    """Write a prepared bake and make it the armature's action."""
    data = armature.animation_data
    old, slot = (None, None) if data is None else (data.action, data.action_slot)
    target = _target(armature, options, baking)
    if name is None and target == "update" and old.get(TITLE_KEY) not in (old.name, old.name.rpartition(".")[0]):
        name = old.name  # the artist's own name for it
    first, last = float(baking.frames[0]), float(baking.frames[-1])
    if target == "replace" and baking.shot.after is not None and old is not None:
        last = max(last, float(old.frame_range[1]))  # what an earlier try was longer by goes
    writer = ActionWriter(name or title, armature, target, (first, last), options.locked_frames,
                          goes_on=_goes_on(armature, options, baking.shot))
    try:
        if target in ("update", "copy"):
            lopes = lopes_channels(old)
            writer.clear(lambda curve: curve.data_path in lopes and _written_anew(curve, baking, target))
        _write_motion(writer, armature, options, baking)
        _sign(writer.action, options, baking, title)
        _note_channels(writer, old, slot, target, options)
        _set_range(writer.action, options, baking.frames, target)
    except Exception:
        writer.drop()
        raise
    if options.push_down:
        _push_down(armature, writer, old, options)
    else:
        writer.assign()
    if target != "update" and old is not None and old.library is None:
        keep(old, asked=options.keep_old)
    if armature.data.pose_position != "POSE":
        armature.data.pose_position = "POSE"
    return writer.action


def _write_motion(writer: ActionWriter, armature: bpy.types.Object, options: BakeOptions, baking: Written) -> None:
    """All that moves or is held or set: curves and pose markers."""
    frames, events = baking.frames, baking.events
    kinds = key_kinds(frames, [event.frame for event in events if event.kind == "strike"])
    _write_tracks(writer, armature, baking, kinds, options)
    hold_constraints(writer, armature, baking.chain, baking.chosen, float(frames[0]))
    if baking.figure.controls is not None:
        segments = {segment for bone, segment in baking.chain.segment_of.items() if bone in baking.chosen}
        set_properties(writer, armature, baking.figure.controls, baking.ik, float(frames[0]), options.target, segments)
    labels = {f"{foot.name} {kind}": [] for foot in baking.body.feet for kind in ("strike", "off")}
    for event in events if options.markers else ():
        labels[event.label].append(int(np.rint(event.frame)))
    writer.mark(labels)


def _sign(action: bpy.types.Action, options: BakeOptions, baking: Written, title: str) -> None:
    """What the action remembers of its making."""
    stamp(action, baking.shot, baking.body, VERSION, options, baking.events)
    write_end(action, baking.end, baking.moved)
    stamp_moments(action, baking.start_frame, baking.fell_frame, (float(baking.frames[0]), float(baking.frames[-1])))
    action[TITLE_KEY] = title


def _note_channels(writer: ActionWriter, old: bpy.types.Action | None, slot: bpy.types.ActionSlot | None, target: str,
                   options: BakeOptions) -> None:
    """Note which curves of the written action are Lope's; `old` is the one it may be a copy of."""
    copied = old is not None and target not in ("new", "slot")
    lopes = lopes_channels(old) if copied else frozenset()
    theirs: set[str] = set()
    if copied and target == "replace":
        whole = lopes if untouched(old, slot) and options.locked_frames is None else frozenset()
        theirs = writer.written & {curve.data_path for curve in curves_of(old, slot)} - whole
    elif copied and not untouched(old, slot):
        theirs = set(lopes) - writer.written
    note_channels(writer.action, writer.slot, writer.written, theirs, lopes & writer.paths)


def _written_anew(curve: bpy.types.FCurve, baking: Written, target: str) -> bool:
    """Whether a curve of an earlier bake goes, as this bake writes it again or has something else in its place."""
    control = control_of(curve.data_path)
    hips = has_hips(baking.chain, baking.chosen)
    if curve.data_path in OBJECT_CHANNELS:
        return hips
    whole = all(bone in baking.chosen for bone in baking.chain.segment_of)
    return control in baking.chosen or (whole and target == "update")


def _push_down(armature: bpy.types.Object, writer: ActionWriter, old: bpy.types.Action | None, options: BakeOptions) -> None:
    """Make the new action a strip, above what the armature's action was, which becomes one too: but for a bake that this one
    takes the place of."""
    data = armature.animation_data or armature.animation_data_create()
    if old is not None and (options.go_on or not untouched(old, data.action_slot)):
        push_down(armature, old, data.action_slot)
    data.action = None
    if options.target == "update" and not options.go_on:
        drop_strips(armature, writer.action.frame_range[0])
    push_down(armature, writer.action, writer.slot)


def _set_range(action: bpy.types.Action, options: BakeOptions, frames: np.ndarray, target: str) -> None:
    """The action's own frame range; of a copy with other keys beside, the whole of its keys."""
    first, last = float(frames[0]), float(frames[-1])
    if target in ("replace", "copy") or (target == "update" and options.parts != "all"):
        low, high = action.curve_frame_range
        first, last = min(first, float(low)), max(last, float(high))
    action.use_frame_range = True
    action.frame_start, action.frame_end = first, last
    action.use_cyclic = options.loop


def _path(armature: bpy.types.Object, track: Track) -> str:
    """Data path of a bone's track."""
    return armature.pose.bones[track.bone].path_from_id(track.prop)


def _write_tracks(writer: ActionWriter, armature: bpy.types.Object, baking: Written, kinds: np.ndarray,
                  options: BakeOptions) -> None:
    """F-curves of every track."""
    moving = 0
    for track in baking.tracks:
        path = _path(armature, track)
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

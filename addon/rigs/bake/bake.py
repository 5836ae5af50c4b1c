# SPDX-License-Identifier: GPL-3.0-or-later
"""Bake a Take on an armature: its motion on the rig's own controls, in their rotation modes, at the scene's frame rate; checked
and worked out before anything is written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import bpy
import numpy as np

from ... import VERSION
from ...bodies.body import Body
from ...errors import RigError
from ...rows import blocks
from ...sim.take import Take
from ...specs.bake_options import BakeOptions
from ...specs.motion import digest_of
from ...specs.shot import EARTH_GRAVITY_M_S2, Shot
from ...worlds.ground import Ground, make_ground
from ..read.actions import OBJECT_CHANNELS, animation_of, curves_of, frame_rate
from ..read.armature import check_armature, skinned_bones
from ..read.doctor import ERROR, examine
from ..read.figure import Figure
from . import artist_keys, controls, provenance
from .action import ActionWriter, Keys, key_kinds
from .controls import Chain
from .foot_lock import Loads, lock_feet, sole_heights
from .going_on import End, brought_to, drop_strips, end_of, push_down, stamp_take, start_after, write_end
from .hands import forearm_twists, palm_turns, spread
from .hang import hang
from .own_motion import REST, OwnMotion, Travel, own_motion, travel_of, without
from .placing import figure_for, imported_fingers, is_carried, object_tracks, standing_at_base
from .pose import BoneChannels, joined, solve
from .sampling import FootEvent, Sampled, loads_on, repeated, sample
from .tracks import Track, bone_tracks, decimated, finger_tracks


def check_ready(armature: bpy.types.Object, scene: bpy.types.Scene) -> None:
    """Raises RigError for the first finding of the doctor that stops a bake."""
    check_armature(armature)
    for finding in examine(armature, scene):
        if finding.severity == ERROR:
            raise RigError(finding.sentence)


def check_drivers(armature: bpy.types.Object, solved: Mapping[str, BoneChannels]) -> None:
    """Raises RigError where a driver rules a channel that has to be baked."""
    paths = {driver.data_path for driver in animation_of(armature).drivers if not driver.mute}
    for bone_name in solved if paths else ():
        path = armature.pose.bones[bone_name].path_from_id()
        for prop in REST:
            if f"{path}.{prop}" in paths:
                raise RigError(f"Bone {bone_name!r} of {armature.name!r} is moved by a driver ({path}.{prop}), which "
                               "keys cannot overrule; remove or mute the driver before baking.")


def free_bones(armature: bpy.types.Object) -> set[str]:
    driven = [driver.data_path for driver in animation_of(armature).drivers if not driver.mute]
    return {bone.name for bone in armature.pose.bones
            if not any(not c.mute for c in bone.constraints)
            and not any(path.startswith(bone.path_from_id() + ".") for path in driven)}


@dataclass(frozen=True)
class Written:
    """What is written of a bake: frames (T,), foot events, and tracks among others. `chosen` bones get keys, `end` is where the
    motion ends, `moved` how one that goes on was moved; `fell_frame` is None without a fall. `kept`: of each moving bone track
    which samples (T, C) become keys and their slopes (T, C), or None without key reduction. `ik`: whether the legs go on IK
    controls."""

    shot: Shot
    body: Body
    figure: Figure
    frames: np.ndarray
    events: tuple[FootEvent, ...]
    chain: Chain
    chosen: frozenset[str]
    end: End
    moved: tuple[float, float, float] | None
    ik: bool
    tracks: list[Track]
    on_object: list[Track]
    kept: list[tuple[np.ndarray, np.ndarray]] | None
    start_frame: float = 1.0
    fell_frame: float | None = None


@dataclass(frozen=True)
class Baking:
    """A bake worked out: what is `written`, the figure's `motion` with planted feet, and the `error_m` of key reduction."""

    written: Written
    motion: OwnMotion
    error_m: float


def prepare(armature: bpy.types.Object, take: Take | str | Path, options: BakeOptions, bone_map: Mapping[str, str] | None,
            scene: bpy.types.Scene) -> Baking:
    """Work out a bake of a take or its file; changes nothing. Raises RigError, or TakeError for a file that is no take."""
    check_ready(armature, scene)
    before = start_after(armature) if options.go_on else None
    if before is not None:
        options = replace(options, start_frame=round(before.frame))
    shot, body, sampled = _sampled(take, frame_rate(scene), options, before)
    figure, carrier = controls.carrying_skin(figure_for(armature, body, bone_map, scene), skinned_bones(armature))
    if carrier is not None and options.root_motion == "hips":
        options = replace(options, root_motion=carrier)
    free = free_bones(armature)
    motion, twists = _planted(figure, body, sampled, options, make_ground(shot.world.ground)), {}
    if figure.has_hands:
        shares, twists = forearm_twists(figure, free)
        motion = spread(motion, shares, palm_turns(figure))
    moved = None
    if before is not None:
        motion, moved = brought_to(motion, before, sampled, shot.motion.after is not None)
    travel = _travel(motion, sampled, options, before)
    motion.let_go()
    frames, events = sampled.frames, sampled.events
    start = float(frames[0] - sampled.time_s[0] * frame_rate(scene))
    end = end_of(motion, sampled, start + sampled.length_s * frame_rate(scene), before, moved)
    fell = None if sampled.let_go_s is None else start + sampled.let_go_s * frame_rate(scene)
    heading = _heading(motion, sampled)
    motion.let_go()
    del sampled  # of an hour's take some hundred megabytes; so are the channels below
    ik = controls.uses_ik(figure, options.controls)
    chain = controls.build_chain(figure, motion.moved, ik, options.root_motion == "root_bone", twists)
    steady = controls.steady_bone(armature, chain, options)
    if steady is not None:
        motion = controls.held_upright(motion, chain.segment_of[steady], heading)
    still = options.root_motion in ("in_place", "object")
    solved = _solved(figure, chain, motion, travel, still)
    chosen = controls.chosen_bones(figure, chain, solved.keys(), options, steady)
    check_drivers(armature, {bone: found for bone, found in solved.items() if bone in chosen})
    tracks = bone_tracks(chain, solved)
    del solved
    on_object = _object_tracks(armature, figure, travel, motion, options) if controls.has_hips(chain, chosen) else []
    kept, error_m = None, 0.0
    if options.reduce_error_m is not None:
        forced = np.zeros(len(frames), dtype=bool)
        forced[[int(np.argmin(np.abs(frames - e.frame))) for e in events if e.kind == "strike"]] = True
        if options.locked_frames is not None:
            forced |= np.isin(frames, np.add(options.locked_frames, (-1, 1)))
        kept, error_m = decimated(figure, chain, tracks, frames, forced, options.reduce_error_m)
        kept = [keys for keys, track in zip(kept, (t for t in tracks if t.moves), strict=True) if track.bone in chosen]
    tracks = [track for track in tracks if track.bone in chosen]
    if figure.has_hands and options.target != "replace":  # in a part of an action they would snap at its ends
        posable = artist_keys.not_the_artists(armature) | imported_fingers(armature, figure)
        tracks += finger_tracks(figure, chosen, free & posable)
    written = Written(shot, body, figure, frames, events, chain, chosen, end, moved, ik, tracks, on_object, kept, start, fell)
    return Baking(written, motion, error_m)


def _object_tracks(armature: bpy.types.Object, figure: Figure, travel: Travel | None, motion: OwnMotion,
                   options: BakeOptions) -> list[Track]:
    """What the armature object does: it carries the travel, or stands still where an earlier bake let it carry some."""
    if options.root_motion == "object":
        return object_tracks(armature, figure, travel)
    if is_carried(armature) and (options.target == "replace" or options.go_on):
        start = motion.places[0, 0, :2]
        count = len(motion.places)
        return object_tracks(armature, figure, Travel(np.broadcast_to(start, (count, 2)), start, np.zeros(count)))
    return []


def _sampled(take: Take | str | Path, rate: float, options: BakeOptions, before: End | None) -> tuple[Shot, Body, Sampled]:
    """A take's shot, body and motion at the frames; one that goes on from a bake starts where that ends, maybe between two."""
    whole = take if isinstance(take, Take) else Take.load(take)
    if before is not None and whole.shot.motion.after is not None:
        options = replace(options, after_frame=before.exact_frame)
    return whole.shot, whole.body, sample(whole, rate, options)


def _solved(figure: Figure, chain: Chain, motion: OwnMotion, travel: Travel | None, still: bool) -> dict[str, BoneChannels]:
    """The channels of the chain's bones, block by block; `still`: of the motion on a treadmill."""
    count = len(motion.places)
    parts = []
    for rows in blocks(count):
        part, went = motion.part(rows), None if travel is None else travel.part(rows)
        parts.append(solve(figure, chain, without(part, went) if still else part, went))
        motion.let_go()
    return joined(parts)


def _planted(figure: Figure, body: Body, sampled: Sampled, options: BakeOptions, ground: Ground) -> OwnMotion:
    """The figure's own motion, its feet planted where they carry weight; a loop's so that they are so over the seam too."""
    if not options.lock_feet:
        return own_motion(figure, body, sampled.motion)
    ratio = sampled.gravity_m_s2 / EARTH_GRAVITY_M_S2
    if sampled.drift_m is None:
        motion = own_motion(figure, body, sampled.motion)
        loads = replace(loads_on(motion, body, sampled), skin_m=sole_heights(figure, motion, ground))
        return lock_feet(motion, loads, sampled.time_s, ratio)
    last = len(sampled.frames) - 1
    motion = own_motion(figure, body, repeated(sampled.motion, sampled.drift_m))
    loads = loads_on(own_motion(figure, body, sampled.motion), body, sampled)
    drift = motion.scale * np.append(sampled.drift_m, 0.0)
    share = np.concatenate([loads.share[:-1], loads.share[:-1], loads.share])
    points = np.concatenate([loads.points_m[:-1] - drift, loads.points_m[:-1], loads.points_m + drift])
    time = np.concatenate([sampled.time_s[:-1] + k * sampled.time_s[-1] for k in range(3)] + [3.0 * sampled.time_s[-1:]])
    loads = Loads(share, points, skin_m=sole_heights(figure, motion, ground))
    locked = lock_feet(motion, loads, time, np.concatenate([ratio[:-1], ratio[:-1], ratio]))
    middle = slice(last, 2 * last + 1)
    return replace(locked, places=locked.places[middle], turns=locked.turns[middle])


def _heading(motion: OwnMotion, sampled: Sampled) -> np.ndarray:
    """Which way the body heads (T,) [rad], without the sway of its strides; a loop's is one."""
    heading = travel_of(motion, sampled.time_s, sampled.stride_s).heading
    return heading if sampled.drift_m is None else np.full(len(heading), heading.mean())


def _travel(motion: OwnMotion, sampled: Sampled, options: BakeOptions, before: End | None) -> Travel | None:
    """The travel that root motion takes off the hips: straight on in a loop, from the first one's start where one goes on."""
    if options.root_motion == "hips":
        return None
    if sampled.drift_m is None:
        travel = travel_of(motion, sampled.time_s, sampled.stride_s)
        return travel if before is None else before.travelled(travel)
    share = sampled.time_s / sampled.time_s[-1]
    start = motion.places[0, 0, :2]
    return Travel(start + share[:, None] * sampled.drift_m * motion.scale, start.copy(), np.zeros(len(share)))


STILL = 1e-6
"""A channel that changes by less, in radians or the armature's units, keeps still: Blender's numbers have 6e-8 of 1."""

TITLE_KEY = "lope_title"
"""Property of a baked action: the name that Lope gave it. One that has another name was named by the artist."""


def bake_take(armature: bpy.types.Object, take: Take | str | Path, *, start_frame: int | None = None,
              bone_map: Mapping[str, str] | None = None, scene: bpy.types.Scene | None = None,
              options: BakeOptions | None = None, called: str | None = None) -> bpy.types.Action:
    """Write the take's motion on the armature as `options` say, and make it the armature's action; returns the action. A take
    given as its file is out of memory while Blender fills with keys. `called` is what the motion is called in a name that nobody
    gave (default: as the take's shot). No key of the artist's is ever altered: an action that is not Lope's alone stays in the
    file, by a fake user where nothing else keeps it. Keys are GENERATED, or EXTREME where a foot strikes; pose markers name
    strikes and offs. On the figure of the take's body every joint stands where it was simulated, but for planted feet; on others
    limbs turn as simulated and the path scales by leg length. The action holds constraints of baked bones at influence 0 and sets
    the switches that a map names. What hangs on the rig swings, unless `options` say otherwise. Raises RigError, or TakeError
    for a file that is no take, before anything is written."""
    scene = scene or bpy.context.scene
    options = options or BakeOptions()
    if start_frame is not None:
        options = replace(options, start_frame=start_frame)
    with standing_at_base(armature, scene, options.start_frame):
        baking = prepare(armature, take, options, bone_map, scene).written
        title = f"{armature.name} {called or baking.shot.called} {baking.shot.world.name}"
        action = _write(armature, options, baking, title, options.name)
        if options.hang and options.locked_frames is None:
            hang(armature, scene, action, baking.figure, options)
    provenance.stamp_name(action, called if called != baking.shot.called else None)
    stamp_take(action, None if isinstance(take, Take) or options.loop else digest_of(take))
    return action


def _goes_on(armature: bpy.types.Object, options: BakeOptions, shot: Shot) -> bool:
    """Whether a bake goes on in the action that there is: as asked, or since its take goes on from the one baked there."""
    return options.go_on or (shot.motion.after is not None and options.after_frame is not None
                             and animation_of(armature).action is not None)


def _target(armature: bpy.types.Object, options: BakeOptions, baking: Written) -> str:
    """What the writer does, one of `ActionWriter`'s targets: bones that are left out keep their keys in every case."""
    if options.push_down:
        return "new"
    if _goes_on(armature, options, baking.shot):
        return "replace"
    paths = [bone_path(armature, track) for track in baking.tracks] + [track.prop for track in baking.on_object]
    if options.target == "update" and artist_keys.may_update(armature, paths):
        return "update"
    if options.target in ("update", "new"):
        return "new" if options.parts == "all" else "copy"
    return options.target


def _write(armature: bpy.types.Object, options: BakeOptions, baking: Written, title: str, name: str | None) -> bpy.types.Action:
    data = animation_of(armature)
    old, slot = data.action, data.action_slot
    target = _target(armature, options, baking)
    if name is None and target == "update" and old.get(TITLE_KEY) not in (old.name, old.name.rpartition(".")[0]):
        name = old.name  # the artist's own name for it
    first, last = float(baking.frames[0]), float(baking.frames[-1])
    if target == "replace" and baking.shot.motion.after is not None and old is not None:
        last = max(last, float(old.frame_range[1]))  # what an earlier try was longer by goes
    writer = ActionWriter(name or title, armature, target, (first, last), options.locked_frames,
                          goes_on=_goes_on(armature, options, baking.shot))
    try:
        if target in ("update", "copy"):
            lopes = artist_keys.lopes_channels(old)
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
        artist_keys.keep(old, asked=options.keep_old)
    if armature.data.pose_position != "POSE":
        armature.data.pose_position = "POSE"
    return writer.action


def _write_motion(writer: ActionWriter, armature: bpy.types.Object, options: BakeOptions, baking: Written) -> None:
    frames, events = baking.frames, baking.events
    kinds = key_kinds(frames, [event.frame for event in events if event.kind == "strike"])
    _write_tracks(writer, armature, baking, kinds, options)
    controls.hold_constraints(writer, armature, baking.chain, baking.chosen, float(frames[0]))
    if baking.figure.controls is not None:
        segments = {segment for bone, segment in baking.chain.segment_of.items() if bone in baking.chosen}
        controls.set_properties(writer, armature, baking.figure.controls, baking.ik, float(frames[0]), options.target, segments)
    labels = {f"{foot.name} {kind}": [] for foot in baking.body.feet for kind in ("strike", "off")}
    for event in events if options.markers else ():
        labels[event.label].append(int(np.rint(event.frame)))
    writer.mark(labels)


def _sign(action: bpy.types.Action, options: BakeOptions, baking: Written, title: str) -> None:
    provenance.stamp(action, baking.shot, baking.body, VERSION, options, baking.events)
    write_end(action, baking.end, baking.moved)
    provenance.stamp_moments(action, baking.start_frame, baking.fell_frame, (float(baking.frames[0]), float(baking.frames[-1])))
    action[TITLE_KEY] = title


def _note_channels(writer: ActionWriter, old: bpy.types.Action | None, slot: bpy.types.ActionSlot | None, target: str,
                   options: BakeOptions) -> None:
    """Note which curves of the written action are Lope's; `old` is the one it may be a copy of."""
    copied = old is not None and target not in ("new", "slot")
    lopes = artist_keys.lopes_channels(old) if copied else frozenset()
    theirs: set[str] = set()
    if copied and target == "replace":
        whole = lopes if artist_keys.untouched(old, slot) and options.locked_frames is None else frozenset()
        theirs = writer.written & {curve.data_path for curve in curves_of(old, slot)} - whole
    elif copied and not artist_keys.untouched(old, slot):
        theirs = set(lopes) - writer.written
    artist_keys.note_channels(writer.action, writer.slot, writer.written, theirs, lopes & writer.paths)


def _written_anew(curve: bpy.types.FCurve, baking: Written, target: str) -> bool:
    """Whether a curve of an earlier bake goes, as this bake writes it again or has something else in its place."""
    control = artist_keys.control_of(curve.data_path)
    hips = controls.has_hips(baking.chain, baking.chosen)
    if curve.data_path in OBJECT_CHANNELS:
        return hips
    whole = all(bone in baking.chosen for bone in baking.chain.segment_of)
    return control in baking.chosen or (whole and target == "update")


def _push_down(armature: bpy.types.Object, writer: ActionWriter, old: bpy.types.Action | None, options: BakeOptions) -> None:
    """Make the new action a strip above the one before, which becomes one too unless this bake takes its place."""
    data = armature.animation_data or armature.animation_data_create()
    if old is not None and (options.go_on or not artist_keys.untouched(old, data.action_slot)):
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


def bone_path(armature: bpy.types.Object, track: Track) -> str:
    """The data path of a bone track's curves."""
    return armature.pose.bones[track.bone].path_from_id(track.prop)


def _write_tracks(writer: ActionWriter, armature: bpy.types.Object, baking: Written, kinds: np.ndarray,
                  options: BakeOptions) -> None:
    """F-curves of every bone track, which is let go of then: in an hour's keys there is no room for it."""
    baking.tracks.reverse()
    kept = iter(baking.kept or ())
    while baking.tracks:
        track = baking.tracks.pop()
        keys = next(kept, None) if track.moves else None
        _write_track(writer, bone_path(armature, track), track, keys, baking.frames, kinds, options)
    for track in baking.on_object:
        _write_track(writer, track.prop, track, None, baking.frames, kinds, options)


def _write_track(writer: ActionWriter, path: str, track: Track, kept: tuple[np.ndarray, np.ndarray] | None,
                 frames: np.ndarray, kinds: np.ndarray, options: BakeOptions) -> None:
    """F-curves of one track: every sample, or those `kept`, with their slopes; of a channel that keeps still the first one."""
    values, rest = track.values, REST[track.prop]
    for index in range(values.shape[1]):
        if np.ptp(values[:, index]) < STILL:
            keys = Keys(frames[:1], values[:1, index], kinds[:1])
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

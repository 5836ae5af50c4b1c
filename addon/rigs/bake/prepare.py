# SPDX-License-Identifier: GPL-3.0-or-later
"""A bake worked out and not yet written: a take's motion on a figure, its feet planted, as tracks of the rig's channels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import bpy
import numpy as np

from ...bodies.body import Body
from ...specs.bake_options import BakeOptions
from ...specs.shot import EARTH_GRAVITY_M_S2, Shot
from ...take import Take
from ...worlds.ground import Ground, make_ground
from ..read.figure import Figure
from .base import is_carried
from .blocks import blocks
from .chosen import chosen_bones, has_hips
from .controls import Chain, build_chain, uses_ik
from .figure_of import figure_for
from .foot_lock import Loads, lock_feet
from .going_on import End, brought_to, end_of, start_after
from .hands import palm_turns
from .imported_pose import imported_fingers
from .object_motion import object_tracks
from .own_motion import OwnMotion, own_motion
from .ownership import not_the_artists
from .pose import BoneChannels, joined, solve
from .pronation import forearm_twists, spread
from .ready import check_drivers, check_ready, free_bones
from .sampling import FootEvent, Sampled, loads_on, repeated, sample
from .soles import sole_heights
from .steady import held_upright, steady_bone
from .tracks import Track, bone_tracks, decimated, finger_tracks
from .travel import Travel, travel_of, without


def frame_rate(scene: bpy.types.Scene) -> float:
    """Frames a second of a scene."""
    return scene.render.fps / scene.render.fps_base


@dataclass(frozen=True)
class Written:
    """What is written of a bake: the shot and body of its take, frames (T,), foot events, chain, bone tracks, object tracks.

    `chosen` are the bones that get keys, `end` is where the motion ends, `moved` how one that goes on from another was moved,
    `start_frame` where the take begins, and `fell_frame` where the character fell, None where it did not. `kept` holds for each
    moving bone track which samples (T, C) become keys and their slopes (T, C), or is None without key reduction. `ik`: whether
    the legs go on IK controls.
    """

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
    """A bake worked out: what is `written`; the figure's own `motion` with planted feet, travel included; and `error_m`, what
    key reduction costs at hands, feet and head."""

    written: Written
    motion: OwnMotion
    error_m: float


def prepare(armature: bpy.types.Object, take: Take | str | Path, options: BakeOptions, bone_map: Mapping[str, str] | None,
            scene: bpy.types.Scene) -> Baking:
    """Work out a bake of a take or of a take's file. Changes nothing; raises RigError where it cannot be done, TakeError for
    a file that is no take."""
    check_ready(armature, scene)
    before = start_after(armature) if options.go_on else None
    if before is not None:
        options = replace(options, start_frame=round(before.frame))
    shot, body, sampled = _sampled(take, frame_rate(scene), options, before)
    figure = figure_for(armature, body, bone_map, scene)
    free = free_bones(armature)
    motion, twists = _planted(figure, body, sampled, options, make_ground(shot.world.ground)), {}
    if figure.has_hands:
        shares, twists = forearm_twists(figure, free)
        motion = spread(motion, shares, palm_turns(figure))
    moved = None
    if before is not None:
        motion, moved = brought_to(motion, before, sampled, shot.after is not None)
    travel = _travel(motion, sampled, options, before)
    frames, events = sampled.frames, sampled.events
    start = float(frames[0] - sampled.time_s[0] * frame_rate(scene))
    end = end_of(motion, sampled, start + sampled.length_s * frame_rate(scene), before, moved)
    fell = None if sampled.let_go_s is None else start + sampled.let_go_s * frame_rate(scene)
    heading = _heading(motion, sampled)
    del sampled  # of an hour's take some hundred megabytes; so are the channels below
    ik = uses_ik(figure, options.controls)
    chain = build_chain(figure, motion.moved, ik, options.root_motion == "root_bone", twists)
    steady = steady_bone(armature, chain, options)
    if steady is not None:
        motion = held_upright(motion, chain.segment_of[steady], heading)
    still = options.root_motion in ("in_place", "object")
    solved = _solved(figure, chain, motion, travel, still)
    chosen = chosen_bones(figure, chain, solved.keys(), options, steady)
    check_drivers(armature, {bone: found for bone, found in solved.items() if bone in chosen})
    tracks = bone_tracks(chain, solved)
    del solved
    on_object = _object_tracks(armature, figure, travel, motion, options) if has_hips(chain, chosen) else []
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
        tracks += finger_tracks(figure, chosen, free & (not_the_artists(armature) | imported_fingers(armature, figure)))
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
    """A take's shot, body and motion at the frames; a take that is given as a file is let go of. One that goes on from the take
    whose bake ends `before` starts where that ends, which may be between two frames."""
    whole = take if isinstance(take, Take) else Take.load(take)
    if before is not None and whole.shot.after is not None:
        options = replace(options, after_frame=before.exact_frame)
    return whole.shot, whole.body, sample(whole, rate, options)


def _solved(figure: Figure, chain: Chain, motion: OwnMotion, travel: Travel | None, still: bool) -> dict[str, BoneChannels]:
    """The channels of the chain's bones, block by block; `still`: of the motion on a treadmill."""
    count = len(motion.places)
    parts = []
    for rows in blocks(count):
        part, went = motion.part(rows), None if travel is None else travel.part(rows)
        parts.append(solve(figure, chain, without(part, went) if still else part, went))
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
    """The travel that the root motion takes off the hips; a loop's goes straight on, one that goes on from another's end counts
    from where that one began."""
    if options.root_motion == "hips":
        return None
    if sampled.drift_m is None:
        travel = travel_of(motion, sampled.time_s, sampled.stride_s)
        return travel if before is None else before.travelled(travel)
    share = sampled.time_s / sampled.time_s[-1]
    start = motion.places[0, 0, :2]
    return Travel(start + share[:, None] * sampled.drift_m * motion.scale, start.copy(), np.zeros(len(share)))

# SPDX-License-Identifier: GPL-3.0-or-later
"""Bake what a hit does to an action: a copy of it, in which only the frames around the hit have other keys, and only limbs that
move. Each joint is turned on from the action's own pose by what the hit turned it from the pose of a simulation without. So
nothing changes before the hit, and where the body is back so is the action; feet stand as still as they do in both
simulations."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import bpy
import numpy as np
from mathutils import Euler, Matrix, Quaternion

from ...bodies.human.landmarks import SIDES, neutral_alignments
from ...bodies.kinematics import segment_poses
from ...errors import RigError
from ...maths.curves import cubic
from ...maths.rotations import (
    matrix_from_quat,
    quat_conjugate,
    quat_from_matrix,
    quat_from_rotvec,
    quat_multiply,
    quat_rotate,
    rotvec_from_quat,
)
from ...sim.take import Take
from ...specs.disturbances import Reaction
from ...specs.shot import EARTH_GRAVITY_M_S2
from ..read.actions import curves_of, frame_rate
from ..read.armature import read_figure
from ..read.figure import Figure
from ..read.poses import carried, played
from .action import ActionWriter, Keys, key_kinds
from .artist_keys import keep, lopes_channels, note_channels, untouched
from .bake import check_ready, free_bones
from .controls import build_chain, hold_constraints, same_limb
from .foot_lock import SINK_WINDOW_S, sink_of
from .hands import forearm_twists, palm_turns, spread
from .leg import move_leg
from .loose import key_objects
from .own_motion import TURNS, Motion, OwnMotion, axis_angles, continuous_quaternions, own_motion, resampled, upright_turns
from .placing import BakedMotion
from .pose import turns_from_rest

BACK_RAD, BACK_M, BACK_FOOT_M = np.radians(3.0), 0.03, 0.01
"""A body is back where every joint is turned, hips and feet have come less than this off where they are without the hit: what can
fade out in `BLEND_S` and nobody sees, feet not sliding."""
BLEND_S = 0.25
"""Time in which what is left of the difference fades out (Earth; first guess)."""


def acted(figure: Figure, like: OwnMotion, poses: dict[str, np.ndarray]) -> OwnMotion:
    """The motion of the figure's own body, that of `like`, where its bones have these poses (T, 4, 4), in armature space as it
    stands in the action's first frame. Segments without a bone go with those that carry them."""
    body, alignments = like.body, neutral_alignments(figure.points)
    count = len(poses[figure.bone_of["pelvis"]])
    turns = np.empty((count, len(body.segments), 4))
    for i, segment in enumerate(body.segments):
        bone = figure.bone_of.get(segment.name)
        if bone is None:
            turns[:, i] = turns[:, body.index[segment.hangs_on]] if i else [1.0, 0.0, 0.0, 0.0]
            continue
        linear = poses[bone][:, :3, :3]
        away = linear / np.cbrt(np.linalg.det(linear))[:, None, None] @ figure.bone[bone].rotation.T
        turns[:, i] = continuous_quaternions(quat_from_matrix(figure.axes.T @ away @ figure.axes @ alignments[segment.name].T))
    hips = figure.bone_of["pelvis"]
    joint = figure.origin + figure.units_per_m * (figure.axes @ figure.points["pelvis"])
    away = poses[hips][:, :3, :3] / np.cbrt(np.linalg.det(poses[hips][:, :3, :3]))[:, None, None] @ figure.bone[hips].rotation.T
    place = poses[hips][:, :3, 3] + away @ (joint - figure.bone[hips].head)
    root = (place - figure.ground) @ figure.axes / figure.units_per_m
    return _posed(replace(like, moved=frozenset(figure.bone_of) & frozenset(body.index)), root, turns)


def _posed(motion: OwnMotion, root: np.ndarray, turns: np.ndarray) -> OwnMotion:
    """A motion of the same body with its hips at places (T, 3) and its segments turned so (T, S, 4)."""
    body = motion.body
    joints = np.stack([quat_multiply(quat_conjugate(turns[:, body.index[s.hangs_on]]), turns[:, i])
                       for i, s in enumerate(body.segments) if i], axis=1)
    places, _ = segment_poses(body, root, turns[:, 0], joints)
    return replace(motion, places=places, turns=turns)


@dataclass(frozen=True)
class Difference:
    """What a hit changes (T rows): how far hips and feet come [m], `place` and `ankle` (T, 3) by side; how they are turned in the
    world, `turn` and `foot` (T, 4); how each joint is in its own frame, `joint` (T, S, 4), the first row's not used."""

    place: np.ndarray
    turn: np.ndarray
    ankle: dict[str, np.ndarray]
    foot: dict[str, np.ndarray]
    joint: np.ndarray

    def share(self, share: np.ndarray) -> Difference:
        """A share (T,) of it."""
        def some(turns: np.ndarray) -> np.ndarray:
            return quat_from_rotvec(rotvec_from_quat(turns) * share.reshape(-1, *[1] * (turns.ndim - 1)))

        return Difference(self.place * share[:, None], some(self.turn), {s: x * share[:, None] for s, x in self.ankle.items()},
                          {s: some(x) for s, x in self.foot.items()}, some(self.joint))

    def part(self, rows: slice) -> Difference:
        return Difference(self.place[rows], self.turn[rows], {s: x[rows] for s, x in self.ankle.items()},
                          {s: x[rows] for s, x in self.foot.items()}, self.joint[rows])

    @property
    def angle(self) -> np.ndarray:
        """The largest turn (T,) [rad] of the hips and of any joint."""
        turns = np.concatenate([self.turn[:, None], self.joint[:, 1:]], axis=1)
        return np.linalg.norm(rotvec_from_quat(turns), axis=-1).max(axis=1)

    @property
    def way(self) -> np.ndarray:
        """How far (T,) [m] the hips have come."""
        return np.linalg.norm(self.place, axis=1)

    @property
    def step(self) -> np.ndarray:
        """The farthest (T,) [m] that a foot has come."""
        return np.max([np.linalg.norm(x, axis=1) for x in self.ankle.values()], axis=0)

    def back(self) -> int | None:
        """The first frame from which on all that is left is small; None where it is not small at the end."""
        off = np.flatnonzero((self.angle > BACK_RAD) | (self.way > BACK_M) | (self.step > BACK_FOOT_M))
        if not len(off):
            return 0
        return None if off[-1] == len(self.angle) - 1 else int(off[-1]) + 1


def difference(struck: OwnMotion, unstruck: OwnMotion, yaw: float) -> Difference:
    """What differs between a motion with a hit and one without, seen in axes that are turned from theirs by `yaw` [rad]."""
    body = struck.body
    turn = upright_turns(yaw)

    def world(i: int) -> np.ndarray:
        off = quat_multiply(struck.turns[:, i], quat_conjugate(unstruck.turns[:, i]))
        return _short(quat_multiply(quat_multiply(turn, off), quat_conjugate(turn)))

    def moved(i: int) -> np.ndarray:
        return quat_rotate(np.broadcast_to(turn, (len(struck.places), 4)), struck.places[:, i] - unstruck.places[:, i])

    joint = np.zeros_like(struck.turns)
    joint[..., 0] = 1.0
    for i, segment in enumerate(body.segments):
        if i:
            above = body.index[segment.hangs_on]
            one, other = (quat_multiply(quat_conjugate(m.turns[:, above]), m.turns[:, i]) for m in (struck, unstruck))
            joint[:, i] = _short(quat_multiply(quat_conjugate(other), one))
    feet = {side: body.index[f"foot_{side}"] for side in SIDES}
    return Difference(moved(0), world(0), {side: moved(i) for side, i in feet.items()},
                      {side: world(i) for side, i in feet.items()}, joint)


def reacted(motion: OwnMotion, made: Difference, time_s: np.ndarray, gravity_ratio: float = 1.0) -> OwnMotion:
    """An acted motion with a difference made to it, at times (T,) [s]. Where a foot cannot be reached the hips sink a little."""
    body = motion.body
    turns = motion.turns.copy()
    turns[:, 0] = quat_multiply(made.turn, motion.turns[:, 0])
    for i, segment in enumerate(body.segments):
        if i:
            above = body.index[segment.hangs_on]
            own = quat_multiply(quat_conjugate(motion.turns[:, above]), motion.turns[:, i])
            turns[:, i] = quat_multiply(turns[:, above], quat_multiply(own, made.joint[:, i]))
    posed = _posed(motion, motion.places[:, 0] + made.place, turns)
    plans = {}
    for side in SIDES:
        foot = body.index[f"foot_{side}"]
        turned = quat_multiply(made.foot[side], motion.turns[:, foot])
        off = quat_multiply(turned, quat_conjugate(posed.turns[:, foot]))
        for name in ("foot", "toes"):
            i = body.index.get(f"{name}_{side}")
            if i is not None:
                posed.turns[:, i] = quat_multiply(off, posed.turns[:, i])
        shift = motion.places[:, foot] + made.ankle[side] - posed.places[:, foot]
        plans[side] = shift, np.zeros(len(shift)), np.linalg.norm(shift, axis=1) > 0.0
    window = np.full(len(time_s), SINK_WINDOW_S / np.sqrt(gravity_ratio))
    sink = sink_of(posed, plans, time_s, window) * cubic(np.clip((made.way + made.step) / BACK_FOOT_M, 0.0, 1.0))
    places, turns = posed.places.copy(), posed.turns.copy()
    places[..., 2] -= sink[:, None]
    for side, (shift, still, _) in plans.items():
        move_leg(posed, places, turns, side, shift, still)
    return replace(posed, places=places, turns=turns)


def heading(turns: np.ndarray) -> float:
    """Which way hips that are turned so (4,) face [rad]."""
    x, y = matrix_from_quat(turns)[:2, 0]
    return float(np.arctan2(y, x))


def _short(turns: np.ndarray) -> np.ndarray:
    """The same turns (T, 4) the short way round, without jumps of sign."""
    return np.where(turns[..., :1] < 0.0, -turns, turns)


Values = Mapping[tuple[str, int], float]
"""What curves show at a frame, by path and index."""

STILL_RAD, STILL_SHARE = np.radians(0.05), 1e-4
"""A bone that turns by less, or moves by a smaller share of the figure's height, is left as it is."""


@dataclass(frozen=True)
class Posed:
    """Bones as an action poses them: matrices (T, 4, 4) in armature space by name; and the way (T, 4, 4) from there to armature
    space as it stands in the action's first frame."""

    poses: dict[str, np.ndarray]
    way: np.ndarray

    def part(self, rows: slice) -> Posed:
        return Posed({bone: pose[rows] for bone, pose in self.poses.items()}, self.way[rows])


@dataclass(frozen=True)
class BoneKeys:
    """Values of a bone's property: its path and `values` (T, C); `before` (C,) is what it shows where no curve moves it."""

    bone: str
    path: str
    values: np.ndarray
    before: np.ndarray


def keys_of(armature: bpy.types.Object, figure: Figure, posed: Posed, away: dict[str, np.ndarray], motion: OwnMotion,
            values: Values) -> list[BoneKeys]:
    """What the bones need that a motion turns away from rest so: segment -> (T, 4), armature space as in the first frame of all.
    Bones between and below keep to those that carry them, as in the action, whose curves have these `values` in the first row."""
    final = _final(figure, posed, away, motion)
    bases = {name: (_bases(armature, name, posed.poses), _bases(armature, name, final)) for name in figure.bone_of.values()}
    small = STILL_SHARE * figure.height_m * figure.units_per_m
    moving = {segment for segment, name in figure.bone_of.items() if _moves(*bases[name], small)}
    found = []
    for segment, name in figure.bone_of.items():
        if any(same_limb(segment, other) for other in moving):
            found += _keys(armature.pose.bones[name], *bases[name], values, moved=segment == "pelvis")
    return found


def write_keys(writer: ActionWriter, armature: bpy.types.Object, figure: Figure, tracks: Sequence[BoneKeys],
               frames: np.ndarray) -> None:
    """Write them, with the constraints of their bones held off meanwhile."""
    kinds = key_kinds(frames, ())
    for track in tracks:
        for index in range(track.values.shape[1]):
            writer.write(track.path, track.bone, index, Keys(frames, track.values[:, index], kinds), float(track.before[index]))
    chain = build_chain(figure, frozenset(figure.bone_of), ik=False, root=False)
    hold_constraints(writer, armature, chain, {track.bone for track in tracks}, float(frames[0]))


def _final(figure: Figure, posed: Posed, away: dict[str, np.ndarray], motion: OwnMotion) -> dict[str, np.ndarray]:
    """The pose (T, 4, 4) of every bone, armature space."""
    segments = {bone: segment for segment, bone in figure.bone_of.items()}
    there = np.linalg.inv(posed.way)
    final: dict[str, np.ndarray] = {}
    for bone in figure.bones:
        before = posed.poses[bone.name]
        if bone.parent is None:
            pose = before.copy()
        else:
            pose = final[bone.parent] @ np.linalg.inv(posed.poses[bone.parent]) @ before
            if not bone.inherits_rotation:
                pose[:, :3, :3] = before[:, :3, :3]
        segment = segments.get(bone.name)
        if segment in away:
            turn = matrix_from_quat(away[segment])
            size = np.linalg.norm(before[:, :3, :3], axis=1)[:, None, :]
            pose[:, :3, :3] = there[:, :3, :3] @ turn @ bone.rotation * size
            if segment == "pelvis":
                joint = figure.origin + figure.units_per_m * (figure.axes @ figure.points["pelvis"])
                offset = np.broadcast_to(bone.head - joint, (len(turn), 3))
                head = figure.in_armature(motion.places[:, 0]) + quat_rotate(away[segment], offset)
                pose[:, :3, 3] = np.einsum("tij,tj->ti", there[:, :3, :3], head) + there[:, :3, 3]
        final[bone.name] = pose
    return final


def _bases(armature: bpy.types.Object, name: str, poses: dict[str, np.ndarray]) -> list[Matrix]:
    """The bone's own matrices that give these poses."""
    bone = armature.data.bones[name]
    if bone.parent is None:
        return [bone.convert_local_to_pose(Matrix(pose), bone.matrix_local, invert=True) for pose in poses[name]]
    return [bone.convert_local_to_pose(Matrix(pose), bone.matrix_local, parent_matrix=Matrix(above),
                                       parent_matrix_local=bone.parent.matrix_local, invert=True)
            for pose, above in zip(poses[name], poses[bone.parent.name], strict=True)]


def _moves(before: list[Matrix], after: list[Matrix], small: float) -> bool:
    return any(one.to_quaternion().rotation_difference(other.to_quaternion()).angle > STILL_RAD
               or (one.translation - other.translation).length > small for one, other in zip(before, after, strict=True))


def _keys(bone: bpy.types.PoseBone, before: list[Matrix], after: list[Matrix], values: Values, moved: bool) -> list[BoneKeys]:
    """A bone's rotation, and its place where it is `moved`, going on from the action's own values."""
    prop = TURNS[bone.rotation_mode]
    path = bone.path_from_id(prop)
    shown = _rotations(prop, bone.rotation_mode, before[:1], np.array(getattr(bone, prop), float))[0]
    start = np.array([values.get((path, index), value) for index, value in enumerate(shown)])
    found = [BoneKeys(bone.name, path, _rotations(prop, bone.rotation_mode, after, start), start)]
    if moved:
        places = np.array([matrix.translation for matrix in after])
        found.append(BoneKeys(bone.name, bone.path_from_id("location"), places, np.array(before[0].translation)))
    return found


def _rotations(prop: str, mode: str, matrices: list[Matrix], start: np.ndarray) -> np.ndarray:
    """Values (T, C) of a rotation property, each as near as can be to the one before, the first to `start`."""
    if prop == "rotation_axis_angle":
        return axis_angles(np.array([matrix.to_quaternion() for matrix in matrices]))
    values: list[Euler | Quaternion] = []
    last: Euler | Quaternion = Euler(start, mode) if prop == "rotation_euler" else Quaternion(start)
    for matrix in matrices:
        if isinstance(last, Euler):
            last = matrix.to_euler(mode, last)
        else:
            turn = matrix.to_quaternion()
            last = turn if turn.dot(last) >= 0.0 else -turn
        values.append(last)
    return np.array(values)


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


def bake_hit(armature: bpy.types.Object, action: bpy.types.Action, takes: tuple[Take, Take], *,
             scene: bpy.types.Scene | None = None, bone_map: Mapping[str, str] | None = None, first_frame: float | None = None,
             thrown: Mapping[int, bpy.types.Object] | None = None) -> HitBake:
    """Write what a hit changes of an action to a copy of it, and make that the armature's action. Both `takes` follow the action
    from `first_frame` (its first) on, one with the hits, one without. Frames beside the time around the hits, and fingers, faces
    and whatever no take moves, keep their keys. Balls fly as simulated, made where they are not there; objects that are `thrown`,
    by the balls' rows, are keyed instead. Raises RigError where the rig or the action cannot be baked so."""
    scene, (struck, _) = scene or bpy.context.scene, takes
    check_ready(armature, scene)
    figure = read_figure(armature, bone_map, scene)
    if figure.controls is not None:
        raise RigError(f"{armature.name} is a rig of controls, on which only whole takes are baked: bake the take of the hit, or "
                       "give the hit to the skeleton that the rig moves.")
    _check_curves(action)
    rate, start = frame_rate(scene), float(action.frame_range[0]) if first_frame is None else first_frame
    window = _Window(struck, rate, start)
    motion, made, posed, lies = _worked_out(armature, action, figure, takes, window)
    share, back = _share(struck, made, window, float(action.frame_range[1]))
    rows = slice(0, len(share))
    ratio = struck.shot.world.gravity_m_s2 / EARTH_GRAVITY_M_S2
    result = reacted(motion.part(rows), made.part(rows).share(share), window.time_s[rows], ratio)
    frames = window.frames[rows]
    values = {(curve.data_path, curve.array_index): curve.evaluate(frames[0]) for curve in curves_of(action)}
    keys = keys_of(armature, figure, posed.part(rows), turns_from_rest(figure, result), result, values)
    written = _write(armature, action, figure, keys, frames)
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
    return bake_hit(armature, action, (struck, unstruck), first_frame=float(action.frame_range[0]) + skipped)


def _share(take: Take, made: Difference, window: _Window, end: float) -> tuple[np.ndarray, bool]:
    """Which share (T,) of the difference each frame has: all of it, fading out from where the body is back or asked to be, or
    where an action that ends at frame `end` goes on after the take. And whether it is back."""
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
    """The action's own motion, what the hit changes of it, and all bones' poses, in the window's frames; where the takes lie."""
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
        """From a take's places [m] to the world (4, 4), so that a segment is at a place (3,) of the figure's motion."""
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


def _write(armature: bpy.types.Object, action: bpy.types.Action, figure: Figure, keys: list[BoneKeys], frames: np.ndarray
           ) -> bpy.types.Action:
    """The copy of the action with the keys in place of its own in these frames; it is the armature's action from then on. A copy
    that an earlier hit made of the same action, and nobody has touched, goes."""
    data = armature.animation_data or armature.animation_data_create()
    present, slot = data.action, data.action_slot
    if present != action:
        data.action = action
        if data.action_slot is None and action.slots:
            data.action_slot = next((one for one in action.slots if one.target_id_type == "OBJECT"), None)
    title, lopes = f"{action.name} hit", untouched(action, data.action_slot)
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
    if lopes:  # the hit's keys are Lope's, too, not the artist's
        note_channels(made, writer.slot, set(), set(), lopes_channels(action))
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
    number = 0
    for curve in curves_of(action):
        places = np.empty(2 * len(curve.keyframe_points), np.float32)
        curve.keyframe_points.foreach_get("co", places)
        number = zlib.crc32(places.tobytes(), zlib.crc32(curve.data_path.encode(), number))
    return str(number)

# SPDX-License-Identifier: GPL-3.0-or-later
"""Let swing what hangs on an armature: a second pass, after the body's motion is known, over a fresh bake, an old one or a
hand-made action alike. What carries the chains and the body is read from the evaluated pose, so that it makes no difference
which controls move it; the keys go on the chains' own bones. The rest pose is how a chain hangs on Earth: one that rests the
more upright, the stiffer it is, and its springs carry it there."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass

import bpy
import numpy as np

from ...errors import RigError
from ...maths.curves import cubic
from ...maths.rotations import quat_conjugate, quat_from_matrix, quat_from_rotvec, quat_multiply, rotvec_from_quat
from ...specs.bake_options import BakeOptions
from ...specs.shot import EARTH_GRAVITY_M_S2, World
from ...worlds.planets import air_of, gravity_at
from ..read.actions import animation_of, curves_of, frame_rate, slot_in
from ..read.armature import metres_per_unit
from ..read.figure import Figure
from ..read.hanging import HANGS_KEY, Capsules, Hanging, hanging_of
from ..read.poses import shown
from . import artist_keys
from .action import ActionWriter, Keys, key_kinds
from .own_motion import TURNS, channels, continuous_quaternions
from .placing import shown_figure
from .provenance import KEYS_KEY, SHOT_KEY, START_KEY, shot_of
from .swing import Given, Rods, moments, swing
from .tracks import fewest_keys

WEIGHT_KG_M3 = 500.0
"""Density of what hangs: hair, foam, cloth with air in it. It matters for the air's drag alone."""
THICK, THICK_M = 0.12, (0.004, 0.03)
"""Radius of a chain of which no file tells it: a share of its mean bone, within these [m]."""
LOOSE, STIFF = 0.2, 30.0
"""Stiffness of a joint over what its weight needs on Earth to stand: of one that rests hanging, and of one upright (an antenna
at 3 flopped, at 30 it stood through walks and lopes); in between, geometrically."""
ZETA = 0.12
"""Damping ratio of a chain's joints: hoses and antennas stood with 0.1, straps want more."""
VRM_PULL_M_S2, VRM_RATE = 60.0, 60.0
"""What a spring bone's stiffness of 1 accelerates its tail by where it is stepped 60 times a second (VRMC_springBone 1.0,
update)."""
MOST_SAG_RAD = 0.5
"""How far weightlessness takes a chain off its rest pose at most: as much in every joint curled tails up."""
_STILL = 1e-4
"""Keys that differ by less do not move a bone."""
AROUND = 2
"""A loop is swung this many times over before the round that is kept."""


@dataclass(frozen=True)
class Hung:
    """What was let swing: its chains' first bones, and of those left alone as keys of the artist's move them."""

    action: bpy.types.Action
    chains: tuple[str, ...]
    left: tuple[str, ...]


def hang_anew(armature: bpy.types.Object, scene: bpy.types.Scene, world: World | None = None) -> Hung:
    """Let swing what hangs on an armature as its action moves it, in that action where it is Lope's, else in a copy: the artist's
    own stays. The world is the bake's, where there is one, else `world`. Raises RigError for one without action or chains."""
    data = animation_of(armature)
    old = data.action
    if old is None:
        raise RigError(f"Armature {armature.name!r} has no action of its own in which its hanging parts could swing; bake a "
                       "take, or make the action of its strip active.")
    figure = shown_figure(armature, scene)
    chains, _ = hanging_of(armature, figure)
    if not chains:
        raise RigError(f"Nothing hangs on armature {armature.name!r}: it has no chain of two bones or more that no part of the "
                       "body uses and that moves skin outside of it. Give bones that should hang the custom property "
                       f"{HANGS_KEY}.")
    bones = [armature.pose.bones[bone.name] for one in chains for bone in one.bones]
    mine = artist_keys.may_update(armature, [bone.path_from_id(TURNS[bone.rotation_mode]) for bone in bones])
    writer = ActionWriter(old.name, armature, "update" if mine else "copy")
    moved = {name for name, moves in _of_artist(armature, old).items() if moves}
    if all(any(bone.name in moved for bone in one.bones) for one in chains):
        writer.drop()
        raise RigError(f"Keys of yours move all that hangs on armature {armature.name!r}, and they stay; delete those of the "
                       "bones that should swing by themselves.")
    writer.assign()
    hung = hang(armature, scene, writer.action, figure, BakeOptions(loop=SHOT_KEY in writer.action and writer.action.use_cyclic),
                left=moved, world=world)
    if not mine and old.library is None:
        artist_keys.keep(old, asked=False)
    return hung


def hang(armature: bpy.types.Object, scene: bpy.types.Scene, action: bpy.types.Action, figure: Figure, options: BakeOptions, *,
         left: Collection[str] | None = None, world: World | None = None) -> Hung:
    """Key the bones that hang on an armature over the frames of an action that it plays and that may be written to; chains with
    one of the bones `left` (by default those with keys of the artist's) stay as they are."""
    chains, body = hanging_of(armature, figure)
    left = _of_artist(armature, action) if left is None else left
    still = {bone.name for one in chains if any(bone.name in left for bone in one.bones) for bone in one.bones}
    taken = [one for one in chains if one.bones[0].name not in still and one.carrier not in still and (
        options.parts != "bones" or any(bone.name in options.bones for bone in one.bones))]
    hung = Hung(action, tuple(one.bones[0].name for one in taken),
                tuple(one.bones[0].name for one in chains if one.bones[0].name in still))
    if not taken:
        return hung
    first, last = (math.floor(action.frame_range[0]), math.ceil(action.frame_range[1]))
    frames = np.arange(first, last + 1, dtype=float)
    where = _world(action, world)
    poses = _Poses(armature, scene, frames, (taken, body), options.loop)
    poses.up = figure.axes[:, 2]
    gravity = _gravity(action, scene, frames, where, options.loop)
    air = air_of(where.name, where.gravity_m_s2)
    swung = _swung(poses, taken, body, gravity, 0.0 if air is None else air.density_kg_m3)
    _write(armature, action, frames, swung, options)
    return hung


def _world(action: bpy.types.Action, world: World | None) -> World:
    """The world that a take was simulated in, else one that is named, else the Earth."""
    if SHOT_KEY in action:
        return shot_of(action).world
    return world or World()


def _gravity(action: bpy.types.Action, scene: bpy.types.Scene, frames: np.ndarray, world: World, loop: bool) -> np.ndarray:
    """Gravity (T,) [m/s^2] at the frames; a loop's is one."""
    start = float(action.get(START_KEY, frames[0]))
    times = np.zeros(len(frames)) if loop else np.maximum(frames - start, 0.0) / frame_rate(scene)
    return np.array([gravity_at(world, float(time)) for time in times])


def _of_artist(armature: bpy.types.Object, action: bpy.types.Action) -> dict[str, bool]:
    """Bones with keys of the artist's, and whether those move them."""
    lopes, found = artist_keys.lopes_channels(action), {}
    for curve in curves_of(action, slot_in(armature, action)):
        if curve.data_path not in lopes and len(curve.keyframe_points):
            values = np.empty(2 * len(curve.keyframe_points), np.float32)
            curve.keyframe_points.foreach_get("co", values)
            name = artist_keys.control_of(curve.data_path)
            found[name] = found.get(name, False) or bool(np.ptp(values[1::2]) > _STILL)
    return found


class _Poses:
    """What moves as given, at every frame, in the world [m]: of bones that carry chains, ends and capsules places and turns; of a
    loop three rounds, end to end."""

    def __init__(self, armature: bpy.types.Object, scene: bpy.types.Scene, frames: np.ndarray,
                 of: tuple[list[Hanging], Capsules], loop: bool) -> None:
        chains, body = of
        swinging = {bone.name for one in chains for bone in one.bones}
        names = {one.carrier for one in chains} | {one.end_on for one in chains} | set(body.bones)
        names -= swinging | {None}
        beside = bpy.data.scenes.new("Lope hanging")
        try:
            beside.collection.objects.link(armature)
            beside.render.fps, beside.render.fps_base = scene.render.fps, scene.render.fps_base
            stands, poses = shown(beside, armature, names, [int(frame) for frame in frames])
        finally:
            bpy.data.scenes.remove(beside)
        self.up = np.array([0.0, 0.0, 1.0])
        self.rate, self.loop, self.count = frame_rate(scene), loop, len(frames)
        metres = metres_per_unit(scene)
        self.unit = metres * float(np.cbrt(abs(np.linalg.det(stands[0, :3, :3]))))
        self.rest = {bone.name: np.array(bone.matrix_local, dtype=float) for bone in armature.data.bones}
        self.found: dict[str, tuple[np.ndarray, np.ndarray]] = {}
        for name, pose in poses.items():
            both = stands @ pose
            linear = both[:, :3, :3] / np.linalg.norm(both[:, :3, :3], axis=1, keepdims=True)
            self.found[name] = metres * both[:, :3, 3], linear
        if loop:
            self._repeat()

    def _repeat(self) -> None:
        whole = self.count - 1
        rows = np.concatenate([np.tile(np.arange(whole), AROUND), np.arange(whole + 1)])
        rounds = np.concatenate([np.repeat(np.arange(AROUND), whole), np.full(whole + 1, AROUND)])
        drift = np.mean([place[-1] - place[0] for place, _ in self.found.values()], axis=0)
        self.found = {name: (place[rows] + rounds[:, None] * drift, turn[rows]) for name, (place, turn) in self.found.items()}

    def points(self, name: str, points: np.ndarray) -> np.ndarray:
        """Where points (N, 3) at rest, armature space, that a bone carries go (T, N, 3) [m]."""
        place, turn = self.found[name]
        rest = self.rest[name]
        own = self.unit * (points - rest[:3, 3]) @ rest[:3, :3]
        return place[:, None] + own @ turn.transpose(0, 2, 1)


def _swung(poses: _Poses, chains: list[Hanging], body: Capsules, gravity: np.ndarray, air: float) -> dict[str, np.ndarray]:
    """Own rotation (T, 4) of every bone that hangs: of chains on the body, then of those that they carry."""
    if poses.loop:
        gravity = np.full(AROUND * (poses.count - 1) + poses.count, gravity[0])
    capsules = [poses.points(name, np.array([head, tail]))
                for name, head, tail in zip(body.bones, body.heads, body.tails, strict=True)]
    lines = np.stack(capsules, axis=1) if capsules else np.zeros((len(gravity), 0, 2, 3))
    waiting, turned = list(chains), {}
    while waiting:
        now = [one for one in waiting if one.carrier in poses.found]
        waiting = [one for one in waiting if one not in now]
        rods = [_rods(one, poses) for one in now]
        place = np.stack([poses.points(one.carrier, one.bones[0].head[None])[:, 0] for one in now], axis=1)
        turn = np.stack([poses.found[one.carrier][1] for one in now], axis=1)
        ends = np.stack([place[:, i] if one.end_on is None else poses.points(one.end_on, one.joints[-1:])[:, 0]
                         for i, one in enumerate(now)], axis=1)
        down = np.zeros((len(gravity), 3))
        down[:, 2] = -gravity
        found = swing(rods, Given(poses.rate, down, place, turn, ends, lines[:, :, 0], lines[:, :, 1],
                                  _clear(now, rods, body, poses.unit), air))
        for i, one in enumerate(now):
            turned |= _own_turns(one, found[:, i], rods[i], turn[:, i], place[:, i], poses)
    return turned


def _own_turns(chain: Hanging, turns: np.ndarray, rods: Rods, above: np.ndarray, place: np.ndarray,
               poses: _Poses) -> dict[str, np.ndarray]:
    """Rotations (T, 4) of a chain's bones in their own space, of their turns (T, n, 3, 3) in the world; where they stand is kept
    for what they carry."""
    found = {}
    for k, bone in enumerate(chain.bones):
        own = continuous_quaternions(quat_from_matrix((above @ rods.rest[k]).transpose(0, 2, 1) @ turns[:, k]))
        poses.found[bone.name] = place, turns[:, k]
        place = place + rods.lengths[k] * (turns[:, k] @ rods.ways[k])
        above = turns[:, k]
        if poses.loop:
            own = _joined(own, poses.count)
        found[bone.name] = own
    return found


def _joined(own: np.ndarray, count: int) -> np.ndarray:
    """The last round (count, 4) of a loop's rotations, faded over into the one before, so that its end is its start."""
    now, before = own[-count:], own[-2 * count + 1:1 - count]
    step = rotvec_from_quat(quat_multiply(quat_conjugate(now), before))
    return quat_multiply(now, quat_from_rotvec(step * cubic(np.linspace(0.0, 1.0, count))[:, None]))


def _rods(chain: Hanging, poses: _Poses) -> Rods:
    """A chain's rods, of bones' lengths and rest pose: as stiff as it rests upright, or as its file says."""
    joints, turns = poses.unit * chain.joints, np.array([poses.rest[bone.name][:3, :3] for bone in chain.bones])
    along = np.diff(joints, axis=0)
    lengths = np.maximum(np.linalg.norm(along, axis=1), 1e-5)
    world = along / lengths[:, None]
    before = np.concatenate([poses.rest[chain.carrier][None, :3, :3], turns[:-1]])
    told = [spring for spring in chain.springs if spring is not None]
    radius = float(np.clip(THICK * lengths.mean(), *THICK_M))
    if told and told[0][3] > 0.0:
        radius = poses.unit * float(told[0][3])
    mass = WEIGHT_KG_M3 * np.pi * radius**2 * lengths
    first, second = moments(lengths, np.tile([0.0, 0.0, -1.0], (len(lengths), 1)), mass)
    up = poses.up
    weight = _weight(joints, mass)  # of what hangs on each joint, times its way from there: (n, 3)
    upright = weight @ up / np.maximum(np.linalg.norm(weight, axis=1), 1e-12)
    standing = first * EARTH_GRAVITY_M_S2
    stiffness = standing * LOOSE ** (0.5 - 0.5 * upright) * STIFF ** (0.5 + 0.5 * upright)
    lifted = EARTH_GRAVITY_M_S2 * np.cross(weight, up)
    size = np.linalg.norm(lifted, axis=1)
    stiffness = np.maximum(stiffness, len(lengths) * size / MOST_SAG_RAD)
    damping = 2.0 * ZETA * np.sqrt(second * (stiffness + standing))
    for k, spring in enumerate(chain.springs):
        if spring is not None:
            stiffness[k] = first[k] * VRM_PULL_M_S2 * spring[0]
            damping[k] = second[k] * -math.log(1.0 - min(spring[1], 0.98)) * VRM_RATE
    lifted *= np.minimum(1.0, MOST_SAG_RAD * stiffness / np.maximum(len(lengths) * size, 1e-12))[:, None]
    return Rods(lengths, np.einsum("nji,nj->ni", turns, world), before.transpose(0, 2, 1) @ turns, mass, stiffness, damping,
                np.einsum("nji,nj->ni", before, lifted), radius, chain.end_on is not None)


def _weight(joints: np.ndarray, mass: np.ndarray) -> np.ndarray:
    """Sums (n, 3) [kg m] of weight times its way from each joint (n + 1, 3), of all that hangs on the joint."""
    middles = 0.5 * (joints[1:] + joints[:-1])
    return np.array([mass[i:] @ (middles[i:] - joints[i]) for i in range(len(mass))])


def _clear(chains: list[Hanging], rods: list[Rods], body: Capsules, unit: float) -> np.ndarray:
    """How far (C, 2 n, K) [m] middles and ends of the rods keep from the capsules' lines: both radii, or as at rest, if
    nearer."""
    most = max(len(one.lengths) for one in rods)
    out = np.zeros((len(chains), 2 * most, len(body.radii)))
    for i, (chain, rod) in enumerate(zip(chains, rods, strict=True)):
        joints, count = chain.joints, len(rod.lengths)
        for start, points in ((0, 0.5 * (joints[1:] + joints[:-1])), (most, joints[1:])):
            out[i, start:start + count] = unit * np.minimum(body.distances(points), body.radii + rod.radius / unit)
    return out


def _write(armature: bpy.types.Object, action: bpy.types.Action, frames: np.ndarray, turned: Mapping[str, np.ndarray],
           options: BakeOptions) -> None:
    """Keys of the bones that hang, in place of those that they had, noted as Lope's."""
    before, whole = artist_keys.lopes_channels(action), SHOT_KEY not in action or KEYS_KEY in action
    writer = ActionWriter(action.name, armature, into=action)
    writer.clear(lambda curve: artist_keys.control_of(curve.data_path) in turned)
    rows = np.unique(np.append(np.arange(0, len(frames), options.frame_step), len(frames) - 1))
    for name, own in turned.items():
        bone = armature.pose.bones[name]
        prop, values = channels(own, bone.rotation_mode)
        kept, slopes = np.zeros(values.shape, dtype=bool), None
        kept[rows] = True
        if options.reduce_error_m is not None:
            bound = options.reduce_error_m / max(bone.length, options.reduce_error_m)
            kept, slopes, _ = fewest_keys(frames, values, np.full(values.shape[1], bound), np.zeros(len(frames), dtype=bool))
        for index in range(values.shape[1]):
            own_rows = np.flatnonzero(kept[:, index])
            keys = Keys(frames[own_rows], values[own_rows, index], key_kinds(frames[own_rows], ()),
                        None if slopes is None else slopes[own_rows, index])
            writer.write(bone.path_from_id(prop), name, index, keys, cyclic="REPEAT" if options.loop else None)
    artist_keys.note_channels(action, writer.slot, writer.written, set(), before)
    if not whole:  # some of its keys are the artist's
        action.pop(KEYS_KEY)

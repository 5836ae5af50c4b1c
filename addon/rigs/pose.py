# SPDX-License-Identifier: GPL-3.0-or-later
"""From a take's motion to bone channels, in plain numpy: the whole motion at once, from rest matrices, without Blender.

A bone's rotation away from rest is `R_segment(t) A`, with A of `neutral_alignments` (see docs/architecture.md). The bone
chain then follows Blender's own rule: a bone stands where its parent's pose carries its rest place, turned by its channel.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..bodies.body import Body
from ..bodies.kinematics import (
    matrix_from_quat, quat_conjugate, quat_from_matrix, quat_multiply, quat_rotate, segment_poses)
from ..bodies.landmarks import neutral_alignments
from ..errors import RigError
from .figure import Figure, RestBone
from .rotation import lerp, slerp

_IDENTITY = np.array([1.0, 0.0, 0.0, 0.0])
_PARENTS = {
    "pelvis": (), "lower_spine": ("pelvis",), "chest": ("lower_spine", "pelvis"),
    "neck": ("chest", "lower_spine", "pelvis"), "head": ("neck", "chest", "lower_spine", "pelvis"),
    "clavicle": ("chest", "lower_spine", "pelvis"), "upper_arm": ("clavicle", "chest", "lower_spine", "pelvis"),
    "forearm": ("upper_arm",), "hand": ("forearm",), "thigh": ("pelvis",), "shank": ("thigh",), "foot": ("shank",),
    "toes": ("foot",),
}
"""For each segment the ones that may carry its joint, nearest first; the rest is welded away."""


@dataclass(frozen=True)
class BoneChannels:
    """What to write on one bone, in its own space: rotation (T, 4) w-x-y-z, location (T, 3); None where it stays at rest."""

    rotation: np.ndarray | None
    location: np.ndarray | None


@dataclass(frozen=True)
class Motion:
    """A body's motion at chosen times: pelvis place (T, 3) [m], pelvis orientation (T, 4), joint rotations (T, S-1, 4)."""

    root_position: np.ndarray
    root_quaternion: np.ndarray
    joint_quaternions: np.ndarray


def resampled(time_s: np.ndarray, motion: Motion, wanted_s: np.ndarray) -> Motion:
    """The motion at `wanted_s`: orientations by slerp, places by straight lines."""
    if len(time_s) < 2:
        raise RigError(f"This take holds {len(time_s)} samples; two are needed to bake a motion.")
    return Motion(lerp(time_s, motion.root_position, wanted_s), slerp(time_s, motion.root_quaternion, wanted_s),
                  slerp(time_s, motion.joint_quaternions, wanted_s))


def fitted_root(root_position: np.ndarray, body: Body, figure: Figure) -> np.ndarray:
    """Pelvis places (T, 3) [m] for a figure of another size: paths scale by leg length, standing height is the figure's own.

    For the figure the body was made from this changes nothing.
    """
    own = Body.from_landmarks(figure.landmarks, body.mass_kg)
    scale = own.leg_length_m / body.leg_length_m
    fitted = scale * np.asarray(root_position)
    fitted[..., 2] += own.pelvis_height_m - scale * body.pelvis_height_m
    return fitted


def solve(figure: Figure, body: Body, motion: Motion) -> dict[str, BoneChannels]:
    """Channels of every driven bone, and of the undriven bones above driven ones (which are held at rest).

    Segments the body lacks leave their bones at rest. Raises RigError where a driven bone hangs on a wrong bone and cannot
    be moved because it is connected.
    """
    places, turns = segment_poses(body, fitted_root(motion.root_position, body, figure), motion.root_quaternion,
                                  motion.joint_quaternions)
    away = _turns_from_rest(figure, body, turns)
    driven = {figure.bone_of[segment]: segment for segment in figure.bone_of if segment in away}
    carriers = _carriers(figure, driven)
    chain = _Chain(figure, len(places), _between_driven(figure, driven))
    for bone in figure.bones:
        segment = driven.get(bone.name)
        if segment is None:
            chain.follow(bone)
        else:
            chain.drive(bone, away[segment], _joint_place(figure, bone, segment, places, away, carriers, chain))
    return chain.channels


def _turns_from_rest(figure: Figure, body: Body, turns: np.ndarray) -> dict[str, np.ndarray]:
    """Rotation (T, 4) of each driven segment's bone away from its rest, in armature axes."""
    into = quat_from_matrix(figure.axes)
    alignments = neutral_alignments(figure.points)
    away = {}
    for segment in figure.bone_of:
        if segment in body.index:
            turn = quat_multiply(turns[:, body.index[segment]], quat_from_matrix(alignments[segment]))
            away[segment] = quat_multiply(quat_multiply(into, turn), quat_conjugate(into))
    return away


def _carriers(figure: Figure, driven: dict[str, str]) -> dict[str, str]:
    """For each driven segment but the pelvis, the bone that must carry its joint: of the nearest driven segment above."""
    bones = {segment: bone for bone, segment in driven.items()}
    carriers = {}
    for segment in bones:
        kind, side = (segment[:-2], segment[-2:]) if segment[-2:] in ("_L", "_R") else (segment, "")
        for name in _PARENTS[kind]:
            above = next((bones[n] for n in (name + side, name) if n in bones), None)
            if above is not None:
                carriers[segment] = above
                break
    return carriers


def _joint_place(figure: Figure, bone: RestBone, segment: str, places: np.ndarray, away: dict[str, np.ndarray],
                 carriers: dict[str, str], chain: _Chain) -> np.ndarray | None:
    """Where a driven bone's head must be (T, 3), armature space; None where its parents bring it there anyway."""
    if segment == "pelvis":
        rest = figure.in_body(bone.head) - figure.points["pelvis"]
        offset = figure.units_per_m * (figure.axes @ rest)
        return figure.in_armature(places[:, 0]) + quat_rotate(away["pelvis"], np.broadcast_to(offset, places[:, 0].shape))
    carrier = figure.bone[carriers[segment]]
    above = bone.parent
    while above is not None and above not in chain.driven:
        above = figure.bone[above].parent
    if above == carrier.name and not chain.broken(bone, above):
        return None
    turn = chain.turn[carrier.name]
    return chain.head[carrier.name] + quat_rotate(turn, np.broadcast_to(bone.head - carrier.head, (len(turn), 3)))


def _between_driven(figure: Figure, driven: dict[str, str]) -> set[str]:
    """Undriven bones above a driven one."""
    above: set[str] = set()
    for name in driven:
        parent = figure.bone[name].parent
        while parent is not None and parent not in above:
            above.add(parent)
            parent = figure.bone[parent].parent
    return above - set(driven)


class _Chain:
    """Walks the bones from parents to children, keeping each one's turn away from rest (T, 4) and head (T, 3)."""

    def __init__(self, figure: Figure, frames: int, held: set[str]) -> None:
        self._figure, self._frames, self._held = figure, frames, held
        self.turn: dict[str, np.ndarray] = {}
        self.head: dict[str, np.ndarray] = {}
        self.driven: set[str] = set()
        self.channels: dict[str, BoneChannels] = {}

    def broken(self, bone: RestBone, above: str) -> bool:
        """Whether a bone on the way up to `above` does not turn with its parent, so that rest offsets do not hold."""
        parent = bone.parent
        while parent != above:
            if not self._figure.bone[parent].inherits_rotation:
                return True
            parent = self._figure.bone[parent].parent
        return False

    def _base(self, bone: RestBone) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Turn, head and turn of the location axes that the parents give a bone."""
        still = np.broadcast_to(_IDENTITY, (self._frames, 4))
        if bone.parent is None:
            return still, np.broadcast_to(bone.head, (self._frames, 3)), still
        carried = self.turn[bone.parent]
        offset = np.broadcast_to(bone.head - self._figure.bone[bone.parent].head, (self._frames, 3))
        return carried if bone.inherits_rotation else still, self.head[bone.parent] + quat_rotate(carried, offset), carried

    def follow(self, bone: RestBone) -> None:
        """A bone that stays at rest relative to its parent."""
        self.turn[bone.name], self.head[bone.name], _ = self._base(bone)
        if bone.name in self._held:
            self.channels[bone.name] = BoneChannels(None, None)

    def drive(self, bone: RestBone, turn: np.ndarray, place: np.ndarray | None) -> None:
        """A bone turned away from rest by `turn` (T, 4), its head brought to `place` (T, 3) unless None."""
        base, head, axes_turn = self._base(bone)
        rest = quat_from_matrix(bone.rotation)
        rotation = quat_multiply(quat_conjugate(quat_multiply(base, rest)), quat_multiply(turn, rest))
        location = None
        if place is not None:
            if bone.connected:
                raise RigError(
                    f"Bone {bone.name!r} of {self._figure.name!r} has to be moved, but it is connected to its parent "
                    f"{bone.parent!r}; switch Connected off in its bone properties.")
            location = self._in_location_axes(bone, place - head, axes_turn)
            head = place
        self.turn[bone.name], self.head[bone.name] = turn, head
        self.driven.add(bone.name)
        self.channels[bone.name] = BoneChannels(rotation, location)

    def _in_location_axes(self, bone: RestBone, shift: np.ndarray, turn: np.ndarray) -> np.ndarray:
        """A shift (T, 3) in armature space as the bone's location channel has it."""
        axes = np.eye(3)
        if bone.local_location:
            axes = bone.rotation
        elif bone.parent is not None:
            axes = self._figure.bone[bone.parent].rotation
        return np.einsum("tji,tj->ti", matrix_from_quat(turn) @ axes, shift)

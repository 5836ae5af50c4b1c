# SPDX-License-Identifier: GPL-3.0-or-later
"""From a figure's own motion to bone channels, in plain numpy, and back. A bone's rotation away from rest is `R_segment(t) A`,
with A of `Figure.alignments` (see docs/architecture.md); a bone stands where its parent's pose carries its rest place, turned by
its channel, as in Blender."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...errors import RigError
from ...maths.rotations import matrix_from_quat, quat_conjugate, quat_from_matrix, quat_multiply, quat_rotate
from ..read.figure import Figure, RestBone, bones_above, carrier_of
from .controls import ROOT, Chain
from .hands import Twist
from .own_motion import OwnMotion, Travel, upright_turns

_IDENTITY = np.array([1.0, 0.0, 0.0, 0.0])


@dataclass(frozen=True)
class BoneChannels:
    """What to write on one bone, in its own space: rotation (T, 4) w-x-y-z, location (T, 3); None where it stays at rest."""

    rotation: np.ndarray | None
    location: np.ndarray | None


def solve(figure: Figure, chain: Chain, motion: OwnMotion, travel: Travel | None = None) -> dict[str, BoneChannels]:
    """Channels of every driven bone of the chain, and of undriven ones above them (held at rest); `travel` moves the root bone.
    Raises RigError where a driven bone hangs on a wrong bone and is connected."""
    away = turns_from_rest(figure, motion)
    frames = len(motion.places)
    walker = _Walker(figure.name, chain, frames, _between_driven(chain))
    joints = _Joints(figure, chain, motion, away)
    for bone in chain.bones:
        segment = chain.segment_of.get(bone.name)
        if segment == ROOT:
            walker.drive(bone, *root_pose(figure, bone, travel))
        elif segment is not None:
            walker.drive(bone, away[segment], joints.place(bone, segment, walker))
        elif bone.name in chain.twists:
            walker.drive(bone, _twisted(figure, motion, away, chain.twists[bone.name]), None)
        elif bone.name not in chain.poles.values():
            walker.follow(bone)
    for side, name in chain.poles.items():
        walker.drive(chain.bone[name], None, joints.pole(chain.bone[name], side))
    return walker.channels


def joined(parts: Sequence[dict[str, BoneChannels]]) -> dict[str, BoneChannels]:
    """The channels of stretches of a motion, solved one by one, as those of the whole. Empties the stretches."""
    if len(parts) == 1:
        return parts[0]
    out = {}
    for name in list(parts[0]):
        found = [part.pop(name) for part in parts]
        rotation, location = ([getattr(one, what) for one in found] for what in ("rotation", "location"))
        out[name] = BoneChannels(*(None if some[0] is None else np.concatenate(some) for some in (rotation, location)))
    return out


def root_pose(figure: Figure, bone: RestBone, travel: Travel) -> tuple[np.ndarray, np.ndarray]:
    """Turn (T, 4) away from rest and head (T, 3), armature space, of a root bone that carries the travel."""
    into = quat_from_matrix(figure.axes)
    turn = quat_multiply(quat_multiply(into, travel.turn), quat_conjugate(into))
    rest = figure.axes.T @ (bone.head - figure.ground) / figure.units_per_m
    return turn, figure.in_armature(travel.apply(np.broadcast_to(rest, (len(turn), 3))))


def turns_from_rest(figure: Figure, motion: OwnMotion) -> dict[str, np.ndarray]:
    """Rotation (T, 4) of each moved segment's bone away from its rest, in armature axes."""
    into = quat_from_matrix(figure.axes)
    alignments = figure.alignments
    segments = [segment for segment in figure.bone_of if segment in motion.moved]
    rest = quat_from_matrix(np.stack([alignments[segment] for segment in segments]))
    turns = quat_multiply(motion.turns[:, [motion.body.index[segment] for segment in segments]], rest[None])
    away = quat_multiply(quat_multiply(into, turns), quat_conjugate(into))
    return {segment: np.ascontiguousarray(away[:, i]) for i, segment in enumerate(segments)}


def _twisted(figure: Figure, motion: OwnMotion, away: dict[str, np.ndarray], twist: Twist) -> np.ndarray:
    """Rotation (T, 4) away from rest of a twist bone: the forearm's, turned on about its length to the bone's own share."""
    name = f"forearm_{twist.side}"
    alignment = quat_from_matrix(figure.axes @ figure.alignments[name] @ figure.axes.T)
    on = (twist.share - motion.forearm_share[twist.side]) * motion.pronation[twist.side]
    into = quat_from_matrix(figure.axes)
    about = quat_multiply(quat_multiply(into, upright_turns(on)), quat_conjugate(into))
    return quat_multiply(quat_multiply(away[name], quat_conjugate(alignment)), quat_multiply(about, alignment))


class _Joints:
    """Where bones that do not simply hang on their carrier have to be."""

    def __init__(self, figure: Figure, chain: Chain, motion: OwnMotion, away: dict[str, np.ndarray]) -> None:
        self._figure, self._chain, self._motion, self._away = figure, chain, motion, away
        self._bones = {segment: bone for bone, segment in chain.segment_of.items()}

    def _rest(self, segment: str) -> np.ndarray:
        """The segment's joint at rest (3,), armature space."""
        figure = self._figure
        return figure.origin + figure.units_per_m * (figure.axes @ figure.joint(segment))

    def _carried(self, segment: str, rest: np.ndarray) -> np.ndarray:
        """Where a point (3,) that is fixed to a segment goes (T, 3), armature space."""
        away = self._away[segment]
        joint = self._figure.in_armature(self._motion.places[:, self._motion.body.index[segment]])
        return joint + quat_rotate(away, np.broadcast_to(rest - self._rest(segment), joint.shape))

    def place(self, bone: RestBone, segment: str, walker: _Walker) -> np.ndarray | None:
        """Where a driven bone's head must be (T, 3), armature space; None where its parents bring it there anyway."""
        driven = walker.driven - set(self._chain.twists)
        above = next((one for one in bones_above(self._chain.bone, bone.name) if one in driven), None)
        carrier = self._carrier(segment, above)
        if carrier is None:
            return self._carried(segment, bone.head)
        if above == carrier and not walker.broken(bone, above):
            return None
        turn = walker.turn[carrier]
        rest = np.broadcast_to(bone.head - self._chain.bone[carrier].head, (len(turn), 3))
        return walker.head[carrier] + quat_rotate(turn, rest)

    def _carrier(self, segment: str, above: str | None) -> str | None:
        """The bone that must carry a segment's joint: on a rig with controls the one above; else of the segment above."""
        if self._figure.controls is not None:
            return None if above is None or self._chain.segment_of.get(above) == ROOT else above
        return carrier_of(segment, self._bones, self._figure.hung_on)

    def pole(self, bone: RestBone, side: str) -> np.ndarray:
        """Where a leg's pole target must be (T, 3): on the side of the knee on which it rests, in the leg's plane."""
        knee_rest = self._rest(f"shank_{side}")
        hip, knee, ankle = (self._figure.in_armature(self._motion.places[:, self._motion.body.index[f"{s}_{side}"]])
                            for s in ("thigh", "shank", "foot"))
        ahead = quat_rotate(self._away[f"thigh_{side}"], np.broadcast_to(bone.head - knee_rest, knee.shape))
        line = (ankle - hip) / np.linalg.norm(ankle - hip, axis=1, keepdims=True)
        ahead = ahead - np.sum(ahead * line, axis=1, keepdims=True) * line
        ahead *= np.linalg.norm(bone.head - knee_rest) / np.linalg.norm(ahead, axis=1, keepdims=True)
        return knee + ahead


def _between_driven(chain: Chain) -> set[str]:
    """Undriven bones above a driven one."""
    above = {one for name in chain.segment_of for one in bones_above(chain.bone, name)}
    return above - set(chain.segment_of) - set(chain.twists)


def _base(bone: RestBone, above: tuple[RestBone, np.ndarray, np.ndarray] | None, frames: int
          ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Turn, head and turn of the location axes that a bone has from the one above, its turn (T, 4) and head (T, 3)."""
    still = np.broadcast_to(_IDENTITY, (frames, 4))
    head = bone.head
    if bone.stood is not None:
        still, head = np.broadcast_to(quat_from_matrix(bone.stood.T), (frames, 4)), bone.stood.T @ bone.head
    if above is None:
        return still, np.broadcast_to(head, (frames, 3)), still
    parent, carried, head = above
    offset = np.broadcast_to(bone.head - parent.head, (frames, 3))
    return carried if bone.inherits_rotation else still, head + quat_rotate(carried, offset), carried


class _Walker:
    """Walks the bones from parents to children, keeping each one's turn away from rest (T, 4) and head (T, 3)."""

    def __init__(self, rig: str, chain: Chain, frames: int, held: set[str]) -> None:
        self._rig, self._bone, self._frames, self._held = rig, chain.bone, frames, held
        self._rest = chain.rest_turn
        self.turn: dict[str, np.ndarray] = {}
        self.head: dict[str, np.ndarray] = {}
        self.driven: set[str] = set()
        self.channels: dict[str, BoneChannels] = {}

    def broken(self, bone: RestBone, above: str) -> bool:
        """Whether a bone on the way up to `above` does not turn with its parent, so that rest offsets do not hold."""
        between = itertools.takewhile(lambda one: one != above, bones_above(self._bone, bone.name))
        return not all(self._bone[one].inherits_rotation for one in between)

    def _base(self, bone: RestBone) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        above = None if bone.parent is None else (self._bone[bone.parent], self.turn[bone.parent], self.head[bone.parent])
        return _base(bone, above, self._frames)

    def follow(self, bone: RestBone) -> None:
        """A bone that stays at rest relative to its parent."""
        self.turn[bone.name], self.head[bone.name], _ = self._base(bone)
        if bone.name in self._held:
            self.channels[bone.name] = BoneChannels(None, None)

    def drive(self, bone: RestBone, turn: np.ndarray | None, place: np.ndarray | None) -> None:
        """A bone turned away from rest by `turn` (T, 4), its head brought to `place` (T, 3) unless None."""
        base, head, axes_turn = self._base(bone)
        rotation = location = None
        if turn is not None:
            rest = self._rest[bone.name]
            rotation = quat_multiply(quat_conjugate(quat_multiply(base, rest)), quat_multiply(turn, rest))
        if place is not None:
            if bone.connected:
                raise RigError(f"Bone {bone.name!r} of {self._rig!r} has to be moved, but it is connected to its parent "
                               f"{bone.parent!r}; switch Connected off in its bone properties.")
            axes = bone.rotation if bone.location_axes is None else bone.location_axes
            location = np.einsum("tji,tj->ti", matrix_from_quat(axes_turn) @ axes, place - head)
            head = place
        self.turn[bone.name], self.head[bone.name] = base if turn is None else turn, head
        self.driven.add(bone.name)
        self.channels[bone.name] = BoneChannels(rotation, location)


def replay(chain: Chain, channels: Mapping[str, BoneChannels], frames: int) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Turn away from rest (T, 4) and head (T, 3), armature space, of every bone of a chain."""
    bones, found = chain.bone, {}
    for bone in chain.bones:
        base, head, axes_turn = _base(bone, None if bone.parent is None else (bones[bone.parent], *found[bone.parent]), frames)
        own = channels.get(bone.name)
        turn = base
        if own is not None and own.rotation is not None:
            rest = chain.rest_turn[bone.name]
            turn = quat_multiply(quat_multiply(base, quat_multiply(rest, own.rotation)), quat_conjugate(rest))
        if own is not None and own.location is not None:
            axes = bone.rotation if bone.location_axes is None else bone.location_axes
            head = head + np.einsum("tij,tj->ti", matrix_from_quat(axes_turn) @ axes, own.location)
        found[bone.name] = turn, head
    return found


def end_points(chain: Chain, poses: Mapping[str, tuple[np.ndarray, np.ndarray]]) -> np.ndarray:
    """Heads and tails (T, N, 3), armature space, of the bones at the ends of the limbs and of the head."""
    points, bones = [], chain.bone
    for name, segment in chain.segment_of.items():
        if segment in chain.ends:
            bone, (turn, head) = bones[name], poses[name]
            points += [head, head + quat_rotate(turn, np.broadcast_to(bone.tail - bone.head, head.shape))]
    return np.stack(points, axis=1)

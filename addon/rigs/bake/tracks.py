# SPDX-License-Identifier: GPL-3.0-or-later
"""What a bake writes, as plain arrays: one track a property, dense, or thinned within an error bound at the limbs' ends."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass

import numpy as np

from ..read.figure import Figure
from .blocks import in_blocks
from .controls import Chain
from .hands import relaxed_fingers
from .pose import BoneChannels
from .reduce import fewest_keys, slopes
from .replay import end_points, replay
from .rotation import channels, quaternions

REST = {
    "rotation_quaternion": (1.0, 0.0, 0.0, 0.0),
    "rotation_axis_angle": (0.0, 0.0, 1.0, 0.0),
    "rotation_euler": (0.0, 0.0, 0.0),
    "location": (0.0, 0.0, 0.0),
    "scale": (1.0, 1.0, 1.0),
}
"""Value of each transform property of a bone at rest."""

_FIRST_SHARE, _AIM, _NEAR, _LARGEST_STEP, _ROUNDS = 0.32, 0.92, 0.7, 1.5, 6
"""Share of the error bound that one channel may use up at first (0.9 was 2.3 to 2.5 times too much on every rig and take
tried: with a third the first round is mostly the last); the share of the bound that the next round aims at; the
share from which a round is good enough; how much a round may loosen; how many rounds."""

_POLE_SHARE = 8.0
"""A pole target may be off this much more: it turns the knee about the line from hip to ankle, and lies far from it."""

_LEAST_LEVER = 0.05
"""Least lever of a rotation, as a share of the figure's height: the last bones of a limb have nothing beyond them."""


@dataclass(frozen=True)
class Track:
    """A property of a bone over time: `values` (T, C), or (1, C) where it does not move. `prop` is one of `REST`."""

    bone: str
    prop: str
    values: np.ndarray

    @property
    def moves(self) -> bool:
        """Whether it has a value for every frame."""
        return len(self.values) > 1


def bone_tracks(chain: Chain, solved: Mapping[str, BoneChannels]) -> list[Track]:
    """Tracks of every solved bone in its own rotation mode; what stays at rest has one value, so that no earlier pose
    shines through."""
    bones, tracks = chain.bone, []
    still = np.array([[1.0, 0.0, 0.0, 0.0]])
    for name, found in solved.items():
        bone = bones[name]
        prop, values = channels(still if found.rotation is None else found.rotation, bone.mode)
        tracks.append(Track(name, prop, np.array([REST[prop]]) if found.rotation is None else values))
        if found.location is not None:
            tracks.append(Track(name, "location", found.location))
        elif not bone.connected:
            tracks.append(Track(name, "location", np.zeros((1, 3))))
        tracks.append(Track(name, "scale", np.ones((1, 3))))
    return tracks


def finger_tracks(figure: Figure, chosen: Container[str], free: Container[str]) -> list[Track]:
    """Tracks of relaxed fingers, one value each, of hands that are `chosen`; of bones that may be posed (`free`)."""
    tracks = []
    for hand, fingers in relaxed_fingers(figure, free).items():
        for name, turn in fingers.items() if hand in chosen else ():
            prop, values = channels(turn[None], figure.bone[name].mode)
            tracks.append(Track(name, prop, values))
    return tracks


def decimated(figure: Figure, chain: Chain, tracks: list[Track], frames: np.ndarray, forced: np.ndarray,
            error_m: float) -> tuple[list[tuple[np.ndarray, np.ndarray]], float]:
    """For each moving track, in order, which samples (T, C) become keys and their slopes (T, C); and the error [m] that this
    makes at the end effectors.

    The error is measured: the thinned curves are played back through the chain. `forced` (T,) marks frames kept in all.
    """
    moving = [track for track in tracks if track.moves]
    values = np.concatenate([track.values for track in moving], axis=1)
    bound = error_m * figure.units_per_m
    unit = np.concatenate([np.full(t.values.shape[1], _tolerance(figure, chain, t)) for t in moving]) * bound
    wanted = _ends(chain, moving, values)
    share, best, off = _FIRST_SHARE, None, 0.0
    for _ in range(_ROUNDS):
        keys, slope, drawn = fewest_keys(frames, values, share * unit, forced)
        worst = float(np.linalg.norm(_ends(chain, moving, drawn) - wanted, axis=-1).max())
        if worst <= bound:
            best, off = (keys, slope), worst
            if worst > _NEAR * bound:
                break
        elif off > 0.0:
            break
        share *= min(_AIM * bound / max(worst, 1e-12), _LARGEST_STEP)
    if best is None:
        best = np.ones(values.shape, dtype=bool), slopes(frames, values)
    cuts = np.cumsum([track.values.shape[1] for track in moving])[:-1]
    return list(zip(*(np.split(part, cuts, axis=1) for part in best), strict=True)), off / figure.units_per_m


def _ends(chain: Chain, moving: list[Track], values: np.ndarray) -> np.ndarray:
    """Where tracks whose values (T, C in all) were changed bring the end effectors (T, N, 3), armature space."""
    def ends(rows: slice) -> np.ndarray:
        part = values[rows]
        return end_points(chain, replay(chain, _back(chain, moving, part), len(part)))

    return in_blocks(ends, len(values))


def _back(chain: Chain, moving: list[Track], values: np.ndarray) -> dict[str, BoneChannels]:
    """Bone channels of tracks whose values (T, C in all) were changed."""
    bones, at = chain.bone, 0
    rotation: dict[str, np.ndarray] = {}
    location: dict[str, np.ndarray] = {}
    for track in moving:
        part = values[:, at:at + track.values.shape[1]]
        at += track.values.shape[1]
        if track.prop == "location":
            location[track.bone] = part
        else:
            rotation[track.bone] = quaternions(part, bones[track.bone].mode)
    return {name: BoneChannels(rotation.get(name), location.get(name)) for name in rotation.keys() | location.keys()}


def _tolerance(figure: Figure, chain: Chain, track: Track) -> float:
    """How much one value of a track may change, in armature units or radians, for one unit at the end effectors."""
    if track.prop == "location":
        return _POLE_SHARE if track.bone in chain.poles.values() else 1.0
    bones = chain.bone
    head = bones[track.bone].head
    below = [bones[name] for name in _below(chain, track.bone)]
    reach = [np.linalg.norm(end - head) for bone in below for end in (bone.head, bone.tail)]
    lever = max([*reach, _LEAST_LEVER * figure.height_m * figure.units_per_m])
    return (0.5 if track.prop == "rotation_quaternion" else 1.0) / lever  # a quaternion holds the half angle


def _below(chain: Chain, name: str) -> set[str]:
    """A bone and every keyed bone that it carries."""
    found = {name}
    for bone in chain.bones:
        if bone.parent in found:
            found.add(bone.name)
    return found & (set(chain.segment_of) | {name})

# SPDX-License-Identifier: GPL-3.0-or-later
"""What a bake writes, as plain arrays: one track a property, dense, or thinned within an error bound at the limbs' ends. All
curves are split at once, level by level: between two keys the curve is a cubic Hermite polynomial, as Blender draws it between
keys whose handles lie at a third of the gap; where a stretch is off by more than its tolerance its worst sample becomes a key.
Slopes at the keys fit the samples between them best (least squares: one system with three diagonals for all curves together)."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass

import numpy as np
from scipy.linalg import solve_banded

from ...maths.curves import cubic
from ...rows import Rows, blocks, in_blocks
from ..read.figure import Figure
from .controls import Chain
from .hands import relaxed_fingers
from .own_motion import REST, channels, quaternions
from .pose import BoneChannels, end_points, replay

_HOLD = 0.002
"""Weight with which a slope is held to the samples' own, over the gap squared. One sample midway in a gap weighs 0.016."""

_SAMPLES = 500_000
"""Samples that are worked on at once: curves of a very long take go group by group."""


def slopes(frames: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Slopes (T, C) of curves (T, C) at their samples by central differences over `frames` (T,)."""
    return np.gradient(values, frames, axis=0, edge_order=2 if len(frames) > 2 else 1)


def fewest_keys(frames: np.ndarray, values: np.ndarray, tolerance: np.ndarray,
                forced: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Which samples (T, C) of curves `values` (T, C) become keys, so that none is off by more than `tolerance` (C,); the curves'
    slopes there (T, C); and what is drawn through them (T, C). `forced` (T,) samples are keys in every curve that moves."""
    count, curves = values.shape
    group = max(1, _SAMPLES // count)
    if curves <= group:
        return _fewest(frames, values, tolerance, forced)
    keys, slope, drawn = Rows(), Rows(), Rows()
    for start in range(0, curves, group):
        some = slice(start, start + group)
        for kept, found in zip((keys, slope, drawn), _fewest(frames, values[:, some], tolerance[some], forced), strict=True):
            kept.extend(found.T)
    return keys.array().T, slope.array().T, drawn.array().T


def _fewest(frames: np.ndarray, values: np.ndarray, tolerance: np.ndarray,
            forced: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rows, own = np.ascontiguousarray(values.T), np.ascontiguousarray(slopes(frames, values).T)
    curves, count = rows.shape
    keys = np.repeat(forced[None, :], curves, axis=0)
    keys[:, [0, -1]] = True
    slope, drawn = np.zeros_like(rows), np.repeat(rows[:, :1], count, axis=1)
    still = np.ptp(rows, axis=1) <= 0.5 * tolerance
    open_ = np.flatnonzero(~still)
    while open_.size:
        part = keys[open_]
        slope[open_], drawn[open_] = _fitted(frames, rows[open_], own[open_], part)
        flat = (np.abs(drawn[open_] - rows[open_]) / tolerance[open_, None]).ravel()
        starts = np.flatnonzero(part)
        worst = np.maximum.reduceat(flat, starts)
        length = np.diff(np.append(starts, flat.size))
        hit = np.flatnonzero((flat == np.repeat(worst, length)) & (flat > 1.0))
        row, column = np.divmod(hit, count)
        keys[open_[row], column] = True
        open_ = open_[np.unique(row)]
    keys[still, 1:] = False
    return keys.T, slope.T, drawn.T


def _fitted(frames: np.ndarray, values: np.ndarray, own: np.ndarray, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Slopes at the keys and the curves drawn through them, with curves as rows (C, T); both ends of each row are keys."""
    count = len(frames)
    at = np.flatnonzero(keys)
    nodes = len(at)
    stretch = np.cumsum(keys.ravel()) - 1
    stretch[count - 1::count] -= 1  # a row's last sample ends its last stretch
    frame, flat = frames[at % count], values.ravel()
    gap = np.where(frame[1:] > frame[:-1], frame[1:] - frame[:-1], 1.0)  # from a row's end to the next one's start: unused
    s, h = (np.tile(frames, len(values)) - frame[:-1][stretch]) / gap[stretch], gap[stretch]
    a, rise = flat[at[:-1]], np.diff(flat[at])
    straight = a[stretch] + cubic(s) * rise[stretch]
    u, v = h * s * (1.0 - s) ** 2, h * s * s * (s - 1.0)
    short = flat - straight
    total = [np.bincount(stretch, weights, nodes) for weights in (u * u, u * v, v * v, u * short, v * short)]
    within = np.append(np.diff(at // count) == 0, False)
    hold = _HOLD * np.append(gap**2, 0.0) * within
    hold += np.roll(hold, 1)
    bands = np.zeros((3, nodes))
    bands[1] = total[0] + np.roll(total[2], 1) + hold
    bands[0, 1:] = bands[2, :-1] = total[1][:-1]
    wanted = total[3] + np.roll(total[4], 1) + hold * own.ravel()[at]
    found = solve_banded((1, 1), bands, wanted, check_finite=False)
    slope = np.zeros_like(flat)
    slope[at] = found
    return slope.reshape(values.shape), (straight + u * found[stretch] + v * found[stretch + 1]).reshape(values.shape)


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
        return len(self.values) > 1


def bone_tracks(chain: Chain, solved: Mapping[str, BoneChannels]) -> list[Track]:
    """Tracks of every solved bone in its rotation mode; what rests has one value, so that no earlier pose shines through."""
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
    makes at the end effectors, measured by playing them back. `forced` (T,) marks frames kept in all."""
    moving = [track for track in tracks if track.moves]
    values = np.concatenate([track.values for track in moving], axis=1)
    bound = error_m * figure.units_per_m
    unit = np.concatenate([np.full(t.values.shape[1], _tolerance(figure, chain, t)) for t in moving]) * bound
    wanted = _ends(chain, moving, values)
    share, best, off = _FIRST_SHARE, None, 0.0
    for _ in range(_ROUNDS):
        keys, slope, drawn = fewest_keys(frames, values, share * unit, forced)
        worst = _off(chain, moving, drawn, wanted)
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
        part = np.ascontiguousarray(values[rows])
        return end_points(chain, replay(chain, _back(chain, moving, part), len(part)))

    return in_blocks(ends, len(values), values)


def _off(chain: Chain, moving: list[Track], values: np.ndarray, wanted: np.ndarray) -> float:
    """How far at most end effectors are brought from where they are `wanted` (T, N, 3)."""
    found = _ends(chain, moving, values)
    return max(float(np.linalg.norm(found[rows] - wanted[rows], axis=-1).max()) for rows in blocks(len(found)))


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

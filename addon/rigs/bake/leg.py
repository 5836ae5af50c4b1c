# SPDX-License-Identifier: GPL-3.0-or-later
"""A leg between its hip and its foot: a person's two bones in closed form; a creature's chain of hinges about one axis folded so
that its ends are as far apart as is wanted. Seen along that axis the segments are complex numbers; of all folds that give the
length the one is taken that turns the joints least (Newton's steps along the length's gradient)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...maths.rotations import quat_from_rotvec, quat_multiply, quat_rotate, quats_between
from ...specs.creature import CREATURE
from .own_motion import OwnMotion

_ROUNDS, _LARGEST_RAD = 16, 0.4
"""Newton's steps, and how far one may turn a joint [rad]."""
_STIFF = 0.05
"""A leg whose length changes by less than this share of itself a radian counts as if it changed so much."""


def rows_of(motion: OwnMotion, side: str) -> tuple[int, ...]:
    return tuple(motion.body.index[name] for name in motion.body.foot(side).leg)


def longest(motion: OwnMotion, side: str) -> float:
    """The straight leg, from the hip to the foot's joint [m]."""
    return float(sum(np.linalg.norm(motion.body.segments[row].offset) for row in rows_of(motion, side)[1:]))


def fold_sense(motion: OwnMotion, side: str) -> np.ndarray:
    """How much (T,) a leg's joints turn for a change of its length, over that of a leg which is folded well."""
    rows = rows_of(motion, side)
    _, flat, _ = _seen(motion, rows)
    length = np.abs(flat.sum(axis=1))
    slope = np.linalg.norm(_slopes(flat), axis=1) / np.maximum(length, 1e-9)
    return longest(motion, side) / np.maximum(slope, _STIFF * longest(motion, side))


def folded(flat: np.ndarray, length: np.ndarray) -> np.ndarray:
    """Turns (T, K) [rad] of segments in their plane, complex (T, K), the first one's being 0, with which their sum is `length`
    (T,) long; they stop at what the leg can reach."""
    turned = np.zeros(flat.shape)
    for _ in range(_ROUNDS):
        now = flat * np.exp(1j * turned)
        slopes = _slopes(now)
        short = length**2 - np.abs(now.sum(axis=1)) ** 2
        steep = np.maximum((slopes**2).sum(axis=1), 1e-12)
        steps = np.clip(0.5 * slopes * (short / steep)[:, None], -_LARGEST_RAD, _LARGEST_RAD)
        turned[:, 1:] += np.cumsum(steps, axis=1)
    return turned


def move_chain(motion: OwnMotion, places: np.ndarray, turns: np.ndarray, side: str, shift: np.ndarray, yaw: np.ndarray,
               may_reach: np.ndarray) -> None:
    """Bring a foot to its shifted place and turn, the leg after it; writes into `places` and `turns`."""
    body, rows = motion.body, rows_of(motion, side)
    axis, flat, across = _seen(motion, rows)
    hip, foot = places[:, rows[0]], rows[-1]
    before = motion.places[:, foot] - motion.places[:, rows[0]]
    wanted = motion.places[:, foot] + shift - hip
    moved = np.abs(wanted - before).max(axis=1) > 1e-12
    length = np.minimum(np.linalg.norm(wanted, axis=1), may_reach)
    turned = np.where(moved[:, None], folded(flat, np.sqrt(np.maximum(length**2 - across**2, 0.0))), 0.0)
    # First the leg in its own plane, its line kept; then the line swings to where it is wanted.
    now = (flat * np.exp(1j * turned)).sum(axis=1)
    turned -= np.angle(now * np.conj(flat.sum(axis=1)))[:, None]
    line = sum(quat_rotate(quat_from_rotvec(turned[:, i, None] * axis), motion.places[:, below] - motion.places[:, above])
               for i, (above, below) in enumerate(zip(rows, rows[1:], strict=False)))
    swing = quats_between(_unit(line), _unit(wanted))
    swing[~moved] = [1.0, 0.0, 0.0, 0.0]
    for i, row in enumerate(rows[:-1]):
        own = quat_multiply(swing, quat_from_rotvec(np.where(moved, turned[:, i], 0.0)[:, None] * axis))
        turns[:, row] = quat_multiply(own, motion.turns[:, row])
    turns[:, foot] = quat_multiply(quat_from_rotvec(yaw[:, None] * np.array([0.0, 0.0, 1.0])), motion.turns[:, foot])
    for above, below in zip(rows, rows[1:], strict=False):
        offset = np.broadcast_to(body.segments[below].offset, hip.shape)
        places[:, below] = places[:, above] + quat_rotate(turns[:, above], offset)


def _seen(motion: OwnMotion, rows: Sequence[int]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The hinges' axis (T, 3); the segments above the foot along it, complex (T, K); the joint off the hip's plane (T,) [m]."""
    body, thigh = motion.body, rows[0]
    own = next((body.segments[row].axis for row in rows[1:] if body.segments[row].axis is not None), np.array([0.0, 1.0, 0.0]))
    ahead = np.cross(own, [0.0, 0.0, 1.0])
    ahead /= np.linalg.norm(ahead)
    axes = [quat_rotate(motion.turns[:, thigh], np.broadcast_to(v, (len(motion.turns), 3)))
            for v in (own, ahead, np.cross(own, ahead))]
    ways = np.stack([motion.places[:, b] - motion.places[:, a] for a, b in zip(rows, rows[1:], strict=False)], axis=1)
    u, v = (np.einsum("tkx,tx->tk", ways, a) for a in axes[1:])
    return axes[0], u + 1j * v, np.einsum("tkx,tx->t", ways, axes[0])


def _slopes(flat: np.ndarray) -> np.ndarray:
    """Half the change (T, K - 1) of the square of the whole's length by a turn of each joint but the hip."""
    below = np.cumsum(flat[:, ::-1], axis=1)[:, ::-1][:, 1:]
    return np.real(np.conj(flat.sum(axis=1))[:, None] * 1j * below)


def _unit(vectors: np.ndarray) -> np.ndarray:
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


REACH = 0.9999
"""Largest share of the straight leg that is used."""

NEARLY_STRAIGHT = 0.995
"""Share of the straight leg from which on a moved foot stretches it no further: a millimetre would bend a knee by two degrees."""

STRAIGHT_RAD = np.radians(4.0)
"""A knee that is bent by less counts as if it were bent so far."""


def leg_of(motion: OwnMotion, side: str) -> tuple[int, float, float]:
    """Row of the thigh, lengths [m] of thigh and shank."""
    body = motion.body
    thigh, shank, foot = (body.index[f"{name}_{side}"] for name in ("thigh", "shank", "foot"))
    return thigh, -body.segments[shank].offset[2], -body.segments[foot].offset[2]


def flexion(length: np.ndarray, upper: float, lower: float) -> np.ndarray:
    """Knee flexion [rad] of a leg whose ends are `length` [m] apart (law of cosines)."""
    return np.arccos(np.clip((length**2 - upper**2 - lower**2) / (2.0 * upper * lower), -1.0, 1.0))


def thigh_to_line(bend: np.ndarray, upper: float, lower: float) -> np.ndarray:
    """Angle [rad] between the thigh and the line from hip to ankle of a leg bent by `bend`."""
    return np.arctan2(lower * np.sin(bend), upper + lower * np.cos(bend))


def knee_sense(motion: OwnMotion, side: str) -> np.ndarray:
    """How much (T,) a knee bends for a change of its leg's length: the inverse of the sine of its flexion."""
    thigh, upper, lower = leg_of(motion, side)
    line = motion.places[:, motion.body.index[f"foot_{side}"]] - motion.places[:, thigh]
    return 1.0 / np.sin(np.maximum(flexion(np.linalg.norm(line, axis=1), upper, lower), STRAIGHT_RAD))


def joint_sense(motion: OwnMotion, side: str) -> np.ndarray:
    """How much (T,) the joints of a leg turn for a change of its length."""
    return fold_sense(motion, side) if motion.body.kind == CREATURE else knee_sense(motion, side)


def reach_of(motion: OwnMotion, side: str) -> tuple[int, int, float]:
    """Rows of the segments at a leg's hip and of its foot, and how long it is when straight [m]."""
    if motion.body.kind == CREATURE:
        rows = rows_of(motion, side)
        return rows[0], rows[-1], longest(motion, side)
    thigh, upper, lower = leg_of(motion, side)
    return thigh, motion.body.index[f"foot_{side}"], upper + lower


def may_reach(before: np.ndarray, longest: float) -> np.ndarray:
    """How far (T,) [m] a foot's joint may be from its hip, that was `before` (T,) so far; `longest` is the straight leg."""
    return np.maximum(before, NEARLY_STRAIGHT * longest)


def move_leg(motion: OwnMotion, places: np.ndarray, turns: np.ndarray, side: str, shift: np.ndarray, yaw: np.ndarray) -> None:
    """Bring a foot to its shifted place and turn, the leg after it; writes into `places` and `turns`."""
    if motion.body.kind == CREATURE:
        hip, foot, straight = reach_of(motion, side)
        before = np.linalg.norm(motion.places[:, foot] - motion.places[:, hip], axis=1)
        move_chain(motion, places, turns, side, shift, yaw, may_reach(before, straight))
        return
    body = motion.body
    thigh, upper, lower = leg_of(motion, side)
    shank, foot = body.index[f"shank_{side}"], body.index[f"foot_{side}"]
    hip, before = places[:, thigh], motion.places[:, foot] - motion.places[:, thigh]
    wanted = motion.places[:, foot] + shift - hip
    distance, distance_before = np.linalg.norm(wanted, axis=1), np.linalg.norm(before, axis=1)
    length = np.clip(distance, abs(upper - lower) + 1e-4, may_reach(distance_before, upper + lower))
    bend, bend_before = flexion(length, upper, lower), flexion(distance_before, upper, lower)
    # First the leg in its own plane: change the angle between thigh and line; then swing the line to where it is wanted.
    change = thigh_to_line(bend, upper, lower) - thigh_to_line(bend_before, upper, lower)
    axis = quat_rotate(motion.turns[:, thigh], np.broadcast_to([0.0, 1.0, 0.0], hip.shape))
    swing = quat_multiply(quats_between(before / distance_before[:, None], wanted / distance[:, None]),
                          quat_from_rotvec(-change[:, None] * axis))
    still = np.abs(wanted - before).max(axis=1) < 1e-12
    swing[still], bend[still] = [1.0, 0.0, 0.0, 0.0], bend_before[still]
    turns[:, thigh] = quat_multiply(swing, motion.turns[:, thigh])
    flex = quat_from_rotvec((bend - bend_before)[:, None] * np.array([0.0, 1.0, 0.0]))
    turns[:, shank] = quat_multiply(quat_multiply(swing, motion.turns[:, shank]), flex)
    about = quat_from_rotvec(yaw[:, None] * np.array([0.0, 0.0, 1.0]))
    toes = body.index.get(f"toes_{side}")
    for segment in (foot, toes) if toes is not None else (foot,):
        turns[:, segment] = quat_multiply(about, motion.turns[:, segment])
    for segment, above in ((shank, thigh), (foot, shank), (toes, foot)):
        if segment is None:
            continue
        offset = np.broadcast_to(body.segments[segment].offset, hip.shape)
        places[:, segment] = places[:, above] + quat_rotate(turns[:, above], offset)

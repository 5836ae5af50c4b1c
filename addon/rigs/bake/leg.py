# SPDX-License-Identifier: GPL-3.0-or-later
"""A leg between its hip and its foot: a person's two bones in closed form, a creature's chain (`leg_chain.py`) by its folds."""

from __future__ import annotations

import numpy as np

from ...maths.least_turn import quats_between
from ...maths.quaternions import quat_from_rotvec, quat_multiply, quat_rotate
from ...specs.creature import CREATURE
from .leg_chain import fold_sense, longest, move_chain, rows_of
from .own_motion import OwnMotion

REACH = 0.9999
"""Largest share of the straight leg that is used."""

NEARLY_STRAIGHT = 0.995
"""Share of the straight leg from which on a foot that is moved may not stretch it further: its knee is bent by 11 degrees, and
a millimetre takes two of them."""

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
    """How far (T,) [m] a foot's joint may be from its hip that was as far `before` (T,), on a leg that is `longest` when
    straight."""
    return np.maximum(before, NEARLY_STRAIGHT * longest)


def move_leg(motion: OwnMotion, places: np.ndarray, turns: np.ndarray, side: str, shift: np.ndarray,
             yaw: np.ndarray) -> None:
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

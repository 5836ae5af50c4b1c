# SPDX-License-Identifier: GPL-3.0-or-later
"""Hands of a rig that has fingers: which way the palm faces at rest, and fingers that hang relaxed. Plain numpy.

A take knows hands without fingers: in the neutral pose their palms face the thighs. Where a rig rests with its arms half raised,
the palms may face elsewhere; the row of its knuckles tells. The fingers themselves, which no take moves, are bent a little at
every joint, as those of a hand that holds nothing are, and come nearer to one another.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

import numpy as np

from ...bodies.human.landmarks import SIDES, neutral_alignments
from ...maths.axis_turns import about_z
from ...maths.quaternions import quat_from_rotvec, quat_multiply
from ..read.figure import Figure, RestBone
from ..read.fingers import finger_lines

BENDS = np.radians([16.0, 26.0, 16.0])
"""Bend of a relaxed hand's knuckles, middle and end joints [rad]: first guess, within what hands at rest have (10 to 45 degrees;
they close from the index to the little finger)."""
MORE = np.radians(4.0)
"""How much further each next finger is bent [rad]."""
SPREAD_LEFT = 0.4
"""Share of the fingers' spread at rest that is left."""
LARGEST_TURN = np.radians(60.0)
"""A palm that seems to be turned by more than this is not understood, and left as it is."""


@dataclass(frozen=True)
class _Hand:
    """One hand: its fingers from the index on, each its bones from the knuckle on; `hang` (3, 3) takes armature directions to the
    neutral pose; `palm` (3,) is where the palm faces there; `turn` [rad] about the hand's length brings it so."""

    fingers: list[list[RestBone]]
    hang: np.ndarray
    palm: np.ndarray
    turn: float


def palm_turns(figure: Figure) -> dict[str, float]:
    """Side -> turn [rad] of the hanging hand about its length that brings its knuckles fore and aft, the palm to the thigh."""
    hands = {side: _hand(figure, side) for side in SIDES}
    return {side: hand.turn for side, hand in hands.items() if hand is not None}


def relaxed_fingers(figure: Figure, free: Container[str]) -> dict[str, dict[str, np.ndarray]]:
    """Hand's bone -> finger bone -> rotation (4,) in its own space, for fingers of which every bone is `free`."""
    found: dict[str, dict[str, np.ndarray]] = {}
    for side in SIDES:
        hand = _hand(figure, side)
        if hand is None or not all(bone.name in free for finger in hand.fingers for bone in finger):
            continue
        middle = np.mean([_aside(_way(hand, finger, 0)) for finger in hand.fingers])
        turns = found.setdefault(figure.bone_of[f"hand_{side}"], {})
        for number, finger in enumerate(hand.fingers):
            before = 0.0
            for joint, bone in enumerate(finger[:len(BENDS)]):
                way = _way(hand, finger, joint)
                bend = float(np.arctan2(way @ hand.palm, -way[2]))
                more = max(BENDS[joint] + number * MORE - (bend - before), 0.0)
                before = bend
                turn = quat_from_rotvec(more * np.cross([0.0, 0.0, -1.0], hand.palm))
                if joint == 0:
                    closer = (SPREAD_LEFT - 1.0) * (_aside(way) - middle)
                    turn = quat_multiply(turn, quat_from_rotvec(np.array([0.0, -closer, 0.0])))
                turns[bone.name] = _in_bone(turn, hand.hang @ bone.rotation)
    return found


def _hand(figure: Figure, side: str) -> _Hand | None:
    """A hand with fingers; None for one without."""
    name = figure.bone_of.get(f"hand_{side}")
    if name is None:
        return None
    hand = figure.bone[name]
    hang = neutral_alignments(figure.points)[f"hand_{side}"] @ figure.axes.T
    fingers, _ = finger_lines(figure.bones, hand, -hang[2])
    if not fingers:
        return None
    knuckles = np.array([hang @ (finger[0].head - hand.head) for finger in fingers])[:, :2]
    row = np.linalg.svd(knuckles - knuckles.mean(axis=0))[2][0]
    row = row if row[0] > 0.0 else -row
    turn = -float(np.arctan2(row[1], row[0]))
    if abs(turn) > LARGEST_TURN:
        return None
    fingers = [fingers[i] for i in np.argsort(-(knuckles @ row))]
    palm = np.array([0.0, -1.0 if side == "L" else 1.0, 0.0])
    return _Hand(fingers, about_z(turn) @ hang, palm, turn)


def _way(hand: _Hand, finger: list[RestBone], joint: int) -> np.ndarray:
    """Unit direction (3,) of a finger's bone in the neutral pose: to the next joint, or to its own tail."""
    bone = finger[joint]
    end = finger[joint + 1].head if joint + 1 < len(finger) else bone.tail
    way = hand.hang @ (end - bone.head)
    return way / max(float(np.linalg.norm(way)), 1e-12)


def _aside(way: np.ndarray) -> float:
    """How far [rad] a finger is spread forward."""
    return float(np.arctan2(way[0], -way[2]))


def _in_bone(turn: np.ndarray, axes: np.ndarray) -> np.ndarray:
    """A rotation (4,) in the axes (3, 3) of a bone."""
    return np.array([turn[0], *(axes.T @ turn[1:])])

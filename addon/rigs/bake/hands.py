# SPDX-License-Identifier: GPL-3.0-or-later
"""Hands of a rig that has fingers: which way the palm faces at rest, as the row of its knuckles tells (in the neutral pose it
faces the thigh), and fingers that hang relaxed. Pronation, the hand's turn about the forearm, is spread over it as in a human:
each bone along the forearm takes the share that lies at its middle, half for a forearm of one bone, a quarter and three quarters
for one of two. Bones on the forearm's axis that carry nothing that is baked are twist bones."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, replace

import numpy as np

from ...bodies.human.landmarks import SIDES, neutral_alignments
from ...maths.rotations import about_z, plane_angle, quat_conjugate, quat_from_rotvec, quat_multiply
from ..read.figure import Figure, RestBone, bones_above
from ..read.rest_pose import finger_lines
from .own_motion import OwnMotion, upright_turns

BENDS = np.radians([16.0, 26.0, 16.0])
"""Bend of a relaxed hand's joints [rad]: first guess, within what hands at rest have (10 to 45 degrees)."""
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
                turns[bone.name] = np.array([turn[0], *((hand.hang @ bone.rotation).T @ turn[1:])])
    return found


def _hand(figure: Figure, side: str) -> _Hand | None:
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


ON_AXIS = 0.08
"""A twist bone's head lies no farther from the forearm's axis than this share of the forearm."""
WITHIN = (0.02, 0.98)
"""And between elbow and wrist, as a share of the way: at the ends lie the joints' own helpers."""


@dataclass(frozen=True)
class Twist:
    side: str
    share: float


def forearm_twists(figure: Figure, free: Container[str]) -> tuple[dict[str, float], dict[str, Twist]]:
    """The share of the pronation on each side's forearm, and the twist bones below it, among those that are `free`. Left out are
    sides without forearm or hand, and rigs with controls, which spread a hand's turn by themselves."""
    shares: dict[str, float] = {}
    twists: dict[str, Twist] = {}
    for side in SIDES if figure.controls is None else ():
        names = [figure.bone_of.get(f"{segment}_{side}") for segment in ("forearm", "hand")]
        if None in names:
            continue
        at = _along(figure, side, free)
        places = [0.0, *sorted(set(at.values())), 1.0]
        middle = {a: 0.5 * (a + b) for a, b in zip(places, places[1:], strict=False)}
        shares[side] = middle[0.0]
        twists |= {name: Twist(side, middle[place]) for name, place in at.items()}
    return shares, twists


def _along(figure: Figure, side: str, free: Container[str]) -> dict[str, float]:
    """Twist bones of a forearm: their places from elbow (0) to wrist (1)."""
    forearm, hand = (figure.bone[figure.bone_of[f"{segment}_{side}"]] for segment in ("forearm", "hand"))
    axis = hand.head - forearm.head
    keyed = set(figure.bone_of.values())
    carrying = set(bones_above(figure.bone, hand.name))
    found: dict[str, float] = {}
    for bone in figure.bones:
        if bone.name in keyed or bone.name not in free or not bone.inherits_rotation:
            continue
        if bone.parent != forearm.name and bone.parent not in found:
            continue
        place = float((bone.head - forearm.head) @ axis / (axis @ axis))
        off = float(np.linalg.norm(bone.head - forearm.head - place * axis) / np.linalg.norm(axis))
        if off > ON_AXIS or not WITHIN[0] < place < WITHIN[1]:
            continue
        if bone.name in carrying or not any(other.parent == bone.name for other in figure.bones):
            found[bone.name] = place
    return found


def spread(motion: OwnMotion, shares: dict[str, float], palms: dict[str, float] | None = None) -> OwnMotion:
    """The motion with hands turned about their length by `palms` [rad], forearms by their share; every joint stays."""
    index, pronation = motion.body.index, {}
    turns = {name: motion.turns[:, index[name]] for side in {*shares, *(palms or {})}
             for name in (f"forearm_{side}", f"hand_{side}") if name in index}
    for side, angle in (palms or {}).items():
        hand = f"hand_{side}"
        if hand in turns:
            turns[hand] = quat_multiply(turns[hand], upright_turns(np.array([angle])))
    for side, share in shares.items():
        forearm, hand = f"forearm_{side}", f"hand_{side}"
        if forearm not in turns or hand not in turns:
            continue
        bent = quat_multiply(quat_conjugate(turns[forearm]), turns[hand])
        pronation[side] = np.unwrap(2.0 * plane_angle(bent[:, 3], bent[:, 0]))
        pronation[side] -= 2.0 * np.pi * np.round(pronation[side][0] / (2.0 * np.pi))
        turns[forearm] = quat_multiply(turns[forearm], upright_turns(share * pronation[side]))
    return replace(motion.with_turns(turns), pronation=pronation, forearm_share=dict(shares))

# SPDX-License-Identifier: GPL-3.0-or-later
"""Pronation: the hand's turn about the forearm, spread over it as in a human, where one of its bones turns about the other.

In the simulation a hand turns at its wrist alone. An arm's skin turns the more, the nearer to the wrist: at the elbow not at all.
So each bone along the forearm takes the share of the turn that lies at its middle: half for a forearm of one bone, a quarter and
three quarters for one of two. Bones that lie on the forearm's axis and carry nothing that is baked are twist bones.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, replace

import numpy as np

from ...bodies.human.landmarks import SIDES
from ...maths.angles import plane_angle
from ...maths.quaternions import quat_conjugate, quat_multiply
from ..read.figure import Figure, RestBone
from .own_motion import OwnMotion

ON_AXIS = 0.08
"""A twist bone's head lies no farther from the forearm's axis than this share of the forearm."""
WITHIN = (0.02, 0.98)
"""And between elbow and wrist, as a share of the way: at the ends lie the joints' own helpers."""


@dataclass(frozen=True)
class Twist:
    """What a bone takes of the pronation of a side."""

    side: str
    share: float


def forearm_twists(figure: Figure, free: Container[str]) -> tuple[dict[str, float], dict[str, Twist]]:
    """The share of the pronation on each side's forearm, and the twist bones below it. `free` are the bones that nothing else
    moves. Sides whose forearm or hand the figure lacks are left out, and rigs with controls: they spread a hand's turn by
    themselves."""
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
    carrying = _above(figure, hand)
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


def _above(figure: Figure, bone: RestBone) -> set[str]:
    """The bones above a bone."""
    found: set[str] = set()
    while bone.parent is not None:
        found.add(bone.parent)
        bone = figure.bone[bone.parent]
    return found


def spread(motion: OwnMotion, shares: dict[str, float], palms: dict[str, float] | None = None) -> OwnMotion:
    """The motion with each side's hand turned about its length by `palms` [rad], and its forearm by its share of the hand's turn;
    every joint stays where it is."""
    turns, pronation = motion.turns.copy(), {}
    for side, angle in (palms or {}).items():
        hand = motion.body.index.get(f"hand_{side}")
        if hand is not None:
            turns[:, hand] = quat_multiply(turns[:, hand], about_length(np.array([angle])))
    for side, share in shares.items():
        forearm, hand = (motion.body.index.get(f"{segment}_{side}") for segment in ("forearm", "hand"))
        if forearm is None or hand is None:
            continue
        bent = quat_multiply(quat_conjugate(turns[:, forearm]), turns[:, hand])
        pronation[side] = np.unwrap(2.0 * plane_angle(bent[:, 3], bent[:, 0]))
        pronation[side] -= 2.0 * np.pi * np.round(pronation[side][0] / (2.0 * np.pi))
        turns[:, forearm] = quat_multiply(turns[:, forearm], about_length(share * pronation[side]))
    return replace(motion, turns=turns, pronation=pronation, forearm_share=dict(shares))


def about_length(angle: np.ndarray) -> np.ndarray:
    """Turns (T, 4) about the length of a limb that hangs, by angles (T,) [rad]."""
    half = 0.5 * angle
    return np.column_stack([np.cos(half), np.zeros_like(half), np.zeros_like(half), np.sin(half)])

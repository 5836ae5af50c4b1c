# SPDX-License-Identifier: GPL-3.0-or-later
"""The joints of a creature by its structure: of what kind, about which axis and how far each turns from the drawn pose."""

from __future__ import annotations

import math

import numpy as np

from ...specs.creature import Creature, CreaturePart

LEFTWARD = np.array([0.0, 1.0, 0.0])
FOLD_RAD, STRAIGHT_RAD = math.radians(150.0), math.radians(3.0)
"""How far a leg's joint folds from straight (a human's knee: 140 to 150 degrees, Boone and Azen 1979), and the bend under which
its drawing counts as straight."""
IN_LINE_SHARE = 0.02
"""A leg whose joints lie nearer than this share of its length to the line from hip to foot has no plane of its own."""
HIP_RAD, FOOT_RAD, ARM_RAD = math.radians(100.0), math.radians(75.0), math.radians(120.0)
"""Cones of balls about the drawn pose (first guesses, wide: a law stays well within, a fall is held)."""
CHAIN_RAD, CHAIN_JOINT_RAD = math.radians(160.0), (math.radians(15.0), math.radians(45.0))
"""Cone of a whole neck, tail or spine, which its joints share, and the least and most of one joint (first guesses)."""


def leg_axis(leg: tuple[CreaturePart, ...]) -> np.ndarray:
    """Unit normal (3,) of the plane in which a leg's joints lie from the hip to the foot's joint, leftward; y where they lie in a
    line. All hinges of a leg turn about it."""
    joints = np.array([part.joint_m for part in leg], dtype=float)
    line = joints[-1] - joints[0]
    length = float(np.linalg.norm(np.diff(joints, axis=0), axis=1).sum())
    line = line / max(float(np.linalg.norm(line)), 1e-9)
    off = joints - joints[0]
    off = off - np.outer(off @ line, line)
    farthest = off[np.argmax(np.linalg.norm(off, axis=1))]
    normal = np.cross(line, farthest) if np.linalg.norm(farthest) > IN_LINE_SHARE * length else LEFTWARD - line * line[1]
    normal = normal / max(float(np.linalg.norm(normal)), 1e-9)
    return (normal if normal @ LEFTWARD >= 0.0 else -normal) + 0.0


def drawn_bends(leg: tuple[CreaturePart, ...]) -> np.ndarray:
    """Drawn bend [rad] of each part of a leg from the second to the last, its foot, against the part above about the leg's axis,
    positive where what hangs bends back; 0 is straight."""
    axis = leg_axis(leg)
    ways = np.array([np.subtract(part.tip_m, part.joint_m) for part in leg], dtype=float)
    for i, below in enumerate(leg[1:]):
        ways[i] = np.subtract(below.joint_m, leg[i].joint_m)
    return np.array([math.atan2(float(axis @ np.cross(a, b)), float(a @ b - (axis @ a) * (axis @ b)))
                     for a, b in zip(ways, ways[1:], strict=False)])


def bend_signs(leg: tuple[CreaturePart, ...]) -> tuple[int, ...]:
    """To which side each hinge of a leg folds, from its second part to the one above its foot: +1 back, -1 forward. The drawing
    says it where it is bent, the part where it is straight; else the first folds back and the others by turns."""
    signs: list[int] = []
    for part, bend in zip(leg[1:-1], drawn_bends(leg), strict=False):
        if abs(bend) > STRAIGHT_RAD:
            signs.append(1 if bend > 0.0 else -1)
        else:
            signs.append(part.bend or (-signs[-1] if signs else 1))
    return tuple(signs)


def joint_of(creature: Creature, part: CreaturePart) -> tuple[str, np.ndarray | None, tuple[float, float] | None]:
    """Kind, axis (3,) of a hinge, and limits [rad] about the drawn pose of the joint over a part (`bodies.segments.Segment`)."""
    if part.parent is None:
        return "free", None, None
    if part.kind != "leg":
        return "ball", None, (0.0, ARM_RAD if part.kind == "arm" else _chain_cone(creature, part))
    leg = next(leg for leg in creature.legs if part in leg)
    at = leg.index(part)
    if at in (0, len(leg) - 1):
        return "ball", None, (0.0, HIP_RAD if at == 0 else FOOT_RAD)
    drawn, sign = drawn_bends(leg)[at - 1], bend_signs(leg)[at - 1]
    ends = sorted((-drawn, sign * FOLD_RAD - drawn))
    return "hinge", leg_axis(leg), (min(ends[0], 0.0), max(ends[1], 0.0))


def _chain_cone(creature: Creature, part: CreaturePart) -> float:
    """The share of one joint of a neck, tail or spine, a head's like its neck's."""
    alike = ("neck", "head") if part.kind in ("neck", "head") else (part.kind,)
    joints = sum(other.kind in alike and other.parent is not None for other in creature.parts)
    least, most = CHAIN_JOINT_RAD
    return min(max(CHAIN_RAD / joints, least), most)

# SPDX-License-Identifier: GPL-3.0-or-later
"""The body of a creature: its neutral pose is the standing pose that it is drawn in. The legs bar each other, what of them lies
between thigh and foot is barred by trunk and tail, and neck and head by the trunk: softly and damped, by their capsules' cores
(`capsules.CORE_SHARE`). What all but touches as it is drawn, neighbours above all, may pass, and so may the two thighs, whose
flesh gives way. `build_model` has them in every model of a creature without capsules; with capsules, where it may fall and lie,
everything bars everything. Standing, a physics step takes 1 (ostrich, 44 pairs) to 4 % (human, 10) longer."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import numpy as np

from ...errors import BodyError
from ...specs.creature import CREATURE as KIND
from ...specs.creature import Creature, CreaturePart
from ..body import CHEST, Body, Capsule, ContactPoint, Foot, Segment, parts_from_dict
from ..capsules import CORE, CORE_SHARE, body_capsules, passing_pairs
from .feet import capsule_inertia, mass_of, over_sole, sole_points
from .findings import creature_findings

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


def barred_parts(creature: Creature) -> Iterator[tuple[str, str]]:
    """Pairs of parts, by name, that are kept apart unless they touch as drawn."""
    left, right = ([part.name for part in leg] for leg in creature.legs)
    trunk, tail, head = ([part.name for part in creature.parts if part.kind in kinds]
                         for kinds in (("trunk",), ("tail",), ("neck", "head")))
    yield from (pair for pair in product(left, right) if pair != (left[0], right[0]))
    yield from product([*left[1:-1], *right[1:-1]], [*trunk, *tail])
    yield from product(head, trunk)


def barred(body: Body, creature: Creature) -> dict[tuple[str, str], float]:
    """Which capsules' cores, by their names in the model (`bars.CORE`), may come how deep [m] into each other: not at all."""
    shapes = body_capsules(body)
    name = {shape.segment: CORE.format(shape.name) for shape in shapes}
    passing = set(passing_pairs(body, shapes))
    return {(name[one], name[other]): 0.0 for one, other in barred_parts(creature) if not passing & {(one, other), (other, one)}}


class CreatureBody(Body):
    """A Body of kind "creature" that remembers the shape it was made of: its parts' bones and radii."""

    def __init__(self, *parts: Any, creature: Creature, **rest: Any) -> None:
        super().__init__(*parts, kind=KIND, **rest)
        self.creature = creature
        self._bars = barred(self, creature)

    def drawn(self) -> tuple[Capsule, ...]:
        """See `Body.drawn`: a capsule each part, as thick as it is drawn; a foot's is clear of the ground under its sole."""
        return tuple(_capsule(self, self.creature.part(segment.name), segment) for segment in self.segments)

    def bars_itself(self) -> Mapping[tuple[str, str], float]:
        """See `Body.bars_itself`: the legs each other, the trunk what reaches it (`barred`)."""
        return self._bars

    def pushed(self, name: str) -> tuple[str, np.ndarray]:
        return super().pushed(self.role("trunk") if name == CHEST and name not in self.index else name)

    def to_dict(self) -> dict[str, Any]:
        return {**super().to_dict(), "creature": self.creature.to_dict()}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> CreatureBody:
        return cls(*parts_from_dict(data), roles=data["roles"], bare_mass_kg=data["bare_mass_kg"],
                   creature=Creature.from_dict(data["creature"]))


def make_creature(creature: Creature) -> CreatureBody:
    """The body of a shape. Its root is free, hips, spine, neck, tail, arms and ankles are balls, all other joints of the legs
    hinges about the normal of the leg's plane, positive where what hangs bends back. Each foot has four contact points, two at
    its heel and two at its toes, on the ground z = 0. Feet are named after their sides. Raises BodyError with the first thing for
    which it cannot walk."""
    if found := creature_findings(creature):
        raise BodyError(found[0])
    segments = [_segment(creature, part) for part in creature.parts]
    points: list[ContactPoint] = []
    feet: list[Foot] = []
    for leg in creature.legs:
        rows = sole_points(leg[-1])
        feet.append(Foot(leg[-1].side, leg[-1].side, leg[-1].name, tuple(part.name for part in leg),
                         tuple(range(len(points), len(points) + len(rows)))))
        points += rows
    heads = creature.of_kind("head") or creature.of_kind("neck")
    roles = {"trunk": creature.parts[0].name, **({"head": heads[-1].name} if heads else {})}
    return CreatureBody(segments, points, feet, roles=roles, creature=creature)


def _segment(creature: Creature, part: CreaturePart) -> Segment:
    """One part as a segment: its capsule's mass and inertia, or that mass in its capsule's shape."""
    joint, tip = np.array(part.joint_m, dtype=float), np.array(part.tip_m, dtype=float)
    above = joint * 0.0 if part.parent is None else np.array(creature.part(part.parent).joint_m, dtype=float)
    mass = mass_of(part)
    kind, axis, limits = joint_of(creature, part)
    return Segment(part.name, part.parent, kind, joint * 0.0 if part.parent is None else joint - above, tip - joint, mass,
                   0.5 * (tip - joint), capsule_inertia(tip - joint, part.radius_m, mass), axis, limits)


def _capsule(body: CreatureBody, part: CreaturePart, segment: Segment) -> Capsule:
    start, end, radius = np.zeros(3), segment.tip, part.radius_m
    if any(foot.segment == segment.name for foot in body.feet):
        start, end, radius = over_sole(part)
    return Capsule(f"{part.name}_capsule", part.name, start, end, radius, CORE_SHARE * radius)

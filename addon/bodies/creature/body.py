# SPDX-License-Identifier: GPL-3.0-or-later
"""The body of a creature: its neutral pose is the standing pose that it is drawn in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...errors import BodyError
from ...specs.creature import CREATURE as KIND
from ...specs.creature import Creature, CreaturePart
from ..body import CHEST, Body
from ..capsules import CORE_SHARE
from ..segments import Capsule, ContactPoint, Foot, Segment
from ..stored import parts_from_dict
from .barred import barred
from .feet import over_sole, sole_points
from .findings import creature_findings
from .joints import joint_of
from .sizes import capsule_inertia, mass_of


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
        """See `Body.pushed`: a push on the chest of a creature acts on the middle of its trunk, which may lie."""
        return super().pushed(self.role("trunk") if name == CHEST and name not in self.index else name)

    def to_dict(self) -> dict[str, Any]:
        """See `Body.to_dict`; the shape goes with the tree."""
        return {**super().to_dict(), "creature": self.creature.to_dict()}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> CreatureBody:
        """The body that `to_dict` described."""
        return cls(*parts_from_dict(data), roles=data["roles"], bare_mass_kg=data["bare_mass_kg"],
                   creature=Creature.from_dict(data["creature"]))


def make_creature(creature: Creature) -> CreatureBody:
    """The body of a shape. Its root is free, hips, spine, neck, tail, arms and ankles are balls, all other joints of the legs
    hinges about the normal of the leg's plane, positive where what hangs bends back. Each foot has four contact points, two at
    its heel and two at its toes, on the ground z = 0. Feet are named after their sides.

    Raises BodyError with the first thing for which it cannot walk.
    """
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

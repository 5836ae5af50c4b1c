# SPDX-License-Identifier: GPL-3.0-or-later
"""The Body: a tree of rigid segments with joints, masses and limits, by roles and feet; it knows no kind of body."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from ..errors import BodyError
from .passive import PassiveJoint, joint_by_size
from .segments import COORDINATES, FREEDOM, Capsule, ContactPoint, Foot, Segment
from .stored import parts_from_dict, parts_to_dict
from .tree_check import check_tree

CHEST = "chest"
"""What is pushed where nothing else is said."""
ROLES = ("root", "trunk", "head")
"""What a segment can be to a controller; the legs' roles stand in `Body.feet`. The root is the first segment."""


class Body:
    """Segments in topological order, the root first, dressed; the contact points, the feet, and sizes derived from them.

    `kind` names the maker's kind of body ("human"). `roles` (see `ROLES`) name segments: a trunk always, the root where it
    has none of its own; a head where there is one. `bare_mass_kg` is the mass without what is worn: strength goes with it.
    Raises BodyError for segments that are no tree, and for points, feet and roles on segments that are not there.
    """

    def __init__(self, segments: Sequence[Segment], contact_points: Sequence[ContactPoint] = (), feet: Sequence[Foot] = (), *,
                 kind: str, roles: Mapping[str, str] | None = None, bare_mass_kg: float | None = None) -> None:
        check_tree(segments, contact_points, feet, roles or {})
        self.kind = kind
        self.segments, self.contact_points, self.feet = tuple(segments), tuple(contact_points), tuple(feet)
        self.roles = {"root": segments[0].name, "trunk": segments[0].name, **(roles or {})}
        self.bare_mass_kg = self.mass_kg if bare_mass_kg is None else bare_mass_kg
        self.index = {segment.name: i for i, segment in enumerate(self.segments)}

    def segment(self, name: str) -> Segment:
        """The segment of that name; raises BodyError listing the known ones."""
        try:
            return self.segments[self.index[name]]
        except KeyError:
            raise BodyError(f"The body has no segment {name!r}; it has {', '.join(self.index)}.") from None

    def role(self, name: str) -> str:
        """Name of the segment in that role; raises BodyError listing the roles that this body has."""
        try:
            return self.roles[name]
        except KeyError:
            raise BodyError(f"The body has no segment in the role {name!r}; it has {', '.join(self.roles)}.") from None

    def pushed(self, name: str) -> tuple[str, np.ndarray]:
        """What a push on a segment acts on, and where in that segment's frame (3,) [m]: its centre of mass. A push on the chest
        of a body that has none acts on the end of its trunk. Raises BodyError for any other segment that is not there."""
        if name == CHEST and name not in self.index:
            return self.role("trunk"), self.segment(self.role("trunk")).tip
        return name, self.segment(name).com

    def foot(self, name: str) -> Foot:
        """The foot of that name; raises BodyError listing the known ones."""
        for foot in self.feet:
            if foot.name == name:
                return foot
        known = ", ".join(foot.name for foot in self.feet) or "none"
        raise BodyError(f"The body has no foot {name!r}; its feet are: {known}.")

    def carried(self) -> tuple[Capsule, ...]:
        """What else than segments takes room on this body: of a human, a pack on the back."""
        return ()

    def drawn(self) -> tuple[Capsule, ...]:
        """The capsules of a body that says itself how thick it is, one or more a segment; else none: then its masses say it."""
        return ()

    def bars_itself(self) -> Mapping[tuple[str, str], float]:
        """How deep [m] shapes of the model (`bodies.bars`), by their names in pairs, may come into each other as the body goes;
        a body without any is kept out of itself by its controllers."""
        return {}

    def passive_joint(self, name: str) -> PassiveJoint:
        """The joint over a segment as it is when no muscle pulls. Raises BodyError for a segment that is not there."""
        return joint_by_size(self.segment(name), self.segments)

    def children(self, name: str) -> tuple[str, ...]:
        """Names of the segments whose parent is that one: of a human's foot, the toes."""
        return tuple(s.name for s in self.segments if s.parent == name)

    def way_to(self, name: str) -> tuple[str, ...]:
        """Names of the segments from the root to that one, both included."""
        way = [name]
        while (parent := self.segment(way[0]).parent) is not None:
            way.insert(0, parent)
        return tuple(way)

    @cached_property
    def joint_segments(self) -> tuple[str, ...]:
        """Names of the segments with an actuated joint, in the order of the generalised coordinates: all but the root."""
        return tuple(s.name for s in self.segments[1:])

    @cached_property
    def root_coordinates(self) -> int:
        """Generalised coordinates of the root, which come first: 7 of a free one, 3 of a planar one."""
        return COORDINATES[self.segments[0].joint]

    @cached_property
    def root_freedom(self) -> int:
        """Generalised velocities of the root, which come first and have no torque: 6 of a free one, 3 of a planar one."""
        return FREEDOM[self.segments[0].joint]

    @cached_property
    def coordinates(self) -> int:
        """Size of the generalised coordinates: those of the root, 4 a ball, 1 a hinge."""
        return sum(COORDINATES[s.joint] for s in self.segments)

    @cached_property
    def degrees_of_freedom(self) -> int:
        """Size of the generalised velocity: that of the root, 3 a ball, 1 a hinge."""
        return sum(FREEDOM[s.joint] for s in self.segments)

    @cached_property
    def mass_kg(self) -> float:
        """Total mass, what is worn included."""
        return float(sum(s.mass_kg for s in self.segments))

    @cached_property
    def leg_length_m(self) -> float:
        """Hip centre to ankle centre along the leg's segments, the mean of all legs. Raises BodyError without feet."""
        legs = [foot.leg[1:] for foot in self._some_feet()]
        lengths = [np.linalg.norm(self.segment(leg[i]).offset)
                   for i in range(max(map(len, legs))) for leg in legs if i < len(leg)]
        return float(sum(lengths) / len(legs))

    @cached_property
    def sole_height_m(self) -> float:
        """Height of the sole relative to the ankle centre with the foot flat (negative). Raises BodyError without feet."""
        points = [(foot, self.contact_points[i]) for foot in self._some_feet() for i in foot.points]
        return float(min(p.position[2] - p.radius_m for foot, p in points if p.segment == foot.segment))

    @cached_property
    def pelvis_height_m(self) -> float:
        """Height of the root's origin above the sole of the first foot in the neutral pose. Raises BodyError without feet."""
        offsets = [self.segment(name).offset[2] for name in self.way_to(self._some_feet()[0].segment)[1:]]
        return float(-sum(offsets) - self.sole_height_m)

    def _some_feet(self) -> tuple[Foot, ...]:
        if not self.feet:
            raise BodyError("This body has no feet; what was asked for needs legs.")
        return self.feet

    def to_dict(self) -> dict[str, Any]:
        """JSON form: the whole tree, from which `makers.body_from_dict` builds the same body."""
        return {"kind": self.kind, "roles": self.roles, "bare_mass_kg": self.bare_mass_kg,
                **parts_to_dict(self.segments, self.contact_points, self.feet)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Body:
        """The body whose tree `to_dict` described."""
        return cls(*parts_from_dict(data), kind=data["kind"], roles=data["roles"], bare_mass_kg=data["bare_mass_kg"])

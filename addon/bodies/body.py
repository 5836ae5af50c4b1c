# SPDX-License-Identifier: GPL-3.0-or-later
"""The Body: a tree of rigid segments with joints, masses and limits, by roles and feet, checked, and as plain JSON values to the
last bit; it knows no kind of body. Its generalised coordinates as poses, and what a joint does when no muscle pulls."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..errors import BodyError
from ..maths.rotations import quat_from_rotvec
from ..specs.shot import EARTH_GRAVITY_M_S2

ROOT_JOINTS = ("free", "planar")
"""Of the first segment: "free" has a position and a quaternion; "planar" has x, z and pitch, all within the sagittal plane."""
JOINTS = ("ball", "hinge")
"""Of all other segments."""
COORDINATES = {"free": 7, "planar": 3, "ball": 4, "hinge": 1}
"""How many generalised coordinates a joint has."""
FREEDOM = {"free": 6, "planar": 3, "ball": 3, "hinge": 1}
"""How many generalised velocities a joint has: its degrees of freedom."""
PLANAR_COORDINATES = ("x", "z", "pitch")
"""Of a planar root, in this order: forward [m], up [m], and the angle about the leftward axis [rad], positive nose down."""


@dataclass(frozen=True)
class Segment:
    """One rigid segment. Vectors in its own frame, whose axes are the body frame's in the neutral pose; SI units. `offset` is its
    joint's place in the parent's frame, `tip` its far end, `inertia` (3, 3) is about its centre of mass. `joint` is one of
    `ROOT_JOINTS` for the root and one of `JOINTS` for all others; `limits_rad` is (low, high), for a ball (0, cone angle). What
    is worn resists the joint by -stiffness (angle - rest) - damping rate; a ball's angle is its rotation vector, its rest is
    zero. `flesh_kg` is the mass that takes room (None: all of it), `worn_m` the thickness of what is worn over it (a thinner
    skin's is negative), `ahead_m` how far the middle of its flesh lies ahead of the line from joint to tip."""

    name: str
    parent: str | None
    joint: str
    offset: np.ndarray
    tip: np.ndarray
    mass_kg: float
    com: np.ndarray
    inertia: np.ndarray
    axis: np.ndarray | None = None
    limits_rad: tuple[float, float] | None = None
    stiffness_nm_rad: float = 0.0
    damping_nms_rad: float = 0.0
    rest_rad: float = 0.0
    flesh_kg: float | None = None
    worn_m: float = 0.0
    ahead_m: float = 0.0

    @property
    def hangs_on(self) -> str:
        """The parent's name, of every segment but the root. Raises BodyError for the root."""
        if self.parent is None:
            raise BodyError(f"Segment {self.name} is the root and hangs on no other.")
        return self.parent

    @property
    def range_rad(self) -> tuple[float, float]:
        """`limits_rad` of a joint that has them. Raises BodyError for the root."""
        if self.limits_rad is None:
            raise BodyError(f"The joint of segment {self.name} has no limits.")
        return self.limits_rad


@dataclass(frozen=True)
class ContactPoint:
    """A sphere that touches the ground: its segment, centre there and radius. `kind` says what of a sole it is, of a human's
    "heel", "ball" or "toe"; `side` is "L", "R" or, in the middle, ""."""

    name: str
    side: str
    kind: str
    segment: str
    position: np.ndarray
    radius_m: float


@dataclass(frozen=True)
class Capsule:
    """All points within `radius_m` of the line from `start` to `end` (3,) [m], in the frame of its segment. Within `core_m` of it
    other segments cannot be either: flesh and what is worn give way."""

    name: str
    segment: str
    start: np.ndarray
    end: np.ndarray
    radius_m: float
    core_m: float


@dataclass(frozen=True)
class Foot:
    """A foot by its role. `segment` is the one whose joint is the ankle; `leg` names the leg's segments from the one at the hip
    to `segment`, both included; `points` are the rows of its points in `Body.contact_points`. `side` is "L", "R" or ""."""

    name: str
    side: str
    segment: str
    leg: tuple[str, ...]
    points: tuple[int, ...]


def kind_of(name: str) -> str:
    """The segment's name without its side: "thigh" of "thigh_L"."""
    return name.removesuffix("_L").removesuffix("_R")


def check_tree(segments: Sequence[Segment], points: Sequence[ContactPoint], feet: Sequence[Foot],
               roles: Mapping[str, str]) -> None:
    """Raises BodyError with the first thing that is wrong: no tree, no such joint, or a part on a segment that is not there."""
    if not segments:
        raise BodyError("A body needs at least one segment.")
    known: dict[str, str | None] = {}
    for segment in segments:
        allowed = JOINTS if known else ROOT_JOINTS
        if segment.name in known:
            raise BodyError(f"Two segments of this body have the name {segment.name}.")
        if segment.joint not in allowed:
            raise BodyError(f"The joint of segment {segment.name} is {segment.joint!r}; there it must be {allowed[0]} or "
                            f"{allowed[1]}.")
        if (segment.parent not in known) if known else (segment.parent is not None):
            raise BodyError(f"The parent of segment {segment.name}, {segment.parent!r}, must stand before it in the list of "
                            "segments; only the first has none.")
        known[segment.name] = segment.parent
    used = [(f"contact point {p.name}", p.segment) for p in points] + [(f"role {role}", name) for role, name in roles.items()]
    for what, name in used + [(f"foot {foot.name}", foot.segment) for foot in feet]:
        if name not in known:
            raise BodyError(f"The {what} is on segment {name!r}, which this body does not have.")
    if roles.get("root", segments[0].name) != segments[0].name:
        raise BodyError(f"The root of a body is its first segment, {segments[0].name}, not {roles['root']}.")
    for foot in feet:
        _check_foot(foot, known, points)


def _check_foot(foot: Foot, parents: Mapping[str, str | None], points: Sequence[ContactPoint]) -> None:
    """Raises BodyError for a leg that is no chain ending in the foot, and for points that are not the foot's."""
    chain = bool(foot.leg) and foot.leg[-1] == foot.segment
    if not chain or any(parents.get(low) != high for high, low in zip(foot.leg, foot.leg[1:], strict=False)):
        raise BodyError(f"The leg of foot {foot.name} must be a chain of segments that ends in {foot.segment}, "
                        f"got {', '.join(foot.leg) or 'none'}.")
    if not any(0 <= row < len(points) and points[row].segment == foot.segment for row in foot.points):
        raise BodyError(f"The foot {foot.name} needs a contact point on its segment {foot.segment}.")


_ARRAYS = ("offset", "tip", "com", "inertia", "axis", "position")
_TUPLES = ("limits_rad", "leg", "points")


def parts_to_dict(segments: Sequence[Segment], points: Sequence[ContactPoint], feet: Sequence[Foot]) -> dict[str, Any]:
    return {"segments": [_plain(s) for s in segments], "contact_points": [_plain(p) for p in points],
            "feet": [_plain(f) for f in feet]}


def parts_from_dict(data: Mapping[str, Any]) -> tuple[list[Segment], list[ContactPoint], list[Foot]]:
    """What `parts_to_dict` was given. Raises KeyError, TypeError or ValueError for anything else."""
    return ([Segment(**_read(row)) for row in data["segments"]],
            [ContactPoint(**_read(row)) for row in data["contact_points"]], [Foot(**_read(row)) for row in data["feet"]])


def _plain(part: Segment | ContactPoint | Foot) -> dict[str, Any]:
    return {name: _value(value) for name, value in dataclasses.asdict(part).items()}


def _value(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, tuple):
        return [_value(item) for item in value]
    return value.item() if isinstance(value, np.generic) else value


def _read(row: Mapping[str, Any]) -> dict[str, Any]:
    out = dict(row)
    for name in row.keys() & set(_ARRAYS):
        out[name] = None if row[name] is None else np.array(row[name], dtype=float)
    for name in row.keys() & set(_TUPLES):
        out[name] = None if row[name] is None else tuple(row[name])
    return out


STIFFNESS_SHARE, END_SHARE, DAMPING_RATIO = 0.3, 0.8, 0.2
"""Of a body that says nothing of its joints: stiffness and end moment over the moment of what the joint carries on Earth, and the
damping ratio of its swing. A relaxed human's knee: 2.5 and 8 N m of 10 N m, a tenth to a fifth (Bajd and Vodovnik 1984)."""
LOOSE_SHARE = 0.9
"""Of such a body's joint limits: how much of them is loose."""


@dataclass(frozen=True)
class PassiveJoint:
    """The joint over a segment, relaxed. Angles [rad] of a hinge about its axis, of a ball the parts of its rotation vector.
    Within `low` to `high` (C,), of a ball an ellipsoid, only a weak spring to `rest` (C,) and a damper act; at its end tissue
    gives the moment `end_nm`, past it much more."""

    segment: str
    low: np.ndarray
    high: np.ndarray
    rest: np.ndarray
    stiffness_nm: float
    end_nm: float
    damping_nms: float


def joint_by_size(segment: Segment, segments: Sequence[Segment]) -> PassiveJoint:
    """The relaxed joint over one of a body's `segments`, as stiff as fits what it carries, where only limits are known."""
    low, high = segment.limits_rad or (-math.pi / 2.0, math.pi / 2.0)
    moment, inertia = _carried(segment.name, segments)
    damping = 2.0 * DAMPING_RATIO * math.sqrt(moment * inertia)
    if segment.joint == "hinge":
        middle, half = 0.5 * (low + high), 0.5 * LOOSE_SHARE * (high - low)
        ends = np.array([middle - half]), np.array([middle + half]), np.array([np.clip(0.0, middle - half, middle + half)])
    else:
        cone = LOOSE_SHARE * high * np.array([1.0, 1.0, 0.5])  # a limb twists less than it swings
        ends = -cone, cone, np.zeros(3)
    return PassiveJoint(segment.name, *ends, STIFFNESS_SHARE * moment, END_SHARE * moment, damping)


def _carried(name: str, segments: Sequence[Segment]) -> tuple[float, float]:
    """Moment [N m] on Earth and inertia [kg m^2] about a joint of the segments that hang on it, stretched out sideways."""
    places = {name: np.zeros(3)}
    moment = inertia = 0.0
    for segment in segments:
        if segment.name != name and segment.parent not in places:
            continue
        if segment.name != name:
            places[segment.name] = places[segment.hangs_on] + segment.offset
        arm = float(np.linalg.norm(places[segment.name] + segment.com))
        moment += segment.mass_kg * EARTH_GRAVITY_M_S2 * arm
        inertia += segment.mass_kg * arm**2 + float(np.trace(segment.inertia)) / 3.0
    return moment, inertia


CHEST = "chest"
"""What is pushed where nothing else is said."""


class Body:
    """Segments in topological order, the root first, dressed; the contact points, the feet, and sizes derived from them. `kind`
    names the maker's kind of body ("human"). `roles` name segments by what they are to a controller: a trunk always, the root
    where it has none of its own; a head where there is one. `bare_mass_kg` is the mass without what is worn: strength goes with
    it. `carries` is what a human carries (`bodies.human.load.Carried`). Raises BodyError for segments that are no tree, and for
    points, feet and roles on segments that are not there."""

    carries: Any = None

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
    def coordinate_slots(self) -> dict[str, tuple[int, int]]:
        """Where each joint's generalised coordinates stand: (start, stop), four of a ball, one of a hinge."""
        slots, at = {}, self.root_coordinates
        for segment in self.segments[1:]:
            slots[segment.name] = (at, at + COORDINATES[segment.joint])
            at = slots[segment.name][1]
        return slots

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
        return cls(*parts_from_dict(data), kind=data["kind"], roles=data["roles"], bare_mass_kg=data["bare_mass_kg"])


def root_pose(body: Body, qpos: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Place (T, 3) [m] of the root's origin and its orientation (T, 4) of generalised coordinates (T, nq)."""
    if body.segments[0].joint == "free":
        return qpos[:, :3], qpos[:, 3:7]
    place, turn = np.zeros((2, len(qpos), 3))
    place[:, 0], place[:, 2], turn[:, 1] = qpos[:, :3].T
    return place, quat_from_rotvec(turn)


def joint_quaternions(body: Body, qpos: np.ndarray) -> np.ndarray:
    """Joint quaternions (T, S-1, 4) of generalised coordinates (T, nq), in the order of `Body.joint_segments`."""
    out = np.empty((len(qpos), len(body.segments) - 1, 4))
    at = body.root_coordinates
    for i, segment in enumerate(body.segments[1:]):
        if segment.joint == "ball":
            out[:, i] = qpos[:, at:at + 4]
            at += 4
        else:
            out[:, i] = quat_from_rotvec(qpos[:, at:at + 1] * segment.axis)
            at += 1
    return out

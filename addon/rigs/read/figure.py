# SPDX-License-Identifier: GPL-3.0-or-later
"""A rig's rest pose as plain numbers: bones, landmarks in the body frame, where that frame lies in the armature, and which bone
carries which segment's joint: that of the segment above, wherever a bone hangs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ...bodies.body import Body
from ...bodies.human.body import Human
from ...bodies.human.landmarks import SIDES, neutral_alignments
from ...errors import RigError
from ...specs.shot import HEIGHT_RANGE_M, BodySpec
from .maps import Controls

LEG, ARM = ("thigh", "shank", "foot", "toes"), ("clavicle", "upper_arm", "forearm", "hand")
_ENDS = ("hand", "foot", "toes", "head", "forearm")
"""Segments whose bones' ends are watched: hands (or wrists), feet and head."""
_JOINTS = {"clavicle": "clavicle", "upper_arm": "shoulder", "forearm": "elbow", "hand": "wrist", "thigh": "hip",
           "shank": "knee", "foot": "ankle", "toes": "toes"}
"""Landmark at the joint of each sided segment; a central one's bears the segment's own name."""
PERSON_M = 1.75
"""The height at which a figure of no human size goes."""
_HEAD_OVER_JOINT = 0.13  # top of the head over its joint, as a share of the joint's height over the sole (Winter, fig. 4.1)


def joint_landmark(segment: str) -> str:
    """The landmark at a human segment's joint."""
    return f"{_JOINTS[segment[:-2]]}{segment[-2:]}" if segment[-2:] in ("_L", "_R") else segment


def limb_of(segment: str) -> tuple[str, str] | None:
    """The limb that a human segment belongs to: ("leg" or "arm", side); None of hips, spine, neck and head."""
    kind, side = segment[:-2], segment[-2:]
    return ("leg", side) if kind in LEG else ("arm", side) if kind in ARM else None


@dataclass(frozen=True)
class RestBone:
    """A bone at rest, in armature space: `head`, `tail` (3,), `rotation` (3, 3) whose columns are its axes. `mode` is the pose
    bone's rotation mode, `location_axes` (3, 3) are the axes at rest of its location channel. `stood` (3, 3) is what a rest pose
    that is turned over as a whole was turned by, about armature space's origin, before it was read; None of any other."""

    name: str
    parent: str | None
    head: np.ndarray
    tail: np.ndarray
    rotation: np.ndarray
    mode: str = "QUATERNION"
    connected: bool = False
    inherits_rotation: bool = True
    location_axes: np.ndarray | None = None
    stood: np.ndarray | None = None


@dataclass(frozen=True)
class SkinPoints:
    """World points [m] of the skin at rest, of each foot (N, 3) with its toes, and of the head. `shares`: side -> shares (N, 3)
    that shank, foot and toes move; `all` (N, 3) are points of all that bends with the bones."""

    feet: Mapping[str, np.ndarray] = field(default_factory=dict)
    head: np.ndarray = field(default_factory=lambda: np.empty((0, 3)))
    shares: Mapping[str, np.ndarray] = field(default_factory=dict)
    all: np.ndarray = field(default_factory=lambda: np.empty((0, 3)))


@dataclass(frozen=True)
class Figure:
    """A rig that walks, at rest. `bones` stand parents first; `bone_of` maps segments to those that get keys; `root` above them
    can carry the travel, or None; `controls` says how they hang together. `landmarks` [m] are in the body frame (x forward, y
    left, z up, sole at z = 0, pelvis over the origin). `axes` (3, 3) turns body axes to armature axes, `units_per_m` scales,
    `origin` (3,) is the body frame's origin in armature space, and `ground` (3,) that of a take: the same, but for rigs whose
    hips rest at the object's own origin (from BVH files), where the ground goes through that. `soles`: side -> skin of the foot
    at rest (N, 3) [m] in the body frame, and the shares (N, 3) that shank, foot and toes move. `skin_m`: see `BodySpec`."""

    name: str
    family: str
    bones: tuple[RestBone, ...]
    bone_of: dict[str, str]
    landmarks: dict[str, tuple[float, float, float]]
    axes: np.ndarray
    units_per_m: float
    origin: np.ndarray
    ground: np.ndarray
    root: str | None = None
    controls: Controls | None = None
    label: str = ""
    sole_over_ground_m: float = 0.0
    soles: Mapping[str, tuple[np.ndarray, np.ndarray]] = field(default_factory=dict)
    skin_m: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    @property
    def hips(self) -> str:
        return "pelvis"

    @property
    def hung_on(self) -> Mapping[str, str | None] | None:
        """Segment -> the one that it hangs on, where this figure is no person, of whom that is known."""
        return None

    @property
    def has_hands(self) -> bool:
        return True

    @cached_property
    def alignments(self) -> dict[str, np.ndarray]:
        """Segment -> the rotation (3, 3) from the rest pose to the neutral one (`neutral_alignments`)."""
        return neutral_alignments(self.points)

    def joint(self, segment: str) -> np.ndarray:
        """A segment's joint at rest (3,) [m] in the body frame."""
        return self.points[joint_landmark(segment)]

    def limb_of(self, segment: str) -> tuple[str, str] | None:
        """The limb that a segment belongs to: ("leg" or "arm", side); None of hips, spine, neck, head and tail."""
        return limb_of(segment)

    def is_end(self, segment: str) -> bool:
        return segment.removesuffix("_L").removesuffix("_R") in _ENDS

    def own_body(self, mass_kg: float) -> Body:
        """The body of this figure at its own size."""
        return Human.from_landmarks(self.landmarks, mass_kg)

    @cached_property
    def bone(self) -> dict[str, RestBone]:
        return {bone.name: bone for bone in self.bones}

    @cached_property
    def points(self) -> dict[str, np.ndarray]:
        """Landmarks as arrays (3,)."""
        return {name: np.array(point) for name, point in self.landmarks.items()}

    @property
    def height_m(self) -> float:
        """Stature: the top of the head over the sole, estimated where the rig does not tell."""
        if "head_top" in self.landmarks:
            return float(self.landmarks["head_top"][2])
        return float(self.landmarks["head"][2] * (1.0 + _HEAD_OVER_JOINT))

    @property
    def simulated_m(self) -> float:
        """The height of the body that goes for it where none is given: its own, or a person's where that is no Shot's."""
        low, high = HEIGHT_RANGE_M
        return self.height_m if low <= self.height_m <= high else PERSON_M

    @property
    def reach_m(self) -> tuple[float, float]:
        """How far it reaches behind its origin (negative) and ahead, where its height has no room for that: a person nowhere."""
        return 0.0, 0.0

    @property
    def leg_length_m(self) -> float:
        p = self.points
        return float(sum(np.linalg.norm(p[f"{a}_{s}"] - p[f"{b}_{s}"])
                         for s in SIDES for a, b in (("knee", "hip"), ("ankle", "knee"))) / 2.0)

    def in_body(self, place: np.ndarray) -> np.ndarray:
        """Armature-space places (..., 3) in the body frame at rest [m]."""
        return (place - self.origin) @ self.axes / self.units_per_m

    def in_armature(self, place: np.ndarray) -> np.ndarray:
        """Places of a take (..., 3) [m] in armature space."""
        return self.ground + self.units_per_m * (place @ self.axes.T)

    def body_spec(self, mass_kg: float = 75.0, height_m: float | None = None) -> BodySpec:
        """This figure's body, or one of `height_m`. Raises RigError where its own height is no Shot's and none is given."""
        low, high = HEIGHT_RANGE_M
        if height_m is None and not low <= self.height_m <= high:
            raise RigError(f"Armature {self.name!r} stands {self.height_m:.3g} m tall, expected {low:g} to {high:g} m; scale "
                           "the armature object to its real size, or give the height it stands for (--height on the command "
                           "line).")
        scale = 1.0 if height_m is None else height_m / self.height_m
        landmarks = {name: tuple(scale * x for x in point) for name, point in self.landmarks.items()}
        skin_m = {name: (scale * radius, scale * ahead) for name, (radius, ahead) in self.skin_m.items()} or None
        return BodySpec(height_m=self.height_m * scale, mass_kg=mass_kg, landmarks=landmarks, skin_m=skin_m)


PARENTS = {
    "pelvis": (), "lower_spine": ("pelvis",), "chest": ("lower_spine", "pelvis"),
    "neck": ("chest", "lower_spine", "pelvis"), "head": ("neck", "chest", "lower_spine", "pelvis"),
    "clavicle": ("chest", "lower_spine", "pelvis"), "upper_arm": ("clavicle", "chest", "lower_spine", "pelvis"),
    "forearm": ("upper_arm",), "hand": ("forearm",), "thigh": ("pelvis",), "shank": ("thigh",), "foot": ("shank",),
    "toes": ("foot",),
}
"""For each segment the ones that may carry its joint, nearest first; the rest is welded away."""

_SEGMENTS = {name + side for name in PARENTS for side in ("", "_L", "_R")}
"""Every segment, whether or not it has sides; the root bone is none."""


def bones_above(bones: Mapping[str, RestBone], name: str) -> Iterator[str]:
    """The bones above one, the nearest first."""
    above = bones[name].parent
    while above is not None:
        yield above
        above = bones[above].parent


def carrier_of(segment: str, bone_of: Mapping[str, str], hung_on: Mapping[str, str | None] | None = None) -> str | None:
    """The bone that carries a segment's joint: of the nearest one above with a bone; `hung_on` where it is no person's."""
    if hung_on is not None:
        above = hung_on[segment]
        while above is not None and above not in bone_of:
            above = hung_on[above]
        return None if above is None else bone_of[above]
    kind, side = (segment[:-2], segment[-2:]) if segment[-2:] in ("_L", "_R") else (segment, "")
    return next((bone_of[n] for name in PARENTS[kind] for n in (name + side, name) if n in bone_of), None)


def carriers_first(rig: str, bones: Iterable[RestBone], segment_of: Mapping[str, str],
                   hung_on: Mapping[str, str | None] | None = None) -> tuple[RestBone, ...]:
    """The bones, each after its parent and what carries it. Raises RigError where one hangs below a bone that it has to carry."""
    bone = {one.name: one for one in bones}
    bone_of = {segment: name for name, segment in segment_of.items()}
    known = _SEGMENTS if hung_on is None else hung_on
    done: dict[str, RestBone] = {}
    for name in bone:
        waiting = [name]
        while waiting:
            top = waiting[-1]
            carrier = carrier_of(segment_of[top], bone_of, hung_on) if segment_of.get(top) in known else None
            before = [one for one in (bone[top].parent, carrier) if one is not None and one not in done]
            if top in done or not before:
                done.setdefault(top, bone[top])
                waiting.pop()
            elif before[0] in waiting:
                raise RigError(f"Bone {top!r} of {rig!r} hangs below {before[0]!r}, which it has to carry; say which bone is "
                               "which in its bone map, or give it another parent.")
            else:
                waiting.append(before[0])
    return tuple(done.values())

# SPDX-License-Identifier: GPL-3.0-or-later
"""Space suits: added masses, a life-support pack on the back, and joints that resist; one JSON file each in `presets/suits`.

A suit changes the body, and the gait follows from the body. The garment's mass lies around each segment as a thin tube, the
pack is a box fixed to the chest, and every joint of the suit is a spring with a damper about the suit's own rest pose. The
wearer's strength stays that of the bare body.
"""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from ...checks import check_number
from ...errors import InputError, unknown_name
from ...specs.shot import NO_SUIT
from ..segments import ROOT_JOINTS, Capsule, Segment, kind_of
from .tree import CENTRAL_CHAIN, TREE

FORMAT = 1
FOLDER = Path(__file__).resolve().parents[3] / "presets" / "suits"
PACK_SEGMENT = "chest"
FLESH_KG_M3 = 1060.0
"""Mean density of a limb (Winter, "Biomechanics and Motor Control of Human Movement", table 4.1: 1.04 to 1.15)."""
EASE_M = 0.03
"""Distance of the garment's layers from the skin: bladder, restraint and thermal layers of a pressurised suit."""

FIELDS: dict[str, type | tuple[type, ...]] = {
    "format": int, "name": str, "label": str, "garment_kg": dict, "pack": (dict, type(None)), "joints": dict, "source": str,
}
"""The schema of a suit file: every field is required, no other is allowed."""


@dataclass(frozen=True)
class Pack:
    """A box on the back: mass, size (depth, width, height) and its centre from the middle of the chest, body axes."""

    mass_kg: float
    size_m: tuple[float, float, float]
    centre_m: tuple[float, float, float]


@dataclass(frozen=True)
class JointSpring:
    """What a joint of the suit does against bending: -stiffness (angle - rest) - damping rate.

    For a ball the angle is the rotation vector from the neutral pose and the rest is the neutral pose.
    """

    stiffness_nm_rad: float = 0.0
    damping_nms_rad: float = 0.0
    rest_deg: float = 0.0


@dataclass(frozen=True)
class Suit:
    """A suit. `garment_kg` and `joints` name kinds of segments: "thigh" is each of the two, a joint the segment below."""

    name: str = NO_SUIT
    label: str = "No suit"
    garment_kg: Mapping[str, float] = field(default_factory=dict)
    pack: Pack | None = None
    joints: Mapping[str, JointSpring] = field(default_factory=dict)

    @property
    def mass_kg(self) -> float:
        """Mass of everything worn, both sides."""
        worn = sum(mass * (1 if kind in CENTRAL else 2) for kind, mass in self.garment_kg.items())
        return worn + (self.pack.mass_kg if self.pack else 0.0)

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON types; `from_dict` gives an equal Suit back."""
        return {**dataclasses.asdict(replace(self, garment_kg={}, joints={})), "garment_kg": dict(self.garment_kg),
                "joints": {kind: dataclasses.asdict(spring) for kind, spring in self.joints.items()}}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], where: str = "This suit") -> Suit:
        """A Suit from `to_dict`'s output or a preset's fields. Raises InputError, its sentence beginning with `where`."""
        masses = {kind: check_number(f"{where}: garment_kg of {kind}", mass, 0.0, 100.0, "kg")
                  for kind, mass in _known(data["garment_kg"], where).items()}
        joints = {kind: _spring(values, f"{where}: joint {kind}") for kind, values in _known(data["joints"], where).items()}
        pack = None if data["pack"] is None else _pack(data["pack"], f"{where}: pack")
        return cls(data["name"], data["label"], masses, pack, joints)


CENTRAL = ("pelvis", *CENTRAL_CHAIN)
KINDS = ("pelvis", *TREE)


def suit_names() -> list[str]:
    """Names of all known suits, the lightest first."""
    return [suit.name for suit in sorted((read_preset(path) for path in FOLDER.glob("*.json")), key=lambda s: s.mass_kg)]


def load_suit(name: str) -> Suit:
    """The suit of that name, in any case. Raises InputError listing the known ones."""
    path = FOLDER / f"{str(name).strip().lower()}.json"
    if path.name not in {p.name for p in FOLDER.glob("*.json")}:
        raise unknown_name("suit", name, suit_names())
    return read_preset(path)


def read_preset(path: Path) -> Suit:
    """A suit file, checked against `FIELDS`. Raises InputError naming the file and the fault."""
    try:
        preset = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"The suit preset {path} cannot be read: {error}.") from error
    if not isinstance(preset, dict) or set(preset) != set(FIELDS):
        raise InputError(f"The suit preset {path} must hold exactly the fields {', '.join(FIELDS)}.")
    for name, kind in FIELDS.items():
        if not isinstance(preset[name], kind) or isinstance(preset[name], bool):
            raise InputError(f"In the suit preset {path} the field {name!r} has the wrong type: {preset[name]!r}.")
    if preset["format"] > FORMAT:
        raise InputError(
            f"The suit preset {path} has format {preset['format']}; this Lope reads up to {FORMAT}. Update Lope.")
    if preset["name"] != path.stem:
        raise InputError(f"The suit preset {path} calls itself {preset['name']!r}; its name must be its file's name.")
    return Suit.from_dict(preset, f"The suit preset {path}")


def _known(table: Mapping[str, Any], where: str) -> Mapping[str, Any]:
    for kind in table:
        if kind not in KINDS:
            raise InputError(f"{where}: there is no segment {kind!r}; known are {', '.join(KINDS)}.")
    return table


def _spring(values: Any, where: str) -> JointSpring:
    names = {f.name for f in dataclasses.fields(JointSpring)}
    if not isinstance(values, Mapping) or not set(values) <= names:
        raise InputError(f"{where} must hold some of {', '.join(sorted(names))}, got {values!r}.")
    return JointSpring(
        check_number(f"{where}, stiffness", values.get("stiffness_nm_rad", 0.0), 0.0, 500.0, "N m/rad"),
        check_number(f"{where}, damping", values.get("damping_nms_rad", 0.0), 0.0, 20.0, "N m s/rad"),
        check_number(f"{where}, rest angle", values.get("rest_deg", 0.0), -90.0, 90.0, "degrees"))


def _pack(values: Any, where: str) -> Pack:
    if not isinstance(values, Mapping) or set(values) != {f.name for f in dataclasses.fields(Pack)}:
        raise InputError(f"{where} must hold mass_kg, size_m and centre_m, got {values!r}.")
    triples = {}
    for name, low, high in (("size_m", 0.01, 2.0), ("centre_m", -2.0, 2.0)):
        if not isinstance(values[name], Sequence) or len(values[name]) != 3:
            raise InputError(f"{where}: {name} needs three numbers, got {values[name]!r}.")
        triples[name] = tuple(check_number(f"{where}, {name}", v, low, high, "m") for v in values[name])
    return Pack(check_number(f"{where}, mass", values["mass_kg"], 0.0, 300.0, "kg"), **triples)


def dressed(segments: Sequence[Segment], suit: Suit) -> list[Segment]:
    """The segments of a bare body with the suit on. What belongs to a segment the body lacks goes to the one above it."""
    made = {s.name: s for s in segments}
    for kind, mass in suit.garment_kg.items():
        for side in ("",) if kind in CENTRAL else ("_L", "_R"):
            name = _carrier(kind + side, made)
            bare = made[name].mass_kg if made[name].flesh_kg is None else made[name].flesh_kg
            made[name] = replace(_with_mass(made[name], mass, *_tube(made[name], mass)), flesh_kg=bare, worn_m=EASE_M)
    if suit.pack:
        name = _carrier(PACK_SEGMENT, made)
        bare = made[name].mass_kg if made[name].flesh_kg is None else made[name].flesh_kg
        made[name] = replace(_with_mass(made[name], suit.pack.mass_kg, *_box(made[name], suit.pack)), flesh_kg=bare)
    for name in [n for n in made if kind_of(n) in suit.joints and made[n].joint not in ROOT_JOINTS]:
        spring = suit.joints[kind_of(name)]
        rest = math.radians(spring.rest_deg) if made[name].joint == "hinge" else 0.0
        made[name] = replace(made[name], stiffness_nm_rad=spring.stiffness_nm_rad, damping_nms_rad=spring.damping_nms_rad,
                             rest_rad=rest)
    return list(made.values())


def pack_capsules(segments: Sequence[Segment], suit: Suit) -> tuple[Capsule, ...]:
    """Two capsules side by side, as deep, wide and high as the suit's pack; none without one."""
    if suit.pack is None:
        return ()
    made = {s.name: s for s in segments}
    segment = made[_carrier(PACK_SEGMENT, made)]
    depth, width, height = suit.pack.size_m
    radius = 0.5 * min(depth, width, height)
    centre = 0.5 * segment.tip + np.array(suit.pack.centre_m)
    up = np.array([0.0, 0.0, 0.5 * height - radius])
    across = np.array([0.0, 0.5 * width - radius, 0.0])
    return tuple(Capsule(f"pack_{i}", segment.name, centre + sign * across - up, centre + sign * across + up, radius, radius)
                 for i, sign in enumerate((1.0, -1.0)))


def _carrier(name: str, made: Mapping[str, Segment]) -> str:
    """The segment itself, or the nearest one above it that the body has."""
    while name not in made:
        kind = kind_of(name)
        parent = TREE[kind][0]
        name = parent if parent in CENTRAL else parent + name[len(kind):]
    return name


def _tube(segment: Segment, mass: float) -> tuple[np.ndarray, np.ndarray]:
    """Centre (3,) [m] and inertia (3, 3) of a thin tube of that mass around a segment, over its flesh."""
    length = max(float(np.linalg.norm(segment.tip)), 0.02)
    radius = math.sqrt(segment.mass_kg / (FLESH_KG_M3 * math.pi * length)) + EASE_M
    along = segment.tip / length
    across = np.eye(3) - np.outer(along, along)
    inertia = mass * (radius**2 * np.outer(along, along) + (0.5 * radius**2 + length**2 / 12.0) * across)
    return 0.5 * segment.tip, inertia


def _box(segment: Segment, pack: Pack) -> tuple[np.ndarray, np.ndarray]:
    """Centre (3,) [m] and inertia (3, 3) of the pack in its segment's frame."""
    x, y, z = np.square(pack.size_m)
    return 0.5 * segment.tip + np.array(pack.centre_m), pack.mass_kg / 12.0 * np.diag([y + z, x + z, x + y])


def _with_mass(segment: Segment, mass: float, centre: np.ndarray, inertia: np.ndarray) -> Segment:
    """The segment with a rigid body added (parallel axes)."""
    total = segment.mass_kg + mass
    com = (segment.mass_kg * segment.com + mass * centre) / total
    return replace(segment, mass_kg=total, com=com, inertia=segment.inertia + inertia
                   + _offset_inertia(segment.mass_kg, segment.com - com) + _offset_inertia(mass, centre - com))


def _offset_inertia(mass: float, offset: np.ndarray) -> np.ndarray:
    """Inertia (3, 3) of a point mass at `offset` (3,)."""
    return mass * (float(offset @ offset) * np.eye(3) - np.outer(offset, offset))

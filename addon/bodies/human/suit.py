# SPDX-License-Identifier: GPL-3.0-or-later
"""Space suits: added masses, a life-support pack on the back, and joints that resist; one JSON file each in `presets/suits`. The
garment's mass lies around each segment as a thin tube, the pack is a box fixed to the chest, and every joint of the suit is a
spring with a damper about the suit's own rest pose. The wearer's strength stays that of the bare body."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from ...checks import Maybe, Number, Part, Series, Table, Text, Whole
from ...specs.settings import PRESETS, Checked, known_file, setting, settings_of
from ...specs.settings import read_preset as read_file
from ...specs.shot import NO_SUIT
from ..body import ROOT_JOINTS, Capsule, Segment, kind_of
from .tree import CENTRAL_CHAIN, TREE

FORMAT = 1
FOLDER = PRESETS / "suits"
PACK_SEGMENT = "chest"
FLESH_KG_M3 = 1060.0
"""Mean density of a limb (Winter, "Biomechanics and Motor Control of Human Movement", table 4.1: 1.04 to 1.15)."""
EASE_M = 0.03
"""Distance of the garment's layers from the skin: bladder, restraint and thermal layers of a pressurised suit."""

CENTRAL = ("pelvis", *CENTRAL_CHAIN)
KINDS = ("pelvis", *TREE)


@dataclass(frozen=True)
class Pack(Checked):
    """A box on the back: mass, size (depth, width, height) and its centre from the middle of the chest, body axes."""

    WHOSE, FIELD = "The pack's", "pack field"
    mass_kg: float = setting(rule=Number(0.0, 300.0, "kg"))
    size_m: tuple[float, float, float] = setting(rule=Series(Number(0.01, 2.0, "m"), 3))
    centre_m: tuple[float, float, float] = setting(rule=Series(Number(-2.0, 2.0, "m"), 3))


@dataclass(frozen=True)
class JointSpring(Checked):
    """What a joint of the suit does against bending: -stiffness (angle - rest) - damping rate. For a ball the angle is the
    rotation vector from the neutral pose and the rest is the neutral pose."""

    WHOSE, FIELD = "A joint spring's", "joint spring field"
    stiffness_nm_rad: float = setting(0.0, 0.0, 500.0, "N m/rad")
    damping_nms_rad: float = setting(0.0, 0.0, 20.0, "N m s/rad")
    rest_deg: float = setting(0.0, -90.0, 90.0, "degrees", words="rest angle")


@dataclass(frozen=True)
class Suit(Checked):
    """A suit. `garment_kg` and `joints` name kinds of segments: "thigh" is each of the two, a joint the segment below."""

    WHOSE, FIELD = "The suit's", "suit field"
    name: str = setting(NO_SUIT)
    label: str = setting("No suit")
    garment_kg: Mapping[str, float] = setting(factory=dict, rule=Table(Number(0.0, 100.0, "kg"), "segment", KINDS))
    pack: Pack | None = setting(None, rule=Maybe(Part(Pack)))
    joints: Mapping[str, JointSpring] = setting(factory=dict, rule=Table(Part(JointSpring), "segment", KINDS))

    def __hash__(self) -> int:
        return hash((self.name, *self.garment_kg.items()))

    @property
    def mass_kg(self) -> float:
        worn = sum(mass * (1 if kind in CENTRAL else 2) for kind, mass in self.garment_kg.items())
        return worn + (self.pack.mass_kg if self.pack else 0.0)

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON types; `from_dict` gives an equal Suit back."""
        return {**dataclasses.asdict(replace(self, garment_kg={}, joints={})), "garment_kg": dict(self.garment_kg),
                "joints": {kind: dataclasses.asdict(spring) for kind, spring in self.joints.items()}}


@dataclass(frozen=True)
class SuitPreset(Checked):
    """What a suit's file holds: the suit's own fields and where they are from, all of them required."""

    FIELD = "suit preset field"
    format: int = setting(rule=Whole(1))
    name: str = setting(rule=Text())
    label: str = setting(rule=Text())
    garment_kg: Mapping[str, float] = setting(rule=settings_of(Suit)["garment_kg"].rule, words="garment")
    pack: Pack | None = setting(rule=settings_of(Suit)["pack"].rule)
    joints: Mapping[str, JointSpring] = setting(rule=settings_of(Suit)["joints"].rule)
    source: str = setting(rule=Text())


def suit_names() -> list[str]:
    """Names of all known suits, the lightest first."""
    return [suit.name for suit in sorted((read_preset(path) for path in FOLDER.glob("*.json")), key=lambda s: s.mass_kg)]


def load_suit(name: str) -> Suit:
    """The suit of that name, in any case. Raises InputError listing the known ones."""
    return read_preset(known_file(FOLDER, "suit", str(name).strip().lower()))


def read_preset(path: Path) -> Suit:
    """The suit in a file. Raises InputError naming the file and the fault."""
    found = read_file(path, SuitPreset, "suit preset", newest=FORMAT)
    return Suit(found.name, found.label, found.garment_kg, found.pack, found.joints)


def dressed(segments: Sequence[Segment], suit: Suit) -> list[Segment]:
    """The segments of a bare body with the suit on. What belongs to a segment the body lacks goes to the one above it."""
    made = {s.name: s for s in segments}
    for kind, mass in suit.garment_kg.items():
        for side in ("",) if kind in CENTRAL else ("_L", "_R"):
            name = _carrier(kind + side, made)
            bare = made[name].mass_kg if made[name].flesh_kg is None else made[name].flesh_kg
            made[name] = replace(with_mass(made[name], mass, *_tube(made[name], mass)), flesh_kg=bare,
                                 worn_m=max(made[name].worn_m, EASE_M))
    if suit.pack:
        name = _carrier(PACK_SEGMENT, made)
        bare = made[name].mass_kg if made[name].flesh_kg is None else made[name].flesh_kg
        made[name] = replace(with_mass(made[name], suit.pack.mass_kg, *_box(made[name], suit.pack)), flesh_kg=bare)
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


def with_mass(segment: Segment, mass: float, centre: np.ndarray, inertia: np.ndarray) -> Segment:
    """The segment with a rigid body added, of that centre (3,) and inertia (3, 3) about it (parallel axes)."""
    total = segment.mass_kg + mass
    com = (segment.mass_kg * segment.com + mass * centre) / total
    return replace(segment, mass_kg=total, com=com, inertia=segment.inertia + inertia
                   + _offset_inertia(segment.mass_kg, segment.com - com) + _offset_inertia(mass, centre - com))


def _offset_inertia(mass: float, offset: np.ndarray) -> np.ndarray:
    """Inertia (3, 3) of a point mass at `offset` (3,)."""
    return mass * (float(offset @ offset) * np.eye(3) - np.outer(offset, offset))

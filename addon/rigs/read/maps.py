# SPDX-License-Identifier: GPL-3.0-or-later
"""Bone maps: which bone of which family of rigs is which segment. One JSON file a family in `presets/rigs` (`MapFile`): its names
may hold `{side}`, for which what `sides` has for L and R stands; `bones` are names in order of preference; `signature` names tell
the family from the others, `absent` ones it never has; `prefix` is a regular expression for what its exporters put before names,
`root` a bone above the hips that carries the travel. A family whose animators move controls says so with `controls`: `parents`
(segment -> the segment, or "root", whose control carries it, where that differs from the body's own tree), `ik` controls of a
leg, `properties` to key with their `fk` and `ik` values, of the segment `of`, and `helpers` (controls that have to rest -> the
segment that they move); `joints` and `skin` then name the bones at the joints, and those that move the skin of foot and head."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from ...checks import Anything, Choice, Maybe, Number, Part, Series, Table, Text
from ...errors import InputError, RigError
from ...specs.settings import PRESETS, Checked, read_fields, read_json, setting

FOLDER = PRESETS / "rigs"
CENTRAL = ("pelvis", "lower_spine", "chest", "neck", "head")
SIDED = ("clavicle", "upper_arm", "forearm", "hand", "thigh", "shank", "foot", "toes")
SEGMENTS = CENTRAL + tuple(f"{name}_{side}" for side in ("L", "R") for name in SIDED)
"""Every segment a bone may drive, parents before children."""
REQUIRED = ("pelvis",) + tuple(
    f"{name}_{side}" for side in ("L", "R") for name in ("thigh", "shank", "foot", "upper_arm", "forearm"))
"""Segments without which an armature is no figure that walks; the others are welded where the rig lacks them."""
PLACES = ("trunk", "leg_L", "leg_R", "foot_L", "foot_R", "neck", "head", "tail", "arm_L", "arm_R")
"""What can be said of a creature: the bones at which these parts begin. A leg begins at the hip."""


@dataclass(frozen=True)
class Property:
    """A custom property of a bone that a bake sets: its value with FK and with IK legs; `of`: whose control it is for."""

    bone: str
    name: str
    fk: float
    ik: float
    of: str


@dataclass(frozen=True)
class Controls:
    """How a rig's controls hang together: `parents` (segment -> segment or "root"), `ik` ("foot_L" ... -> bone). `helpers` are
    controls that move others on the list, and so have to rest, with the segment that each one moves."""

    parents: dict[str, str]
    ik: dict[str, str]
    properties: tuple[Property, ...]
    helpers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class BoneMap:
    """A family of rigs: for each segment the bone names it may have, in order of preference."""

    name: str
    label: str
    bones: dict[str, tuple[str, ...]]
    signature: tuple[str, ...]
    absent: tuple[str, ...] = ()
    prefix: str | None = None
    note: str = field(default="", compare=False)
    root: tuple[str, ...] = ()
    joints: dict[str, tuple[str, ...]] = field(default_factory=dict)
    skin: dict[str, tuple[str, ...]] = field(default_factory=dict)
    controls: Controls | None = None


class Names(Series):
    def read(self, what, value):
        return super().read(what, [value] if isinstance(value, str) else value)


NAMES = Names(Text())
BY_SEGMENT = Table(NAMES, "segment of a rig", CENTRAL + SIDED)


@dataclass(frozen=True)
class PropertyFile(Checked):
    FIELD = "property field"
    bone: str = setting(rule=Text())
    name: str = setting(rule=Text())
    fk: float = setting(rule=Number(-1e6, 1e6))
    ik: float = setting(rule=Number(-1e6, 1e6))
    of: str = setting(rule=Choice("segment", CENTRAL + SIDED))


@dataclass(frozen=True)
class ControlsFile(Checked):
    FIELD = "controls field"
    parents: dict[str, str] = setting(factory=dict, rule=Table(Text()))
    ik: dict[str, str] = setting(factory=dict, rule=Table(Text(), "leg control", ("foot", "toes", "pole")))
    properties: tuple[PropertyFile, ...] = setting((), rule=Series(Part(PropertyFile)))
    helpers: dict[str, str] = setting(factory=dict, rule=Table(Choice("segment", CENTRAL + SIDED)))


@dataclass(frozen=True)
class MapFile(Checked):
    FIELD = "bone map field"
    name: str = setting(rule=Text())
    label: str = setting(rule=Text())
    sides: dict[str, str] = setting(rule=Table(Text(), "side", ("L", "R")))
    signature: tuple[str, ...] = setting(rule=Series(Text()))
    bones: dict[str, tuple[str, ...]] = setting(rule=BY_SEGMENT)
    joints: dict[str, tuple[str, ...]] = setting(factory=dict, rule=BY_SEGMENT)
    skin: dict[str, tuple[str, ...]] = setting(factory=dict, rule=BY_SEGMENT)
    absent: tuple[str, ...] = setting((), rule=Series(Text()))
    root: tuple[str, ...] = setting((), rule=NAMES)
    prefix: str | None = setting(None, rule=Maybe(Text()))
    note: str = setting("", rule=Anything())
    controls: ControlsFile | None = setting(None, rule=Maybe(Part(ControlsFile)))


def read_map(path: Path) -> BoneMap:
    """The family in a JSON file. Raises RigError naming the file and what is wrong with it."""
    try:
        found = read_fields(MapFile, read_json(path, "bone map"))
        re.compile(found.prefix or "")
        bones, joints, skin = (_spread(part, found.sides) for part in (found.bones, found.joints, found.skin))
        controls = None if found.controls is None else _controls(found.controls, found.sides)
    except (InputError, ValueError, KeyError, IndexError, re.error) as error:
        raise RigError(f"The bone map {path} cannot be used: {error}") from error
    if not bones:
        raise RigError(f"The bone map {path} holds no bones.")
    return BoneMap(found.name, found.label, bones, found.signature, found.absent, found.prefix, str(found.note), found.root,
                   joints, skin, controls)


def _spread(entries: dict[str, tuple[str, ...]], sides: dict[str, str]) -> dict[str, tuple[str, ...]]:
    """Segment (with its side) -> names."""
    found: dict[str, tuple[str, ...]] = {}
    for segment, names in entries.items():
        if segment in CENTRAL:
            found[segment] = names
        else:
            for side, text in sides.items():
                found[f"{segment}_{side}"] = tuple(name.format(side=text) for name in names)
    return found


def _controls(data: ControlsFile, sides: dict[str, str]) -> Controls:
    ik = {f"{end}_{side}": name.format(side=text) for end, name in data.ik.items() for side, text in sides.items()}
    properties = {}
    for entry in data.properties:
        for side, text in sides.items():
            found = Property(entry.bone.format(side=text), entry.name, float(entry.fk), float(entry.ik), _sided(entry.of, side))
            properties[found.bone, found.name] = found
    helpers = {name.format(side=text): _sided(of, side) for name, of in data.helpers.items() for side, text in sides.items()}
    return Controls(dict(data.parents), ik, tuple(properties.values()), helpers)


def _sided(segment: str, side: str) -> str:
    return segment if segment in CENTRAL else f"{segment}_{side}"


@lru_cache(maxsize=1)
def known_maps() -> tuple[BoneMap, ...]:
    """Every family in `presets/rigs`, in order of name."""
    return tuple(read_map(path) for path in sorted(FOLDER.glob("*.json")))

# SPDX-License-Identifier: GPL-3.0-or-later
"""Bone maps: which bone of which family of rigs is which segment. One JSON file a family in `presets/rigs`.

A file holds `name`, `label`, `note`, `sides` (what stands for L and R in its names), `bones` (segment -> bone name, or a
list of names in order of preference, with `{side}` where the side stands), `signature` (names that tell the family from the
others), and optionally `absent` (names it never has), `prefix` (a regular expression its exporters put before names) and
`root` (names of a bone above the hips that carries the travel).

A family whose animators move controls, not the skeleton, says so with `controls`: `parents` (segment -> the segment whose
control carries it, where that differs from the body's own tree; "root" for the root bone), `ik` (`foot`, `toes` and `pole`:
the IK controls of a leg), `properties` (custom properties to key: `bone`, `name`, and their `fk` and `ik` value), `helpers`
(controls that have to rest). Its `joints` (segment -> the bone that lies at the joint) and `skin` (the bone that moves the
skin of `foot` and `head`) are then read instead of the controls.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from ...errors import RigError

FOLDER = Path(__file__).resolve().parents[3] / "presets" / "rigs"
CENTRAL = ("pelvis", "lower_spine", "chest", "neck", "head")
SIDED = ("clavicle", "upper_arm", "forearm", "hand", "thigh", "shank", "foot", "toes")
SEGMENTS = CENTRAL + tuple(f"{name}_{side}" for side in ("L", "R") for name in SIDED)
"""Every segment a bone may drive, parents before children."""

REQUIRED = ("pelvis",) + tuple(
    f"{name}_{side}" for side in ("L", "R") for name in ("thigh", "shank", "foot", "upper_arm", "forearm"))
"""Segments without which an armature is no figure that walks; the others are welded where the rig lacks them."""


@dataclass(frozen=True)
class Property:
    """A custom property of a bone that a bake sets: its value with FK and with IK legs."""

    bone: str
    name: str
    fk: float
    ik: float


@dataclass(frozen=True)
class Controls:
    """How a rig's controls hang together: `parents` (segment -> segment or "root"), `ik` ("foot_L" ... -> bone).

    `helpers` are controls that move others on the list; they have to rest.
    """

    parents: dict[str, str]
    ik: dict[str, str]
    properties: tuple[Property, ...]
    helpers: tuple[str, ...] = ()


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


def read_map(path: Path) -> BoneMap:
    """The family in a JSON file. Raises RigError naming the file and what is wrong with it."""
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
        sides = data["sides"]
        prefix = data.get("prefix")
        if prefix is not None:
            re.compile(prefix)
        controls = _controls(data["controls"], sides) if "controls" in data else None
        bones, joints, skin = (_spread(data.get(part, {}), sides, path) for part in ("bones", "joints", "skin"))
        if not bones:
            raise RigError(f"The bone map {path} holds no bones.")
        return BoneMap(data["name"], data["label"], bones, tuple(data["signature"]), tuple(data.get("absent", ())), prefix,
                       data.get("note", ""), _names(data.get("root", ())), joints, skin, controls)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, re.error) as error:
        raise RigError(f"The bone map {path} cannot be read: {error!r}.") from error


def _names(names: str | list[str]) -> tuple[str, ...]:
    return (names,) if isinstance(names, str) else tuple(names)


def _spread(entries: dict, sides: dict[str, str], path: Path) -> dict[str, tuple[str, ...]]:
    """Segment (with its side) -> names. Raises RigError for an unknown segment."""
    found: dict[str, tuple[str, ...]] = {}
    for segment, names in entries.items():
        if segment in CENTRAL:
            found[segment] = _names(names)
        elif segment in SIDED:
            for side, text in sides.items():
                found[f"{segment}_{side}"] = tuple(name.format(side=text) for name in _names(names))
        else:
            raise RigError(f"The bone map {path} names a segment {segment!r}; known: {', '.join(CENTRAL + SIDED)}.")
    return found


def _controls(data: dict, sides: dict[str, str]) -> Controls:
    """The controls of a family, each sided name spread over both sides."""
    ik = {f"{end}_{side}": name.format(side=text)
          for end, name in data.get("ik", {}).items() for side, text in sides.items()}
    properties = {}
    for entry in data.get("properties", ()):
        for text in sides.values():
            found = Property(entry["bone"].format(side=text), entry["name"], float(entry["fk"]), float(entry["ik"]))
            properties[found.bone, found.name] = found
    helpers = dict.fromkeys(name.format(side=text) for name in data.get("helpers", ()) for text in sides.values())
    return Controls(dict(data.get("parents", {})), ik, tuple(properties.values()), tuple(helpers))


@lru_cache(maxsize=1)
def known_maps() -> tuple[BoneMap, ...]:
    """Every family in `presets/rigs`, in order of name."""
    return tuple(read_map(path) for path in sorted(FOLDER.glob("*.json")))

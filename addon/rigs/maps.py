# SPDX-License-Identifier: GPL-3.0-or-later
"""Bone maps: which bone of which family of rigs is which segment. One JSON file a family in `presets/rigs`.

A file holds `name`, `label`, `note`, `sides` (what stands for L and R in its names), `bones` (segment -> bone name, or a
list of names in order of preference, with `{side}` where the side stands), `signature` (names that tell the family from the
others), and optionally `absent` (names it never has) and `prefix` (a regular expression its exporters put before names).
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from ..errors import RigError

FOLDER = Path(__file__).resolve().parents[2] / "presets" / "rigs"
CENTRAL = ("pelvis", "lower_spine", "chest", "neck", "head")
SIDED = ("clavicle", "upper_arm", "forearm", "hand", "thigh", "shank", "foot", "toes")
SEGMENTS = CENTRAL + tuple(f"{name}_{side}" for side in ("L", "R") for name in SIDED)
"""Every segment a bone may drive, parents before children."""

REQUIRED = ("pelvis",) + tuple(
    f"{name}_{side}" for side in ("L", "R") for name in ("thigh", "shank", "foot", "upper_arm", "forearm"))
"""Segments without which an armature is no figure that walks; the others are welded where the rig lacks them."""


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


def read_map(path: Path) -> BoneMap:
    """The family in a JSON file. Raises RigError naming the file and what is wrong with it."""
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
        bones: dict[str, tuple[str, ...]] = {}
        for segment, names in data["bones"].items():
            names = (names,) if isinstance(names, str) else tuple(names)
            if segment in CENTRAL:
                bones[segment] = names
            elif segment in SIDED:
                for side, text in data["sides"].items():
                    bones[f"{segment}_{side}"] = tuple(name.format(side=text) for name in names)
            else:
                raise RigError(f"The bone map {path} names a segment {segment!r}; known: {', '.join(CENTRAL + SIDED)}.")
        prefix = data.get("prefix")
        if prefix is not None:
            re.compile(prefix)
        return BoneMap(data["name"], data["label"], bones, tuple(data["signature"]), tuple(data.get("absent", ())), prefix,
                       data.get("note", ""))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, re.error) as error:
        raise RigError(f"The bone map {path} cannot be read: {error!r}.") from error


@lru_cache(maxsize=1)
def known_maps() -> tuple[BoneMap, ...]:
    """Every family in `presets/rigs`, in order of name."""
    return tuple(read_map(path) for path in sorted(FOLDER.glob("*.json")))

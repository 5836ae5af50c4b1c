# SPDX-License-Identifier: GPL-3.0-or-later
"""Naming families of motion capture skeletons: which joint of a file sits at which landmark."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..errors import ClipError

# landmark -> accepted joint names, already normalised (see `plain_name`); {side} stands for left or right, {s} for l or r.
FAMILIES: dict[str, dict[str, tuple[str, ...]]] = {
    "cgspeed": {  # MotionBuilder-friendly CMU conversions, and Mixamo, which shares the names of the limbs
        "hip": ("{side}upleg",), "knee": ("{side}leg",), "ankle": ("{side}foot",), "toes": ("{side}toebase",),
        "clavicle": ("{side}shoulder",), "shoulder": ("{side}arm",), "elbow": ("{side}forearm",), "wrist": ("{side}hand",),
        "head": ("head",),
    },
    "snu": {
        "hip": ("{side}upleg",), "knee": ("{side}leg",), "ankle": ("{side}foot",), "toes": ("{side}toes", "{side}toe"),
        "clavicle": ("{side}shoulder1", "{side}shoulder"), "shoulder": ("{side}arm",), "elbow": ("{side}forearm",),
        "wrist": ("{side}hand",), "head": ("head",),
    },
    "3dsmax": {
        "hip": ("{side}hip",), "knee": ("{side}knee",), "ankle": ("{side}ankle",), "toes": ("{side}toe",),
        "clavicle": ("{side}collar",), "shoulder": ("{side}shoulder",), "elbow": ("{side}elbow",), "wrist": ("{side}wrist",),
        "head": ("head",),
    },
    "anatomical": {  # plain English, as hand-made rigs and other exporters have it, side before or after
        "hip": ("{side}thigh", "thigh{side}", "thigh{s}", "{side}upperleg", "upperleg{side}", "upperleg{s}", "upleg{s}"),
        "knee": ("{side}shin", "shin{side}", "shin{s}", "{side}calf", "calf{side}", "calf{s}", "{side}lowerleg",
                 "lowerleg{side}", "lowerleg{s}"),
        "ankle": ("{side}foot", "foot{side}", "foot{s}"),
        "toes": ("{side}toe", "toe{side}", "toe{s}", "{side}toes", "toes{side}", "toes{s}", "ball{s}", "ball{side}"),
        "clavicle": ("{side}clavicle", "clavicle{side}", "clavicle{s}", "{side}shoulder", "shoulder{side}", "shoulder{s}"),
        "shoulder": ("{side}upperarm", "upperarm{side}", "upperarm{s}"),
        "elbow": ("{side}forearm", "forearm{side}", "forearm{s}", "{side}lowerarm", "lowerarm{side}", "lowerarm{s}"),
        "wrist": ("{side}hand", "hand{side}", "hand{s}"),
        "head": ("head",),
    },
}
SIDED = ("hip", "knee", "ankle", "toes", "clavicle", "shoulder", "elbow", "wrist")
REQUIRED = tuple(f"{n}_{s}" for n in ("hip", "knee", "ankle", "shoulder", "elbow") for s in "LR")


def plain_name(name: str) -> str:
    """A joint name without name space, case, blanks and punctuation: 'mixamorig:LeftUpLeg' gives 'leftupleg'."""
    return re.sub(r"[\s_.\-]", "", name.rsplit(":", 1)[-1]).lower()


def match_names(names: Sequence[str], path: str) -> tuple[str, dict[str, int]]:
    """The family that explains a skeleton best, and landmark -> joint index. Raises ClipError naming what is missing."""
    index: dict[str, int] = {}
    for i, name in enumerate(names):
        index.setdefault(plain_name(name), i)
    best: tuple[str, dict[str, int]] = ("", {})
    for family, table in FAMILIES.items():
        found = _match_family(table, index)
        if _score(found) > _score(best[1]):
            best = (family, found)
    missing = [name for name in REQUIRED if name not in best[1]]
    if missing:
        shown = ", ".join(names[:12]) + (" ..." if len(names) > 12 else "")
        raise ClipError(f"{path}: no joint was found for {', '.join(missing)}. Its joints are {shown}; Lope knows the names "
                        "of CMU (cgspeed and 3dsMax-friendly), SNU, Mixamo and plain English skeletons. Rename the joints.")
    if any(name.lower().startswith("mixamorig") for name in names):
        return "mixamo", best[1]
    return best


def _score(found: dict[str, int]) -> tuple[int, int]:
    return sum(name in found for name in REQUIRED), len(found)


def _match_family(table: dict[str, tuple[str, ...]], index: dict[str, int]) -> dict[str, int]:
    found: dict[str, int] = {}
    for landmark, patterns in table.items():
        for side, word, letter in (("L", "left", "l"), ("R", "right", "r")):
            key = f"{landmark}_{side}" if landmark in SIDED else landmark
            for pattern in patterns:
                name = pattern.format(side=word, s=letter)
                if name in index:
                    found.setdefault(key, index[name])
    return found

# SPDX-License-Identifier: GPL-3.0-or-later
"""Naming families of motion capture skeletons: a hint which joint of a file sits at which landmark, and which side is left."""

from __future__ import annotations

import re
from collections.abc import Sequence

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

_MIXAMO = re.compile(r"^mixamorig\d*_?", re.IGNORECASE)


def plain_name(name: str) -> str:
    """A joint name without name space, Mixamo's prefix in any of its forms, case, blanks and punctuation: 'mixamorig:LeftUpLeg'
    and 'mixamorig6_LeftUpLeg' give 'leftupleg'."""
    return re.sub(r"[\s_.\-]", "", _MIXAMO.sub("", name.rsplit(":", 1)[-1])).lower()


def match_names(names: Sequence[str]) -> tuple[str, dict[str, int]]:
    """The family that explains a skeleton's names best, and landmark -> joint index; nothing where not all limbs are named."""
    index: dict[str, int] = {}
    for i, name in enumerate(names):
        index.setdefault(plain_name(name), i)
    best: tuple[str, dict[str, int]] = ("", {})
    for family, table in FAMILIES.items():
        found = _match_family(table, index)
        if _score(found) > _score(best[1]):
            best = (family, found)
    if any(name not in best[1] for name in REQUIRED):
        return "", {}
    if any(name.lower().startswith("mixamorig") for name in names):
        return "mixamo", best[1]
    return best


_LEFT_WORDS = ("left", "links", "gauche", "izquierda", "izq", "sinistra", "esquerda", "hidari", "左", "왼")
_RIGHT_WORDS = ("right", "rechts", "droite", "derecha", "der", "destra", "direita", "migi", "右", "오른")


def named_sides(names: Sequence[str]) -> tuple[int, ...]:
    """For each joint 1 where its name says left, -1 right, 0 neither: by words, by a single l or r set off from the rest, or by
    a first letter l where another name is the same with an r."""
    known = {plain_name(name) for name in names}
    return tuple(_named_side(name, known) for name in names)


def _named_side(name: str, known: set[str]) -> int:
    words = [w.lower() for w in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\W\da-zA-Z_]+", name.rsplit(":", 1)[-1])]
    left, right = (any(word in (letter, *own) or word.startswith(own[-2:]) for word in words)
                   for letter, own in (("l", _LEFT_WORDS), ("r", _RIGHT_WORDS)))
    plain = plain_name(name)
    if not left and not right and plain[1:]:
        left, right = (plain.startswith(word) or plain.endswith(word) or (plain[0] == letter and other + plain[1:] in known)
                       for word, letter, other in (("left", "l", "r"), ("right", "r", "l")))
    return int(left) - int(right)


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

# SPDX-License-Identifier: GPL-3.0-or-later
"""Recognise a rig by the names of its bones, and say plainly what is missing when it is not one that walks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from ...errors import RigError
from .maps import REQUIRED, SEGMENTS, BoneMap, Controls, known_maps

_PARTS = {"thigh": "legs", "shank": "legs", "foot": "legs", "upper_arm": "arms", "forearm": "arms", "pelvis": "hips"}
SKINNED = ("foot_L", "foot_R", "head")
"""Segments whose skin is measured."""

OWN = "custom"
"""The family of a rig whose bones the artist has named."""

_ENOUGH_TO_GUESS = 5  # this many of the required bones found make a family the likely one


@dataclass(frozen=True)
class Match:
    """The family of a rig (its map's name and label), and the bone that each segment found.

    `bone_of` names the bones that get keys. `joint_of` names those that lie at the joints, `skin_of` those that move the
    skin of "foot_L", "foot_R" and "head": the same bones, but on rigs whose controls differ from their skeleton. `root` is a
    bone above the hips that can carry the travel. `controls` is there on rigs with controls. `signed`: whether the names that
    tell the family from others are there. `unsure` are segments that may be other bones.
    """

    family: str
    label: str
    bone_of: dict[str, str]
    joint_of: dict[str, str]
    skin_of: dict[str, str]
    root: str | None = None
    controls: Controls | None = None
    signed: bool = True
    unsure: frozenset[str] = frozenset()

    @classmethod
    def plain(cls, family: str, label: str, bone_of: dict[str, str], root: str | None = None) -> Match:
        """A rig whose skeleton itself is keyed."""
        skin = {segment: bone_of[segment] for segment in SKINNED if segment in bone_of}
        return cls(family, label, bone_of, dict(bone_of), skin, root)


def detect(bone_names: Iterable[str], rig: str = "armature", maps: Iterable[BoneMap] | None = None) -> Match:
    """The family that fits best: one whose signature the rig bears, then the one that finds most segments.

    Raises RigError naming the missing parts and the bones that were expected.
    """
    names = list(bone_names)
    lookups: dict[str | None, _Lookup] = {}
    tried = _tried(names, known_maps() if maps is None else maps, lookups)
    complete = [t for t in tried if all(segment in t[3] for segment in REQUIRED) and (t[1] or t[2].controls is None)]
    if complete:
        _, signed, bone_map, bone_of = max(complete, key=lambda t: (t[1], t[2].controls is not None and t[1], t[0]))
        return replace(_match(bone_map, bone_of, lookups[bone_map.prefix], set(names)), signed=signed)
    raise _not_a_figure(rig, names, tried)


def _tried(names: list[str], maps: Iterable[BoneMap], lookups: dict[str | None, _Lookup]) -> list[tuple]:
    """For each family: how many segments found a bone, whether its signature is there, the family, and the bones."""
    tried = []
    for bone_map in maps:
        lookup = lookups.get(bone_map.prefix) or lookups.setdefault(bone_map.prefix, _Lookup(names, bone_map.prefix))
        found = {segment: lookup.first(wanted) for segment, wanted in bone_map.bones.items()}
        bone_of = {segment: found[segment] for segment in SEGMENTS if found.get(segment) is not None}
        signed = all(lookup.first((name,)) for name in bone_map.signature)
        barred = any(lookup.first((name,)) for name in bone_map.absent)
        tried.append((len(bone_of), signed and not barred, bone_map, bone_of))
    return tried


def _match(bone_map: BoneMap, bone_of: dict[str, str], lookup: _Lookup, known: set[str]) -> Match:
    """The match of a family that fits."""
    root = lookup.first(bone_map.root)
    if bone_map.controls is None:
        return Match.plain(bone_map.name, bone_map.label, bone_of, root)
    joint_of = {s: lookup.first(bone_map.joints.get(s, (bone,))) or bone for s, bone in bone_of.items()}
    skin_of = {s: lookup.first(bone_map.skin.get(s, ())) or joint_of[s] for s in SKINNED if s in joint_of}
    ik = {end: bone for end, bone in bone_map.controls.ik.items() if bone in known}
    properties = tuple(p for p in bone_map.controls.properties if p.bone in known)
    return Match(bone_map.name, bone_map.label, bone_of, joint_of, skin_of, root,
                 replace(bone_map.controls, ik=ik, properties=properties))


def check_mapping(bone_of: Mapping[str, str], bone_names: Iterable[str], rig: str = "armature", *,
                  whole: bool = True) -> Match:
    """A hand-made map (segment -> bone, and optionally "root" -> bone), checked.

    Raises RigError for what it names wrongly and, unless `whole` is off, for missing parts.
    """
    names = set(bone_names)
    bone_of = dict(bone_of)
    root = bone_of.pop("root", None)
    if root is not None and root not in names:
        raise RigError(f"The bone map for {rig!r} names a root bone it does not have: {root}.")
    unknown = sorted(set(bone_of) - set(SEGMENTS))
    if unknown:
        raise RigError(f"The bone map for {rig!r} names segments {', '.join(unknown)}; known: {', '.join(SEGMENTS)}.")
    absent = sorted({bone for bone in bone_of.values() if bone not in names})
    if absent:
        raise RigError(f"The bone map for {rig!r} names bones it does not have: {', '.join(absent)}.")
    shared = sorted({bone for bone in bone_of.values() if list(bone_of.values()).count(bone) > 1})
    if shared:
        raise RigError(f"The bone map for {rig!r} gives two segments the same bone: {', '.join(shared)}.")
    missing = [segment for segment in REQUIRED if segment not in bone_of]
    if missing and whole:
        raise RigError(f"The bone map for {rig!r} has no {missing_parts(missing)}: give bones for {', '.join(missing)}.")
    return Match.plain(OWN, "Own map", {segment: bone_of[segment] for segment in SEGMENTS if segment in bone_of}, root)


class _Lookup:
    """Bone names by their bare form: without name space or exporter's prefix, exact case first, any case second."""

    def __init__(self, names: list[str], prefix: str | None) -> None:
        pattern = re.compile(rf"^(?:.*:)?(?:{prefix})?" if prefix else r"^(?:.*:)?")
        self._exact: dict[str, str] = {}
        self._folded: dict[str, str] = {}
        for name in names:
            for bare in (name, pattern.sub("", name, count=1)):
                self._exact.setdefault(bare, name)
                self._folded.setdefault(bare.casefold(), name)

    def first(self, wanted: Iterable[str]) -> str | None:
        """The rig's own name of the first of `wanted` that it has."""
        wanted = tuple(wanted)
        for name in wanted:
            if name in self._exact:
                return self._exact[name]
        return next((self._folded[n.casefold()] for n in wanted if n.casefold() in self._folded), None)


def missing_parts(missing: Iterable[str]) -> str:
    """The body parts behind a list of segments, in words: "legs and arms"."""
    return " and ".join(dict.fromkeys(_PARTS[segment.removesuffix("_L").removesuffix("_R")] for segment in missing))


def _not_a_figure(rig: str, names: list[str], tried: list[tuple]) -> RigError:
    """What to say of an armature that fits no family."""
    if any(name.startswith("ORG-") for name in names):
        return RigError(f"Armature {rig!r} is a rig generated by Rigify, but not from a human metarig: its controls (torso, "
                        "thigh_fk.L, upper_arm_fk.L, foot_ik.L ...) are not there; choose its metarig, or give a bone map.")
    _, _, bone_map, bone_of = max(tried, key=lambda t: (t[0], t[1]))
    missing = [segment for segment in REQUIRED if segment not in bone_of]
    if not names:
        labels = ", ".join(dict.fromkeys(t[2].label for t in tried))
        return RigError(f"Armature {rig!r} has no bones; choose a rig of one of these families: {labels}.")
    if len(REQUIRED) - len(missing) < _ENOUGH_TO_GUESS:
        return RigError(
            f"Armature {rig!r} is no figure on two legs with two arms that Lope can find, and its bones ({', '.join(names[:4])}"
            f"{', ...' if len(names) > 4 else ''}) carry names of no known family; say which bone is which in its bone map. "
            "No person? Choose Creature under Character (lope creature check).")
    expected = ", ".join(bone_map.bones[segment][0] for segment in missing)
    return RigError(
        f"Armature {rig!r} has no {missing_parts(missing)}: it looks like a rig of the family {bone_map.label}, but lacks the "
        f"bones {expected} (for {', '.join(missing)}). Choose a rig that has them, or give a bone map. "
        "No person? Choose Creature under Character (lope creature check).")

# SPDX-License-Identifier: GPL-3.0-or-later
"""Which bone of a rig is which: by a known family's names where the bones also hang so, or else by structure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ...bodies.human.anatomy.find import Anatomy, find_anatomy
from ...bodies.human.anatomy.skeleton import Skeleton, find_mirror
from ...errors import RigError, unknown_name
from .figure import Figure, RestBone, bones_above
from .maps import REQUIRED, SEGMENTS, BoneMap, Controls, known_maps

_PARTS = {"thigh": "legs", "shank": "legs", "foot": "legs", "upper_arm": "arms", "forearm": "arms", "pelvis": "hips"}
SKINNED = ("foot_L", "foot_R", "head")
"""Segments whose skin is measured."""
OWN = "custom"
"""The family of a rig whose bones the artist has named."""
_ENOUGH_TO_GUESS = 5  # this many of the required bones found make a family the likely one


@dataclass(frozen=True)
class Match:
    """The family of a rig (its map's name and label), and its bones by segment: `bone_of` those that get keys, `joint_of` those
    at the joints, `skin_of` those that move the skin of "foot_L", "foot_R" and "head", the same but on rigs with `controls`.
    `root` above the hips can carry the travel. `signed`: whether the names that tell the family are there. `unsure` segments may
    be other bones."""

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
        skin = {segment: bone_of[segment] for segment in SKINNED if segment in bone_of}
        return cls(family, label, bone_of, dict(bone_of), skin, root)


def detect(bone_names: Iterable[str], rig: str = "armature") -> Match:
    """The family that fits best: one whose signature the rig bears, then the one that finds most segments. Raises RigError naming
    the missing parts and the bones that were expected."""
    names = list(bone_names)
    lookups: dict[str | None, _Lookup] = {}
    tried = _tried(names, known_maps(), lookups)
    complete = [t for t in tried if all(segment in t[3] for segment in REQUIRED) and (t[1] > 0 or t[2].controls is None)]
    if complete:
        _, signed, bone_map, bone_of = max(complete, key=lambda t: (t[1], t[2].controls is not None and t[1] > 0, t[0]))
        return replace(_match(bone_map, bone_of, lookups[bone_map.prefix], set(names)), signed=signed > 0)
    raise _not_a_figure(rig, names, tried)


def _tried(names: list[str], maps: Iterable[BoneMap], lookups: dict[str | None, _Lookup]) -> list[tuple]:
    """For each family: how many segments found a bone, 1 if its signature is there, 0 if not, -1 if a bone rules it out, the
    family, and the bones."""
    tried = []
    for bone_map in maps:
        lookup = lookups.get(bone_map.prefix) or lookups.setdefault(bone_map.prefix, _Lookup(names, bone_map.prefix))
        found = {segment: lookup.first(wanted) for segment, wanted in bone_map.bones.items()}
        bone_of = {segment: found[segment] for segment in SEGMENTS if found.get(segment) is not None}
        signed = all(lookup.first((name,)) for name in bone_map.signature)
        barred = any(lookup.first((name,)) for name in bone_map.absent)
        tried.append((len(bone_of), -1 if barred else int(signed), bone_map, bone_of))
    return tried


def _match(bone_map: BoneMap, bone_of: dict[str, str], lookup: _Lookup, known: set[str]) -> Match:
    root = lookup.first(bone_map.root)
    if bone_map.controls is None:
        return Match.plain(bone_map.name, bone_map.label, bone_of, root)
    joint_of = {s: lookup.first(bone_map.joints.get(s, (bone,))) or bone for s, bone in bone_of.items()}
    skin_of = {s: lookup.first(bone_map.skin.get(s, ())) or joint_of[s] for s in SKINNED if s in joint_of}
    ik = {end: bone for end, bone in bone_map.controls.ik.items() if bone in known}
    properties = tuple(p for p in bone_map.controls.properties if p.bone in known)
    return Match(bone_map.name, bone_map.label, bone_of, joint_of, skin_of, root,
                 replace(bone_map.controls, ik=ik, properties=properties))


def check_mapping(bone_of: Mapping[str, str], bone_names: Iterable[str], rig: str = "armature", *, whole: bool = True) -> Match:
    """A hand-made map (segment, or "root" -> bone). Raises RigError for what it names wrongly and, if `whole`, leaves out."""
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
    return " and ".join(dict.fromkeys(_PARTS[segment.removesuffix("_L").removesuffix("_R")] for segment in missing))


def _not_a_figure(rig: str, names: list[str], tried: list[tuple]) -> RigError:
    if any(name.startswith("ORG-") for name in names):
        return RigError(f"Armature {rig!r} is a rig generated by Rigify, but not from a human metarig: its controls (torso, "
                        "thigh_fk.L, upper_arm_fk.L, foot_ik.L ...) are not there; choose its metarig, or give a bone map.")
    if not names:
        labels = ", ".join(dict.fromkeys(t[2].label for t in tried))
        return RigError(f"Armature {rig!r} has no bones; choose a rig of one of these families: {labels}.")
    _, _, bone_map, bone_of = max((t for t in tried if t[1] >= 0), key=lambda t: (t[0], t[1]))
    missing = [segment for segment in REQUIRED if segment not in bone_of]
    if len(REQUIRED) - len(missing) < _ENOUGH_TO_GUESS:
        return RigError(
            f"Armature {rig!r} is no figure on two legs with two arms that Lope can find, and its bones ({', '.join(names[:4])}"
            f"{', ...' if len(names) > 4 else ''}) carry names of no known family; say which bone is which in its bone map. "
            "No person? Choose Creature under Body (lope creature check).")
    expected = ", ".join(bone_map.bones[segment][0] for segment in missing)
    return RigError(f"Armature {rig!r} has no {missing_parts(missing)}: it looks like a rig of the family {bone_map.label}, "
                    f"but lacks the bones {expected} (for {', '.join(missing)}). Choose a rig that has them, or give a bone "
                    "map. No person? Choose Creature under Body (lope creature check).")


STRUCTURE, BY_STRUCTURE = "structure", "Found by Structure"
"""Family and label of a rig whose bones were found by structure."""
_LIMBS = (("thigh", "shank"), ("shank", "foot"), ("foot", "toes"), ("upper_arm", "forearm"), ("forearm", "hand"))
_FITS, _LIKELY = 9.2, 4.0
"""Faults up to which what was found by structure is a figure (see `anatomy.find`), and up to which it surely is one: the rigs
of the zoo have less than 3, a robot with forearms twice as long as its upper arms has 6, a toy whose hands and feet hang on IK
controls 9, a dog 13."""


@dataclass(frozen=True)
class Rest:
    """What tells which bone is which: `bones` at rest, `to_world` (4, 4), and of the `skin` that each moves how much there is and
    the sum of its places in the world (4,), or how much there is alone; None without a mesh."""

    bones: tuple[RestBone, ...]
    to_world: np.ndarray
    skin: Mapping[str, float | np.ndarray] | None = None


@dataclass(frozen=True)
class Guess:
    """The best guess at a rig's bones (segment -> bone), what in it is unsure, and what is wrong with it, if anything."""

    bone_of: dict[str, str]
    unsure: frozenset[str] = field(default_factory=frozenset)
    wrong: str = ""


def recognise(rest: Rest, rig: str = "armature") -> Match:
    """The rig's bones by segment. Raises RigError naming what no bone was found for."""
    names = [bone.name for bone in rest.bones]
    named, error = _by_names(names, rig)
    hangs = named is not None and (named.controls is not None or _hangs_as_named(rest.bones, named.bone_of))
    if hangs and named.signed and not _lacks(named):
        return named
    found = find_anatomy(skeleton_of(rest))
    whole = found is not None and set(REQUIRED) <= set(found.joint_of) and found.faults < _FITS
    if hangs and named.signed:
        return _filled(named, names, found) if whole else named
    if whole:
        return _match_structure(names, found)
    if named is not None:
        return named if hangs else replace(named, unsure=frozenset(named.bone_of))
    if found is None or "generated by Rigify" in str(error):
        raise error
    raise _lacking(rig, found, error)


def guess(rest: Rest, rig: str = "armature") -> Guess:
    try:
        match = recognise(rest, rig)
        return Guess(match.bone_of | ({"root": match.root} if match.root is not None else {}), match.unsure)
    except RigError as error:
        wrong = str(error)
    found = find_anatomy(skeleton_of(rest)) if rest.bones else None
    if found is None:
        return Guess({}, frozenset(), wrong)
    bone_of = {segment: rest.bones[joint].name for segment, joint in found.joint_of.items()}
    return Guess(bone_of, frozenset(bone_of), wrong)


def skeleton_of(rest: Rest) -> Skeleton:
    number = {bone.name: i for i, bone in enumerate(rest.bones)}
    parents = np.array([-1 if bone.parent is None else number[bone.parent] for bone in rest.bones], dtype=int)
    places = np.array([(bone.head, bone.tail) for bone in rest.bones]).reshape(-1, 2, 3)
    places = places @ rest.to_world[:3, :3].T + rest.to_world[:3, 3]
    if rest.skin is None:
        return Skeleton(tuple(number), parents, places[:, 0], places[:, 1])
    sums = np.array([np.resize(rest.skin.get(bone.name, 0.0), 4) for bone in rest.bones])
    known = any(np.size(value) == 4 for value in rest.skin.values())
    middles = sums[:, 1:] / np.maximum(sums[:, :1], 1e-12) if known else None
    return Skeleton(tuple(number), parents, places[:, 0], places[:, 1], sums[:, 0], middles)


def mirrored(rest: Rest, bone: str) -> str | None:
    names = [one.name for one in rest.bones]
    mirror = find_mirror(skeleton_of(rest))
    partner = -1 if mirror is None else int(mirror.partner[names.index(bone)])
    return names[partner] if partner >= 0 and names[partner] != bone else None


def _by_names(names: Sequence[str], rig: str) -> tuple[Match | None, RigError | None]:
    try:
        return detect(names, rig), None
    except RigError as error:
        return None, error


def _hangs_as_named(bones: tuple[RestBone, ...], bone_of: Mapping[str, str]) -> bool:
    """Whether in every limb each bone hangs on the one before, as in the families that are told by names alone."""
    bone = {one.name: one for one in bones}
    pairs = [(f"{a}_{side}", f"{b}_{side}") for a, b in _LIMBS for side in "LR"]
    return all(bone_of[a] in bones_above(bone, bone_of[b]) for a, b in pairs if a in bone_of and b in bone_of)


def _lacks(named: Match) -> list[str]:
    family = next(bone_map for bone_map in known_maps() if bone_map.name == named.family)
    return [segment for segment in family.bones if segment not in named.bone_of] if family.controls is None else []


def _filled(named: Match, names: Sequence[str], found: Anatomy) -> Match:
    """A family's match with what its rigs have and names did not tell, where structure surely does, from bones not yet in use."""
    bone_of = {segment: names[found.joint_of[segment]] for segment in _lacks(named)
               if segment in found.joint_of and segment not in found.unsure}
    new = {segment: bone for segment, bone in bone_of.items() if bone not in named.bone_of.values()}
    every = {segment: (named.bone_of | new)[segment] for segment in SEGMENTS if segment in named.bone_of or segment in new}
    return Match.plain(named.family, named.label, every, named.root)


def _match_structure(names: Sequence[str], found: Anatomy) -> Match:
    bone_of = {segment: names[found.joint_of[segment]] for segment in SEGMENTS if segment in found.joint_of}
    root = None if found.root is None else names[found.root]
    unsure = found.unsure if found.faults < _LIKELY else frozenset(bone_of)
    return replace(Match.plain(STRUCTURE, BY_STRUCTURE, bone_of, root), unsure=unsure)


def _lacking(rig: str, found: Anatomy, error: RigError) -> RigError:
    """What to say of a rig in which parts of a figure were found; `error` is what its names say."""
    missing = [segment for segment in REQUIRED if segment not in found.joint_of]
    if "it looks like a rig of the family" in str(error):
        return error
    if not missing:
        return RigError(f"Armature {rig!r} is hardly a figure on two legs with two arms; say which bone is which in its bone "
                        "map. No person? Choose Creature under Body (lope creature check).")
    return RigError(f"Armature {rig!r} has no {missing_parts(missing)} that Lope can find, by names or by structure (no bones "
                    f"for {', '.join(missing)}); say which bones they are in its bone map. "
                    "No person? Choose Creature under Body (lope creature check).")


def segment_of_bone(figure: Figure, name: str) -> str:
    """The segment that a bone belongs to: its own in the map, an IK control's limb's end, that of the mapped bone that carries
    it, else the one nearest at rest. Raises InputError for a bone that there is not."""
    if name not in figure.bone:
        raise unknown_name(f"bone of {figure.name!r}, nor a part of the body,", name, figure.bone)
    segments = {bone: segment for segment, bone in figure.bone_of.items()}
    if figure.controls is not None:
        segments = {bone: of for of, bone in figure.controls.ik.items() if of in figure.bone_of} | segments
    mapped = next((one for one in (name, *bones_above(figure.bone, name)) if one in segments), None)
    return nearest_segment(figure, figure.bone[name]) if mapped is None else segments[mapped]


def nearest_segment(figure: Figure, bone: RestBone) -> str:
    middle = 0.5 * (bone.head + bone.tail)
    found = {segment: _distance(middle, figure.bone[mapped]) for segment, mapped in figure.bone_of.items()}
    if not found:
        raise RigError(f"The rig {figure.name!r} has no part of the body that could be struck; map its bones.")
    return min(found, key=lambda segment: found[segment])


def _distance(place: np.ndarray, bone: RestBone) -> float:
    """From a place (3,) to a bone's line."""
    along = bone.tail - bone.head
    share = float(np.clip((place - bone.head) @ along / max(float(along @ along), 1e-12), 0.0, 1.0))
    return float(np.linalg.norm(place - bone.head - share * along))

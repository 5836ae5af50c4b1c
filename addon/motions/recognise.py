# SPDX-License-Identifier: GPL-3.0-or-later
"""Which joint of a captured skeleton sits at which landmark: by structure, names only as a hint; and a rest pose that stands.
Some files rest in no pose at all (every bone along one axis). Then a frame in which the figure stands is the rest pose."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ..errors import ClipError
from .bvh import BvhClip
from .figure_joints import JointTree, NoFigure, find_joints, stands

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


BY_STRUCTURE = "by structure"
TRIED_FRAMES = 40
"""Frames, spread over a clip, in which a standing pose is looked for."""
LIMBS = (("hip", "knee", "ankle"), ("shoulder", "elbow", "wrist"))
LIKE_BONES = 0.4
"""The shorter of a limb's two bones over the longer: .8 in people (Winter, fig. 4.1), less in toys."""
STILL_RAD = np.radians(0.1)
"""A joint that turns by less in a whole clip is never used."""


def recognise(clip: BvhClip) -> tuple[BvhClip, str, dict[str, int], bool]:
    """The clip, its family of names, landmark -> joint, and whether it rests as the file has it: else it is the same motion
    with a standing frame for its rest pose. Raises ClipError where there is no figure with two legs and two arms."""
    family, named = match_names(clip.names)
    joints = _joints_at(clip, clip.rest())
    if joints is not None:
        return clip, *_with_names(clip, family, named, joints), True
    standing = _standing_frame(clip)
    if standing is not None:
        frame, joints = standing
        return resting_as(clip, clip.world()[1][frame]), *_with_names(clip, family, named, joints), False
    if named:
        return clip, family, named, True
    raise ClipError(f"{clip.path}: no figure with two legs and two arms stands in this skeleton of {len(clip.names)} joints. "
                    "Expected a clip of one whole person; export it with hips, knees, feet, shoulders and elbows.")


def resting_as(clip: BvhClip, at_rest: np.ndarray) -> BvhClip:
    """The same motion of a skeleton that rests in another pose: each joint turned by `at_rest` (J, 3, 3) from the file's rest."""
    _, turns = clip.world()
    rotations = np.empty_like(clip.rotations)
    offsets, travels = clip.offsets.copy(), {}
    for i, parent in enumerate(clip.parents):
        away = turns[:, i] @ at_rest[i].T
        if parent < 0:
            rotations[:, i] = away
            continue
        rotations[:, i] = np.swapaxes(turns[:, parent] @ at_rest[parent].T, 1, 2) @ away
        offsets[i] = at_rest[parent] @ clip.offsets[i]
        if i in clip.travels:
            travels[i] = clip.travels[i] @ at_rest[parent].T
    ends = {i: at_rest[i] @ end for i, end in clip.ends.items()}
    return replace(clip, offsets=offsets, ends=ends, rotations=rotations, travels=travels)


def _joints_at(clip: BvhClip, places: np.ndarray, turns: np.ndarray | None = None) -> dict[str, int] | None:
    """Landmark -> joint of a pose (J, 3), its joints turned away from rest by `turns` (J, 3, 3); None where no figure stands."""
    ends = {i: (places[i] + (end if turns is None else turns[i] @ end))[None] for i, end in clip.ends.items()}
    try:
        joints = find_joints(JointTree(clip.parents, places, ends, _still(clip), _swing(clip)), named_sides(clip.names))
    except NoFigure:
        return None
    return joints if all(name in joints for name in REQUIRED) and stands(places, joints) else None


def _still(clip: BvhClip) -> frozenset[int]:
    """Joints that never turn in the whole clip; none in a clip in which hardly any do."""
    turning = np.abs(clip.rotations - clip.rotations[:1]).max(axis=(0, 2, 3)) > STILL_RAD
    if turning.sum() < len(REQUIRED):
        return frozenset()
    return frozenset(np.flatnonzero(~turning).tolist())


def _swing(clip: BvhClip) -> np.ndarray:
    """How far (J,) [rad] each joint swings what hangs on it, from the mean: its farthest child, or its end."""
    swing = np.zeros(len(clip.names))
    for joint in range(len(clip.names)):
        ways = [clip.offsets[child] for child in clip.children(joint)] + [clip.ends[i] for i in (joint,) if i in clip.ends]
        way = max(ways, key=np.linalg.norm, default=np.zeros(3))
        if np.linalg.norm(way) > 0.0:
            turned = clip.rotations[:, joint] @ (way / np.linalg.norm(way))
            mean = turned.mean(axis=0)
            cosine = turned @ mean / max(np.linalg.norm(mean), 1e-9)
            swing[joint] = float(np.arccos(np.clip(cosine, -1.0, 1.0)).max())
    return swing


def _standing_frame(clip: BvhClip) -> tuple[int, dict[str, int]] | None:
    """The frame in which the figure stands most upright and its joints there; None where it never does."""
    positions, turns = clip.world()
    best, found = -np.inf, None
    for frame in np.unique(np.linspace(0, clip.frames - 1, TRIED_FRAMES).astype(int)).tolist():
        joints = _joints_at(clip, positions[frame], turns[frame])
        if joints is not None:
            score = _uprightness(positions[frame], joints)
            if score > best:
                best, found = score, (frame, joints)
    return found


def _uprightness(places: np.ndarray, joints: Mapping[str, int]) -> float:
    """How straight and upright a pose is: straight legs next to each other under a straight trunk."""
    p = {name: places[joint] for name, joint in joints.items()}
    shoulders, hips = (0.5 * (p[f"{n}_L"] + p[f"{n}_R"]) for n in ("shoulder", "hip"))
    trunk = (shoulders - hips) / np.linalg.norm(shoulders - hips)
    score = 0.0
    for side in "LR":
        thigh, shank = p[f"hip_{side}"] - p[f"knee_{side}"], p[f"knee_{side}"] - p[f"ankle_{side}"]
        score += float(trunk @ thigh / np.linalg.norm(thigh) + trunk @ shank / np.linalg.norm(shank))
    return score


def _with_names(clip: BvhClip, family: str, named: Mapping[str, int], joints: dict[str, int]) -> tuple[str, dict[str, int]]:
    """The joints, and those that names tell of, where the names agree with the structure on every limb."""
    if named and all(_same_limb(clip, named, joints, limb, side) for limb in LIMBS for side in "LR"):
        return family, joints | dict(named)
    return BY_STRUCTURE, joints


def _same_limb(clip: BvhClip, named: Mapping[str, int], joints: Mapping[str, int], limb: tuple[str, ...], side: str) -> bool:
    """Whether names tell of the limb that structure finds: of the same joints, or of others on the same way down, in order and
    with two bones of like length. Then names are right: a still clavicle in line with its arm looks like its upper end."""
    marks = [f"{name}_{side}" for name in limb]
    if all(named[mark] == joints[mark] for mark in marks if mark in REQUIRED):
        return True
    said, found = ([of[mark] for mark in marks if mark in of] for of in (named, joints))
    if len(said) < len(limb) or said != sorted(set(said)) or not {*said, *found} <= _above(clip, max(*said, *found)):
        return False
    places = clip.rest()[said]
    bones = np.linalg.norm(np.diff(places, axis=0), axis=1)
    return bool(bones.min() > LIKE_BONES * bones.max())


def _above(clip: BvhClip, joint: int) -> set[int]:
    """A joint and all that it hangs on."""
    way = {joint}
    while clip.parents[joint] >= 0:
        joint = clip.parents[joint]
        way.add(joint)
    return way

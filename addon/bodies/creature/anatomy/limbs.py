# SPDX-License-Identifier: GPL-3.0-or-later
"""Legs of any creature: mirrored branches that end at the ground, of two to four bones and a foot."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ...human.anatomy.limbs import View, over, square, thinned, ways
from ...human.anatomy.skeleton import Skeleton
from .parts import Skin, kinds_of, only_ends, speaks, stands_on_heel

MOST_BONES = 4
"""Bones above the foot that a leg keeps; of more the straightest joints are passed over."""
_LONGEST_WAY = 9
"""Joints between hip and foot that are looked at: twist bones in line make them many."""
_STRAIGHT_DEG = 8.0


def segments(view: View, joints: Sequence[int], end: np.ndarray) -> tuple[list[int], float]:
    """Of the joints from hip to ankle those at which a leg bends, the first among them, and the faults of that choice:
    bends that are passed over, straight joints that are kept, bones of very unlike length."""
    joints = list(joints)[:_LONGEST_WAY]
    if len(joints) == 1:
        return joints, 0.0
    places = np.vstack([view.skeleton.heads[joints], end])
    inner = range(1, len(joints))
    best: tuple[float, tuple[int, ...]] = (np.inf, ())
    for count in range(1, min(len(joints), MOST_BONES)):
        for chosen in itertools.combinations(inner, count):
            faults = _of_choice(view, joints, places, (0, *chosen, len(joints)))
            if faults < best[0] - 1e-9:
                best = faults, chosen
    return [joints[i] for i in (0, *best[1])], best[0]


def _of_choice(view: View, joints: Sequence[int], places: np.ndarray, at: Sequence[int]) -> float:
    """The faults of taking the joints `at` some numbers of a way, its end included, for those that bend."""
    bones = np.diff(places[list(at)], axis=0)
    lengths = np.maximum(np.linalg.norm(bones, axis=1), 1e-12)
    leg = float(lengths.sum())
    faults = 0.0
    for a, b in itertools.pairwise(at):
        path = float(np.linalg.norm(np.diff(places[a:b + 1], axis=0), axis=1).sum())
        faults += square((path - float(np.linalg.norm(places[b] - places[a]))) / leg, 0.012)
    mean = np.log(lengths).mean()
    faults += float((np.minimum((np.log(lengths) - mean) ** 2, 4.0)).sum()) * 1.5
    for k in range(1, len(at) - 1):
        cosine = float(bones[k - 1] @ bones[k] / (lengths[k - 1] * lengths[k]))
        bend = float(np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0))))
        faults += 0.45 if bend < _STRAIGHT_DEG else 0.15
        faults += 1.2 if "twist" in kinds_of(view.skeleton.names[joints[at[k]]]) else 0.0
        faults -= 0.3 * max(0.0, speaks(view.skeleton.names[joints[at[k]]], "shank"))
    passed = set(range(1, len(joints))) - set(at)
    return faults + sum(0.6 * max(0.0, speaks(view.skeleton.names[joints[i]], "shank"))
                        for i in passed if "twist" not in kinds_of(view.skeleton.names[joints[i]]))


_SIDEWAYS, _LEVEL, _CARRIER = 0.5, 0.45, 0.45
"""A bone above the hip that only carries it goes aside by this share of its length or more, down by no more than the second (or
begins in the middle), and has no more than the third of what is left of the leg. First guess."""
_HIGH, _LOW, _LOW_SURE = 0.4, 0.26, 0.13
"""Of the hip's height: an ankle is never higher than the first, hardly higher than the second, and one lower than the third
needs no level foot (people's is at 0.09)."""
_HEEL_NEAR, _METATARSUS = 0.06, 1.0
"""Of the hip's height: skin of a heel is nearer to the ground; faults of taking what stands for a foot, what lies for none."""
_STEEP, _UPRIGHT = 0.6, 1.4
"""Fall over way of a bone that is not yet the foot, between those heights (a metatarsus stands), and of one that never is."""
_AT_GROUND = 0.14
"""Of the hip's height: what ends higher does not stand."""
_FREE_FOOT, _NO_FOOT = 0.6, 1.0
"""The faults of a foot that hangs on no shin, as exports of IK rigs have it, and of a leg without a foot."""
_FREE_WITHIN = 0.45
"""Of the leg: how far from the last bone's end a foot that hangs on nothing may begin; or, of the hip's height:"""
_FREE_UNDER = 0.35
_NO_END = 0.015
"""Of the leg: a foot's bone that is shorter tells nothing of the foot: glTF knows no ends."""
_GOES_DOWN = 0.2
"""Of a branch' length: what ends no deeper under its beginning is no leg."""


@dataclass(frozen=True)
class Leg:
    """A leg on one side: the joints at which its bones begin, the foot's last (`has_foot`; else a foot has to be made at
    `ankle`), the joints above that only carry it, the end of its toes (3,), and `faults`, how unlike a leg it is."""

    joints: tuple[int, ...]
    carriers: tuple[int, ...]
    ankle: np.ndarray
    toes_end: np.ndarray
    faults: float
    has_foot: bool = True
    free_foot: bool = False


def find_legs(view: View, skin: Skin | None = None) -> list[Leg]:
    """Every pair of branches that may be legs, the likeliest first (the joints of the normal's side)."""
    found = [leg for branch in view.branches for leg in _of_branch(view, branch, skin)]
    return sorted(found, key=lambda leg: leg.faults)


def _of_branch(view: View, branch: int, skin: Skin | None) -> Iterator[Leg]:
    for way in ways(view, branch, 0.05):
        bones = [joint for joint in way if not only_ends(view.skeleton, joint)] or list(way[:1])
        start = _hip(view, bones)
        top = view.height[bones[start]]
        low = _lowest(view, bones[-1])
        if top < 0.05 * view.extent:
            continue
        feet = list(_feet(view, bones, start, skin))
        for free in _free_feet(view, bones if feet else way, start):
            near = 3.0 * view.skeleton.same_place
            whole = bones if feet else [joint for joint in way if view.apart(joint, free) > near]
            for end in {feet[0][0] if feet else len(whole), len(whole)}:
                yield _judged(view, whole, start, end, free)
        if top - low > _GOES_DOWN * _length(view, bones[start:]):
            for foot, faults in feet:
                yield _judged(view, bones, start, foot, None, faults)
            if not feet:
                yield _judged(view, bones, start, None, None)


def _ends(view: View, bones: Sequence[int]) -> np.ndarray:
    """Where the joints lie and the last bone ends (N + 1, 3)."""
    skeleton = view.skeleton
    last = bones[-1]
    ends = [child for child in skeleton.children[last] if only_ends(skeleton, child)]
    end = skeleton.heads[ends[0]] if ends else skeleton.ends[last]
    return np.vstack([skeleton.heads[list(bones)], end])


def _length(view: View, bones: Sequence[int]) -> float:
    return float(np.linalg.norm(np.diff(_ends(view, bones), axis=0), axis=1).sum())


def _lowest(view: View, joint: int) -> float:
    """Height of the lowest place of a joint's own bone and all below it."""
    below = view.skeleton.below(joint)
    return float(min(view.height[below].min(), view.tops[below].min()))


def _hip(view: View, bones: Sequence[int]) -> int:
    """Which of the joints of a way is the hip: the first that does not only carry it sideways."""
    places = _ends(view, bones)
    for i in range(len(bones) - 1):
        bone = places[i + 1] - places[i]
        length = max(float(np.linalg.norm(bone)), 1e-12)
        outward = float(np.abs(view.mirror.side(places[i + 1])) - view.aside(bones[i]))
        rest = _length(view, bones[i + 1:])
        in_middle = view.aside(bones[i]) < 2.0 * view.skeleton.same_place
        level = abs(bone @ view.up) < _LEVEL * length
        carries = (outward > _SIDEWAYS * length and (level or in_middle)) or (in_middle and outward > 0.3 * length)
        if not (carries and length < _CARRIER * rest and len(bones) - i > 2) and length > 2.0 * view.skeleton.same_place:
            return i
    return 0


def _feet(view: View, bones: Sequence[int], start: int, skin: Skin | None) -> Iterator[tuple[int, float]]:
    """Which joint of a way the foot may begin at, each with its faults: low ones from which on it lies rather than stands."""
    skeleton, up = view.skeleton, view.up
    hip = view.height[bones[start]]
    places = _ends(view, bones)
    late = 0.0
    for i in range(start + 1, len(bones)):
        if view.height[bones[i]] > _HIGH * hip:
            continue
        bone = places[i + 1] - places[i]
        fall, along = -float(bone @ up), _flat(view, bone)
        last = i == len(bones) - 1
        if last and along < 0.2 * fall and view.height[bones[i]] > 0.6 * _LOW * hip:
            return  # the shin's last bone stands on the ground by its end
        upright = fall > _UPRIGHT * along and not last
        heel: bool | None = False if upright else None
        if not upright and not last:
            heel = stands_on_heel(skeleton, skin, bones[i], places[i + 1], up, view.ground, _HEEL_NEAR * hip)
        low = over(view.height[bones[i]] / hip, _LOW, 0.08)
        if heel is None:
            stands = view.height[bones[i]] > _LOW_SURE * hip and fall > _STEEP * along and not last
            faults = low + (_METATARSUS if stands else 0.0)
        else:
            faults = 0.0 if heel else low + (_METATARSUS if view.height[bones[i]] > 0.5 * _LOW_SURE * hip else 0.0)
        yield i, faults + late
        late += max(_METATARSUS - faults, 0.0)


def _flat(view: View, way: np.ndarray) -> float:
    return float(np.linalg.norm(way - (way @ view.up) * view.up))


def _flat_reach(view: View, joint: int) -> float:
    skeleton = view.skeleton
    below = skeleton.below(joint)
    places = np.concatenate([skeleton.heads[below], skeleton.ends[below]]) - skeleton.heads[joint]
    return float(np.linalg.norm(places - (places @ view.up)[:, None] * view.up, axis=1).max())


def _free_feet(view: View, bones: Sequence[int], start: int) -> Iterator[int]:
    """Joints beside a way that may be the foot at its end: low, near it, on its side, on nothing that is a leg."""
    skeleton = view.skeleton
    leg = _length(view, bones[start:])
    last = _ends(view, bones)[-2:]
    hip = view.height[bones[start]]
    for branch in view.branches:
        side = view.mirror.side(skeleton.heads[branch]) * view.mirror.side(skeleton.heads[bones[-1]])
        joint = branch if side > 0.0 else int(view.mirror.partner[branch])
        if joint in bones or bones[0] in skeleton.below(joint) or joint in skeleton.below(bones[0]):
            continue
        if view.height[joint] > _LOW * hip or float(view.height[skeleton.below(joint)].max()) > 0.6 * hip:
            continue
        apart = _apart_from_end(view, last, joint)
        if apart < max(_FREE_WITHIN * (leg + apart), _FREE_UNDER * hip):
            yield joint


def _apart_from_end(view: View, last: np.ndarray, joint: int) -> float:
    """How far a foot lies from where a leg's last bone begins or ends, or from under it: glTF tells no ends."""
    ways = last - view.skeleton.heads[joint]
    return min(min(float(np.linalg.norm(way)), _flat(view, way) + 0.3 * abs(float(way @ view.up))) for way in ways)


def _judged(view: View, bones: Sequence[int], start: int, foot: int | None, free: int | None, faults: float = 0.0) -> Leg:
    """A reading of a way: `foot` is where its own foot begins (or a `free` one follows); with its faults."""
    skeleton = view.skeleton
    above = list(bones[start:foot]) if foot is not None else list(bones[start:])
    last = free if free is not None else None if foot is None else bones[foot]
    end = _ends(view, bones)[-1]
    ankle = end if last is None else skeleton.heads[last]
    kept, unlike = segments(view, above, ankle)
    faults += unlike
    leg = float(np.linalg.norm(np.diff(np.vstack([skeleton.heads[kept], ankle]), axis=0), axis=1).sum())
    hip = max(view.height[kept[0]], 1e-12)
    low = min(view.height[kept].min(), float(ankle @ view.up) - view.ground) if last is None else _lowest(view, last)
    faults += over(float(low) / hip, 0.5 * _AT_GROUND, 0.5 * _AT_GROUND)
    faults += over(0.12 - leg / view.extent, 0.0, 0.05) + over(0.7 - (hip - max(low, 0.0)) / max(leg, 1e-12), 0.0, 0.25)
    faults += 1.8 if len(kept) < 2 else 0.0
    if last is None:
        faults += _NO_FOOT
    else:
        along = _flat_reach(view, last) / max(leg, 1e-12)
        told = along > _NO_END or bool(skeleton.children[last]) or view.height[last] > _LOW_SURE * hip
        faults += (over(0.04 - along, 0.0, 0.03) if told else 0.0) + over(along, 0.7, 0.3)
    if free is not None:
        lost = list(bones[foot:]) if foot is not None and foot < len(bones) else []
        faults += _FREE_FOOT + _apart_from_end(view, _ends(view, bones)[-2:], free) / max(leg, 1e-12)
        faults += _weight(skeleton, lost) / max(_weight(skeleton, [free]) + _weight(skeleton, lost), 1e-12)
    elif last is not None and any(True for _ in _free_feet(view, bones, start)):
        other = max(_weight(view.skeleton, [free]) for free in _free_feet(view, bones, start))
        faults += 1.5 * other / max(other + _weight(view.skeleton, [last]), 1e-12)
    faults += _named(skeleton, kept, last)
    return Leg((*kept, *(() if last is None else (last,))), tuple(bones[:start]), ankle,
               toes_end(view, last, ankle) if last is not None else ankle, faults, last is not None, free is not None)


def _weight(skeleton: Skeleton, joints: Sequence[int]) -> float:
    """How much skin some joints and all below them move; their number where nothing is known of skin."""
    rows = sorted({joint for top in joints for joint in skeleton.below(top)})
    return float(len(rows) if skeleton.skin is None else skeleton.skin[rows].sum())


def toes_end(view: View, foot: int, ankle: np.ndarray) -> np.ndarray:
    """The place of a foot's bones that reaches farthest from the ankle along the ground."""
    skeleton = view.skeleton
    below = skeleton.below(foot)
    places = np.concatenate([skeleton.heads[below], skeleton.ends[below]])
    away = places - ankle
    return places[int(np.argmax(np.linalg.norm(away - (away @ view.up)[:, None] * view.up, axis=1)))]


def _named(skeleton: Skeleton, kept: Sequence[int], foot: int | None) -> float:
    """What names say against a leg: negative where they speak for it."""
    names = skeleton.names
    said = [max(speaks(names[joint], "thigh"), speaks(names[joint], "shank"), speaks(names[joint], "foot") - 1.0)
            for joint in kept]
    said += [] if foot is None else [max(speaks(names[foot], "foot"), 0.5 * speaks(names[foot], "toes"))]
    wrong = sum(bool(kinds_of(names[joint]) & {"cloth", "organ", "tail", "jaw"}) for joint in kept)
    return 1.5 * wrong - sum(said) / len(said)


def leg_between(view: View, hip: int | None, foot: int | None) -> Leg | None:
    """The leg of which it is said where it begins, where its foot does, or both; None where these belong to no leg."""
    skeleton = view.skeleton
    if hip is None and foot is not None:
        line = skeleton.line(foot)
        hip = next((joint for joint in line[::-1] if view.paired(joint)), None)
    if hip is None:
        return None
    if foot is not None and hip in skeleton.line(foot):
        line = skeleton.line(foot)
        bones = thinned(skeleton, line[:line.index(hip) + 1][::-1])
        return _judged(view, bones, 0, len(bones) - 1, None) if len(bones) > 1 else None
    path = min(skeleton.paths(hip), key=lambda way: (view.height[way[-1]], -len(way)))
    bones = [joint for joint in thinned(skeleton, path) if not only_ends(skeleton, joint)] or [hip]
    if foot is not None:
        return _judged(view, bones, 0, len(bones), foot)
    own = [_judged(view, bones, 0, at, None, faults) for at, faults in _feet(view, bones, 0, None)]
    return min(own, key=lambda leg: leg.faults, default=_judged(view, bones, 0, None, None))

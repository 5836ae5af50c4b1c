# SPDX-License-Identifier: GPL-3.0-or-later
"""The mirror plane of a skeleton, and which joint is the mirror image of which."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .skeleton import Skeleton

NOBODY = -1
_NEAR = 0.03
"""Of the size: images nearer than this to a joint are its partner's when planes are compared."""
_OFF = 0.012
"""Of the size: what lies farther than this from the plane is not in the middle."""
_DIRECTIONS = 24
"""Directions between like siblings that are tried as the normal of the plane."""
_ALIKE = 0.45
"""Partners differ by less than this share of their own size."""


@dataclass(frozen=True)
class Mirror:
    """The plane `normal` (3,) . x = `offset`, and `partner` (N,): a joint's mirror image, itself in the middle, -1 without."""

    normal: np.ndarray
    offset: float
    partner: np.ndarray

    def side(self, places: np.ndarray) -> np.ndarray:
        """Distance (...) of places (..., 3) from the plane, positive along the normal."""
        return np.asarray(places) @ self.normal - self.offset

    def image(self, vectors: np.ndarray) -> np.ndarray:
        """Directions (..., 3) in the mirror."""
        return vectors - 2.0 * (vectors @ self.normal)[..., None] * self.normal


def find_mirror(skeleton: Skeleton) -> Mirror | None:
    """The plane about which the skeleton is most nearly its own mirror image; None where no two joints are alike."""
    best, normal, offset = 0.0, None, 0.0
    for candidate in _normals(skeleton):
        for at in _offsets(skeleton, candidate):
            score = _score(skeleton, candidate, at)
            if score > 1.02 * best:
                best, normal, offset = score, candidate, at
    if normal is None:
        return None
    mirror = Mirror(normal, offset, np.full(len(skeleton.names), NOBODY))
    _pair(skeleton, mirror, skeleton.roots, skeleton.roots, offset * normal, offset * normal)
    return mirror


def _normals(skeleton: Skeleton) -> list[np.ndarray]:
    """Directions that may be the plane's normal: the axes, and those between siblings with like limbs."""
    found = list(np.eye(3))
    between = []
    groups: Sequence[Sequence[int]] = [skeleton.roots, *skeleton.children]
    for group in groups:
        group = sorted(group, key=lambda i: -skeleton.reach[i])[:8]
        for k, a in enumerate(group):
            for b in group[k + 1:]:
                way = skeleton.middle[a] - skeleton.middle[b]
                length = float(np.linalg.norm(way))
                reach = skeleton.reach[a], skeleton.reach[b]
                if length > _OFF * skeleton.size and min(reach) > 0.7 * max(reach):
                    between.append((min(reach), way / length))
    for _, way in sorted(between, key=lambda pair: -pair[0])[:_DIRECTIONS]:
        if all(abs(way @ other) < 0.9995 for other in found):
            found.append(way)
    return found


def _offsets(skeleton: Skeleton, normal: np.ndarray) -> list[float]:
    """Where along a normal the plane may lie: the middle joint, and where most joints lie."""
    at = np.sort(skeleton.heads @ normal)
    window = 2.0 * skeleton.same_place
    count = np.searchsorted(at, at + window) - np.arange(len(at))
    k = int(np.argmax(count))
    crowd = float(np.mean(at[k:k + count[k]]))
    return [float(np.median(at)), crowd] if abs(float(np.median(at)) - crowd) > skeleton.same_place else [crowd]


def _score(skeleton: Skeleton, normal: np.ndarray, offset: float) -> float:
    """How many joints off the plane have a joint at their mirror image."""
    side = skeleton.heads @ normal - offset
    left = skeleton.heads[side > _OFF * skeleton.size]
    right = skeleton.heads[side < -_OFF * skeleton.size]
    if not len(left) or not len(right):
        return 0.0
    image = left - 2.0 * ((left @ normal) - offset)[:, None] * normal
    apart = np.linalg.norm(image[:, None] - right[None], axis=2)
    near = np.maximum(0.0, 1.0 - apart / (_NEAR * skeleton.size))
    return float(near.max(axis=1).sum() + near.max(axis=0).sum()) - 0.3 * abs(len(left) - len(right))


def _pair(skeleton: Skeleton, mirror: Mirror, mine: Sequence[int], yours: Sequence[int], at: np.ndarray,
          there: np.ndarray) -> None:
    """Find partners among two joints' children (the same list in the middle), and then among theirs."""
    same = tuple(mine) == tuple(yours)
    costs = []
    for a in mine:
        for b in yours:
            if same and (a >= b or not _opposite(skeleton, mirror, a, b)):
                continue
            cost = _unlike(skeleton, mirror, a, b, at, there)
            if cost < _ALIKE:
                costs.append((cost, a, b))
    taken: set[int] = set()
    for _, a, b in sorted(costs):
        if a in taken or b in taken:
            continue
        taken |= {a, b}
        mirror.partner[a], mirror.partner[b] = b, a
        _pair(skeleton, mirror, skeleton.children[a], skeleton.children[b], skeleton.heads[a], skeleton.heads[b])
    if same:
        for a in mine:
            if a not in taken:
                _settle_in_the_middle(skeleton, mirror, a)


def _settle_in_the_middle(skeleton: Skeleton, mirror: Mirror, joint: int) -> None:
    """A joint without a partner: in the middle where it lies there; its children may have partners all the same."""
    if abs(mirror.side(skeleton.heads[joint])) < 3.0 * _OFF * skeleton.size:
        mirror.partner[joint] = joint
    below = skeleton.children[joint]
    _pair(skeleton, mirror, below, below, skeleton.heads[joint], skeleton.heads[joint])


def _opposite(skeleton: Skeleton, mirror: Mirror, a: int, b: int) -> bool:
    """Whether two joints' limbs lie on different sides."""
    one, other = mirror.side(skeleton.middle[[a, b]])
    return bool(one * other < 0.0 and min(abs(one), abs(other)) > 0.5 * _OFF * skeleton.size)


def _unlike(skeleton: Skeleton, mirror: Mirror, a: int, b: int, at: np.ndarray, there: np.ndarray) -> float:
    """How much two limbs differ: by how far off they begin and how far they reach, how many joints they have; and, less, by
    where they begin and lie: rest poses need not be mirrored."""
    mine, yours = skeleton.heads[a] - at, skeleton.heads[b] - there
    off = float(np.linalg.norm(mine)), float(np.linalg.norm(yours))
    size = max(float(max(skeleton.reach[a], skeleton.reach[b])), *off, 0.04 * skeleton.size)
    apart = float(np.linalg.norm(mirror.image(mine) - yours)) / size
    lie = mirror.image(skeleton.middle[a] - skeleton.heads[a]) - (skeleton.middle[b] - skeleton.heads[b])
    reach = abs(skeleton.reach[a] - skeleton.reach[b]) / size + abs(off[0] - off[1]) / size
    bulk = abs(np.log(skeleton.bulk[a] / skeleton.bulk[b]))
    return 0.12 * apart + 0.5 * reach + 0.1 * min(bulk, 2.0) + 0.08 * float(np.linalg.norm(lie)) / size

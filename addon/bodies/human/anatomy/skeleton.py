# SPDX-License-Identifier: GPL-3.0-or-later
"""A skeleton at rest as a tree of joints, of a rig or of a clip, in any unit and any axes; and its mirror plane."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

_SAME_PLACE = 0.004
"""Of the skeleton's size: joints nearer than this lie in one place."""

_LONGEST_TAIL = 0.35
"""Of the size: no bone of a figure is longer; glTF knows no tails, and importers guess."""


@dataclass(frozen=True)
class Skeleton:
    """Joints at rest: `names` (N), `parents` (N,) with -1 for none, `heads` and `tails` (N, 3), and `skin` (N,), how much skin
    each moves (any unit), with its middles `skin_at` (N, 3), or None where nothing is known of skin. Parents may stand after
    their children."""

    names: tuple[str, ...]
    parents: np.ndarray
    heads: np.ndarray
    tails: np.ndarray
    skin: np.ndarray | None = None
    skin_at: np.ndarray | None = None

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        found: list[list[int]] = [[] for _ in self.names]
        for i, parent in enumerate(self.parents):
            if parent >= 0:
                found[parent].append(i)
        return tuple(tuple(below) for below in found)

    @cached_property
    def roots(self) -> tuple[int, ...]:
        return tuple(int(i) for i in np.flatnonzero(self.parents < 0))

    @cached_property
    def order(self) -> tuple[int, ...]:
        """Every joint, parents first."""
        found = list(self.roots)
        for i in found:
            found.extend(self.children[i])
        return tuple(found)

    @cached_property
    def size(self) -> float:
        """Diagonal of the box that holds nine tenths of the joints along each axis: helpers far off do not count."""
        low, high = np.percentile(self.heads, (5.0, 95.0), axis=0)
        return max(float(np.linalg.norm(high - low)), 1e-12)

    @cached_property
    def ends(self) -> np.ndarray:
        """The tails (N, 3), but for those that an importer made up far off: there what lies beyond the middle of the skin, or
        the heads."""
        far = np.linalg.norm(self.tails - self.heads, axis=1) > _LONGEST_TAIL * self.size
        if self.skin is None or self.skin_at is None:
            return np.where(far[:, None], self.heads, self.tails)
        beyond = np.where(self.skin[:, None] > 0.0, 2.0 * self.skin_at - self.heads, self.heads)
        return np.where(far[:, None], beyond, self.tails)

    @cached_property
    def same_place(self) -> float:
        """A distance below which joints lie in one place."""
        return _SAME_PLACE * self.size

    @cached_property
    def middle(self) -> np.ndarray:
        """Middle (N, 3) of every joint and all below it."""
        total, count = self.heads.copy(), np.ones(len(self.names))
        for i in reversed(self.order):
            parent = self.parents[i]
            if parent >= 0:
                total[parent] += total[i]
                count[parent] += count[i]
        return total / count[:, None]

    @cached_property
    def reach(self) -> np.ndarray:
        """Length (N,) of the longest way down from every joint, along the bones, to the last joint's head."""
        found = np.zeros(len(self.names))
        for i in reversed(self.order):
            parent = self.parents[i]
            if parent >= 0:
                step = float(np.linalg.norm(self.heads[i] - self.heads[parent]))
                found[parent] = max(found[parent], found[i] + step)
        return found

    @cached_property
    def bulk(self) -> np.ndarray:
        """Number (N,) of joints below every joint, itself counted."""
        found = np.ones(len(self.names))
        for i in reversed(self.order):
            if self.parents[i] >= 0:
                found[self.parents[i]] += found[i]
        return found

    def line(self, joint: int) -> list[int]:
        found = [joint]
        while self.parents[found[-1]] >= 0:
            found.append(int(self.parents[found[-1]]))
        return found

    def below(self, joint: int) -> list[int]:
        """A joint and everything below it, parents first."""
        found = [joint]
        for i in found:
            found.extend(self.children[i])
        return found

    def fork(self, a: int, b: int) -> int:
        """The lowest joint above both (or one of them); -1 where there is none."""
        above = set(self.line(b))
        return next((i for i in self.line(a) if i in above), -1)

    def paths(self, joint: int) -> list[list[int]]:
        """Every way from a joint down to a joint without children."""
        if not self.children[joint]:
            return [[joint]]
        return [[joint, *path] for child in self.children[joint] for path in self.paths(child)]

    def leads_nowhere(self, joint: int) -> bool:
        """Whether a joint only marks an end: without children, and without skin where skin is known."""
        return not self.children[joint] and (self.skin is None or self.skin[joint] <= 0.0)

    def with_skin(self) -> tuple[Skeleton, np.ndarray]:
        """The joints that move skin with everything above them, and their numbers here; of controls and helpers none is left.
        Where nothing is known of skin, every joint."""
        if self.skin is None:
            return self, np.arange(len(self.names))
        keep = np.zeros(len(self.names), dtype=bool)
        for i in np.flatnonzero(self.skin > 0.0):
            keep[self.line(int(i))] = True
        for i in np.flatnonzero(self.skin > 0.0):  # an end tells how long the last bone with skin is
            if not any(keep[child] for child in self.children[i]):
                keep[[child for child in self.children[i] if not self.children[child]]] = True
        return self.only(np.flatnonzero(keep))

    def only(self, rows: Sequence[int] | np.ndarray) -> tuple[Skeleton, np.ndarray]:
        """Some of the joints, and their numbers here. What hung on a joint that is left out hangs on the next one above."""
        rows = np.asarray(rows, dtype=int)
        number = {int(row): i for i, row in enumerate(rows)}
        parents = [next((number[a] for a in self.line(int(row))[1:] if a in number), -1) for row in rows]
        return replace(self, names=tuple(self.names[row] for row in rows), parents=np.array(parents, dtype=int),
                       heads=self.heads[rows], tails=self.tails[rows],
                       skin=None if self.skin is None else self.skin[rows],
                       skin_at=None if self.skin_at is None else self.skin_at[rows]), rows


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

# SPDX-License-Identifier: GPL-3.0-or-later
"""Limbs of two long bones, legs and arms alike: of all joints along a branch, which three are hip, knee and ankle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .hints import hint
from .mirror import Mirror
from .skeleton import Skeleton

HINT = 1.2
"""What a name that fits is worth, in the units of the penalties below (one is a fault that a rig may just have)."""


@dataclass(frozen=True)
class View:
    """A skeleton seen with an up direction (3,): `height` (N,) of every joint over the ground, the lowest place of its mirrored
    joints; `tops` (N,) heights of the tails; `extent`, from the
    ground to the highest place; `ground`, where along up it is."""

    skeleton: Skeleton
    mirror: Mirror
    up: np.ndarray
    height: np.ndarray
    tops: np.ndarray
    extent: float
    ground: float

    @classmethod
    def of(cls, skeleton: Skeleton, mirror: Mirror, up: np.ndarray) -> View:
        """The view with that up direction."""
        height, tops = skeleton.heads @ up, skeleton.ends @ up
        own = np.arange(len(height))
        limbs, figure = (mirror.partner >= 0) & (mirror.partner != own), mirror.partner >= 0
        low = float(min(height[limbs].min(), tops[limbs].min())) if limbs.any() else float(height.min())
        high = float(max(height[figure].max(), tops[figure].max())) if figure.any() else float(height.max())
        return cls(skeleton, mirror, up, height - low, tops - low, max(high - low, 1e-12), low)

    @cached_property
    def distances(self) -> np.ndarray:
        """Distances (N, N) between joints."""
        heads = self.skeleton.heads
        return np.sqrt(np.maximum(((heads[:, None] - heads[None]) ** 2).sum(axis=2), 0.0))

    @cached_property
    def asides(self) -> np.ndarray:
        """Distances (N,) of the joints from the mirror plane."""
        return np.abs(self.mirror.side(self.skeleton.heads))

    def apart(self, a: int, b: int) -> float:
        """Distance between two joints."""
        return float(self.distances[a, b])

    def aside(self, joint: int) -> float:
        """Distance of a joint from the mirror plane."""
        return float(self.asides[joint])

    def paired(self, joint: int) -> bool:
        """Whether a joint has a mirror image other than itself."""
        return bool(self.mirror.partner[joint] >= 0 and self.mirror.partner[joint] != joint)

    @cached_property
    def branches(self) -> tuple[int, ...]:
        """Joints at which a branch begins that has a mirror image, one of each two: those on the normal's side."""
        found = []
        for i, j in enumerate(self.mirror.partner):
            above = int(self.skeleton.parents[i])
            if not self.paired(i) or (above >= 0 and self.paired(above)):
                continue
            if self.mirror.side(self.skeleton.middle[i]) > self.mirror.side(self.skeleton.middle[j]):
                found.append(i)
        return tuple(found)


@dataclass(frozen=True)
class Limb:
    """A limb on one side: the joints at its beginning, bend and end (None where only the bend's tail tells the end), the joints
    above its beginning on its branch (uppermost first), and `faults`, how unlike a limb it is."""

    upper: int
    lower: int
    end: int | None
    above: tuple[int, ...]
    faults: float
    free_end: bool = False

    @property
    def joints(self) -> tuple[int, ...]:
        """Its joints, uppermost first."""
        return (self.upper, self.lower) if self.end is None else (self.upper, self.lower, self.end)


def square(value: float, scale: float) -> float:
    """A penalty that is 1 at `scale` and grows with the square up to 9."""
    return min((value / scale) ** 2, 9.0)


def over(value: float, limit: float, scale: float) -> float:
    """A penalty for what lies above a limit only."""
    return square(max(0.0, value - limit), scale)


def ways(view: View, branch: int, least: float) -> list[tuple[int, ...]]:
    """Ways down a branch that are at least a share `least` of the extent long, joints in one place taken as one; no way twice."""
    found: dict[tuple[int, ...], None] = {}
    skeleton = view.skeleton
    for path in skeleton.paths(branch):
        way = thinned(skeleton, [joint for joint in path if view.paired(joint)])
        length = sum(view.apart(a, b) for a, b in zip(way, way[1:], strict=False))
        if length + _tail(skeleton, way[-1]) >= least * view.extent:
            found[tuple(way)] = None
    return list(found)


def thinned(skeleton: Skeleton, path: Sequence[int]) -> list[int]:
    """A way without joints that lie where the one before lies: of those in one place the first that moves skin stays."""
    groups: list[list[int]] = []
    for joint in path:
        near = groups and np.linalg.norm(skeleton.heads[joint] - skeleton.heads[groups[-1][0]]) < skeleton.same_place
        if near:
            groups[-1].append(joint)
        else:
            groups.append([joint])
    return [_first_with_skin(skeleton, group) for group in groups]


def _first_with_skin(skeleton: Skeleton, group: Sequence[int]) -> int:
    if skeleton.skin is None:
        return group[0]
    return next((joint for joint in group if skeleton.skin[joint] > 0.0), group[0])


def _tail(skeleton: Skeleton, joint: int) -> float:
    return float(np.linalg.norm(skeleton.ends[joint] - skeleton.heads[joint]))


def bent(view: View, way: Sequence[int], i: int, k: int) -> float:
    """Share by which a way from its i-th to its k-th joint is longer than the straight line."""
    if k == i + 1:
        return 0.0
    length = sum(view.apart(a, b) for a, b in zip(way[i:k], way[i + 1:k + 1], strict=True))
    return length / max(view.apart(way[i], way[k]), 1e-12) - 1.0


def names_speak(view: View, way: Sequence[int], joints: Sequence[int | None], parts: Sequence[str]) -> float:
    """What the names of joints say against their being these parts: negative where they speak for it. Of a name on the `way` that
    speaks for a part louder than the joint that was taken for it, the more; and of a joint that hangs on one of its own part:
    of two halves of a bone ("forearm", "forearm.001") the first begins it."""
    names = view.skeleton.names
    said, louder, halves = [], 0.0, 0
    for joint, after, part in zip(joints, (*joints[1:], None), parts, strict=True):
        if joint is None:
            continue
        said.append(hint(names[joint], part))
        between = way[way.index(joint) + 1:way.index(after)] if joint in way and after in way else ()
        louder += max((hint(names[other], part) - said[-1] for other in between), default=0.0) if said[-1] > 0.0 else 0.0
        before = way[max(way.index(joint) - 1, 0)] if joint in way else joint
        halves += before != joint and said[-1] == hint(names[before], part) == 1.0
    return HINT * (max(louder, 0.0) + halves - sum(said) / len(said))

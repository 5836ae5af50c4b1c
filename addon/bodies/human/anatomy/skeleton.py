# SPDX-License-Identifier: GPL-3.0-or-later
"""A skeleton at rest as a tree of joints, of a rig or of a clip, in any unit and any axes."""

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
    each moves (any unit), or None where nothing is known of skin. Parents may stand after their children."""

    names: tuple[str, ...]
    parents: np.ndarray
    heads: np.ndarray
    tails: np.ndarray
    skin: np.ndarray | None = None

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """The children of every joint."""
        found: list[list[int]] = [[] for _ in self.names]
        for i, parent in enumerate(self.parents):
            if parent >= 0:
                found[parent].append(i)
        return tuple(tuple(below) for below in found)

    @cached_property
    def roots(self) -> tuple[int, ...]:
        """Joints without a parent."""
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
        """The tails (N, 3), but for those that an importer made up far off: there the heads."""
        far = np.linalg.norm(self.tails - self.heads, axis=1) > _LONGEST_TAIL * self.size
        return np.where(far[:, None], self.heads, self.tails)

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
        """A joint and everything above it, upwards."""
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
                       skin=None if self.skin is None else self.skin[rows]), rows

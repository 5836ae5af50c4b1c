# SPDX-License-Identifier: GPL-3.0-or-later
"""A tree of joints at rest, with what a motion tells of them: lengths, ways down, what carries what. Plain numpy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np


@dataclass(frozen=True)
class JointTree:
    """Joints, parents first: `parents` (-1 where there is none), `places` (N, 3), `ends`: joint -> places (M, 3) beyond it.

    `still` are joints that are known never to turn: none of them is a hip, a shoulder, a knee or an elbow. `swing` (N,) is how
    far [rad] each is known to swing what hangs on it; None where nothing is known.
    """

    parents: Sequence[int]
    places: np.ndarray
    ends: Mapping[int, np.ndarray] = field(default_factory=dict)
    still: frozenset[int] = frozenset()
    swing: np.ndarray | None = None

    @cached_property
    def children(self) -> list[list[int]]:
        """Joint -> the joints that hang on it."""
        found: list[list[int]] = [[] for _ in self.parents]
        for joint, parent in enumerate(self.parents):
            if parent >= 0:
                found[parent].append(joint)
        return found

    @cached_property
    def reach(self) -> np.ndarray:
        """Joint -> length of the longest way down from it (N,), without the ends."""
        reach = np.zeros(len(self.parents))
        for joint in reversed(range(len(self.parents))):
            parent = self.parents[joint]
            if parent >= 0:
                reach[parent] = max(reach[parent], reach[joint] + self.bone[joint])
        return reach

    @cached_property
    def bone(self) -> np.ndarray:
        """Joint -> distance from its parent (N,)."""
        above = [self.places[p] if p >= 0 else self.places[i] for i, p in enumerate(self.parents)]
        return np.linalg.norm(self.places - np.array(above), axis=1)

    def end_length(self, joint: int) -> float:
        """How far a joint's own end lies from it; 0 without one."""
        ends = self.ends.get(joint)
        return 0.0 if ends is None or not len(ends) else float(np.linalg.norm(ends - self.places[joint], axis=1).max())

    def lines(self, joint: int, least: float) -> list[list[int]]:
        """Every way down from a joint to a leaf that is at least so long."""
        found: list[list[int]] = []
        stack: list[tuple[list[int], float]] = [([joint], 0.0)]
        while stack:
            line, length = stack.pop()
            below = self.children[line[-1]]
            if not below and length >= least:
                found.append(line)
            stack += [([*line, child], length + self.bone[child]) for child in below]
        return found

    def ancestors(self, joint: int) -> list[int]:
        """The joint and everything above it, upwards."""
        line = [joint]
        while self.parents[line[-1]] >= 0:
            line.append(self.parents[line[-1]])
        return line

    def below(self, joint: int) -> Iterator[int]:
        """The joint and everything below it."""
        stack = [joint]
        while stack:
            yield stack[-1]
            stack += self.children[stack.pop()]

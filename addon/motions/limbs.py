# SPDX-License-Identifier: GPL-3.0-or-later
"""Legs and arms in a tree of joints, by structure alone: no name is read.

Limbs are two branches of a joint that are each other's mirror image in the lengths of their bones, which no pose changes; of two
such pairs the legs are the one that points away from the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from .joint_tree import JointTree

LEAST_LIKENESS = 0.7
"""Two branches whose lengths and joints are less alike than this are no pair (captured limbs differ by up to 8 %)."""
LIKE_ENOUGH = 0.1
"""Of ways down two branches that are nearly as much alike as the most, the longest count."""
LEAST_LIMB = 0.12
"""A limb is at least this share of the longest one."""
LEAST_LINE = 0.35
"""Ways down two branches that are shorter than this share of the shorter branch are side branches."""


class NoFigure(Exception):
    """No two legs and two arms are in a tree."""


@dataclass(frozen=True)
class Limb:
    """One limb: its joints below the fork, their places and the end (n + 1, 3), and its whole length from the fork."""

    line: tuple[int, ...]
    points: np.ndarray
    length: float


@dataclass(frozen=True)
class Pair:
    """Two limbs that hang on one joint, `fork`, and how alike they are (0 to 1)."""

    fork: int
    limbs: tuple[Limb, Limb]
    likeness: float

    @property
    def length(self) -> float:
        """Mean of both limbs', in the tree's own unit."""
        return 0.5 * (self.limbs[0].length + self.limbs[1].length)

    @property
    def joints(self) -> set[int]:
        """The joints of both."""
        return {*self.limbs[0].line, *self.limbs[1].line}


def _pairs(tree: JointTree) -> list[Pair]:
    """Every two branches of a joint that are alike and long enough: of their ways down the two that are most alike."""
    found = []
    for fork, children in enumerate(tree.children):
        whole = {child: tree.bone[child] + tree.reach[child] for child in children}
        for a, b in combinations(children, 2):
            least = LEAST_LINE * min(whole[a], whole[b])
            options = [(_likeness(tree, one, two), one, two) for one in tree.lines(a, least) for two in tree.lines(b, least)]
            alike = max((option[0] for option in options), default=0.0) - LIKE_ENOUGH
            near = [option for option in options if option[0] >= alike]
            likeness, one, two = max(near, key=lambda option: sum(tree.bone[option[1]]), default=(0.0, [], []))
            if likeness > LEAST_LIKENESS and len(one) > 1 and len(two) > 1:
                found.append(Pair(fork, _limbs(tree, one, two), likeness))
    longest = max((pair.length for pair in found), default=0.0)
    return [pair for pair in found if pair.length > LEAST_LIMB * longest]


def _limbs(tree: JointTree, *lines: list[int]) -> tuple[Limb, Limb]:
    """The limbs of two lines. The end beyond the last joint is taken as long as the shorter of both: some are damaged."""
    beyond = min(tree.end_length(line[-1]) for line in lines)
    limbs = []
    for line in lines:
        last, ends = tree.places[line[-1]], tree.ends.get(line[-1])
        way = np.zeros(3)
        if ends is not None and len(ends) and beyond > 0.0:
            way = ends[int(np.linalg.norm(ends - last, axis=1).argmax())] - last
            way = way * beyond / np.linalg.norm(way)
        limbs.append(Limb(tuple(line), np.vstack([tree.places[line], last + way]), float(tree.bone[line].sum()) + beyond))
    return limbs[0], limbs[1]


def _likeness(tree: JointTree, a: list[int], b: list[int]) -> float:
    """1 for lines with as many joints and the same lengths."""
    bones = [tree.bone[line] for line in (a, b)]
    long, short = max(part.sum() for part in bones), min(part.sum() for part in bones)
    if short <= 0.0:
        return 0.0
    if len(a) != len(b):
        return float(short / long) - 0.1 - 0.1 * abs(len(a) - len(b)) / max(len(a), len(b))
    return float(short / long) - float(np.abs(bones[0] - bones[1]).sum() / (long + short))


def legs_and_arms(tree: JointTree) -> tuple[Pair, Pair]:
    """The two pairs that are legs and arms. Raises NoFigure where there are no two."""
    pairs = _pairs(tree)
    best, cost = None, np.inf
    for legs in pairs:
        for arms in pairs:
            if legs is arms or legs.joints & arms.joints or arms.fork in legs.joints:
                continue
            new = _pairing_cost(tree, legs, arms)
            if new < cost:
                best, cost = (legs, arms), new
    if best is None:
        raise NoFigure
    return best


def _pairing_cost(tree: JointTree, legs: Pair, arms: Pair) -> float:
    """How unlike legs and arms two pairs are: legs go away from the arms' fork, arms do not go on the way of the legs, and
    both are long and alike."""
    trunk = tree.places[arms.fork] - tree.places[legs.fork]
    if np.linalg.norm(trunk) < 1e-9:
        above, below = (np.mean([limb.points[0] for limb in pair.limbs], axis=0) for pair in (arms, legs))
        trunk = above - below
    trunk = trunk / max(np.linalg.norm(trunk), 1e-9)
    down = [float((limb.points[-1] - limb.points[0]) @ trunk) / limb.length for limb in legs.limbs]
    up = [float((limb.points[-1] - limb.points[0]) @ trunk) / limb.length for limb in arms.limbs]
    under = 1.0 if legs.fork in {j for limb in arms.limbs for top in limb.line[:1] for j in tree.below(top)} else 0.0
    longest = max(legs.length, arms.length)
    return (float(np.mean(down)) + 0.5 * max(float(np.mean(up)), 0.0) + 2.0 * under
            - legs.likeness - arms.likeness - (legs.length + arms.length) / longest)

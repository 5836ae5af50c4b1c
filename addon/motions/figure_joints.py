# SPDX-License-Identifier: GPL-3.0-or-later
"""The joints of a figure in a tree: hips, knees and ankles along its legs, shoulders, elbows and wrists along its arms, the head.
Along a limb its two long bones are found by their proportions and by what swings, so that fillers before the hip, twist joints
within a bone and fingers after the wrist do not matter. Limbs are two branches of a joint that are each other's mirror image in
the lengths of their bones, which no pose changes; of two such pairs the legs are the one that points away from the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations

import numpy as np


@dataclass(frozen=True)
class JointTree:
    """Joints, parents first: `parents` (-1 where there is none), `places` (N, 3), `ends`: joint -> places (M, 3) beyond it.
    `still` are joints that are known never to turn: none of them is a hip, a shoulder, a knee or an elbow. `swing` (N,) is how
    far [rad] each is known to swing what hangs on it; None where nothing is known."""

    parents: Sequence[int]
    places: np.ndarray
    ends: Mapping[int, np.ndarray] = field(default_factory=dict)
    still: frozenset[int] = frozenset()
    swing: np.ndarray | None = None

    @cached_property
    def children(self) -> list[list[int]]:
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
        line = [joint]
        while self.parents[line[-1]] >= 0:
            line.append(self.parents[line[-1]])
        return line

    def below(self, joint: int) -> Iterator[int]:
        stack = [joint]
        while stack:
            yield stack[-1]
            stack += self.children[stack.pop()]


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
        return 0.5 * (self.limbs[0].length + self.limbs[1].length)

    @property
    def joints(self) -> set[int]:
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


LOWER_PER_UPPER = {"leg": 1.0, "arm": 0.8}
"""Shank over thigh, forearm over upper arm (Winter, fig. 4.1: .246 / .245 and .146 / .186 of the stature)."""
PROPORTION, DETOUR, BEND, BEFORE, AFTER = 1.5, 4.0, 2.0, 1.0, 0.5
"""What it costs when three joints are taken for a limb: square of the log of the bones' ratio over the usual one; path left out
of the bones, per limb; bend between the bones at rest; share of the limb before the first and after the last joint."""
SKIPPED, LEAST_SWING = (0.06, 0.6), 0.2
"""What a joint within a bone costs: always, and by its swing over the limb's largest, which counts as this [rad] at least."""
BRANCHES, NO_HAND = 0.3, 0.2
"""What it costs if a joint within a bone carries side branches too, as a hand does; and an arm that ends at its wrist."""
APART = 0.06
"""A hip or a shoulder is this far from the other one, over the limb; what lies nearer is a filler in the middle."""
FORWARD = 0.05
"""Toes that lie ahead of the ankles by this share of the leg tell where the figure faces."""
HEAD_OVER_SHOULDERS, TOP_OVER_SHOULDERS = 0.14, 0.37
"""Joint and top of the head over the shoulders, per leg (Winter, fig. 4.1: .067 and .182 over .491 of the stature)."""


def find_joints(tree: JointTree, sides: Sequence[int] = ()) -> dict[str, int]:
    """Landmark -> joint of a figure that stands or nearly so: hips, knees, ankles, toes, clavicles, shoulders, elbows, wrists and
    head, as far as they are there; and "pelvis", the joint that carries the legs, and "fork", the one that carries the arms.
    `sides` (N) is what is hinted of each joint: 1 left, -1 right, 0 nothing; it counts where the toes do not tell. Raises
    NoFigure."""
    legs, arms = legs_and_arms(tree)
    found = {"pelvis": legs.fork, "fork": arms.fork}
    leg, arm = _bones(tree, legs, "leg"), _bones(tree, arms, "arm")
    left = _left_is_first(tree, legs, leg, arms, sides)
    across = _across(legs, leg)
    same = float(across @ _across(arms, arm)) > 0.0
    for first, pair, places, names in ((left, legs, leg, ("hip", "knee", "ankle")),
                                       (left == same, arms, arm, ("shoulder", "elbow", "wrist"))):
        for side, limb, rows in zip("LR" if first else "RL", pair.limbs, places, strict=True):
            found |= {f"{name}_{side}": limb.line[row] for name, row in zip(names, rows, strict=True) if row < len(limb.line)}
            beyond = _toes(tree, limb, rows) if pair is legs else _clavicle(tree, limb, rows)
            if beyond is not None:
                found[f"{'toes' if pair is legs else 'clavicle'}_{side}"] = beyond
    head = _head(tree, legs, arms, leg, arm)
    return found if head is None else found | {"head": head}


def stands(places: np.ndarray, joints: Mapping[str, int]) -> bool:
    """Whether head or shoulders, hips, knees and ankles of a pose (N, 3) lie on one line in this order, about upright."""
    p = {name: places[joint] for name, joint in joints.items()}
    middle = {name: 0.5 * (p[f"{name}_L"] + p[f"{name}_R"]) for name in ("shoulder", "hip", "knee", "ankle")}
    up = middle["hip"] - middle["ankle"]
    leg = sum(np.linalg.norm(p[f"{a}_L"] - p[f"{b}_L"]) for a, b in (("hip", "knee"), ("knee", "ankle")))
    if np.linalg.norm(up) < 0.8 * leg:
        return False
    up = up / np.linalg.norm(up)
    trunk = middle["shoulder"] - middle["hip"]
    heights = [middle[name] @ up for name in ("shoulder", "hip", "knee", "ankle")]
    level = all(abs((p[f"{n}_L"] - p[f"{n}_R"]) @ up) < 0.15 * leg for n in ("hip", "knee", "ankle", "shoulder"))
    return bool(level and trunk @ up > 0.8 * np.linalg.norm(trunk)
                and all(a > b for a, b in zip(heights, heights[1:], strict=False)))


def _bones(tree: JointTree, pair: Pair, kind: str) -> list[tuple[int, int, int]]:
    """For both limbs which of its points are the ends of its two long bones; an arm's last may be its end."""
    rows = [_options(tree, pair, i, kind) for i in (0, 1)]
    if len(pair.limbs[0].line) == len(pair.limbs[1].line):
        both = {key: rows[0][key] + rows[1][key] for key in rows[0].keys() & rows[1].keys()}
        if both:
            best = min(both, key=both.__getitem__)
            return [best, best]
    if not all(rows):
        raise NoFigure
    return [min(options, key=options.__getitem__) for options in rows]


def _options(tree: JointTree, pair: Pair, which: int, kind: str) -> dict[tuple[int, int, int], float]:
    """What each choice of three points along a limb costs."""
    limb, other = pair.limbs[which], pair.limbs[1 - which]
    points, count = limb.points, len(limb.line)
    path = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    before = float(np.linalg.norm(points[0] - tree.places[pair.fork]))
    costs, skips = {}, _skip_costs(tree, limb)
    for i, j, k in combinations(range(count + (kind == "arm")), 3):
        upper, lower = (float(np.linalg.norm(points[b] - points[a])) for a, b in ((i, j), (j, k)))
        if min(upper, lower) < 0.05 * limb.length or {limb.line[i], limb.line[j]} & tree.still:
            continue
        twin = other.points[min(i, len(other.points) - 1)]
        if np.linalg.norm(twin - points[i]) < APART * limb.length:
            continue
        skipped = [limb.line[n] for n in range(i + 1, min(k, count)) if n != j]
        ratio = np.log(lower / upper / LOWER_PER_UPPER[kind])
        detour = (path[k] - path[i] - upper - lower) / limb.length
        bent = 1.0 - float(np.linalg.norm(points[k] - points[i])) / (upper + lower)
        costs[i, j, k] = (PROPORTION * ratio**2 + DETOUR * detour + BEND * bent + sum(skips[n] for n in skipped)
                          + NO_HAND * (k == count) + BEFORE * (before + path[i]) / limb.length
                          + AFTER * (path[-1] - path[k]) / limb.length)
    return costs


def _skip_costs(tree: JointTree, limb: Limb) -> dict[int, float]:
    """What it costs to have each joint of a limb within a bone."""
    fixed, swung = SKIPPED
    side = {j: max((tree.bone[c] + tree.reach[c] for c in tree.children[j] if c not in limb.line), default=0.0)
            for j in limb.line}
    costs = {j: fixed + BRANCHES * (side[j] > APART * limb.length) for j in limb.line}
    if tree.swing is not None:
        most = max(LEAST_SWING, *(tree.swing[j] for j in limb.line))
        costs = {j: cost + swung * float(tree.swing[j]) / most for j, cost in costs.items()}
    return costs


def _across(pair: Pair, rows: Sequence[tuple[int, int, int]]) -> np.ndarray:
    """From the second limb's first joint to the first one's."""
    return pair.limbs[0].points[rows[0][0]] - pair.limbs[1].points[rows[1][0]]


def _left_is_first(tree: JointTree, legs: Pair, leg: Sequence[tuple[int, int, int]], arms: Pair, sides: Sequence[int]) -> bool:
    """Whether the first leg is the left one: by where the toes point, else by names (`sides`), else by the knees."""
    up = tree.places[arms.fork] - tree.places[legs.fork]
    if np.linalg.norm(up) < 1e-9:
        up = legs.limbs[0].points[leg[0][0]] - legs.limbs[0].points[leg[0][2]]
    ahead, knees, length = np.zeros(3), np.zeros(3), 0.0
    for limb, (i, j, k) in zip(legs.limbs, leg, strict=True):
        ahead = ahead + limb.points[-1] - limb.points[k]
        line = limb.points[k] - limb.points[i]
        bend = limb.points[j] - limb.points[i]
        knees = knees + bend - (bend @ line) / (line @ line) * line
        length += 0.5 * float(np.linalg.norm(line))
    left = np.cross(up / np.linalg.norm(up), ahead)
    across = _across(legs, leg)
    if np.linalg.norm(left) > 2.0 * FORWARD * length:
        return bool(left @ across > 0.0)
    said = sum(sides[j] for j in legs.limbs[0].line) - sum(sides[j] for j in legs.limbs[1].line) if len(sides) else 0
    if said:
        return said > 0
    return bool(np.cross(up, knees) @ across > 0.0)


def _toes(tree: JointTree, limb: Limb, rows: tuple[int, int, int]) -> int | None:
    """The joint at the ball of the foot: the first one clear of the ankle, unless it is the foot's very end."""
    leg = float(np.linalg.norm(np.diff(limb.points[list(rows)], axis=0), axis=1).sum())
    ankle = limb.points[rows[2]]
    for joint, place in zip(limb.line[rows[2] + 1:], limb.points[rows[2] + 1:], strict=False):
        away = float(np.linalg.norm(place - ankle))
        bare = tree.reach[joint] + tree.end_length(joint) < 1e-6
        if away > FORWARD * leg and not (bare and (joint != limb.line[rows[2] + 1] or away > 0.24 * leg)):
            return joint
    return None


def _clavicle(tree: JointTree, limb: Limb, rows: tuple[int, int, int]) -> int | None:
    """The joint that carries the shoulder from the middle: the nearest one above it that turns and is no part of the trunk."""
    shoulder = limb.points[rows[0]]
    before = [j for j in limb.line[:rows[0]] if np.linalg.norm(tree.places[j] - shoulder) > 0.05 * limb.length]
    turning = [j for j in before if j not in tree.still]
    carrying = turning or before
    return carrying[-1] if carrying else None


def _head(tree: JointTree, legs: Pair, arms: Pair, leg: Sequence[tuple[int, int, int]],
          arm: Sequence[tuple[int, int, int]]) -> int | None:
    """The joint at the base of the head: on the way to what lies farthest up, the last one that carries anything."""
    taken = {j for pair in (legs, arms) for limb in pair.limbs for j in tree.below(limb.line[0])}
    shoulders = np.mean([limb.points[rows[0]] for limb, rows in zip(arms.limbs, arm, strict=True)], axis=0)
    hips = np.mean([limb.points[rows[0]] for limb, rows in zip(legs.limbs, leg, strict=True)], axis=0)
    thigh, shank = (np.mean([np.linalg.norm(limb.points[r[b]] - limb.points[r[a]])
                             for limb, r in zip(legs.limbs, leg, strict=True)]) for a, b in ((0, 1), (1, 2)))
    size = float(thigh + shank)
    up = (shoulders - hips) / max(np.linalg.norm(shoulders - hips), 1e-9)

    def height(joint: int) -> float:
        return float((tree.places[joint] - shoulders) @ up)

    free = [j for j in range(len(tree.parents)) if j not in taken]
    top = max(free, key=height)
    if height(top) < 0.5 * HEAD_OVER_SHOULDERS * size:
        return None
    trunk = {*tree.ancestors(arms.fork), *tree.ancestors(legs.fork)}
    line = [j for j in reversed(tree.ancestors(top)) if j not in trunk]
    if not line:
        return None
    branching = next((j for j in line[1:] if sum(c not in taken for c in tree.children[j]) > 1), None)
    if branching is not None:
        return branching
    last = line[-1]
    bare = tree.reach[last] + tree.end_length(last) < 1e-6
    over = float((tree.places[last] - shoulders) @ up)
    if bare and len(line) > 1 and over > 0.5 * (HEAD_OVER_SHOULDERS + TOP_OVER_SHOULDERS) * size:
        return line[-2]
    return last

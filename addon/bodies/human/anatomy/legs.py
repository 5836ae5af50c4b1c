# SPDX-License-Identifier: GPL-3.0-or-later
"""Legs: the two mirrored branches that stand on the ground, by two bones of like length and a foot."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .hints import hint
from .limb import Limb, View, bent, names_speak, over, square, ways

_PARTS = ("thigh", "shank", "foot")
_FREE_FOOT = 1.0
"""The fault of a foot that hangs on no shin, as exports of IK rigs have it."""
_LONGEST_WAY = 7
"""Joints that are looked at along a bone of a limb: twist bones in line make them many."""
_TOE_REACH = 0.21
"""Of the leg: a joint farther ahead of the ankle than this is the tip of the toes and no ball (a human's ball is at 0.14, the
tip at 0.22: Winter, fig. 4.1)."""

_BIG_FOOT, _FAR_BALL = 2.0, 0.35
"""The most that counts against a joint that moves skin, on the ground, for lying far ahead: comic figures have shoes half as
long as their legs. What lies farther ahead than this, of the leg, is a ball for sure only by its name."""


def find_legs(view: View) -> list[Limb]:
    """Every pair of branches that may be legs, the likeliest first (the joints of one side)."""
    free = list(_free_feet(view))
    found = [leg for branch in view.branches for leg in _of_branch(view, branch, free)]
    return sorted(found, key=lambda leg: leg.faults)


def _of_branch(view: View, branch: int, free: list[int]) -> Iterator[Limb]:
    """The readings of one branch as a leg."""
    for way in ways(view, branch, 0.12):
        for i in range(min(len(way) - 1, _LONGEST_WAY)):
            if view.aside(way[i]) < 2.0 * view.skeleton.same_place:
                continue  # in the middle: what carries the thigh, not the thigh
            for j in range(i + 1, min(len(way), i + _LONGEST_WAY)):
                if view.height[way[j]] > view.height[way[i]]:
                    continue
                for k in range(j + 1, min(len(way), j + _LONGEST_WAY)):
                    if _stands(view, way[i], way[j], way[k]):
                        yield _judged(view, way, i, j, k, None)
                if j == len(way) - 1 or view.skeleton.leads_nowhere(way[j + 1]):
                    side = view.mirror.side(view.skeleton.heads[way[j]])
                    for foot in free:
                        same_side = view.mirror.side(view.skeleton.heads[foot]) * side > 0.0
                        near = foot if same_side else int(view.mirror.partner[foot])
                        if near not in way and _stands(view, way[i], way[j], near):
                            yield _judged(view, way, i, j, j, near)


def _stands(view: View, hip: int, knee: int, ankle: int) -> bool:
    """Whether a leg of these joints goes down at all."""
    leg = view.apart(hip, knee) + view.apart(knee, ankle)
    return bool(leg > 0.05 * view.extent and view.height[hip] - view.height[ankle] > 0.4 * leg)


def _free_feet(view: View) -> Iterator[int]:
    """Joints at which branches begin that may be a foot without a shin: near the ground."""
    for joint in view.branches:
        if view.height[joint] < 0.25 * view.extent:
            yield joint


def _judged(view: View, way: tuple[int, ...], i: int, j: int, k: int, free: int | None) -> Limb:
    """A reading of a way with its faults; `free` is a foot that hangs on no shin."""
    hip, knee = way[i], way[j]
    ankle = way[k] if free is None else free
    thigh, shank = view.apart(hip, knee), view.apart(knee, ankle)
    leg = max(thigh + shank, 1e-12)
    heights = view.height
    faults = square(float(np.log(max(thigh, 1e-12) / max(shank, 1e-12))), 0.4)
    faults += over(0.92 - (heights[hip] - heights[ankle]) / leg, 0.0, 0.2)
    faults += over(heights[ankle] / leg, 0.2, 0.2)
    faults += over(0.17 - leg / view.extent, 0.0, 0.06) + over(leg / view.extent, 0.62, 0.1)
    faults += square(bent(view, way, i, j), 0.06)
    faults += 0.0 if free is not None else square(bent(view, way, j, k), 0.06)
    skipped = [joint for joint in way[:i] if view.aside(joint) > 0.5 * view.aside(hip)]
    faults += 1.5 * len(skipped)
    if free is None:
        faults += _of_foot(view, way, k, leg)
    else:
        faults += _FREE_FOOT + over(_drift(view, knee, ankle) / leg, 0.12, 0.1)
        faults += 0.0 if view.skeleton.children[free] or _skinned(view, free) else 0.5
    faults += names_speak(view, way, (hip, knee, ankle), _PARTS)
    return Limb(hip, knee, ankle, way[:i], faults, free is not None)


def _drift(view: View, knee: int, ankle: int) -> float:
    """How far a foot lies beside the plumb line of its knee."""
    way = view.skeleton.heads[ankle] - view.skeleton.heads[knee]
    return float(np.linalg.norm(way - (way @ view.up) * view.up))


def _skinned(view: View, joint: int) -> bool:
    return view.skeleton.skin is None or view.skeleton.skin[joint] > 0.0


def _of_foot(view: View, way: tuple[int, ...], k: int, leg: float) -> float:
    """Faults of what follows an ankle: it should go ahead along the ground, not far, or be nothing but the bone's tail, which
    an importer may have made up."""
    skeleton = view.skeleton
    ankle = skeleton.heads[way[k]]
    only_tail = len(way) == k + 1
    rest = (skeleton.ends[[way[k]]] if only_tail else skeleton.heads[list(way[k + 1:])]) - ankle
    along = float(np.linalg.norm(rest - (rest @ view.up)[:, None] * view.up, axis=1).max()) / leg
    down = float(np.abs(rest @ view.up).max()) / leg
    if only_tail:
        return 0.4 + over(along, 0.5, 0.2) if along + down > 0.02 else 0.8
    return over(along, 0.45, 0.15) + over(0.04 - along, 0.0, 0.03) + over(down / max(along, 0.05), 2.0, 1.0)


def toes_of(view: View, ankle: int, leg: float) -> tuple[int | None, bool]:
    """The joint of the ball of a foot (None where it has none), and whether that is sure."""
    skeleton = view.skeleton
    judged = []
    for joint in skeleton.below(ankle)[1:]:
        spoken = hint(skeleton.names[joint], "toes")
        end = skeleton.leads_nowhere(joint)
        if end and skeleton.skin is not None:
            continue
        rest = skeleton.heads[joint] - skeleton.heads[ankle]
        along = float(np.linalg.norm(rest - (rest @ view.up) * view.up)) / leg
        moves_skin = skeleton.skin is not None and skeleton.skin[joint] > 0.0
        faults = min(square(along - 0.14, 0.12), _BIG_FOOT if moves_skin else np.inf)
        faults += over(view.height[joint] / leg, 0.08, 0.06) + over(0.05 - along, 0.0, 0.02)
        faults += (over(along, _TOE_REACH, 0.03) + 0.3) if end else 0.0
        judged.append((faults - 1.5 * spoken, joint, along < _FAR_BALL or spoken == 1.0))
    judged.sort()
    if not judged or judged[0][0] > 3.0:
        return None, True
    return judged[0][1], judged[0][2] and (len(judged) == 1 or judged[1][0] > judged[0][0] + 0.3)

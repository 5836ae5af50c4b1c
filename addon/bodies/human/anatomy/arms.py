# SPDX-License-Identifier: GPL-3.0-or-later
"""Arms: two mirrored branches of the upper trunk, by two bones of like length and, where there are,
hands that part in fingers."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .limb import Limb, View, bent, names_speak, over, square, ways

_PARTS = ("upper_arm", "forearm", "hand")
_UPPER_OVER_FORE = 1.2
"""Upper arm over forearm: 1.27 in people (Winter, fig. 4.1), near 1.1 in most characters."""
_LONGEST_WAY = 6
"""Joints that are looked at along a bone of a limb: twist bones in line make them many."""
_ON_GROUND = 0.1
"""Of the figure: hands that rest lower than this are forefeet."""
_NO_HAND, _FREE_HAND = 1.0, 0.8
"""The faults of an arm whose hand has no joint, and of one whose hand hangs on no forearm."""
_BIG_HAND = 1.5
"""The most that counts against a hand for its length where three fingers or palm bones part at the wrist: comic figures have
hands that are twice as long as their forearms."""


def find_arms(view: View, legs: Limb, top: float) -> list[Limb]:
    """Every pair of branches that may be arms of a figure on these legs, the likeliest first (the joints of one side).

    `top` is the height of the head's top.
    """
    skeleton = view.skeleton
    taken = set(skeleton.below(legs.upper)) | set(skeleton.below(int(view.mirror.partner[legs.upper])))
    taken |= {*legs.joints, *legs.above}
    leg = view.apart(legs.upper, legs.lower) + view.apart(legs.lower, legs.joints[-1])
    found = [arm for branch in view.branches if branch not in taken for arm in _of_branch(view, branch, legs, leg, top)]
    return sorted(found, key=lambda arm: arm.faults)


def _of_branch(view: View, branch: int, legs: Limb, leg: float, top: float) -> Iterator[Limb]:
    """The readings of one branch as an arm."""
    for way in ways(view, branch, 0.1):
        for i in range(min(len(way) - 1, 5)):
            if view.aside(way[i]) < 2.0 * view.skeleton.same_place:
                continue
            for j in range(i + 1, min(len(way), i + _LONGEST_WAY)):
                for k in range(j + 1, min(len(way), j + _LONGEST_WAY)):
                    if 0.15 * leg < view.apart(way[i], way[j]) + view.apart(way[j], way[k]) < 5.0 * leg:
                        yield _judged(view, way, (i, j, k), legs, leg, top)
                if j == len(way) - 1 or view.skeleton.leads_nowhere(way[j + 1]):
                    yield _judged(view, way, (i, j, None), legs, leg, top)
                    for hand in _free_hands(view, way, i, j):
                        yield _judged(view, way, (i, j, None), legs, leg, top, hand)


def _free_hands(view: View, way: tuple[int, ...], i: int, j: int) -> Iterator[int]:
    """Joints beside a way that may be the hand at the end of its last bone, as in exports of IK rigs: further out,
    by about as far."""
    skeleton = view.skeleton
    shoulder, elbow = skeleton.heads[way[i]], skeleton.heads[way[j]]
    side, upper = view.mirror.side(elbow), float(np.linalg.norm(elbow - shoulder))
    beside = {child for joint in way[:j + 1] for child in skeleton.children[joint]} | set(view.branches)
    for joint in sorted(beside - set(way)):
        hand = joint if view.mirror.side(skeleton.heads[joint]) * side > 0.0 else int(view.mirror.partner[joint])
        fore = skeleton.heads[hand] - elbow
        if (view.paired(hand) and hand not in way and len(skeleton.children[hand]) > 1
                and 0.4 * upper < np.linalg.norm(fore) < 2.5 * upper and fore @ (elbow - shoulder) > 0.0):
            yield hand


def _judged(view: View, way: tuple[int, ...], at: tuple[int, int, int | None], legs: Limb, leg: float, top: float,
            free: int | None = None) -> Limb:
    """A reading of a way with its faults; `free` is a hand that hangs on no forearm."""
    skeleton = view.skeleton
    i, j, k = at
    shoulder, elbow = way[i], way[j]
    wrist = free if k is None else way[k]
    end = skeleton.ends[elbow] if wrist is None else skeleton.heads[wrist]
    upper, fore = view.apart(shoulder, elbow), float(np.linalg.norm(end - skeleton.heads[elbow]))
    hips = view.height[legs.upper]
    faults = square(float(np.log(max(upper, 1e-12) / max(fore, 1e-12) / _UPPER_OVER_FORE)), 0.45)
    faults += square(float(np.log(max(upper + fore, 1e-12) / leg / 0.75)), 0.8)
    up = (view.height[shoulder] - hips) / max(top - hips, 1e-12)
    faults += over(0.3 - up, 0.0, 0.12) + over(up, 0.95, 0.1)
    faults += over(_ON_GROUND - float(end @ view.up - view.ground) / view.extent, 0.0, 0.03)
    faults += square(bent(view, way, i, j), 0.06) + (0.0 if k is None else square(bent(view, way, j, k), 0.06))
    faults += _before(view, way, i, upper)
    if free is not None:
        fingers: list[int] = max(skeleton.paths(free), key=len)
        faults += _FREE_HAND + _of_hand(view, tuple(fingers), 0, fore)
    else:
        faults += _NO_HAND if k is None else _of_hand(view, way, k, fore)
    faults += names_speak(view, way, (shoulder, elbow, wrist), _PARTS)
    return Limb(shoulder, elbow, wrist, way[:i], faults)


def _before(view: View, way: tuple[int, ...], i: int, upper: float) -> float:
    """Faults of what comes before the shoulder: one clavicle that begins nearer to the middle, and is shorter than the arm."""
    if i == 0:
        return 0.25 + over(0.5 - view.aside(way[0]) / max(upper, 1e-12), 0.0, 0.4)
    clavicle = view.apart(way[0], way[i])
    faults = 0.35 * (i - 1) + over(clavicle / max(upper, 1e-12), 0.9, 0.5)
    return faults + over((view.aside(way[0]) - 0.75 * view.aside(way[i])) / max(upper, 1e-12), 0.0, 0.2)


def _of_hand(view: View, way: tuple[int, ...], k: int, fore: float) -> float:
    """Faults of what follows a wrist: a hand no longer than the forearm; fingers part there or one joint further on."""
    skeleton = view.skeleton
    wrist = way[k]
    rest = [*(skeleton.heads[joint] for joint in way[k:]), skeleton.ends[way[-1]]]
    length = sum(float(np.linalg.norm(b - a)) for a, b in zip(rest[:-1], rest[1:-1], strict=False))
    parted = [sum(skeleton.reach[child] > 0.05 * fore for child in skeleton.children[joint]) >= 3 for joint in way[:k + 1]]
    faults = min(over(length / max(fore, 1e-12), 0.95, 0.25), _BIG_HAND if parted[k] and not any(parted[:k]) else np.inf)
    fingers = sum(1 for child in skeleton.children[wrist] if skeleton.reach[child] > 0.0 or len(skeleton.children[wrist]) > 2)
    if len(skeleton.children[wrist]) >= 2:
        faults -= 1.2 if fingers >= 2 else 0.6
    if skeleton.skin is not None and skeleton.leads_nowhere(wrist):
        faults += 1.0
    faults += 0.4 if len(way) == k + 1 else 0.0
    return faults + (1.5 if any(parted[:k]) else 0.0)


def clavicle_of(view: View, arm: Limb) -> int | None:
    """The joint of the clavicle of an arm: the first above it that begins nearer to the middle."""
    for joint in arm.above:
        if view.apart(joint, arm.upper) > 3.0 * view.skeleton.same_place:
            return joint
    return None

# SPDX-License-Identifier: GPL-3.0-or-later
"""Arms and wings of a creature: mirrored branches of the upper trunk that carry skin and do not stand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...human.anatomy.hints import hint
from ...human.anatomy.limb import thinned
from ...human.anatomy.skeleton import Skeleton
from .core import Stance, in_middle, length_of, links
from .words import kinds_of, only_ends

MOST_PAIRS, MOST_PARTS = 2, 3
_LEAST_ARM, _SHORT_ARM = 0.22, 0.4
"""Of the hips' height: shorter branches ride along; shorter arms are one part."""
_LEAST_SKIN = 0.01
"""Of all the skin: lighter branches ride along."""


Arm = tuple[list[int], np.ndarray, int]
"""An arm's joints, its end (3,), and the joint in the middle that it hangs on."""


def said_arms(stance: Stance, joint: int) -> list[Arm]:
    """The arms of the normal's side where it is said at which joint, of either side, one begins; none for -1."""
    view = stance.view
    if joint < 0 or not view.paired(joint):
        return []
    if view.mirror.side(view.skeleton.heads[joint]) < 0.0:
        joint = int(view.mirror.partner[joint])
    way = _way(stance, joint, whole=True)
    at = next((above for above in view.skeleton.line(joint)[1:] if in_middle(view, above)), -1)
    end = arm_end(view.skeleton, way)
    return [(links(stance, way, end, MOST_PARTS), end, at)]


def find_arms(stance: Stance, trunk: int, above_neck: Sequence[int], legs: Sequence[int]) -> list[Arm]:
    """The arms of the normal's side, the heaviest first: their joints, their ends (3,), and the joint in the middle that each
    hangs on. What hangs on the joints `above_neck`, a neck's or a head's, is no arm; nor are the `legs` (all joints of
    theirs)."""
    view, skeleton = stance.view, stance.view.skeleton
    found = []
    every = float(skeleton.skin.sum()) if skeleton.skin is not None else 0.0
    for branch in view.branches:
        line = skeleton.line(branch)
        at = next((joint for joint in line[1:] if in_middle(view, joint)), -1)
        taken = branch in legs or int(view.mirror.partner[branch]) in legs or at < 0 or at in above_neck
        if taken or (at != trunk and trunk not in skeleton.line(at)):
            continue
        way = _way(stance, branch)
        end = arm_end(skeleton, way)
        length = length_of(skeleton, way, end)
        weight = float(skeleton.skin[skeleton.below(branch)].sum()) if skeleton.skin is not None else length
        named = _named(stance, way)
        if length < _LEAST_ARM * stance.high or len(way) + 1 < 2 or named < 0.0:
            continue
        if skeleton.skin is not None and weight < _LEAST_SKIN * every:
            continue
        if named == 0.0 and _hangs_low(stance, at, trunk, way):
            continue
        joints = links(stance, way, end, 1 if length < _SHORT_ARM * stance.high else MOST_PARTS)
        found.append((weight * (2.0 if named > 0.0 else 1.0), joints, end, at))
    found.sort(key=lambda arm: -arm[0])
    return [(joints, end, at) for weight, joints, end, at in found[:MOST_PAIRS] if weight > 0.2 * found[0][0]]


def _way(stance: Stance, branch: int, whole: bool = False) -> list[int]:
    """The joints of an arm down the branch to where it parts, without fingers and, unless it is `whole`, what only carries it."""
    view, skeleton = stance.view, stance.view.skeleton
    way = [branch]
    while True:
        below = [child for child in skeleton.children[way[-1]] if not only_ends(skeleton, child)]
        twigs = [child for child in below if "twist" not in kinds_of(skeleton.names[child])]
        below = [child for child in twigs if skeleton.reach[child] > 0.0 or len(twigs) == 1] or twigs
        at_hand = hint(skeleton.names[way[-1]], "hand") > 0.0 and len(way) > 1
        if not below or at_hand or (len(below) > 2 and len(way) > 1):
            break
        way.append(max(below, key=lambda child: float(skeleton.reach[child])))
    way = thinned(skeleton, way)
    if len(way) > 2 and not whole:
        bone = skeleton.heads[way[1]] - skeleton.heads[way[0]]
        length = max(float(np.linalg.norm(bone)), 1e-12)
        rest = length_of(skeleton, way[1:], arm_end(skeleton, way))
        outward = view.aside(way[1]) - view.aside(way[0])
        called = hint(skeleton.names[way[0]], "clavicle") > 0.0 and hint(skeleton.names[way[1]], "upper_arm") >= 0.0
        if length < (1.0 if called else 0.45) * rest and (outward > 0.3 * length or called):
            way = way[1:]  # a clavicle
    return way


def arm_end(skeleton: Skeleton, way: Sequence[int]) -> np.ndarray:
    """Where an arm's last part ends: at the middle of what hangs on it, or its own end."""
    below = skeleton.below(way[-1])[1:]
    if not below:
        return skeleton.ends[way[-1]]
    away = np.linalg.norm(skeleton.ends[below] - skeleton.heads[way[-1]], axis=1)
    far = [joint for joint, distance in zip(below, away, strict=True) if distance > 0.6 * away.max()]
    return skeleton.ends[far].mean(axis=0)


def _named(stance: Stance, way: Sequence[int]) -> float:
    """What names say: below zero for cloth, ears and the like, above it for arms and wings."""
    said = 0.0
    for joint in way:
        name = stance.view.skeleton.names[joint]
        kinds = kinds_of(name)
        if kinds & {"cloth", "organ", "jaw", "tail", "control", "toe"}:
            said -= 1.0
        elif "wing" in kinds or any(hint(name, part) > 0.0 for part in ("upper_arm", "forearm", "hand", "clavicle")):
            said += 1.0
    return said


def _hangs_low(stance: Stance, at: int, trunk: int, way: Sequence[int]) -> bool:
    """Whether a branch begins nearer to the hips than arms do, or on a tail: skirts and coats."""
    skeleton = stance.view.skeleton
    start = skeleton.heads[way[0]]
    near = float(np.linalg.norm(start - stance.hips)) < 0.3 * stance.high
    return near or stance.ahead(way[0]) < -0.25 or "tail" in kinds_of(skeleton.names[at])

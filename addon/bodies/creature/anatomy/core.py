# SPDX-License-Identifier: GPL-3.0-or-later
"""What lies in a creature's middle: the joint that carries all, and the ways from it to head and tail."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...human.anatomy.limbs import View, hint, thinned
from ...human.anatomy.skeleton import Skeleton
from .limbs import Leg
from .parts import kinds_of, only_ends

_OF_HEADS = frozenset(("jaw", "organ"))
MOST_LINKS = 8
"""Links that a neck and a tail have at most: the shortest of more are left to the one before."""
_IN_MIDDLE = 0.05
"""Of the size: a joint without a mirror image that lies nearer to the plane is in the middle."""
_NECK_NARROWS = 0.55
"""Of the thickest part in the middle: what is thinner and goes on to the head is neck (first guess)."""
_LEAST_LINK, _LEAST_TAIL = 0.03, 0.2
"""Of the leg's height: shorter links are left to the one before; shorter tails ride along."""
_HEAD_APART = 0.2
"""Of the leg's height: a head that begins nearer to the hips, and is not called so, is the trunk."""
_TURNS_UP_DEG = 25.0
_LEAST_SKIN = 0.01
"""Of all the skin: a bone that moves less of it moves none to speak of."""
_STRAND, _HANGS = 0.4, 0.8
"""By what share of its length a strand beside a tail may differ, and fall over length of what hangs: skirts and coats do."""
_HEADS_SKIN = 0.4
"""Of the most skin among the last joints: the last of them that moves as much is the head, what follows a jaw or an end."""


@dataclass(frozen=True)
class Stance:
    """What legs tell of the rest: a view, the near side's leg, the hips' middle (3,), their height, and forward (3,)."""

    view: View
    leg: Leg
    hips: np.ndarray
    high: float
    forward: np.ndarray

    def ahead(self, joint: int) -> float:
        """How far a joint lies ahead of the hips, over their height."""
        return float((self.view.skeleton.heads[joint] - self.hips) @ self.forward) / self.high

    def over(self, joint: int) -> float:
        """How far a joint's higher end lies over the hips, over their height."""
        hips = float(self.hips @ self.view.up) - self.view.ground
        return float(max(self.view.height[joint], self.view.tops[joint]) - hips) / self.high

    def faced(self, forward: np.ndarray) -> Stance:
        return Stance(self.view, self.leg, self.hips, self.high, forward)


def in_middle(view: View, joint: int) -> bool:
    partner = view.mirror.partner[joint]
    return bool(partner == joint or (partner < 0 and view.aside(joint) < _IN_MIDDLE * view.skeleton.size))


def middle_ends(stance: Stance) -> list[int]:
    """Joints in the middle below which no other one in the middle moves skin: where head and tail may end."""
    view = stance.view
    own = [i for i in range(len(view.skeleton.names)) if in_middle(view, i) and not only_ends(view.skeleton, i)]
    inner = {int(view.skeleton.parents[i]) for i in own}
    return [i for i in own if i not in inner]


def head_end(stance: Stance, ends: Sequence[int]) -> int | None:
    """The joint that ends at the head: what is highest and farthest ahead, or is called so."""
    def likely(joint: int) -> float:
        end = float((stance.view.skeleton.ends[joint] - stance.hips) @ stance.forward) / stance.high
        return stance.over(joint) + 0.7 * max(stance.ahead(joint), end) + _called(stance, joint)

    chosen = [joint for joint in ends if likely(joint) > -0.2]
    return max(chosen, key=likely, default=None)


def _called(stance: Stance, joint: int) -> float:
    """What names say for a way's leading to the head: of its last joints."""
    names = stance.view.skeleton.names
    said = 0.0
    for i, above in enumerate(stance.view.skeleton.line(joint)[:3]):
        kinds = kinds_of(names[above])
        said += (1.0 if "head" in kinds else 0.0) + (0.5 if hint(names[above], "neck") > 0.0 else 0.0)
        said -= 2.5 * ("tail" in kinds) + 1.2 * bool(kinds & {"cloth", "control"}) + 0.3 * (i == 0 and bool(kinds & _OF_HEADS))
    return said


def tail_end(stance: Stance, ends: Sequence[int], head: int | None) -> int | None:
    """The joint at which the tail ends: what goes farthest back, beside the way to the head; None without a tail."""
    line = set() if head is None else set(stance.view.skeleton.line(head))

    def likely(joint: int) -> float:
        kinds = [kinds_of(stance.view.skeleton.names[above]) for above in stance.view.skeleton.line(joint)[:3]]
        said = 1.5 * any("tail" in kind for kind in kinds) - 1.5 * any(kind & {"cloth", "control", "wing"} for kind in kinds)
        back = -float((stance.view.skeleton.ends[joint] - stance.hips) @ stance.forward) / stance.high
        return max(back, -stance.ahead(joint)) + said - 1.5 * (said <= 0.0 and _is_strand(stance, joint))

    chosen = [joint for joint in ends if joint != head and joint not in line and likely(joint) > _LEAST_TAIL]
    return max(chosen, key=likely, default=None)


def _is_strand(stance: Stance, end: int) -> bool:
    """Whether what ends in the middle hangs, with others like it on both sides: a skirt's or a coat's strands."""
    view, skeleton = stance.view, stance.view.skeleton
    top = end
    while skeleton.parents[top] >= 0 and len(skeleton.children[int(skeleton.parents[top])]) == 1:
        top = int(skeleton.parents[top])
    length = float(skeleton.reach[top])
    fall = float(view.height[top] - view.height[skeleton.below(end)].min())
    if fall < _HANGS * length or skeleton.parents[top] < 0:
        return False
    own = {*stance.leg.joints, *stance.leg.carriers}
    return any(view.paired(other) and other not in own and int(view.mirror.partner[other]) not in own
               and abs(float(skeleton.reach[other]) - length) < _STRAND * length
               for other in skeleton.children[int(skeleton.parents[top])])


def trunk_joint(stance: Stance, ends: Sequence[int | None]) -> int | None:
    """The lowest joint above both legs, head and tail; where nothing carries them all, the topmost one in the middle that
    leads to what is nearest to the hips; None where nothing does."""
    skeleton, partner = stance.view.skeleton, stance.view.mirror.partner
    tops = [stance.leg.joints[0], int(partner[stance.leg.joints[0]]), *(end for end in ends if end is not None)]
    common = tops[0]
    for joint in tops[1:]:
        common = skeleton.fork(common, joint) if common >= 0 else -1
    if common >= 0:
        return _with_skin_above(skeleton, common)
    near = [i for i in range(len(skeleton.names)) if in_middle(stance.view, i) and not only_ends(skeleton, i)]
    if not near:
        return None
    off = np.minimum(*(np.linalg.norm(places - stance.hips, axis=1) for places in (skeleton.heads, skeleton.ends)))
    nearest = min(near, key=lambda i: float(off[i]))
    return skeleton.line(nearest)[-1]


def _with_skin_above(skeleton: Skeleton, joint: int) -> int:
    """The topmost joint above one up to which all move skin: what stays behind would tear it."""
    if skeleton.skin is None:
        return joint
    least = _LEAST_SKIN * float(skeleton.skin.sum())
    above = int(skeleton.parents[joint])
    while above >= 0 and skeleton.skin[above] > least:
        joint, above = above, int(skeleton.parents[above])
    return joint


def way_down(view: View, trunk: int, end: int) -> list[int]:
    """The joints from below the trunk's to an end, those in one place taken as one."""
    line = view.skeleton.line(end)
    line = line[:line.index(trunk)] if trunk in line else line
    return thinned(view.skeleton, [joint for joint in line[::-1] if joint != trunk])


def head_of(stance: Stance, way: Sequence[int]) -> int | None:
    """Which joint of the way to the head is the head: by its name, or, of the last three, by its skin; jaws and eyes are none.
    None where nothing is apart from the trunk."""
    skeleton = stance.view.skeleton
    named = [joint for joint in way if "head" in kinds_of(skeleton.names[joint])]
    last = [joint for joint in way if not kinds_of(skeleton.names[joint]) & {"jaw", "organ", "cloth", "control"}][-3:]
    if not last and not named:
        return None
    best = named[0] if named else last[-1]
    if not named and skeleton.skin is not None:
        necks = [joint for joint in last if hint(skeleton.names[joint], "neck") > 0.0]
        after = last[last.index(necks[-1]) + 1:] if necks else last
        most = max((float(skeleton.skin[joint]) for joint in after), default=0.0)
        best = next((joint for joint in after[::-1] if skeleton.skin[joint] >= _HEADS_SKIN * most), best)
    if float(np.linalg.norm(skeleton.heads[best] - stance.hips)) < _HEAD_APART * stance.high:
        return None
    return best


def neck_of(stance: Stance, way: Sequence[int], head: int, arms_at: int | None, thick: np.ndarray | None) -> list[int]:
    """The joints of the neck on the way to the head: by name, after the arms, where the body narrows, or where it turns up."""
    skeleton = stance.view.skeleton
    way = list(way[:way.index(head)])
    named = [joint for joint in way if hint(skeleton.names[joint], "neck") > 0.0]
    if named:
        return way[way.index(named[0]):]
    if arms_at is not None and arms_at in way:
        return [joint for joint in way[way.index(arms_at) + 1:] if hint(skeleton.names[joint], "spine") <= 0.0]
    if thick is not None and len(way) > 1 and thick[way].max() > 0.0:
        most = int(np.argmax(thick[way]))
        narrow = [i for i in range(most + 1, len(way)) if 0.0 < thick[way[i]] < _NECK_NARROWS * thick[way[most]]]
        if narrow:
            return way[narrow[0]:]
    places = skeleton.heads[[*way, head]]
    bones = np.diff(places, axis=0)
    pitch = [float(np.degrees(np.arctan2(bone @ stance.view.up, max(bone @ stance.forward, 1e-9)))) for bone in bones]
    turns = [i for i in range(1, len(way)) if pitch[i] - pitch[0] > _TURNS_UP_DEG and stance.ahead(way[i]) > 0.1]
    if turns:
        return way[turns[0]:]
    return way[max(len(way) - max(len(way) // 3, 1), 1):] if len(way) > 1 else []


def links(stance: Stance, joints: Sequence[int], end: np.ndarray, most: int = MOST_LINKS) -> list[int]:
    """Of the joints of a neck, a tail or an arm those that begin a part: the shortest are left to the one before."""
    heads = stance.view.skeleton.heads
    kept = list(joints)
    while len(kept) > 1:
        places = np.vstack([heads[kept], end])
        lengths = np.linalg.norm(np.diff(places, axis=0), axis=1)
        shortest = int(np.argmin(lengths))
        if len(kept) <= most and lengths[shortest] >= _LEAST_LINK * stance.high:
            break
        kept.pop(max(shortest, 1))
    return kept


def tail_of(stance: Stance, way: Sequence[int], line: Sequence[int]) -> list[int]:
    """The joints of a tail on the way to its end: from the first off the way to the head, at the hips or behind."""
    skeleton = stance.view.skeleton
    own = [joint for joint in way if joint not in line]
    named = [joint for joint in own if "tail" in kinds_of(skeleton.names[joint])]
    behind = [joint for joint in own if stance.ahead(joint) < 0.05]
    first = named[:1] or behind[:1]
    return own[own.index(first[0]):] if first else []


def length_of(skeleton: Skeleton, joints: Sequence[int], end: np.ndarray) -> float:
    return float(np.linalg.norm(np.diff(np.vstack([skeleton.heads[list(joints)], end]), axis=0), axis=1).sum())


MOST_PAIRS, MOST_PARTS = 2, 3
_LEAST_ARM, _SHORT_ARM = 0.22, 0.4
"""Of the hips' height: shorter branches ride along; shorter arms are one part."""


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
    hangs on. What hangs on the joints `above_neck`, a neck's or a head's, is no arm; nor are the `legs` (all joints)."""
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
        named = _named_arm(stance, way)
        if length < _LEAST_ARM * stance.high or len(way) + 1 < 2 or named < 0.0:
            continue
        if skeleton.skin is not None and weight < _LEAST_SKIN * every:
            continue
        if named == 0.0 and _hangs_low(stance, at, way):
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


def _named_arm(stance: Stance, way: Sequence[int]) -> float:
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


def _hangs_low(stance: Stance, at: int, way: Sequence[int]) -> bool:
    """Whether a branch begins nearer to the hips than arms do, or on a tail: skirts and coats."""
    skeleton = stance.view.skeleton
    start = skeleton.heads[way[0]]
    near = float(np.linalg.norm(start - stance.hips)) < 0.3 * stance.high
    return near or stance.ahead(way[0]) < -0.25 or "tail" in kinds_of(skeleton.names[at])

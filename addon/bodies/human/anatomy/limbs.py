# SPDX-License-Identifier: GPL-3.0-or-later
"""Limbs of two long bones, legs and arms alike: of all joints along a branch, which three are hip, knee and ankle. Legs are the
two mirrored branches that stand on the ground, by two bones of like length and a foot; arms two mirrored branches of the upper
trunk, with hands that part in fingers where there are. A joint's name is a hint: structure decides."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from .skeleton import Mirror, Skeleton

# Part -> words, lower case, whole tokens of a name (see `tokens`) or, of scripts without blanks, pieces of it.
_WORDS = {
    "thigh": "thigh upleg upperleg femur lfemur rfemur thighbend thighr thighl oberschenkel cuisse muslo coscia coxa "
             "бедро 大腿 허벅지 足 腿",
    "shank": "shank shin calf lowerleg lowleg knee tibia ltibia rtibia unterschenkel tibia mollet pantorrilla "
             "голень ひざ 膝 すね 小腿 종아리 무릎",
    "foot": "foot ankle lfoot rfoot fuss pied pie piede pe стопа 足首 足先 脚踝 발 발목",
    "toes": "toe toes toebase toe0 ball ltoes rtoes zehen orteil dedos つま先 脚尖 발가락",
    "clavicle": "clavicle collar lclavicle rclavicle shoulder schulter clavicule clavicula ключица 肩 锁骨 쇄골 어깨",
    "upper_arm": "upperarm uparm arm humerus lhumerus rhumerus shldr shldrbend shoulder oberarm bras brazo плечо 腕 上臂 위팔 팔",
    "forearm": "forearm lowerarm lowarm elbow radius lradius rradius forearmbend unterarm avantbras antebrazo предплечье ひじ "
               "肘 前腕 下臂 아래팔 팔꿈치",
    "hand": "hand wrist palm lhand rhand lwrist rwrist handgelenk main mano кисть 手首 手腕 손 손목",
    "pelvis": "pelvis hip hips pelvic becken bassin cadera таз 下半身 腰 骨盆 골반 엉덩이",
    "spine": "spine torso abdomen waist chest ribcage lowerback upperback back thorax trunk belly wirbel colonne columna "
             "позвоночник 上半身 脊椎 척추 허리 가슴",
    "neck": "neck nacken hals cou cuello шея 首 脖子 목",
    "head": "head skull kopf tete cabeza голова 頭 头 머리",
    "other": "twist roll ik pole target ctrl control helper jiggle hair skirt cape cloak tail ear eye eyes jaw breast bust wing "
             "weapon sword prop holster nub end effector finger thumb index middle ring pinky little mch mcp metacarpal fin "
             "ponytail braid ribbon sleeve coat tooth tongue brow lip "
             "髪 スカート 裾 目 胸 耳 尻尾 指 ＩＫ 捩 머리카락 치마 손가락",
}
_BY_WORD = {word: part for part, words in _WORDS.items() for word in words.split()}
_AMBIGUOUS = {"shoulder": ("clavicle", "upper_arm"), "足": ("thigh",), "tibia": ("shank",), "plecho": ("upper_arm",)}
_PIECES = sorted((word for word in _BY_WORD if not word.isascii()), key=len, reverse=True)
_JOINED = sorted((word for word in _BY_WORD if word.isascii() and len(word) >= 5), key=len, reverse=True)

_LEFT = {"l", "left", "lft", "lf", "links", "gauche", "izq", "izquierda", "sx"}
_RIGHT = {"r", "right", "rgt", "rt", "rechts", "droite", "der", "derecha", "dx"}
_SIDE_PIECES = {"左": "L", "右": "R", "왼": "L", "오른": "R", "лев": "L", "прав": "R"}


@lru_cache(maxsize=8192)
def tokens(name: str) -> tuple[str, ...]:
    """The words of a name, lower case: parted at blanks, punctuation, digits and capitals; the name space is left out."""
    name = re.split(r"[:|]", name)[-1]
    name = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", name)
    words = [word.lower() for word in re.split(r"[\W\d_]+", name) if word]
    joined: list[str] = []
    for word in words:  # "up leg", "fore arm", "upper arm", "lower leg"
        if joined and joined[-1] in ("up", "upper", "low", "lower", "fore") and word in ("leg", "arm", "back"):
            joined[-1] += word
        else:
            joined.append(word)
    return tuple(joined)


@lru_cache(maxsize=8192)
def parts_of(name: str) -> frozenset[str]:
    """The parts of the body that a name speaks of; empty for a name that tells nothing."""
    found: set[str] = set()
    for word in tokens(name):
        if word.isascii():
            part = _BY_WORD.get(word) or _BY_WORD.get(word.lstrip("lr")) or next(
                (_BY_WORD[known] for known in _JOINED if word.startswith(known) or word.endswith(known)), None)
            found |= set(_AMBIGUOUS.get(word, () if part is None else (part,)))
            continue
        for piece in _PIECES:
            if piece in word:
                found |= set(_AMBIGUOUS.get(piece, (_BY_WORD[piece],)))
                word = word.replace(piece, " ")
    return frozenset(found)


@lru_cache(maxsize=8192)
def side_of(name: str) -> str | None:
    words = tokens(name)
    for side, known in (("L", _LEFT), ("R", _RIGHT)):
        if known & set(words):
            return side
    for piece, side in _SIDE_PIECES.items():
        if piece in name:
            return side
    for word in words:
        for start, side in (("left", "L"), ("right", "R")):
            if word.startswith(start) or word.endswith(start):
                return side
        if word[:1] in "lr" and _BY_WORD.get(word[1:]) is not None:
            return word[0].upper()
    return None


def hint(name: str, part: str) -> float:
    """1 for a name that speaks of `part` alone, a quarter for one that may speak of another, -1 for one that speaks of others
    only, 0 for one that tells nothing. A twist bone or an IK target of a part speaks of it, but is not it."""
    found = parts_of(name)
    if not found:
        return 0.0
    if "other" in found:
        return -1.0
    if part not in found:
        return -1.0
    return 1.0 if len(found) == 1 else 0.25


HINT = 1.2
"""What a name that fits is worth, in the units of the penalties below (one is a fault that a rig may just have)."""


@dataclass(frozen=True)
class View:
    """A skeleton seen with an up direction (3,): `height` (N,) of every joint over the ground, the lowest place of its mirrored
    joints; `tops` (N,) heights of the tails; `extent`, from the ground to the highest place; `ground`, where along up it is."""

    skeleton: Skeleton
    mirror: Mirror
    up: np.ndarray
    height: np.ndarray
    tops: np.ndarray
    extent: float
    ground: float

    @classmethod
    def of(cls, skeleton: Skeleton, mirror: Mirror, up: np.ndarray) -> View:
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
        return float(self.distances[a, b])

    def aside(self, joint: int) -> float:
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
        return (self.upper, self.lower) if self.end is None else (self.upper, self.lower, self.end)


def square(value: float, scale: float) -> float:
    """A penalty that is 1 at `scale` and grows with the square up to 9."""
    return min((value / scale) ** 2, 9.0)


def over(value: float, limit: float, scale: float) -> float:
    return square(max(0.0, value - limit), scale)


def ways(view: View, branch: int, least: float) -> list[tuple[int, ...]]:
    """Ways down a branch that are at least a share `least` of the extent long, joints in one place taken as one; no way twice."""
    found: dict[tuple[int, ...], None] = {}
    skeleton = view.skeleton
    for path in skeleton.paths(branch):
        way = thinned(skeleton, [joint for joint in path if view.paired(joint)])
        length = sum(view.apart(a, b) for a, b in zip(way, way[1:], strict=False))
        if length + float(np.linalg.norm(skeleton.ends[way[-1]] - skeleton.heads[way[-1]])) >= least * view.extent:
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


_LEG_PARTS = ("thigh", "shank", "foot")
_FREE_FOOT = 1.0
"""The fault of a foot that hangs on no shin, as exports of IK rigs have it."""
_SHORTEST = 0.05
_LONGEST_LEG_WAY = 7
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
    found = [leg for branch in view.branches for leg in _leg_of_branch(view, branch, free)]
    return sorted(found, key=lambda leg: leg.faults)


def _leg_of_branch(view: View, branch: int, free: list[int]) -> Iterator[Limb]:
    for way in ways(view, branch, _SHORTEST if free else 0.12):
        for i in range(min(len(way) - 1, _LONGEST_LEG_WAY)):
            if view.aside(way[i]) < 2.0 * view.skeleton.same_place:
                continue  # in the middle: what carries the thigh, not the thigh
            for j in range(i + 1, min(len(way), i + _LONGEST_LEG_WAY)):
                if view.height[way[j]] > view.height[way[i]]:
                    continue
                for k in range(j + 1, min(len(way), j + _LONGEST_LEG_WAY)):
                    if _stands(view, way[i], way[j], way[k]):
                        yield _leg_judged(view, way, i, j, k, None)
                if j == len(way) - 1 or view.skeleton.leads_nowhere(way[j + 1]):
                    side = view.mirror.side(view.skeleton.heads[way[j]])
                    for foot in free:
                        same_side = view.mirror.side(view.skeleton.heads[foot]) * side > 0.0
                        near = foot if same_side else int(view.mirror.partner[foot])
                        if near not in way and _stands(view, way[i], way[j], near):
                            yield _leg_judged(view, way, i, j, j, near)


def _stands(view: View, hip: int, knee: int, ankle: int) -> bool:
    """Whether a leg of these joints goes down at all."""
    leg = view.apart(hip, knee) + view.apart(knee, ankle)
    return bool(leg > 0.05 * view.extent and view.height[hip] - view.height[ankle] > 0.4 * leg)


def _free_feet(view: View) -> Iterator[int]:
    """Joints at which branches begin that may be a foot without a shin: near the ground."""
    for joint in view.branches:
        if view.height[joint] < 0.25 * view.extent:
            yield joint


def _leg_judged(view: View, way: tuple[int, ...], i: int, j: int, k: int, free: int | None) -> Limb:
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
        faults += 0.0 if view.skeleton.children[free] or view.skeleton.skin is None or view.skeleton.skin[free] > 0.0 else 0.5
    faults += names_speak(view, way, (hip, knee, ankle), _LEG_PARTS)
    return Limb(hip, knee, ankle, way[:i], faults, free is not None)


def _drift(view: View, knee: int, ankle: int) -> float:
    way = view.skeleton.heads[ankle] - view.skeleton.heads[knee]
    return float(np.linalg.norm(way - (way @ view.up) * view.up))


def _of_foot(view: View, way: tuple[int, ...], k: int, leg: float) -> float:
    """Faults of what follows an ankle: it should go ahead along the ground, not far, or be the bone's tail, made up."""
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


_ARM_PARTS = ("upper_arm", "forearm", "hand")
_UPPER_OVER_FORE = 1.2
"""Upper arm over forearm: 1.27 in people (Winter, fig. 4.1), near 1.1 in most characters."""
_LONGEST_ARM_WAY = 6
"""Joints that are looked at along a bone of a limb: twist bones in line make them many."""
_ON_GROUND = 0.1
"""Of the figure: hands that rest lower than this are forefeet."""
_NO_HAND, _FREE_HAND = 1.0, 0.8
"""The faults of an arm whose hand has no joint, and of one whose hand hangs on no forearm."""
_BIG_HAND = 1.5
"""The most that counts against a hand for its length where three fingers or palm bones part at the wrist: comic figures have
hands that are twice as long as their forearms."""


def find_arms(view: View, legs: Limb, top: float) -> list[Limb]:
    """Every pair of branches that may be arms of a figure on these legs, the likeliest first (the joints of one side). `top` is
    the height of the head's top."""
    skeleton = view.skeleton
    taken = set(skeleton.below(legs.upper)) | set(skeleton.below(int(view.mirror.partner[legs.upper])))
    taken |= {*legs.joints, *legs.above}
    leg = view.apart(legs.upper, legs.lower) + view.apart(legs.lower, legs.joints[-1])
    found = [arm for branch in view.branches if branch not in taken for arm in _arm_of_branch(view, branch, legs, leg, top)]
    return sorted(found, key=lambda arm: arm.faults)


def _arm_of_branch(view: View, branch: int, legs: Limb, leg: float, top: float) -> Iterator[Limb]:
    for way in ways(view, branch, 0.1):
        for i in range(min(len(way) - 1, 5)):
            if view.aside(way[i]) < 2.0 * view.skeleton.same_place:
                continue
            for j in range(i + 1, min(len(way), i + _LONGEST_ARM_WAY)):
                for k in range(j + 1, min(len(way), j + _LONGEST_ARM_WAY)):
                    if 0.15 * leg < view.apart(way[i], way[j]) + view.apart(way[j], way[k]) < 5.0 * leg:
                        yield _arm_judged(view, way, (i, j, k), legs, leg, top)
                if j == len(way) - 1 or view.skeleton.leads_nowhere(way[j + 1]):
                    yield _arm_judged(view, way, (i, j, None), legs, leg, top)
                    for hand in _free_hands(view, way, i, j):
                        yield _arm_judged(view, way, (i, j, None), legs, leg, top, hand)


def _free_hands(view: View, way: tuple[int, ...], i: int, j: int) -> Iterator[int]:
    """Joints beside a way that may be the hand at the end of its last bone, as in exports of IK rigs, about as far out."""
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


def _arm_judged(view: View, way: tuple[int, ...], at: tuple[int, int, int | None], legs: Limb, leg: float, top: float,
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
    faults += names_speak(view, way, (shoulder, elbow, wrist), _ARM_PARTS)
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

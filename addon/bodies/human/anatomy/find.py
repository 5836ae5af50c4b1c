# SPDX-License-Identifier: GPL-3.0-or-later
"""Which joint of a skeleton is which part of a human figure, and which side is the left one: feet, knees, elbows and names vote
where it faces. The trunk, hips, spine, neck and head, comes last, once legs and arms are known."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from .limbs import HINT, Limb, View, clavicle_of, find_arms, find_legs, hint, over, parts_of, side_of, toes_of
from .skeleton import Mirror, Skeleton, find_mirror

_CHEST_AT = 0.45
"""Of the way from the hips to the shoulders: where the chest's joint lies in people (Winter's table: T12/L1), """
_CROWN_AT = 0.75
"""Of the way from the shoulders to the crown: joints above it only mark the crown (people's head joint is at 0.37)."""
_NECK_AT = 1.0
"""Of the way from the hips to the shoulders: what carries the arms from above it is the neck (people's is at 1.13)."""
_HIP_LEVEL = 0.45
"""Of the leg: what lies farther from the hips than this is no pelvis, but a root."""


@dataclass(frozen=True)
class Trunk:
    """The joints of the trunk, those that there are; `spine` is every joint from the hips (left out) to where the arms part."""

    pelvis: int
    lower_spine: int | None
    chest: int | None
    neck: int | None
    head: int | None
    spine: tuple[int, ...]
    unsure: frozenset[str]
    root: int | None


def crown(view: View, legs: Limb) -> float:
    """Height of the top of the figure: of its highest joint in the middle, or of that one's tail."""
    partner = view.mirror.partner
    middle = [i for i in range(len(partner)) if partner[i] == i and view.height[i] > view.height[legs.upper]]
    return max((float(max(view.height[i], view.tops[i])) for i in middle), default=float(view.extent))


def find_trunk(view: View, legs: Limb, arms: Limb) -> Trunk | None:
    skeleton, partner = view.skeleton, view.mirror.partner
    leg = view.apart(legs.upper, legs.lower) + view.apart(legs.lower, legs.joints[-1])
    hips = skeleton.fork(legs.upper, int(partner[legs.upper]))
    shoulders = skeleton.fork(arms.upper, int(partner[arms.upper]))
    if shoulders < 0:
        return None
    pelvis, unsure = _pelvis(view, hips, shoulders, legs, leg)
    if pelvis is None:
        return None
    line = skeleton.line(shoulders)
    spine = _thin(view, line[:line.index(pelvis)][::-1]) if pelvis in line else []
    neck_line = _upwards(view, shoulders)
    if len(spine) > 2 and _at_the_neck(view, spine[-1], len(neck_line), legs, arms):  # the arms hang on the neck
        neck_line = [spine.pop(), *neck_line]
    neck, head, doubtful = _neck_and_head(view, neck_line, arms, crown(view, legs))
    lower, chest = _lower_and_chest(view, spine, legs, arms)
    above = skeleton.line(pelvis)[1:]
    root = above[-1] if above else None
    return Trunk(pelvis, lower, chest, neck, head, tuple(spine), frozenset(unsure | doubtful), root)


def hips_of(view: View, legs: Limb) -> int | None:
    """The joint that carries both legs at the height of the hips, where no arms tell more; None where there is none."""
    hips = view.skeleton.fork(legs.upper, int(view.mirror.partner[legs.upper]))
    leg = view.apart(legs.upper, legs.lower) + view.apart(legs.lower, legs.joints[-1])
    return None if hips < 0 else _pelvis(view, hips, hips, legs, leg)[0]


def _at_the_neck(view: View, joint: int, above: int, legs: Limb, arms: Limb) -> bool:
    """Whether a joint that carries the arms is called a neck, or lies as high as one, with no more than a head `above` it."""
    low, high = view.height[legs.upper], view.height[arms.upper]
    spoken = hint(view.skeleton.names[joint], "neck")
    return spoken > 0.0 or (spoken == 0.0 and above < 2 and (view.height[joint] - low) / max(high - low, 1e-12) > _NECK_AT)


def _pelvis(view: View, hips: int, shoulders: int, legs: Limb, leg: float) -> tuple[int | None, set[str]]:
    """The joint that carries legs and trunk at the height of the hips: the lowest above both, or else the nearest one."""
    skeleton = view.skeleton
    middle = 0.5 * (skeleton.heads[legs.upper] + skeleton.heads[int(view.mirror.partner[legs.upper])])

    def off(joint: int) -> float:
        return float(np.linalg.norm(skeleton.heads[joint] - middle)) / leg

    both = skeleton.fork(hips, shoulders) if hips >= 0 else -1
    if both >= 0 and off(both) < _HIP_LEVEL:
        above = int(skeleton.parents[both])
        while above >= 0 and off(above) < _HIP_LEVEL and _is_pelvis(view, both, above):
            both, above = above, int(skeleton.parents[above])
        return both, set()
    line = [joint for joint in skeleton.line(shoulders) if off(joint) < 1.4 * _HIP_LEVEL and joint != shoulders]
    if line:
        return min(line, key=lambda joint: off(joint) - 0.3 * hint(skeleton.names[joint], "pelvis")), {"pelvis"}
    return (both if both >= 0 else shoulders), {"pelvis"}


def _is_pelvis(view: View, joint: int, above: int) -> bool:
    """Whether the hips are the joint above rather than this one, both lying there."""
    names, skin = view.skeleton.names, view.skeleton.skin
    if skin is not None and skin[above] <= 0.0:
        return False
    spoken = hint(names[above], "pelvis") - hint(names[joint], "pelvis")
    if spoken == 0.0 and skin is not None:
        return not parts_of(names[joint]) or "spine" in parts_of(names[joint])
    return spoken > 0.0


def _thin(view: View, joints: list[int]) -> list[int]:
    """A line of joints without those that lie where the one before does."""
    found: list[int] = []
    for joint in joints:
        if not found or view.apart(joint, found[-1]) > 2.0 * view.skeleton.same_place:
            found.append(joint)
    return found


def _upwards(view: View, shoulders: int) -> list[int]:
    """Joints in the middle from where the arms part up to the crown, by the child that goes highest."""
    skeleton, partner = view.skeleton, view.mirror.partner
    found: list[int] = []
    joint = shoulders
    while True:
        middle = [child for child in skeleton.children[joint] if partner[child] == child
                  and max(view.height[child], view.tops[child]) >= view.height[joint]]
        middle = [child for child in middle if view.height[child] > view.height[shoulders] - 0.02 * view.extent]
        if not middle:
            return _thin(view, found)
        joint = max(middle, key=lambda child: _head_like(view, child))
        found.append(joint)


def _head_like(view: View, joint: int) -> float:
    """How likely a joint in the middle leads on to the head's top: what is highest below it, its skin, its name."""
    skeleton = view.skeleton
    below = skeleton.below(joint)
    highest = max(max(view.height[i], view.tops[i]) for i in below) / view.extent
    skin = 0.0 if skeleton.skin is None else float(sum(skeleton.skin[i] for i in below) / max(skeleton.skin.sum(), 1e-12))
    return highest + skin + 0.5 * max(hint(skeleton.names[joint], "head"), hint(skeleton.names[joint], "neck"))


def _neck_and_head(view: View, line: list[int], arms: Limb, top: float) -> tuple[int | None, int | None, set[str]]:
    """Which joints of the line over the shoulders are neck and head, and whether the head is unsure. The head's is the last joint
    that does not merely mark the crown; where skin is known, the one with most of it, but for what follows."""
    skeleton = view.skeleton
    low = view.height[arms.upper]
    if skeleton.skin is not None:
        line = [joint for joint in line if any(skeleton.skin[i] > 0.0 for i in skeleton.below(joint))]
    else:
        line = [joint for n, joint in enumerate(line) if n == 0 or (view.height[joint] - low) / max(top - low, 1e-12) < _CROWN_AT]
    if not line:
        return None, None, set()
    judged = []
    for n, joint in enumerate(line):
        on = set(skeleton.below(line[n + 1])) if n + 1 < len(line) else set()
        worth = HINT * hint(skeleton.names[joint], "head") + 0.3 * n
        if skeleton.skin is not None:
            whole = float(sum(skeleton.skin[i] for i in skeleton.below(line[0])))
            worth += 2.0 * float(sum(skeleton.skin[i] for i in skeleton.below(joint) if i not in on)) / max(whole, 1e-12)
        judged.append((-worth, n, joint))
    judged.sort()
    _, n, head = judged[0]
    doubt = {"head"} if len(judged) > 1 and judged[1][0] < judged[0][0] + 0.2 else set()
    return (line[0] if n > 0 else None), head, doubt


def _lower_and_chest(view: View, spine: list[int], legs: Limb, arms: Limb) -> tuple[int | None, int | None]:
    """The joints of the lower spine and of the chest: the first, and the one nearest to where people's is."""
    if len(spine) < 2:
        return None, (spine[0] if spine else None)
    low, high = view.height[legs.upper], view.height[arms.upper]

    def off(joint: int) -> float:
        return abs((view.height[joint] - low) / max(high - low, 1e-12) - _CHEST_AT)

    return spine[0], min(spine[1:], key=off)


_FOOT, _KNEE, _ELBOW, _NAMES = 4.0, 12.0, 6.0, 1.0
"""Weights of the votes. The feet's is their reach ahead over half a foot's length (people: 0.07 of the leg over 0.14); a knee's
or an elbow's how far it bends aside, of its limb; the names' plus or minus one."""
_CLEAR = 0.5
"""Votes that leave the side sure."""


def facing(view: View, legs: Limb, arms: Limb | None) -> tuple[np.ndarray, bool, bool]:
    """Axes (3, 3), forward, left and up as columns; whether that is sure; and whether the limbs' joints are the left ones."""
    ahead = np.cross(view.mirror.normal, view.up)
    side = np.sign(view.mirror.side(view.skeleton.heads[legs.upper]))  # the limbs' own side along the normal
    vote = np.clip(_FOOT * _feet(view, legs, ahead), -2.0, 2.0)
    vote += np.clip(_KNEE * _bend(view, legs, ahead), -0.8, 0.8)
    if arms is not None and arms.end is not None:
        vote -= np.clip(_ELBOW * _bend(view, arms, ahead), -0.5, 0.5)
    vote += _NAMES * side * _named(view, legs, arms)
    forward = ahead if vote >= 0.0 else -ahead
    left = np.cross(view.up, forward)
    near_is_left = bool(side * (view.mirror.normal @ left) > 0.0)
    return np.column_stack([forward, left, view.up]), bool(abs(vote) > _CLEAR), near_is_left


def _feet(view: View, legs: Limb, ahead: np.ndarray) -> float:
    """How far the feet reach ahead of the ankle rather than behind, both sides' mean, over half a foot's length."""
    skeleton = view.skeleton
    leg = view.apart(legs.upper, legs.lower) + view.apart(legs.lower, legs.joints[-1])
    reach = []
    for ankle in (legs.joints[-1], int(view.mirror.partner[legs.joints[-1]])):
        below = skeleton.below(ankle)
        places = np.concatenate([skeleton.heads[below], skeleton.ends[below]]) if len(below) > 1 else skeleton.ends[below]
        along = (places - skeleton.heads[ankle]) @ ahead
        reach.append(float(along.max() + along.min()) / (0.14 * leg))
    return 0.5 * float(np.mean(reach))


def _bend(view: View, limb: Limb, ahead: np.ndarray) -> float:
    """How far a limb's middle joint lies ahead of the line between its ends, of the limb's length; both sides' mean."""
    skeleton, partner = view.skeleton, view.mirror.partner
    found = []
    for joints in (limb.joints, [int(partner[joint]) for joint in limb.joints]):
        start, bend, end = (skeleton.heads[joint] for joint in joints)
        line = end - start
        length = max(float(np.linalg.norm(line)), 1e-12)
        foot = start + ((bend - start) @ line) / length**2 * line
        found.append(float((bend - foot) @ ahead) / length)
    return float(np.mean(found))


def _named(view: View, legs: Limb, arms: Limb | None) -> float:
    """What names say: 1 where the limbs' joints are the side that they would be if the figure faced ahead, -1 where the other.
    Facing along n x u, a figure's left is along u x (n x u) = n."""
    skeleton, partner = view.skeleton, view.mirror.partner
    votes = []
    for joint in (*legs.joints, *(() if arms is None else arms.joints)):
        mine, yours = side_of(skeleton.names[joint]), side_of(skeleton.names[int(partner[joint])])
        if mine is not None and yours is not None and mine != yours:
            votes.append(1.0 if mine == "L" else -1.0)
    return float(np.mean(votes)) if votes else 0.0


_SURE = 2.2
"""Faults up to which a limb is surely one."""
_OPEN = 0.5
"""Readings of a limb whose faults differ by less leave it open which is right."""
_SAME_JOINT = 0.06
"""Of a limb: readings whose joints are nearer to one another than this say the same."""
_TILTED, _ASKEW = 1.2, 4.0
"""The faults that a figure must have fewer of for another axis up than the one given, and for a direction that is no axis."""
_BARE = 1.0
"""The faults that a figure of joints without skin must have fewer of."""
_FOLDED_DEG = 50.0
"""Between legs and trunk: a figure that is folded more at rest hardly stands on two legs."""
_TRIED_LEGS = 4


@dataclass(frozen=True)
class Anatomy:
    """A figure found: `joint_of` names the joint (its number) of each segment ("pelvis", "thigh_L" ...); `unsure` are segments
    that may be others; `axes` (3, 3) its forward, left and up directions as columns; `faults` how unlike a human it is; `root` a
    joint above the pelvis, or None; `spine` the trunk's joints from the lowest up; `free_feet` whether feet hang on no shin."""

    joint_of: dict[str, int]
    unsure: frozenset[str]
    axes: np.ndarray
    faults: float
    root: int | None
    spine: tuple[int, ...]
    free_feet: bool


@dataclass(frozen=True)
class _Reading:
    view: View
    legs: Limb
    arms: Limb | None
    trunk: Trunk | None
    faults: float
    open_legs: bool
    open_arms: bool


LEAST_JOINTS = 7
"""Hips, knees, ankles, and what the hips hang on."""


def find_anatomy(skeleton: Skeleton) -> Anatomy | None:
    """The likeliest figure in a skeleton, with as many of its parts as there are; None where nothing stands on two legs. Up
    should be z; another direction is taken only where the figure clearly stands along it."""
    if len(skeleton.heads) < LEAST_JOINTS:
        return None
    up = np.array([0.0, 0.0, 1.0])
    best: tuple[_Reading, np.ndarray] | None = None
    for part, rows, fine in _parts(skeleton):
        mirror = find_mirror(part) if len(part.heads) >= LEAST_JOINTS else None
        if mirror is None:
            continue
        for direction, cost in _ups(part, mirror, up):
            reading = _read(View.of(part, mirror, direction))
            if reading is not None and (best is None or reading.faults + cost + fine < best[0].faults):
                best = replace(reading, faults=reading.faults + (cost + fine)), rows
            if best is not None and best[0].faults < _SURE:
                break
        if best is not None and best[0].faults < _SURE:
            break
    return None if best is None else _anatomy(*best)


def _parts(skeleton: Skeleton) -> Iterator[tuple[Skeleton, np.ndarray, float]]:
    """The skeleton without what moves no skin, then the whole of it: joints, their numbers, and what choosing them costs."""
    every = np.arange(len(skeleton.names))
    if skeleton.skin is not None and np.count_nonzero(skeleton.skin) >= 9:
        yield *skeleton.with_skin(), 0.0
        yield skeleton.only(every)[0], every, _BARE
    else:
        yield replace(skeleton, skin=None), every, 0.0


def _ups(skeleton: Skeleton, mirror: Mirror, up: np.ndarray) -> list[tuple[np.ndarray, float]]:
    """Directions within the mirror plane that may be up, each with what it costs: the one given first."""
    found: list[tuple[np.ndarray, float]] = []

    def add(direction: np.ndarray, cost: float) -> None:
        flat = direction - (direction @ mirror.normal) * mirror.normal
        length = float(np.linalg.norm(flat))
        if length < 0.3:
            return
        flat = flat / length
        if all(flat @ other < 0.999 for other, _ in found):
            found.append((flat, cost))

    add(up, 0.0)
    middle = skeleton.heads[mirror.partner >= 0]
    if not len(middle):  # a chain: nothing in it has two sides
        return found
    centred = middle - middle.mean(axis=0)
    flat = centred - (centred @ mirror.normal)[:, None] * mirror.normal
    _, _, axes = np.linalg.svd(flat, full_matrices=False)
    for axis, cost in (*((axis, _TILTED) for axis in np.eye(3)), (axes[0], _ASKEW)):
        for direction in (axis, -axis):
            add(direction, cost)
    return found


def _read(view: View) -> _Reading | None:
    """The likeliest legs, arms and trunk in a view; None without legs."""
    every = find_legs(view)
    legs = _unlike(every)
    best: _Reading | None = None
    for leg in legs[:_TRIED_LEGS]:
        arms = find_arms(view, leg, crown(view, leg))
        for arm in arms[:3] if arms else [None]:
            trunk = None if arm is None else find_trunk(view, leg, arm)
            if arm is None:
                faults = leg.faults + 6.0
            else:
                faults = leg.faults + (arm.faults + (4.0 if trunk is None else _of_trunk(view, trunk, leg, arm)))
            if best is None or faults < best.faults:
                best = _Reading(view, leg, arm, trunk, faults, _is_open(view, leg, every),
                                arm is not None and _is_open(view, arm, arms))
    return best


def _unlike(limbs: list[Limb]) -> list[Limb]:
    found: dict[tuple[int, ...], Limb] = {}
    for limb in limbs:
        found.setdefault((limb.upper, limb.lower), limb)
    return list(found.values())


def _is_open(view: View, limb: Limb, others: list[Limb]) -> bool:
    """Whether another reading, with joints in other places, is as likely."""
    near = _SAME_JOINT * view.apart(limb.upper, limb.joints[-1])
    return any(other.faults < limb.faults + _OPEN and (len(other.joints) != len(limb.joints) or any(
        view.apart(a, b) > near for a, b in zip(other.joints, limb.joints, strict=True))) for other in others)


def _of_trunk(view: View, trunk: Trunk, legs: Limb, arms: Limb) -> float:
    """Faults of a trunk: it should have a head, above the hips, begin at the hips, and not lie, as four-legged figures' do."""
    faults = 0.0 if trunk.head is not None else 1.0
    faults += 0.5 if "pelvis" in trunk.unsure else 0.0
    if trunk.head is not None:
        faults += over(view.height[legs.upper] - view.height[trunk.head], 0.0, 0.1 * view.extent)
    return faults + over(_fold_deg(view, legs, arms), _FOLDED_DEG, 10.0)


def _fold_deg(view: View, legs: Limb, arms: Limb) -> float:
    """Angle between the ways from the ankles to the hips and from the hips to the shoulders [deg]."""
    heads, partner = view.skeleton.heads, view.mirror.partner
    ankles, hips, shoulders = (0.5 * (heads[joint] + heads[int(partner[joint])])
                               for joint in (legs.joints[-1], legs.upper, arms.upper))
    a, b = hips - ankles, shoulders - hips
    return float(np.degrees(np.arccos(np.clip(a @ b / max(float(np.linalg.norm(a) * np.linalg.norm(b)), 1e-12), -1.0, 1.0))))


def _anatomy(reading: _Reading, rows: np.ndarray) -> Anatomy:
    """The reading's joints by segment, left and right told apart."""
    view, mirror = reading.view, reading.view.mirror
    axes, sure, near_is_left = facing(view, reading.legs, reading.arms)
    near, far = ("L", "R") if near_is_left else ("R", "L")
    found: dict[str, int] = {}
    unsure: set[str] = set()

    def both(segment: str, joint: int | None, doubtful: bool = False) -> None:
        if joint is None:
            return
        for side, one in ((near, joint), (far, int(mirror.partner[joint]))):
            found[f"{segment}_{side}"] = one
            if doubtful or not sure:
                unsure.add(f"{segment}_{side}")

    legs, arms, trunk = reading.legs, reading.arms, reading.trunk
    doubt = reading.open_legs or legs.faults > _SURE
    leg = view.apart(legs.upper, legs.lower) + view.apart(legs.lower, legs.joints[-1])
    for segment, joint in zip(("thigh", "shank", "foot"), legs.joints, strict=True):
        both(segment, joint, doubt)
    toes, toes_sure = toes_of(view, legs.joints[-1], leg)
    both("toes", toes, not toes_sure)
    if arms is not None:
        doubt = reading.open_arms or arms.faults > _SURE
        both("clavicle", clavicle_of(view, arms), doubt)
        for segment, joint in zip(("upper_arm", "forearm", "hand"), arms.joints, strict=False):
            both(segment, joint, doubt)
    if trunk is not None:
        central = {"pelvis": trunk.pelvis, "lower_spine": trunk.lower_spine, "chest": trunk.chest, "neck": trunk.neck,
                   "head": trunk.head}
        found |= {segment: joint for segment, joint in central.items() if joint is not None}
        unsure |= trunk.unsure & set(found)
    elif (hips := hips_of(view, legs)) is not None:
        found["pelvis"] = hips
    return Anatomy({segment: int(rows[joint]) for segment, joint in found.items()}, frozenset(unsure), axes, reading.faults,
                   None if trunk is None or trunk.root is None else int(rows[trunk.root]),
                   () if trunk is None else tuple(int(rows[joint]) for joint in trunk.spine), legs.free_end)

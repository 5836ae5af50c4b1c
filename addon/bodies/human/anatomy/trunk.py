# SPDX-License-Identifier: GPL-3.0-or-later
"""The trunk: hips, spine, neck and head, once legs and arms are known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .limbs import HINT, Limb, View, hint, parts_of

_CHEST_AT = 0.45
"""Of the way from the hips to the shoulders: where the chest's joint lies in people (Winter's table: T12/L1), as
`anthropometry.standing_landmarks` has it."""
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
    """The trunk between legs and arms. None where no joint carries both."""
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
    """Which joints of the line over the shoulders are neck and head, and whether the head is unsure.

    The head's is the last joint that does not merely mark the crown; where skin is known, the one with most of it, but for
    that of the joints which follow on the line."""
    skeleton = view.skeleton
    low = view.height[arms.upper]
    if skeleton.skin is not None:
        line = [joint for joint in line if any(skeleton.skin[i] > 0.0 for i in skeleton.below(joint))]
    else:
        line = [joint for n, joint in enumerate(line)
                if n == 0 or (view.height[joint] - low) / max(top - low, 1e-12) < _CROWN_AT]
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

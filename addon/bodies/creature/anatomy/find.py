# SPDX-License-Identifier: GPL-3.0-or-later
"""Which joint of a skeleton is which part of a creature on two legs, and what keeps it from being one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...human.anatomy.limbs import View, side_of
from ...human.anatomy.skeleton import Mirror, Skeleton, find_mirror
from . import core
from .faults import faults_of, lying, no_creature
from .limbs import Leg, find_legs, leg_between, toes_end
from .parts import SIDES, Chain, CreatureAnatomy, Fault, FoundLeg, Skin, kinds_of, numbered, only_ends, thickness

_FOOT, _HEAD, _KNEE, _NAMES = 2.0, 1.5, 0.7, 1.2
"""Weights of the votes, each plus or minus one at most."""
_CLEAR = 0.6
"""Votes that leave no doubt."""
_LEAST_FOOT = 0.08
"""Of the leg: a shorter foot tells less."""


def facing(view: View, leg: Leg, hips: np.ndarray, high: float) -> tuple[np.ndarray, bool, bool]:
    """Forward (3,), whether that is sure, and whether the leg's own joints are of the left side."""
    ahead = np.cross(view.mirror.normal, view.up)
    ahead = ahead / max(float(np.linalg.norm(ahead)), 1e-12)
    side = float(np.sign(view.mirror.side(view.skeleton.heads[leg.joints[0]])))
    vote = _FOOT * _foot(view, leg, ahead) + _KNEE * _knee(view, leg, ahead)
    vote += _HEAD * _head(core.Stance(view, leg, hips, high, ahead), ahead) + _NAMES * side * _named(view, leg)
    forward = ahead if vote >= 0.0 else -ahead
    left = np.cross(view.up, forward)
    return forward, bool(abs(vote) > _CLEAR), bool(side * (view.mirror.normal @ left) > 0.0)


def _foot(view: View, leg: Leg, ahead: np.ndarray) -> float:
    """How far the foot reaches ahead of the ankle rather than behind."""
    if not leg.has_foot:
        return 0.0
    skeleton = view.skeleton
    below = skeleton.below(leg.joints[-1])
    along = (np.concatenate([skeleton.heads[below], skeleton.ends[below]]) - leg.ankle) @ ahead
    reach = float(along.max() - along.min())
    least = _LEAST_FOOT * float(np.linalg.norm(leg.ankle - skeleton.heads[leg.joints[0]]))
    return float(along.max() + along.min()) / max(reach, least)


def _knee(view: View, leg: Leg, ahead: np.ndarray) -> float:
    """How far the first bend lies ahead of the line from hip to ankle, over a tenth of it."""
    if len(leg.joints) < 2 + leg.has_foot:
        return 0.0
    hip, knee = (view.skeleton.heads[joint] for joint in leg.joints[:2])
    line = leg.ankle - hip
    length = max(float(np.linalg.norm(line)), 1e-12)
    off = knee - hip - ((knee - hip) @ line) / length**2 * line
    return float(np.clip(10.0 * float(off @ ahead) / length, -1.0, 1.0))


def _head(stance: core.Stance, ahead: np.ndarray) -> float:
    """Whether what is highest lies ahead and what is called a tail behind: both ways are tried."""
    votes = []
    skeleton = stance.view.skeleton
    for forward in (ahead, -ahead):
        way = stance.faced(forward)
        ends = core.middle_ends(way)
        head = core.head_end(way, ends)
        tail = core.tail_end(way, ends, head)
        told = 0.0 if head is None else float(np.clip(2.0 * way.ahead(head), -1.0, 1.0))
        if tail is not None and any("tail" in kinds_of(skeleton.names[joint]) for joint in skeleton.line(tail)[:3]):
            told += float(np.clip(-2.0 * way.ahead(tail), -1.0, 1.0))
        votes.append(told)
    return float(np.clip(votes[0] - votes[1], -1.0, 1.0))


def _named(view: View, leg: Leg) -> float:
    """What names say of sides: see `human.anatomy.facing`."""
    names, partner = view.skeleton.names, view.mirror.partner
    votes = []
    for joint in leg.joints:
        mine, yours = side_of(names[joint]), side_of(names[int(partner[joint])]) if partner[joint] >= 0 else None
        if mine is not None and yours is not None and mine != yours:
            votes.append(1.0 if mine == "L" else -1.0)
    return float(np.mean(votes)) if votes else 0.0


UP = np.array([0.0, 0.0, 1.0])
LEAST_JOINTS = 5
"""Of the smallest creature: a trunk, two thighs, two shins."""
FITS = 3.5
"""Faults up to which a pair of branches is legs."""
_LEAST_TAIL = 0.2
_SURELY, _MUCH, _ALONG = 0.6, 0.8, 0.5
"""Faults under which legs surely are legs, by how much others must have fewer so that it lies, and cosine between an axis that
may be up and the mirror plane's normal."""
_BARE = 0.8
"""The faults that legs of joints without skin must have fewer of."""


@dataclass(frozen=True)
class Search:
    """What a search for a creature gave: it, or None, and what is wrong with it, the gravest first."""

    creature: CreatureAnatomy | None
    faults: tuple[Fault, ...]


def find_creature(skeleton: Skeleton, skin: Skin | None = None, said: Mapping[str, int] | None = None,
                  rig: str = "armature") -> Search:
    """The likeliest creature of a skeleton that stands along z, and what is wrong with it. `skin` is that of the skeleton's
    joints. `said` names joints that are known, -1 for parts that it has not: "trunk", "leg_L", "foot_L", "arm_L" and so on."""
    best: tuple[float, View, list[Leg], np.ndarray] | None = None
    for part, rows, cost in _readings(skeleton):
        mirror = find_mirror(part) if len(part.names) >= LEAST_JOINTS else None
        if mirror is None:
            continue
        view = View.of(part, mirror, UP)
        legs = find_legs(view, None if skin is None or part.skin is None else skin.only(rows))
        faults = (legs[0].faults if legs else 50.0) + cost
        if best is None or faults < best[0]:
            best = faults, view, legs, rows
        if faults < 1.0:
            break
    if best is None:
        return Search(None, (no_creature(rig, (), _unmirrored(skeleton)),))
    _, view, legs, rows = best
    row_of = {int(row): i for i, row in enumerate(rows)}
    known = {part: -1 if joint < 0 else row_of.get(joint, -1) for part, joint in (said or {}).items()}
    if (not legs or legs[0].faults > FITS) and not any(part.startswith(("leg_", "foot_")) for part in known):
        lain = lies(view, legs[0].faults if legs else np.inf)
        return Search(None, (lying(rig) if lain else no_creature(rig, legs, view),))
    if lies(view, legs[0].faults if legs else np.inf) and not known:
        return Search(None, (lying(rig),))
    leg = _chosen(view, legs, known)
    if leg is None or min(view.mirror.partner[list(leg.joints)]) < 0:
        return Search(None, (no_creature(rig, legs, view),))
    lower = None if known else _under_stump(view, legs, leg)
    if lower is not None:
        return Search(None, (no_creature(rig, (lower,), view),))
    found = _of_legs(view, leg, None if skin is None else thickness(view.skeleton, skin.only(rows)), known)
    if found is None:
        return Search(None, (Fault("no_hips", True, f"The legs of armature {rig!r} hang on nothing: give them a bone at the "
                                                    "hips that carries both."),))
    faults_found = sorted(faults_of(rig, found, legs, view), key=lambda fault: not fault.stops)
    return Search(numbered(found, rows), tuple(faults_found))


def lies(view: View, faults: float) -> bool:
    """Whether legs are found much more surely along another of the axes."""
    if faults < _SURELY + _MUCH:
        return False
    for axis in (*np.eye(3)[:2], *-np.eye(3)):
        if abs(float(axis @ view.mirror.normal)) < _ALONG:
            legs = find_legs(View.of(view.skeleton, view.mirror, axis))
            if legs and legs[0].faults < min(faults - _MUCH, _SURELY):
                return True
    return False


def _unmirrored(skeleton: Skeleton) -> View | None:
    """A skeleton in which nothing has a mirror image, all of it taken for its middle; None without joints."""
    if not skeleton.names:
        return None
    part = skeleton.with_skin()[0]
    return View.of(part, Mirror(np.array([0.0, 1.0, 0.0]), 0.0, np.arange(len(part.names))), UP)


def _readings(skeleton: Skeleton) -> list[tuple[Skeleton, np.ndarray, float]]:
    """The joints that move skin with what is above them, then all of them; what choosing them costs. What only marks the end of a
    bone has none itself: FBX gives it one as long as that bone."""
    every = np.arange(len(skeleton.names))
    ends = np.array([only_ends(skeleton, joint) for joint in every], dtype=bool)
    skeleton = replace(skeleton, tails=np.where(ends[:, None], skeleton.heads, skeleton.tails))
    if skeleton.skin is None or np.count_nonzero(skeleton.skin) < LEAST_JOINTS:
        return [(replace(skeleton, skin=None), every, 0.0)]
    return [(*skeleton.with_skin(), 0.0), (skeleton.only(every)[0], every, _BARE)]


def _chosen(view: View, legs: Sequence[Leg], said: Mapping[str, int]) -> Leg | None:
    hip, foot = (next((said[f"{part}_{side}"] for side in SIDES if said.get(f"{part}_{side}", -1) >= 0), None)
                 for part in ("leg", "foot"))

    def fits(leg: Leg) -> bool:
        ends = ((hip, leg.joints[0]), (foot, leg.joints[-1] if leg.has_foot else None))
        return all(joint is None or (end is not None and joint in (end, int(view.mirror.partner[end]))) for joint, end in ends)

    fitting = next((leg for leg in legs if fits(leg)), None)
    if fitting is None and (hip is not None or foot is not None):
        return leg_between(view, hip, _same_side(view, hip, foot))
    return fitting


def _under_stump(view: View, legs: Sequence[Leg], leg: Leg) -> Leg | None:
    """Where the likeliest leg is one bone over a foot that hangs on nothing: the lowest with a knee that ends under that bone."""
    if not leg.free_foot or len(leg.joints) > 2:
        return None
    own = leg.joints[0]
    low = min(view.height[own], view.tops[own])
    under = [other for other in legs if len(other.joints) > 1 and own not in other.joints and view.height[other.joints[-1]] < low]
    return min(under, key=lambda other: float(view.height[other.joints[-1]]), default=None)


def _same_side(view: View, hip: int | None, foot: int | None) -> int | None:
    if hip is None or foot is None:
        return foot
    same = view.mirror.side(view.skeleton.heads[hip]) * view.mirror.side(view.skeleton.heads[foot]) > 0.0
    return foot if same else int(view.mirror.partner[foot])


def _of_legs(view: View, leg: Leg, thick: np.ndarray | None, said: Mapping[str, int]) -> CreatureAnatomy | None:
    skeleton, partner = view.skeleton, view.mirror.partner
    hips = 0.5 * (skeleton.heads[leg.joints[0]] + skeleton.heads[int(partner[leg.joints[0]])])
    high = max(float(hips @ view.up) - view.ground, 1e-9)
    forward, sure, near_is_left = _said_facing(view, leg, said) or facing(view, leg, hips, high)
    stance = core.Stance(view, leg, hips, high, forward)
    ends = core.middle_ends(stance)
    head = core.head_end(stance, ends)
    if said.get("head", -1) >= 0:
        head = said["head"]
    tail = core.tail_end(stance, ends, head)
    trunk = said["trunk"] if said.get("trunk", -1) >= 0 else core.trunk_joint(stance, (head, tail))
    if trunk is None:
        return None
    way = [] if head is None else core.way_down(view, trunk, head)
    skull = said["head"] if "head" in said and said["head"] in (*way, -1) else core.head_of(stance, way) if way else None
    skull = None if skull == -1 else skull
    taken = _taken(view, leg)
    neck, arms = _neck_and_arms(stance, trunk, way, skull, taken, thick, said)
    first = [*neck, *(() if skull is None else (skull,))][:1]
    front = skeleton.heads[first[0]] if first else _front(stance, way)
    return CreatureAnatomy(
        trunk, hips, front, _legs(view, leg, near_is_left),
        np.column_stack([forward, np.cross(view.up, forward), view.up]),
        _chain(stance, neck, skeleton.heads[skull]) if neck and skull is not None else None,
        None if skull is None else Chain((skull,), _head_tip(stance, skull)),
        _tail(stance, trunk, way, tail, said), _sided(view, arms, near_is_left),
        frozenset(() if sure else ("facing",)))


def _said_facing(view: View, leg: Leg, said: Mapping[str, int]) -> tuple[np.ndarray, bool, bool] | None:
    """What the sides of legs that are said tell of where it faces; see `facing`."""
    for side, sign in zip(SIDES, (1.0, -1.0), strict=True):
        for part in ("leg", "foot"):
            joint = said.get(f"{part}_{side}", -1)
            if joint >= 0:
                left = view.mirror.normal * sign * np.sign(view.mirror.side(view.skeleton.heads[joint]))
                forward = np.cross(left, view.up)
                near = view.mirror.side(view.skeleton.heads[leg.joints[0]]) * (view.mirror.normal @ left)
                return forward / np.linalg.norm(forward), True, bool(near > 0.0)
    return None


def _taken(view: View, leg: Leg) -> list[int]:
    partner, skeleton = view.mirror.partner, view.skeleton
    tops = [joint for joint in (*leg.carriers[:1], leg.joints[0], leg.joints[-1]) for joint in (joint, int(partner[joint]))]
    return [joint for top in tops if top >= 0 for joint in skeleton.below(top)]


def _neck_and_arms(stance: core.Stance, trunk: int, way: Sequence[int], skull: int | None, taken: Sequence[int],
                   thick: np.ndarray | None, said: Mapping[str, int]) -> tuple[list[int], list[core.Arm]]:
    """The neck begins after what carries the arms, and what hangs on a neck is no arm: so arms are looked for first."""
    beyond = [] if skull is None else list(stance.view.skeleton.below(skull))
    known = next((said[part] for part in ("arm_L", "arm_R") if part in said), None)
    arms = core.find_arms(stance, trunk, beyond, taken) if known is None else core.said_arms(stance, known)
    if skull is None:
        return [], arms
    if "neck" in said:
        neck = list(way[way.index(said["neck"]):way.index(skull)]) if said["neck"] in way[:way.index(skull)] else []
    else:
        on_way = [way.index(at) for _, _, at in arms[:1] if at in way[:way.index(skull)]]
        neck = core.neck_of(stance, way, skull, way[on_way[0]] if on_way else None, thick)
    return neck, arms


def _front(stance: core.Stance, way: Sequence[int]) -> np.ndarray:
    skeleton = stance.view.skeleton
    if way and float(np.linalg.norm(skeleton.ends[way[-1]] - stance.hips)) > 0.15 * stance.high:
        return skeleton.ends[way[-1]]
    return stance.hips + 0.4 * stance.high * stance.view.up


def _head_tip(stance: core.Stance, skull: int) -> np.ndarray:
    """The end of the head's own bone, or, of one without a length to speak of, of what hangs on it."""
    skeleton = stance.view.skeleton
    below = skeleton.below(skull)
    own = skeleton.ends[skull]
    if float(np.linalg.norm(own - skeleton.heads[skull])) > 0.05 * stance.high or len(below) == 1:
        return own
    return skeleton.ends[max(below, key=lambda joint: float(np.linalg.norm(skeleton.ends[joint] - skeleton.heads[skull])))]


def _chain(stance: core.Stance, joints: Sequence[int], end: np.ndarray) -> Chain:
    return Chain(tuple(core.links(stance, joints, end)), end)


def _tail(stance: core.Stance, trunk: int, way: Sequence[int], end: int | None, said: Mapping[str, int]) -> Chain | None:
    if end is None or said.get("tail", 0) == -1:
        return None
    own = core.way_down(stance.view, trunk, end)
    joints = own[own.index(said["tail"]):] if said.get("tail", -1) in own else core.tail_of(stance, own, way)
    if not joints:
        return None
    tip = stance.view.skeleton.ends[end]
    return None if core.length_of(stance.view.skeleton, joints, tip) < _LEAST_TAIL * stance.high else _chain(stance, joints, tip)


def _legs(view: View, leg: Leg, near_is_left: bool) -> dict[str, FoundLeg]:
    near, far = ("L", "R") if near_is_left else ("R", "L")
    partner, mirror = view.mirror.partner, view.mirror
    other = tuple(int(partner[joint]) for joint in leg.joints)
    if leg.has_foot:
        ankle = view.skeleton.heads[other[-1]]
        toes = toes_end(view, other[-1], ankle)
    else:
        ankle = leg.ankle - 2.0 * mirror.side(leg.ankle) * mirror.normal
        toes = ankle + mirror.image(leg.toes_end - leg.ankle)
    return {near: FoundLeg(leg.joints, leg.ankle, leg.toes_end, leg.has_foot), far: FoundLeg(other, ankle, toes, leg.has_foot)}


def _sided(view: View, arms: Sequence[core.Arm], near_is_left: bool) -> dict[str, tuple[Chain, ...]]:
    near, far = ("L", "R") if near_is_left else ("R", "L")
    found: dict[str, list[Chain]] = {near: [], far: []}
    for joints, end, _ in arms:
        other = tuple(int(view.mirror.partner[joint]) for joint in joints)
        if min(other) < 0:
            continue
        found[near].append(Chain(tuple(joints), end))
        found[far].append(Chain(other, core.arm_end(view.skeleton, other)))
    return {side: tuple(found[side]) for side in SIDES}

# SPDX-License-Identifier: GPL-3.0-or-later
"""Why what was found in a rig cannot walk on two legs, or what in it is a guess: one sentence each, which names the bones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ...human.anatomy.limbs import View
from .limbs import Leg
from .parts import SIDES, CreatureAnatomy, Fault, kinds_of, only_ends

_LIKE_LEGS = 3.0
"""Faults up to which another pair of branches stands as well as legs do."""
_APART, _UPRIGHT, _ENDS, _BEGINS = 0.3, 0.72, 0.15, 0.55
"""Of the hips' height: how far from the hips' middle another pair begins that is no skirt; and of a single leg: its fall
over its length, how low it ends and how high it begins."""
_UNEVEN_LENGTH, _UNEVEN_HEIGHT = 0.1, 0.12
"""Of a leg: by how much the two may differ in length, and of the hips' height: in the height of their feet."""
_FEET_UP = 0.3
"""Of the hips' height: what ends higher over the lowest bone does not stand on it."""
_SIDEWAYS = 0.2
"""Of a leg: a joint that lies farther beside the upright plane of its hip and foot bends sideways."""


def no_creature(rig: str, legs: Sequence[Leg], view: View | None) -> Fault:
    single = [] if view is None else _single_legs(view, float(view.height.max()), ())
    if single and view is not None:
        return Fault("one_leg", True,
                     f"Armature {rig!r} stands on one leg, by the bone {_name(view, single[0])}, which has no mirror image: "
                     "draw a second leg, or say which bones the legs are in its bone map.")
    if view is None or not (view.mirror.partner != np.arange(len(view.height))).any():
        return Fault("no_legs", True,
                     f"Armature {rig!r} has no two bones that are mirror images of one another, so no two legs are found: draw "
                     "the legs alike on both sides, or say which bones they are in its bone map.")
    if not legs:
        return Fault("no_legs", True,
                     f"No two bones of armature {rig!r} go down to the ground on both sides, with the world's z up: turn the "
                     "armature object upright, or say which bones the legs are in its bone map.")
    best = legs[0]
    names = " and ".join(_names(view, _pair(view, best)))
    low = float(min(view.height[best.joints[-1]], (best.ankle @ view.up) - view.ground))
    if low > _FEET_UP * float(view.height[best.joints[0]]):
        return Fault("feet_up", True,
                     f"Armature {rig!r} has no legs that reach the ground: the likeliest, {names}, end {low:.2g} m over the "
                     "lowest bone; move the feet down, or say which bones the legs are in its bone map.")
    return Fault("no_legs", True,
                 f"Armature {rig!r} has no two legs that Lope can walk on; the likeliest are {names}, which are hardly legs. "
                 "Say which bones they are in its bone map.")


def lying(rig: str) -> Fault:
    """What is said of a creature that does not stand along the world's z."""
    return Fault("lying", True,
                 f"Armature {rig!r} does not stand in its rest pose: its legs point along another axis than the world's z; "
                 "turn the armature object upright.")


def faults_of(rig: str, found: CreatureAnatomy, legs: Sequence[Leg], view: View) -> Iterator[Fault]:
    """What is wrong with a creature that was found, and what is a guess; the numbers of its joints are those of the view."""
    high = max(float(found.hips @ view.up) - view.ground, 1e-9)
    own = [joint for leg in found.legs.values() for joint in leg.joints]
    yield from _more_legs(rig, found, legs, view, high)
    taken = [joint for top in own if top >= 0 for joint in view.skeleton.below(top)]
    for joint in _single_legs(view, high, taken)[:1]:
        yield Fault("three_legs", True,
                    f"Armature {rig!r} stands on a third leg, by the bone {_name(view, joint)}: Lope walks on two. Lift it off "
                    "the ground, or call it a tail in the bone map.")
    yield from _unlike(rig, found, view)
    yield from _of_bones(rig, found, view)
    if "facing" in found.unsure:
        yield Fault("facing", False,
                    f"Which way armature {rig!r} faces is a guess: neither feet, knees, head nor names tell; turn its feet "
                    "ahead, or say which leg is the left one in its bone map.")


def _more_legs(rig: str, found: CreatureAnatomy, legs: Sequence[Leg], view: View, high: float) -> Iterator[Fault]:
    own = {joint for leg in found.legs.values() for joint in leg.joints if joint >= 0}
    partner = view.mirror.partner
    for leg in legs:
        joints = set(leg.joints) | {int(partner[joint]) for joint in leg.joints}
        if leg.faults > _LIKE_LEGS or joints & own:
            continue
        middle = 0.5 * (view.skeleton.heads[leg.joints[0]] + view.skeleton.heads[int(partner[leg.joints[0]])])
        way = middle - found.hips
        low = float(min(leg.ankle @ view.up, leg.toes_end @ view.up)) - view.ground
        if float(np.linalg.norm(way - (way @ view.up) * view.up)) > _APART * high and low < _ENDS * high:
            first = " and ".join(_names(view, [found.legs[side].joints[0] for side in SIDES]))
            second = " and ".join(_names(view, _pair(view, leg)))
            yield Fault("four_legs", True,
                        f"Armature {rig!r} stands on four legs, by the bones {first}, and {second}: Lope walks on two. Lift "
                        "the other pair off the ground in the rest pose.")
            return


def _single_legs(view: View, high: float, taken: Sequence[int]) -> list[int]:
    """Joints without a mirror image at which something upright begins that ends at the ground."""
    skeleton, found = view.skeleton, []
    for joint in range(len(skeleton.names)):
        carries = bool(set(skeleton.below(joint)) & set(taken))
        carries |= sum(float(skeleton.reach[child]) > 0.1 * high for child in skeleton.children[joint]) > 1
        if view.paired(joint) or carries or view.height[joint] < _BEGINS * high or view.height[joint] > 1.3 * high:
            continue
        ends = [below for below in skeleton.below(joint) if not view.paired(below)]
        end = min(ends, key=lambda below: view.tops[below])
        line = skeleton.line(end)
        line = line[:line.index(joint) + 1]
        if len(line) < 2 or any(kinds_of(skeleton.names[below]) & {"tail", "cloth", "control"} for below in line):
            continue
        places = np.vstack([skeleton.heads[line[::-1]], skeleton.ends[end]])
        length = float(np.linalg.norm(np.diff(places, axis=0), axis=1).sum())
        fall = float((places[0] - places[-1]) @ view.up)
        skinned = skeleton.skin is None or skeleton.skin[line].sum() > 0.0
        stands = fall > _UPRIGHT * length and view.tops[end] < _ENDS * high and fall > 0.5 * high
        if stands and skinned and not any(above in found for above in skeleton.line(joint)):
            found.append(joint)
    return found


def _unlike(rig: str, found: CreatureAnatomy, view: View) -> Iterator[Fault]:
    """Legs of unequal bones, lengths, or heights of their feet."""
    skeleton = view.skeleton
    for side, other in (SIDES, SIDES[::-1]):
        joints = found.legs[side].joints
        lost = [joint for joint, image in zip(joints, found.legs[other].joints, strict=True) if image < 0]
        lost += [joint for joint in skeleton.below(joints[0])[1:] if view.mirror.partner[joint] < 0 and _matters(view, joint)]
        if lost and joints[0] >= 0:
            yield Fault("unequal_bones", True,
                        f"The legs of armature {rig!r} are of unequal bones: {_name(view, lost[0])} has no mirror image in the "
                        "other leg. Give both legs the same bones.")
            return
    lengths, lows = [], []
    for leg in found.legs.values():
        places = np.vstack([skeleton.heads[list(leg.joints)], leg.ankle])
        lengths.append(float(np.linalg.norm(np.diff(places, axis=0), axis=1).sum()))
        below = skeleton.below(leg.joints[-1])
        lows.append(float(min(view.height[below].min(), view.tops[below].min())))
    if abs(lengths[0] - lengths[1]) > _UNEVEN_LENGTH * max(lengths):
        long, short = SIDES if lengths[0] > lengths[1] else SIDES[::-1]
        names = _names(view, [found.legs[side].joints[0] for side in (long, short)])
        yield Fault("unequal_length", True,
                    f"The legs of armature {rig!r} are of unequal length: {max(lengths):.3g} m from {names[0]}, "
                    f"{min(lengths):.3g} m from {names[1]}. Make them alike.")
    elif abs(lows[0] - lows[1]) > _UNEVEN_HEIGHT * float(found.hips @ view.up - view.ground):
        foot = _name(view, found.legs["L" if lows[0] > lows[1] else "R"].joints[-1])
        yield Fault("foot_up", True,
                    f"The foot {foot} of armature {rig!r} is {abs(lows[0] - lows[1]):.2g} m over the ground in its rest pose: "
                    "stand it on both feet.")


def _matters(view: View, joint: int) -> bool:
    """Whether a joint without a mirror image is a bone of the leg: it moves skin and is not small."""
    skeleton = view.skeleton
    if only_ends(skeleton, joint) or kinds_of(skeleton.names[joint]) & {"twist", "control", "cloth", "toe"}:
        return False
    long = float(np.linalg.norm(skeleton.ends[joint] - skeleton.heads[joint])) + float(skeleton.reach[joint])
    return long > 0.06 * view.extent and bool(skeleton.skin is None or skeleton.skin[skeleton.below(joint)].sum() > 0.0)


def _of_bones(rig: str, found: CreatureAnatomy, view: View) -> Iterator[Fault]:
    """Legs that cannot bend, bend sideways, or have no foot."""
    left = found.legs["L"]
    above = left.joints[:-1] if left.has_foot else left.joints
    if len(above) < 2:
        yield Fault("no_knee", True,
                    f"The legs of armature {rig!r} have no knee: {_name(view, above[0])} goes from the hip straight to the "
                    "foot. Give each leg two bones over the foot.")
        return
    if not left.has_foot:
        yield Fault("no_foot", False,
                    f"The legs of armature {rig!r} have no bone for the foot below {_name(view, above[-1])}: its feet turn "
                    "with the shins. Give each a bone of its own.")
    places = np.vstack([view.skeleton.heads[list(above)], left.ankle])
    line = places[-1] - places[0]
    length = max(float(np.linalg.norm(np.diff(places, axis=0), axis=1).sum()), 1e-12)
    beside = np.cross(line / max(float(np.linalg.norm(line)), 1e-12), found.axes[:, 0])
    off = np.abs((places - places[0]) @ beside)
    if off.max() > _SIDEWAYS * length:
        joint = _name(view, above[int(off[:-1].argmax())])
        yield Fault("sideways", False,
                    f"The legs of armature {rig!r} bend sideways at {joint}, as a spider's do; Lope's steps bend them forward "
                    "and back.")


def _pair(view: View, leg: Leg) -> tuple[int, int]:
    return leg.joints[0], int(view.mirror.partner[leg.joints[0]])


def _names(view: View, joints: Sequence[int]) -> list[str]:
    return [_name(view, joint) for joint in joints]


def _name(view: View, joint: int) -> str:
    return repr(view.skeleton.names[joint])

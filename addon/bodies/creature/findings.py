# SPDX-License-Identifier: GPL-3.0-or-later
"""What is wrong with a creature's shape, so that it cannot walk: rules that give one clear sentence, with part and bone, or None.
Rules of a kind come after those that they rest on: a leg is measured once there are two."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np

from ...specs.creature import SIDES, Creature, CreaturePart
from .feet import capsule_mass_kg, leg_length_m, length_m, mass_of, off_soles_m

LEG_PARTS = 3, 5
"""Fewest and most parts of a leg, its foot included: knee, hock and one more are as many as animals have."""
MAY_HANG_ON = {"trunk": ("trunk",), "leg": ("trunk", "leg"), "neck": ("trunk", "neck"), "head": ("trunk", "neck"),
               "tail": ("trunk", "tail"), "arm": ("trunk", "arm")}
"""What each kind of part may hang on."""
UNEQUAL, UNLIKE = 0.1, 0.2
"""Share by which bones of the two legs may differ, and share of the leg by which joints may lie elsewhere (first guesses)."""
OVER_GROUND, UNDER_GROUND, CROUCHED = 0.12, 0.06, 0.4
"""How far, over the leg, a foot's bones may be drawn over the ground and under it, and how high hips are at least over the feet's
joints (first guesses; a person's foot joint is a twelfth of the leg over the ground, and its toes' end is lower)."""
OFF_SOLES = 0.25
"""How far, over the leg, the centre of mass may be off the soles: a walk catches that, a stand does not (first guess)."""
HEAVY_M, DENSE = (5.0, 5000.0), 50.0
"""Mass over the leg's cube [kg/m^3] (people 140, an ostrich 60, a long neck on short legs 280), and factor by which a part may be
heavier or lighter than its capsule of water (first guesses)."""


def creature_findings(creature: Creature) -> list[str]:
    """Why a creature cannot walk, the gravest first; empty where it can. Sizes and masses are judged once there are two legs."""
    found = [*_said(creature, (number_of_legs, sides_of_legs, hips)), *_hanging(creature), *_legs(creature)]
    if not found:
        found = _said(creature, (unequal_bones, unlike_legs, swapped_sides, feet_over_ground, feet_under_ground, hips_too_low,
                                 absurd_mass, absurd_part, stands_beside))
    return found


def called(part: CreaturePart) -> str:
    """A part as a sentence names it: with the bone that it is, where that is called otherwise."""
    return part.name if part.bone in (None, part.name) else f"{part.name} (bone {part.bone})"


def number_of_legs(creature: Creature) -> str | None:
    legs = creature.legs
    if not legs:
        return (f"The creature {creature.name} has no legs: two chains of parts of the kind leg, from the trunk to the "
                "ground, are needed; name their bones in the bone map.")
    if len(legs) == 1:
        return (f"The creature {creature.name} has one leg, {called(legs[0][0])}: a second one, of the other side, is "
                "needed; name its bones in the bone map.")
    if len(legs) > 2:
        names = ", ".join(called(leg[0]) for leg in legs)
        return (f"The creature {creature.name} has {len(legs)} legs, {names}: it walks on two; make the others arms, or "
                "leave them out.")
    return None


def sides_of_legs(creature: Creature) -> str | None:
    legs = creature.legs
    if len(legs) != 2 or sorted(leg[0].side for leg in legs) == sorted(SIDES):
        return None
    return (f"The legs {called(legs[0][0])} and {called(legs[1][0])} are not one of each side: give all parts of the left "
            "one the side L, and of the right one R.")


def hips(creature: Creature) -> str | None:
    """A root that is no trunk, or legs that do not both hang on one trunk."""
    root = creature.parts[0]
    if root.kind != "trunk":
        return (f"The creature {creature.name} has no hips: its first part {called(root)} is a {root.kind}, and must be the "
                "trunk on which the legs hang.")
    for leg in creature.legs:
        parent = creature.part(leg[0].parent or root.name)
        if parent.kind != "trunk":
            return (f"The leg {called(leg[0])} has no hip: it hangs on {called(parent)}, a {parent.kind}; hang it on the "
                    f"trunk, {called(root)}.")
    hung = {leg[0].parent or root.name for leg in creature.legs}
    if len(hung) > 1:
        parents = " and ".join(sorted(hung))
        return (f"The creature {creature.name} has no hips: its legs hang on {parents}; hang both on the same part of the "
                "trunk.")
    return None


def wrong_parent(creature: Creature, part: CreaturePart) -> str | None:
    parent = creature.part(part.parent) if part.parent is not None else None
    if parent is None or part.kind == "leg" or parent.kind in MAY_HANG_ON[part.kind]:
        return None
    allowed = " or ".join(MAY_HANG_ON[part.kind])
    return f"The {part.kind} {called(part)} hangs on {called(parent)}, a {parent.kind}: hang it on a part of the kind {allowed}."


def no_length(part: CreaturePart) -> str | None:
    if length_m(part) > 1e-4:
        return None
    return f"The part {called(part)} has no length: its tip is where its joint is; draw it longer, or leave it out."


def parts_of_leg(leg: tuple[CreaturePart, ...]) -> str | None:
    if LEG_PARTS[0] <= len(leg) <= LEG_PARTS[1]:
        return None
    told = "part" if len(leg) == 1 else "parts"
    return (f"The leg {called(leg[0])} has {len(leg)} {told}: it needs {LEG_PARTS[0]} to {LEG_PARTS[1]}, the foot included; "
            "add the bones that it lacks to the bone map, or leave out those that are none of a leg.")


def side_of_leg(leg: tuple[CreaturePart, ...]) -> str | None:
    odd = next((part for part in leg if part.side != leg[0].side), None)
    if odd is None:
        return None
    none = odd.side or "none"
    return (f"The part {called(odd)} is of the side {none}, its leg {called(leg[0])} of the side {leg[0].side}: give it "
            "that side.")


def branching_leg(creature: Creature, leg: tuple[CreaturePart, ...]) -> str | None:
    for part in leg:
        below = [child for child in creature.children(part.name) if child.kind == "leg"]
        if len(below) > 1:
            names = ", ".join(map(called, below))
            return (f"The leg {called(leg[0])} branches at {called(part)} into {names}: keep the one that goes on to the "
                    "ground.")
    return None


def unequal_bones(creature: Creature) -> str | None:
    left, right = legs_by_side(creature)
    if len(left) != len(right):
        return (f"The left leg {called(left[0])} has {len(left)} parts, the right one {called(right[0])} {len(right)}: give "
                "both as many.")
    for one, other in zip(left, right, strict=True):
        a, b = length_m(one), length_m(other)
        if abs(a - b) > UNEQUAL * max(a, b):
            return f"The legs are unequal: {called(one)} is {a:.3f} m long, {called(other)} {b:.3f} m; make both as long."
    return None


def unlike_legs(creature: Creature) -> str | None:
    reach = UNLIKE * leg_length_m(creature)
    for one, other in zip(*legs_by_side(creature), strict=True):
        apart = math.dist(np.multiply(one.joint_m, (1.0, -1.0, 1.0)), other.joint_m)
        if apart > reach:
            return (f"The legs are drawn in two poses: {called(one)} and {called(other)} are {apart:.2f} m from being "
                    "mirror images; draw the creature standing, both legs alike.")
    return None


def swapped_sides(creature: Creature) -> str | None:
    left, right = (leg[0] for leg in legs_by_side(creature))
    if left.joint_m[1] > right.joint_m[1]:
        return None
    return (f"The left leg {called(left)} is not left of the right one {called(right)}: swap their sides, or turn the "
            "creature to face forward.")


def feet_over_ground(creature: Creature) -> str | None:
    for leg in creature.legs:
        low = min(leg[-1].joint_m[2], leg[-1].tip_m[2])
        if low > OVER_GROUND * leg_length_m(creature):
            return (f"The foot {called(leg[-1])} is {low:.3f} m above the ground: stand the creature on it, or bring the "
                    "rest of the leg down to the ground in the bone map.")
    return None


def feet_under_ground(creature: Creature) -> str | None:
    for leg in creature.legs:
        low = min(leg[-1].joint_m[2], leg[-1].tip_m[2])
        if low < -UNDER_GROUND * leg_length_m(creature) or leg[-1].joint_m[2] <= 0.0:
            return (f"The foot {called(leg[-1])} reaches {-low:.3f} m into the ground: raise the creature until its soles "
                    "are on the ground.")
    return None


def hips_too_low(creature: Creature) -> str | None:
    least = CROUCHED * leg_length_m(creature)
    for leg in creature.legs:
        height = leg[0].joint_m[2] - leg[-1].joint_m[2]
        if height < least:
            return (f"The hip of {called(leg[0])} is {height:.2f} m over its foot's joint, and a leg so long stands "
                    f"{least:.2f} m at least: draw the creature standing.")
    return None


def absurd_mass(creature: Creature) -> str | None:
    mass, cube = sum(map(mass_of, creature.parts)), leg_length_m(creature) ** 3
    if HEAVY_M[0] * cube <= mass <= HEAVY_M[1] * cube:
        return None
    heaviest = max(creature.parts, key=mass_of)
    return (f"The creature weighs {mass:.4g} kg on legs of {leg_length_m(creature):.2f} m, where {HEAVY_M[0] * cube:.3g} to "
            f"{HEAVY_M[1] * cube:.3g} kg can be: look at the mass and the radius of {called(heaviest)}, "
            f"{mass_of(heaviest):.4g} kg, and at the drawing's scale.")


def absurd_part(creature: Creature) -> str | None:
    for part in creature.parts:
        water = capsule_mass_kg(part)
        if part.mass_kg is not None and not water / DENSE <= part.mass_kg <= water * DENSE:
            return (f"The part {called(part)} weighs {part.mass_kg:.4g} kg and would weigh {water:.4g} kg of water: mend "
                    "its mass or its radius, or leave the mass out.")
    return None


def stands_beside(creature: Creature) -> str | None:
    off = off_soles_m(creature)
    size = float(np.linalg.norm(off))
    if size <= OFF_SOLES * leg_length_m(creature):
        return None
    way = ("ahead of" if off[0] > 0.0 else "behind") if abs(off[0]) >= abs(off[1]) else "beside"
    heavy = max((part for part in creature.parts if part.kind != "leg"), key=mass_of)
    return (f"The creature does not stand over its feet: its centre of mass is {size:.2f} m {way} its soles; bring the feet "
            f"under it, or mend the masses, of which {called(heavy)} has {mass_of(heavy):.4g} kg.")


def legs_by_side(creature: Creature) -> tuple[tuple[CreaturePart, ...], ...]:
    """The left leg, then the right one, of a creature that has one of each."""
    return tuple(next(leg for leg in creature.legs if leg[0].side == side) for side in SIDES)


def _said(creature: Creature, rules: tuple[Callable[[Creature], str | None], ...]) -> list[str]:
    return [sentence for rule in rules if (sentence := rule(creature)) is not None]


def _hanging(creature: Creature) -> Iterator[str]:
    for part in creature.parts:
        yield from (said for said in (wrong_parent(creature, part), no_length(part)) if said is not None)


def _legs(creature: Creature) -> Iterator[str]:
    for leg in creature.legs:
        yield from (said for said in (parts_of_leg(leg), side_of_leg(leg), branching_leg(creature, leg)) if said is not None)

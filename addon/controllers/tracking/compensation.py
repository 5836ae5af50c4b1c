# SPDX-License-Identifier: GPL-3.0-or-later
"""How somebody who knows what their muscles can hold walks otherwise: the plan's part of a condition.

The program of a healthy plan makes up for weak muscles as long as any can (docs/notes/conditions.md), which nobody does: people
let the pelvis drop and lean over a weak hip, bend knees that weak calves or short hamstrings do not let straight, and hurry over
a sore leg (`motions.limping`). How far goes with how much strength is missing; the sizes are first guesses, by strips.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from ...bodies.body import Body
from ...bodies.muscles.ability import SIDES, Ability, ability_of
from ...motions.limping import MOST_SPARED, spared_share
from ...specs.shot import Shot

DROP_DEG, LEAN_DEG = 10.0, 17.0
"""Drop of the pelvis and lean of the trunk over a hip whose abductors hold nothing."""
CALF_CROUCH = 0.025
"""How much lower the centre of mass goes over the leg's length where neither calf holds anything."""
TENDON_CROUCH = 1.3
"""How much lower it goes over what the hamstrings' tendons are shorter by."""
SLOWER = 0.25
"""By how much slower somebody goes whose muscles hold nothing, or who spares a leg as far as can be."""
MOST_CROUCH = 0.12
"""The lowest it goes, over the leg's length: knees bent by 60 degrees."""


@dataclass(frozen=True)
class Compensation:
    """Drop of the pelvis beside each standing leg and lean of the trunk over it [rad], how much lower the centre of mass goes
    [m], and the speed that nobody asked for over the healthy one."""

    drop_rad: Mapping[str, float] = field(default_factory=lambda: dict.fromkeys(SIDES, 0.0))
    lean_rad: Mapping[str, float] = field(default_factory=lambda: dict.fromkeys(SIDES, 0.0))
    crouch_m: float = 0.0
    pace: float = 1.0


def compensation_of(shot: Shot, body: Body) -> Compensation:
    """The compensation of a shot on its body; none for a healthy one. Raises LopeError for a condition that does not fit it."""
    ability = ability_of(shot, body)
    if ability is None:
        return Compensation()
    return compensated(ability, body.leg_length_m, abs(spared_share(shot.condition)) / MOST_SPARED)


def compensated(ability: Ability, leg_length_m: float, spared: float = 0.0) -> Compensation:
    """The compensation of an ability on legs of that length, of which one is `spared` from 0 to 1."""
    missing = {side: min(max(1.0 - ability.abduction[side], 0.0), 1.0) for side in SIDES}
    calves = 1.0 - min(max(*ability.calves.values()), 1.0)
    crouch = CALF_CROUCH * leg_length_m * calves + TENDON_CROUCH * max(ability.short_m, 0.0)
    return Compensation({side: math.radians(DROP_DEG * share) for side, share in missing.items()},
                        {side: math.radians(LEAN_DEG * share) for side, share in missing.items()},
                        min(crouch, MOST_CROUCH * leg_length_m), 1.0 - SLOWER * min(max(
                            *missing.values(), *(1.0 - share for share in ability.calves.values()), spared,
                            crouch / (MOST_CROUCH * leg_length_m)), 1.0))

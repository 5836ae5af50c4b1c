# SPDX-License-Identifier: GPL-3.0-or-later
"""How a drawn creature stands: its legs' length, its centre of mass, and that over its soles."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ...specs.creature import Creature, CreaturePart
from .feet import sole_of
from .sizes import length_m, mass_of


def leg_length_m(creature: Creature) -> float:
    """Length [m] of a straight leg from the hip to the foot's joint, the mean of all legs."""
    return sum(sum(reach_m(leg)) for leg in creature.legs) / max(len(creature.legs), 1)


def reach_m(leg: Sequence[CreaturePart]) -> list[float]:
    """Distance [m] from joint to joint of a leg; of one without a foot, its parts' lengths."""
    return [math.dist(a.joint_m, b.joint_m) for a, b in zip(leg, leg[1:], strict=False)] or [length_m(part) for part in leg]


def centre_of_mass_m(parts: Sequence[CreaturePart]) -> np.ndarray:
    """Centre of mass (3,) [m] of parts, each an even capsule."""
    masses = np.array([mass_of(part) for part in parts])
    middles = np.array([np.add(part.joint_m, part.tip_m) / 2.0 for part in parts])
    return np.asarray(masses @ middles / masses.sum())


def off_soles_m(creature: Creature) -> np.ndarray:
    """How far (2,) [m], forward and to the left, the centre of mass is off the rectangle around the soles; zero within."""
    corners = []
    for leg in creature.legs:
        sole = sole_of(leg[-1])
        corners += [sole.under + along * sole.forward + across * sole.left
                    for along in (-sole.heel_m, sole.toe_m) for across in (-sole.half_width_m, sole.half_width_m)]
    place = centre_of_mass_m(creature.parts)[:2]
    return place - np.clip(place, np.min(corners, axis=0), np.max(corners, axis=0))

# SPDX-License-Identifier: GPL-3.0-or-later
"""Which muscles a creature has, by its structure: legs of any number of joints, necks, tails, spines and arms.

A human's leg gets the ten of Geijtenbeek 2013 (section 6.1): four at the hip, each out of the sagittal plane, and those of Wang
2012. Every further joint of a leg adds an extensor, a flexor, and one that goes past it and the joint before. Every joint of a
neck, tail, spine or arm has four. Sizes are shares of the leg, so that any creature has muscles; how strong they are comes from
weight and levers.
"""

from __future__ import annotations

import numpy as np

from ...specs.shot import EARTH_GRAVITY_M_S2
from ..body import Body
from .body import CreatureBody
from .leg_muscles import leg_muscles
from .routing import FreeMuscle, FreePoint

CHAIN_DELAY_S = 0.005
"""Of all muscles but those below a knee (Geijtenbeek 2013, section 4.4)."""
CHAIN_STRENGTH = 3.0
"""What one muscle of a chain's joint makes, over the torque of the weight that hangs there, held level (first guess)."""
CHAIN_REACH = 0.45
"""How far from the joint a chain's muscles go to, over the segment's length (first guess)."""
CHAIN_ARM = 0.25, 1.0
"""Least and most distance from a chain's middle line, over the segment's length (first guesses)."""
KINDS = {"neck": "neck", "head": "neck", "tail": "tail", "arm": "arm", "trunk": "spine"}
FREE = 0.3
"""How far routing is free, over the distance from the middle line or the joint (first guess: the paper's ranges are
drawings)."""


def creature_muscles(body: CreatureBody, gravity_m_s2: float = EARTH_GRAVITY_M_S2) -> tuple[FreeMuscle, ...]:
    """The muscles of a creature, the left leg's first, strong enough for its weight under a gravity."""
    found: list[FreeMuscle] = []
    for foot in sorted(body.feet, key=lambda foot: foot.side):
        found += leg_muscles(body, foot, gravity_m_s2)
    in_legs = {name for foot in body.feet for name in foot.leg}
    for segment in body.segments[1:]:
        if segment.name not in in_legs:
            found += _chain_muscles(body, segment.name, gravity_m_s2)
    return tuple(found)


def _chain_muscles(body: CreatureBody, name: str, gravity_m_s2: float) -> list[FreeMuscle]:
    """The four of one joint of a neck, tail, spine or arm: two behind or above, two before or below; a hinge has two."""
    segment, part = body.segment(name), body.creature.part(name)
    length = float(np.linalg.norm(segment.tip))
    along = segment.tip / max(length, 1e-9)
    side = np.array([0.0, 1.0, 0.0]) if abs(along[1]) < 0.9 else np.array([1.0, 0.0, 0.0])
    side = side - (side @ along) * along
    side /= np.linalg.norm(side)
    back = np.cross(along, side)
    if back[2] < -1e-6 or (abs(back[2]) <= 1e-6 and back[0] > 0.0):
        back = -back
    reach, off = CHAIN_REACH * length, float(np.clip(part.radius_m, CHAIN_ARM[0] * length, CHAIN_ARM[1] * length))
    kind = KINDS[part.kind]
    found = []
    for where, behind in (("back", 1.0), ("front", -1.0)):
        for tag, left in (("l", 1.0), ("r", -1.0)):
            across = off * np.sqrt(0.5) * (behind * back + left * side)
            ways = (FREE * reach * along, FREE * off * behind * back, FREE * off * left * side)
            points = (FreePoint(segment.hangs_on, segment.offset - reach * along + across, ways),
                      FreePoint(name, reach * along + across, ways))
            found.append(FreeMuscle(f"{name}_{where}_{tag}", f"{kind}_{where}", part.side, points,
                                    CHAIN_STRENGTH * _weight_torque(body, name, gravity_m_s2), {}, CHAIN_DELAY_S, (name,),
                                    ahead=behind < 0.0))
    return found


def _weight_torque(body: Body, name: str, gravity_m_s2: float) -> float:
    """Torque [N m] of what hangs on a joint if it stood out level from there as far as it does in the neutral pose."""
    mass, moment = 0.0, np.zeros(3)
    for other in body.segments:
        way = body.way_to(other.name)
        if name in way:
            place = sum((body.segment(step).offset for step in way[way.index(name) + 1:]), np.zeros(3))
            mass, moment = mass + other.mass_kg, moment + other.mass_kg * (place + other.com)
    return gravity_m_s2 * float(np.linalg.norm(moment))



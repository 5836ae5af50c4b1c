# SPDX-License-Identifier: GPL-3.0-or-later
"""The soles of a creature's feet: how far they reach, and the four spheres with which each stands on the ground z = 0."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...specs.creature import Creature, CreaturePart
from ..body import ContactPoint
from ..capsules import LEAST_RADIUS_M, SOLE_CLEARANCE_M

HEEL_OVER_HEIGHT, MOST_HEEL = 1.0, 0.45
"""How far a sole reaches back behind the foot's joint, over how high that is: a heel is about as long as its ankle is high (of a
human 1.1, Winter 2009); at most this share of what lies ahead."""
WIDTH_SHARE = 0.38
"""Width of a sole over its length: a human's and a shoe's (Winter 2009)."""
POINT_SHARE = 0.08
"""Radius of the contact spheres over the sole's length (first guess: a foot rolls over its edges, not over balls)."""


class Sole(NamedTuple):
    """A sole on the ground: the place (2,) [m] under the foot's joint, unit vectors (2,) forward and left, and how far it reaches
    forward and back from there and to each side [m]."""

    under: np.ndarray
    forward: np.ndarray
    left: np.ndarray
    toe_m: float
    heel_m: float
    half_width_m: float

    @property
    def length_m(self) -> float:
        """From heel to toes [m]."""
        return self.toe_m + self.heel_m


def sole_of(foot: CreaturePart) -> Sole:
    joint, tip = np.array(foot.joint_m, dtype=float), np.array(foot.tip_m, dtype=float)
    ahead = (tip - joint)[:2]
    toe = float(np.linalg.norm(ahead))
    least = max(foot.radius_m, 1e-3)
    forward = ahead / toe if toe > 0.2 * least else np.array([1.0, 0.0])
    toe = max(toe, least)
    heel = foot.heel_m if foot.heel_m is not None else min(HEEL_OVER_HEIGHT * max(foot.joint_m[2], 0.0), MOST_HEEL * toe)
    width = foot.width_m if foot.width_m is not None else WIDTH_SHARE * (toe + heel)
    return Sole(joint[:2], forward, np.array([-forward[1], forward[0]]), toe, heel, 0.5 * width)


def sole_points(foot: CreaturePart) -> list[ContactPoint]:
    """The four contact points of a foot: two at its heel, two at its toes, their lowest places on the ground."""
    sole, side = sole_of(foot), foot.side
    radius = min(POINT_SHARE * sole.length_m, 0.9 * sole.half_width_m)
    points = []
    for kind, along in (("heel", radius - sole.heel_m), ("toe", sole.toe_m - radius)):
        for where, across in (("in", -1.0), ("out", 1.0)):
            outward = across * (1.0 if side == "L" else -1.0) * (sole.half_width_m - radius)
            flat = along * sole.forward + outward * sole.left
            points.append(ContactPoint(f"{kind}_{where}_{side}", side, kind, foot.name,
                                       np.array([*flat, radius - foot.joint_m[2]]), radius))
    return points


def over_sole(foot: CreaturePart) -> tuple[np.ndarray, np.ndarray, float]:
    """Start and end (3,) [m] in the foot's frame, and radius [m], of a foot's capsule that keeps clear of the ground."""
    end = np.array(foot.tip_m, dtype=float) - foot.joint_m
    low = min(foot.joint_m[2], max(foot.tip_m[2], 0.0))
    radius = max(min(foot.radius_m, 0.5 * (foot.joint_m[2] - SOLE_CLEARANCE_M)), LEAST_RADIUS_M)
    lift = max(radius + SOLE_CLEARANCE_M - foot.tip_m[2], 0.0)
    length = math.dist(foot.joint_m, foot.tip_m)
    end = end * (max(length - radius, 0.0) / length) if length > 0.0 else end
    return np.zeros(3), end + (0.0, 0.0, lift), radius if low >= 0.0 else LEAST_RADIUS_M


DENSITY_KG_M3 = 1000.0
"""Geijtenbeek 2013 gives every body water's."""


def length_m(part: CreaturePart) -> float:
    """Length [m] from joint to tip."""
    return math.dist(part.joint_m, part.tip_m)


def capsule_mass_kg(part: CreaturePart) -> float:
    """Mass [kg] of the part's capsule, both its caps included."""
    return DENSITY_KG_M3 * math.pi * part.radius_m**2 * (length_m(part) + 4.0 / 3.0 * part.radius_m)


def mass_of(part: CreaturePart) -> float:
    """Mass [kg] that a part has: what is said, or its capsule's."""
    return capsule_mass_kg(part) if part.mass_kg is None else part.mass_kg


def capsule_inertia(along: np.ndarray, radius: float, mass: float) -> np.ndarray:
    """Inertia (3, 3) [kg m^2] about its middle of a capsule of that radius [m] and mass [kg] about a line `along` (3,) [m]."""
    length = float(np.linalg.norm(along))
    axis = along / length if length > 1e-9 else np.array([0.0, 0.0, 1.0])
    tube, ball = math.pi * radius**2 * length, 4.0 / 3.0 * math.pi * radius**3
    tube, ball = mass * tube / (tube + ball), mass * ball / (tube + ball)
    about = 0.5 * tube * radius**2 + 0.4 * ball * radius**2
    across = (tube * (0.25 * radius**2 + length**2 / 12.0)
              + ball * (0.4 * radius**2 + 0.25 * length**2 + 0.375 * length * radius))
    return across * np.eye(3) + (about - across) * np.outer(axis, axis)


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

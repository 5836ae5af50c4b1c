# SPDX-License-Identifier: GPL-3.0-or-later
"""The soles of a creature's feet: how far they reach, and the four spheres with which each stands on the ground z = 0."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ...specs.creature import CreaturePart
from ..capsules import LEAST_RADIUS_M, SOLE_CLEARANCE_M
from ..segments import ContactPoint

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
    """The sole of a foot, a leg's last part."""
    joint, tip = np.array(foot.joint_m, dtype=float), np.array(foot.tip_m, dtype=float)
    ahead = (tip - joint)[:2]
    toe = float(np.linalg.norm(ahead))
    least = max(foot.radius_m, 1e-3)
    forward = ahead / toe if toe > 0.2 * least else np.array([1.0, 0.0])
    toe = max(toe, least)
    heel = foot.heel_m if foot.heel_m is not None else min(HEEL_OVER_HEIGHT * max(foot.joint_m[2], 0.0), MOST_HEEL * toe)
    width = foot.width_m if foot.width_m is not None else WIDTH_SHARE * (toe + heel)
    return Sole(joint[:2], forward, np.array([-forward[1], forward[0]]), toe, heel, 0.5 * width)


def point_radius_m(sole: Sole) -> float:
    """Radius [m] of a sole's contact spheres."""
    return min(POINT_SHARE * sole.length_m, 0.9 * sole.half_width_m)


def sole_points(foot: CreaturePart) -> list[ContactPoint]:
    """The four contact points of a foot: two at its heel, two at its toes, their lowest places on the ground."""
    sole, side = sole_of(foot), foot.side
    radius = point_radius_m(sole)
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

# SPDX-License-Identifier: GPL-3.0-or-later
"""Springs and dampings of a body's joints: those of the standard body, by weight times leg length (dynamic similarity)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ...bodies import makers as planar
from ...bodies.body import FREEDOM, Body
from ...specs.shot import EARTH_GRAVITY_M_S2


@dataclass(frozen=True)
class PoseGaitSettings:
    """Springs [N m/rad] of 75 kg on legs of 0.88 m under Earth's gravity; they go with weight times leg length. Dampings
    [N m s/rad] are `damping_s` times as much, and their time goes with the pendulum's. What names no source: measured on the
    standard body: stiffer ankles and hips take smaller pushes (docs/notes/pose-gait.md)."""

    trunk: float = 600.0  # Holds the pelvis upright, through the standing hip [N m/rad]
    hip: float = 300.0  # Draws the swinging thigh [N m/rad] (Yin 2007, section 7.3.2: up to 300)
    knee: float = 300.0  # Draws a knee [N m/rad] (Yin 2007, section 7.3.2: up to 300)
    ankle: float = 150.0  # Draws an ankle [N m/rad]
    spine: float = 600.0  # Holds the spine straight [N m/rad]
    arm: float = 60.0  # Draws an upper arm; forearm and hand in proportion [N m/rad] (first guess)
    damping_s: float = 0.1  # Damping of a joint over its spring [s] (Yin 2007, section 7.3.2)
    twist: float = 0.5  # Spring of a hip about the thigh's own axis, over the others
    ramp_s: float = 0.05  # Time in which targets come to a new state's [s]
    change_s: float = 0.4  # Time in which trunk, arms and speed asked for go over to another gait's [s] (first guess)
    strongest_hip: float = 400.0  # Largest moment of a hip, each axis [N m]
    strongest: float = 4.0  # Largest moment of another joint, over its spring [rad]
    # The balance feedback leaves the swinging thigh in front of this [rad] (the planar demonstration that the authors
    # published)
    hip_low: float = -0.4
    hip_high: float = 1.6  # and behind this [rad] (the planar demonstration that the authors published)
    hip_outward: float = 0.6  # and within this to the side [rad] (first guess)
    # States that last some time pass the quicker the faster the body is pushed: by this fraction per speed beyond `hurry_m_s`
    # [s/m]
    hurry: float = 1.0
    hurry_m_s: float = 0.4  # Beyond the speed asked for, so much is no push [m/s]
    touch_s: float = 0.02  # A touch-down counts so long after a state began [s]
    steering: float = 0.5  # Turn back towards the path per distance from it [rad/m] (first guess)


STANDARD_MASS_KG, STANDARD_LEG_M = 75.0, 0.8838
PLANAR = planar.MASS_KG, planar.LEG_M
PARTS = {"shank": ("knee", 1.0), "foot": ("ankle", 1.0), "toes": ("ankle", 0.1), "lower_spine": ("spine", 1.0),
         "chest": ("spine", 1.0), "neck": ("spine", 0.1), "head": ("spine", 0.067), "clavicle": ("arm", 1.67),
         "upper_arm": ("arm", 1.0), "forearm": ("arm", 0.5), "hand": ("arm", 0.133)}
"""Of which setting each segment's spring is, and its fraction of it (first guesses; they stood)."""
OTHERS = "arm", 0.133
SOFT = ("spine", "arm")
"""Settings of joints that a gait's firmness makes softer or firmer, with the trunk."""


@dataclass(frozen=True)
class Scale:
    """How a body under a gravity differs from the standard one of its kind on Earth: times, lengths and moments over its."""

    time: float
    length: float
    moment: float

    @classmethod
    def of(cls, body: Body, gravity_m_s2: float) -> Scale:
        """The scale of a body under a gravity: Froude's, and weight times length."""
        mass_kg, leg_m = PLANAR if body.kind == planar.KIND else (STANDARD_MASS_KG, STANDARD_LEG_M)
        length, gravity = body.leg_length_m / leg_m, gravity_m_s2 / EARTH_GRAVITY_M_S2
        return cls(math.sqrt(length / gravity), length, body.mass_kg / mass_kg * length * gravity)

    @property
    def speed(self) -> float:
        return self.length / self.time


class Strength:
    """Of every coordinate behind the root (nv - 6,): `spring` [N m/rad], `damping` [N m s/rad], `most` [N m]. `trunk` and `hip`
    are (spring, damping) pairs of what is drawn against the world; the hips' own rows are zero but for `most`. Trunk and upper
    body are `firmness` times as strong as the settings say."""

    def __init__(self, body: Body, scale: Scale, settings: PoseGaitSettings, firmness: float = 1.0) -> None:
        s, damped = settings, settings.damping_s * scale.time
        springs, most = [], []
        for segment in body.segments[1:]:
            size, stem = FREEDOM[segment.joint], segment.name.removesuffix("_L").removesuffix("_R")
            if stem == "thigh":
                spring, limit = 0.0, s.strongest_hip * scale.moment
            else:
                group, share = PARTS.get(stem, OTHERS)
                spring = float(getattr(s, group)) * share * scale.moment
                limit = s.strongest * spring
                spring *= firmness if group in SOFT else 1.0
            springs += size * [spring]
            most += size * [limit]
        self.spring, self.most = np.array(springs), np.array(most)
        self.damping = damped * self.spring
        self.trunk = firmness * s.trunk * scale.moment, firmness * damped * s.trunk * scale.moment
        hip = s.hip * scale.moment * np.array([1.0, 1.0, s.twist])
        self.hip = hip, damped * hip

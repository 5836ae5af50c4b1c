# SPDX-License-Identifier: GPL-3.0-or-later
"""Springs and dampings of a body's joints: those of the standard body, by weight times leg length (dynamic similarity).

What of the law by key poses may be changed: strength of the joints and how targets change, on Earth for the standard body.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ...bodies import makers as planar
from ...bodies.body import FREEDOM, Body
from ...specs.settings import FIRST_GUESS, Checked, setting
from ...specs.shot import EARTH_GRAVITY_M_S2

MEASURED = "measured on the standard body: stiffer ankles and hips take smaller pushes (docs/notes/pose-gait.md)"


@dataclass(frozen=True)
class PoseGaitSettings(Checked):
    """Springs [N m/rad] of 75 kg on legs of 0.88 m under Earth's gravity; they go with weight times leg length. Dampings
    [N m s/rad] are `damping_s` times as much, and their time goes with the pendulum's."""

    WHOSE, FIELD, SOURCE = "The key poses'", "setting of the key poses", MEASURED
    trunk: float = setting(600.0, 10.0, 5000.0, "N m/rad", "Holds the pelvis upright, through the standing hip")
    hip: float = setting(300.0, 10.0, 3000.0, "N m/rad", "Draws the swinging thigh", source="Yin 2007, section 7.3.2: up to 300")
    knee: float = setting(300.0, 10.0, 3000.0, "N m/rad", "Draws a knee", source="Yin 2007, section 7.3.2: up to 300")
    ankle: float = setting(150.0, 5.0, 3000.0, "N m/rad", "Draws an ankle")
    spine: float = setting(600.0, 10.0, 5000.0, "N m/rad", "Holds the spine straight")
    arm: float = setting(60.0, 1.0, 1000.0, "N m/rad", "Draws an upper arm; forearm and hand in proportion",
                         source=FIRST_GUESS)
    damping_s: float = setting(0.1, 0.01, 0.5, "s", "Damping of a joint over its spring", source="Yin 2007, section 7.3.2")
    twist: float = setting(0.5, 0.0, 1.0, help="Spring of a hip about the thigh's own axis, over the others")
    ramp_s: float = setting(0.05, 0.0, 0.5, "s", "Time in which targets come to a new state's")
    change_s: float = setting(0.4, 0.0, 5.0, "s", "Time in which trunk, arms and speed asked for go over to another gait's",
                              source=FIRST_GUESS, searched=False)
    strongest_hip: float = setting(400.0, 10.0, 5000.0, "N m", "Largest moment of a hip, each axis", searched=False)
    strongest: float = setting(4.0, 0.1, 20.0, "rad", "Largest moment of another joint, over its spring", searched=False)
    hip_low: float = setting(-0.4, -2.0, 0.0, "rad", "The balance feedback leaves the swinging thigh in front of this",
                             source="the planar demonstration that the authors published", searched=False)
    hip_high: float = setting(1.6, 0.0, 2.6, "rad", "and behind this", searched=False,
                              source="the planar demonstration that the authors published")
    hip_outward: float = setting(0.6, 0.0, 1.2, "rad", "and within this to the side", searched=False, source=FIRST_GUESS)
    hurry: float = setting(1.0, 0.0, 10.0, "s/m", "States that last some time pass the quicker the faster the body is pushed: by "
                           "this fraction per speed beyond `hurry_m_s`")
    hurry_m_s: float = setting(0.4, 0.0, 5.0, "m/s", "Beyond the speed asked for, so much is no push", searched=False)
    touch_s: float = setting(0.02, 0.0, 0.5, "s", "A touch-down counts so long after a state began", searched=False)
    steering: float = setting(0.5, 0.0, 5.0, "rad/m", "Turn back towards the path per distance from it", source=FIRST_GUESS)


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
        """Speeds over those of the standard body."""
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

# SPDX-License-Identifier: GPL-3.0-or-later
"""Weights, gains and torque limits of the tracking quadratic program."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np

from ...bodies.body import Body
from ...specs.shot import EARTH_GRAVITY_M_S2


@dataclass(frozen=True)
class TrackerSettings:
    """Weights per squared acceleration and gains of the desired accelerations (Kim 2017, eq. 11-15).

    The thesis prints no weights. Starting values from our own experiments (docs/notes/controller.md), then CMA-ES.
    """

    com_weight: float = 60.0
    height_weight: float = 40.0
    swing_weight: float = 8.0
    foot_turn_weight: float = 4.0
    pelvis_weight: float = 6.0
    chest_weight: float = 3.0
    spin_weight: float = 30.0
    """Of the rate of angular momentum about the centre of mass over body mass, on the ground before a flight."""
    leg_weight: float = 0.05
    arm_weight: float = 0.3
    spine_weight: float = 0.3
    contact_weight: float = 15.0
    torque_weight: float = 2e-6
    force_weight: float = 1e-5
    height_gain: float = 80.0
    swing_gain: float = 400.0
    stance_turn_gain: float = 300.0
    pelvis_gain: float = 250.0
    chest_gain: float = 200.0
    joint_gain: float = 200.0
    hover_gain: float = 2000.0
    """Brings a point down that should touch: a ball that hovers leaves the toes alone to push, and the plan's centre of
    pressure out of reach."""
    contact_damping: float = 40.0
    cone_damping: float = 40.0
    """Rate at which the velocity cone lets an approaching contact point stop [1/s]: the offset o_c of Kim 2017, eq. 10."""
    limit_horizon_s: float = 0.04
    """Time within which a hinge may not run over its limit."""
    limit_margin_deg: float = 2.0
    friction_share: float = 0.75
    """Share of the ground's friction the controller counts on."""

    def under(self, gravity_m_s2: float) -> TrackerSettings:
        """The same settings for another gravity: gains scale with g, damping with sqrt(g), as all rates of a similar motion."""
        ratio = gravity_m_s2 / EARTH_GRAVITY_M_S2
        gains = {f.name: getattr(self, f.name) * ratio for f in fields(self) if f.name.endswith("_gain")}
        gains["swing_gain"] = self.swing_gain * max(ratio, 0.5)
        dampings = {f.name: getattr(self, f.name) * ratio**0.5 for f in fields(self) if f.name.endswith("_damping")}
        return replace(self, **gains, **dampings)


BOUNCING = TrackerSettings(com_weight=300.0, height_weight=100.0, spin_weight=450.0, pelvis_weight=2.0,
                           chest_weight=0.6, hover_gain=8000.0,
                           leg_weight=0.02, limit_horizon_s=0.02)
"""The same for gaits with flight, which do everything in a third of a walk's time: what the body lacks at take-off no
contact can make up for, a sole must be flat at once, and the trunk gives way to the legs in the air
(docs/notes/bounce.md)."""


TORQUE_LIMIT_NM = {
    "lower_spine": 350.0, "chest": 300.0, "neck": 60.0, "head": 40.0, "clavicle": 150.0, "upper_arm": 120.0, "forearm": 90.0,
    "hand": 30.0, "thigh": 320.0, "shank": 320.0, "foot": 260.0, "toes": 60.0,
}
"""Largest joint torque of a 75 kg body a coordinate: isokinetic strength of young men (Anderson et al. 2007; Kumar 1996),
rounded up; scales with mass."""


def torque_limits(body: Body, gravity_m_s2: float = EARTH_GRAVITY_M_S2) -> np.ndarray:
    """(nv - 6,) [N m]: a strong person's; above Earth's gravity as much more as the body weighs more, since nobody could
    stand there otherwise. How far a take exceeds human limits is for its report to tell."""
    limits = []
    for name in body.joint_segments:
        kind = name.removesuffix("_L").removesuffix("_R")
        limits += [TORQUE_LIMIT_NM[kind]] * (3 if body.segment(name).joint == "ball" else 1)
    return np.array(limits) * (body.bare_mass_kg / 75.0) * max(1.0, gravity_m_s2 / EARTH_GRAVITY_M_S2)


def joint_weights(body: Body, settings: TrackerSettings) -> np.ndarray:
    """(nv,) weight of each coordinate's acceleration; zero for the free pelvis, which has objectives of its own."""
    weights = [0.0] * 6
    for name in body.joint_segments:
        leg = name.startswith(("thigh", "shank", "foot", "toes"))
        spine = name in ("lower_spine", "chest", "neck", "head")
        weight = settings.leg_weight if leg else settings.spine_weight if spine else settings.arm_weight
        weights += [weight] * (3 if body.segment(name).joint == "ball" else 1)
    return np.array(weights)

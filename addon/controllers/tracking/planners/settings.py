# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of the walking planner beyond foot placement."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class WalkSettings:
    """Rates marked "on Earth" scale with sqrt(g), so that the same settings walk similarly on every planet."""

    interval_s: float = 0.015
    """Time from plan step to plan step."""
    clearance_m: float = 0.012
    """Raise of the swing foot over the cycle's own path at mid swing."""
    foot_lift_m: float = 0.0
    """A style's further raise."""
    bounce: float = 1.0
    """Rise and fall of the planned COM over the cycle's, as a style asks."""
    early_landing: float = 0.6
    """Share of the swing after which a loaded foot counts as landed (Lee 2010: 0.7)."""
    turn_limit: float = 60.0
    """Largest angular acceleration of a foot that is fed forward [rad/s^2], over Earth's gravity: without it the heel rises
    late; unbounded, a jump of the plan at a landing would kick the stance foot off the ground."""
    lowering_m_s: float = 0.35
    """Speed at which a late foot is lowered, on Earth."""
    cart_share: float = 1.0
    """How far the steps follow the cart's own way back to the wanted velocity; 0 takes it up at once."""
    hurry_rate: float = 24.0
    """How fast the hurry may change [1/s], over the gait's frequency."""
    speed_share: float = 0.2
    """Share of the last stride's lack of speed that is added to the speed asked of the cart, at every strike."""
    speed_limit: float = 0.25
    """Largest such addition over the gait's speed."""
    lateral_gain: float = 0.25
    """Sideways velocity per distance from the path [1/s], on Earth."""
    lateral_share: float = 0.15
    """Share of that velocity that is kept at every strike: a body does not quite lean into a turn as the pendulum does."""
    lateral_limit: float = 0.15
    """Largest sideways velocity over the gait's speed, and as much again of what is kept."""
    height_raise: float = 0.012
    """Height of the planned COM above the cycle's, over leg length: captured walkers bend their knees more than the norm."""
    height_bend: float = 0.5
    """Largest vertical acceleration of the planned COM over gravity."""
    reach: float = 0.997
    """Largest distance of ankle from hip over the leg's length that the plan asks for."""
    drop_rate: float = 12.0
    rise_rate: float = 3.0
    """Rates at which the planned COM gives way to the legs' reach and comes back [1/s], on Earth."""
    active_height_m: float = 0.002
    """A contact point lower than this touches, and may push."""

# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of the bouncing planner."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class BounceSettings:
    """Rates marked "on Earth" scale with sqrt(g). Shares of the ground phase count from the first foot's touch-down."""

    clearance_m: float = 0.012
    """Raise of the swing foot over the cycle's own path at mid swing."""
    early_landing: float = 0.5
    """Share of the flight, or of the swing, after which a loaded foot counts as landed."""
    hold_from: float = 0.85
    """Share of the flight from which on the coming foothold stays where it is."""
    refit_until: float = 0.72
    """Share of the ground phase up to which the vertical plan is made anew from the measured state; after it there is too
    little time left to correct without great forces, and the plan is followed."""
    peak_share: float = 1.2
    """Greatest force that is planned, over the orbit's: a man's ankle gives little more."""
    touch_down_reach: float = 0.95
    """Distance of ankle from hip over the leg's length at touch-down, at most: a knee of some 35 degrees, softer than a
    runner's 25 (Novacheck 1998), whose heel pad and sole take what this foot cannot."""
    take_off_reach: float = 0.98
    """The same when the foot leaves the ground."""
    swing_reach: tuple[float, float] = (0.96, 1.01)
    """Largest distance of a swinging ankle from its hip over the leg's length: in the end, and when it has just left."""
    cop_begin: float = 0.5
    """Centre of pressure at touch-down, over the ball's distance from the ankle (Cavanagh and Lafortune 1980: mid foot)."""
    cop_middle: float = 1.0
    """The same in the middle of the foot's stance."""
    cop_end: float = 0.25
    """Where the foot leaves the ground: share of the way from ball to tip."""
    cop_forward_limit: float = 0.055
    cop_lateral_limit: float = 0.025
    """Largest shift of the centre of pressure within the foot, over the leg's length."""
    toe_share: float = 0.25
    """How far the centre of pressure may go from the ball towards the toes' tip: toes are weak."""
    edge_share: float = 0.7
    """Share of the feet's width in which it stays: on an edge a foot rolls over."""
    cop_gain: float = 1.0
    """Share of a predicted error of the take-off velocity that the centre of pressure corrects at once."""
    velocity_kept: float = 0.15
    """Share of an error of velocity that one bounce leaves over for the next one."""
    stray_limit: float = 0.30
    """Farthest that a foothold may stray from its place on the periodic orbit, over the leg's length."""
    lateral_share: float = 0.25
    """Share of the distance from the path that is made good in one bounce."""
    lateral_limit: float = 0.15
    """Largest sideways velocity that is asked for that, over the gait's speed."""
    speed_share: float = 0.2
    """Share of the last stride's lack of speed that is added to the speed asked for."""
    speed_limit: float = 0.2
    """Largest such addition over the gait's speed."""
    speed_change: float = 0.2
    """Most that the speed is changed by one bounce where it has to change, over sqrt(g l)."""
    least_froude: float = 0.5
    """Froude number of the slowest bounces on the way: people change to running near it."""
    lowering_m_s: float = 0.5
    """Speed at which a late foot is lowered, on Earth."""
    lag_rate: float = 20.0
    """Rate at which the pose catches up with a clock that an early landing has set forward [1/s], on Earth."""
    acceleration_limit: float = 250.0
    """Largest acceleration of the reference pose's joints that is fed forward [rad/s^2], on Earth."""
    active_height_m: float = 0.002
    """A contact point lower than this touches, and may push."""
    spin_rates: tuple[float, float] = (4.0, 20.0)
    """Rates at which angular momentum about the centre of mass is brought to nothing: early on the ground, and before
    take-off [1/s], on Earth."""

# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of the running planner."""

from __future__ import annotations

from dataclasses import dataclass

from ....specs.settings import FIRST_GUESS, Checked, setting


@dataclass(frozen=True)
class RunningSettings(Checked):
    """Rates marked "on Earth" scale with sqrt(g). Fractions of the ground phase count from the first foot's touch-down. What
    names no source is a first guess."""

    WHOSE, FIELD, SOURCE = "The run's", "running setting", FIRST_GUESS
    interval_s: float = 0.015  # Time from plan step to plan step [s]
    clearance_m: float = setting(0.012, 0.0, 0.3, "m", "Raise of the swing foot over the cycle's own path at mid swing")
    early_touch_down: float = 0.5  # Fraction of the flight, or of the swing, after which a loaded foot counts as landed
    hold_from: float = 0.85  # Fraction of the flight from which on the coming foothold stays where it is
    # Fraction of the ground phase up to which the vertical plan is made anew from the measured state; after it there is too
    # little time left to correct without great forces, and the plan is followed
    refit_until: float = 0.72
    peak_force_ratio: float = 1.2  # Greatest force that is planned, over the orbit's: a man's ankle gives little more
    # Distance of ankle from hip over the leg's length at touch-down, at most: a knee of some 35 degrees, softer than a runner's
    # 25, whose heel pad and sole take what this foot cannot (first guess (Novacheck 1998: 25 degrees))
    touch_down_reach: float = 0.95
    take_off_reach: float = 0.98  # The same when the foot leaves the ground
    # Largest distance of a swinging ankle from its hip over the leg's length: in the end, and when it has just left
    swing_reach: tuple[float, float] = (0.96, 1.01)
    # Centre of pressure at touch-down, over the ball's distance from the ankle (Cavanagh and Lafortune 1980: mid foot)
    cop_begin: float = 0.5
    cop_middle: float = 1.0  # The same in the middle of the foot's stance
    cop_end: float = 0.25  # Where the foot leaves the ground: fraction of the way from ball to tip
    # Largest shift of the centre of pressure forward or back within the foot, over the leg's length
    cop_forward_limit: float = 0.055
    cop_lateral_limit: float = 0.025  # The same to the sides
    toe_fraction: float = 0.25  # How far the centre of pressure may go from the ball towards the toes' tip: toes are weak
    edge_fraction: float = 0.7  # Fraction of the feet's width in which it stays: on an edge a foot rolls over
    cop_gain: float = setting(1.0, 0.0, 10.0, help="Fraction of a predicted error of the take-off velocity that the centre of "
                              "pressure corrects at once")
    velocity_kept: float = 0.15  # Fraction of an error of velocity that one ground phase leaves over for the next one
    deviation_limit: float = 0.30  # Largest deviation of a foothold from its place on the periodic orbit, over the leg's length
    lateral_fraction: float = 0.25  # Fraction of the cross-track error that is made good in one running step
    lateral_limit: float = 0.15  # Largest sideways velocity that is asked for that, over the gait's speed
    speed_fraction: float = 0.2  # Fraction of the last stride's lack of speed that is added to the speed asked for
    speed_limit: float = 0.2  # Largest such addition over the gait's speed
    speed_change: float = 0.2  # Most that the speed is changed by one running step where it has to change, over sqrt(g l)
    least_froude: float = 0.5  # Froude number of the slowest running steps on the way: people change to running near it
    lowering_m_s: float = 0.5  # Speed at which a late foot is lowered, on Earth [m/s]
    lag_rate: float = 20.0  # Rate at which the pose catches up with a clock that an early landing has set forward, on Earth [1/s]
    # Largest acceleration of the reference pose's joints that is fed forward, on Earth [rad/s^2]
    acceleration_limit: float = 250.0
    active_height_m: float = 0.002  # A contact point lower than this touches, and may push [m]
    # Rates at which centroidal angular momentum is brought to what the coming flight needs: early on the ground, and before
    # take-off, on Earth [1/s]
    angular_momentum_rates: tuple[float, float] = (4.0, 20.0)

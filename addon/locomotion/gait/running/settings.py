# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of the running planner."""

from __future__ import annotations

from dataclasses import dataclass

from ....specs.settings import FIRST_GUESS, Checked, setting


@dataclass(frozen=True)
class RunningSettings(Checked):
    """Rates marked "on Earth" scale with sqrt(g). Fractions of the ground phase count from the first foot's touch-down."""

    WHOSE, FIELD, SOURCE = "The run's", "running setting", FIRST_GUESS
    interval_s: float = setting(0.015, 0.001, 0.1, "s", "Time from plan step to plan step", searched=False)
    clearance_m: float = setting(0.012, 0.0, 0.3, "m", "Raise of the swing foot over the cycle's own path at mid swing")
    early_touch_down: float = setting(0.5, 0.0, 0.9, help="Fraction of the flight, or of the swing, after which a loaded foot "
                                      "counts as landed", formerly=("early_landing",))
    hold_from: float = setting(0.85, 0.0, 0.95, help="Fraction of the flight from which on the coming foothold stays where it is")
    refit_until: float = setting(0.72, 0.0, 0.9, help="Fraction of the ground phase up to which the vertical plan is made anew "
                                 "from the measured state; after it there is too little time left to correct without great "
                                 "forces, and the plan is followed")
    peak_force_ratio: float = setting(1.2, 0.1, 10.0, help="Greatest force that is planned, over the orbit's: a man's ankle "
                                      "gives little more", formerly=("peak_share",))
    touch_down_reach: float = setting(
        0.95, 0.5, 1.0, help="Distance of ankle from hip over the leg's length at touch-down, at most: a knee of some 35 "
        "degrees, softer than a runner's 25, whose heel pad and sole take what this foot cannot",
        source="first guess (Novacheck 1998: 25 degrees)", searched=False)
    take_off_reach: float = setting(0.98, 0.5, 1.0, help="The same when the foot leaves the ground", searched=False)
    swing_reach: tuple[float, float] = setting((0.96, 1.01), 0.5, 1.1, help="Largest distance of a swinging ankle from its hip "
                                               "over the leg's length: in the end, and when it has just left")
    cop_begin: float = setting(0.5, -1.0, 2.0, help="Centre of pressure at touch-down, over the ball's distance from the ankle",
                               source="Cavanagh and Lafortune 1980: mid foot")
    cop_middle: float = setting(1.0, -1.0, 3.0, help="The same in the middle of the foot's stance")
    cop_end: float = setting(0.25, 0.0, 1.0, help="Where the foot leaves the ground: fraction of the way from ball to tip")
    cop_forward_limit: float = setting(0.055, 0.0, 0.5, help="Largest shift of the centre of pressure forward or back within the "
                                       "foot, over the leg's length")
    cop_lateral_limit: float = setting(0.025, 0.0, 0.5, help="The same to the sides")
    toe_fraction: float = setting(0.25, 0.0, 1.0, help="How far the centre of pressure may go from the ball towards the toes' "
                                  "tip: toes are weak", formerly=("toe_share",))
    edge_fraction: float = setting(0.7, 0.0, 2.5, help="Fraction of the feet's width in which it stays: on an edge a foot rolls "
                                   "over", formerly=("edge_share",))
    cop_gain: float = setting(1.0, 0.0, 10.0, help="Fraction of a predicted error of the take-off velocity that the centre of "
                              "pressure corrects at once")
    velocity_kept: float = setting(0.15, 0.0, 0.6, help="Fraction of an error of velocity that one ground phase leaves over for "
                                   "the next one")
    deviation_limit: float = setting(0.30, 0.0, 2.0, help="Largest deviation of a foothold from its place on the periodic orbit, "
                                     "over the leg's length", formerly=("stray_limit",))
    lateral_fraction: float = setting(0.25, 0.0, 0.5, help="Fraction of the cross-track error that is made good in one running "
                                      "step", formerly=("lateral_share",))
    lateral_limit: float = setting(0.15, 0.0, 1.0, help="Largest sideways velocity that is asked for that, over the gait's "
                                   "speed")
    speed_fraction: float = setting(0.2, 0.0, 0.5, help="Fraction of the last stride's lack of speed that is added to the speed "
                                    "asked for", formerly=("speed_share",))
    speed_limit: float = setting(0.2, 0.0, 1.0, help="Largest such addition over the gait's speed")
    speed_change: float = setting(0.2, 0.01, 1.0, help="Most that the speed is changed by one running step where it has to "
                                  "change, over sqrt(g l)")
    least_froude: float = setting(0.5, 0.01, 2.0, help="Froude number of the slowest running steps on the way: people change to "
                                  "running near it")
    lowering_m_s: float = setting(0.5, 0.0, 5.0, "m/s", "Speed at which a late foot is lowered, on Earth")
    lag_rate: float = setting(20.0, 0.0, 1e3, "1/s", "Rate at which the pose catches up with a clock that an early landing has "
                              "set forward, on Earth")
    acceleration_limit: float = setting(250.0, 0.0, 1e5, "rad/s^2", "Largest acceleration of the reference pose's joints that is "
                                        "fed forward, on Earth", searched=False)
    active_height_m: float = setting(0.002, 0.0, 0.1, "m", "A contact point lower than this touches, and may push",
                                     searched=False)
    angular_momentum_rates: tuple[float, float] = setting(
        (4.0, 20.0), 0.0, 1e3, "1/s", "Rates at which centroidal angular momentum is brought to what the coming flight needs: "
        "early on the ground, and before take-off, on Earth", formerly=("spin_rates",))

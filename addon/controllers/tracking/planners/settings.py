# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of the walking planner beyond foot placement."""

from __future__ import annotations

from dataclasses import dataclass

from ....specs.settings import FIRST_GUESS, Checked, setting


@dataclass(frozen=True)
class WalkSettings(Checked):
    """Rates marked "on Earth" scale with sqrt(g), so that the same settings walk similarly on every planet."""

    WHOSE, FIELD, SOURCE = "The walk's", "walk setting", FIRST_GUESS
    interval_s: float = setting(0.015, 0.001, 0.1, "s", "Time from plan step to plan step", searched=False)
    clearance_m: float = setting(0.012, 0.0, 0.3, "m", "Raise of the swing foot over the cycle's own path at mid swing")
    foot_lift_m: float = setting(0.0, 0.0, 0.3, "m", "A style's further raise")
    height_amplitude: float = setting(1.0, 0.0, 5.0, help="Rise and fall of the planned COM over the cycle's, as a style asks",
                                      formerly=("bounce",))
    crouch_m: float = setting(0.0, 0.0, 0.3, "m", "How much lower a style lets the COM go")
    heel_strike: float = setting(1.0, 0.0, 2.0, help="Toes' rise at landing over the cycle's, as a style asks")
    early_touch_down: float = setting(0.6, 0.0, 0.9, help="Fraction of the swing after which a loaded foot counts as landed",
                                      source="first guess (Lee 2010: 0.7)", formerly=("early_landing",))
    angular_acceleration_limit: float = setting(
        60.0, 0.0, 1e4, "rad/s^2", "Largest angular acceleration of a foot that is fed forward, over Earth's gravity: without it "
        "the heel rises late; unbounded, a jump of the plan at a touch-down would kick the stance foot off the ground",
        formerly=("turn_limit",))
    lowering_m_s: float = setting(0.35, 0.0, 5.0, "m/s", "Speed at which a late foot is lowered, on Earth")
    cart_fraction: float = setting(1.0, 0.0, 1.0, help="How far the steps follow the cart's own way back to the wanted velocity; "
                                   "0 takes it up at once", formerly=("cart_share",))
    timing_rate: float = setting(24.0, 0.0, 1e3, "1/s", "How fast the factor on the phase rate may change, over the gait's "
                                 "frequency", formerly=("hurry_rate",))
    speed_fraction: float = setting(0.2, 0.0, 0.5, help="Fraction of the last stride's lack of speed that is added to the speed "
                                    "asked of the cart, at every touch-down", formerly=("speed_share",))
    speed_limit: float = setting(0.25, 0.0, 1.0, help="Largest such addition over the gait's speed")
    lateral_gain: float = setting(0.25, 0.0, 10.0, "1/s", "Sideways velocity per cross-track error, on Earth")
    lateral_fraction: float = setting(0.15, 0.0, 0.5, help="Fraction of that velocity that is kept at every touch-down: a body "
                                      "does not quite lean into a turn as the pendulum does", formerly=("lateral_share",))
    lateral_limit: float = setting(0.15, 0.0, 1.0, help="Largest sideways velocity over the gait's speed, and as much again of "
                                   "what is kept")
    height_raise: float = setting(0.012, -0.2, 0.2, help="Height of the planned COM above the cycle's, over leg length: captured "
                                  "walkers bend their knees more than the norm")
    height_acceleration: float = setting(0.5, 0.01, 1.0, help="Largest vertical acceleration of the planned COM over gravity",
                                         searched=False, formerly=("height_bend",))
    reach: float = setting(0.997, 0.5, 1.0, help="Largest distance of ankle from hip over the leg's length that the plan asks "
                           "for", searched=False)
    height_reduction_rate: float = setting(12.0, 0.0, 1e3, "1/s", "Rate at which the planned COM gives way to the legs' reach, "
                                           "on Earth", formerly=("drop_rate",))
    rise_rate: float = setting(3.0, 0.0, 1e3, "1/s", "Rate at which it comes back, on Earth")
    active_height_m: float = setting(0.002, 0.0, 0.1, "m", "A contact point lower than this touches, and may push",
                                     searched=False)

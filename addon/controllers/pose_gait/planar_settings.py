# SPDX-License-Identifier: GPL-3.0-or-later
"""What of the law in the plane may be changed: strength of the joints, on Earth for the thesis's planar body."""

from __future__ import annotations

from dataclasses import dataclass

from ...specs.settings import Checked, setting

PRINTED = "Yin 2007, section 7.3.1: 300 N m/rad, 30 N m s/rad, 1000 N m"
DEMONSTRATION = "the planar demonstration that the authors published"


@dataclass(frozen=True)
class PlanarSettings(Checked):
    """Springs [N m/rad] of 90 kg on legs of 0.9 m under Earth's gravity; they go with weight times leg length. Dampings
    [N m s/rad] are `damping_s` times as much, and their time goes with the pendulum's."""

    WHOSE, FIELD, SOURCE = "The planar body's", "setting of the planar body", PRINTED
    trunk: float = setting(300.0, 10.0, 5000.0, "N m/rad", "Holds the trunk upright, through the standing hip")
    hip: float = setting(300.0, 10.0, 3000.0, "N m/rad", "Draws the swinging thigh")
    knee: float = setting(300.0, 10.0, 3000.0, "N m/rad", "Draws a knee")
    ankle: float = setting(300.0, 5.0, 3000.0, "N m/rad", "Draws an ankle")
    damping_s: float = setting(0.1, 0.01, 0.5, "s", "Damping of a joint over its spring")
    strongest: float = setting(1000.0, 10.0, 5000.0, "N m", "Largest moment of a joint", searched=False)
    ramp_s: float = setting(0.0, 0.0, 0.5, "s", "Time in which targets come to a new state's")
    change_s: float = setting(0.0, 0.0, 5.0, "s", "Time in which the speed asked for goes over to another gait's", searched=False)
    touch_s: float = setting(0.02, 0.0, 0.5, "s", "A touch-down counts so long after a state began", searched=False,
                             source="a prototype; at once gives the same gaits")
    hip_low: float = setting(-0.4, -2.0, 0.0, "rad", "The balance feedback leaves the swinging thigh in front of this",
                             source=DEMONSTRATION, searched=False)
    hip_high: float = setting(1.6, 0.0, 2.6, "rad", "and behind this", source=DEMONSTRATION, searched=False)
    steering = 0.0
    """There is no way back to a path that nobody can leave."""

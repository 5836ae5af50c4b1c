# SPDX-License-Identifier: GPL-3.0-or-later
"""What of the law by key poses may be changed: strength of the joints and how targets change, on Earth for the standard body."""

from __future__ import annotations

from dataclasses import dataclass

from ...specs.settings import FIRST_GUESS, Checked, setting

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

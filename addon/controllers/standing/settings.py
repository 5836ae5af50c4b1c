# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of standing. Times are Earth's and go with sqrt(1 / g); lengths are over the leg's where it is said."""

from __future__ import annotations

from dataclasses import dataclass

from ...specs.settings import FIRST_GUESS, Checked, setting
from ..tracking.weights import TrackerSettings

MEASURED = "measured over pushes from eight sides (docs/notes/standing.md)"


@dataclass(frozen=True)
class StandingSettings(Checked):
    """When and where to step, and how a foot goes there."""

    WHOSE, FIELD, SOURCE = "Standing's", "setting of standing", MEASURED
    interval_s: float = setting(0.01, 0.001, 0.1, "s", "Time from plan step to plan step", searched=False)
    pressure_gain: float = setting(0.6, 0.0, 10.0, help="The centre of pressure goes so much farther than the capture point")
    outside_m: float = setting(0.02, -0.1, 0.2, "m", "A step is taken when the capture point is so far outside the soles")
    between_s: float = setting(0.04, 0.0, 1.0, "s", "Least time from a landing to the next lift", searched=False)
    swing_s: float = setting(0.26, 0.1, 2.0, "s", "Least duration of a step")
    set_down_s: float = setting(0.4, 0.1, 2.0, "s", "Duration of a step that sets a foot beside the other")
    beyond_m: float = setting(0.02, -0.2, 0.5, "m", "A foot lands so far beyond the capture point")
    outward_m: float = setting(0.03, -0.2, 0.5, "m", "and so far to its own side of it: the other foot comes next",
                               source=FIRST_GUESS)
    replanned: float = setting(0.85, 0.0, 1.0, help="Fraction of a swing until which its landing follows the capture point")
    clearance_m: float = setting(0.05, 0.005, 0.3, "m", "Height of a swing's middle over the ground")
    bow: float = setting(0.25, 0.0, 0.6, help="A swinging foot goes round the standing one so far off, over the leg's length",
                         source=FIRST_GUESS)
    lower_m_s: float = setting(0.35, 0.0, 5.0, "m/s", "Speed at which a late foot is lowered")
    longest: float = setting(1.2, 0.1, 1.5, help="Largest distance of the feet, over the leg's length")
    drop: float = setting(0.2, 0.0, 0.5, help="How far the hips may sink for a step, over the leg's length")
    beside: float = setting(0.136, 0.0, 0.5, help="Least distance of a foot to the side of the other, over the leg's length")
    past: float = setting(0.158, 0.0, 0.5, help="or else ahead of it or behind it")
    rise_rate: float = setting(3.0, 0.0, 100.0, "1/s", "Rate at which the hips come up again")
    active_height_m: float = setting(0.01, 0.0, 0.1, "m", "A contact point lower than this may push", searched=False)
    straight: float = setting(0.995, 0.8, 1.0, help="Length of the standing legs over that of straight ones")


BALANCE = TrackerSettings(com_weight=600.0, height_weight=100.0, swing_weight=25.0)
"""Weights of who is pushed: balance first, then where a foot goes, then an upright trunk. With a walk's the trunk was held
upright and the leg swung at the cost of the centre of pressure, 35 cm behind where it was planned (docs/notes/standing.md)."""

# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of following a clip. What is marked "on Earth" goes with sqrt(g); lengths over the leg's are so marked.

Every number of the follower that may be changed.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

from ...specs.settings import FIRST_GUESS, Checked, setting
from ...specs.shot import Shot
from ..qp.muscle_program import EffortSettings
from ..settings import own_groups
from ..tracking.weights import RUNNING, TrackerSettings

MEASURED = "measured over clips and gravities (docs/notes/follow.md)"


@dataclass(frozen=True)
class PlanSettings(Checked):
    """The centre of mass that goes with a clip's own steps."""

    WHOSE, FIELD, SOURCE = "The clip plan's", "setting of the clip plan", MEASURED
    com_weight: float = setting(0.05, 0.0, 100.0, help="Weight of the clip's own centre of mass; that of the centre of pressure "
                                "under one foot is 1")
    double_weight: float = setting(0.3, 0.0, 10.0, help="Weight of the centre of pressure under two feet")
    smooth_weight: float = setting(1e-7, 1e-12, 1.0, help="Weight of its acceleration")
    ramp_s: float = setting(0.22, 0.02, 1.0, "s", "Time in which weight comes onto a foot and leaves it, in the clip's time")
    settled_s: float = setting(0.25, 0.05, 2.0, "s", "So long after a landing and before a lift the weight lies where the "
                               "clip has it between two standing feet")
    cop_heel: float = setting(-0.02, -0.5, 0.5, help="Centre of pressure under the foot when it lands, ahead of the ankle, over "
                              "the leg's length", source="first guess (Winter 1991: heel to ball)")
    cop_ball: float = setting(1.0, 0.0, 2.0, help="Where it is at the foot's lift, over the ball's distance from the ankle")
    cop_inward: float = setting(0.012, -0.2, 0.2, help="Towards the other foot, over the leg's length")
    passing_m_s: float = setting(0.5, 0.05, 5.0, "m/s", "Speed over a foot from which on all of that way is used",
                                 source=FIRST_GUESS)
    pivot_m: float = setting(0.06, 0.0, 0.3, "m", "Largest distance of the centroidal moment pivot from the centre of pressure")
    height_acceleration: float = setting(0.5, 0.01, 0.95, help="Largest vertical acceleration of the centre of mass over "
                                         "gravity while a foot stands", searched=False)


@dataclass(frozen=True)
class FollowSettings(Checked):
    """Balance, footsteps and feet on the way."""

    WHOSE, FIELD, SOURCE = "The follower's", "setting of the follower", MEASURED
    interval_s: float = setting(0.015, 0.001, 0.1, "s", "Time from plan step to plan step", searched=False)
    cop_gain: float = setting(1.3, 0.0, 10.0, help="Shift of the centre of pressure per error of the capture point",
                              source="1 + k / omega in Englsberger 2015, eq. 26; k a first guess")
    cop_forward_limit: float = setting(0.1, 0.0, 0.5, help="Largest such shift along the standing foot, over the leg's length")
    cop_lateral_limit: float = setting(0.05, 0.0, 0.5, help="Largest such shift across it")
    cop_double_limit: float = setting(0.17, 0.0, 1.0, help="Largest such shift between two standing feet")
    place_gain: float = setting(1.0, 0.0, 3.0, help="Shift of the next footprint per error of the capture point at its landing")
    homing: float = setting(0.25, 0.0, 1.0, help="Share of the distance from the clip's own place made good in a step")
    step_s: float = setting(0.55, 0.1, 2.0, "s", "Time from step to step that goes with it, in the clip's time", searched=False)
    reach_forward: float = setting(0.97, 0.05, 1.1, help="Farthest that a foot lands ahead of the other, over the leg's length")
    reach_backward: float = setting(0.7, 0.0, 1.5, help="Farthest that it lands behind it")
    reach_outward: float = setting(0.74, 0.05, 0.85, help="Farthest that it lands to its side")
    reach_inward: float = setting(0.06, 0.0, 0.5, help="Least distance to its side where it lands beside the other foot")
    reach_crossing: float = setting(-0.42, -1.0, 0.5, help="The same where it lands well ahead or behind: legs may cross there")
    crossing_forward: float = setting(0.22, 0.01, 1.0, help="Distance ahead or behind from which on they may", searched=False)
    early_touch_down: float = setting(0.6, 0.0, 0.95, help="Fraction of the swing after which a loaded foot may count as "
                                      "landed",
                                      source="Lee 2010: 0.7")
    early_m: float = setting(0.06, 0.0, 0.5, "m", "So near to its target it counts as landed; farther off it only scuffed")
    clearance_m: float = setting(0.015, 0.0, 0.3, "m", "Raise of the swinging foot over the clip's own path at mid swing")
    sole_m: float = setting(0.012, 0.0, 0.1, "m", "Least height of the sole in the middle of a swing",
                            source="Winter 1992: toe clearance 1.3 cm")
    departure: float = setting(0.45, 0.05, 1.0, help="Fraction of the swing by which the velocity the foot left the ground with "
                               "has become the path's")
    lowering_m_s: float = setting(0.35, 0.0, 5.0, "m/s", "Speed at which a late foot is lowered, on Earth")
    catch_up: float = setting(0.06, 0.0, 0.5, help="By how much faster the clip goes on after it had to wait, and slower after "
                              "it hurried", source=FIRST_GUESS)
    miss_scale: float = setting(0.1, 0.001, 10.0, help="Distance of a landing from where it should be, over the leg's length, "
                                "that costs as much as a clip hurried by the timing scale")
    timing_scale: float = setting(0.5, 0.001, 10.0, help="Logarithm of the factor by which the clip hurries to a landing that "
                                  "costs 1")
    stray_scale: float = setting(0.6, 0.001, 10.0, help="The same for a landing's distance from its print, over the leg's length")
    pace_rate: float = setting(24.0, 0.0, 1e3, "1/s", "How fast the pace may rise, on Earth", source=FIRST_GUESS)
    calming_rate: float = setting(3.0, 0.0, 1e3, "1/s", "How fast it may fall, on Earth: just before a landing nothing is gained "
                                  "by hurrying, but a foot that came down more slowly would be late", source=FIRST_GUESS)
    shortest_swing_s: float = setting(0.24, 0.01, 2.0, "s", "Least duration of a swing that is hurried, on Earth")
    swing_exponent: float = setting(0.3, 0.0, 1.0, help="Its growth with 1/g", source="as in the walk", searched=False)
    angular_acceleration_limit: float = setting(60.0, 0.0, 1e4, "rad/s^2", "Largest angular acceleration of a foot that is "
                                                "fed forward, over Earth's gravity")
    angular_momentum_rate: float = setting(50.0, 0.1, 1e3, "1/s", "Rate at which angular momentum is brought to what is planned "
                                           "before a flight, on Earth")
    take_off_ramp_s: float = setting(0.12, 0.01, 1.0, "s", "Time before a take-off in which it goes from the clip's own to what "
                                     "the coming flight needs, on Earth")
    active_height_m: float = setting(0.002, 0.0, 0.1, "m", "A contact point lower than this touches, and may push",
                                     searched=False)
    reach: float = setting(0.997, 0.5, 1.0, help="Largest distance of ankle from hip over the leg's length", searched=False)
    height_reduction_rate: float = setting(12.0, 0.0, 1e3, "1/s", "Rate at which the planned height gives way to the legs' "
                                           "reach, on Earth")
    rise_rate: float = setting(3.0, 0.0, 1e3, "1/s", "Rate at which it comes back, on Earth")


FLYING = FollowSettings(cop_forward_limit=0.07, cop_lateral_limit=0.035, place_gain=1.15, homing=0.15, reach_crossing=-0.3)
"""The same for clips with flights, whose landings no pressure under a foot goes before (docs/notes/follow.md)."""


@dataclass(frozen=True)
class FollowControls:
    """The groups of settings; the defaults are the shipped ones. A clip with flights has settings of its own: what the body
    lacks at take-off no contact can make up for, and it flies longer than in any gait. A clip's steps leave its balance less room
    than a gait's do, so muscles' effort weighs less (docs/notes/muscle-qp.md)."""

    clip_plan: PlanSettings = PlanSettings()
    follower: FollowSettings = FollowSettings()
    flying_follower: FollowSettings = FLYING
    tracker: TrackerSettings = TrackerSettings()
    flying_tracker: TrackerSettings = replace(RUNNING, angular_momentum_weight=20000.0)
    effort: EffortSettings = EffortSettings(activation_weight=3.0)

    def groups(self) -> dict[str, Any]:
        """The groups of settings by name."""
        return {f.name: getattr(self, f.name) for f in fields(self)}


def shot_controls(shot: Shot) -> FollowControls:
    """The shipped settings, with those of the shot where it brings some. Raises InputError for unknown ones."""
    return replace(FollowControls(), **own_groups(FollowControls().groups(), shot.gains))

# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of following a clip. What is marked "on Earth" goes with sqrt(g); lengths over the leg's are so marked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from ...specs.settings import Checked, setting
from ...specs.shot import Shot
from ..qp.muscle_program import EffortSettings
from ..settings import own_groups
from ..tracking.weights import RUNNING, TrackerSettings

MEASURED = "measured over clips and gravities (docs/notes/follow.md)"


@dataclass(frozen=True)
class PlanSettings:
    """The centre of mass that goes with a clip's own steps. What names no source: measured over clips and gravities
    (docs/notes/follow.md)."""

    com_weight: float = 0.05  # Weight of the clip's own centre of mass; that of the centre of pressure under one foot is 1
    double_weight: float = 0.3  # Weight of the centre of pressure under two feet
    smooth_weight: float = 1e-7  # Weight of its acceleration
    ramp_s: float = 0.22  # Time in which weight comes onto a foot and leaves it, in the clip's time [s]
    # How much later it does than would be planned by the steps alone: soles give, and the pressure comes after the force that is
    # asked for; what the plan does not know of it comes back as feet that land too far inward
    lag_s: float = 0.035
    sways: bool = True  # Whether the pressure lies as far out under the soles as the clip's own sway asks for
    # So long after a landing and before a lift the weight lies where the clip has it between two standing feet [s]
    settled_s: float = 0.25
    # Centre of pressure under the foot when it lands, ahead of the ankle, over the leg's length (first guess (Winter 1991: heel
    # to ball))
    cop_heel: float = -0.02
    cop_ball: float = 1.0  # Where it is at the foot's lift, over the ball's distance from the ankle
    cop_inward: float = 0.012  # Towards the other foot, over the leg's length
    passing_m_s: float = 0.5  # Speed over a foot from which on all of that way is used [m/s] (first guess)
    pivot_m: float = 0.06  # Largest distance of the centroidal moment pivot from the centre of pressure [m]
    height_acceleration: float = 0.5  # Largest vertical acceleration of the centre of mass over gravity while a foot stands


@dataclass(frozen=True)
class FollowSettings(Checked):
    """Balance, footsteps and feet on the way. What names no source: measured over clips and gravities (docs/notes/follow.md)."""

    WHOSE, FIELD, SOURCE = "The follower's", "setting of the follower", MEASURED
    interval_s: float = 0.015  # Time from plan step to plan step [s]
    cop_gain: float = setting(1.3, 0.0, 10.0, help="Shift of the centre of pressure per error of the capture point",
                              source="1 + k / omega in Englsberger 2015, eq. 26; k a first guess")
    cop_forward_limit: float = 0.1  # Largest such shift along the standing foot, over the leg's length
    cop_lateral_limit: float = 0.05  # Largest such shift across it
    cop_double_limit: float = 0.17  # Largest such shift between two standing feet
    place_gain: float = 1.0  # Shift of the next footprint per error of the capture point at its landing
    homing: float = 0.25  # Share of the distance from the clip's own place made good in a step
    step_s: float = 0.55  # Time from step to step that goes with it, in the clip's time [s]
    reach_forward: float = 0.97  # Farthest that a foot lands ahead of the other, over the leg's length
    reach_backward: float = 0.7  # Farthest that it lands behind it
    reach_outward: float = 0.74  # Farthest that it lands to its side
    reach_inward: float = 0.06  # Least distance to its side where it lands beside the other foot
    reach_crossing: float = -0.42  # The same where it lands well ahead or behind: legs may cross there
    crossing_forward: float = 0.22  # Distance ahead or behind from which on they may
    early_touch_down: float = 0.6  # Fraction of the swing after which a loaded foot may count as landed (Lee 2010: 0.7)
    early_m: float = 0.06  # So near to its target it counts as landed; farther off it only scuffed [m]
    clearance_m: float = setting(0.015, 0.0, 0.3, "m", "Raise of the swinging foot over the clip's own path at mid swing")
    sole_m: float = 0.012  # Least height of the sole in the middle of a swing [m] (Winter 1992: toe clearance 1.3 cm)
    departure: float = 0.45  # Fraction of the swing by which the velocity the foot left the ground with has become the path's
    lowering_m_s: float = 0.35  # Speed at which a late foot is lowered, on Earth [m/s]
    catch_up: float = 0.06  # By how much faster the clip goes on after it had to wait, and slower after it hurried (first guess)
    # Distance of a landing from where it should be, over the leg's length, that costs as much as a clip hurried by the timing
    # scale
    miss_scale: float = 0.1
    timing_scale: float = 0.5  # Logarithm of the factor by which the clip hurries to a landing that costs 1
    stray_scale: float = 0.6  # The same for a landing's distance from its print, over the leg's length
    pace_rate: float = 24.0  # How fast the pace may rise, on Earth [1/s] (first guess)
    # How fast it may fall, on Earth: just before a landing nothing is gained by hurrying, but a foot that came down more slowly
    # would be late [1/s] (first guess)
    calming_rate: float = 3.0
    shortest_swing_s: float = 0.24  # Least duration of a swing that is hurried, on Earth [s]
    swing_exponent: float = 0.3  # Its growth with 1/g (as in the walk)
    # Largest angular acceleration of a foot that is fed forward, over Earth's gravity [rad/s^2]
    angular_acceleration_limit: float = 60.0
    # Rate at which angular momentum is brought to what is planned before a flight, on Earth [1/s]
    angular_momentum_rate: float = 50.0
    # Time before a take-off in which it goes from the clip's own to what the coming flight needs, on Earth [s]
    take_off_ramp_s: float = 0.12
    active_height_m: float = 0.002  # A contact point lower than this touches, and may push [m]
    reach: float = 0.997  # Largest distance of ankle from hip over the leg's length
    height_reduction_rate: float = 12.0  # Rate at which the planned height gives way to the legs' reach, on Earth [1/s]
    rise_rate: float = 3.0  # Rate at which it comes back, on Earth [1/s]


FLYING = FollowSettings(cop_forward_limit=0.07, cop_lateral_limit=0.035, place_gain=1.15, homing=0.15, reach_crossing=-0.3)
"""The same for clips with flights, whose landings no pressure under a foot goes before (docs/notes/follow.md)."""


FOLLOWING = TrackerSettings(hover_gain=8000.0)
"""Weights and gains on the ground: a foot that lands on its inner edge must be flat soon, or nothing holds the sway."""


@dataclass(frozen=True)
class FollowControls:
    """Weights, gains and limits; the defaults are the shipped ones. A clip with flights has settings of its own: what the body
    lacks at take-off no contact can make up for, and it flies longer than in any gait. A clip's steps leave its balance less room
    than a gait's do, so muscles' effort weighs less (docs/notes/muscle-qp.md)."""

    clip_plan: PlanSettings = PlanSettings()
    follower: FollowSettings = FollowSettings()
    flying_follower: FollowSettings = FLYING
    tracker: TrackerSettings = FOLLOWING
    # Angular momentum firmer, as spins stray; balance before the pose: where one slowed down for a turn the pose's own joints
    # braked it twice as hard as was asked for
    flying_tracker: TrackerSettings = replace(RUNNING, com_weight=900.0, angular_momentum_weight=20000.0, arm_weight=0.1)
    effort: EffortSettings = EffortSettings(activation_weight=3.0)

    def groups(self) -> dict[str, Any]:
        return {"follower": self.follower, "flying_follower": self.flying_follower}


def shot_controls(shot: Shot) -> FollowControls:
    """The shipped settings, with those of the shot where it brings some. Raises InputError for unknown ones."""
    found = replace(FollowControls(), **own_groups(FollowControls().groups(), shot.gains))
    if not shot.catches:
        return found
    # who is to catch himself is judged by margins that were set without sway
    return replace(found, clip_plan=replace(found.clip_plan, lag_s=0.0, sways=False))

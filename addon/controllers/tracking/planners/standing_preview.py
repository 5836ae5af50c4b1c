# SPDX-License-Identifier: GPL-3.0-or-later
"""The steps of a walk that starts from standing, stops to it, or both: how long each is, and when it lands."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from ....bodies.body import Body
from ....gaits.froude import GaitVariables
from ....specs.shot import EARTH_GRAVITY_M_S2
from .course import Course
from .end_settings import EndSettings, StandingShot
from .end_times import lift_s, shift_at_s
from .foot_path import FootGeometry
from .footsteps import heading_vector
from .last_steps import last_shares
from .prints_reach import Print
from .standing import STAND_AHEAD, STAND_WIDTH_LEGS


@dataclass(frozen=True)
class StandingSteps:
    """`prints` from the right foot beside or behind the first left one, and the lengths of the path there, `ways`; when the
    weight begins to shift and the first foot lifts [s], both 0 for a walk that starts moving; the number of the last landing,
    counted from 1, None for a walk that goes on; how far a standing body is ahead of its ankles [m]."""

    prints: list[Print]
    ways: list[float]
    shift_s: float
    lift_s: float
    last: int | None
    ahead_m: float

    def rest(self, number: int) -> complex:
        """Where the COM rests between a footprint and the one before."""
        pair = self.prints[number:number + 2]
        return 0.5 * sum(place + self.ahead_m * heading_vector(heading) for place, heading in pair)


def standing_steps(
    ends: StandingShot, course: Course, gait_at: Callable[[float, float], GaitVariables], gravity_m_s2: float, body: Body,
    width_m: float, omega: float, first_s: float, count: int,
) -> StandingSteps:
    """The first `count` steps of a walk of feet `width_m` apart, as `StandingEnds` takes them, at the gait of each length of
    the path and time. The first one lands `first_s` after its foot's lift or, in a walk that starts moving, after the start."""
    s, scale = EndSettings(), math.sqrt(EARTH_GRAVITY_M_S2 / gravity_m_s2)
    ahead, wide = STAND_AHEAD * FootGeometry(body, "L").ball_x, max(width_m, STAND_WIDTH_LEGS * body.leg_length_m)
    shifts_s, lifts_s = (at(ends, gravity_m_s2, s) if ends.start else 0.0 for at in (shift_at_s, lift_s))
    still_s, length, last = ends.duration_s - s.still_s * scale, course.step_length, None
    landed_s = lifts_s + first_s
    shares, way = list(s.first) if ends.start else [], 0.0
    ways = [0.0 if ends.start else -length, 0.0]
    for k in range(1, count + 1):
        if last is None:
            gait = gait_at(way, landed_s)
            length, step_s = 0.5 * gait.stride_length_m, 0.5 / gait.stride_frequency_hz
        landed_s += step_s * (1 < k <= (last or k))
        way += length * (shares[k - 1] if k <= len(shares) else 1.0 if last is None else 0.0)
        ways.append(way)
        if ends.stop and last is None and k >= len(shares):
            left = math.floor((still_s - landed_s) / step_s)
            coming = last_shares((course.path.length - ahead - way) / length, left, gait, gravity_m_s2, s)
            if coming:
                shares = shares + [1.0] * (k - len(shares)) + coming
                last = len(shares)
    prints = []
    for number, at in enumerate(ways, start=-1):
        stands = (ends.start and number < 1) or (last is not None and number >= last)
        sign = 1 - 2 * (number % 2)
        prints.append(course.footprint(at, sign, wide if stands else width_m, math.inf if stands else omega))
    return StandingSteps(prints, ways, shifts_s, lifts_s, last, ahead)

# SPDX-License-Identifier: GPL-3.0-or-later
"""A followed clip under pushes: when the clip hurries, where feet land, and that it stands."""

import math

import numpy as np
import pytest

from follow_kit import BODY, follow_shot, walk_clip, walk_plan
from lope.addon.locomotion.clip.balance import Balance, Landing, choose, quickened
from lope.addon.locomotion.clip.settings import FollowSettings, PlanSettings
from lope.addon.locomotion.legged.capture import Piece
from lope.addon.sim.simulation import simulate
from lope.addon.specs.shot import Push

pytestmark = pytest.mark.slow


def short_of(missing_m: float):
    """Landings that miss their place by so much, the less the earlier they are."""
    return lambda pace: Landing(0.3 + 0j, 0.3 + missing_m / pace**4, 0j)


def test_who_reaches_the_place_to_land_keeps_the_clip_s_pace():
    assert choose(short_of(0.0), FollowSettings(), 2.0, 0.88) == 1.0


def test_who_cannot_reach_it_hurries_as_far_as_the_swing_allows():
    free = choose(short_of(0.3), FollowSettings(), 3.0, 0.88)
    assert free > 1.3
    assert choose(short_of(0.3), FollowSettings(), 1.2, 0.88) == 1.15


def test_a_pressure_passed_faster_takes_the_capture_point_less_far():
    omega, capture, pieces = 3.3, 0.05 + 0j, [Piece(0j, 0.1 + 0j, 0.2), Piece(0.1 + 0j, 0.1 + 0j, 0.2)]
    steps = 20000

    def integrated(pace: float) -> float:
        found, dt = capture.real, 0.4 / pace / steps
        for i in range(steps):
            clip_s = (i + 0.5) * dt * pace
            found += dt * omega * (found - min(0.5 * clip_s, 0.1))
        return found

    assert quickened(pieces, capture, omega, 1.6).real == pytest.approx(integrated(1.6) - integrated(1.0), abs=1e-4)


def test_a_foot_lands_where_the_pressure_on_its_way_there_holds_the_capture_point():
    plan = walk_plan()
    balance = Balance(plan, FollowSettings(homing=0.0), PlanSettings(), BODY.leg_length_m)
    strike = next(s for s in plan.schedule["L"] if s.strike_s > 1.0)
    balance.offset, balance.feet["R"] = 0.02 + 0.01j, 0.02 + 0.01j
    off = balance.landing_shift("L", strike.strike_s, 0.1 + 0.05j)
    balance.feet["L"] = off
    balance.offset += 0.1 + 0.05j  # where the capture point is then to be at the next landing
    held = balance.pressure_offsets(strike.strike_s + 1e-9)[1]
    assert abs(held - (0.12 + 0.06j)) < 5e-3
    assert abs(off - (0.12 + 0.06j)) > 0.01, "a foot takes over the weight in time, so it lands farther off"


@pytest.mark.parametrize("force", [(130.0, 0.0, 0.0), (0.0, 80.0, 0.0)], ids=["rear", "right"])
def test_a_walk_stands_that_is_pushed_for_a_long_time(force):
    """At 1.2 and 1.7 s the push from behind is at its limit: whether the walk falls goes with the last bit."""
    shot = follow_shot(walk_clip(), pushes=(Push(1.5, 0.4, force),))
    take = simulate(shot)
    assert not take.fell
    off = take.channels["follow_com_off_plan_m"].values
    assert off.max() > 0.1 and math.isfinite(off[-1]) and np.all(off < 1.5)

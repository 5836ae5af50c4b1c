# SPDX-License-Identifier: GPL-3.0-or-later
"""Flights of a followed clip: their time, height and way under another gravity, and free fall in the plan."""

from dataclasses import replace

import numpy as np
import pytest

from follow_kit import END_S, RISE_M, START_S, WAY_M, captured, follow_shot, hop
from lope.addon.locomotion.clip.clip_plan import plan_height
from lope.addon.locomotion.clip.flights import flight_pace, schedule_with_flights, with_flights
from lope.addon.locomotion.clip.schedule import flights, make_schedule
from lope.addon.sim.simulation import simulate

pytestmark = pytest.mark.slow


def test_the_pace_of_flights():
    moon = 1.0 / 6.0
    same = flight_pace("height", moon, 6.0**0.5, 1.0)
    assert (same.ground, same.air, same.higher, same.farther) == pytest.approx((1.0, 1.0, 1.0, 1.0))
    kept = flight_pace("velocity", moon, 6.0**0.5, 1.0)
    assert (kept.ground, kept.air) == pytest.approx((6.0**-0.5, 6.0**0.5))
    assert (kept.higher, kept.farther) == pytest.approx((6.0, 6.0))
    own = flight_pace("velocity", moon, 1.0, 1.0)
    assert (own.ground, own.air, own.higher, own.farther) == pytest.approx((1.0, 6.0, 6.0, 6.0))


def test_who_keeps_the_velocity_flies_longer_higher_and_farther():
    clip = hop()
    pace = flight_pace("velocity", 0.25, 2.0, 1.0)
    new = with_flights(clip, [(START_S, END_S)], pace)
    assert new.duration_s > clip.duration_s
    rise = np.ptp(new.com_m[:, 2])
    assert rise == pytest.approx(4.0 * RISE_M + np.ptp(clip.com_m[:, 2]) - RISE_M, rel=0.05)
    assert new.com_m[-1, 0] - new.com_m[0, 0] == pytest.approx(4.0 * WAY_M, rel=0.02)
    np.testing.assert_allclose(new.ankle_m[-1, :, 2], clip.ankle_m[-1, :, 2], atol=1e-6)
    lift, landing = (c for c in new.contacts if c.side == "L")
    assert landing.strike_s - lift.toe_off_s == pytest.approx(pace.air * (END_S - START_S), rel=0.1)
    times = clip.times_s
    before = np.abs(times - 0.3).argmin()
    np.testing.assert_allclose(new.com_m[before], clip.com_m[before], atol=1e-6)


def test_the_planned_height_falls_freely_in_the_air():
    clip, gravity = hop(), 8.0 * RISE_M / (END_S - START_S) ** 2
    height = plan_height(clip, [(START_S, END_S)], gravity)
    inside = np.linspace(START_S + 0.03, END_S - 0.03, 12)
    np.testing.assert_allclose(height(inside, 2), -gravity, atol=0.02 * gravity)
    assert np.abs(height(clip.times_s) - clip.com_m[:, 2]).max() < 0.06


def test_stances_reach_as_near_to_a_flight_as_their_soles_touch():
    clip = hop()
    early = tuple(replace(c, toe_off_s=START_S - 0.05) if c.toe_off_s == START_S else c for c in clip.contacts)
    ((start, end),) = flights(make_schedule(replace(clip, contacts=early)))
    assert start == pytest.approx(START_S, abs=0.03) and end == pytest.approx(END_S, abs=0.03)


def test_a_captured_jump_on_earth_leaves_the_ground_and_lands():
    """The slow test: in the air nothing but gravity works."""
    take = simulate(follow_shot(captured("snu_jump_reach_one_arm")))
    assert not take.fell and take.stats["followed_fraction"] > 0.95
    aloft = take.grf_n[:, :, 2].sum(axis=1) <= 0.0
    edges = np.flatnonzero(np.diff(np.concatenate([[False], aloft, [False]]).astype(int))).reshape(-1, 2)
    first, last = max(edges, key=lambda edge: edge[1] - edge[0])
    rows = slice(first + 1, last - 1)
    times, velocity = take.time_s[rows], take.com_velocity_m_s[rows]
    assert times[-1] - times[0] > 0.3
    fall = (velocity[-1, 2] - velocity[0, 2]) / (times[-1] - times[0])
    assert fall == pytest.approx(-9.81, rel=0.01)
    assert np.abs(velocity[-1, :2] - velocity[0, :2]).max() < 0.035  # as exact as steps of 1.7 ms are
    assert take.contact_point_m[:, :, 2].min() > -0.01


def test_a_push_off_keeps_its_own_pace_to_its_end():
    """Slowed before the feet leave the ground, its last moment would have to bring all of the velocity."""
    clip = hop()
    pace = flight_pace("velocity", 1.0 / 6.0, 6.0**0.5, 1.0)
    new = with_flights(clip, [(START_S, END_S)], pace)
    lift, _ = (c for c in new.contacts if c.side == "L")
    at = int(lift.toe_off_s / new.step_s)
    before = round((START_S - 0.02) / clip.step_s)
    assert new.com_m[at - 1, 2] - new.com_m[at - 2, 2] > 0.0
    lasted = lift.toe_off_s - new.step_s * np.argmin(np.abs(new.com_m[:at, 2] - clip.com_m[before, 2]))
    assert lasted == pytest.approx(0.02 * pace.ground, abs=1.5 * new.step_s)
    made = schedule_with_flights(make_schedule(clip), clip, [(START_S, END_S)], pace)
    assert made["L"][1].strike_s - made["L"][0].off_s > 0.8 * pace.air * (END_S - START_S)


def test_legs_push_as_hard_as_on_earth_where_they_push_as_quickly():
    clip, gravity, quicker = hop(), 8.0 * RISE_M / (END_S - START_S) ** 2, 2.0
    weak, strong = (plan_height(clip, [(START_S, END_S)], 0.1 * gravity, q)(START_S - 0.05, 2) for q in (1.0, quicker))
    assert strong > weak

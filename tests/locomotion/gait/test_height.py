# SPDX-License-Identifier: GPL-3.0-or-later
"""The planned height of the centre of mass: never faster down or up than gravity allows, lowered where legs are short."""

import numpy as np
import pytest

from lope.addon.locomotion.gait.walk.body import HeightPlan
from lope.addon.locomotion.gait.walk.footsteps import Rhythm, WalkSettings
from planner_kit import EARTH_G, GRAVITIES, INTERVAL_S, gait_at, tables

SETTINGS = WalkSettings()
RAISE_M = SETTINGS.height_raise * tables().body.leg_length_m
PHASES = np.linspace(0.0, 1.0, 500, endpoint=False)


def plan_at(gravity, **wishes):
    """Height plan and clock of the walk, perhaps at another speed or frequency."""
    rhythm = Rhythm(tables(), gait_at(gravity, **wishes).stride_frequency_hz, 2.0)
    return HeightPlan(tables(), rhythm, gravity, SETTINGS), rhythm


def through_the_cycle(plan, rhythm):
    """(500, 3) heights, velocities, accelerations over one cycle."""
    rows = []
    for phase in PHASES:
        rhythm.stance = "L" if phase < 0.5 else "R"
        rhythm.phase = phase
        rows.append(plan.now())
    return np.array(rows)


@pytest.mark.parametrize("gravity", GRAVITIES)
@pytest.mark.parametrize("wishes", [{}, {"speed_m_s": 3.0}, {"stride_frequency_hz": 3.0}], ids=["own", "fast", "frequent"])
def test_the_acceleration_is_bounded_by_a_share_of_gravity(gravity, wishes):
    plan, rhythm = plan_at(gravity, **wishes)
    accelerations = through_the_cycle(plan, rhythm)[:, 2]
    assert np.abs(accelerations).max() <= 1.02 * SETTINGS.height_acceleration * gravity
    assert np.abs(accelerations).max() > 0.05 * gravity, "it still bounces"


@pytest.mark.parametrize("gravity", GRAVITIES)
def test_a_hurried_single_support_keeps_the_bound(gravity):
    plan, rhythm = plan_at(gravity)
    double, whole = rhythm.fractions("L")
    for rhythm.rate_factor in (1.0, 1.5, 3.5):
        for rhythm.local in np.linspace(double, whole, 40, endpoint=False):
            assert abs(plan.now()[2]) <= 1.02 * SETTINGS.height_acceleration * gravity


def test_a_step_that_takes_longer_rises_and_falls_by_more_under_the_same_accelerations():
    plan, rhythm = plan_at(GRAVITIES[0])
    usual = through_the_cycle(plan, rhythm)
    rhythm.slowness = 1.1
    slow = through_the_cycle(plan, rhythm)
    np.testing.assert_allclose(slow[:, 2], usual[:, 2], atol=1e-9)
    assert np.ptp(slow[:, 0]) == pytest.approx(1.21 * np.ptp(usual[:, 0]))


def test_velocity_and_acceleration_are_the_heights_derivatives():
    plan, rhythm = plan_at(EARTH_G)
    heights, velocities, accelerations = through_the_cycle(plan, rhythm).T
    dt = (PHASES[1] - PHASES[0]) / rhythm.frequency
    np.testing.assert_allclose(velocities, (np.roll(heights, -1) - np.roll(heights, 1)) / (2 * dt), atol=2e-3)
    np.testing.assert_allclose(accelerations, (np.roll(velocities, -1) - np.roll(velocities, 1)) / (2 * dt), atol=0.02)
    assert heights.mean() == pytest.approx(tables().com_height_mean_m + RAISE_M, abs=1e-6)


def test_a_slow_walk_rises_and_falls_as_the_cycle_does():
    plan, rhythm = plan_at(EARTH_G, stride_frequency_hz=0.5)
    rows = tables().table.value(PHASES)
    np.testing.assert_allclose(through_the_cycle(plan, rhythm)[:, 0], rows[:, 0] + RAISE_M, atol=1e-9)
    np.testing.assert_allclose(plan.unreduced(PHASES), rows[:, 0] + RAISE_M, atol=1e-9)


def test_ripples_are_smoothed_before_the_rise_and_fall():
    plan, rhythm = plan_at(EARTH_G, stride_frequency_hz=0.9)
    smoothed, cycle = (np.abs(np.fft.rfft(heights)) for heights in (
        through_the_cycle(plan, rhythm)[:, 0], tables().table.value(PHASES)[:, 0]))
    assert smoothed[2] > 0.97 * cycle[2]
    assert smoothed[6] < 0.9 * cycle[6]


def test_a_faster_rhythm_bounces_less_instead_of_flying():
    own, rhythm = plan_at(EARTH_G)
    quick, quick_rhythm = plan_at(EARTH_G, stride_frequency_hz=3.0)
    assert np.ptp(through_the_cycle(quick, quick_rhythm)[:, 0]) < 0.5 * np.ptp(through_the_cycle(own, rhythm)[:, 0])


@pytest.mark.parametrize("gravity", GRAVITIES)
def test_the_drop_comes_quickly_and_goes_slowly_and_never_too_far(gravity):
    plan, _ = plan_at(gravity)
    scale = (EARTH_G / gravity) ** 0.5
    down, up = [], []
    for _ in range(round(0.5 * scale / INTERVAL_S)):
        plan.follow(0.05, INTERVAL_S)
        down.append(plan.reduction_m)
        assert plan.reduction_rate >= 0.0
    for _ in range(round(0.5 * scale / INTERVAL_S)):
        plan.follow(0.0, INTERVAL_S)
        up.append(plan.reduction_m)
        assert plan.reduction_rate <= 0.0
    assert down == sorted(down) and up == sorted(up, reverse=True)
    assert 0.045 < max(down) <= 0.05
    assert 0.0 < min(up) and up[-1] > 0.1 * 0.05
    assert plan.now()[0] == pytest.approx(plan_at(gravity)[0].now()[0] - plan.reduction_m)


def test_the_drop_shows_in_the_planned_velocity():
    plan, _ = plan_at(EARTH_G)
    before = plan.now()
    plan.follow(0.02, INTERVAL_S)
    after = plan.now()
    assert after[0] == pytest.approx(before[0] - plan.reduction_m)
    assert after[1] == pytest.approx(before[1] - plan.reduction_m / INTERVAL_S)

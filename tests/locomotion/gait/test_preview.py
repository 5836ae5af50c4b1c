# SPDX-License-Identifier: GPL-3.0-or-later
"""The plan alone: speed, footsteps, sway, smoothness, for every gravity and length of shot."""

import numpy as np
import pytest

from lope.addon.errors import InputError
from lope.addon.gaits.path_speeds import Way
from lope.addon.locomotion.gait.walk.footsteps import WalkControls
from lope.addon.locomotion.gait.walk.pendulum import StandingShot
from lope.addon.locomotion.gait.walk.preview import SAMPLE_S, plan_preview
from lope.addon.sim.simulation import preview
from lope.addon.specs.motions import Gait
from lope.addon.specs.shot import BodySpec, Shot, World
from lope.addon.worlds.paths import Circle, Line
from planner_kit import EARTH_G, GRAVITIES, JUPITER_G, MOON_G, gait_at, tables

ALL = (*GRAVITIES, JUPITER_G)


def plan_of(gravity, seconds=None, **wishes):
    """A preview, by default of ten strides."""
    gait = gait_at(gravity, **wishes)
    return planned(gait, gravity, seconds or 10.0 / gait.stride_frequency_hz)


def planned(gait, gravity, seconds, path=None):
    """A preview along a path, straight by default."""
    return plan_preview(tables(), gait, gravity, StandingShot(seconds, start=False, stop=False), Way(path or Line()),
                        WalkControls())


@pytest.mark.parametrize("gravity", ALL)
def test_the_plan_goes_as_fast_as_asked_in_strides_as_long_as_asked(gravity):
    gait, plan = gait_at(gravity), plan_of(gravity)
    steps, times = plan.footstep_m, plan.footstep_time_s
    assert len(steps) >= 19
    half = 0.5 * gait.stride_length_m
    np.testing.assert_allclose(np.diff(steps[:, 0]), half, atol=1e-9)
    np.testing.assert_allclose(np.diff(times)[1:], 0.5 / gait.stride_frequency_hz, rtol=0.01)
    assert (np.diff(plan.footstep_side) != 0).all(), "left and right in turn"
    np.testing.assert_allclose(steps[:, 1], np.where(plan.footstep_side == 0, 0.5, -0.5) * tables().width_m, atol=1e-12)
    assert not steps[:, 2].any()
    stride = round(1.0 / gait.stride_frequency_hz / SAMPLE_S)
    for path in (plan.com_m, plan.cart_m):
        speed = (path[3 * stride:, 0] - path[:-3 * stride, 0]) / (3 * stride * SAMPLE_S)
        np.testing.assert_allclose(speed, gait.speed_m_s, rtol=0.02)
    assert (plan.speed_m_s, plan.stride_frequency_hz, plan.froude) == (gait.speed_m_s, gait.stride_frequency_hz, gait.froude)
    assert plan.speed_m_s / plan.stride_frequency_hz == pytest.approx(2.0 * half)


@pytest.mark.parametrize("gravity", ALL)
def test_the_com_sways_between_the_feet(gravity):
    plan = plan_of(gravity)
    left = plan.com_m[:, 1]
    assert np.abs(left).max() < 0.5 * tables().width_m
    assert left.max() > 0.002 and left.min() < -0.002
    assert left.max() == pytest.approx(-left.min(), rel=0.15)
    np.testing.assert_allclose(plan.com_m[:, 2], tables().com_height_mean_m, atol=0.05)
    assert not plan.cart_m[:, 1:].any()


@pytest.mark.parametrize("gravity", ALL)
def test_the_com_moves_as_a_pendulum_over_the_standing_foot(gravity):
    """Bounded acceleration at every sample, and towards the side away from the foot that carries."""
    plan = plan_of(gravity)
    acceleration = np.diff(plan.com_m, n=2, axis=0) / SAMPLE_S**2
    most = gravity / tables().com_height_mean_m * np.hypot(0.5 * 0.5 * gait_at(gravity).stride_length_m, tables().width_m)
    assert np.hypot(*acceleration[:, :2].T).max() < 1.3 * most
    times = plan.time_s[1:-1]
    foot = np.searchsorted(plan.footstep_time_s, times, side="right") - 1
    middle = (foot > 0) & (times - plan.footstep_time_s[foot] > 0.4 / gait_at(gravity).stride_frequency_hz * 0.5)
    away = np.where(plan.footstep_side[foot] == 0, -1.0, 1.0) * acceleration[:, 1]
    assert (away[middle] > 0.0).all()


def test_the_same_walk_on_the_moon_in_slower_time():
    earth, moon = plan_of(EARTH_G, 6.0), plan_of(MOON_G, 6.0 * (EARTH_G / MOON_G) ** 0.5)
    np.testing.assert_allclose(moon.footstep_m[:10], earth.footstep_m[:10], atol=1e-9)
    np.testing.assert_allclose(moon.footstep_time_s[:10] * (MOON_G / EARTH_G) ** 0.5, earth.footstep_time_s[:10], atol=1e-9)
    times = np.linspace(0.5, 5.0, 40)
    for axis, tolerance in ((0, 0.01), (1, 2e-3), (2, 2e-3)):
        slow = np.interp(times * (EARTH_G / MOON_G) ** 0.5, moon.time_s, moon.com_m[:, axis])
        np.testing.assert_allclose(slow, np.interp(times, earth.time_s, earth.com_m[:, axis]), atol=tolerance)


@pytest.mark.parametrize("seconds", [0.5, 0.51, 1.0, 3.33, 10.0, 61.0])
def test_any_duration(seconds):
    plan = plan_of(EARTH_G, seconds)
    assert plan.time_s[0] == 0.0
    assert seconds - SAMPLE_S < plan.time_s[-1] <= seconds + 1e-9
    np.testing.assert_allclose(np.diff(plan.time_s), SAMPLE_S)
    assert plan.com_m.shape == plan.cart_m.shape == (len(plan.time_s), 3)
    assert all(np.isfinite(a).all() for a in (plan.com_m, plan.cart_m, plan.footstep_m, plan.footstep_time_s))
    assert (plan.footstep_time_s <= seconds).all()
    assert plan.footstep_time_s[-1] > seconds - 0.6 / plan.stride_frequency_hz
    assert (np.diff(plan.com_m[:, 0]) > 0.0).all()


def test_a_longer_plan_begins_like_a_shorter_one():
    long, short = plan_of(MOON_G, 9.0), plan_of(MOON_G, 3.0)
    np.testing.assert_allclose(long.com_m[:len(short.com_m)], short.com_m, atol=1e-12)  # products of other sizes round otherwise
    np.testing.assert_array_equal(long.footstep_m[:len(short.footstep_m)], short.footstep_m)


@pytest.mark.parametrize("wishes", [{"speed_m_s": 0.05}, {"speed_m_s": 15.0}, {"stride_frequency_hz": 0.05},
                                    {"stride_frequency_hz": 5.0}], ids=["crawling", "racing", "slow", "hasty"])
@pytest.mark.parametrize("gravity", [GRAVITIES[0], GRAVITIES[-1]])
def test_wishes_at_the_edge_still_give_a_plan_of_numbers(gravity, wishes):
    plan = plan_of(gravity, 5.0, **wishes)
    assert np.isfinite(plan.com_m).all() and np.isfinite(plan.cart_m).all() and np.isfinite(plan.footstep_m).all()
    for name, value in wishes.items():
        assert getattr(plan, name) == value


def test_the_preview_of_a_shot_is_the_plan_of_its_body_and_world():
    shot = Shot(motion=Gait(tuned=False), world=World("moon", MOON_G), duration_s=4.0)
    np.testing.assert_array_equal(preview(shot).com_m, plan_of(MOON_G, 4.0).com_m)
    small = preview(Shot(body=BodySpec(height_m=0.9), duration_s=4.0))
    assert small.speed_m_s == pytest.approx(0.5**0.5 * preview(Shot(duration_s=4.0)).speed_m_s)
    with pytest.raises(InputError, match="walk"):
        preview(Shot(motion=Gait("wlak")))


@pytest.mark.parametrize("radius", [2.0, -3.0])
def test_a_plan_goes_round_its_circle(radius):
    gait = gait_at(EARTH_G)
    plan, centre = planned(gait, EARTH_G, 10.0 / gait.stride_frequency_hz, Circle(radius)), 1j * radius
    com, feet, cart = (p[:, 0] + 1j * p[:, 1] for p in (plan.com_m, plan.footstep_m, plan.cart_m))
    np.testing.assert_allclose(np.abs(com - centre), abs(radius), atol=0.05)
    assert np.mean(np.abs(com - centre)) == pytest.approx(abs(radius), abs=0.01)
    inner = (plan.footstep_side == 0) == (radius > 0.0)
    away = np.abs(feet - centre) - abs(radius)
    assert away[~inner].mean() - away[inner].mean() == pytest.approx(tables().width_m, abs=0.01)
    assert away.mean() > 0.02, "the COM leans inward"
    turned = np.abs(np.unwrap(np.angle(com - centre))[[0, -1]] @ [-1.0, 1.0])
    assert turned * abs(radius) / plan.time_s[-1] == pytest.approx(plan.speed_m_s, rel=0.02)
    np.testing.assert_allclose(np.abs(cart - centre), abs(radius), atol=1e-6)

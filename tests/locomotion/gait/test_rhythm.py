# SPDX-License-Identifier: GPL-3.0-or-later
"""The clock of a gait."""

import pytest

from lope.addon.locomotion.gait.walk.footsteps import OTHER
from planner_kit import EARTH_G, GRAVITIES, MOON_G, gait_at, rhythm_at, tables

pytestmark = pytest.mark.slow

SIDES = ("L", "R")


def test_both_steps_make_one_cycle():
    rhythm = rhythm_at(EARTH_G)
    assert sum(rhythm.fractions(side)[1] for side in SIDES) == pytest.approx(1.0, abs=1e-12)
    for side in SIDES:
        double, whole = rhythm.fractions(side)
        assert 0.0 < double < 0.5 * whole
        stance = tables().phases[side].toe_off
        assert stance == pytest.approx(whole + rhythm.fractions(OTHER[side])[0], abs=1e-9), "till the other's double support"


@pytest.mark.parametrize("gravity", GRAVITIES)
def test_the_times_of_a_step_are_its_fractions_over_the_frequency(gravity):
    rhythm, gait = rhythm_at(gravity), gait_at(gravity)
    for side in SIDES:
        times, (double, whole) = rhythm.stance_times(side), rhythm.fractions(side)
        assert min(times) > 0.0
        assert sum(times) == pytest.approx(whole / gait.stride_frequency_hz, abs=1e-12)
        assert times.double == pytest.approx(double / gait.stride_frequency_hz, abs=1e-12)
    steps = sum(sum(rhythm.stance_times(side)) for side in SIDES)
    assert steps == pytest.approx(1.0 / gait.stride_frequency_hz, abs=1e-12)


def test_the_phase_counts_from_the_stance_foots_strike():
    rhythm = rhythm_at(MOON_G)
    for side in SIDES:
        rhythm.stance = side
        for local in (0.0, 0.1, 0.45):
            rhythm.local = local
            assert rhythm.local == pytest.approx(local, abs=1e-12)
            assert rhythm.phase == pytest.approx((tables().phases[side].strike + local) % 1.0, abs=1e-12)
            assert rhythm.elapsed_s == pytest.approx(local / rhythm.frequency)


def test_changing_feet_sets_the_rate_back():
    rhythm = rhythm_at(EARTH_G)
    rhythm.rate_factor, rhythm.local = 1.75, 0.4
    rhythm.change_feet()
    assert (rhythm.stance, rhythm.rate_factor, rhythm.local) == ("R", 1.0, 0.0)
    rhythm.change_feet()
    assert rhythm.stance == "L"


def test_a_rate_factor_quickens_the_clock_and_double_support_more():
    rhythm, frequency = rhythm_at(EARTH_G), gait_at(EARTH_G).stride_frequency_hz
    double, _ = rhythm.fractions("L")
    assert rhythm.rate == pytest.approx(frequency)
    rhythm.rate_factor, rhythm.local = 1.5, double + 0.01
    assert rhythm.rate == pytest.approx(1.5 * frequency)
    rhythm.local = 0.5 * double
    assert rhythm.rate == pytest.approx(2.0 * frequency)
    rhythm.rate_factor = 1.0
    assert rhythm.rate == pytest.approx(frequency)

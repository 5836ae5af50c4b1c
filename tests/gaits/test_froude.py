# SPDX-License-Identifier: GPL-3.0-or-later
"""Froude number and prediction of speed and stride frequency: exact ratios and the published examples."""

import math
from types import SimpleNamespace

import pytest

from lope.addon.gaits.froude import froude_number, froude_speed, predict

WALK = SimpleNamespace(leg_length_m=0.82, speed_m_s=1.28, stride_frequency_hz=0.9)
EARTH = 9.81


def test_froude_number_of_published_walks():
    """Kim 2017's own walk rows: 0.50 m/s on the Moon is Fr 0.188 with a 0.82 m leg."""
    assert froude_number(0.50, 1.62, 0.82) == pytest.approx(0.188, abs=5e-4)
    assert froude_speed(0.25, 9.81, 0.92) == pytest.approx(1.50, abs=5e-3)


@pytest.mark.parametrize("gravity", [0.4905, 1.62, 3.71, 11.15, 24.79, 29.43])
def test_speed_and_frequency_scale_with_the_root_of_gravity(gravity):
    here = predict(WALK, WALK.leg_length_m, EARTH)
    there = predict(WALK, WALK.leg_length_m, gravity)
    root = math.sqrt(gravity / EARTH)
    assert there.speed_m_s / here.speed_m_s == pytest.approx(root, rel=1e-12)
    assert there.stride_frequency_hz / here.stride_frequency_hz == pytest.approx(root, rel=1e-12)
    assert there.stride_length_m == pytest.approx(here.stride_length_m, rel=1e-12)
    assert there.froude == pytest.approx(here.froude, rel=1e-12)


def test_the_reference_predicts_itself():
    same = predict(WALK, WALK.leg_length_m, EARTH)
    assert same.speed_m_s == pytest.approx(WALK.speed_m_s, rel=1e-12)
    assert same.stride_frequency_hz == pytest.approx(WALK.stride_frequency_hz, rel=1e-12)
    assert same.froude == pytest.approx(WALK.speed_m_s**2 / (EARTH * WALK.leg_length_m), rel=1e-12)


def test_a_longer_leg_takes_longer_slower_strides():
    """Dynamic similarity: lengths with h, speeds with sqrt(h), frequencies with 1/sqrt(h)."""
    giant = predict(WALK, 4.0 * WALK.leg_length_m, EARTH)
    assert giant.stride_length_m == pytest.approx(4.0 * WALK.speed_m_s / WALK.stride_frequency_hz, rel=1e-12)
    assert giant.speed_m_s == pytest.approx(2.0 * WALK.speed_m_s, rel=1e-12)
    assert giant.stride_frequency_hz == pytest.approx(0.5 * WALK.stride_frequency_hz, rel=1e-12)


def test_a_speed_of_ones_own_shares_the_change_as_people_do():
    base = predict(WALK, 0.9, 1.62)
    slow = predict(WALK, 0.9, 1.62, speed_m_s=0.5 * base.speed_m_s)
    assert slow.speed_m_s == 0.5 * base.speed_m_s
    assert slow.stride_length_m / base.stride_length_m == pytest.approx(0.5**0.42, rel=1e-12)
    assert slow.stride_frequency_hz / base.stride_frequency_hz == pytest.approx(0.5**0.58, rel=1e-12)
    assert slow.froude == pytest.approx(0.25 * base.froude, rel=1e-12)


def test_a_frequency_of_ones_own_keeps_the_speed():
    base = predict(WALK, 0.9, 3.71)
    quick = predict(WALK, 0.9, 3.71, stride_frequency_hz=1.4)
    assert (quick.speed_m_s, quick.froude, quick.stride_frequency_hz) == (base.speed_m_s, base.froude, 1.4)


def test_both_given_are_both_kept():
    both = predict(WALK, 0.9, 3.71, speed_m_s=0.7, stride_frequency_hz=0.5)
    assert (both.speed_m_s, both.stride_frequency_hz) == (0.7, 0.5)
    assert both.stride_length_m == pytest.approx(1.4)


def test_a_reference_from_another_gravity():
    """A walk captured on the Moon, brought to Earth, is sqrt(g_E / g_M) faster."""
    home = predict(WALK, WALK.leg_length_m, EARTH, reference_gravity_m_s2=1.62)
    assert home.speed_m_s / WALK.speed_m_s == pytest.approx(math.sqrt(EARTH / 1.62), rel=1e-12)

# SPDX-License-Identifier: GPL-3.0-or-later
"""Walks in place: their way is put back; who stands, turns or goes keeps what it has."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lope.addon.motions.retarget import travel_taken_out

RATE_HZ, LEG_M = 60.0, 0.85


def walker(speed_m_s: float, share: float, seconds: float = 4.0, period_s: float = 1.1, heading: float = 0.4):
    """Hips (T, 3) and balls (T, 2, 3) of a figure that steps along a line, `share` of its way taken out."""
    t = np.arange(round(seconds * RATE_HZ)) / RATE_HZ
    balls = np.zeros((len(t), 2, 3))
    for foot in range(2):
        phase = (t / period_s + 0.5 * foot) % 1.0
        stride, began = speed_m_s * period_s, np.floor(t / period_s + 0.5 * foot) - 0.5 * foot
        swing = np.clip((phase - 0.6) / 0.4, 0.0, 1.0)
        balls[:, foot, 0] = stride * (began + swing + 0.3)
        balls[:, foot, 2] = 0.02 + 0.1 * np.sin(np.pi * swing)
    hips = np.column_stack([speed_m_s * t, 0.02 * np.sin(2 * np.pi * t / period_s), np.full(len(t), LEG_M)])
    out = np.column_stack([share * speed_m_s * t, np.zeros(len(t)), np.zeros(len(t))])
    turn = np.array([[math.cos(heading), -math.sin(heading), 0.0], [math.sin(heading), math.cos(heading), 0.0], [0.0, 0.0, 1.0]])
    return (hips - out) @ turn.T, (balls - out[:, None]) @ turn.T


@pytest.mark.parametrize("speed", [0.6, 1.3, 3.0])
def test_the_way_that_was_taken_out_comes_back(speed):
    hips, balls = walker(speed, 1.0)
    velocity = travel_taken_out(hips, balls, 1.0 / RATE_HZ, LEG_M)
    assert velocity == pytest.approx(speed * np.array([math.cos(0.4), math.sin(0.4)]), rel=0.03)


def test_who_goes_keeps_its_way():
    assert travel_taken_out(*walker(1.3, 0.0), 1.0 / RATE_HZ, LEG_M) is None


def test_who_marches_on_the_spot_or_stands_goes_nowhere():
    hips, balls = walker(0.0, 0.0)
    assert travel_taken_out(hips, balls, 1.0 / RATE_HZ, LEG_M) is None
    assert travel_taken_out(hips, 0.0 * balls, 1.0 / RATE_HZ, LEG_M) is None


def test_feet_that_slide_here_and_there_are_left():
    rng = np.random.default_rng(0)
    hips, balls = walker(1.3, 1.0)
    balls[..., :2] += np.cumsum(rng.normal(0.0, 0.05, balls[..., :2].shape), axis=0)
    assert travel_taken_out(hips, balls, 1.0 / RATE_HZ, LEG_M) is None

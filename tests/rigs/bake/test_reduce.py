# SPDX-License-Identifier: GPL-3.0-or-later
"""Key reduction and the travel of a motion in plain numbers. No Blender."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.interpolate import CubicHermiteSpline

from lope.addon.rigs.bake.own_motion import OwnMotion, travel_of, without
from lope.addon.rigs.bake.tracks import fewest_keys
from standing_figure import sliding

FRAMES = np.arange(201.0)


def curves() -> np.ndarray:
    t = FRAMES / 24.0
    step = np.where(FRAMES < 80, 0.0, np.minimum((FRAMES - 80) / 6.0, 1.0))
    return np.column_stack([np.sin(2.0 * t), 0.2 * np.sin(9.0 * t) + t, step, np.full_like(t, 3.0), 1e-9 * t])


def test_every_sample_stays_within_its_tolerance_and_the_drawing_is_what_blender_draws():
    values, tolerance = curves(), np.array([1e-3, 1e-3, 1e-3, 1e-3, 1e-3])
    forced = np.zeros(201, dtype=bool)
    forced[37] = True
    keys, slope, drawn = fewest_keys(FRAMES, values, tolerance, forced)
    assert np.abs(drawn - values).max() <= 1e-3
    for c in range(3):
        rows = keys[:, c]
        spline = CubicHermiteSpline(FRAMES[rows], values[rows, c], slope[rows, c])
        np.testing.assert_allclose(spline(FRAMES), drawn[:, c], atol=1e-9)
        assert rows[[0, 37, -1]].all()
    assert keys[:, 3].sum() == keys[:, 4].sum() == 1 and keys[0, 3:].all()
    assert keys[:, 0].sum() < 60 and keys[:, 1].sum() < 120 and keys[:, 2].sum() < 30


def test_a_coarser_tolerance_needs_fewer_keys():
    counts = [fewest_keys(FRAMES, curves(), np.full(5, e), np.zeros(201, bool))[0].sum() for e in (1e-4, 1e-3, 1e-2)]
    assert counts[0] > counts[1] > counts[2]


def test_travel_is_smooth_and_comes_back():
    t = np.arange(120) / 24.0
    motion, _ = sliding(np.zeros(120))
    places = motion.places.copy()
    places[..., 0] += (1.2 * t + 0.03 * np.sin(2.0 * np.pi * t))[:, None]
    places[..., 1] += (0.05 * np.sin(np.pi * t))[:, None]
    motion = OwnMotion(motion.body, places, motion.turns, motion.moved, 1.0)
    travel = travel_of(motion, t, stride_s=2.0)
    speed = np.gradient(travel.place[:, 0], t)
    assert speed[24:-24] == pytest.approx(1.2, abs=0.02) and np.abs(travel.place[24:-24, 1]).max() < 0.01
    still = without(motion, travel)
    np.testing.assert_allclose(travel.apply(still.places), motion.places, atol=1e-12)
    assert np.ptp(still.places[:, 0, 0]) < 0.2

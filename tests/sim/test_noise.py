# SPDX-License-Identifier: GPL-3.0-or-later
"""Noise on the start: of the size asked for, from the seed alone, scaled with the gait."""

import dataclasses

import numpy as np
import pytest

from lope.addon.locomotion.gait.controller import natural_sizes, start_noise
from lope.addon.sim.simulation import Simulation
from lope.addon.specs.shot import Shot
from planner_kit import BODY, EARTH_G, MOON_G, WALK, gait_at

pytestmark = pytest.mark.slow


def test_the_sizes_are_those_of_the_walk():
    sizes, moon = (natural_sizes(BODY, WALK, gait_at(g)) for g in (EARTH_G, MOON_G))
    assert sizes.shape == (BODY.degrees_of_freedom,)
    np.testing.assert_allclose(moon, sizes * (MOON_G / EARTH_G) ** 0.5, rtol=1e-9)
    np.testing.assert_array_equal(sizes[:3], gait_at(EARTH_G).speed_m_s)
    at = 6
    found = {}
    for name in BODY.joint_segments:
        count = 3 if BODY.segment(name).joint == "ball" else 1
        found[name], at = sizes[at], at + count
    assert 1.0 < found["shank_L"] < 4.0 and found["shank_L"] == pytest.approx(found["shank_R"])
    assert found["shank_L"] > found["thigh_L"] > found["chest"] > 0.0


def test_noise_has_the_share_asked_for_and_comes_from_the_seed():
    gait = gait_at(EARTH_G)
    drawn = np.array([start_noise(BODY, WALK, gait, 0.05, seed) for seed in range(400)])
    sizes = natural_sizes(BODY, WALK, gait)
    moving = sizes > 1e-9
    np.testing.assert_allclose(drawn.std(axis=0)[moving], 0.05 * sizes[moving], rtol=0.15)
    np.testing.assert_array_equal(drawn[7], start_noise(BODY, WALK, gait, 0.05, 7))


def test_a_shot_starts_with_its_noise_and_the_same_seed_alike():
    shot = Shot(duration_s=1.0, noise=0.04, seed=3)
    calm, noisy, again, other = (Simulation(s).engine.qvel.copy() for s in (
        dataclasses.replace(shot, noise=0.0), shot, shot, dataclasses.replace(shot, seed=4)))
    np.testing.assert_array_equal(noisy, again)
    np.testing.assert_allclose(noisy - calm, start_noise(BODY, WALK, gait_at(EARTH_G), 0.04, 3), atol=1e-12)
    assert np.abs(other - noisy).max() > 0.01

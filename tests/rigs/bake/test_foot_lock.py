# SPDX-License-Identifier: GPL-3.0-or-later
"""Planted feet in plain numbers: they stand, legs and hips follow, under any gravity and for any length. No Blender."""

from __future__ import annotations

import dataclasses
import tracemalloc

import numpy as np
import pytest

from lope.addon.rigs.bake.foot_lock import Loads, lock_feet, smooth_cover
from lope.addon.rigs.bake.sampling import sample
from lope.addon.specs.bake_options import BakeOptions
from lope.addon.specs.shot import World
from standing_figure import sliding, standing
from take_factory import Walk, make_take

MOON = 1.62 / 9.81


def test_a_foot_that_would_slide_stands_and_the_leg_follows():
    motion, loads = sliding(np.linspace(0.0, 0.06, 60))
    time = np.arange(60) / 24.0
    locked = lock_feet(motion, loads, time)
    body, foot = motion.body, motion.body.index["foot_L"]
    place = locked.places[:, foot]
    assert np.ptp(motion.places[:20, foot, 0]) > 0.015
    assert np.ptp(place[:20], axis=0).max() < 1e-9 and np.ptp(place[40:], axis=0).max() < 1e-9
    assert np.abs(np.diff(place[:, 0])).max() < 0.008, "between stances it blends"
    for a, b in (("thigh_L", "shank_L"), ("shank_L", "foot_L")):
        length = np.linalg.norm(locked.places[:, body.index[b]] - locked.places[:, body.index[a]], axis=1)
        np.testing.assert_allclose(length, np.linalg.norm(body.segment(b).offset), atol=1e-9)
    np.testing.assert_allclose(locked.turns[:, foot], motion.turns[:, foot], atol=1e-9)
    np.testing.assert_allclose(locked.places[:, body.index["foot_R"]], motion.places[:, body.index["foot_R"]], atol=1e-9)


def test_hips_sink_where_a_planted_foot_is_out_of_reach():
    motion, loads = sliding(np.concatenate([np.linspace(0.0, 1.4, 20), np.full(40, 1.4)]))
    locked = lock_feet(motion, loads, np.arange(60) / 24.0)
    sunk = motion.places[:, 0, 2] - locked.places[:, 0, 2]
    assert sunk[19] > 0.02 and sunk[45] == pytest.approx(0.0, abs=1e-9) and np.abs(np.diff(sunk)).max() < 0.12
    assert np.ptp(locked.places[:20, motion.body.index["foot_L"]], axis=0).max() < 0.02


def test_a_foot_that_was_simulated_to_slide_slides():
    motion, loads = sliding(np.linspace(0.0, 0.9, 60))
    assert lock_feet(motion, Loads(loads.share, motion.sole_points), np.arange(60) / 24.0) is motion


def test_nothing_loaded_nothing_changes():
    motion, loads = sliding(np.linspace(0.0, 0.1, 60))
    same = lock_feet(motion, Loads(np.zeros_like(loads.share), loads.points_m), np.arange(60) / 24.0)
    assert same is motion


def test_a_short_swing_is_longer_where_gravity_is_less_then():
    """A foot that is up for 0.15 s has left the ground of the Earth, but not that of the Moon: 0.1 s times 2.46."""
    motion, loads = sliding(np.linspace(0.0, 0.06, 60))
    share = loads.share.copy()
    share[20:24] = share[24:40] = share[0]
    share[20:23] = 0.0
    time, foot = np.arange(60) / 24.0, motion.body.index["foot_L"]

    def blended(ratio) -> float:
        """How far the shift that plants the foot changes while it is up: not at all within a stance."""
        locked = lock_feet(motion, Loads(share, loads.points_m), time, ratio)
        return float(np.ptp((locked.places - motion.places)[20:23, foot, 0]))

    assert blended(MOON) < 1e-9 < 1e-3 < blended(1.0)
    assert blended(np.concatenate([np.full(10, MOON), np.ones(50)])) == pytest.approx(blended(1.0))
    assert blended(np.concatenate([np.ones(10), np.full(50, MOON)])) == pytest.approx(blended(MOON), abs=1e-9)


def test_hips_sink_as_slowly_as_gravity_then_lets_them():
    slide = np.concatenate([np.linspace(0.0, 1.4, 20), np.full(40, 1.4)])
    motion, loads = sliding(slide)

    def sunk(ratio) -> np.ndarray:
        return motion.places[:, 0, 2] - lock_feet(motion, loads, np.arange(60) / 24.0, ratio).places[:, 0, 2]

    ramp = np.concatenate([np.full(30, MOON), np.ones(30)])
    np.testing.assert_allclose(sunk(ramp)[:20], sunk(MOON)[:20], atol=1e-12)
    assert np.abs(sunk(ramp) - sunk(1.0)).max() > 0.01


def test_the_weight_that_a_foot_carries_is_that_of_the_gravity_then():
    plain = make_take(Walk(seconds=8.0, gravity=9.81))
    ramp = World("ramp", 9.81, gravity_ramp=((2.0, 9.81), (6.0, 1.62)))
    gravity = np.interp(plain.time_s, (0.0, 2.0, 6.0), (9.81, 9.81, 1.62))
    force = plain.contact_point_force_n * (gravity / 9.81)[:, None]
    take = dataclasses.replace(plain, shot=dataclasses.replace(plain.shot, world=ramp),
                               arrays={**plain.arrays, "contact_point_force_n": force})
    found, wanted = sample(take, 25.0, BakeOptions()), sample(plain, 25.0, BakeOptions())
    np.testing.assert_allclose(found.share, wanted.share, rtol=0.02)
    np.testing.assert_allclose(found.gravity_m_s2, np.interp(found.time_s, plain.time_s, gravity))
    assert set(wanted.gravity_m_s2) == {9.81}


@pytest.mark.slow
def test_memory_grows_with_the_length_and_not_with_its_square():
    peaks = []
    for frames in (3000, 12000):
        motion, loads = sliding(np.linspace(0.0, 0.001 * frames, frames))
        share = np.where((np.arange(frames) % 60 < 20)[:, None], loads.share[0], 0.0)
        tracemalloc.start()
        lock_feet(motion, Loads(share, loads.points_m), np.arange(frames) / 60.0)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 6.0 * peaks[0] and peaks[1] < 150e6


@pytest.mark.parametrize("frames, window", [(700, 0.12), (1500, 0.4), (40, 0.01), (30, 5.0)])
def test_the_cover_is_that_of_the_whole_matrix(frames, window):
    rng = np.random.default_rng(frames)
    time = np.sort(rng.uniform(0.0, frames / 60.0, frames))
    need = np.where(rng.uniform(size=frames) < 0.1, rng.uniform(size=frames), 0.0)
    near = np.abs(time[:, None] - time[None, :])
    most = np.where(near <= window, need[None, :], 0.0).max(axis=1)
    weight = np.clip(1.0 - near / window, 0.0, None)
    found = smooth_cover(need, time, np.full(frames, window))
    np.testing.assert_allclose(found, weight @ most / weight.sum(axis=1), atol=1e-12)
    varied = smooth_cover(need, time, window * np.linspace(0.5, 2.0, frames))
    assert (varied >= need - 1e-12).all()


def test_shifts_are_least_where_the_knee_is_straight():
    """There a millimetre bends the knee by degrees."""
    body, motion = standing(30)
    foot, thigh = body.index["foot_L"], body.index["thigh_L"]
    share = np.tile([0.2 if p.side == "L" else 0.0 for p in body.contact_points], (30, 1))
    loads = Loads(share, motion.sole_points)
    places = motion.places.copy()
    places[..., 0] += np.linspace(0.0, 0.01, 30)[:, None]

    def shifts(places):
        found = lock_feet(dataclasses.replace(motion, places=places), loads, np.arange(30) / 24.0)
        return np.abs(found.places[:, foot, 0] - places[:, foot, 0])

    bent = shifts(places)
    assert bent[0] == pytest.approx(bent[-1], rel=0.1) == pytest.approx(0.005, rel=0.1)
    places[:8, thigh, 2] += 0.035
    straight = shifts(places)
    assert straight[:8].max() < 0.6 * straight[8:].max()

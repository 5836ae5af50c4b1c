# SPDX-License-Identifier: GPL-3.0-or-later
"""Key reduction and planted feet in plain numbers. No Blender."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.interpolate import CubicHermiteSpline

from lope.addon.bodies.human.anthropometry import standing_landmarks
from lope.addon.bodies.body import Body
from lope.addon.bodies.human.body import Human
from lope.addon.bodies.kinematics import quat_from_rotvec, segment_poses
from lope.addon.rigs.bake.foot_lock import Loads, lock_feet
from lope.addon.rigs.bake.own_motion import OwnMotion
from lope.addon.rigs.bake.reduce import fewest_keys
from lope.addon.rigs.bake.travel import travel_of, without

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


def standing(frames: int = 60) -> tuple[Body, OwnMotion]:
    """A figure in the neutral pose that bends its knees a little, at rest for some frames."""
    body = Human.from_landmarks(standing_landmarks(1.8), 75.0)
    joints = np.tile([1.0, 0.0, 0.0, 0.0], (frames, len(body.segments) - 1, 1))
    for name, angle in (("thigh", -0.3), ("shank", 0.6), ("foot", -0.3)):
        for side in "LR":
            joints[:, body.joint_segments.index(f"{name}_{side}")] = quat_from_rotvec(np.array([0.0, angle, 0.0]))
    root = np.tile([0.0, 0.0, body.pelvis_height_m - 0.04], (frames, 1))
    places, turns = segment_poses(body, root, np.tile([1.0, 0.0, 0.0, 0.0], (frames, 1)), joints)
    return body, OwnMotion(body, places, turns, frozenset(body.index), 1.0)


def sliding(slide: np.ndarray) -> tuple[OwnMotion, Loads]:
    """The standing figure carried along by `slide` (T,) [m], the left foot loaded in its first and last 20 frames."""
    body, motion = standing(len(slide))
    places = motion.places.copy()
    places[..., 0] += slide[:, None]
    motion = OwnMotion(body, places, motion.turns, motion.moved, 1.0)
    share = np.zeros((len(slide), len(body.contact_points)))
    share[:20] = share[-20:] = [0.2 if p.side == "L" else 0.0 for p in body.contact_points]
    return motion, Loads(share, standing(len(slide))[1].sole_points)


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

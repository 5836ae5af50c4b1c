# SPDX-License-Identifier: GPL-3.0-or-later
"""Soles as they are seen: the lowest skin of a moving foot, brought to the ground where it is off it. No Blender."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from lope.addon.maths.rotations import matrix_from_quat, quat_conjugate, quat_from_rotvec, quat_multiply, rotvec_from_quat
from lope.addon.rigs.bake.foot_lock import UNSEEN_M, Loads, lock_feet, sole_heights
from lope.addon.rigs.bake.own_motion import OwnMotion
from lope.addon.specs.path import GroundSpec
from lope.addon.worlds.ground import make_ground
from standing_figure import sliding, standing, straight_figure

FRAMES = 40
LEVEL, SLOPE = make_ground(GroundSpec()), make_ground(GroundSpec(kind="plane", slope_deg=8.0))


def turned() -> OwnMotion:
    """A figure that stands, its left shank, foot and toes turned by some angles."""
    body, motion = standing(FRAMES)
    turns, rng = motion.turns.copy(), np.random.default_rng(1)
    for name, most in (("shank_L", 0.4), ("foot_L", 0.7), ("toes_L", 0.5)):
        about = quat_from_rotvec(rng.uniform(-most, most, (FRAMES, 3)) * [0.3, 1.0, 0.3])
        turns[:, body.index[name]] = quat_multiply(about, turns[:, body.index[name]])
    return dataclasses.replace(motion, turns=turns)


@pytest.mark.parametrize("ground", [LEVEL, SLOPE])
def test_heights_are_those_of_the_lowest_of_all_skin(ground):
    figure, motion, rng = straight_figure(), turned(), np.random.default_rng(2)
    marks, body = figure.points, motion.body
    skin = marks["ankle_L"] + rng.uniform([-0.08, -0.05, -0.1], [0.2, 0.05, 0.02], (400, 3))
    shares = rng.dirichlet([0.2, 1.0, 1.0], 400)
    figure = dataclasses.replace(figure, soles={"L": (skin, shares)})
    wanted = 0.0
    for name, mark, share in zip(("shank_L", "foot_L", "toes_L"), ("knee_L", "ankle_L", "toes_L"), shares.T, strict=True):
        i = body.index[name]
        at = np.einsum("tij,nj->tni", matrix_from_quat(motion.turns[:, i]), skin - marks[mark]) + motion.places[:, [i]]
        wanted = wanted + share[:, None] * at
    over = wanted[..., 2] - ground.height(wanted[..., 0], wanted[..., 1])
    np.testing.assert_allclose(sole_heights(figure, motion, ground)["L"], over.min(axis=1), atol=2e-3)


def test_a_figure_without_skin_has_no_soles():
    assert sole_heights(straight_figure(), turned(), LEVEL) == {}


@pytest.mark.parametrize("height, moved", [(0.03, UNSEEN_M - 0.03), (-0.02, 0.02 - UNSEEN_M), (0.004, 0.0), (-0.004, 0.0)])
def test_skin_that_is_seen_off_the_ground_comes_to_it(height, moved):
    motion, loads = sliding(np.zeros(60))
    foot, time = motion.body.index["foot_L"], np.arange(60) / 24.0
    found = lock_feet(motion, dataclasses.replace(loads, skin_m={"L": np.full(60, height)}), time)
    plain = lock_feet(motion, loads, time)
    np.testing.assert_allclose((found.places - plain.places)[:20, foot, 2], moved, atol=1e-4)


def test_a_swinging_foot_does_not_go_into_the_ground():
    motion, loads = sliding(np.zeros(60))
    foot, time = motion.body.index["foot_L"], np.arange(60) / 24.0
    skin = np.where((time > 1.1) & (time < 1.4), -0.03, 0.0)
    found = lock_feet(motion, dataclasses.replace(loads, skin_m={"L": skin}), time)
    raised = found.places[:, foot, 2] - motion.places[:, foot, 2]
    assert raised[30] == pytest.approx(0.03 - UNSEEN_M, abs=1e-4) and raised[20] == pytest.approx(0.0, abs=1e-9)


def test_a_nearly_straight_knee_does_not_snap():
    """A foot that is held where it stood pulls at a leg that is all but straight: the hips give way, not the knee."""
    body, motion = standing(FRAMES)
    thigh, shank, foot = (body.index[f"{name}_L"] for name in ("thigh", "shank", "foot"))
    places, turns = motion.places.copy(), motion.turns.copy()
    for side in "LR":  # knees bent by 8 degrees
        for name, angle in (("thigh", -0.07), ("shank", 0.07)):
            turns[:, body.index[f"{name}_{side}"]] = quat_from_rotvec(np.array([0.0, angle, 0.0]))
        for below, above in (("shank", "thigh"), ("foot", "shank"), ("toes", "foot")):
            at, on = body.index[f"{below}_{side}"], body.index[f"{above}_{side}"]
            places[:, at] = places[:, on] + matrix_from_quat(turns[0, on]) @ body.segments[at].offset
    places[..., 0] += np.linspace(-0.02, 0.02, FRAMES)[:, None]
    lift = np.linspace(0.0, -0.006, FRAMES)
    motion = dataclasses.replace(motion, places=places, turns=turns)
    share = np.tile([0.2 if p.side == "L" else 0.0 for p in body.contact_points], (FRAMES, 1))
    points = motion.sole_points + lift[:, None, None] * [0.0, 0.0, 1.0]
    locked = lock_feet(motion, Loads(share, points), np.arange(FRAMES) / 24.0)

    def bend(some: OwnMotion) -> np.ndarray:
        return np.linalg.norm(rotvec_from_quat(quat_multiply(quat_conjugate(some.turns[:, thigh]), some.turns[:, shank])), axis=1)

    assert (bend(locked) > bend(motion) - 1e-6).all()
    assert np.ptp(locked.places[:, foot, 0]) < 1e-6

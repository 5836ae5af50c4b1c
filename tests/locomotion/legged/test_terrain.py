# SPDX-License-Identifier: GPL-3.0-or-later
"""Footsteps on uneven ground: feet lie along it and are found again, swings clear it, the level under the COM is smooth."""

import cmath
import math

import numpy as np
import pytest

from lope.addon.locomotion.legged.foot_geometry import FootGeometry, Footstep, Terrain
from lope.addon.locomotion.legged.foot_path import FootPath
from lope.addon.maths.rotations import laid_back, matrix_from_quat, quat_from_rotvec
from lope.addon.specs.path import GroundSpec
from lope.addon.worlds.ground import make_ground
from planner_kit import BODY, tables

pytestmark = pytest.mark.slow

GEOMETRY = FootGeometry(BODY, "L")
SLOPE = GroundSpec("slope", slope_deg=12.0, direction_deg=35.0)
UP = GroundSpec("steps", rise_m=0.15, run_m=0.5)
WAVES = GroundSpec("field", spacing_m=0.1, origin_m=(-2.0, -2.0), heights_m=tuple(map(tuple, (
    0.025 * np.sin(2.0 * np.pi * np.arange(60)[:, None] * 0.1) * np.cos(2.0 * np.pi * np.arange(40) * 0.1)).tolist())))
HEADING = 0.3


def terrain(spec):
    return Terrain(make_ground(spec), GEOMETRY, BODY.leg_length_m)


def turn_of(pose):
    """Rotation (3, 3) of a foot in the world."""
    heading = matrix_from_quat(quat_from_rotvec(np.array([0.0, 0.0, HEADING])))
    return heading @ matrix_from_quat(quat_from_rotvec(pose.rotvec))


@pytest.mark.parametrize("yaw", [0.0, 0.7, -2.0])
def test_a_flat_foot_lies_along_the_slope(yaw):
    ground = make_ground(SLOPE)
    step = terrain(SLOPE).footstep(Footstep("L", 0.8 - 0.3j, yaw))
    pose = GEOMETRY.rolled(step, 0.0, HEADING)
    turn = turn_of(pose)
    np.testing.assert_allclose(turn[:, 2], ground.normal(0.0, 0.0), atol=1e-12)
    for x, y in ((GEOMETRY.heel_x, 0.03), (GEOMETRY.tip_x, -0.03), (0.0, 0.0)):
        sole = pose.ankle + turn @ [x, y, -GEOMETRY.ankle_height_m]
        assert sole[2] == pytest.approx(float(ground.height(sole[0], sole[1])), abs=1e-12)
    assert pose.ground_m == pytest.approx(float(ground.height(pose.ankle[0], pose.ankle[1])), abs=1e-12)
    forward = laid_back(turn[:, 0], step.support.normal)
    np.testing.assert_allclose(forward, [math.cos(yaw), math.sin(yaw), 0.0], atol=1e-12)


@pytest.mark.parametrize("pitch", [-0.3, 0.15])
def test_a_foot_rolls_on_the_slope(pitch):
    ground = make_ground(SLOPE)
    pose = GEOMETRY.rolled(terrain(SLOPE).footstep(Footstep("L", 0.8 - 0.3j, 0.4)), pitch, HEADING)
    pivot = [GEOMETRY.ball_x if pitch > 0.0 else GEOMETRY.heel_x, 0.0, GEOMETRY.radius_m - GEOMETRY.ankle_height_m]
    centre = pose.ankle + turn_of(pose) @ pivot
    above = (centre[2] - ground.height(centre[0], centre[1])) * ground.normal(0.0, 0.0)[2]
    assert above == pytest.approx(GEOMETRY.radius_m, abs=1e-12)


@pytest.mark.parametrize("pitch", [-0.2, 0.0, 0.4])
@pytest.mark.parametrize("spec", [GroundSpec(), SLOPE], ids=["level", "slope"])
def test_a_standing_foot_is_found_again(spec, pitch):
    step = terrain(spec).footstep(Footstep("L", 1.2 + 0.4j, 6.0))
    pose = GEOMETRY.rolled(step, pitch, HEADING)
    found = terrain(spec).stood("L", pose.ankle, turn_of(pose)[:, 0], 6.2)
    assert found.place == pytest.approx(step.place, abs=1e-9)
    assert found.yaw == pytest.approx(6.0, abs=1e-9)
    assert found.support.height_m == pytest.approx(step.support.height_m, abs=1e-9)


def test_on_a_plane_the_level_is_the_ground_under_the_com():
    land, ground, com = terrain(SLOPE), make_ground(SLOPE), 1.3 + 0.2j
    land.follow(com, None, Footstep("L", 0j, 0.0), Footstep("R", 1 + 0j, 0.0))
    assert land.level_m == pytest.approx(float(ground.height(1.3, 0.2)))
    velocity, acceleration = 0.8 + 0.1j, -0.5 + 0.7j
    assert land.rate(velocity) == pytest.approx(float(ground.height(velocity.real, velocity.imag)))
    assert land.second(velocity, acceleration) == pytest.approx(float(ground.height(acceleration.real, acceleration.imag)))


def follow_steps(land, com, steps):
    """Follow with the step in which the COM is, as the walker does."""
    middles = [0.5 * (a.place + b.place).real for a, b in zip(steps, steps[1:], strict=False)]
    i = max(min(int(np.searchsorted(middles, com.real)), len(steps) - 2), 1)
    land.follow(com, steps[i - 1], steps[i], steps[i + 1])


@pytest.mark.parametrize("spec", [UP, WAVES], ids=["steps", "field"])
def test_elsewhere_the_level_is_smooth_and_its_rates_are_its_derivatives(spec):
    land = terrain(spec)
    steps = [land.footstep(Footstep("LR"[i % 2], complex(0.55 * i, 0.1 * (-1) ** i), 0.0)) for i in range(7)]
    x, small = np.linspace(0.3, 2.9, 400), 1e-4
    velocity, acceleration = 0.9 + 0j, 0.4 + 0j

    def level(place):
        follow_steps(land, complex(place), steps)
        return land.level_m

    levels = np.array([level(place) for place in x])
    assert np.abs(np.diff(levels)).max() < 0.5 * (x[1] - x[0]), "no jump from step to step"
    assert min(s.support.height_m for s in steps) - 1e-9 <= levels.min()
    assert levels.max() <= max(s.support.height_m for s in steps) + 1e-9
    for place in (0.6, 1.2, 1.75):
        before, now, after = (level(place + d) for d in (-small, 0.0, small))
        follow_steps(land, complex(place), steps)
        slope, second = (after - before) / (2.0 * small), (after - 2.0 * now + before) / small**2
        assert land.rate(velocity) == pytest.approx(slope * 0.9, abs=1e-6)
        assert land.second(velocity, acceleration) == pytest.approx(slope * 0.4 + second * 0.81, abs=1e-3)


def swing(land, start, end):
    """Poses (ankle places) of a swing between two places on a ground, raised over what lies between."""
    path = FootPath(tables(), "L", 0.012, 1.0)
    left, target = (land.footstep(Footstep("L", place, 0.0)) for place in (start, end))
    off = path.phases.toe_off
    lift = path.standing(left, [off], 0.0)[0]
    raised = land.needed_raise(lift, left, target, path.landing(target, 0.0))
    lift = type(lift)(lift.ankle, lift.rotvec, lift.toe, lift.drift, lift.ground_m, raised)
    phases = np.linspace(off, 1.0, 40)
    return raised, path.swinging(lift, target, phases.tolist(), 0.0)


def test_on_a_slope_a_swing_needs_no_raise():
    assert swing(terrain(SLOPE), 0j, 1.3 + 0j)[0] == 0.0


def test_a_swing_is_raised_over_what_lies_between_lift_and_landing():
    heights = np.zeros((30, 10))
    heights[14:16] = 0.10
    wall = GroundSpec("field", heights_m=tuple(map(tuple, heights.tolist())), spacing_m=0.1, origin_m=(-0.5, -0.5))
    raised, poses = swing(terrain(wall), 0j, 1.6 + 0j)
    ground = make_ground(wall)
    assert 0.05 < raised < 0.3
    for pose in poses[8:-8]:
        forward = cmath.rect(1.0, 0.0)
        spots = complex(pose.ankle[0], pose.ankle[1]) + forward * np.linspace(GEOMETRY.heel_x, GEOMETRY.tip_x, 9)
        over = pose.ankle[2] - GEOMETRY.ankle_height_m - ground.height(spots.real, spots.imag)
        assert over.max() > -0.02, "the sole passes above the wall"
    middle = [p for p in poses if 0.9 < p.ankle[0] < 1.0]
    assert min(p.ankle[2] for p in middle) > 0.10 + GEOMETRY.ankle_height_m - 0.01

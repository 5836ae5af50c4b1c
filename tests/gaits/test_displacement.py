# SPDX-License-Identifier: GPL-3.0-or-later
"""Foot displacement maps: their shape over the cycle, and what the planner makes of them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.interpolate import PPoly

from lope.addon.errors import InputError
from lope.addon.gaits.tuned_maps import LARGEST, DisplacementMap, check_points
from lope.addon.locomotion.gait.shot_gait import Controls
from lope.addon.locomotion.gait.walk.footsteps import StepPlanner, StepSettings
from lope.addon.locomotion.legged.foot_path import FootPath, Footstep
from lope.addon.locomotion.legged.pose import GaitTables
from lope.addon.sim.simulation import simulate
from lope.addon.specs.motions import Gait
from lope.addon.specs.shot import Shot
from planner_kit import BODY, EARTH_G, WALK, rhythm_at, tables

LEG, TOE_OFF = BODY.leg_length_m, WALK.duty_factor
POINTS = np.random.default_rng(3).uniform(-0.03, 0.03, (6, 3))
PHASES = np.linspace(0.0, 1.0, 401)


def made(points=POINTS) -> DisplacementMap:
    """A map for the standard walk."""
    return DisplacementMap(points, TOE_OFF, LEG)


def points_of(row: int, axis: int, value: float = 0.02) -> np.ndarray:
    """Points of which one number is not zero."""
    points = np.zeros((6, 3))
    points[row, axis] = value
    return points


def test_goes_through_its_points_at_the_middles_of_the_thirds():
    thirds = np.array([1.0, 3.0, 5.0]) / 6.0
    phases = np.concatenate([TOE_OFF * thirds, TOE_OFF + (1.0 - TOE_OFF) * thirds])
    np.testing.assert_allclose(made().outward(phases), LEG * POINTS, atol=1e-12)


def test_is_periodic_and_smooth():
    found = made()
    np.testing.assert_allclose(found.outward(PHASES), found.outward(PHASES + 3.0), atol=1e-12)
    curve = PPoly(found._spline.coefficients, found._spline.knots, extrapolate="periodic")
    for order in (0, 1, 2):
        at = curve.derivative(order)
        np.testing.assert_allclose(at(1.0 - 1e-7), at(1e-7), atol=1e-3)


def test_mirrored_for_the_right_foot():
    left, right = made().offset(PHASES, "L"), made().offset(PHASES, "R")
    np.testing.assert_allclose(right, left * (1.0, -1.0, 1.0))
    assert np.abs(left[:, 1]).max() > 1e-3


def test_swing_offset_leaves_the_ends_alone():
    found = made()
    offsets = np.array([found.swing_offset(since, "L") for since in (TOE_OFF, 1.0, 1.2, 0.5 * (1.0 + TOE_OFF))])
    np.testing.assert_allclose(offsets[:3], 0.0, atol=1e-12)
    assert np.abs(offsets[3]).max() > 1e-3


def test_swing_offset_is_the_displacement_less_its_blended_ends():
    found, middle = made(), 0.5 * (1.0 + TOE_OFF)
    ends = 0.5 * (found.offset(TOE_OFF, "R") + found.offset(1.0, "R"))
    np.testing.assert_allclose(found.swing_offset(middle, "R"), found.offset(middle, "R") - ends, atol=1e-15)


def test_a_lifted_stance_lowers_the_body_by_as_much():
    level = np.zeros((6, 3))
    level[:, 2] = 0.01
    rise = made(level).body_rise(np.column_stack([PHASES, PHASES + 0.5]))
    np.testing.assert_allclose(rise, -0.01 * LEG, atol=1e-9)


def test_body_rise_is_smooth_and_only_of_feet_that_stand():
    rise = made(points_of(4, 2)).body_rise(np.column_stack([PHASES, PHASES + 0.5]))
    stance = made(points_of(1, 2)).body_rise(np.column_stack([PHASES, PHASES + 0.5]))
    assert np.abs(rise).max() < 0.3 * np.abs(stance).max()
    assert np.abs(np.diff(stance, 2)).max() < 0.05 * np.abs(stance).max()


@pytest.mark.parametrize("points", [np.zeros((5, 3)), [[1, 2, 3]] * 6, [[float("nan")] * 3] * 6, [["a"] * 3] * 6,
                                    [[LARGEST * 1.01] * 3] * 6])
def test_bad_points_are_told(points):
    with pytest.raises(InputError, match="displacement map"):
        check_points(points)


def test_no_map_is_the_zero_map_and_changes_nothing():
    assert not made(None).moves
    same = GaitTables(WALK, BODY, np.zeros((6, 3)))
    np.testing.assert_array_equal(same.table.value(PHASES), tables().table.value(PHASES))
    assert same.width_m == tables().width_m
    assert set(same.displacement.cop_shifts(rhythm_at(EARTH_G).stance_times("L"), 0.8)) == {0j}


def test_tables_take_up_height_and_width():
    wide, low = np.zeros((6, 3)), np.zeros((6, 3))
    wide[:, 1], low[:, 2] = 0.02, 0.01
    assert GaitTables(WALK, BODY, wide).width_m == pytest.approx(tables().width_m + 0.04 * LEG)
    lowered = GaitTables(WALK, BODY, low).table.value(PHASES)[:, 0] - tables().table.value(PHASES)[:, 0]
    np.testing.assert_allclose(lowered, -0.01 * LEG, atol=1e-6)


def test_centre_of_pressure_goes_against_a_standing_foot():
    ahead, out = np.zeros((6, 3)), np.zeros((6, 3))
    ahead[:, 0], out[:, 1] = 0.02, 0.02
    times, frequency = rhythm_at(EARTH_G).stance_times("L"), rhythm_at(EARTH_G).frequency
    for points, expected in ((ahead, -0.02 * LEG), (out, -0.02j * LEG)):
        shifts = made(points).cop_shifts(times, frequency)
        plain, moved = (StepPlanner(StepSettings(), LEG, -0.07, 0.13, 0.2, s) for s in ((0j, 0j, 0j), shifts))
        for side in (1, -1):
            move = np.subtract(moved.cop_places(1 + 2j, side, 1j), plain.cop_places(1 + 2j, side, 1j)) / 1j
            np.testing.assert_allclose(move.real + 1j * side * move.imag, expected, atol=1e-12)


@pytest.mark.parametrize(("axis", "row"), [(0, 4), (1, 4), (2, 4)])
def test_swing_path_is_displaced_in_the_heading_frame(axis, row):
    heading, side = 0.7, "R"
    plain, moved = (FootPath(t, side, 0.05) for t in (tables(), GaitTables(WALK, BODY, points_of(row, axis))))
    start, target = Footstep(side, 0j, heading), Footstep(side, 1.2 * np.exp(1j * heading), heading)
    lift = plain.geometry.rolled(start, 0.2, heading)
    since = [TOE_OFF, 0.5 * (1.0 + TOE_OFF), 1.0]
    shifts = [b.ankle - a.ankle for a, b in zip(plain.swinging(lift, target, since, heading),
                                                moved.swinging(lift, target, since, heading), strict=True)]
    np.testing.assert_allclose(shifts[0], 0.0, atol=1e-9)
    np.testing.assert_allclose(shifts[2], 0.0, atol=1e-9)
    c, s = np.cos(heading), np.sin(heading)
    local = np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]]) @ shifts[1]
    wanted = moved.tables.displacement.swing_offset(since[1], side)
    np.testing.assert_allclose(local, wanted, atol=1e-9)
    assert abs(local[axis]) > 0.01


@pytest.mark.slow
def test_a_map_changes_the_simulated_swing_and_does_no_harm():
    raised = points_of(4, 2, 0.05)
    plain, lifted = (
        simulate(Shot(motion=Gait(tuned=False), duration_s=3.0), settings=Controls(displacement=p)) for p in (None, raised)
    )
    assert not lifted.fell
    ankle = plain.body.index["foot_L"]
    highest = [take.segment_poses[0][100:, ankle, 2].max() for take in (plain, lifted)]
    assert highest[1] > highest[0] + 0.015


@pytest.mark.slow
def test_a_simulation_without_a_map_is_the_zero_maps_simulation():
    first, second = (simulate(Shot(motion=Gait(tuned=False), duration_s=1.0), settings=Controls(displacement=p))
                     for p in (None, np.zeros((6, 3))))
    np.testing.assert_array_equal(first.joint_quaternions, second.joint_quaternions)

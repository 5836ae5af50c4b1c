# SPDX-License-Identifier: GPL-3.0-or-later
"""Periodic tables and what the planner knows of a gait: exact derivatives, sizes that follow the body, symmetry."""

import numpy as np
import pytest

from lope.addon.bodies.makers import make_body
from lope.addon.locomotion.legged.pose import GaitTables
from lope.addon.maths.curves import PeriodicTable
from lope.addon.motions.cycle import Cycle
from lope.addon.specs.shot import BodySpec
from planner_kit import BODY, WALK, tables

pytestmark = pytest.mark.slow

PHASES = np.array([0.0, 0.03, 0.31, 0.5, 0.77, 0.99])


def wave(phase):
    """A series of a few harmonics (..., 2)."""
    angle = 2.0 * np.pi * np.asarray(phase)
    return np.stack([0.3 + np.cos(angle) - 0.2 * np.sin(3.0 * angle), 0.1 * np.sin(12.0 * angle) - 2.0], axis=-1)


def test_a_band_limited_function_is_reproduced():
    table = PeriodicTable(wave(np.arange(40) / 40), harmonics=12)
    np.testing.assert_allclose(table.value(PHASES), wave(PHASES), atol=1e-12)
    np.testing.assert_allclose(table.value(PHASES + 3.0), wave(PHASES), atol=1e-12)
    np.testing.assert_allclose(table.value(PHASES.reshape(2, 3)), wave(PHASES).reshape(2, 3, 2), atol=1e-12)
    np.testing.assert_allclose(table.value(0.31), wave(0.31), atol=1e-12)


@pytest.mark.parametrize("table", [PeriodicTable(wave(np.arange(40) / 40)), tables().table], ids=["wave", "walk"])
def test_derivatives_against_finite_differences(table):
    h = 1e-5
    slope = (table.value(PHASES + h) - table.value(PHASES - h)) / (2.0 * h)
    second = (table.slope(PHASES + h) - table.slope(PHASES - h)) / (2.0 * h)
    np.testing.assert_allclose(table.slope(PHASES), slope, atol=1e-6 * np.abs(second).max())
    np.testing.assert_allclose(table.second(PHASES), second, atol=1e-6 * np.abs(second).max())
    assert np.abs(slope).max() > 0.1 and np.abs(second).max() > 1.0


def test_derivatives_of_the_cycle_against_finite_differences():
    h = 1e-5
    for order in (1, 2):
        numeric = (WALK.evaluate(PHASES + h, order - 1) - WALK.evaluate(PHASES - h, order - 1)) / (2.0 * h)
        np.testing.assert_allclose(WALK.evaluate(PHASES, order), numeric, atol=1e-4)


def test_the_phases_of_a_foot_are_in_order_and_of_a_walk():
    walk = tables()
    for side in ("L", "R"):
        p = walk.phases[side]
        assert 0.0 <= p.flat <= p.heel_off <= p.toe_off < 1.0
        assert p.since_strike(p.strike) == 0.0
        assert p.since_strike(p.strike + 0.25) == pytest.approx(0.25)
        assert p.since_strike(p.strike - 0.25) == pytest.approx(0.75)
    assert walk.phases["L"].strike == 0.0
    assert 0.5 < walk.duty_factor < 0.75, "a walk: some of the time both feet stand"
    assert walk.duty_factor == pytest.approx(WALK.duty_factor)


def test_the_symmetrised_walk_does_the_same_on_both_sides():
    walk = tables()
    left, right = walk.table.value(PHASES)[:, walk.foot_slice("L")], walk.table.value(PHASES + 0.5)[:, walk.foot_slice("R")]
    np.testing.assert_allclose(right, left * (1, 1, -1, 1, -1), atol=1e-3)
    assert walk.foot_yaw["L"] == pytest.approx(-walk.foot_yaw["R"], abs=0.01)
    np.testing.assert_allclose(walk.table.value(PHASES)[:, 0], walk.table.value(PHASES + 0.5)[:, 0], atol=1e-4)


@pytest.mark.parametrize("height", [0.9, 1.8, 2.6])
def test_sizes_follow_the_body_and_phases_do_not(height):
    body = make_body(BodySpec(height_m=height))
    walk, scale = GaitTables(WALK, body), height / 1.8
    assert walk.stride_m == pytest.approx(scale * tables().stride_m)
    assert walk.width_m == pytest.approx(scale * tables().width_m)
    assert walk.com_height_mean_m == pytest.approx(scale * tables().com_height_mean_m, rel=1e-3)
    assert walk.phases == tables().phases
    assert 0.5 * height < walk.com_height_mean_m < 0.6 * height, "the centre of mass is a little above half the height"
    assert walk.stride_m == pytest.approx(WALK.stride_length_m / WALK.leg_length_m * body.leg_length_m)


@pytest.mark.parametrize("side", ["L", "R"])
def test_the_feet_stand_near_the_ground_and_swing_above_it(side):
    walk, phases = tables(), np.linspace(0.0, 1.0, 100, endpoint=False)
    p = walk.phases[side]
    heights = walk.table.value(p.strike + phases)[:, walk.foot_slice(side)][:, 1]
    sole = -BODY.sole_height_m
    flat = heights[(phases > p.flat) & (phases < p.heel_off)]
    assert np.abs(flat - sole).max() < 0.03
    assert heights[(phases > p.toe_off) & (phases < 1.0)].max() > sole + 0.05


@pytest.mark.parametrize("side", ["L", "R"])
def test_swing_progress_goes_from_toe_off_to_strike(side):
    walk = tables()
    p, x = walk.phases[side], walk.foot_slice(side).start
    since = np.linspace(p.toe_off, 1.0, 50)
    progress = [walk.swing_progress(side, float(walk.table.value(p.strike + s)[x]), s) for s in since]
    assert progress[0] == pytest.approx(0.0, abs=1e-12) and progress[-1] == pytest.approx(1.0, abs=1e-12)
    assert min(np.diff(progress)) > -0.005
    assert np.diff(progress)[20:30].mean() > np.diff(progress)[[0, -1]].mean(), "fastest in mid swing"


def test_a_standing_foot_keeps_its_place_on_the_ground():
    walk = tables()
    p, x = walk.phases["L"], walk.foot_slice("L").start
    since = np.linspace(p.flat, p.heel_off, 20)
    ground = walk.table.value(p.strike + since)[:, x] + since * walk.stride_m
    assert np.ptp(ground) < 0.06 * walk.stride_m, "it travels back as fast as the frame travels on"


def test_an_unsymmetric_cycle_has_feet_of_its_own():
    from lope.addon.motions.library import load_gait

    raw = load_gait("walk")
    assert isinstance(raw, Cycle)
    walk = GaitTables(raw, BODY)
    assert walk.phases["L"].strike == pytest.approx(raw.contact_phases["L"].strike % 1.0)
    assert walk.phases["R"].strike == pytest.approx(raw.contact_phases["R"].strike % 1.0)

# SPDX-License-Identifier: GPL-3.0-or-later
"""Steps that are shifted in the order in which they land, legs that swing as they bent, feet that stand while they do."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from lope.addon.motions.pressure.database import PER_FRAME
from lope.addon.motions.pressure.laying import at_poses, standing
from lope.addon.motions.pressure.steps import BENT, stepped, steps_of, with_legs
from lope.addon.motions.responses.feet import Figure, Legs, with_feet
from lope.addon.motions.responses.response import reference_body
from pressure_kit import step_motion

pytestmark = pytest.mark.slow

COUNT = 120


def stood() -> Figure:
    """Somebody who stands, knees bent."""
    still = step_motion("stands", 0.0, 0.0, True)
    return with_feet(reference_body(), still.root, still.turn, still.joints)


def in_air(*swings: tuple[int, int, int]) -> np.ndarray:
    """Feet that stand (N, 2) but for a foot's swings."""
    stands = np.ones((COUNT, 2), dtype=bool)
    for foot, begin, end in swings:
        stands[begin:end, foot] = False
    return stands


def test_steps_come_in_the_order_in_which_they_land():
    found = steps_of(in_air((0, 60, 80), (1, 20, 40), (0, 0, 10), (1, 110, COUNT)))
    assert [(step.foot, step.begin, step.end, step.until, step.alone) for step in found] == [
        (1, 20, 40, 110, 60), (0, 60, 80, COUNT, 110)]


def test_a_step_of_which_nothing_is_known_lands_beside_the_foot_that_stepped_before():
    figure, stands = stood(), in_air((1, 20, 40), (0, 60, 80))
    wanted = figure.ankles[::PER_FRAME, :, :2].copy()
    wanted[8:, 1] += [0.1, -0.05]
    wanted[:, 0] = np.nan
    after = stepped(Legs.of(reference_body()), figure, stands, wanted)
    shift = (after.ankles - figure.ankles)[..., :2]
    assert np.allclose(shift[[19, 40, 59, 80, -1], 1], [[0.0, 0.0], *[[0.1, -0.05]] * 4], atol=1e-9)
    assert np.allclose(shift[[40, 59, 80, -1], 0], [[0.0, 0.0]] * 2 + [[0.1, -0.05]] * 2, atol=1e-9)
    assert np.allclose((after.root - figure.root)[-1, :2], [0.1, -0.05], atol=1e-9)


def test_the_root_goes_so_far_that_both_hips_sink_alike():
    figure, stands = stood(), in_air((1, 20, 40))
    ankles, root = figure.ankles.copy(), figure.root.copy()
    ankles[:, 1, 0] += 0.3
    root[:, 0] += 0.1
    figure = replace(figure, ankles=ankles, root=root)
    wanted = ankles[::PER_FRAME, :, :2].copy()
    wanted[8:, 1, 0] += 0.1
    after = stepped(Legs.of(reference_body()), figure, stands, wanted)
    legs = [(one.ankles - one.root[:, None])[-1, :, :2] for one in (figure, after)]
    sinks = (legs[1] ** 2 - legs[0] ** 2).sum(axis=1)  # of legs as long as they were, from hips of one height
    assert sinks[0] == pytest.approx(sinks[1], abs=1e-9)
    assert (after.root - figure.root)[-1, 0] == pytest.approx(0.0625)


def test_the_root_goes_less_far_where_legs_do_not_reach_on_from_there():
    figure, stands = stood(), in_air((1, 20, 40))
    ankles, root = figure.ankles.copy(), figure.root.copy()
    ankles[30:, 1, 0] += 0.35
    root[:, 0] += np.interp(np.arange(COUNT), [20.0, 40.0, 50.0, 70.0], [0.0, 0.17, 0.17, 0.36])  # on over the foot that landed
    figure = replace(figure, ankles=ankles, root=root)
    wanted = ankles[::PER_FRAME, :, :2].copy()
    wanted[8:, 1, 0] += 0.3
    after = stepped(Legs.of(reference_body()), figure, stands, wanted)
    assert np.allclose(after.ankles[-1, 1, :2], wanted[-1, 1])
    assert 0.0 < (after.root - figure.root)[-1, 0] < 0.14  # less than half, by which hips sink alike as it lands


def test_a_foot_swings_past_the_leg_that_stands_not_through_it():
    figure, stands = stood(), in_air((1, 20, 50))
    ankles = figure.ankles.copy()
    ankles[:, 1, 0] += np.interp(np.arange(COUNT), [20.0, 50.0], [-0.35, 0.35])
    figure = replace(figure, ankles=ankles)
    wanted = ankles[::PER_FRAME, :, :2].copy()
    wanted[10:, 1, 1] = ankles[0, 0, 1]  # in line with the foot that stands, which it would meet half-way
    after = stepped(Legs.of(reference_body()), figure, stands, wanted)
    apart = after.ankles[:, 0, :2] - after.ankles[:, 1, :2]
    assert np.allclose(after.ankles[50:, 1, :2], wanted[-1, 1]) and np.allclose(after.ankles[:20], ankles[:20])
    beside = np.abs(apart[:, 0]) < 0.1
    assert beside.any() and apart[beside, 1].min() > 0.11
    assert np.abs(np.diff(after.ankles[:, 1, 1], n=2)).max() < 0.02


def test_a_foot_that_does_not_land_any_more_goes_beside_the_one_that_stands():
    figure, stands = stood(), in_air((1, 20, 40), (1, 90, COUNT))
    wanted = figure.ankles[::PER_FRAME, :, :2].copy()
    wanted[8:, 1] += [0.1, -0.05]
    after = stepped(Legs.of(reference_body()), figure, stands, wanted)
    shift = (after.ankles - figure.ankles)[..., :2]
    assert np.allclose(shift[[40, 89], 1], [0.1, -0.05]) and np.abs(shift[-1]).max() < 0.002
    assert np.abs((after.root - figure.root)[-1]).max() < 0.002


def test_hips_do_not_go_down_for_a_foot_in_the_air():
    body, figure, stands = reference_body(), stood(), in_air((1, 30, 90))
    ankles = figure.ankles.copy()
    ankles[30:90, 1] += [0.8, 0.0, 0.2]
    after = with_legs(body, replace(figure, ankles=ankles), stands)
    assert np.allclose(after.root, figure.root)
    away, own = (np.linalg.norm(one.ankles[60, 1] - one.root[60] - Legs.of(body).hips[1]) for one in (after, figure))
    assert away == pytest.approx(own)


def test_hips_go_down_for_a_foot_that_stands_before_its_leg_is_straight():
    body, figure = reference_body(), stood()
    legs, ankles = Legs.of(body), figure.ankles.copy()
    ankles[60:, 1, 0] += 0.45
    after = with_legs(body, replace(figure, ankles=ankles), in_air((1, 40, 60)))
    assert after.root[-1, 2] < figure.root[-1, 2] - 0.02
    leg = np.linalg.norm(after.ankles[-1, 1] - after.root[-1] - legs.hips[1])
    assert leg <= BENT * (legs.thigh_m + legs.shank_m) + 1e-9
    assert after.root[30, 2] < figure.root[30, 2] or after.root[55, 2] < figure.root[55, 2]  # before it has to


def test_a_part_that_is_on_its_way_up_does_not_stand():
    body, motion = reference_body(), step_motion("ahead", 0.35, 0.0)
    air = ~motion.planted[:, 1].any(axis=1)
    begin = int(air.argmax())
    late = motion.planted.copy()
    late[begin:begin + 8, 1] = True  # still pressed, though it has risen
    found = standing(body, replace(motion, planted=late))
    height = with_feet(body, motion.root, motion.turn, motion.joints).ankles[:, 1, 2]
    assert height[begin + 7] - height[begin - 1] > 0.01
    assert not found[begin + 7, 1].any() and found[begin - 1, 1].all()
    assert np.array_equal(found[:, 0], motion.planted[:, 0])


def test_a_foot_that_goes_over_from_heel_to_ball_stands_between_poses_too():
    stands = np.zeros((3, 2, 2), dtype=bool)
    stands[0, 0, 0] = stands[1, 0, 1] = True
    assert at_poses(np.array([0.0, 0.5, 1.0, 1.5]), stands)[:, 0].tolist() == [
        [True, False], [True, False], [False, True], [False, False]]


def test_a_foot_that_lies_still_on_the_ground_stands_whatever_bears_the_weight():
    motion = step_motion("ahead", 0.35, 0.0)
    found = standing(reference_body(), replace(motion, planted=np.zeros_like(motion.planted)))
    assert found[-30:].all() and found[:30].all()


def test_a_foot_that_brushes_over_the_ground_goes_on():
    motion = step_motion("ahead", 0.35, 0.0)
    middle = int(np.flatnonzero(~motion.planted[:, 1].any(axis=1)).mean())
    brushed = motion.planted.copy()
    brushed[middle:middle + 2, 1] = True
    assert not standing(reference_body(), replace(motion, planted=brushed))[middle:middle + 2, 1].any()


def test_a_foot_in_the_air_is_lifted_over_the_ground_before_it_would_touch():
    body, figure, stands = reference_body(), stood(), in_air((1, 30, 90))
    ankles = figure.ankles.copy()
    ankles[55:65, 1, 2] -= 0.03
    after = with_legs(body, replace(figure, ankles=ankles), stands).ankles[:, 1, 2]
    assert after[55:65].min() >= figure.ankles[60, 1, 2] + 0.01
    assert np.abs(np.diff(after[30:90], n=2)).max() < 0.004

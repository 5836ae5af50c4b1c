# SPDX-License-Identifier: GPL-3.0-or-later
"""Strides that are not alike: what is drawn from a seed, and that nothing is without it."""

import numpy as np
import pytest

from lope.addon.errors import InputError
from lope.addon.locomotion.legged.variation import CarriageVariation, StepVariation, Variation
from lope.addon.maths.rotations import matrix_from_quat
from lope.addon.sim.simulation import simulate
from lope.addon.specs.motion import Style
from lope.addon.specs.motions import PEOPLE, Gait
from lope.addon.specs.path import PathSpec
from lope.addon.specs.shot import Shot
from planner_kit import BODY

LEG = 0.9
TRAVEL = [0.7 + 0.01j] * 5


def test_without_variation_steps_are_as_they_were():
    steps = StepVariation(Variation(0.0, 3), LEG)
    assert (steps.time(4, 1), steps.length(4, 1), steps.aside_m(4, 1)) == (1.0, 1.0, 0.0)
    assert steps.varied(TRAVEL, 2, -1, 0.03) == TRAVEL


def test_steps_vary_as_people_do_and_remember_one_another():
    steps = StepVariation(Variation(1.0, 3), LEG)
    times, lengths = (np.array([draw(n, 1 - 2 * (n % 2)) for n in range(2000)]) for draw in (steps.time, steps.length))
    strides = times[:-1:2] + times[1::2]
    assert 0.02 < strides.std() / strides.mean() < 0.03 and 0.02 < lengths.std() / lengths.mean() < 0.045
    assert np.corrcoef(strides[1:], strides[:-1])[0, 1] > 0.1 and np.corrcoef(times, lengths)[0, 1] > 0.8
    asides = np.array([steps.aside_m(n, 1 - 2 * (n % 2)) for n in range(2000)])
    assert abs(asides.mean()) < 0.002 and np.abs(asides).max() < 0.05, "feet are set about the way, which stays"
    again = StepVariation(Variation(1.0, 3), LEG)
    assert again.time(1999, 1) == steps.time(1999, 1) and StepVariation(Variation(1.0, 4), LEG).time(5, 1) != steps.time(5, 1)


def test_steps_that_are_told_of_beforehand_are_those_that_come():
    steps = StepVariation(Variation(1.0, 0), LEG)
    own = [steps.aside_m(number, side) for number, side in ((7, 1), (8, -1))]
    first, second = steps.varied(TRAVEL, 7, 1, own[0]), steps.varied(TRAVEL, 8, -1, own[1])
    assert first[1:] == second[:-1]
    astray = steps.varied(TRAVEL, 7, 1, own[0] + 0.02)
    assert astray[1:] == first[1:] and astray[0] - first[0] == pytest.approx(-0.014j), "the next step leads back to the line"


def test_heads_nod_against_the_rise_and_arms_differ():
    names = ("chest", "neck", "head", "upper_arm_L", "upper_arm_R", "forearm_L")
    carriage = CarriageVariation(Variation(1.0, 1), BODY, names)
    mean, channels = np.zeros(16), np.tile(np.linspace(-0.4, 0.4, 16), (2, 1))
    low, high = carriage.moved(channels, mean, np.array([0.0, 0.04]))
    turned = np.degrees(high - low)
    assert turned[4] == pytest.approx(turned[7]) and 3.0 < turned[4] + turned[7] < 7.0
    assert np.abs(np.delete(turned, [4, 7])).max() < 1e-9
    assert np.abs(np.degrees(low - channels[0])).max() < 15.0
    carriage.time_s = 0.01
    assert np.abs(np.degrees(carriage.moved(channels, mean, np.zeros(2))[0] - low)).max() < 0.2, "it wanders slowly"


def test_similar_shots_repeat_their_stride():
    with pytest.raises(InputError, match="Only the gait law people takes the style's variation"):
        simulate(Shot(motion=Gait(style=Style(variation=2.0)), duration_s=2.0))


@pytest.mark.acceptance
@pytest.mark.slow
def test_another_seed_walks_otherwise():
    one, same, other = (simulate(Shot(motion=Gait(law=PEOPLE), duration_s=3.0, seed=seed)) for seed in (0, 0, 1))
    assert np.array_equal(one.com_m, same.com_m) and not np.array_equal(one.com_m, other.com_m)


@pytest.mark.slow
def test_heads_turn_to_where_the_path_leads_before_the_body_does():
    path = PathSpec(kind="points", points_m=((2.0, 0.0), (3.0, 1.0), (3.0, 6.0)))
    take = simulate(Shot(motion=Gait(law=PEOPLE, path=path, style=Style(variation=0.0)), duration_s=2.5))
    head, pelvis = (matrix_from_quat(take.segment_poses[1][:, take.body.index[name]]) for name in ("head", "pelvis"))
    head, pelvis = (np.degrees(np.arctan2(turn[:, 1, 0], turn[:, 0, 0])) for turn in (head, pelvis))
    assert not take.fell and 18.0 < (head - pelvis).max() < 35.0
    assert np.argmax(head > 25.0) < np.argmax(pelvis > 25.0)

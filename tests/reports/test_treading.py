# SPDX-License-Identifier: GPL-3.0-or-later
"""How feet come down and leave, and what a search of gaits from key poses makes of it."""

import pytest

from lope.addon.gaits.pose_gaits import load_pose_gait
from lope.addon.reports.events import treading
from lope.addon.search.pose_gait import looks_cost
from lope.addon.sim.simulation import simulate
from lope.addon.specs.motions import KeyPoses
from lope.addon.specs.shot import Shot

pytestmark = pytest.mark.slow


def walked(name, seconds=8.0):
    return simulate(Shot(motion=KeyPoses(load_pose_gait(name), start="standing"), duration_s=seconds))


@pytest.fixture(scope="module")
def printed():
    return walked("walk")


def test_the_natural_walk_lands_on_heels_and_leaves_by_toes_more_softly_than_the_printed_one(printed):
    take = walked("natural_walk")
    found, before = treading(take, 3.0), treading(printed, 3.0)
    assert not take.fell and found.peak < 2.5 < before.peak
    assert found.double_support > 0.12 and found.flight == 0.0
    assert 0.03 < before.apart_m < 0.3
    assert found.heel_first_s > 0.015 and found.toes_last_s > 0.1
    assert looks_cost(take, 3.0) < looks_cost(printed, 3.0) - 1.0


def test_nothing_is_told_of_a_take_without_a_step(printed):
    assert treading(printed, 1e3) is None

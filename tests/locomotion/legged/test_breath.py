# SPDX-License-Identifier: GPL-3.0-or-later
"""Breath of a body that stands, and none of one that walks."""

from dataclasses import replace

import numpy as np
import pytest

from lope.addon.errors import InputError
from lope.addon.locomotion.legged.pose import PERIOD_S, Breath
from lope.addon.maths.rotations import matrix_from_quat
from lope.addon.sim.simulation import simulate
from lope.addon.specs.motion import Style
from lope.addon.specs.motions import PEOPLE, Gait
from lope.addon.specs.shot import Shot
from lope.addon.worlds.planets import load_world
from planner_kit import EARTH_G, Follower

pytestmark = pytest.mark.slow


def clavicle_deg(take):
    """How far the left clavicle points up [deg] (T,) over where it does in the chest."""
    _, turned = take.segment_poses
    chest, clavicle = (matrix_from_quat(turned[:, take.body.index[name]]) for name in ("chest", "clavicle_L"))
    return np.degrees(np.arcsin((np.swapaxes(chest, 1, 2) @ clavicle)[:, 2, 1]))


@pytest.fixture(scope="module")
def stopped():
    """A walk on Mars that stops and stands on: with breath, a deep one, and none."""
    shot = Shot(motion=Gait(law=PEOPLE, stop="standing"), world=load_world("mars"), duration_s=14.0)
    return [simulate(shot.with_motion(style=Style(breath=size, variation=0.0))) for size in (1.0, 3.0, 0.0)]


@pytest.mark.acceptance
def test_who_stands_breathes(stopped):
    quiet, deep, none = (np.ptp(clavicle_deg(take)[take.time_s > take.time_s[-1] - PERIOD_S / 2.0]) for take in stopped)
    assert quiet > none + 0.5 and deep > 2.0 * quiet and deep < 7.0
    assert not any(take.fell for take in stopped)


@pytest.mark.acceptance
def test_who_walks_does_not(stopped):
    quiet, _, none = stopped
    walking = quiet.time_s < 4.0
    assert np.array_equal(quiet.segment_poses[1][walking], none.segment_poses[1][walking])


def test_similar_shots_hold_their_breath():
    with pytest.raises(InputError, match="Only the gait law people takes the style's breath"):
        simulate(Shot(motion=Gait(start="standing", style=Style(breath=2.0)), duration_s=4.0))


def test_without_breath_targets_are_as_they_were():
    """A body at rest: half a breath after the start the chest is open, and shut where there is none."""
    follower = Follower(EARTH_G)
    state, targets = follower.state, replace(follower.targets, time_s=PERIOD_S / 2.0)
    state.update(targets.pose, np.zeros(state.model.nv))
    assert Breath(state, 0.0).breathed(targets) is targets
    assert 0.005 < np.abs(Breath(state, 1.0).breathed(targets).pose - targets.pose).max() < 0.05
    state.update(targets.pose, np.eye(state.model.nv)[0])
    assert Breath(state, 1.0).breathed(targets) is targets, "at a metre a second"

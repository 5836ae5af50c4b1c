# SPDX-License-Identifier: GPL-3.0-or-later
"""A pose gait that stands until it is pushed."""

from dataclasses import replace

import pytest

from lope.addon.errors import InputError
from lope.addon.gaits.pose_gaits import load_pose_gait
from lope.addon.locomotion.key_poses.machine import Catcher, other_side
from lope.addon.sim.simulation import simulate
from lope.addon.specs.motions import KeyPoses
from lope.addon.specs.pose_gait import Catching
from lope.addon.specs.shot import Push, Shot

pytestmark = pytest.mark.slow

SHOVED = load_pose_gait("shoved")


def pushed(*force_n, seconds=3.0):
    pushes = (Push(1.0, 0.2, (*force_n, 0.0)),) if force_n else ()
    return simulate(Shot(motion=KeyPoses(SHOVED), pushes=pushes, duration_s=seconds))


def test_it_stands_and_takes_what_is_weak_in_place():
    take = pushed(40.0, 0.0)
    assert not take.fell and take.stats["pose_steps"] == 0


def test_it_steps_when_it_is_pushed_and_stands_again():
    take = pushed(0.0, 200.0, seconds=4.0)
    assert not take.fell and take.stats["pose_steps"] >= 2


def test_the_foot_that_the_push_unloads_steps_first():
    catcher = Catcher(SHOVED)
    left, right = catcher.gait_for(0.2 + 0.6j), catcher.gait_for(0.2 - 0.6j)
    assert left.states[1].swing == "R" and right.states[1].swing == "L"
    assert left.states[1].swing_hip == right.states[1].swing_hip  # mirror images
    assert other_side(left).states[1:] == right.states[1:]


def test_what_was_searched_is_what_is_done_there():
    one = SHOVED.catching.samples[0]
    gait, own = Catcher(SHOVED).gait_for(complex(*one[:2])), SHOVED.states[1]
    assert gait.states[1].swing_hip == pytest.approx(own.swing_hip + one[2], abs=1e-6)
    assert gait.states[1].swing_hip_outward == pytest.approx(own.swing_hip_outward + one[3], abs=1e-6)


def test_few_samples_go_by_the_nearest():
    near = Catcher(replace(SHOVED, catching=Catching(samples=((0.5, 0.0, 0.1, 0.0), (-0.5, 0.0, -0.1, 0.0)))))
    assert near.gait_for(0.4 + 0.1j).states[1].swing_hip == pytest.approx(SHOVED.states[1].swing_hip + 0.1)


@pytest.mark.parametrize(("changed", "said"), [
    ({"states": SHOVED.states[1:]}, "begins in its first state, which stands on both feet"),
    ({"catching": Catching(samples=((0.5, 0.0, 0.1),))}, "two of a velocity"),
    ({"catching": Catching(samples=((0.5, 0.0, 0.1, 0.0), (0.5, 0.0, 0.1, 0.0, 0.0, 0.0)))}, "all of one length"),
])
def test_a_gait_that_cannot_catch_says_so(changed, said):
    with pytest.raises(InputError, match=said):
        replace(SHOVED, **changed)

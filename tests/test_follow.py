# SPDX-License-Identifier: GPL-3.0-or-later
"""A clip followed: whole motions, on Earth and elsewhere, in every engine."""

import numpy as np
import pytest

from follow_kit import captured, follow_shot, walk_clip
from lope.addon.errors import InputError
from lope.addon.simulate import Simulation, simulate


def test_the_walk_is_followed_to_its_end():
    take = simulate(follow_shot(walk_clip()))
    assert not take.fell and take.lost is None
    assert take.stats["followed_fraction"] == pytest.approx(1.0, abs=0.02)
    assert np.sqrt(np.mean(take.channels["follow_joint_error_deg"].values ** 2)) < 8.0
    assert take.channels["follow_com_off_plan_m"].values.mean() < 0.10
    assert take.stats["touchdown_timing_ms_median"] < 50.0 and take.stats["foot_off_print_m_max"] < 0.25
    assert len(take.plan_footstep_time_s) >= 5


@pytest.mark.parametrize("engine", ["pybullet", "ideal"])
def test_the_walk_is_followed_in_every_engine(engine):
    if engine == "pybullet":
        pytest.importorskip("pybullet")
    take = simulate(follow_shot(walk_clip(), engine=engine))
    assert not take.fell and take.lost is None and take.stats["followed_fraction"] > 0.98


def test_the_same_shot_gives_the_same_take():
    one, other = (simulate(follow_shot(walk_clip(), until_end=False, duration_s=0.6, noise=0.02, seed=3)) for _ in range(2))
    np.testing.assert_array_equal(one.joint_quaternions, other.joint_quaternions)


def test_a_follower_is_neither_steered_nor_led_from_another_state():
    controller = Simulation(follow_shot(walk_clip())).controller
    with pytest.raises(InputError, match="cannot be steered"):
        controller.steer({"speed_m_s": 1.0})
    with pytest.raises(InputError, match="clip's first frame"):
        controller.start((controller.state.qpos, controller.state.qvel))


def test_from_a_stop_through_a_turn_on_the_moon_to_a_stop():
    """The slow test of a whole captured motion: it starts and stops by itself."""
    take = simulate(follow_shot(captured("snu_walk_left_90"), "moon"))
    assert not take.fell and take.stats["followed_fraction"] > 0.98
    assert np.abs(take.com_velocity_m_s[-1]).max() < 0.1

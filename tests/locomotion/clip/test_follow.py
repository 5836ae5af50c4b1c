# SPDX-License-Identifier: GPL-3.0-or-later
"""A clip followed: whole motions, on Earth and elsewhere, in every engine."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from follow_kit import captured, follow_shot, walk_clip, walk_plan
from lope.addon.errors import InputError
from lope.addon.maths.rotations import quat_from_rotvec, quat_multiply
from lope.addon.sim.simulation import Simulation, simulate

pytestmark = pytest.mark.slow


def whole_share() -> float:
    """How much of the walk there is to follow: it ends in mid stride, and nobody knows where the last step lands."""
    share = walk_plan().end_s / walk_plan().clip.duration_s
    assert share < 0.98
    return share


def test_the_walk_is_followed_to_its_end():
    take = simulate(follow_shot(walk_clip()))
    assert not take.fell and take.lost is None
    assert take.stats["followed_fraction"] == pytest.approx(whole_share(), abs=0.02)
    assert np.sqrt(np.mean(take.channels["follow_joint_error_deg"].values ** 2)) < 8.0
    assert take.channels["follow_com_off_plan_m"].values.mean() < 0.10
    assert take.stats["touchdown_timing_ms_median"] < 50.0 and take.stats["foot_off_print_m_max"] < 0.25
    assert len(take.plan_footstep_time_s) >= 5


@pytest.mark.parametrize(("engine", "seed"), [("pybullet", 0), ("ideal", 3)])
def test_the_walk_is_followed_in_every_engine(engine, seed):
    """In the ideal engine feet stop within one step: three starts of five fall at a landing (docs/notes/follow.md)."""
    if engine == "pybullet":
        pytest.importorskip("pybullet")
    take = simulate(follow_shot(walk_clip(), engine=engine, seed=seed, noise=0.02 if seed else 0.0))
    assert not take.fell and take.lost is None and take.stats["followed_fraction"] > whole_share() - 0.02


def test_the_same_shot_gives_the_same_take():
    one, other = (simulate(follow_shot(walk_clip(), until_end=False, duration_s=0.6, noise=0.02, seed=3)) for _ in range(2))
    np.testing.assert_array_equal(one.joint_quaternions, other.joint_quaternions)


def test_a_follower_is_neither_steered_nor_led_from_another_state():
    controller = Simulation(follow_shot(walk_clip())).controller
    with pytest.raises(InputError, match="cannot be steered"):
        controller.steer({"speed_m_s": 1.0})
    with pytest.raises(InputError, match="clip's first frame"):
        controller.start((controller.state.qpos, controller.state.qvel))


def placed(lift_m=0.0, tilt_deg=0.0):
    """A follower at its start, lifted and pitched, with a plan that has its centre of mass in a high flight."""
    simulation = Simulation(follow_shot(walk_clip()))
    controller, state, qpos = simulation.controller, simulation.state, simulation.engine.qpos.copy()
    qpos[2] += lift_m
    lean = quat_from_rotvec(np.radians(tilt_deg) * np.array([0.0, 1.0, 0.0]))
    qpos[3:7] = quat_multiply(lean, qpos[3:7])
    state.update(qpos, simulation.engine.qvel)
    plan, high = controller.planned.plan, CubicSpline([0.0, 1.0, 2.0, 3.0, 4.0], np.full(5, 5.0))
    controller.planned = replace(controller.planned, plan=replace(plan, com=replace(plan.com, height=high)))
    return controller


def test_a_fall_is_judged_against_the_clips_own_stature():
    assert not placed().fallen()  # late at a take-off: upright on its feet
    assert placed(lift_m=-0.4).fallen()


def test_who_turns_over_in_the_air_is_judged_when_he_lands():
    assert not placed(lift_m=1.0, tilt_deg=80.0).fallen()
    assert placed(lift_m=-0.5, tilt_deg=80.0).fallen()


@pytest.mark.acceptance
def test_from_a_stop_through_a_turn_on_the_moon_to_a_stop():
    """The slow test of a whole captured motion: it starts and stops by itself."""
    take = simulate(follow_shot(captured("snu_walk_left_90"), "moon").with_motion(time="planet"))
    assert not take.fell and take.stats["followed_fraction"] > 0.98
    assert np.abs(take.com_velocity_m_s[-1]).max() < 0.1

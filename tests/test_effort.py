# SPDX-License-Identifier: GPL-3.0-or-later
"""Effort a metre and distance of poses: of known motions, and of takes."""

import dataclasses
import sys
from pathlib import Path

import numpy as np
import pytest

from lope.addon.simulate import simulate
from lope.addon.specs.shot import Shot
from lope.addon.worlds.planets import load_world
from take_factory import Walk, make_take

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "scripts"))

from validation.effort import RESTING_W_KG, TORQUE_WEIGHT, effort, joint_power_w
from validation.poses import pose_curves, pose_distance_deg


@pytest.fixture(scope="module")
def walk():
    """A walk on the Earth."""
    return simulate(Shot(duration_s=7.0))


def with_torque(take, torque):
    """The take with other torques."""
    return dataclasses.replace(take, arrays={**take.arrays, "torque_nm": np.ascontiguousarray(torque)})


def test_a_body_that_does_nothing_costs_its_rest(walk):
    idle = effort(with_torque(walk, np.zeros_like(walk.torque_nm)))
    assert idle.work_w_kg == idle.torque_w_kg == 0.0
    assert idle.cost_j_kg_m == pytest.approx(RESTING_W_KG / idle.speed_m_s)
    assert idle.speed_m_s == pytest.approx(1.28, rel=0.05)


def test_torques_count_by_their_squares_over_mass(walk):
    held = np.zeros_like(walk.torque_nm)
    held[:, 0] = 30.0
    assert effort(with_torque(walk, held)).torque_w_kg == pytest.approx(TORQUE_WEIGHT * (30.0 / walk.body.mass_kg) ** 2)


def test_power_is_torque_times_the_rate_of_the_joint(walk):
    power, names, _ = joint_power_w(walk)
    assert power.shape == (len(walk.time_s), len(walk.body.joint_segments)) and names == list(walk.body.joint_segments)
    knee = names.index("shank_L")
    angle = 2.0 * np.arctan2(walk.joint_quaternions[:, knee, 2], walk.joint_quaternions[:, knee, 0])
    at = sum(3 if walk.body.segment(name).joint == "ball" else 1 for name in names[:knee])
    rate = np.gradient(np.unwrap(angle), walk.time_s)
    expected = walk.torque_nm[:, at] * rate
    assert np.corrcoef(power[10:, knee], expected[10:])[0, 1] > 0.95


def test_the_walk_on_earth_costs_about_what_it_costs_people(walk):
    """3.3 J/kg/m gross at 1.3 m/s is what the mix was fitted to."""
    assert effort(walk).cost_j_kg_m == pytest.approx(3.2, abs=0.4)


def test_poses_of_a_take_are_no_distance_from_themselves(walk):
    assert set(pose_distance_deg(walk, walk).values()) == {0.0}
    assert len(pose_curves(walk)) == 11


def test_one_joint_held_otherwise_is_seen_in_that_joint_alone(walk):
    from lope.addon.maths.quaternions import quat_from_rotvec, quat_multiply

    joints = walk.joint_quaternions.copy()
    knee = walk.body.joint_segments.index("shank_R")
    joints[:, knee] = quat_multiply(joints[:, knee], quat_from_rotvec(np.array([0.0, np.radians(10.0), 0.0])))
    bent = dataclasses.replace(walk, arrays={**walk.arrays, "joint_quaternions": joints})
    apart = pose_distance_deg(bent, walk)
    assert apart["knee"] == pytest.approx(10.0 / np.sqrt(2.0), rel=1e-3) and apart["all"] == pytest.approx(
        10.0 / np.sqrt(11.0), rel=1e-3)
    assert max(apart[joint] for joint in ("hip", "ankle", "trunk", "shoulder", "elbow")) < 1e-6


def test_the_moon_shows_in_the_gait_that_people_choose():
    moon = load_world("moon")
    chosen = simulate(Shot(gait="auto", world=moon, gait_law="people", duration_s=9.0))
    assert pose_distance_deg(chosen, simulate(Shot(duration_s=7.0)))["all"] > 20.0


def test_a_take_without_strides_has_no_effort():
    from lope.addon.errors import InputError

    with pytest.raises(InputError, match="no whole stride"):
        effort(make_take(Walk(seconds=0.5)))

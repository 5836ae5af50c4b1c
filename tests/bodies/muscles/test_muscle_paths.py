# SPDX-License-Identifier: GPL-3.0-or-later
"""Muscles' paths on bodies: moment arms are what lengths say, the model moves as without them, left mirrors right."""

import mujoco
import numpy as np
import pytest

from lope.addon.bodies.model import build_model, model_xml
from lope.addon.bodies.muscles.paths import PathKinematics
from lope.addon.bodies.muscles.sets import muscles_for, set_names
from lope.addon.bodies.state import BodyState
from lope.addon.specs.shot import World
from muscle_bodies import BODIES, human

STEP_RAD = 1e-5


def random_pose(model: mujoco.MjModel, seed: int, bend_rad: float = 0.5) -> np.ndarray:
    """A pose (nq,) within the joints' limits: hinges anywhere, balls up to so far from neutral."""
    random = np.random.default_rng(seed)
    qpos = model.qpos0.copy()
    for joint in range(1, model.njnt):
        at = model.jnt_qposadr[joint]
        if model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_BALL:
            mujoco.mju_axisAngle2Quat(qpos[at:at + 4], *_turn(random, bend_rad))
        else:
            qpos[at] = random.uniform(*model.jnt_range[joint])
    return qpos


def _turn(random, bend_rad: float):
    axis = random.normal(size=3)
    return axis / np.linalg.norm(axis), random.uniform(-bend_rad, bend_rad)


@pytest.mark.parametrize("name", set_names())
@pytest.mark.parametrize("kind", BODIES)
def test_moment_arms_are_the_slopes_of_the_lengths(kind, name):
    body = BODIES[kind]
    paths = PathKinematics(body, muscles_for(body, name))
    model, still = paths.model, np.zeros(paths.model.nv)
    for seed in range(3):
        qpos = random_pose(model, seed)
        paths.update(qpos, still)
        arms = paths.arms_m.copy()
        slopes = np.zeros_like(arms)
        for column in range(model.nv):
            ends = []
            for sign in (1.0, -1.0):
                moved = qpos.copy()
                mujoco.mj_integratePos(model, moved, sign * STEP_RAD * np.eye(model.nv)[column], 1.0)
                paths.update(moved, still)
                ends.append(paths.length_m.copy())
            slopes[column] = -(ends[0] - ends[1]) / (2.0 * STEP_RAD)
        np.testing.assert_allclose(arms, slopes, atol=1e-6)


@pytest.mark.parametrize("name", set_names())
def test_a_muscle_pulls_the_body_nowhere_and_gets_longer_as_its_rate_says(name):
    body = BODIES["adult"]
    paths = PathKinematics(body, muscles_for(body, name))
    qpos, qvel = random_pose(paths.model, 5), np.random.default_rng(6).normal(size=paths.model.nv)
    paths.update(qpos, qvel)
    np.testing.assert_allclose(paths.arms_m[:6], 0.0, atol=1e-12)
    rate, ends = paths.rate_m_s.copy(), []
    for sign in (1.0, -1.0):
        moved = qpos.copy()
        mujoco.mj_integratePos(paths.model, moved, qvel, sign * 1e-5)
        paths.update(moved, qvel)
        ends.append(paths.length_m.copy())
    np.testing.assert_allclose(rate, (ends[0] - ends[1]) / 2e-5, atol=1e-5)


@pytest.mark.parametrize("name", set_names())
def test_paths_change_no_motion(name):
    body = BODIES["adult"]
    bare = build_model(body, World())
    muscled = build_model(body, World(), muscles=muscles_for(body, name))
    for seed in range(3):
        qpos, qvel = random_pose(bare, seed), np.random.default_rng(seed).normal(size=bare.nv)
        torque = np.concatenate([np.zeros(6), np.random.default_rng(seed + 9).normal(size=bare.nv - 6)])
        found = []
        for model in (bare, muscled):
            data = mujoco.MjData(model)
            data.qpos[:], data.qvel[:], data.qfrc_applied[:] = qpos, qvel, torque
            mujoco.mj_forward(model, data)
            found.append(data.qacc.copy())
        np.testing.assert_allclose(found[0], found[1], atol=1e-12, rtol=1e-12)
    assert model_xml(body, World()) == model_xml(body, World(), muscles=None)
    assert "tendon" not in model_xml(body, World())


def test_the_state_of_a_body_with_muscles_has_their_arms_and_one_without_has_none():
    body = BODIES["adult"]
    muscles = muscles_for(body, "legs")
    paths, state = PathKinematics(body, muscles), BodyState(body, build_model(body, World(), muscles=muscles))
    qpos, qvel = random_pose(paths.model, 7), np.random.default_rng(8).normal(size=paths.model.nv)
    paths.update(qpos, qvel)
    state.update(qpos, qvel)
    np.testing.assert_array_equal(state.muscles.arms_m, paths.arms_m)
    np.testing.assert_array_equal(state.muscles.length_m, paths.length_m)
    np.testing.assert_array_equal(state.muscles.rate_m_s, paths.rate_m_s)
    assert BodyState(body, build_model(body, World())).muscles is None


@pytest.mark.parametrize("name", set_names())
def test_left_mirrors_right(name):
    body = BODIES["adult"]
    muscles = muscles_for(body, name)
    paths = PathKinematics(body, muscles)
    paths.update(paths.model.qpos0, np.zeros(paths.model.nv))
    by_name = dict(zip(muscles.names, paths.length_m, strict=True))
    for muscle in muscles:
        if muscle.side == "L":
            assert by_name[muscle.name] == pytest.approx(by_name[f"{muscle.name[:-2]}_R"], abs=1e-12)


def test_the_same_figure_twice_as_large_has_all_twice_as_long():
    small, large = human(1.0, 15.0), human(2.0, 120.0)
    for one, other in zip(muscles_for(small, "legs"), muscles_for(large, "legs"), strict=True):
        assert other.optimal_fibre_m == pytest.approx(2.0 * one.optimal_fibre_m)
        assert other.tendon_slack_m == pytest.approx(2.0 * one.tendon_slack_m)
        assert other.max_force_n == pytest.approx(8.0 * one.max_force_n)  # as heavy as 2^3, so as strong over its weight

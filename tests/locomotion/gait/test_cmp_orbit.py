# SPDX-License-Identifier: GPL-3.0-or-later
"""The angular momentum of a cycle, and what it does to the pendulum."""

import mujoco
import numpy as np
import pytest

from lope.addon.bodies.kinematics import segment_poses, specific_angular_momentum
from lope.addon.bodies.model import build_model
from lope.addon.locomotion.gait.walk.pendulum import CmpOrbit
from lope.addon.maths.rotations import quat_from_rotvec
from lope.addon.specs.shot import World
from planner_kit import BODY, tables

pytestmark = pytest.mark.slow

POSES = 64
FREQUENCY, GRAVITY, OMEGA = 0.9, 9.81, 3.2


@pytest.mark.parametrize("axis", [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)])
def test_a_turning_statue_has_the_angular_momentum_that_mujoco_gives_it(axis):
    angles = 0.3 * np.sin(2.0 * np.pi * np.arange(POSES) / POSES)
    still = np.zeros((POSES, len(BODY.segments) - 1, 4))
    still[..., 0] = 1.0
    turns = quat_from_rotvec(angles[:, None] * np.array(axis))
    angular_momentum = specific_angular_momentum(BODY, *segment_poses(BODY, np.zeros((POSES, 3)), turns, still))
    model = build_model(BODY, World())
    data = mujoco.MjData(model)
    for i in (0, 11, 40):
        data.qpos[3:7] = turns[i]
        data.qvel[3:6] = 0.3 * 2.0 * np.pi * np.cos(2.0 * np.pi * i / POSES) * np.array(axis)
        mujoco.mj_forward(model, data)
        mujoco.mj_subtreeVel(model, data)
        np.testing.assert_allclose(angular_momentum[i], data.subtree_angmom[1] / BODY.mass_kg, atol=1e-9)


def test_the_orbit_obeys_the_pendulum():
    orbit, step = CmpOrbit(tables().angular_momentum_rate, FREQUENCY, GRAVITY, OMEGA), 1e-5
    for phase in np.linspace(0.0, 1.0, 9):
        now, before, after = (orbit.at(phase + FREQUENCY * dt) for dt in (0.0, -step, step))
        assert (after.com - before.com) / (2.0 * step) == pytest.approx(now.velocity, abs=1e-6)
        acceleration = (after.velocity - before.velocity) / (2.0 * step)
        assert acceleration == pytest.approx(OMEGA**2 * (now.com - now.cmp), abs=1e-6)
        assert now.capture == pytest.approx(now.com + now.velocity / OMEGA, abs=1e-12)


def test_what_the_swing_does_is_left_right_symmetrical_and_turns_with_the_body():
    orbit = CmpOrbit(tables().angular_momentum_rate, FREQUENCY, GRAVITY, OMEGA)
    left, right = orbit.at(0.2), orbit.at(0.7)
    assert left.cmp == pytest.approx(right.cmp.conjugate(), abs=1e-6)
    assert abs(left.cmp) > 0.005
    assert orbit.at(0.2, 1j).com == pytest.approx(1j * left.com)

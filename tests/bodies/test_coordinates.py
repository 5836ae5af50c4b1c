# SPDX-License-Identifier: GPL-3.0-or-later
"""Generalised coordinates of free and planar roots against MuJoCo's own kinematics, and a planar body in the engines."""

import mujoco
import numpy as np
import pytest

from body_kit import creature
from engine_kit import BODY, EARTH, needs_pybullet, random_state
from lope.addon.bodies.body import joint_quaternions, root_pose
from lope.addon.bodies.kinematics import segment_poses
from lope.addon.bodies.model import build_model
from lope.addon.engines.engine import make_engine
from lope.addon.errors import BodyError

pytestmark = pytest.mark.slow

PLANAR = creature(2, "planar")


@pytest.mark.parametrize("body", [BODY, creature(3, hip="ball"), PLANAR, creature(1, "planar", "ball")],
                         ids=["human", "creature", "planar", "planar with balls"])
def test_poses_are_those_of_the_model(body):
    qpos, _ = random_state(body, np.random.default_rng(3))
    data = mujoco.MjData(build_model(body, EARTH))
    data.qpos[:] = qpos
    mujoco.mj_kinematics(build_model(body, EARTH), data)
    places, turns = segment_poses(body, *root_pose(body, qpos[None]), joint_quaternions(body, qpos[None]))
    np.testing.assert_allclose(places[0], data.xpos[1:], atol=1e-12)
    signs = np.sign((turns[0] * data.xquat[1:]).sum(axis=1, keepdims=True))
    np.testing.assert_allclose(signs * turns[0], data.xquat[1:], atol=1e-12)
    assert qpos.size == body.coordinates and len(places[0]) == len(body.segments)


def test_a_planar_body_falls_within_its_plane():
    """x, z and pitch: pushed aside it stays in the plane, gravity accelerates z, positive pitch takes the nose down."""
    engine = make_engine("mujoco", PLANAR, EARTH)
    start, rate = np.zeros(PLANAR.coordinates), np.zeros(PLANAR.degrees_of_freedom)
    start[1], rate[0], rate[2] = 3.0, 0.5, 1.0
    engine.reset(start, rate)
    engine.push("beam", np.array([0.0, 50.0, 0.0]))
    engine.advance(np.zeros(PLANAR.degrees_of_freedom - PLANAR.root_freedom), 200)
    (place,), (turn,) = root_pose(PLANAR, engine.qpos[None])
    assert place[1] == 0.0 and 2.75 < place[2] < 2.85  # half g t^2 = 0.196, and the beam swings about its own middle
    assert engine.qpos[2] > 0.1 and turn[2] == pytest.approx(np.sin(0.5 * engine.qpos[2])) and turn[1] == turn[3] == 0.0


@needs_pybullet
def test_pybullet_says_that_it_moves_no_planar_body():
    with pytest.raises(BodyError, match="root is free; this one's is planar. Choose the engine mujoco"):
        make_engine("pybullet", PLANAR, EARTH)

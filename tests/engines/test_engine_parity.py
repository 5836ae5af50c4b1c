# SPDX-License-Identifier: GPL-3.0-or-later
"""The same body in MuJoCo and PyBullet: same inertia, same accelerations, same flight."""

import subprocess
import sys

import numpy as np
import pytest

from engine_kit import BODY, EARTH, SMALL_BODY, mujoco_acceleration, random_state, standing
from lope.addon.bodies.human.body import Human
from lope.addon.bodies.model import Stepping, build_model
from lope.addon.engines.engine import Torques
from lope.addon.engines.mujoco_engine import MujocoEngine

pybullet = pytest.importorskip("pybullet", reason="PyBullet is not installed (wheels: Linux x86-64, Python 3.11)")

from lope.addon.engines.pybullet_engine import PyBulletEngine  # noqa: E402

TILTED_BODY = Human.from_landmarks(
    {**BODY.landmarks, "lower_spine": (-0.06, 0.02, 1.05), "chest": (-0.09, -0.03, 1.24), "clavicle_L": (0.04, 0.03, 1.40)},
    88.0)  # no principal axis lies along a body axis

def pybullet_acceleration(body, qpos, qvel, torque, pushes=(), step_s=1e-5):
    """Velocity change over one short step of PyBullet, per second."""
    engine = PyBulletEngine(body, EARTH, Stepping(step_s))
    engine.reset(qpos, qvel)
    for segment, force in pushes:
        engine.push(segment, force)
    before = engine.qvel.copy()
    engine.advance(torque, 1)
    engine.close()
    return (engine.qvel - before) / engine.step_s


@pytest.mark.parametrize("body", [BODY, SMALL_BODY, TILTED_BODY], ids=["whole", "welded", "tilted"])
@pytest.mark.parametrize("seed", range(4))
def test_thrown_with_random_torques_both_engines_accelerate_alike(body, seed):
    rng = np.random.default_rng(seed)
    qpos, qvel = random_state(body, rng)
    torque = rng.normal(0.0, 5.0, body.degrees_of_freedom - 6)
    expected = mujoco_acceleration(body, qpos, qvel, torque)
    found = pybullet_acceleration(body, qpos, qvel, torque)
    assert np.linalg.norm(found - expected) < 1e-5 * np.linalg.norm(expected)  # asked for: 1e-3


@pytest.mark.slow
def test_each_joint_torque_alone_gives_the_same_acceleration():
    qpos, qvel = random_state(BODY, np.random.default_rng(10))
    for i in range(0, 48, 5):
        torque = np.eye(48)[i]
        expected = mujoco_acceleration(BODY, qpos, 0.0 * qvel, torque)
        found = pybullet_acceleration(BODY, qpos, 0.0 * qvel, torque)
        assert np.linalg.norm(found - expected) < 1e-5 * np.linalg.norm(expected)


def test_a_long_flight_stays_the_same_in_both_engines():
    qpos, qvel = random_state(BODY, np.random.default_rng(3), bend_rad=0.1)
    qvel[3:] *= 0.2  # slow enough that no joint reaches its limit
    engines = [MujocoEngine(BODY, EARTH), PyBulletEngine(BODY, EARTH)]
    for engine in engines:
        engine.reset(qpos, qvel)
        for _ in range(50):
            engine.advance(np.zeros(48), 4)
            assert engines[0].data.nefc == 0
    np.testing.assert_allclose(engines[1].qpos, engines[0].qpos, atol=1e-4)
    np.testing.assert_allclose(engines[1].qvel, engines[0].qvel, atol=2e-3)


@pytest.mark.parametrize("size", [0.5, 40.0], ids=["little", "more than an explicit one could"])
def test_damping_of_any_size_brakes_alike_in_both_engines(size):
    qpos, qvel = random_state(BODY, np.random.default_rng(3), bend_rad=0.1)
    damping = size * np.linspace(0.2, 1.0, 48)  # of a ball's three coordinates each its own
    engines = [MujocoEngine(BODY, EARTH), PyBulletEngine(BODY, EARTH)]
    for engine in engines:
        engine.reset(qpos, qvel)
        for tick in range(30):
            engine.apply(Torques(np.zeros(48), damping if tick % 10 == 0 else None), 0.002)
    assert np.linalg.norm(engines[0].qvel[6:]) < (0.8 if size < 1.0 else 0.4) * np.linalg.norm(qvel[6:])
    np.testing.assert_allclose(engines[1].qvel, engines[0].qvel, atol=5e-3)
    np.testing.assert_allclose(engines[1].qpos, engines[0].qpos, atol=1e-3)


@pytest.mark.parametrize("seed", range(5))
def test_state_survives_the_conversion_to_bullet_and_back(seed):
    engine = PyBulletEngine(BODY, EARTH)
    qpos, qvel = random_state(BODY, np.random.default_rng(seed))
    for sign in (1.0, -1.0):  # both quaternions of one orientation
        qpos[3:7] *= sign
        engine.reset(qpos, qvel)
        np.testing.assert_allclose(engine.qpos, qpos, atol=1e-12)
        np.testing.assert_allclose(engine.qvel, qvel, atol=1e-12)


@pytest.mark.parametrize("body", [BODY, SMALL_BODY, TILTED_BODY], ids=["whole", "welded", "tilted"])
def test_bullet_holds_exactly_the_asked_inertia(body):
    engine = PyBulletEngine(body, EARTH)
    for link, segment in enumerate(body.segments, start=-1):
        found = pybullet.getDynamicsInfo(engine._figure, link, physicsClientId=engine._client)
        mass, moments, place, quat = found[0], found[2], found[3], found[4]
        axes = np.array(pybullet.getMatrixFromQuaternion(quat)).reshape(3, 3)
        assert mass == pytest.approx(segment.mass_kg, rel=1e-12)
        np.testing.assert_allclose(place, segment.com, atol=1e-14)
        np.testing.assert_allclose(axes @ np.diag(moments) @ axes.T, segment.inertia, atol=1e-12)


@pytest.mark.parametrize("segment, dof", [("head", 0), ("head", 1), ("head", 2), ("lower_spine", 1), ("foot_L", 1)])
def test_balls_are_stopped_near_their_cone(segment, dof):
    engine, (qpos, qvel) = PyBulletEngine(BODY, EARTH), standing(BODY)
    qpos[2] = 20.0
    joint = build_model(BODY, EARTH).joint(segment)
    engine.reset(qpos, qvel)
    widest = 0.0
    for _ in range(80):
        torque = -0.02 * engine.qvel[6:]
        torque[int(joint.dofadr[0]) - 6 + dof] += 3.0
        engine.advance(torque, 5)
        widest = max(widest, 2.0 * np.arccos(min(1.0, abs(engine.qpos[int(joint.qposadr[0])]))))
    cone = BODY.segment(segment).limits_rad[1]
    # Swing and twist may both reach the cone's angle: together at most this much.
    assert cone - 0.05 < widest < 2.0 * np.arccos(np.cos(0.5 * cone) ** 2) + 0.1


@pytest.mark.slow
def test_pybullet_leaves_standard_output_to_us():
    script = (
        "from lope.addon.bodies.makers import make_body\nfrom lope.addon.specs.shot import BodySpec, World\n"
        "from lope.addon.engines.engine import make_engine\n"
        "engine = make_engine('pybullet', make_body(BodySpec()), World())\nprint('{}')\n")
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (run.returncode, run.stdout) == (0, "{}\n"), run.stderr

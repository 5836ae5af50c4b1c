# SPDX-License-Identifier: GPL-3.0-or-later
"""Every engine: stepping, pushes, contacts, friction, determinism, errors; the ideal engine; engines by name."""

import sys

import mujoco
import numpy as np
import pytest

from engine_kit import (
    ALL_ENGINES,
    BODY,
    CONTACT_ENGINES,
    EARTH,
    SMALL_BODY,
    Hold,
    mujoco_acceleration,
    random_state,
    standing,
)
from lope.addon.bodies.kinematics import contact_point_positions, segment_poses
from lope.addon.bodies.model import build_model
from lope.addon.engines.engine import make_engine
from lope.addon.engines.ideal_engine import IdealEngine
from lope.addon.engines.mujoco_engine import MujocoEngine
from lope.addon.errors import BodyError, EngineError, InputError
from lope.addon.maths.rotations import quat_from_rotvec
from lope.addon.specs.shot import World


@pytest.fixture
def make():
    """Makes engines and closes them after the test."""
    made = []

    def build(name, body=BODY, world=EARTH):
        made.append(make_engine(name, body, world))
        return made[-1]

    yield build
    for engine in made:
        engine.close()


@pytest.mark.parametrize("name", CONTACT_ENGINES)
def test_many_steps_at_once_are_the_same_as_one_by_one(make, name):
    engine, torque = make(name), np.random.default_rng(1).normal(size=48)
    for steps in (2, 3, 7, 10):
        engine.reset(*standing(BODY))
        engine.push("chest", np.array([30.0, 10.0, 0.0]))
        engine.advance(torque, steps)
        together = engine.qpos.copy(), engine.qvel.copy(), engine.contact_force_n.copy()
        engine.reset(*standing(BODY))
        engine.push("chest", np.array([30.0, 10.0, 0.0]))
        forces = []
        for _ in range(steps):
            engine.advance(torque, 1)
            forces.append(engine.contact_force_n.copy())
        force = forces[-1] if name == "pybullet" else np.mean(forces, axis=0)  # Bullet tells of the last step only
        for one, other in zip(together, (engine.qpos, engine.qvel, force), strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("name", CONTACT_ENGINES)
def test_the_same_start_gives_the_same_run_also_beside_another_engine(make, name):
    first, second = make(name), make(name, world=World("moon", 1.62, 0.6))
    hold = Hold(BODY, standing(BODY)[0])

    def run():
        first.reset(*standing(BODY))
        for _ in range(30):
            first.advance(hold(first), 2)
        return first.qpos.copy(), first.qvel.copy(), first.contact_force_n.copy()

    before = run()
    second.reset(*standing(BODY))
    second.push("head", np.array([0.0, 50.0, 0.0]))
    second.advance(np.full(48, 0.5), 20)
    for one, other in zip(before, run(), strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.slow
@pytest.mark.parametrize("name", CONTACT_ENGINES)
def test_a_statue_stands_without_sinking_or_trembling_and_weighs_what_it_weighs(make, name):
    engine, (qpos, qvel) = make(name), standing(BODY)
    hold = Hold(BODY, qpos)
    engine.reset(qpos, qvel)
    lowest, fastest = 0.0, 0.0
    for i in range(300):
        engine.advance(hold(engine), 1)
        lowest = min(lowest, engine.qpos[2] - qpos[2])
        fastest = max(fastest, np.abs(engine.qvel).max()) if i > 100 else 0.0
    assert lowest > -1e-3 and abs(engine.qpos[2] - qpos[2]) < 1e-3
    assert fastest < 0.02
    force = engine.contact_force_n
    assert force[:, 2].sum() == pytest.approx(75.0 * 9.81, rel=0.01)
    assert (force[:, 2] >= 0.0).all()
    assert np.abs(force[:, :2].sum(axis=0)).max() < 5.0
    left = np.array([p.side == "L" for p in BODY.contact_points])
    assert force[left, 2].sum() == pytest.approx(force[~left, 2].sum(), rel=0.02)


@pytest.mark.parametrize("name", CONTACT_ENGINES)
@pytest.mark.parametrize("heading_deg", [0.0, 45.0, 200.0])
def test_sliding_friction_is_the_coefficient_times_the_load_against_the_motion(make, name, heading_deg):
    engine, (qpos, qvel) = make(name, world=World("ice", 9.81, 0.3)), standing(BODY)
    direction = np.array([np.cos(np.radians(heading_deg)), np.sin(np.radians(heading_deg))])
    qvel[:2] = 1.5 * direction
    hold = Hold(BODY, qpos)
    engine.reset(qpos, qvel)
    total, seen = np.zeros(2), 0
    for _ in range(25):
        engine.advance(hold(engine), 1)
        force = engine.contact_force_n
        loaded = force[:, 2] > 20.0
        np.testing.assert_allclose(np.hypot(force[loaded, 0], force[loaded, 1]), 0.3 * force[loaded, 2], rtol=0.01)
        total, seen = total + force[:, :2].sum(axis=0), seen + loaded.sum()
    assert seen > 60
    assert total @ direction < -0.98 * np.linalg.norm(total)


@pytest.mark.parametrize("name", CONTACT_ENGINES)
def test_contact_forces_are_what_accelerates_the_body(make, name):
    engine, (qpos, qvel) = make(name), standing(BODY)
    qpos[2] += 0.002
    qvel[:3] = 0.3, 0.1, -0.2
    hold = Hold(BODY, qpos)
    model, data = hold.model, hold.data

    def momentum():
        data.qpos[:], data.qvel[:] = engine.qpos, engine.qvel
        mujoco.mj_forward(model, data)
        mujoco.mj_subtreeVel(model, data)
        return 75.0 * data.subtree_linvel[1]

    engine.reset(qpos, qvel)
    start, impulse = momentum().copy(), np.zeros(3)
    for _ in range(60):
        engine.advance(hold(engine), 1)
        impulse += engine.step_s * (engine.contact_force_n.sum(axis=0) - [0.0, 0.0, 75.0 * 9.81])
    assert np.linalg.norm(impulse) > 10.0
    np.testing.assert_allclose(momentum() - start, impulse, atol=0.2)


@pytest.mark.parametrize("name", CONTACT_ENGINES)
@pytest.mark.parametrize("index", range(len(BODY.contact_points)))
def test_the_touching_point_is_the_one_that_feels_the_ground(make, name, index):
    point = BODY.contact_points[index]
    outward = 1.0 if point.side == "L" else -1.0
    roll = {"in": 0.25 * outward, "ou": -0.25 * outward}.get(point.name.split("_")[1][:2], 0.0)
    pitch = {"heel": -0.3, "ball": 0.3, "toe": 0.5}[point.kind]
    other = "R" if point.side == "L" else "L"
    quats = np.tile([1.0, 0.0, 0.0, 0.0], (len(BODY.joint_segments), 1))
    for segment, turn in {f"foot_{point.side}": (roll, pitch, 0.0), f"thigh_{other}": (0.0, -0.9, 0.0),
                          f"shank_{other}": (0.0, 1.2, 0.0),
                          f"toes_{point.side}": (0.0, -0.5 if point.kind == "ball" else 0.0, 0.0)}.items():
        quats[BODY.joint_segments.index(segment)] = quat_from_rotvec(np.array(turn))
    root = np.array([0.2, -0.1, 1.5]), np.array([1.0, 0.0, 0.0, 0.0])
    heights = contact_point_positions(BODY, *segment_poses(BODY, *root, quats))[:, 2]
    assert np.argmin(heights) == index and np.sort(heights)[1] - heights.min() > 0.003
    root[0][2] -= heights.min() + 0.0005
    qpos = [*root[0], *root[1]]
    for segment, quat in zip(BODY.segments[1:], quats, strict=True):
        qpos += [*quat] if segment.joint == "ball" else [2.0 * np.arctan2(quat[1:] @ segment.axis, quat[0])]
    engine = make(name)
    engine.reset(np.array(qpos), np.zeros(54))
    engine.advance(np.zeros(48), 1)
    assert np.flatnonzero(engine.contact_force_n[:, 2]).tolist() == [index]
    assert engine.contact_force_n[index, 2] > 1.0


@pytest.mark.parametrize("name", CONTACT_ENGINES)
@pytest.mark.parametrize("segment, torque_nm", [("shank_L", -40.0), ("forearm_R", -8.0), ("toes_L", 3.0), ("toes_R", -3.0)])
def test_hinges_stop_at_their_limits(make, name, segment, torque_nm):
    engine, (qpos, qvel) = make(name), standing(BODY)
    qpos[2] = 20.0
    joint = build_model(BODY, EARTH).joint(segment)
    engine.reset(qpos, qvel)
    torque = np.zeros(48)
    torque[int(joint.dofadr[0]) - 6] = torque_nm
    angles = []
    for _ in range(60):
        engine.advance(torque - 0.1 * engine.qvel[6:], 5)
        angles.append(engine.qpos[int(joint.qposadr[0])])
    low, high = BODY.segment(segment).limits_rad
    reached = low if torque_nm < 0.0 else high
    assert np.abs(np.array(angles[-20:]) - reached).max() < 0.12


@pytest.mark.parametrize("name", CONTACT_ENGINES)
@pytest.mark.parametrize("bad", [np.nan, 1e200])
def test_a_lost_simulation_is_an_error(make, name, bad):
    engine = make(name)
    engine.reset(*standing(BODY))
    with pytest.raises(EngineError, match="lost the simulation"):
        for _ in range(20):
            engine.advance(np.full(48, bad), 5)
    engine.reset(*standing(BODY))
    engine.advance(np.zeros(48), 5)
    assert np.isfinite(engine.qpos).all()


@pytest.mark.parametrize("name", ALL_ENGINES)
@pytest.mark.parametrize("segment", ["pelvis", "chest", "hand_R"])
@pytest.mark.parametrize("moment", [(0.0, 0.0, 0.0), (1.0, -2.0, 0.5)], ids=["force", "moment"])
def test_a_push_acts_at_the_centre_of_mass_until_it_ends(make, name, segment, moment):
    engine, force, moment = make(name), np.array([20.0, -35.0, 12.0]), np.array(moment)
    qpos, qvel = random_state(BODY, np.random.default_rng(8))
    torque = np.zeros(48)
    free = mujoco_acceleration(BODY, qpos, qvel, torque)
    pushed = mujoco_acceleration(BODY, qpos, qvel, torque, [(segment, force, moment)])

    def rate():
        engine.reset(qpos, qvel)
        return step()

    def step():
        before = engine.qvel.copy()
        if not engine.senses_contact:
            engine.accelerate(free, engine.contact_force_n, 0.001)
        else:
            engine.advance(torque, 1)
        return (engine.qvel - before) / 0.001

    plain = rate()
    engine.reset(qpos, qvel)
    engine.push(segment, force, moment)
    assert np.linalg.norm(step() - plain - (pushed - free)) < 2e-4 * np.linalg.norm(pushed - free)  # 1 ms is not 0
    engine.reset(qpos, qvel)
    engine.push(segment, force, moment)
    engine.push(segment, np.zeros(3))
    np.testing.assert_allclose(step(), plain, rtol=1e-9)
    engine.push(segment, force, moment)
    np.testing.assert_allclose(rate(), plain, rtol=1e-9)


@pytest.mark.parametrize("name", ALL_ENGINES)
def test_pushing_a_segment_that_is_not_there_is_an_error(make, name):
    with pytest.raises(BodyError, match="no segment 'tail'"):
        make(name).push("tail", np.ones(3))


@pytest.mark.parametrize("name", ALL_ENGINES)
def test_state_arrays_stay_the_same_objects_and_count_the_bodys_coordinates(make, name):
    engine = make(name, body=SMALL_BODY)
    qpos, qvel, force = engine.qpos, engine.qvel, engine.contact_force_n
    engine.reset(*standing(SMALL_BODY))
    if not engine.senses_contact:
        engine.accelerate(np.zeros(qvel.size), force, 0.004)
    else:
        engine.advance(np.zeros(qvel.size - 6), 4)
    assert engine.qpos is qpos and engine.qvel is qvel and engine.contact_force_n is force
    assert qvel.shape == (SMALL_BODY.degrees_of_freedom,)
    assert force.shape == (len(SMALL_BODY.contact_points), 3)
    assert engine.step_s == pytest.approx(0.001, rel=1e-9)


def test_engines_by_name():
    assert isinstance(make_engine("mujoco", BODY, EARTH), MujocoEngine)
    assert isinstance(make_engine("ideal", BODY, EARTH), IdealEngine)
    with pytest.raises(InputError, match="Did you mean 'mujoco'.*ideal, mujoco, pybullet, springs"):
        make_engine("mojoco", BODY, EARTH)


def test_without_pybullet_the_error_says_where_it_exists_and_what_to_do(monkeypatch):
    monkeypatch.setitem(sys.modules, "pybullet", None)
    monkeypatch.delitem(sys.modules, "lope.addon.engines.pybullet_engine", raising=False)
    with pytest.raises(EngineError, match=r"not installed.*Linux x86-64 with Python 3\.11.*choose the engine mujoco"):
        make_engine("pybullet", BODY, EARTH)


def test_the_ideal_engine_integrates_what_it_is_given():
    engine, (qpos, qvel) = IdealEngine(BODY, EARTH), standing(BODY)
    engine.reset(qpos, qvel)
    acceleration = np.zeros(54)
    acceleration[0], acceleration[5], acceleration[6] = 2.0, 1.0, -3.0  # forward, turning left, the spine sideways
    forces = np.random.default_rng(0).normal(size=engine.contact_force_n.shape)
    for _ in range(100):
        engine.accelerate(acceleration, forces, 0.005)
    np.testing.assert_allclose(engine.qvel, 0.5 * acceleration, atol=1e-12)
    steps = 500 * 501 / 2.0 * 0.001**2  # sum of t over the steps: semi-implicit
    assert engine.qpos[0] == pytest.approx(2.0 * steps, rel=1e-9)
    np.testing.assert_allclose(engine.qpos[3:7], quat_from_rotvec(np.array([0.0, 0.0, steps])), atol=1e-9)
    np.testing.assert_allclose(engine.qpos[7:11], quat_from_rotvec(np.array([-3.0 * steps, 0.0, 0.0])), atol=1e-9)
    np.testing.assert_array_equal(engine.contact_force_n, forces)
    assert np.linalg.norm(engine.qpos[3:7]) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.slow
def test_the_ideal_engine_flies_as_mujoco_does():
    rng = np.random.default_rng(2)
    qpos, qvel = random_state(BODY, rng, bend_rad=0.1)
    qvel[6:] *= 0.1
    ideal, real = IdealEngine(BODY, EARTH), MujocoEngine(BODY, EARTH)
    for engine in (ideal, real):
        engine.reset(qpos, qvel)
    for _ in range(100):
        ideal.accelerate(mujoco_acceleration(BODY, ideal.qpos, ideal.qvel, np.zeros(48)), ideal.contact_force_n, 0.001)
        real.advance(np.zeros(48), 1)
    np.testing.assert_allclose(ideal.qpos, real.qpos, atol=1e-9)


def test_the_ideal_engine_reports_a_lost_motion():
    engine = IdealEngine(BODY, EARTH)
    engine.reset(*standing(BODY))
    with pytest.raises(EngineError, match="ideal engine lost"):
        engine.accelerate(np.full(54, np.nan), engine.contact_force_n, 0.005)

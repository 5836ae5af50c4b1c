# SPDX-License-Identifier: GPL-3.0-or-later
"""Muscles around an engine: what they pull with, what they take from a motion, and what is said where none pull."""

import json

import mujoco
import numpy as np
import pytest

from engine_kit import BODY, CONTACT_ENGINES, EARTH, random_state, standing
from lope.addon.bodies.model import build_model
from lope.addon.engines.engine import Excitations, Torques, make_engine
from lope.addon.engines.muscled import Muscled
from lope.addon.errors import InputError
from lope.addon.specs.muscles import Actuation
from lope.addon.specs.shot import BodySpec, Shot
from muscle_kit import JointActuator

pytestmark = pytest.mark.slow

JOINTS = BODY.degrees_of_freedom - 6


@pytest.fixture
def muscled():
    """Makes engines with muscles and closes them after the test."""
    made = []

    def build(name, actuator, tone=0.0):
        made.append(Muscled(make_engine(name, BODY, EARTH), actuator, tone))
        return made[-1]

    yield build
    for engine in made:
        engine.close()


def energy_j(engine, model, data):
    """Kinetic and potential energy of the body."""
    data.qpos[:], data.qvel[:] = engine.qpos, engine.qvel
    mujoco.mj_forward(model, data)
    mujoco.mj_energyPos(model, data)
    mujoco.mj_energyVel(model, data)
    return float(data.energy.sum())


@pytest.mark.parametrize("name", CONTACT_ENGINES)
def test_muscles_that_do_not_pull_change_nothing(muscled, name):
    engine, plain = muscled(name, JointActuator(BODY, range(JOINTS))), make_engine(name, BODY, EARTH)
    start, torque = random_state(BODY, np.random.default_rng(1)), np.random.default_rng(2).normal(size=JOINTS)
    for each, command in ((engine, Excitations(np.zeros(2 * JOINTS), torque)), (plain, Torques(torque))):
        each.reset(*start)
        for _ in range(5):
            each.apply(command, 0.005)
    np.testing.assert_allclose(engine.qvel, plain.qvel, rtol=1e-7, atol=1e-9)
    assert not engine.muscle_torque.any()
    plain.close()


@pytest.mark.parametrize("name", CONTACT_ENGINES)
@pytest.mark.parametrize("excitation", [0.05, 1.0])
def test_held_muscles_only_take_energy(muscled, name, excitation):
    """Pairs of muscles that pull against each other damp, however stiff: those of a foot and of a hand by more than a step of a
    millisecond could bear without the engine's part."""
    engine = muscled(name, JointActuator(BODY, range(JOINTS)))
    model = build_model(BODY, EARTH)
    data = mujoco.MjData(model)
    qpos, qvel = random_state(BODY, np.random.default_rng(3))
    qvel[:6] = 0.0
    engine.reset(qpos, qvel)
    energies = [energy_j(engine, model, data)]
    for _ in range(20):
        engine.apply(Excitations(np.full(2 * JOINTS, excitation), np.zeros(JOINTS)), 0.005)
        energies.append(energy_j(engine, model, data))
    assert (np.diff(energies) < 1e-3).all() and energies[-1] < energies[0] - 1.0


def test_muscles_begin_as_active_as_they_are_first_told(muscled):
    actuator = JointActuator(BODY, [3])
    engine = muscled("mujoco", actuator)
    engine.reset(*standing(BODY))
    engine.apply(Excitations(np.array([0.5, 0.1]), np.zeros(JOINTS)), 0.001)
    np.testing.assert_allclose(actuator.activation, [0.5, 0.1], rtol=1e-12)
    assert engine.muscle_torque[3] == pytest.approx(0.4 * 2000.0 * 0.04)


def test_muscles_that_nobody_commands_fall_to_their_tone(muscled):
    actuator = JointActuator(BODY, [3])
    engine = muscled("mujoco", actuator, tone=0.02)
    engine.reset(*standing(BODY))
    engine.apply(Excitations(np.array([0.5, 0.1]), np.zeros(JOINTS)), 0.02)
    engine.apply(Torques(np.zeros(JOINTS)), 0.3)
    np.testing.assert_allclose(actuator.activation, 0.02, atol=1e-5)


def test_the_ground_s_force_is_the_mean_over_the_steps(muscled):
    engine = muscled("mujoco", JointActuator(BODY, [3]))
    forces = []
    for steps in (1, 5):
        engine.reset(*standing(BODY))
        for _ in range(5 // steps):
            engine.apply(Excitations(np.zeros(2), np.zeros(JOINTS)), 0.001 * steps)
            forces.append(engine.contact_force_n.copy())
    assert np.abs(forces[-1]).max() > 1.0
    np.testing.assert_allclose(np.mean(forces[:-1], axis=0), forces[-1], rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("shot, message", [
    ({"engine": "ideal"}, "No muscles pull in the engine ideal: choose the engine mujoco or pybullet"),
    ({"engine": "springs", "body": BodySpec(kind="planar")}, "No muscles pull in the engine springs"),
    ({"body": BodySpec(kind="planar")}, "this one is planar"),
])
def test_where_no_muscles_pull_it_is_said(shot, message):
    with pytest.raises(InputError, match=message):
        Shot(**shot, actuation=Actuation())


def test_a_shot_without_muscles_is_written_as_before_there_were_any():
    assert "actuation" not in Shot().to_dict()
    shot = Shot(actuation=Actuation("full", "elastic", 2.0))
    assert Shot.from_dict(json.loads(json.dumps(shot.to_dict()))) == shot
    with pytest.raises(InputError, match="no set of muscles named 'arms'"):
        Actuation("arms")

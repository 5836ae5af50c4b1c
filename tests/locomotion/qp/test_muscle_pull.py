# SPDX-License-Identifier: GPL-3.0-or-later
"""What the program thinks that muscles can do is what they do; and a walk is by muscles where the shot says so."""

from dataclasses import replace

import numpy as np
import pytest

from lope.addon.bodies.makers import make_body
from lope.addon.bodies.model import build_model
from lope.addon.bodies.muscles.paths import own_coordinates
from lope.addon.bodies.of_shot import actuator_of, muscles_of
from lope.addon.bodies.state import BodyState
from lope.addon.engines.engine import Excitations
from lope.addon.locomotion.qp.muscle_program import BodyPull, EffortSettings, MuscledProgram, Muscles
from lope.addon.sim.simulation import Simulation
from lope.addon.specs.muscles import Actuation, Change, Condition
from lope.addon.specs.shot import Shot

pytestmark = pytest.mark.slow

STEP_S = 0.005
SHOT = Shot(duration_s=2.0, actuation=Actuation())


@pytest.fixture(scope="module")
def bent():
    """A body, its state in a bent pose that moves, and the pull of its muscles there."""
    body = make_body(SHOT.body)
    state, rng = BodyState(body, build_model(body, SHOT.world)), np.random.default_rng(1)
    qpos, qvel = state.model.qpos0.copy(), 0.3 * rng.normal(size=state.model.nv)
    for side in "LR":
        qpos[state.model.joint(f"shank_{side}").qposadr[0]] = 0.4
    state.update(qpos, qvel)
    muscles = muscles_of(SHOT, body)
    return body, state, BodyPull(body, muscles, own_coordinates(body, muscles), STEP_S)


def test_active_and_passive_torques_are_those_of_the_muscles_that_the_engine_drives(bent):
    body, state, pull = bent
    actuator, activation = actuator_of(SHOT, body), np.random.default_rng(2).uniform(0.2, 0.9, len(pull.names))
    actuator.reset(state.qpos, state.qvel, activation)
    torque = actuator.step(activation, state.qpos, state.qvel, 1e-9).copy()
    pull.update(state)
    np.testing.assert_allclose(pull.active_nm @ activation + pull.passive_nm, torque, atol=0.03 * np.abs(torque).max())
    assert np.abs(torque).max() > 50.0


def test_what_muscles_yield_as_joints_get_faster_is_foreseen(bent):
    body, state, pull = bent
    actuator, activation = actuator_of(SHOT, body), np.full(len(pull.names), 0.4)
    faster = np.zeros(state.model.nv)
    faster[6:] = np.where(pull.moved, 20.0 * np.random.default_rng(4).normal(size=len(pull.moved)), 0.0)
    torque = []
    for qvel in (state.qvel, state.qvel + STEP_S * faster):
        actuator.reset(state.qpos, qvel, activation)
        torque.append(actuator.step(activation, state.qpos, qvel, 1e-9).copy())
    pull.feel(activation)
    pull.update(state)
    change = torque[1] - torque[0]
    np.testing.assert_allclose(-pull.yielding_kg_m2 @ faster[6:], change, atol=0.35 * np.abs(change).max())
    assert np.abs(change).max() > 2.0 and np.linalg.eigvalsh(pull.yielding_kg_m2).min() > -1e-9


def test_wanted_activations_that_can_be_reached_are_reached_within_the_control_step(bent):
    body, state, pull = bent
    actuator, rng = actuator_of(SHOT, body), np.random.default_rng(3)
    now = rng.uniform(0.02, 0.98, len(pull.names))
    actuator.reset(state.qpos, state.qvel, now)
    pull.feel(now)
    assert (pull.low < now).all() and (pull.high > now).all()
    wanted = pull.low + rng.uniform(0.0, 1.0, len(now)) * (pull.high - pull.low)
    excitation = pull.excitation(wanted, now)
    assert excitation.min() >= 0.0 and excitation.max() <= 1.0
    for _ in range(5):
        actuator.step(excitation, state.qpos, state.qvel, STEP_S / 5)
    np.testing.assert_allclose(actuator.activation, wanted, atol=1e-9)
    pull.feel(None)
    assert (pull.low < 0.02).all() and (pull.high == 1.0).all()


def test_hips_knees_and_ankles_are_the_muscles_own_however_weak_they_are(bent):
    body, _, pull = bent
    coordinates = [name for name in body.joint_segments for _ in range(3 if body.segment(name).joint == "ball" else 1)]
    moved = {name for name, own in zip(coordinates, pull.moved, strict=True) if own}
    assert {"thigh_L", "thigh_R", "shank_L", "shank_R", "foot_L", "foot_R"} <= moved
    assert not any(name.startswith(("clavicle", "forearm", "hand", "neck", "head")) for name in moved)
    weak = Condition("weak", (Change("weak", "plantar_flexors", "both", 0.05),))
    of_weak = Muscles(replace(SHOT, condition=weak), body, STEP_S, EffortSettings()).pull
    np.testing.assert_array_equal(of_weak.moved, pull.moved)
    assert (of_weak.greatest_n / pull.greatest_n).min() == pytest.approx(0.05)


def test_a_shot_with_muscles_is_driven_by_excitations():
    simulation = Simulation(replace(SHOT, duration_s=0.5))
    program, told = simulation.controller.tracker.program, []
    apply = simulation.engine.apply
    simulation.engine.apply = lambda command, seconds: (told.append(command), apply(command, seconds))
    while not simulation.over:
        simulation.step()
        after = simulation.engine.actuator.activation
        np.testing.assert_allclose(after, program.activation, atol=1e-9)
    assert isinstance(program, MuscledProgram) and all(isinstance(one, Excitations) for one in told)
    assert max(one.excitation.max() for one in told) > 0.1 and simulation.time_fell_s is None

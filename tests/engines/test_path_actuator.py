# SPDX-License-Identifier: GPL-3.0-or-later
"""A body's own muscles on its paths: their power is the joints', they make no energy, and no step of theirs is too long."""

import mujoco
import numpy as np
import pytest

from engine_kit import BODY, CONTACT_ENGINES, EARTH, random_state
from lope.addon.bodies.model import Stepping, build_model
from lope.addon.bodies.muscles.mechanics import ElasticTendons, make_mechanics
from lope.addon.bodies.muscles.paths import PathActuator, own_coordinates, unborne
from lope.addon.bodies.muscles.sets import muscles_for
from lope.addon.engines.engine import Excitations, make_engine
from lope.addon.engines.muscled import Muscled
from lope.addon.specs.muscles import TENDONS

pytestmark = pytest.mark.slow

MUSCLES = muscles_for(BODY, "legs")
JOINTS = BODY.degrees_of_freedom - 6


def actuator(tendon="rigid"):
    return PathActuator(BODY, MUSCLES, make_mechanics(MUSCLES, tendon), own_coordinates(BODY, MUSCLES))


def test_muscles_pull_at_the_joints_that_they_pass():
    moved, at = {}, 0
    for segment in BODY.segments[1:]:
        size = 3 if segment.joint == "ball" else 1
        moved[segment.name] = actuator().moved[at:at + size]
        at += size
    assert at == JOINTS and all(moved[f"{name}_{side}"].all() for name in ("thigh", "shank", "foot") for side in "LR")
    assert not any(moved[name].any() for name in ("head", "hand_L", "forearm_R"))


@pytest.mark.parametrize("tendon", TENDONS)
def test_the_joints_get_the_power_that_the_muscles_give(tendon):
    """Of the very state that the step begins in: no force is a step behind."""
    muscles, (qpos, qvel) = actuator(tendon), random_state(BODY, np.random.default_rng(4))
    before = muscles._paths
    muscles.reset(qpos, 0.0 * qvel, np.full(len(MUSCLES), 0.3))
    torque = muscles.step(np.full(len(MUSCLES), 0.3), qpos, qvel, 0.001)
    before.update(qpos, qvel)
    assert torque @ qvel[6:] == pytest.approx(-muscles.force_n @ before.rate_m_s, rel=1e-9)
    assert not torque[~muscles.moved].any()


def stored_j(mechanics):
    """What stretched fibres and tendons have [J]."""
    def under(curve, to):
        at = np.linspace(0.0, 1.0, 400)[:, None] * to
        return 0.5 * ((curve(at[1:]) + curve(at[:-1])) * np.diff(at, axis=0)).sum(axis=0)

    muscles, length = mechanics.muscles, mechanics.fibre_length
    fibres = under(lambda more: mechanics.curves.passive(1.0 + more), np.maximum(length - 1.0, 0.0)) * muscles.optimal_fibre_m
    strain = np.zeros(len(muscles))
    if isinstance(mechanics, ElasticTendons):
        steps = np.linspace(0.0, 0.1, 2000)
        strain = np.interp(mechanics.force_n / muscles.max_force_n, mechanics.curves.tendon(steps), steps)
    return (muscles.max_force_n * (fibres + under(mechanics.curves.tendon, strain) * muscles.tendon_slack_m)).sum()


@pytest.mark.parametrize("tendon", TENDONS)
@pytest.mark.parametrize("name", CONTACT_ENGINES)
def test_a_body_whose_muscles_rest_only_loses_energy(name, tendon):
    """Legs swing in the air, in free fall."""
    engine = Muscled(make_engine(name, BODY, EARTH), actuator(tendon))
    model = build_model(BODY, EARTH)
    data = mujoco.MjData(model)
    qpos, qvel = random_state(BODY, np.random.default_rng(6))
    for side in "LR":
        qpos[model.joint(f"shank_{side}").qposadr[0]] = 0.8
    qvel = np.where(np.append(np.zeros(6, bool), engine.actuator.moved), qvel, 0.0)
    engine.reset(qpos, qvel)
    energies = []
    for _ in range(30):
        data.qpos[:], data.qvel[:] = engine.qpos, engine.qvel
        mujoco.mj_forward(model, data)
        assert data.nefc == 0, "no joint is at its limit"
        mujoco.mj_energyPos(model, data)
        mujoco.mj_energyVel(model, data)
        energies.append(float(data.energy.sum()) + stored_j(engine.actuator._mechanics))
        engine.apply(Excitations(np.zeros(len(MUSCLES)), np.zeros(JOINTS)), 0.005)
    engine.close()
    settled = 0 if tendon == "rigid" else 1  # fibres on elastic tendons start at rest where paths do not
    assert (np.diff(energies[settled:]) < 1e-3).all() and energies[-1] < energies[0] - 1.0


def test_what_explicit_steps_bear_is_not_taken_late():
    """A rate v that is damped explicitly by D - d and implicitly by d goes on with v (I - h (D - d)) / (I + h d): never back."""
    inertia, step = 0.01, 0.001
    assert unborne(np.array([5.0]), np.array([inertia]), step) == 0.0
    for damping in (11.0, 50.0, 1000.0):
        held = float(unborne(np.array([damping]), np.array([inertia]), step)[0])
        assert -1e-12 <= (inertia - step * (damping - held)) / (inertia + step * held) < 1.0


@pytest.mark.parametrize("tendon", TENDONS)
def test_steps_of_a_millisecond_go_where_short_ones_do(tendon):
    qpos, qvel = random_state(BODY, np.random.default_rng(5), 0.15)
    found = []
    for step_s in (0.001, 0.0001):
        engine = Muscled(make_engine("mujoco", BODY, EARTH, Stepping(step_s)), actuator(tendon))
        engine.reset(qpos, 0.5 * qvel)
        rng = np.random.default_rng(7)
        for _ in range(20):
            engine.apply(Excitations(rng.uniform(0.0, 0.3, len(MUSCLES)), np.zeros(JOINTS)), 0.005)
        found.append(engine.qpos.copy())
    assert np.abs(found[0] - found[1])[7:].max() < 0.025

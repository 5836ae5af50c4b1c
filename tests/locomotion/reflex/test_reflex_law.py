# SPDX-License-Identifier: GPL-3.0-or-later
"""The reflex walker's law: units, delays, states, posture; one walker goes as it does among many."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from lope.addon.bodies.makers import make_body
from lope.addon.bodies.model import build_model
from lope.addon.locomotion.reflex.law import LegStates, ReflexLaw
from lope.addon.locomotion.reflex.muscles import Delays, Muscles
from lope.addon.locomotion.reflex.parameters import HIGH, LOW, START, STEP, vector_of
from lope.addon.locomotion.reflex.posture import Posture
from lope.addon.locomotion.reflex.units import JOINTS, NAMES, UNITS, Routing
from lope.addon.locomotion.reflex.walkers import load_walker
from lope.addon.search.reflex import ReflexPopulation
from lope.addon.specs.shot import BodySpec, World

pytestmark = pytest.mark.slow

BODY = make_body(BodySpec())
ANGLES = np.radians([[150.0, 130.0, 80.0], [185.0, 172.0, 95.0], [210.0, 160.0, 115.0]])


@pytest.mark.parametrize("joint", range(3))
def test_a_unit_turns_a_joint_by_how_it_shortens(joint: int) -> None:
    routing, small = Routing(BODY), 1e-6
    step = small * np.eye(3)[joint]
    slope = (routing.length_m(ANGLES + step) - routing.length_m(ANGLES - step)) / (2.0 * small)
    for m, name in enumerate(NAMES):
        torque = routing.torque_nm(routing.length_and_arm_m(ANGLES)[1], np.eye(8)[m])[:, joint]
        crossing = UNITS[name].joints.get(JOINTS[joint])
        assert torque == pytest.approx(-slope[:, m] / (crossing.share if crossing else 1.0), abs=1e-8)


def test_units_begin_at_rest_and_stay_there() -> None:
    muscles = Muscles(BODY, 3)
    activation = np.full((3, 2, 8), 0.3)
    angles = np.repeat(ANGLES[:, None], 2, axis=1)
    muscles.reset(angles, activation)
    before = muscles.force_n
    assert (before[:, :, NAMES.index("SOL")] > 50.0).any()
    for _ in range(20):
        muscles.step(activation, angles, 0.001)
    assert muscles.force_n == pytest.approx(before, abs=1e-3)
    assert (muscles.metabolic_w() > 0.0).all()


def test_a_signal_comes_after_its_own_delay() -> None:
    delays = Delays(np.array([0, 2, 5]))
    delays.fill(np.zeros((1, 3)))
    came = np.array([delays.step(np.full((1, 3), k + 1.0))[0] for k in range(8)])
    assert came[:, 0].tolist() == [1, 2, 3, 4, 5, 6, 7, 8]
    assert came[:, 1].tolist() == [0, 0, 1, 2, 3, 4, 5, 6]
    assert came[:, 2].tolist() == [0, 0, 0, 0, 0, 1, 2, 3]


def test_a_leg_that_scuffs_behind_does_not_lead() -> None:
    states = LegStates(1)
    one = np.array([[0.0]])
    states.step(np.array([[1.0, 0.0]]), np.array([[0.1, 0.3]]), one[0], one + 0.5, one - 0.2)
    assert states.leads.tolist() == [[True, False]]
    states.step(np.array([[0.9, 0.1]]), np.array([[0.1, 0.3]]), one[0], one + 0.5, one - 0.2)
    assert states.leads.tolist() == [[True, False]] and states.begins.tolist() == [[False, True]]
    states.step(np.array([[0.9, 0.0]]), np.array([[0.1, -0.3]]), one[0], one + 0.5, one - 0.2)
    assert states.lands.tolist() == [[False, True]]


def test_what_is_felt_of_the_posture_is_so() -> None:
    model = build_model(BODY, World())
    data = mujoco.MjData(model)
    rng = np.random.default_rng(3)
    velocity = 0.2 * rng.standard_normal(model.nv)
    for name in ("clavicle_L", "clavicle_R", "upper_arm_L", "upper_arm_R", "hand_L", "hand_R", "neck", "head"):
        at = model.joint(name).dofadr[0]
        velocity[at:at + 3] = 0.0  # what is lumped hangs as in the neutral pose
    for name in ("forearm_L", "forearm_R", "toes_L", "toes_R"):
        velocity[model.joint(name).dofadr[0]] = 0.0
    mujoco.mj_integratePos(model, data.qpos, velocity, 1.0)
    mujoco.mj_forward(model, data)
    felt = Posture(BODY).read(data.qpos[None], velocity[None])
    for row, side in enumerate("LR"):
        away = (data.subtree_com[1] - data.body(f"foot_{side}").xpos)[:2]
        assert felt.away[0, row] == pytest.approx(away, abs=1e-9)
        down = -data.body(f"thigh_{side}").xmat.reshape(3, 3)[:, 2]
        assert felt.thigh[0, row] == pytest.approx(np.arctan2(down[0], -down[2]))


def test_one_walks_as_it_does_among_many() -> None:
    rng = np.random.default_rng(1)
    many = np.clip(START + 0.3 * STEP * rng.standard_normal((3, len(START))), LOW, HIGH)
    ways = []
    for tries in (many, many[1:2]):
        seen: list[np.ndarray] = []
        population = ReflexPopulation(BODY, World(), len(tries))
        population.run(tries, 0.1, watch=lambda law, q, v, f, alive, to=seen: to.append(q.copy()))
        ways.append(seen[-1])
    assert ways[0][1] == pytest.approx(ways[1][0], abs=1e-9)
    assert np.abs(ways[0][0] - ways[0][1]).max() > 1e-4


def test_a_swing_begins_with_the_other_foot_in_the_air_only_once_it_may() -> None:
    walk = load_walker("walk").parameters
    tries = np.array([vector_of(walk | {"begin_swing": 0.2, "begin_late": late_s}) for late_s in (0.0, 0.6)])
    early: list[np.ndarray] = []

    def watch(law, qpos, qvel, force_n, alive) -> None:
        states = law.states
        early.append((states.begins & ~states.stance[:, ::-1]).any(axis=1))

    ReflexPopulation(BODY, World(), 2).run(tries, 0.75, watch=watch)
    steps = round(0.6 / 0.001) - 1
    before, after = np.array(early)[:steps].any(axis=0), np.array(early)[steps:].any(axis=0)
    assert before.tolist() == [True, False] and after[1]


def test_forces_go_with_the_body() -> None:
    small = make_body(BodySpec(height_m=1.4, mass_kg=40.0))
    ours, theirs = Routing(BODY), Routing(small)
    assert theirs.force_n == pytest.approx(ours.force_n * 40.0 / 75.0)
    assert theirs.length_m(ANGLES) / theirs.fibre_m == pytest.approx(ours.length_m(ANGLES) / ours.fibre_m)
    law = ReflexLaw(small, {})
    qpos, qvel = law.begin()
    law.reset(qpos, qvel)
    torque = law.step(qpos, qvel, np.zeros((1, len(small.contact_points), 3)))
    assert torque.shape == (1, small.degrees_of_freedom - 6) and np.isfinite(torque).all()

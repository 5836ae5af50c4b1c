# SPDX-License-Identifier: GPL-3.0-or-later
"""What the program thinks that muscles can do over tendons that give is what these do."""

import numpy as np
import pytest

from lope.addon.bodies.makers import make_body
from lope.addon.bodies.model import build_model
from lope.addon.bodies.muscles.mechanics import ElasticTendons
from lope.addon.bodies.muscles.paths import own_coordinates
from lope.addon.bodies.of_shot import actuator_of, muscles_of
from lope.addon.bodies.state import BodyState
from lope.addon.locomotion.qp.muscle_program import BodyPull, ElasticPull
from lope.addon.sim.simulation import simulate
from lope.addon.specs.muscles import ELASTIC, Actuation
from lope.addon.specs.shot import Shot

pytestmark = pytest.mark.slow

STEP_S = 0.005
SHOT = Shot(duration_s=1.5, actuation=Actuation(tendon=ELASTIC))


def test_felt_fibres_tell_what_tendons_pull_with_however_joints_move():
    """Of joints that have just been jerked: rigid tendons would damp them at once."""
    body = make_body(SHOT.body)
    state, rng = BodyState(body, build_model(body, SHOT.world)), np.random.default_rng(1)
    qpos, qvel = state.model.qpos0.copy(), np.zeros(state.model.nv)
    for side in "LR":
        qpos[state.model.joint(f"shank_{side}").qposadr[0]] = 0.4
    muscles = muscles_of(SHOT, body)
    pulls = [kind(body, muscles, own_coordinates(body, muscles), STEP_S) for kind in (ElasticPull, BodyPull)]
    actuator, activation = actuator_of(SHOT, body), rng.uniform(0.2, 0.9, len(muscles))
    actuator.reset(qpos, qvel, activation)
    torque = actuator.step(activation, qpos, qvel, 1e-4).copy()
    state.update(qpos, rng.normal(size=state.model.nv))
    off = []
    for pull in pulls:
        pull.feel(activation)
        pull.feel_fibres(actuator)
        pull.update(state)
        off.append(np.abs(pull.active_nm @ activation + pull.passive_nm - torque).max())
    assert off[0] < 0.02 * np.abs(torque).max() and off[1] > 0.2 * np.abs(torque).max()


@pytest.mark.parametrize("activation", [0.05, 0.4, 1.0])
def test_muscles_yield_as_foreseen_within_a_control_step(activation):
    """Paths that get faster evenly through the step, against ones that do not."""
    body = make_body(SHOT.body)
    muscles = muscles_of(SHOT, body)
    tendons, wanted = ElasticTendons(muscles), np.full(len(muscles), activation)
    path = muscles.optimal_fibre_m * np.cos(muscles.pennation_rad) + 1.01 * muscles.tendon_slack_m
    faster, pulled = -0.05, []
    for by in (0.0, faster):
        tendons.reset(path, activation)
        foreseen = tendons.yielding_n_s_m(tendons.activation, tendons.fibre_length, tendons.fibre_velocity, path, STEP_S)
        for step in range(1, 51):
            time_s = 1e-4 * step
            pulled.append(tendons.step(wanted, path + 0.5 * by * time_s**2 / STEP_S, 0.0 * path, 1e-4))
    found = (pulled[-1] - pulled[49]) / faster
    assert (found <= 1.3 * foreseen + 1.0).all() and (found >= 0.25 * foreseen).all()


def test_a_walk_begins_by_muscles_over_tendons_that_give():
    take = simulate(SHOT)
    assert not take.fell and take.lost is None

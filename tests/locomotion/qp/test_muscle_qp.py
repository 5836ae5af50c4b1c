# SPDX-License-Identifier: GPL-3.0-or-later
"""The program with muscles on states of a walk: equations of motion, bounds, agreement with torques and of all solvers."""

import numpy as np
import pytest

from lope.addon.bodies.muscles.conditioned import Pain
from lope.addon.locomotion.qp import program as solver
from lope.addon.locomotion.qp.muscle_program import EffortSettings, MuscledProgram
from lope.addon.locomotion.qp.program import Limits, Objective, solve_daqp, solve_quadprog
from lope.addon.sim.simulation import Simulation
from lope.addon.specs.motions import Gait
from lope.addon.specs.shot import Shot

pytestmark = pytest.mark.slow

STEPS = (2, 30, 48, 65)
"""Control steps at which the walk is looked at."""
LIGHT = EffortSettings(activation_weight=0.02, reserve_weight=0.01)


class Straps:
    """A `Pull` of pairs of straps, one each way at every coordinate of the legs: `strength_nm` when wholly active."""

    def __init__(self, body, nv, strength_nm=400.0, passive_nm=0.0, yielding=0.0):
        legs = [f"{part}_{side}" for side in "LR" for part in ("thigh", "shank", "foot")]
        coordinates = [name for name in body.joint_segments for _ in range(3 if body.segment(name).joint == "ball" else 1)]
        moved = [i for i, name in enumerate(coordinates) if name in legs]
        self.names = tuple(f"strap_{i}{way}" for i in moved for way in "+-")
        self.moved = np.isin(np.arange(nv - 6), moved)
        self.greatest_n = np.full(len(self.names), 1000.0)
        self.force_n = self.greatest_n.copy()
        self.active_nm, self.passive_nm = np.zeros((nv - 6, len(self.names))), np.where(self.moved, passive_nm, 0.0)
        self.low, self.high = np.zeros(len(self.names)), np.ones(len(self.names))
        self.yielding_kg_m2 = np.diag(np.where(self.moved, yielding, 0.0))
        for k, i in enumerate(moved):
            self.active_nm[i, 2 * k: 2 * k + 2] = strength_nm, -strength_nm

    def update(self, state):
        pass

    def spending_w(self):
        """Those that pull upward cost, their partners do not."""
        return np.where([name.endswith("+") for name in self.names], 1000.0, 0.0), np.zeros(len(self.names))


@pytest.fixture(scope="module")
def moments():
    """A walk by torques, and (coordinates, velocities, targets) at some of its moments."""
    simulation, found = Simulation(Shot(motion=Gait(tuned=False), duration_s=2.0)), []
    for step in range(max(STEPS) + 1):
        if step in STEPS:
            found.append((simulation.state.qpos.copy(), simulation.state.qvel.copy(), simulation.controller.targets))
        simulation.step()
    return simulation, found


def program_at(moments, index, pain=None, settings=None, **straps):
    """The tracker of the walk with its targets aimed at in one moment, and a program with straps on the same tasks."""
    simulation, found = moments
    qpos, qvel, targets = found[index]
    simulation.state.update(qpos, qvel)
    tracker = simulation.controller.tracker
    tracker._aim(targets, 0.0)
    torques, state = tracker.program, simulation.state
    pull = Straps(state.body, state.model.nv, **straps)
    muscled = MuscledProgram(
        state, torques.contacts,
        Objective(torques.tasks, torques.posture, torques.contact, torques.effort, tracker.settings.force_weight),
        Limits(torques._hinges, torques.torque_limit, torques.cone_damping), pull, settings or LIGHT, pain)
    muscled.unloading = torques.unloading
    return torques, muscled


def residual(program):
    """M qdd + h - J^T f - (0, torque): (nv,), zero where the equations of motion hold."""
    state, contacts = program.state, program.contacts
    forces = program.contact_force_n[contacts.indices].ravel()
    driven = np.concatenate([np.zeros(6), program.muscle_nm + program.rest_nm])
    return state.mass_matrix @ program.acceleration + state.bias_force - contacts.jacobian[: len(forces)].T @ forces - driven


@pytest.mark.parametrize("index", range(len(STEPS)))
@pytest.mark.parametrize("strength", [400.0, 30.0])
def test_the_solution_moves_as_mechanics_says_and_activations_stay_within_bounds(moments, index, strength):
    _, muscled = program_at(moments, index, strength_nm=strength, passive_nm=2.0, yielding=0.1)
    muscled.pull.low[::5], muscled.pull.high[::3] = 0.05, 0.2
    muscled.solve(0.0)
    pull = muscled.pull
    assert np.abs(residual(muscled)).max() < 1e-7
    assert (muscled.activation >= pull.low).all() and (muscled.activation <= pull.high).all()
    assert np.isclose(muscled.activation, pull.low).any() and muscled.activation.max() > 0.05
    assert (np.abs(muscled.rest_nm) <= muscled.torque_limit).all()
    given = pull.active_nm @ muscled.activation + pull.passive_nm - pull.yielding_kg_m2 @ muscled.acceleration[6:]
    np.testing.assert_allclose(muscled.muscle_nm, given, atol=1e-6)
    assert muscled.solver.counts.fallbacks == 0


@pytest.mark.parametrize("index", range(len(STEPS)))
def test_ample_muscles_move_the_body_as_torques_do(moments, index):
    """With effort that costs as the torques of the straps do, and reserves that cost much more."""
    strength = 2000.0
    torques, muscled = program_at(moments, index, strength_nm=strength, passive_nm=3.0, settings=EffortSettings(
        activation_weight=2e-6 * strength**2, reserve_weight=100.0))
    torques.solve(0.0)
    muscled.solve(0.0)
    moved = muscled.pull.moved
    assert np.abs(muscled.rest_nm[moved]).max() < 0.05
    np.testing.assert_allclose(muscled.acceleration, torques.acceleration, atol=0.1)
    np.testing.assert_allclose(muscled.torque, torques.torque, atol=0.3)


@pytest.mark.parametrize("index", range(len(STEPS)))
def test_all_solvers_agree_and_where_daqp_begins_changes_nothing(moments, index):
    _, muscled = program_at(moments, index, strength_nm=60.0)
    problem = muscled.build(0.0)
    x = solve_daqp(problem)
    np.testing.assert_allclose(solve_quadprog(problem), x, atol=1e-5)
    for near in (x, np.zeros_like(x), x + 0.1):
        np.testing.assert_allclose(solve_daqp(problem, near), x, atol=1e-7)


def test_where_no_solver_answers_the_muscles_share_the_torques_of_a_body_without_any(moments, monkeypatch):
    torques, muscled = program_at(moments, 1, settings=EffortSettings(activation_weight=1e-4, reserve_weight=0.01))
    torques.solve(0.0)
    answers = solver.solve_daqp
    monkeypatch.setattr(solver, "solve_daqp", lambda *_: None)
    monkeypatch.setattr(solver, "solve_quadprog", lambda *_: None)
    muscled.solve(0.0)
    counts = muscled.solver.counts
    assert (counts.simpler, counts.held, counts.fallbacks) == (1, 0, 1)
    np.testing.assert_allclose(muscled.torque, torques.torque, atol=1.0)
    assert np.abs(muscled.rest_nm[muscled.pull.moved]).max() < 1.0
    monkeypatch.setattr("lope.addon.locomotion.qp.muscle_program.solve_daqp", lambda *_: None)
    monkeypatch.setattr("lope.addon.locomotion.qp.muscle_program.solve_quadprog", lambda *_: None)
    last = muscled.activation.copy()
    muscled.solve(0.0)
    assert (counts.simpler, counts.held, counts.fallbacks) == (1, 1, 2)
    np.testing.assert_array_equal(muscled.activation, last)
    monkeypatch.setattr(solver, "solve_daqp", answers)
    muscled.solve(0.0)
    assert counts.fallbacks == 2


def test_a_muscle_that_hurts_pulls_less_and_so_does_a_foot(moments):
    _, free = program_at(moments, 1, strength_nm=150.0)
    free.solve(0.0)
    most, count = int(free.activation.argmax()), len(free.activation)
    _, sore = program_at(moments, 1, Pain(np.where(np.arange(count) == most, 5e3, 0.0), {}), strength_nm=150.0)
    sore.solve(0.0)
    assert sore.activation[most] < 0.9 * free.activation[most]
    feet = free.state.body.feet
    borne = [free.contact_force_n[list(foot.points), 2].sum() for foot in feet]
    heavier = int(np.argmax(borne))
    _, lame = program_at(moments, 1, Pain(np.zeros(count), {feet[heavier].side: 1e6}), strength_nm=150.0)
    lame.solve(0.0)
    assert lame.contact_force_n[list(feet[heavier].points), 2].sum() < 0.95 * borne[heavier]


def test_who_pays_for_what_muscles_spend_uses_the_dear_ones_less(moments):
    def dear(metabolic_weight):
        _, muscled = program_at(moments, 1, settings=EffortSettings(activation_weight=0.02, reserve_weight=0.01,
                                                                    metabolic_weight=metabolic_weight))
        muscled.solve(0.0)
        line_w, _ = muscled.pull.spending_w()
        return float(line_w @ muscled.activation)

    free, paid = dear(0.0), dear(1.0)
    assert free > 10.0 and paid < 0.5 * free

# SPDX-License-Identifier: GPL-3.0-or-later
"""The tracker on states of a real walk: equations of motion, cones, torque limits, its problems and its fallbacks."""

from dataclasses import replace

import numpy as np
import pytest

from lope.addon.bodies.human.anthropometry import standing_landmarks
from lope.addon.bodies.makers import make_body
from lope.addon.bodies.state import BodyState, FrameMotion
from lope.addon.locomotion.qp.program import solve_daqp, solve_quadprog
from lope.addon.locomotion.tracking.tracker import Tracker
from lope.addon.locomotion.tracking.weights import STRONG_LEG_M, TrackerSettings, torque_limits
from lope.addon.maths.rotations import quat_conjugate, quat_multiply, rotvec_from_quat
from lope.addon.sim.simulation import Simulation
from lope.addon.specs.motions import Gait
from lope.addon.specs.shot import BodySpec, Shot
from lope.addon.worlds.planets import load_world

pytestmark = pytest.mark.slow

STEPS = (5, 97, 140)
"""Control steps at which the walk is looked at, besides `ONE_FOOT`."""
ONE_FOOT = len(STEPS)
"""The moment on one foot, the other well in the air."""


@pytest.fixture(scope="module", params=["earth", "moon"])
def moments(request):
    """A walk, and (coordinates, velocities, targets) at some of its moments."""
    simulation = Simulation(Shot(motion=Gait(tuned=False), world=load_world(request.param), duration_s=2.0))
    found, one_foot = [], None
    for step in range(max(STEPS) + 1):
        now = simulation.state.qpos.copy(), simulation.state.qvel.copy(), simulation.controller.targets
        if step in STEPS:
            found.append(now)
        if step > 20 and one_foot is None and sorted(foot.stance for foot in now[2].feet.values()) == [False, True]:
            one_foot = now
        simulation.step()
    return simulation, [*found, one_foot]


def tracker_at(moments, index):
    """A fresh tracker in the state of one moment, and the targets there."""
    simulation, found = moments
    qpos, qvel, targets = found[index]
    simulation.state.update(qpos, qvel)
    return Tracker(simulation.state, simulation.shot.world.friction), targets


def residual(tracker):
    """M qdd + h - J^T f - (0, torque): (nv,), zero where the equations of motion hold."""
    state, contacts = tracker.state, tracker.contacts
    forces = tracker.contact_force_n[contacts.indices].ravel()
    pushed = contacts.jacobian[: len(forces)].T @ forces
    driven = np.concatenate([np.zeros(6), tracker.torque])
    return state.mass_matrix @ tracker.acceleration + state.bias_force - pushed - driven


@pytest.mark.parametrize("index", range(len(STEPS) + 1))
def test_the_solution_moves_as_mechanics_says_and_pushes_within_the_cones(moments, index):
    tracker, targets = tracker_at(moments, index)
    tracker.solve(targets, 0.0)
    assert np.abs(residual(tracker)).max() < 1e-8
    force = tracker.contact_force_n
    share = tracker.settings.friction_fraction * moments[0].shot.world.friction
    assert force[:, 2].min() > -1e-6
    assert (np.hypot(force[:, 0], force[:, 1]) <= share * force[:, 2] + 1e-6).all()
    assert not force[~targets.active].any()
    assert force[:, 2].sum() > 0.2 * tracker.state.mass_kg * -tracker.state.gravity[2]
    assert tracker.solver.counts.fallbacks == 0


@pytest.mark.parametrize("index", range(len(STEPS) + 1))
def test_daqp_and_quadprog_agree_and_keep_every_row(moments, index):
    tracker, targets = tracker_at(moments, index)
    problem = tracker.build(targets, 0.0)
    x, other = solve_daqp(problem), solve_quadprog(problem)
    np.testing.assert_allclose(x, other, atol=1e-5)
    miss = problem.rows @ x - problem.values
    assert problem.equalities == 6
    assert np.abs(miss[:6]).max() < 1e-8
    assert miss[6:].min() > -1e-5
    assert min((x - problem.low).min(), (problem.high - x).min()) > -1e-6


def test_no_contact_leaves_only_gravity_for_the_centre_of_mass(moments):
    tracker, targets = tracker_at(moments, ONE_FOOT)
    nobody = np.zeros_like(targets.active)
    tracker.solve(replace(targets, active=nobody, expected=nobody), 0.0)
    state = tracker.state
    assert np.abs(residual(tracker)).max() < 1e-8
    assert not tracker.contact_force_n.any()
    falling = state.com_jacobian @ tracker.acceleration + state.com_bias_acceleration
    np.testing.assert_allclose(falling, state.gravity, atol=1e-9)


def test_torque_limits_hold_and_are_part_of_the_program(moments, monkeypatch):
    tracker, targets = tracker_at(moments, ONE_FOOT)
    planned, taken_over = [], tracker.program._take_over
    monkeypatch.setattr(tracker.program, "_take_over", lambda x, torque: (planned.append(torque), taken_over(x, torque)))
    free = np.abs(tracker.solve(targets, 0.0)).copy()
    tracker.program.torque_limit = np.where(free > 0.5 * free.max(), 0.8 * free, tracker.program.torque_limit)
    limited = tracker.solve(targets, 0.0)
    assert (np.abs(limited) <= tracker.program.torque_limit).all()
    assert np.isclose(np.abs(limited), tracker.program.torque_limit, rtol=1e-6).any()
    assert (np.abs(planned[-1]) <= tracker.program.torque_limit + 1e-4).all(), "the torques were cut, not planned"


def test_other_joints_that_make_up_for_a_limited_one_keep_their_own_limits(moments, monkeypatch):
    tracker, targets = tracker_at(moments, ONE_FOOT)
    program, planned, tried = tracker.program, [], []
    taken_over, solved = program._take_over, program._solved
    monkeypatch.setattr(program, "_take_over", lambda x, torque: (planned.append(torque), taken_over(x, torque)))
    free = np.abs(tracker.solve(targets, 0.0)).copy()
    monkeypatch.setattr(program, "_solved", lambda *args: (tried.append(args), solved(*args))[1])
    strongest = int(free.argmax())
    program.torque_limit = np.maximum(1.02 * free, 1.0)  # nobody can do much of what it has to do no longer
    program.torque_limit[strongest] = 0.8 * free[strongest]
    tracker.solve(targets, 0.0)
    assert len(tried) > 2, "others went beyond theirs"
    assert (np.abs(planned[-1]) <= program.torque_limit * 1.001).all(), "the torques were cut, not planned"


def test_torques_are_cut_where_no_motion_is_within_their_limits(moments):
    tracker, targets = tracker_at(moments, ONE_FOOT)
    tracker.program.torque_limit = np.full_like(tracker.program.torque_limit, 1e-3)
    assert (np.abs(tracker.solve(targets, 0.0)) <= 1e-3).all()


@pytest.mark.parametrize("index", range(len(STEPS) + 1))
@pytest.mark.parametrize("share", [1e-6, 0.2])
def test_accelerations_are_those_that_the_cut_torques_give(moments, index, share, monkeypatch):
    tracker, targets = tracker_at(moments, index)
    free = tracker.solve(targets, 0.0).copy()
    whole = tracker.acceleration.copy()
    program = tracker.program
    monkeypatch.setattr(program, "_within_torque_limits", lambda problem, x: (x, program._torques(x)))  # nothing but the cut
    tracker.program.torque_limit = share * np.abs(free)
    cut = tracker.solve(targets, 0.0)
    assert (np.abs(cut) <= tracker.program.torque_limit).all() and tracker.contact_force_n.any()
    assert np.abs(residual(tracker)).max() < 1e-8, "the free root's rows and the joints' alike"
    assert np.abs(tracker.acceleration - whole).max() > 1.0


def test_without_any_answer_the_last_torque_stays_and_is_counted(moments):
    tracker, targets = tracker_at(moments, ONE_FOOT)
    last = tracker.solve(targets, 0.0).copy()
    tracker.solve(replace(targets, omega=np.nan), 0.0)
    np.testing.assert_array_equal(tracker.torque, last)
    assert (tracker.solver.counts.solves, tracker.solver.counts.held, tracker.solver.counts.fallbacks) == (2, 1, 1)
    tracker.solve(targets, 0.0)
    np.testing.assert_allclose(tracker.torque, last, atol=1e-9)
    assert tracker.solver.counts.fallbacks == 1


def difference_by(moments, **weights):
    """What some weights add to H (nv, nv) and to f (nv,) of the problem of one moment, and the state."""
    tracker, targets = tracker_at(moments, ONE_FOOT)
    without = Tracker(tracker.state, 1.0, replace(TrackerSettings(), **dict.fromkeys(weights, 0.0)))
    whole = Tracker(tracker.state, 1.0, replace(TrackerSettings(), **weights))
    one, other, nv = whole.build(targets, 0.0), without.build(targets, 0.0), tracker.state.model.nv
    return (one.hessian - other.hessian)[:nv, :nv], (one.gradient - other.gradient)[:nv], whole, targets


def test_the_com_objective_is_the_pendulums_acceleration_and_the_height(moments):
    hessian, gradient, tracker, targets = difference_by(moments, com_weight=7.0, height_weight=3.0)
    state, gain = tracker.state, tracker.settings.height_gain
    jacobian, weight = state.com_jacobian, np.array([7.0, 7.0, 3.0])
    height, speed, bend = targets.height
    wanted = np.append(targets.omega**2 * (state.com[:2] - [targets.cmp.real, targets.cmp.imag]),
                       gain * (height - state.com[2]) + 2.0 * gain**0.5 * (speed - state.com_velocity[2]) + bend)
    np.testing.assert_allclose(hessian, jacobian.T @ (weight[:, None] * jacobian), atol=1e-9)
    np.testing.assert_allclose(gradient, -jacobian.T @ (weight * (wanted - state.com_bias_acceleration)), atol=1e-8)


def test_the_chest_objective_turns_it_as_in_the_reference_pose(moments):
    hessian, gradient, tracker, targets = difference_by(moments, chest_weight=2.0)
    state, gain = tracker.state, tracker.settings.chest_gain
    chest = state.frame("chest")
    motion = FrameMotion(state, [chest])
    motion.update()
    jacobian, twist, bias = motion.jacobian[0, 3:], motion.twist[0, 3:], motion.bias_acceleration[0, 3:]
    reference = BodyState(state.body, state.model)
    reference.update(targets.pose, targets.pose_velocity)
    error = rotvec_from_quat(quat_multiply(reference.frame("chest").quaternion, quat_conjugate(chest.quaternion)))
    wanted = gain * error + 2.0 * gain**0.5 * (jacobian @ targets.pose_velocity - twist)
    np.testing.assert_allclose(hessian, 2.0 * jacobian.T @ jacobian, atol=1e-9)
    np.testing.assert_allclose(gradient, -2.0 * jacobian.T @ (wanted - bias), atol=1e-7)


def test_only_swinging_feet_follow_a_place(moments):
    hessian, gradient, tracker, targets = difference_by(moments, swing_weight=5.0)
    swing = tracker.state.frame("foot_L" if targets.feet["R"].stance else "foot_R")
    motion = FrameMotion(tracker.state, [swing])
    motion.update()
    jacobian = motion.jacobian[0, :3]
    np.testing.assert_allclose(hessian, 5.0 * jacobian.T @ jacobian, atol=1e-9)
    standing = replace(targets, feet={side: replace(foot, stance=True) for side, foot in targets.feet.items()})
    values = np.array([p.build(standing, 0.0).gradient[: tracker.state.model.nv] for p in (
        tracker, Tracker(tracker.state, 1.0, replace(TrackerSettings(), swing_weight=0.0)))])
    np.testing.assert_allclose(values[0], values[1], atol=1e-9)
    assert np.abs(gradient).max() > 1e-3


def test_long_legs_are_stronger_and_others_as_they_were():
    usual, giant = make_body(BodySpec()), make_body(BodySpec(height_m=2.9))
    ratio = dict(zip(torque_names(usual), torque_limits(giant) / torque_limits(usual), strict=True))
    assert torque_limits(usual).max() == 350.0
    assert ratio["thigh_L"] == pytest.approx(giant.leg_length_m / STRONG_LEG_M)
    np.testing.assert_allclose(torque_limits(make_body(BodySpec(height_m=1.2))), torque_limits(usual))


def test_a_large_head_has_a_neck_to_carry_it():
    usual = make_body(BodySpec())
    large = {name: tuple(point) for name, point in standing_landmarks(1.8).items()}
    x, y, z = large["head_top"]
    heavy = make_body(BodySpec(landmarks=large | {"head_top": (x, y, z + 0.4)}))
    ratio = dict(zip(torque_names(usual), torque_limits(heavy) / torque_limits(usual), strict=True))
    assert ratio["head"] > 2.0 and ratio["thigh_L"] == 1.0


def test_long_toes_are_strong_enough_to_push_off():
    usual = make_body(BodySpec())
    landmarks = {name: tuple(point) for name, point in standing_landmarks(1.8).items()}
    for side in ("L", "R"):
        x, y, z = landmarks[f"toe_tip_{side}"]
        landmarks[f"toe_tip_{side}"] = (1.5 * x, y, z)
    long = make_body(BodySpec(landmarks=landmarks))
    ratio = dict(zip(torque_names(usual), torque_limits(long) / torque_limits(usual), strict=True))
    assert ratio["toes_L"] == pytest.approx(ratio["toes_R"]) and 1.8 < ratio["toes_L"] < 2.6 and ratio["foot_L"] == 1.0


def torque_names(body):
    return [name for name in body.joint_segments for _ in range(3 if body.segment(name).joint == "ball" else 1)]

# SPDX-License-Identifier: GPL-3.0-or-later
"""What the controller sees of the body's state, against finite differences and MuJoCo's own dynamics."""

import mujoco
import numpy as np
import pytest

from body_kit import creature
from engine_kit import BODY, EARTH, SMALL_BODY, random_state
from lope.addon.bodies.body import joint_quaternions, root_pose
from lope.addon.bodies.kinematics import contact_point_positions, segment_poses
from lope.addon.bodies.model import build_model
from lope.addon.bodies.state import BodyState, FrameMotion
from lope.addon.locomotion.qp.constraints import ContactSet, Sliding

STEP = 1e-5


@pytest.fixture(params=[BODY, SMALL_BODY, creature(3, hip="ball"), creature(2, "planar"), creature(2, "planar", "ball")],
                ids=["whole", "small", "creature", "planar", "planar with balls"])
def state(request):
    """A body in a random pose and motion."""
    state = BodyState(request.param, build_model(request.param, EARTH))
    state.update(*random_state(request.param, np.random.default_rng(5)))
    return state


@pytest.fixture(params=[BODY, SMALL_BODY], ids=["whole", "small"])
def human(request):
    """The same of bodies with enough contact points for every case of contact."""
    state = BodyState(request.param, build_model(request.param, EARTH))
    state.update(*random_state(request.param, np.random.default_rng(5)))
    return state


def moved(state, direction, step):
    """The state after `step` along generalised velocities `direction` (nv,), its own velocities unchanged."""
    qpos = state.qpos.copy()
    mujoco.mj_integratePos(state.model, qpos, direction, step)
    other = BodyState(state.body, state.model)
    other.update(qpos, state.qvel)
    return other


def difference(state, direction, value):
    """Central difference of `value(state)` along a direction."""
    ahead, behind = (np.array(value(moved(state, direction, s))) for s in (STEP, -STEP))
    return (ahead - behind) / (2.0 * STEP)


def columns(state, value):
    """Numeric Jacobian (..., nv) of a value of the pose."""
    return np.stack([difference(state, d, value) for d in np.eye(state.model.nv)], axis=-1)


def test_com_jacobian_is_the_slope_of_the_com(state):
    np.testing.assert_allclose(state.com_jacobian, columns(state, lambda s: s.com), atol=1e-8)
    np.testing.assert_allclose(state.com_velocity, difference(state, state.qvel, lambda s: s.com), atol=1e-7)


def test_com_bias_is_the_acceleration_without_generalised_acceleration(state):
    expected = difference(state, state.qvel, lambda s: s.com_velocity)
    np.testing.assert_allclose(state.com_bias_acceleration, expected, atol=1e-6)
    assert np.abs(expected).max() > 0.01


def test_angular_momentum_is_that_of_the_moving_segments(state):
    """Against the sum over segments of r x m v + I omega by MuJoCo, and its rate by differences."""
    def momentum(other):
        mujoco.mj_subtreeVel(other.model, other.data)
        return other.data.subtree_angmom[1]

    matrix, rate = state.angular_momentum()
    np.testing.assert_allclose(matrix @ state.qvel, momentum(state), atol=1e-8)
    np.testing.assert_allclose(rate, difference(state, state.qvel, momentum), atol=1e-5)
    assert np.abs(rate).max() > 0.01


def test_mass_matrix_and_bias_force_give_mujocos_free_motion(state):
    data = mujoco.MjData(state.model)
    data.qpos[:], data.qvel[:] = state.qpos, state.qvel
    mujoco.mj_forward(state.model, data)
    torque = state.mass_matrix @ data.qacc + state.bias_force
    torque[state.body.root_freedom:] += state.suit_torque  # the model has no springs
    np.testing.assert_allclose(torque, data.qfrc_constraint, atol=1e-8)


def test_frames_move_as_their_jacobians_say(state):
    frames = [state.frame(name) for name in (state.body.segments[-2].name, state.body.role("root"), state.body.role("head"))]
    motion = FrameMotion(state, frames)
    motion.update()

    def places(other):
        return [other.frame(f.name).position for f in frames]

    np.testing.assert_allclose(motion.jacobian[:, :3], columns(state, places), atol=1e-8)
    np.testing.assert_allclose(motion.twist[:, :3], difference(state, state.qvel, places), atol=1e-7)
    for i, frame in enumerate(frames):
        turning = difference(state, state.qvel, lambda s, name=frame.name: s.frame(name).matrix) @ frame.matrix.T
        np.testing.assert_allclose(motion.twist[i, 3:], [turning[2, 1], turning[0, 2], turning[1, 0]], atol=1e-7)

    def twists(other):
        motion = FrameMotion(other, [other.frame(f.name) for f in frames])
        motion.update()
        return motion.twist

    np.testing.assert_allclose(motion.bias_acceleration, difference(state, state.qvel, twists), atol=1e-6)


def test_contact_points_are_those_of_the_plain_kinematics(state):
    joints = joint_quaternions(state.body, state.qpos[None])
    poses = segment_poses(state.body, *root_pose(state.body, state.qpos[None]), joints)
    np.testing.assert_allclose(state.contact_point_m, contact_point_positions(state.body, *poses)[0], atol=1e-9)


def material_points(state, indices):
    """Gives, for another state, where the material now at the contact points `indices` has gone (n, 3)."""
    frames = [state.frame(state.body.contact_points[i].segment) for i in indices]
    local = [f.matrix.T @ (state.contact_point_m[i] - f.position) for f, i in zip(frames, indices, strict=True)]

    def places(other):
        found = [other.frame(f.name) for f in frames]
        return np.array([f.position + f.matrix @ p for f, p in zip(found, local, strict=True)])

    return places


def test_contact_jacobians_against_finite_differences(human):
    state = human
    count = len(state.body.contact_points)
    active, expected = np.zeros((2, count), dtype=bool)
    active[[1, 3]], expected[[0, 1]] = True, True
    contacts = ContactSet(state, 0.6)
    contacts.update(active, expected)
    assert contacts.indices.tolist() == [1, 3]
    assert contacts.expected.tolist() == [1, 3, 0]
    places = material_points(state, contacts.expected)
    numeric = columns(state, places)
    np.testing.assert_allclose(contacts.jacobian, numeric.reshape(9, -1), atol=1e-8)
    bias = (places(moved(state, state.qvel, 1e-4)) - 2.0 * places(state) + places(moved(state, state.qvel, -1e-4))) / 1e-8
    np.testing.assert_allclose(contacts.bias_acceleration, bias.ravel(), atol=1e-4)
    assert np.abs(bias).max() > 0.1


def test_edges_forces_and_speeds_of_the_cones_belong_together(human):
    state = human
    friction, rng = 0.6, np.random.default_rng(2)
    contacts = ContactSet(state, friction)
    active = np.zeros(len(state.body.contact_points), dtype=bool)
    active[:3] = True
    contacts.update(active, active)
    coefficients = rng.uniform(0.0, 50.0, 12)
    forces = contacts.point_forces(coefficients)
    np.testing.assert_allclose(contacts.edges.T @ coefficients, contacts.jacobian.T @ forces.ravel(), atol=1e-9)
    np.testing.assert_allclose(contacts.along_edges(contacts.jacobian @ state.qvel), contacts.edges @ state.qvel, atol=1e-9)
    assert (np.abs(forces[:, :2]).sum(axis=1) <= friction * forces[:, 2] + 1e-12).all()
    for edge in np.eye(12):
        force = contacts.point_forces(edge)
        assert force[:, 2].sum() == pytest.approx(1.0)
        assert np.hypot(force[:, 0], force[:, 1]).sum() == pytest.approx(friction)


def test_no_contact_is_an_empty_set(state):
    contacts, nobody = ContactSet(state, 0.6), np.zeros(len(state.body.contact_points), dtype=bool)
    contacts.update(nobody, nobody)
    assert contacts.count == 0
    assert contacts.jacobian.shape == contacts.edges.shape == (0, state.model.nv)
    assert contacts.point_forces(np.zeros(0)).shape == (0, 3)


def test_friction_on_a_point_that_is_to_slide_is_against_its_way(human):
    state, count = human, len(human.body.contact_points)
    active = np.zeros(count, dtype=bool)
    active[:2] = True
    velocity, acceleration = np.zeros((2, count, 3))
    velocity[0], acceleration[0] = (0.3, -0.4, 0.0), (1.0, 2.0, 0.0)
    contacts = ContactSet(state, 0.6, 0.8)
    contacts.update(active, active, Sliding(velocity, acceleration))
    forces = contacts.point_forces(np.ones(8))
    np.testing.assert_allclose(forces[0], 4.0 * np.array([-0.8 * 0.6, 0.8 * 0.8, 1.0]), atol=1e-9)
    np.testing.assert_allclose(forces[1], [0.0, 0.0, 4.0], atol=1e-9)
    np.testing.assert_allclose(contacts.slip_velocity, [0.3, -0.4, 0.0, 0.0, 0.0, 0.0])
    np.testing.assert_allclose(contacts.slip_acceleration, [1.0, 2.0, 0.0, 0.0, 0.0, 0.0])
    contacts.update(active, active)
    assert not contacts.slip_velocity.any() and contacts.point_forces(np.ones(8))[0, 0] == pytest.approx(0.0)

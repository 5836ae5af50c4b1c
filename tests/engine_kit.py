# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests of the engines share: bodies, random states, MuJoCo's answer, a controller that stands like a statue."""

import importlib.util

import mujoco
import numpy as np
import pytest

from lope.addon.bodies.human.body import Human
from lope.addon.bodies.makers import make_body
from lope.addon.bodies.model import build_model
from lope.addon.specs.shot import BodySpec, World

needs_pybullet = pytest.mark.skipif(
    importlib.util.find_spec("pybullet") is None,
    reason="PyBullet is not installed (wheels: Linux x86-64, Python 3.11)")
BODY = make_body(BodySpec())
SMALL_BODY = Human.from_landmarks(
    {k: v for k, v in BODY.landmarks.items() if not k.startswith(("toes", "clavicle", "neck"))}, 31.0)
EARTH = World()
CONTACT_ENGINES = [
    pytest.param("mujoco", id="mujoco"), pytest.param("pybullet", id="pybullet", marks=needs_pybullet)]
ALL_ENGINES = CONTACT_ENGINES + [pytest.param("ideal", id="ideal")]


def random_state(body, rng, bend_rad=0.25):
    """A random pose high above the ground with hinges inside their limits, and random velocities."""
    model, root = build_model(body, EARTH), body.root_freedom
    qpos, turn = model.qpos0.copy(), np.zeros(model.nv)
    turn[root // 2 + root % 2:root] = rng.normal(size=root // 2)
    turn[root:] = bend_rad * rng.uniform(-1.0, 1.0, model.nv - root)
    mujoco.mj_integratePos(model, qpos, turn, 1.0)
    for joint in range(model.njnt):
        if model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_HINGE and model.jnt_limited[joint]:
            low, high = model.jnt_range[joint]
            qpos[model.jnt_qposadr[joint]] = rng.uniform(0.9 * low + 0.1 * high, 0.1 * low + 0.9 * high)
    qpos[:root // 2 + root % 2] = (0.3, -0.2, 5.0) if root == 6 else (0.3, 5.0)
    return qpos, rng.normal(size=model.nv)


def mujoco_acceleration(body, qpos, qvel, torque, pushes=()):
    """MuJoCo's generalised acceleration (nv,), free of contacts and limits."""
    model = build_model(body, EARTH)
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:], data.qfrc_applied[6:] = qpos, qvel, torque
    for segment, force, moment in pushes:
        data.xfrc_applied[model.body(segment).id] = (*force, *moment)
    mujoco.mj_forward(model, data)
    assert data.nefc == 0, "no contact and no joint at its limit"
    return data.qacc.copy()


def standing(body):
    """Neutral pose on the ground, at rest."""
    qpos = build_model(body, EARTH).qpos0.copy()
    qpos[2] = body.pelvis_height_m
    return qpos, np.zeros(body.degrees_of_freedom)


class Hold:
    """Torques that keep the joints in a pose while the ground carries the weight straight up: a stiff statue.

    The wanted joint accelerations are those of a critically damped spring; the root moves freely under gravity and the
    vertical forces that balance it at rest.
    """

    def __init__(self, body, qpos, stiffness=400.0):
        self.model = build_model(body, EARTH)
        self.data = mujoco.MjData(self.model)
        self.body, self.pose, self.stiffness = body, qpos.copy(), stiffness

    def __call__(self, engine):
        model, data, nv = self.model, self.data, self.model.nv
        data.qpos[:], data.qvel[:] = engine.qpos, engine.qvel
        mujoco.mj_forward(model, data)
        mass, error = np.zeros((nv, nv)), np.zeros(nv)
        mujoco.mj_fullM(model, data, mass)
        mujoco.mj_differentiatePos(model, error, 1.0, engine.qpos, self.pose)
        acceleration = self.stiffness * error - 2.0 * np.sqrt(self.stiffness) * engine.qvel
        rows = np.zeros((len(self.body.contact_points), nv))
        for row, point in zip(rows, self.body.contact_points, strict=True):
            jacobian, segment = np.zeros((3, nv)), model.body(point.segment).id
            place = data.xpos[segment] + data.xmat[segment].reshape(3, 3) @ point.position
            mujoco.mj_jac(model, data, jacobian, None, place - [0.0, 0.0, point.radius_m], segment)
            row[:] = jacobian[2]
        load = np.linalg.lstsq(rows[:, :6].T, data.qfrc_bias[:6], rcond=None)[0]
        push = rows.T @ load - data.qfrc_bias
        acceleration[:6] = np.linalg.solve(mass[:6, :6], push[:6] - mass[:6, 6:] @ acceleration[6:])
        return (mass @ acceleration - push)[6:]

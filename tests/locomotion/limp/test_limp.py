# SPDX-License-Identifier: GPL-3.0-or-later
"""A body that lets go: its joints give back no more than was put in, it takes over any state, falls, and comes to rest."""

from dataclasses import replace

import mujoco
import numpy as np
import pytest

from body_kit import creature
from engine_kit import needs_pybullet
from lope.addon.bodies.body import Body
from lope.addon.bodies.capsules import body_capsules
from lope.addon.bodies.human.suit import load_suit
from lope.addon.bodies.makers import make_body
from lope.addon.bodies.model import Stepping, build_model
from lope.addon.bodies.state import BodyState
from lope.addon.cli import main
from lope.addon.engines.engine import Torques
from lope.addon.errors import InputError
from lope.addon.locomotion.controller import Sensed, Setup
from lope.addon.locomotion.limp.joints import Joints, LimpSettings
from lope.addon.locomotion.registry import find_controller
from lope.addon.maths.rotations import quat_rotate
from lope.addon.sim.simulation import simulate
from lope.addon.specs.motions import Gait
from lope.addon.specs.shot import BodySpec, Push, Shot, World

pytestmark = pytest.mark.slow
MORE = pytest.mark.acceptance

ADULT = make_body(BodySpec())
SUITED = make_body(BodySpec(), load_suit("apollo-a7lb"))
BODIES = pytest.mark.parametrize("body", [ADULT, creature(2, hip="ball")], ids=["human", "creature"])


def turned(model, qpos, way, angle=1.0):
    """A pose (nq,) moved by `angle` times velocities (nv,)."""
    out = qpos.copy()
    mujoco.mj_integratePos(model, out, way, angle)
    return out


def limp(body, world=World(), **settings):
    state = BodyState(body, build_model(body, world, Stepping(capsules=True)))
    setup = Setup(Shot(world=world), body, state, Torques, LimpSettings(**settings))
    return find_controller("limp").make(setup), state


@BODIES
def test_moments_are_the_gradient_of_the_energy(body):
    body = Body([replace(s, stiffness_nm_rad=0.0) for s in body.segments], kind=body.kind)  # a suit's come from elsewhere
    model, rng = build_model(body, World()), np.random.default_rng(1)
    joints, root = Joints(body, LimpSettings()), body.root_freedom
    joints.take_over(model.qpos0)
    way = np.concatenate([np.zeros(root), rng.normal(0.0, 0.4, model.nv - root)])
    qpos = turned(model, model.qpos0, way)
    found = joints.evaluate(qpos, 2.0)
    for i, axis in enumerate(np.eye(model.nv)[root:]):
        ahead, behind = (joints.evaluate(turned(model, qpos, axis, s * 1e-5), 2.0).energy_j for s in (1.0, -1.0))
        assert found.torque[i] == pytest.approx(-(ahead - behind) / 2e-5, rel=1e-3, abs=1e-3)


@BODIES
def test_within_its_range_a_joint_hangs_loose_and_past_it_it_stops(body):
    model = build_model(body, World())
    joints = Joints(body, LimpSettings())
    for name in body.joint_segments:
        joint, passive = model.joint(name), body.passive_joint(name)
        column = int(joint.dofadr[0]) + (1 if len(passive.high) == 3 else 0)
        high = float(passive.high[len(passive.high) // 2])
        moments = [abs(joints.evaluate(turned(model, model.qpos0, np.eye(model.nv)[column], share * high), 0.0)
                       .torque[column - body.root_freedom]) for share in (0.5, 1.5)]
        assert moments[0] < 1.5 * passive.end_nm < 6.0 * passive.end_nm < moments[1], name


def test_a_pose_past_its_range_is_not_thrown_back():
    model = build_model(ADULT, World())
    joints, way = Joints(ADULT, LimpSettings()), np.zeros(model.nv)
    way[int(model.joint("thigh_L").dofadr[0]) + 1] = 0.7  # a leg that swung 40 degrees back
    qpos = turned(model, model.qpos0, way)
    before = np.abs(joints.evaluate(qpos, 0.0).torque).max()
    joints.take_over(qpos)
    assert np.abs(joints.evaluate(qpos, 0.0).torque).max() < 25.0 < before


def test_tone_holds_the_pose_and_fades():
    controller, state = limp(ADULT)
    qpos, qvel = controller.start()
    state.update(qpos, qvel)
    way = np.zeros(state.model.nv)
    way[int(state.model.joint("shank_L").dofadr[0])] = 0.5
    knee = int(state.model.joint("shank_L").dofadr[0]) - 6
    bent, torques = turned(state.model, qpos, way), []
    for time in (0.0, 0.1, 0.5):
        controller.sense(Sensed(time, bent, qvel, None))
        torques.append(controller.act())
    assert torques[0].torque[knee] < torques[1].torque[knee] < torques[2].torque[knee] < 0.5
    assert torques[0].damping[knee] > 2.0 * torques[2].damping[knee] > 0.0


@pytest.mark.parametrize("body", [ADULT, pytest.param(SUITED, marks=MORE), creature(3)], ids=["human", "in a suit", "three feet"])
def test_any_body_collapses_to_rest_without_gaining_energy(body):
    controller, state = limp(body)
    model = state.model
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:] = controller.start()
    data.qvel[:3] = 0.8, 0.3, 0.0
    root, time, energies = body.root_freedom, 0.0, []
    while not controller.done() and time < 8.0:
        state.update(data.qpos, data.qvel)
        controller.sense(Sensed(time, data.qpos, data.qvel, None))
        command = controller.act()
        energies.append(float(controller.channels()["limp_energy_j"].value))
        data.qfrc_applied[root:] = command.torque + state.suit_torque
        model.dof_damping[root:] = command.damping
        mujoco.mj_step(model, data)
        time += controller.control_step_s
    assert controller.done() and controller.stats()["time_rest_s"] < 7.0
    assert (np.array(energies) - np.minimum.accumulate(energies)).max() < 0.01 * energies[0]
    assert state.com[2] < 0.45 * body.pelvis_height_m
    assert data.contact.dist[data.contact.geom[:, 0] == 0].min() > -0.01


def lowest_m(take):
    """The lowest place [m] of all capsules in every sample (T,)."""
    places, turns = take.segment_poses
    low = np.full(len(take.time_s), np.inf)
    for shape in body_capsules(take.body):
        i = take.body.index[shape.segment]
        for end in (shape.start, shape.end):
            low = np.minimum(low, (places[:, i] + quat_rotate(turns[:, i], end))[:, 2] - shape.radius_m)
    return low


@pytest.mark.parametrize("engine", ["mujoco", pytest.param("pybullet", marks=[needs_pybullet, MORE])])
def test_who_is_pushed_over_falls_and_lies_still(engine):
    push = Push(1.0, 0.3, (0.0, 450.0, 0.0))
    take = simulate(Shot(duration_s=4.0, engine=engine, pushes=(push,), after_fall="limp"))
    fell, rest = take.stats["time_fell_s"], take.stats["time_rest_s"]
    assert 1.3 < fell < rest < fell + 10.0 and take.lost is None and not take.broken_off
    energy = take.channels["limp_energy_j"].values
    assert np.isnan(energy[take.time_s < fell - 0.02]).all()
    energy = energy[take.time_s > fell + 0.02]
    assert (energy - np.minimum.accumulate(energy)).max() < 0.01 * energy[0]
    assert energy[-1] < 0.25 * energy[0]
    assert lowest_m(take).min() > -0.01
    assert np.abs(lowest_m(take)[-1]) < 0.01 and take.com_m[-1, 2] < 0.25
    body = take.body
    knees = [take.joint_quaternions[:, body.joint_segments.index(f"shank_{side}")] for side in "LR"]
    assert min((2.0 * np.arcsin(knee[:, 2])).min() for knee in knees) > np.radians(-5.0), "no knee bends backwards"


def test_a_shot_may_begin_limp():
    take = simulate(Shot(motion=Gait(controller="limp"), duration_s=1.5, world=World("moon", 1.62)))
    assert take.com_m[0, 2] - take.com_m[-1, 2] > 0.3 and not take.holds("plan_footstep_m")


def test_nobody_steers_or_plans_a_fall_and_the_ideal_engine_has_none():
    controller, _ = limp(ADULT)
    assert controller.plan() is None and find_controller("limp").plan_of(Shot()) is None
    with pytest.raises(InputError, match="A limp body cannot be steered."):
        controller.steer({"speed_m_s": 1.0})
    with pytest.raises(InputError, match="choose the engine mujoco or pybullet"):
        simulate(Shot(engine="ideal", after_fall="limp"))


def test_lope_plan_says_that_a_limp_body_plans_nothing(capfd):
    assert main(["plan", "--controller", "limp"]) == 2
    assert "plans nothing ahead" in capfd.readouterr().err

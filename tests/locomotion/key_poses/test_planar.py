# SPDX-License-Identifier: GPL-3.0-or-later
"""The planar body, its ground of springs, and the law in the plane."""

import math
from dataclasses import replace

import numpy as np
import pytest

from lope.addon.bodies.makers import body_from_dict, make_body
from lope.addon.bodies.model import build_model
from lope.addon.bodies.state import BodyState
from lope.addon.engines.engine import Torques, make_engine
from lope.addon.errors import BodyError, EngineError, InputError
from lope.addon.gaits.pose_gaits import load_pose_gait, pose_gait_names
from lope.addon.locomotion.key_poses.machine import ROW
from lope.addon.locomotion.key_poses.planar_law import PlanarLaw, PlanarSettings
from lope.addon.locomotion.key_poses.strength import Scale
from lope.addon.sim.simulation import Simulation, preview, simulate
from lope.addon.specs.motions import Clip, KeyPoses
from lope.addon.specs.path import GroundSpec
from lope.addon.specs.pose_gait import PlanarStart, pose_gait_file
from lope.addon.specs.shot import BodySpec, Push, Shot, World
from lope.addon.worlds.planets import load_world
from shot_kit import shot_with

pytestmark = pytest.mark.slow

PLANAR = BodySpec(kind="planar", mass_kg=90.0)
THESIS = World(friction=0.65)
WALK = load_pose_gait("walk", "planar")


def shot(gait=WALK, **values):
    return shot_with(KeyPoses(gait, start="standing"), **{"body": PLANAR, "engine": "springs", "world": THESIS, **values})


def state_of(spec=PLANAR, gravity=9.81):
    body = make_body(spec)
    state = BodyState(body, build_model(body, World(gravity_m_s2=gravity)))
    return state, PlanarLaw(state, Scale.of(body, gravity), PlanarSettings())


def walked(made):
    """Mean speed of the second half [m/s] and time of a step [s] of a shot that must not fall."""
    simulation = Simulation(made)
    places = []
    while not simulation.over:
        simulation.step()
        places.append((simulation.time_s, float(simulation.state.qpos[0])))
    assert simulation.time_fell_s is None and simulation.lost is None
    half = len(places) // 2
    (t0, x0), (t1, x1) = places[half], places[-1]
    return (x1 - x0) / (t1 - t0), simulation.controller.machine.step_s


def test_the_body_is_the_thesis_s():
    body = make_body(PLANAR)
    assert body.mass_kg == pytest.approx(90.0) and body.leg_length_m == pytest.approx(0.9)
    assert body.pelvis_height_m == pytest.approx(0.94) and body.degrees_of_freedom == 9
    assert body_from_dict(body.to_dict()).to_dict() == body.to_dict()


def test_its_legs_are_as_long_as_those_of_the_figure():
    human = make_body(BodySpec(1.5))
    spec = BodySpec(landmarks={name: tuple(place) for name, place in human.landmarks.items()}, kind="planar")
    assert make_body(spec).leg_length_m == pytest.approx(human.leg_length_m)


def test_it_wears_no_suit():
    from lope.addon.bodies.human.suit import load_suit

    with pytest.raises(InputError, match="wears no suit"):
        make_body(PLANAR, load_suit("apollo-a7lb"))


def test_a_human_s_shot_is_written_as_before():
    assert "kind" not in Shot().to_dict()["body"] and shot().to_dict()["body"]["kind"] == "planar"
    assert Shot.from_dict(shot().to_dict()) == shot()


def test_springs_carry_the_weight_of_a_body_that_stands():
    body = make_body(PLANAR)
    engine = make_engine("springs", body, THESIS)
    qpos = np.zeros(9)
    qpos[1] = body.pelvis_height_m
    engine.reset(qpos, np.zeros(9))
    for _ in range(40):
        engine.apply(Torques(-800.0 * engine.qpos[3:], np.full(6, 80.0)), 0.005)
    assert engine.contact_force_n[:, 2].sum() == pytest.approx(90.0 * 9.81, rel=0.02)
    assert 0.0 < body.pelvis_height_m - engine.qpos[1] < 0.01  # a spring of 1e5 N/m under each of four points gives 2 mm


def test_a_sole_slips_where_friction_is_spent():
    body = make_body(PLANAR)
    slid = []
    for friction in (0.1, 0.65):
        engine = make_engine("springs", body, replace(THESIS, friction=friction))
        qpos, qvel = np.zeros(9), np.zeros(9)
        qpos[1], qvel[0] = body.pelvis_height_m, 1.0
        engine.reset(qpos, qvel)
        engine.apply(Torques(np.zeros(6), np.full(6, 300.0)), 0.1)
        force = engine.contact_force_n.sum(axis=0)
        slid.append(-force[0] / force[2])
    assert slid[0] == pytest.approx(0.1, rel=0.01) and slid[1] > 0.15


def test_springs_are_for_planar_bodies_that_do_not_fall():
    with pytest.raises(EngineError, match="for planar bodies"):
        make_engine("springs", make_body(BodySpec()), THESIS)
    with pytest.raises(EngineError, match="only soles meet the ground"):
        simulate(shot(after_fall="limp", duration_s=1.0))
    with pytest.raises(BodyError, match="this one's is planar"):
        simulate(shot(engine="pybullet", duration_s=1.0))


def test_the_law_reads_angles_as_poses_have_them():
    state, law = state_of()
    start = PlanarStart(0.9, 1.0, 0.0, (-0.1, 0.0), (0.3, 0.0), (-0.5, 0.0), (0.2, 0.0), (-0.2, 0.0), (-0.1, 0.0), (0.1, 0.0))
    state.update(*law.begin_in(start))
    found = law.now()
    assert found[[ROW["torso"], ROW["knee_L"], ROW["ankle_L"]]] == pytest.approx([-0.1, -0.5, 0.2])
    assert found[ROW["hip_L"]] == pytest.approx(0.2)  # against the world: the trunk leans forward
    thigh, trunk = state.frame("thigh_L").matrix, state.frame("trunk").matrix
    assert math.atan2(-thigh[0, 2], thigh[2, 2]) == pytest.approx(0.2) and trunk[0, 2] > 0.0


def test_standing_hip_gives_what_trunk_and_swinging_thigh_take():
    state, law = state_of()
    state.update(*law.begin(0.0, 0.0, 0.0))
    targets = np.zeros(len(ROW))
    targets[ROW["hip_R"]], targets[ROW["torso"]] = 0.5, -0.2
    torque = law.torques(WALK.cycle[0], targets, 0.0, 0.0)
    hips = {side: torque[int(state.model.joint(f"thigh_{side}").dofadr[0]) - 3] for side in "LR"}
    assert hips["R"] > 100.0 and hips["R"] + hips["L"] == pytest.approx(0.2 * 300.0)


@pytest.mark.acceptance
def test_the_printed_walk_walks_on_both_grounds():
    for engine in ("springs", "mujoco"):
        speed, step_s = walked(shot(engine=engine, duration_s=8.0))
        assert speed == pytest.approx(1.0, rel=0.06) and step_s == pytest.approx(0.36, rel=0.05)


@pytest.mark.acceptance
def test_under_another_gravity_it_is_the_same_walk():
    earth, moon = (walked(shot(duration_s=8.0 * slow, world=replace(load_world(name), friction=0.65)))
                   for name, slow in (("earth", 1.0), ("moon", 2.46)))
    slow = math.sqrt(9.81 / load_world("moon").gravity_m_s2)
    assert moon[0] * slow == pytest.approx(earth[0], rel=0.01) and moon[1] / slow == pytest.approx(earth[1], rel=0.01)


@pytest.mark.acceptance
def test_it_walks_down_steps_that_nobody_told_it_of():
    simulation = Simulation(shot(duration_s=8.0, world=replace(THESIS, ground=GroundSpec("steps", rise_m=-0.05, run_m=1.0))))
    while not simulation.over:
        simulation.step()
    assert simulation.time_fell_s is None and simulation.state.qpos[1] < 0.75


def test_a_push_on_its_chest_acts_at_the_top_of_the_trunk():
    assert make_body(PLANAR).pushed("chest")[1] == pytest.approx([0.0, 0.0, 0.48])
    pitched = []
    for engine in ("springs", "mujoco"):
        simulation = Simulation(shot(engine=engine, duration_s=1.0, pushes=(Push(0.0, 0.05, (100.0, 0.0, 0.0)),)))
        plain = Simulation(shot(engine=engine, duration_s=1.0))
        for _ in range(4):
            simulation.step(), plain.step()
        moved, stayed = simulation.state, plain.state
        pitched.append(moved.qvel[2] - stayed.qvel[2])
        gained = (moved.com_velocity[0] - stayed.com_velocity[0]) * 90.0
        assert 0.0 < gained < 2.5  # the ground takes some of the 2 N s
    assert min(pitched) > 0.1  # the trunk tips over


def test_a_planar_body_cannot_turn():
    from lope.addon.specs.steering import Steering

    with pytest.raises(InputError, match="cannot turn"):
        simulate(shot(duration_s=1.0, steering=(Steering(0.1, turn_rad_s=0.5),)))


def test_a_start_of_the_planar_body_is_no_human_s():
    with pytest.raises(InputError, match="starts in a state of the planar body"):
        simulate(shot(body=BodySpec(), engine="mujoco", duration_s=1.0))


def test_the_file_of_a_gait_holds_its_start():
    assert pose_gait_file(WALK)["start"]["height_m"] == WALK.start.height_m
    assert len(pose_gait_names("planar")) >= 12


@pytest.mark.parametrize("made", [Shot(body=PLANAR), Shot(motion=Clip("walk.bvh"), body=PLANAR)])
def test_a_controller_of_humans_plans_nothing_for_a_planar_body(made):
    with pytest.raises(InputError, match="moves bodies of the kind human; this one is planar: choose another controller"):
        preview(made)

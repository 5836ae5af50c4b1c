# SPDX-License-Identifier: GPL-3.0-or-later
"""The data-driven controller: its ground, its fragments, its layers, and a walk by it."""

from dataclasses import replace

import mujoco
import numpy as np
import pytest

from follow_kit import BODY, follow_shot, walk_clip, walk_plan
from lope.addon.errors import InputError
from lope.addon.locomotion.lee.reference import Reference, fragments_of
from lope.addon.locomotion.lee.settings import LeeSettings
from lope.addon.sim.simulation import Simulation, simulate

pytestmark = pytest.mark.slow

FIRM = {"lee": {"kt": 120.0}}


def lee_shot(**more):
    """A shot of the built-in walk's clip, on the springs."""
    usual = {"until_end": False, "duration_s": 0.5, "controller": "lee", "engine": "ideal", "gains": FIRM}
    return follow_shot(walk_clip(), **{**usual, **more})


def test_fragments_go_from_landing_to_landing():
    plan = walk_plan()
    found = fragments_of(plan.schedule, plan.clip.duration_s)
    assert found[0].start_s == 0.0 and found[-1].end_s == plan.clip.duration_s
    assert all(one.end_s == other.start_s for one, other in zip(found, found[1:], strict=False))
    swings = [one for one in found if one.swing]
    assert len(swings) >= 6 and all(one.swing not in one.stance and one.start_s <= one.lift_s < one.end_s for one in swings)
    assert all(one.swing != other.swing for one, other in zip(swings, swings[1:], strict=False)), "feet swing by turns"


def test_the_springs_carry_the_body_and_the_joints_accelerate_as_asked():
    simulation = Simulation(lee_shot())
    controller, state = simulation.controller, simulation.state
    weight = BODY.mass_kg * 9.81
    assert 0.0 < -state.contact_height_m.min() < 0.02
    command = controller.act()
    assert 0.4 * weight < command.contact_force_n[:, 2].sum() < 1.6 * weight and (command.contact_force_n[:, 2] >= 0.0).all()
    left = state.mass_matrix @ command.acceleration + state.bias_force
    left[6:] -= command.torque
    jacobian = np.zeros((3, state.model.nv))
    for i, point in enumerate(BODY.contact_points):
        mujoco.mj_jac(state.model, state.data, jacobian, None, state.contact_point_m[i], state.model.body(point.segment).id)
        left -= command.contact_force_n[i] @ jacobian
    np.testing.assert_allclose(left, 0.0, atol=1e-6)  # the equations of motion, the root without any torque


def test_springs_that_touch_nothing_leave_the_body_to_fall():
    simulation = Simulation(lee_shot())
    qpos = simulation.engine.qpos.copy()
    qpos[2] += 1.0
    simulation.state.update(qpos, np.zeros(simulation.state.model.nv))
    root = simulation.controller.ground.press(np.zeros(simulation.state.model.nv - 6))
    np.testing.assert_allclose(simulation.controller.ground.force_n, 0.0)
    acceleration = np.concatenate([root, np.zeros(simulation.state.model.nv - 6)])
    np.testing.assert_allclose((simulation.state.com_jacobian @ acceleration)[2], -9.81, atol=1e-6)


def test_a_displaced_fragment_begins_where_it_should_and_comes_back():
    plan, state = walk_plan(), Simulation(lee_shot()).state
    reference, fragments = Reference(plan.clip, state.model), fragments_of(plan.schedule, plan.clip.duration_s)
    fragment, coming = fragments[1:3]
    pose, away = reference.pose(fragment.end_s - 0.1, fragment), np.zeros(state.model.nv)
    reference.displace(pose, coming, 0.2)

    def off(other, time_s):
        mujoco.mj_differentiatePos(state.model, away, 1.0, other, reference.pose(time_s, coming))
        return float(np.abs(away[3:]).max())

    assert off(pose, coming.start_s) < 1e-6 and off(reference.own_pose(coming.start_s), coming.start_s) > 0.1
    assert off(reference.own_pose(coming.end_s), coming.end_s) < 1e-6


def test_a_clip_that_begins_in_mid_stride_begins_at_its_speed():
    simulation, clip = Simulation(lee_shot()), walk_plan().clip
    came = (clip.root_m[6] - clip.root_m[0]) / (6 * clip.step_s) / simulation.controller.planned.slow
    np.testing.assert_allclose(simulation.engine.qvel[:2], came[:2], atol=0.15 * np.hypot(*came[:2]))


def test_after_a_landing_that_is_late_the_standing_leg_rests():
    plan, state = walk_plan(), Simulation(lee_shot()).state
    reference, away = Reference(plan.clip, state.model), np.zeros(state.model.nv)
    fragment = fragments_of(plan.schedule, plan.clip.duration_s)[1]
    mujoco.mj_differentiatePos(state.model, away, 0.1, reference.pose(fragment.end_s, fragment),
                               reference.pose(fragment.end_s + 0.1, fragment))
    rows = {side: [int(state.model.joint(f"{name}_{side}").dofadr[0]) for name in ("thigh", "shank", "foot")] for side in "LR"}
    assert np.abs(away[rows[fragment.stance[0]]]).max() < 1e-9 < 0.1 < np.abs(away[rows[fragment.swing]]).max()


@pytest.mark.parametrize("layer", ["stance_hip", "swing_hip", "stance_ankle", "swing_height", "foot_level"])
def test_every_layer_changes_the_target_and_can_be_switched_off(layer):
    def target(value):
        simulation = Simulation(lee_shot(gains={"lee": {**FIRM["lee"], layer: value}}))
        controller = simulation.controller
        fragment = next(one for one in controller.queue.fragments if one.swing)
        time_s = 0.5 * (fragment.lift_s + fragment.end_s)
        simulation.state.qvel[:3] += 0.3
        now = controller.queue._reference.wanted(time_s)
        pose = controller.queue._reference.pose(time_s, fragment)
        return controller.modulation.target(pose, fragment, time_s, now, now)

    on, off, half = (target(value) for value in (1.0, 0.0, 0.5))
    assert np.abs(on - off).max() > 1e-4 and 0.0 < np.abs(half - off).max() < np.abs(on - off).max()


@pytest.mark.parametrize("engine", ["ideal", "mujoco"])
def test_the_walk_begins_in_both_engines_and_tells_how_well_it_is_followed(engine):
    take = simulate(lee_shot(engine=engine, duration_s=0.5))
    assert not take.fell and take.lost is None and len(take.time_s) == 51, "sampled as other takes are"
    assert take.channels["follow_joint_error_deg"].values.max() < 15.0
    assert take.stats["followed_fraction"] == pytest.approx(1.0), "as far as was asked"
    again = simulate(lee_shot(engine=engine, duration_s=0.5))
    np.testing.assert_array_equal(take.joint_quaternions, again.joint_quaternions)


def test_other_gravities_go_similarly():
    earth, moon = (
        simulate(
            replace(
                follow_shot(walk_clip(), world).with_motion(controller="lee", until_end=False),
                engine="ideal",
                gains=FIRM,
                duration_s=seconds,
            )
        )
        for world, seconds in (("earth", 0.8), ("moon", 1.9))
    )
    for now in (0.2, 0.5, 0.75):
        rows = [np.abs(take.channels["follow_clip_time_s"].values - now).argmin() for take in (earth, moon)]
        np.testing.assert_allclose(earth.com_m[rows[0]], moon.com_m[rows[1]], atol=0.03)


def test_what_cannot_be_is_refused():
    controller = Simulation(lee_shot()).controller
    with pytest.raises(InputError, match="cannot be steered"):
        controller.steer({"speed_m_s": 1.0})
    with pytest.raises(InputError, match="clip's first frame"):
        controller.start((controller.state.qpos, controller.state.qvel))
    with pytest.raises(InputError, match="0 and 1"):
        LeeSettings(swing_hip=2.0)

# SPDX-License-Identifier: GPL-3.0-or-later
"""Gaits from key poses that leave the ground, stand on both legs, climb, turn or go sideways."""

import math
from dataclasses import replace

import numpy as np
import pytest

from lope.addon.bodies.makers import make_body
from lope.addon.bodies.model import build_model
from lope.addon.bodies.state import BodyState
from lope.addon.gaits.pose_gaits import load_pose_gait
from lope.addon.locomotion.key_poses.controller import Course
from lope.addon.locomotion.key_poses.law import Law
from lope.addon.locomotion.key_poses.machine import ROW, on_slope, targets_of, touched
from lope.addon.locomotion.key_poses.strength import PoseGaitSettings, Scale
from lope.addon.sim.simulation import simulate
from lope.addon.specs.motions import KeyPoses
from lope.addon.specs.path import GroundSpec, PathSpec
from lope.addon.specs.pose_gait import PoseState
from lope.addon.specs.shot import BodySpec, Shot, World
from lope.addon.worlds.paths import make_path

pytestmark = pytest.mark.slow

WALK = load_pose_gait("walk")
LEFT = PoseState(swing="L", swing_hip=0.4)


def hips(pose, lean=0.0):
    """Moments of both hips of a body that stands and leans."""
    body = make_body(BodySpec())
    state = BodyState(body, build_model(body, World()))
    qpos = state.model.qpos0.copy()
    qpos[3:7] = math.cos(0.5 * lean), 0.0, math.sin(0.5 * lean), 0.0
    state.update(qpos, np.zeros(state.model.nv))
    law = Law(state, Scale.of(body, 9.81), PoseGaitSettings())
    torque = law.torques(pose, targets_of(pose), 0.0, 0.0, 0.0)
    places = {side: int(state.model.joint(f"thigh_{side}").dofadr[0]) - 6 for side in "LR"}
    return {side: torque[place:place + 3] for side, place in places.items()}


def test_legs_that_both_stand_share_the_trunk():
    found = hips(replace(LEFT, stands="both"), lean=0.2)
    assert found["L"][1] == pytest.approx(found["R"][1]) == pytest.approx(0.5 * 600.0 * 0.2, rel=1e-3)


def test_in_a_flight_both_thighs_are_drawn():
    one = hips(LEFT)
    flying = hips(replace(LEFT, stands="neither", stance_hip=-0.2))
    assert one["R"][1] == pytest.approx(-one["L"][1])  # it takes what the swinging one gives
    assert flying["L"][1] < -50.0 and flying["R"][1] > 50.0 and flying["R"][1] == pytest.approx(-0.5 * flying["L"][1])


@pytest.mark.parametrize("touch, over", [("swing", False), ("stance", True), ("any", True)])
def test_a_state_waits_for_the_foot_that_it_names(touch, over):
    assert touched(replace(LEFT, touch=touch), {"L": False, "R": True}) is over


def test_uphill_the_swinging_leg_is_lifted_by_its_share():
    gait = replace(WALK, slope_hip=1.2, slope_knee=-1.0, slope_ankle=0.5)
    level = targets_of(LEFT)
    up = on_slope(level, gait, "L", 0.3) - level
    assert up[ROW["hip_L"]] == pytest.approx(0.36) and up[ROW["knee_L"]] == pytest.approx(-0.3)
    assert up[ROW["ankle_R"]] == pytest.approx(0.15) and up[ROW["knee_R"]] == 0.0
    assert on_slope(level, gait, "L", 0.0) is level


def test_on_a_slope_it_starts_on_the_ground():
    world = World(ground=GroundSpec(kind="slope", slope_deg=20.0))
    take = simulate(Shot(motion=KeyPoses(WALK, start="standing"), duration_s=0.5, world=world))
    feet = take.grf_n[:, :, 2].sum(axis=1) / (75.0 * 9.81)
    assert feet[1:20].max() < 2.5 and feet[1:20].mean() > 0.5


def test_a_gait_that_turns_leaves_the_path_and_one_that_follows_it_turns_no_more():
    course = Course(make_path(PathSpec()), Scale(2.0, 1.0, 1.0), 1.0, 0.0, 0.5, 0.1)
    course.go(0j, 1.0, 9.81)
    assert course.heading == pytest.approx(0.1)
    course.go_round(0.0)
    course.go(5j, 1.0, 9.81)
    assert course.heading == pytest.approx(0.1)

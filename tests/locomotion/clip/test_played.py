# SPDX-License-Identifier: GPL-3.0-or-later
"""Clips played by who stands: poses within joints' ranges, clips whose feet stay, the clip as it was, pushes that are caught."""

import math
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import mujoco
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from bvh_writer import Style, standing_poses, write_bvh
from follow_kit import BODY, walk_clip, walk_plan
from lope.addon.errors import InputError
from lope.addon.locomotion.clip.clip import read_clip, within_ranges
from lope.addon.locomotion.clip.clip_plan import ClipSteps, make_plan
from lope.addon.locomotion.clip.over_standing.motion import stays_put
from lope.addon.locomotion.clip.settings import PlanSettings
from lope.addon.maths.rotations import rotvec_from_quat
from lope.addon.sim.simulation import Simulation, simulate
from lope.addon.specs.disturbances import Hit
from lope.addon.specs.motions import Clip, Stand
from lope.addon.specs.shot import EARTH_GRAVITY_M_S2, Push, Shot
from shot_kit import shot_with

pytestmark = pytest.mark.slow

SECONDS, FPS = 4.0, 30.0


@cache
def waving() -> Path:
    """Somebody who stands with the knees a little bent, waves with the left arm, and has the right shoulder beyond its range."""
    body, root, turns = standing_poses(SECONDS, FPS)
    turns, times = turns.copy(), np.arange(len(root)) / FPS
    for side in "LR":
        turns[:, body.index[f"thigh_{side}"]] = Rotation.from_euler("y", -0.15).as_matrix()
        turns[:, body.index[f"shank_{side}"]] = Rotation.from_euler("y", 0.15).as_matrix()
    wave = Rotation.from_euler("x", (0.6 + 0.5 * np.sin(math.pi * times))[:, None]).as_matrix()
    for name in ("upper_arm_L", "forearm_L", "hand_L"):
        turns[:, body.index[name]] = wave
    turns[:, body.index["clavicle_R"]] = Rotation.from_euler("x", math.radians(45.0)).as_matrix()
    root = root.copy()
    root[:, 2] -= (1.0 - math.cos(0.15)) * body.leg_length_m
    return write_bvh(Path(mkdtemp()) / "waving.bvh", body, root, turns, Style(frame_time=1.0 / FPS))


def caught(**more) -> Shot:
    """A shot of that clip."""
    more = {"duration_s": SECONDS, "until_end": True} | more
    return shot_with(Clip(str(waving()), catch=more.pop("catch", True)), **more)


def test_joints_beyond_their_range_give_the_rest_to_the_next():
    clip = read_clip(waving(), BODY)
    within = within_ranges(clip)
    joint = BODY.joint_segments.index("clavicle_R")
    bend = [np.degrees(np.linalg.norm(rotvec_from_quat(one.joint_quaternions[:, joint]), axis=1).max()) for one in (clip, within)]
    assert bend[0] > 44.0 and bend[1] == pytest.approx(39.0, abs=0.1)
    for name in ("upper_arm_R", "upper_arm_L", "chest"):
        one, other = (found.poses()[1][:, BODY.index[name]] for found in (clip, within))
        assert np.abs(np.sum(one * other, axis=1)).min() > 1.0 - 1e-9


def test_a_clip_within_its_ranges_stays_as_it_is():
    clip = within_ranges(read_clip(waving(), BODY))
    again = within_ranges(clip)
    assert np.abs(again.joint_quaternions - clip.joint_quaternions).max() < 1e-9
    assert np.abs(again.com_m - clip.com_m).max() < 1e-9


def test_which_feet_stay():
    clip = read_clip(waving(), BODY)
    assert stays_put(make_plan(ClipSteps.of(clip), EARTH_GRAVITY_M_S2 * clip.leg_ratio, PlanSettings()))
    assert not stays_put(walk_plan())


def test_a_body_that_is_taken_over_beside_its_place_is_as_high_as_in_it():
    simulation = Simulation(caught())
    planner, data = simulation.controller.planner, simulation.state.data
    high, data.qpos[0] = planner.height_m, data.qpos[0] + 0.5
    mujoco.mj_forward(simulation.state.model, data)
    planner.take_over(0.0, {"L": 0.5, "R": 0.5})
    assert planner.height_m == pytest.approx(high, abs=0.01)


@pytest.mark.acceptance
def test_a_clip_that_nobody_pushes_is_as_it_was():
    take = simulate(caught())
    error = take.channels["follow_joint_error_deg"].values
    assert not take.fell and (take.stats["strategy"], take.stats["steps_taken"]) == ("ankles", 0)
    assert take.stats["followed_fraction"] == pytest.approx(1.0, abs=0.01)
    assert math.sqrt(np.mean(error**2)) < 0.5


@pytest.mark.acceptance
def test_a_shove_is_caught_by_steps_and_the_clip_goes_on():
    take = simulate(caught(pushes=(Push(0.8, 0.2, (300.0, 0.0, 0.0)),)))
    assert not take.fell and take.stats["steps_taken"] >= 1
    arm = take.body.joint_segments.index("upper_arm_L")
    late = take.time_s > 3.4
    clip = within_ranges(read_clip(waving(), BODY))
    rows = np.clip(np.round(take.channels["follow_clip_time_s"].values[late] / clip.step_s).astype(int), 0, len(clip.root_m) - 1)
    same = np.abs(np.sum(take.joint_quaternions[late, arm] * clip.joint_quaternions[rows, arm], axis=1))
    assert np.degrees(2.0 * np.arccos(np.clip(same, -1.0, 1.0))).max() < 10.0
    assert take.com_m[-1, 0] > 0.15


@pytest.mark.acceptance
def test_steps_may_be_forbidden():
    take = simulate(caught(pushes=(Push(0.8, 0.2, (80.0, 0.0, 0.0)),), stand=Stand(steps=0)))
    assert not take.fell and take.stats["steps_taken"] == 0


def test_hits_have_a_clip_caught():
    assert caught(catch=False, hits=(Hit(),)).catches
    assert not caught(catch=False).catches
    assert caught().to_dict()["motion"]["catch"] is True


@pytest.mark.parametrize(("make", "said"), [
    (lambda: Clip("clip.bvh", catch=True, repeat=True), "again and again"),
    (lambda: Shot(motion=Clip(str(walk_clip()), catch=True, controller="lee")), "moved by the controller follow"),
    (lambda: caught(stand=Stand(apart_m=0.4)), "stands as the clip does"),
    (lambda: caught(catch=False, stand=Stand()), "Only who stands"),
])
def test_what_cannot_be_caught(make, said):
    with pytest.raises(InputError, match=said):
        make()

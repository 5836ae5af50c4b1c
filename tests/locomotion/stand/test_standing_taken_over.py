# SPDX-License-Identifier: GPL-3.0-or-later
"""Standing takes over a body as it is: a walk in mid-step comes to a stand, one that stands stays as its feet are."""

import math

import numpy as np
import pytest

from lope.addon.bodies.makers import make_body
from lope.addon.bodies.model import build_model
from lope.addon.bodies.state import BodyState
from lope.addon.locomotion.stand.planner import StandingPlanner
from lope.addon.locomotion.stand.stance import StandingSettings
from lope.addon.locomotion.stand.taking_over import falls_for
from lope.addon.sim.sequence import after_take
from lope.addon.sim.simulation import simulate
from lope.addon.specs.motions import Stand
from lope.addon.specs.shot import EARTH_GRAVITY_M_S2, Shot
from lope.addon.worlds.ground import make_ground

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("walked_s", [1.5, pytest.param(1.64, marks=pytest.mark.acceptance)])
def test_a_walk_in_mid_step_comes_to_a_stand(tmp_path, walked_s):
    simulate(Shot(duration_s=walked_s)).save(path := tmp_path / "walk.npz")
    take = simulate(Shot(motion=Stand(after=after_take(path)), duration_s=4.0))
    speed = np.hypot(*take.com_velocity_m_s[:, :2].T)
    assert not take.fell and speed[0] > 1.0 and speed[-1] < 0.1
    assert take.contact[-1].any(axis=-1).all(), "both feet down"
    ankles = [take.segment_poses[0][-1, take.body.index[f"foot_{side}"], :2] for side in "LR"]
    assert 0.2 < np.linalg.norm(ankles[0] - ankles[1]) < 0.45
    upper = [i for i, name in enumerate(take.body.joint_segments) if not name.startswith(("thigh", "shank", "foot", "toes"))]
    turns = take.joint_quaternions[:, upper]
    dots = np.abs((turns[1:] * turns[:-1]).sum(axis=-1))
    assert 2.0 * np.arccos(np.clip(dots, 0.0, 1.0)).max() < 0.1, "nothing above the legs jumps in a hundredth of a second"


def planner_over(apart_m, ahead_m, heading):
    """A planner that takes over a body at rest in another one's stance, which faces some way."""
    shot = Shot(motion=Stand())
    body = make_body(shot.body)
    state = BodyState(body, build_model(body, shot.world), make_ground(shot.world.ground))
    other = StandingPlanner(state, Stand(apart_m=apart_m, ahead_m=ahead_m), StandingSettings(), EARTH_GRAVITY_M_S2)
    other.heading = heading
    other._put({side: other.stance.at(side, 2.0 + 1.0j, heading) for side in "LR"})
    place = other.rest()
    feet = {side: other.feet.pose(side, 0.0, 0.0) for side in "LR"}
    q = other.poses.build((place.real, place.imag, other.height_m), heading, 0j, feet)
    state.update(q, np.zeros(state.model.nv))
    planner = StandingPlanner(state, Stand(), StandingSettings(), EARTH_GRAVITY_M_S2)
    planner.take_over(3.0, {"L": 0.5, "R": 0.5})
    return planner, state


def test_who_stands_is_kept_as_the_feet_are_and_faces_where_the_pelvis_does():
    planner, state = planner_over(0.4, 0.3, 1.1)
    assert planner.heading == pytest.approx(1.1, abs=1e-6)
    assert planner.stance.apart == pytest.approx(0.3 + 0.4j, abs=1e-6) and planner.stepping.in_place
    targets = planner.update(3.0, 0.0, {"L": 0.5, "R": 0.5})
    assert targets.pose == pytest.approx(state.qpos, abs=1e-6), "the pose is the body's own at first"
    assert abs(targets.height[0] - state.com[2]) < 1e-6


def test_a_foot_in_the_air_is_set_down():
    planner, state = planner_over(0.3, 0.2, 0.0)
    planner.take_over(3.0, {"L": 0.0, "R": 1.0})
    assert planner.feet.standing == ("R",) and planner.feet["L"].swing is not None
    planner.take_over(3.0, {"L": 0.0, "R": 0.0})
    assert planner.feet["L"].swing.end_s == planner.feet["R"].swing.end_s, "who jumped up comes down on both feet"
    state.qvel[0] = 2.0
    state.update(state.qpos.copy(), state.qvel.copy())
    planner.take_over(3.0, {"L": 0.0, "R": 0.0})
    assert planner.feet["L"].swing.end_s < planner.feet["R"].swing.end_s, "the foot ahead lands first"


@pytest.mark.parametrize("height, rising, time_s", [
    (0.0, 0.0, 0.0), (1.0, 0.0, math.sqrt(0.2)), (0.0, 5.0, 1.0), (-9.0, 1.0, 0.0)])
def test_how_long_a_fall_takes(height, rising, time_s):
    assert falls_for(height, rising, 10.0) == pytest.approx(time_s)

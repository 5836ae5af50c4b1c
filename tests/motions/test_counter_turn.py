# SPDX-License-Identifier: GPL-3.0-or-later
"""Shoulders against hips in gaits with flight: the pelvis goes with the legs, and a loaded trunk turns less."""

import numpy as np
import pytest

from lope.addon.bodies.human.suit import load_suit
from lope.addon.bodies.kinematics import segment_poses
from lope.addon.bodies.makers import make_body
from lope.addon.locomotion.gait.shot_gait import body_cycle
from lope.addon.maths.rotations import matrix_from_quat
from lope.addon.motions.cycle import pose
from lope.addon.motions.library import load_gait
from lope.addon.motions.style import LEAST_LOADED_TURN, counter_turned, loaded_turn
from lope.addon.sim.simulation import simulate
from lope.addon.specs.motions import PEOPLE, Gait
from lope.addon.specs.shot import BodySpec, Shot
from lope.addon.worlds.planets import load_world

pytestmark = pytest.mark.slow

BODY, SUITED = make_body(BodySpec()), make_body(BodySpec(), load_suit("apollo-a7lb"))
PHASES = np.arange(64) / 64


def yaw(orientations, body, name):
    """Turn of a segment to the left [rad] (T,) about its mean."""
    ahead = matrix_from_quat(orientations[:, body.index[name]])[:, :, 0]
    turn = np.unwrap(np.arctan2(ahead[:, 1], ahead[:, 0]))
    return turn - turn.mean()


def turns(cycle, body=BODY):
    """Turn of pelvis and chest [rad] (T,), and the left foot's lead [m] (T,), over a cycle."""
    places, orientations = segment_poses(body, *pose(cycle.evaluate(PHASES), body))
    lead = places[:, body.index["foot_L"], 0] - places[:, body.index["foot_R"], 0]
    return yaw(orientations, body, "pelvis"), yaw(orientations, body, "chest"), lead


def r(one, other):
    return np.corrcoef(one, other)[0, 1]


@pytest.mark.parametrize("gait", ["run", "lope"])
def test_hips_turn_with_the_legs_against_the_shoulders(gait):
    cycle = load_gait(gait).symmetrised()
    before, after, half = (turns(c) for c in (cycle, counter_turned(cycle, BODY, 1.0), counter_turned(cycle, BODY, 0.5)))
    assert abs(r(before[0], before[2])) < 0.1, "as captured"
    assert r(after[0], after[2]) < -0.9 and r(after[0], after[1]) < -0.8
    assert r(after[0], after[1]) < r(half[0], half[1]) < r(before[0], before[1])
    assert np.ptp(after[0]) == pytest.approx(np.ptp(before[0]), rel=0.3), "it turns about as far"


def test_legs_and_trunk_face_where_they_did():
    cycle = load_gait("run").symmetrised()
    changed = counter_turned(cycle, BODY, 1.0)
    _, before = segment_poses(BODY, *pose(cycle.evaluate(PHASES), BODY))
    _, after = segment_poses(BODY, *pose(changed.evaluate(PHASES), BODY))
    for name in ("foot_L", "shank_R", "chest", "head", "hand_R"):
        one, other = (matrix_from_quat(turned[:, BODY.index[name]]) for turned in (before, after))
        cosines = 0.5 * (np.einsum("tij,tij->t", one, other) - 1.0)
        assert np.degrees(np.arccos(np.clip(cosines, -1.0, 1.0))).max() < 1.0


@pytest.mark.parametrize("gait", ["hop", "skip"])
def test_a_pelvis_that_turns_with_no_leg_is_left_alone(gait):
    cycle = load_gait(gait)
    assert np.array_equal(counter_turned(cycle, BODY, 1.0).coefficients, cycle.coefficients)


def test_a_loaded_trunk_turns_less_and_the_head_faces_where_it_did():
    assert loaded_turn(BODY) == 1.0 and LEAST_LOADED_TURN <= loaded_turn(SUITED) < 0.8
    cycle = load_gait("lope").symmetrised()
    changed = counter_turned(cycle, SUITED, 1.0)
    assert np.ptp(turns(changed, SUITED)[1]) == pytest.approx(loaded_turn(SUITED) * np.ptp(turns(cycle, SUITED)[1]), rel=0.1)
    _, before = segment_poses(SUITED, *pose(cycle.evaluate(PHASES), SUITED))
    _, after = segment_poses(SUITED, *pose(changed.evaluate(PHASES), SUITED))
    assert np.degrees(np.abs(yaw(after, SUITED, "head") - yaw(before, SUITED, "head"))).max() < 1.0


def test_only_people_s_law_turns_hips_against_shoulders():
    lope = load_gait("lope").symmetrised()
    similar = body_cycle(Shot(motion=Gait("lope"), world=load_world("moon")), BODY)
    assert np.array_equal(similar.coefficients, lope.coefficients)
    people = body_cycle(Shot(motion=Gait("lope", law=PEOPLE), world=load_world("moon")), BODY)
    assert r(*turns(people)[:2]) < -0.8


def test_in_a_run_hips_turn_against_the_shoulders():
    take = simulate(Shot(motion=Gait("run", law=PEOPLE), duration_s=4.0))
    places, orientations = take.segment_poses
    later, body = take.time_s > take.time_s[0] + 1.5, take.body
    across = (places[:, body.index["upper_arm_L"]] - places[:, body.index["upper_arm_R"]])[later]
    shoulders = np.arctan2(-across[:, 0], across[:, 1])
    assert r(yaw(orientations[later], body, "pelvis"), shoulders) < -0.5

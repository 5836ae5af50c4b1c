# SPDX-License-Identifier: GPL-3.0-or-later
"""The search for a gait of key poses: what is measured on the body as it walks, what it costs, and what is told."""

import math
from dataclasses import replace

import numpy as np
import pytest

from lope.addon.errors import InputError
from lope.addon.gaits.pose_gaits import load_pose_gait
from lope.addon.search import gait_from_poses
from lope.addon.search import gait_from_poses as pose_fit
from lope.addon.search.gait_from_poses import (
    WEIGHTS,
    Budget,
    PosesProblem,
    Walked,
    at_own_speed,
    carried,
    make_gait,
    off_poses,
    poses_of,
    step_s_of,
    take_of,
    trials,
    walked,
)
from lope.addon.search.search import Evaluation
from lope.addon.specs.pose_gait import PoseState
from lope.addon.specs.shot import BodySpec, World

pytestmark = pytest.mark.slow

WALK = load_pose_gait("walk")
DRAWN = replace(WALK, speed_m_s=0.9, name="mine", states=(replace(WALK.states[0], swing_knee=-1.3), WALK.states[1]))


@pytest.fixture(scope="module")
def problem():
    return PosesProblem(DRAWN, WALK, tuple(replace(shot, duration_s=4.5) for shot in trials((World(),), 0, BodySpec())))


def test_where_a_walking_body_comes_to_is_measured_at_the_end_of_each_state(problem):
    take = take_of(problem.shots[0].with_motion(gait=WALK))
    seen = walked(take)
    assert seen is not None and seen.mean.shape == (2, len(WEIGHTS)) and seen.spread.max() < 0.3
    knee = list(WEIGHTS).index("swing_knee")
    assert seen.mean[0, knee] < -0.7 and 0.5 < seen.speed_m_s < 1.4 and 0.25 < seen.step_s < 0.6
    assert walked(take_of(replace(problem.shots[0].with_motion(gait=WALK), duration_s=2.6))) is None


@pytest.mark.acceptance
def test_a_gait_farther_from_the_poses_costs_more_and_a_fall_most(problem):
    near = problem.judge(WALK)
    far = PosesProblem(replace(DRAWN, states=(replace(DRAWN.states[0], swing_hip=1.4), DRAWN.states[1])), WALK, problem.shots)
    assert far.judge(WALK).cost > near.cost + 1.0
    limp = replace(WALK, states=(replace(WALK.states[0], stance_knee=-2.5), WALK.states[1]))
    assert problem.judge(limp).cost > far.judge(WALK).cost and problem.judge(limp).detail["walked"] is None
    assert not replace(problem, shots=problem.shots * 2).judge(WALK, limit=0.1).complete


def test_unknowns_stay_within_their_ranges(problem):
    at_zero = problem.gait_at(np.zeros(problem.size))
    assert replace(at_zero, states=tuple(replace(state, upper=None) for state in at_zero.states)) == WALK
    far = problem.gait_at(np.full(problem.size, 40.0))
    assert all(state.swing_knee == 0.0 and state.cd == 1.2 and state.cv == 0.6 for state in far.states) and far.ahead_m_s == 2.0


def test_a_chest_stays_as_drawn_over_a_pelvis_that_gives():
    drawn = PoseState(torso=0.1, upper={"chest": (0.0, 0.2, 0.0), "lower_spine": (0.1, 0.05, 0.0)})
    state = carried(PoseState(torso=-0.15), drawn)
    assert state.upper == {"chest": (0.0, 0.2, 0.0), "lower_spine": (0.1, -0.2, 0.0)} and state.torso == -0.15
    assert carried(PoseState(torso=-0.05), drawn, -0.1).upper == state.upper
    assert carried(PoseState(torso=-1.4), drawn).upper["lower_spine"][1] == -0.6


def test_a_steps_time_is_that_of_the_keys():
    assert step_s_of(replace(DRAWN, states=(replace(DRAWN.states[0], lasts_s=0.25), DRAWN.states[1]))) == pytest.approx(0.5)
    states = [replace(state, swing=leg) for leg in "RL" for state in WALK.states]
    limp = replace(WALK, symmetric=False, states=(replace(states[0], lasts_s=0.2), states[1], replace(states[2], lasts_s=0.4),
                                                  states[3]))
    assert step_s_of(limp) == pytest.approx(0.6)


def test_what_gave_is_told_by_pose_and_joint_the_largest_first():
    mean = poses_of(DRAWN)
    mean[0, 3] += math.radians(20.0)
    mean[1, 0] -= math.radians(8.0)
    mean[1, 1] += math.radians(1.0)
    told = [str(one) for one in off_poses(DRAWN, Walked(mean, np.zeros_like(mean), 1.0, 0.4))]
    assert told == ["pose 1: swinging knee's angle by +20 degrees", "pose 2: trunk's lean by -8 degrees"]


def test_a_gaits_own_speed_is_the_one_it_goes_at():
    gait = at_own_speed(replace(WALK, speed_m_s=1.0, ahead_m_s=0.2), 0.81)
    assert gait.speed_m_s == 0.81 and gait.ahead_m_s == pytest.approx(0.39)


@pytest.mark.acceptance
def test_a_gait_is_made_ended_early_and_the_same_again(monkeypatch):
    monkeypatch.setattr(gait_from_poses, "worlds_tried", lambda: (World(),))
    monkeypatch.setattr(gait_from_poses, "PROOF_S", 4.0)
    monkeypatch.setattr(gait_from_poses, "STARTS", gait_from_poses.STARTS[:1])
    monkeypatch.setattr(gait_from_poses, "mixed", lambda base, gait, *start: replace(base, name=gait.name))
    shares = []

    def told(share, words):
        shares.append(share)
        if words.startswith("searching") and len(shares) > 4:
            raise KeyboardInterrupt

    made = make_gait(DRAWN, WALK, Budget(10), told)
    assert made.figures["falls_on"] == [] and made.gait.name == "mine" and made.gave and shares == sorted(shares)
    assert made.gait == make_gait(DRAWN, WALK, Budget(0)).gait


def test_poses_under_which_nothing_goes_are_refused(monkeypatch):
    fallen = Evaluation(36.0, 36.0, True, {"walked": None})
    monkeypatch.setattr(PosesProblem, "judge", lambda self, gait, limit=None: fallen)
    with pytest.raises(InputError, match="not even the legs of the gait walk go"):
        make_gait(DRAWN, WALK, Budget(0))


def test_every_trial_and_the_proof_run_on_the_body_that_is_given(monkeypatch):
    small, bodies = BodySpec(1.2, 40.0), []

    def on(shot):
        bodies.append((shot.body, shot.world.name))
        return take_of(replace(shot, duration_s=0.5))

    monkeypatch.setattr(pose_fit, "take_of", on)
    monkeypatch.setattr(gait_from_poses, "take_of", on)
    seen = Walked(poses_of(DRAWN), np.zeros_like(poses_of(DRAWN)), 1.0, 0.4)
    monkeypatch.setattr(pose_fit, "walked", lambda take: seen)
    monkeypatch.setattr(gait_from_poses, "walked", lambda take: seen)
    make_gait(DRAWN, WALK, Budget(0), body=small)
    assert all(body == small for body, _ in bodies) and {name for _, name in bodies} == {"earth", "moon"}


def test_a_small_bodys_walk_is_measured_as_on_standard_legs():
    shots = trials((World(),), 0, BodySpec(1.2, 22.2))
    assert shots[0].duration_s == pytest.approx(7.0 * math.sqrt(1.2 / 1.8), abs=0.01)
    shots += trials((World(),), 0, BodySpec())
    small, own = (walked(take_of(replace(shot.with_motion(gait=WALK), noise=0.0))) for shot in shots)
    assert small.speed_m_s == pytest.approx(own.speed_m_s, rel=0.1) and small.step_s == pytest.approx(own.step_s, rel=0.1)

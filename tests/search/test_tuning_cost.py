# SPDX-License-Identifier: GPL-3.0-or-later
"""The cost of a gait: what it must not see, what it must, and what a fall costs."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest

from lope.addon.bodies.kinematics import segment_poses
from lope.addon.bodies.makers import make_body
from lope.addon.engines.mujoco_engine import MujocoEngine
from lope.addon.errors import EngineError
from lope.addon.maths.rotations import quat_from_rotvec, quat_multiply, quat_rotate
from lope.addon.motions.cycle import pose
from lope.addon.motions.library import load_gait
from lope.addon.search.gait_cost import CostWeights, Terms, phases_of, point_cloud, pose_distance, terms_of
from lope.addon.search.maps import UNIT, MapProblem
from lope.addon.sim.take import Take
from lope.addon.specs.shot import BodySpec, Push, Shot, World
from take_factory import Walk, make_take

pytestmark = pytest.mark.slow

BODY = make_body(BodySpec())
WALK = load_gait("walk").symmetrised()
RNG = np.random.default_rng(5)


def cloud_at(phases: np.ndarray, moved=(0.0, 0.0, 0.0), yaw: float = 0.0) -> np.ndarray:
    """Point cloud of the walk at phases, the figure moved [m] and turned [rad]."""
    root, turn, joints = pose(WALK.evaluate(phases), BODY)
    about = quat_from_rotvec(np.array([0.0, 0.0, yaw]))
    root, turn = quat_rotate(about, root) + moved, quat_multiply(np.broadcast_to(about, turn.shape), turn)
    return point_cloud(BODY, *segment_poses(BODY, root, turn, joints))


def as_the_clip(walk: Walk, noise: float = 0.0, fell: float | None = None) -> Take:
    """A take whose body does what the reference motion does at the take's own phase, joints off by noise [rad]."""
    take = make_take(walk, BODY, {"time_fell_s": fell})
    root, turn, joints = pose(WALK.evaluate(walk.frequency * take.time_s), BODY)
    joints = quat_multiply(joints, quat_from_rotvec(noise * RNG.normal(size=(*joints.shape[:-1], 3))))
    return Take(take.shot, BODY, {**take.arrays, "root_position_m": root + take.com_m, "root_quaternion": turn,
                                  "joint_quaternions": joints}, take.stats)


def test_pose_distance_sees_neither_place_nor_height_nor_heading():
    phases = np.linspace(0.0, 1.0, 7)
    still = cloud_at(phases)
    np.testing.assert_allclose(pose_distance(still, cloud_at(phases, (3.0, -2.0, 0.4), 1.1)), 0.0, atol=1e-9)
    assert pose_distance(still, cloud_at(phases + 0.1)).min() > 1e-4


def test_pose_distance_is_the_least_over_all_turns():
    a, b = cloud_at(np.array([0.1])), cloud_at(np.array([0.45]), yaw=0.8)
    angles = np.linspace(-np.pi, np.pi, 7201)
    c, s = np.cos(angles), np.sin(angles)
    turned = np.stack([c[:, None] * b[0, :, 0] - s[:, None] * b[0, :, 1], s[:, None] * b[0, :, 0] + c[:, None] * b[0, :, 1],
                       np.broadcast_to(b[0, :, 2], (len(angles), b.shape[1]))], axis=-1)
    searched = ((a - turned) ** 2).sum(axis=2).mean(axis=1).min()
    assert pose_distance(a, b)[0] == pytest.approx(searched, rel=1e-5)


def test_pose_distance_of_a_known_shift():
    a = RNG.normal(size=(3, 5, 3))
    b = a.copy()
    b[:, 0, 2] += 0.5
    np.testing.assert_allclose(pose_distance(a, b), 0.25 / 5.0)


def test_phases_are_whole_at_strikes_and_go_on_beyond_them():
    phases = phases_of(np.array([0.0, 1.0, 1.5, 2.0, 4.0, 5.0]), np.array([1.0, 2.0, 4.0]), 0.5)
    np.testing.assert_allclose(phases, [-0.5, 0.0, 0.5, 1.0, 2.0, 2.5])


def test_the_reference_motion_itself_costs_nothing():
    found = terms_of(as_the_clip(Walk()), WALK, 10.0)
    assert found.values["pose"] < 1e-6 and found.values["stride"] < 1e-7 and found.values["speed"] < 1e-2
    assert found.stood == 1.0


def test_errors_of_pose_and_uneven_strides_cost():
    noisy = terms_of(as_the_clip(Walk(), noise=0.05), WALK, 10.0)
    noisier = terms_of(as_the_clip(Walk(), noise=0.1), WALK, 10.0)
    for term in ("pose", "stride", "smooth"):
        assert noisier.values[term] > 1.9 * noisy.values[term] > 0.0


def test_speed_and_slip_are_seen():
    found = terms_of(as_the_clip(Walk(speed=1.26, slip=0.02)), WALK, 10.0)
    assert found.values["speed"] == pytest.approx(1.0, rel=0.1), "5 % too fast is the tolerance"
    assert found.values["slip"] == pytest.approx(0.02 / BODY.leg_length_m, rel=0.15), "the last stance is cut short"


def test_total_counts_untuned_terms_as_their_weights():
    weights = CostWeights(effort=0.5)
    untuned = Terms({"pose": 2.0, "stride": 3.0, "effort": 4.0, "slip": 5.0, "smooth": 6.0, "speed": 0.0})
    assert untuned.total(untuned, weights) == pytest.approx(1.0 + 1.0 + 0.5 + 0.25 + 0.25)
    better = Terms({**untuned.values, "pose": 1.0})
    assert better.total(untuned, weights) == pytest.approx(untuned.total(untuned, weights) - 0.5)
    slow = Terms({**untuned.values, "speed": 2.0})
    assert slow.total(untuned, weights) == pytest.approx(untuned.total(untuned, weights) + 2.0 * 0.25)


def test_every_frame_after_a_fall_costs():
    weights, totals = CostWeights(), []
    untuned = terms_of(as_the_clip(Walk(), noise=0.05), WALK, 10.0)
    for fell in (1.0, 4.0, 8.0, None):
        found = terms_of(as_the_clip(Walk(), noise=0.05, fell=fell), WALK, 10.0)
        assert found.stood == pytest.approx(1.0 if fell is None else fell / 10.0)
        totals.append(found.total(untuned, weights))
    assert totals == sorted(totals, reverse=True) and totals[0] > totals[-1] + 8.0


def test_a_fall_before_the_first_strike_has_a_cost():
    short = terms_of(as_the_clip(Walk(), fell=0.1), WALK, 10.0)
    assert short.values["pose"] is None and short.values["stride"] is None
    assert short.total(terms_of(as_the_clip(Walk(), noise=0.05), WALK, 10.0), CostWeights()) > 9.9


@lru_cache
def problem() -> MapProblem:
    """A short problem on Earth, measured by the untuned gait."""
    found = MapProblem.over_strides(Shot(), 3, CostWeights())
    return found.against(found.evaluate(np.zeros(18)))


def test_a_problem_lasts_its_strides_without_stored_maps():
    shot = problem().shot
    assert not shot.motion.tuned and 3.0 < shot.duration_s < 4.0
    moon = MapProblem.over_strides(Shot(world=World("moon", 1.62)), 3, CostWeights()).shot
    assert moon.duration_s == pytest.approx(shot.duration_s * np.sqrt(9.81 / 1.62), rel=0.1)


@pytest.mark.acceptance
def test_trials_are_repeatable_and_see_the_map():
    zero, x = np.zeros(18), np.zeros(18)
    x[14] = 2.0
    found = problem().evaluate(zero)
    assert problem().evaluate(zero) == found
    untuned = 1.0 + 1.0 + 0.25 + 0.25 + 0.25 * problem().reference.values["speed"]
    assert found.cost == pytest.approx(untuned)
    assert problem().evaluate(x).cost != found.cost
    np.testing.assert_allclose(problem().points(x)[4], [0.0, 0.0, 2.0 * UNIT])


def test_a_trial_out_of_the_race_is_given_up():
    found = problem().evaluate(np.zeros(18), limit=0.1)
    assert not found.complete and found.cost == found.race > 0.1


def test_a_falling_trial_is_complete_and_pays_for_the_lost_time():
    pushed = replace(problem(), shot=replace(problem().shot, pushes=(Push(0.5, 0.3, (0.0, 1500.0, 0.0)),)))
    found = pushed.evaluate(np.zeros(18), limit=0.1)
    assert found.complete and found.detail["stood"] < 0.9
    assert found.cost >= CostWeights().fall * (1.0 - found.detail["stood"])


def test_a_lost_simulation_is_priced_by_the_missing_time_and_said_to_be_lost(monkeypatch):
    """It costs as a fall at that moment does, but no fall is reported; terms that are no number count as unmeasured."""
    said, apply, steps = "The engine lost the state.", MujocoEngine.apply, []

    def loses(self, command, seconds):
        steps.append(seconds)
        if sum(steps) > 1.0:
            raise EngineError(said)
        apply(self, command, seconds)

    monkeypatch.setattr(MujocoEngine, "apply", loses)
    found = MapProblem.over_strides(Shot(), 3, CostWeights())
    trial = found.evaluate(np.zeros(found.size))
    assert trial.detail["lost"] == said and trial.detail["stood"] == pytest.approx(1.0 / found.shot.duration_s, abs=0.02)
    stood = as_the_clip(Walk())
    assert terms_of(stood, WALK, 20.0).stood == 1.0
    broken = {name: array.copy() for name, array in stood.arrays.items()}
    broken["torque_nm"][-1] = np.nan
    lost = terms_of(Take(stood.shot, BODY, broken, {**stood.stats, "lost": said}), WALK, 20.0)
    assert lost.stood == pytest.approx(0.5) and lost.values["effort"] is None
    assert np.isfinite(lost.total(lost, CostWeights(effort=1.0)))

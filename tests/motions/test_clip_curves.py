# SPDX-License-Identifier: GPL-3.0-or-later
"""A clip's curves: its period and phases, how near they are, the moments that they ask for, and what of them is mixed."""

import json
import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from follow_kit import captured
from lope.addon.bodies.makers import make_body
from lope.addon.cli import main
from lope.addon.errors import ClipError
from lope.addon.gaits.pose_gaits import load_pose_gait
from lope.addon.maths.curves import basis_at
from lope.addon.motions.bvh import read_bvh
from lope.addon.motions.key_poses import clip_curves
from lope.addon.motions.retarget import retarget
from lope.addon.motions.strides import fitted, steadiest
from lope.addon.search import from_curves
from lope.addon.search.from_curves import CurvesProblem, gait_along, mixed, what_gave
from lope.addon.search.gait_from_poses import Budget
from lope.addon.sim.simulation import simulate
from lope.addon.specs.motions import KeyPoses
from lope.addon.specs.shot import BodySpec, Shot

pytestmark = pytest.mark.slow

WALK = load_pose_gait("walk")
FOUND = {"thighs": 0.526, "knees": 0.567, "ankles": 0.854, "trunk": 0.593, "spine": 0.612, "arms": 0.392, "time": 0.831,
         "moments": 0.728}
"""Shares that a search found for the walk 35_02."""


def legs(period_s=1.2, seconds=6.0, noise=0.0, still_s=0.0):
    times = np.arange(0.0, seconds, 0.02)
    phase = 2.0 * np.pi * times / period_s
    steps = np.stack([0.4 * np.sin(phase + k) + 0.1 * np.cos(2.0 * phase) for k in range(4)], axis=1)
    steps[times < still_s] = 0.0
    return steps + noise * np.random.default_rng(0).standard_normal(steps.shape)


@pytest.fixture(scope="module")
def walk():
    return clip_curves(retarget(read_bvh(captured("35_02_walk_normal"))))


def test_the_period_is_the_hips_and_standing_before_is_left_out():
    stretch = steadiest(legs(still_s=1.5), 1, 0.02, "c.bvh")
    assert stretch.period_s == pytest.approx(1.2, rel=0.02) and stretch.start_s >= 1.4 and stretch.cycles >= 3.0


@pytest.mark.acceptance
@pytest.mark.parametrize("values, words", [(np.zeros((200, 4)), "has no steps"), (legs(seconds=1.4), "is too short"),
                                           (np.random.default_rng(1).standard_normal((300, 4)), "has no like steps")])
def test_clips_without_like_steps_are_told(values, words):
    with pytest.raises(ClipError, match=words):
        steadiest(values, 1, 0.02, "c.bvh")


def test_the_largest_coefficients_are_kept_up_to_the_accuracy():
    phases = np.arange(200) / 66.0
    values = 0.3 + 0.5 * np.cos(2.0 * np.pi * phases) + 0.1 * np.sin(6.0 * np.pi * phases) + 0.004 * np.cos(4.0 * np.pi * phases)
    series = fitted(values, phases, 0.01)
    assert len(series) == 7 and np.allclose(series, [0.3, 0.5, 0.0, 0.0, 0.0, 0.0, 0.1], atol=5e-3)
    assert series[2] == series[5] == 0.0


def test_a_walks_curves_are_near_it_and_begin_where_the_right_hip_says(walk):
    assert walk.speed.real == pytest.approx(1.26, abs=0.03) and abs(walk.speed.imag) < 0.1 and walk.cycles >= 2.0
    assert math.degrees(walk.error_legs_rad) < 2.0 and walk.curves.period_s == pytest.approx(1.13, abs=0.02)
    phases = np.arange(400) / 400
    hip = walk.curves.angles["hip_R"]
    assert phases[np.argmax(basis_at(phases, len(hip) // 2) @ hip)] == pytest.approx(0.25, abs=0.005)
    assert (walk.curves.touch_right - walk.curves.touch_left) % 1.0 == pytest.approx(0.5, abs=0.03)


def test_the_moments_are_a_walks_own(walk):
    curves = gait_along(walk, "hers", "t").curves
    since = np.arange(100) / 100
    at = {name: basis_at(curves.touch_left + since, len(one) // 2) @ one for name, one in curves.moments.items()}
    assert -170.0 < at["ankle_L"].min() < -90.0 and 0.3 < since[np.argmin(at["ankle_L"])] < 0.55  # it pushes off, last
    assert np.abs(at["ankle_L"][70:90]).max() < 20.0  # and hangs in the air


def test_a_mixture_lies_between_a_base_and_the_clip_and_is_told(walk):
    gait = gait_along(walk, "hers", "t")
    whole, half = (mixed(gait, WALK, dict.fromkeys(from_curves.PARTS, share)) for share in (1.0, 0.5))
    assert what_gave(gait, whole) == [] and any(words.startswith("knees by") for words in what_gave(gait, half))
    assert half.curves.moments["knee_L"][0] == pytest.approx(0.5 * gait.curves.moments["knee_L"][0], abs=0.06)
    problem = CurvesProblem(gait, WALK)
    assert problem.gait_at(np.full(problem.size, 2.0)).curves.period_s == gait.curves.period_s
    assert all(state.swing_knee <= 0.0 for state in problem.gait_at(np.full(problem.size, 3.0)).states)


def test_a_fall_costs_more_the_sooner_and_so_does_a_wrong_speed():
    body = make_body(BodySpec())

    def take(ends, speed, fell):
        times = np.arange(0.0, ends, 0.1)
        shot = Shot(motion=KeyPoses(replace(load_pose_gait("walk"), speed_m_s=1.0, sideways_m_s=0.0)))
        return SimpleNamespace(shot=shot, body=body, time_s=times, fell=fell, lost=None,
                               com_m=np.outer(times, [speed, 0.0, 0.0]))

    good, slow, late, soon = (from_curves.take_cost(take(*one)) for one in (
        (8.0, 1.0, False), (8.0, 0.5, False), (6.0, 1.0, True), (2.0, 1.0, True)))
    assert good == pytest.approx(0.0, abs=1e-9) and good < slow < late < soon


def test_curves_as_drawn_are_written_and_read(tmp_path, capsys):
    out = tmp_path / "along.json"
    clip = str(captured("35_02_walk_normal"))
    assert main(["poses", clip, "--cycles", "--as-drawn", "--speed", "0", "--out", str(out), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["error_legs_deg"] < 2.0 and told["speed_m_s"] == 0.0
    assert load_pose_gait(str(out)).curves.period_s == told["period_s"]


def test_what_was_asked_for_in_time_is_all_that_is_tried():
    tell = from_curves.until(0.0, None)
    with pytest.raises(KeyboardInterrupt):
        tell(0.5, "searching")
    assert from_curves.until(None, None) is None


def test_it_walks_along_what_was_found_between_a_clip_and_the_walk(walk):
    gait = mixed(gait_along(walk, "hers", "t"), WALK, FOUND)
    states = tuple(replace(state, cd=0.612, cv=0.203, cd_outward=0.596, cv_outward=0.221, swing_hip=0.034, swing_knee=-0.174,
                           ankle_cd=0.072, ankle_cv=-0.081) for state in gait.states)
    take = simulate(Shot(motion=KeyPoses(replace(gait, states=states), start="standing"), duration_s=8.0))
    assert not take.fell and take.com_m[-1, 0] > 7.0


def test_from_the_whole_clip_down_to_what_goes_and_then_part_by_part_up(walk, monkeypatch):
    gait = gait_along(walk, "hers", "t")
    shortest, longest = (mixed(gait, WALK, dict.fromkeys(from_curves.PARTS, share)).curves.period_s for share in (0.0, 1.0))
    monkeypatch.setattr(from_curves, "_goes", lambda one, body: one.curves.period_s < shortest + 0.65 * (longest - shortest))
    monkeypatch.setattr(from_curves, "stands", lambda one, body: True)
    found, gave, figures = from_curves.nearest_along(gait, WALK, Budget(100))
    assert figures["shares"] == {name: 0.6 if name == "time" else 1.0 for name in from_curves.PARTS}
    assert gave == [f"time by {found.curves.period_s / gait.curves.period_s - 1.0:+.0%}"] and found.states[0].swing_knee == -0.12


def test_a_rigs_body_reaches_every_trial_along_a_clip(walk, monkeypatch):
    small, bodies = BodySpec(1.2, 40.0), []

    def take_of(shot):
        bodies.append(shot.body)
        return SimpleNamespace(fell=True, lost=None)

    monkeypatch.setattr(from_curves, "take_of", take_of)
    monkeypatch.setattr(from_curves, "take_cost", lambda take: 9.0)
    figures = from_curves.nearest_along(gait_along(walk, "hers", "t"), WALK, Budget(9), body=small)[2]
    assert not figures["stands"] and len(bodies) > 9 and all(body == small for body in bodies)

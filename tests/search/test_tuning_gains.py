# SPDX-License-Identifier: GPL-3.0-or-later
"""The second stage: gains over many shots, their files, and their cost."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest

from lope.addon.cli import main
from lope.addon.errors import InputError
from lope.addon.gaits.tuned_maps import write_json
from lope.addon.locomotion.gait.controller import RUNNING_GROUPS, WALK_GROUPS
from lope.addon.locomotion.gait.shot_gait import Controls, changed, shot_controls
from lope.addon.locomotion.motion_gains import read_gains
from lope.addon.locomotion.registry import find_controller
from lope.addon.locomotion.tracking.weights import TrackerSettings
from lope.addon.search.gains import (
    CASES,
    FALL,
    MISSING,
    Case,
    Gain,
    GainProblem,
    case_shot,
    gait_shot,
    shot_cost,
    stretched_fraction,
    tune_gains,
    unknown_gains,
)
from lope.addon.search.search import Plan, Run
from lope.addon.sim.simulation import simulate
from lope.addon.sim.take import Take
from lope.addon.specs.motions import Gait
from lope.addon.specs.shot import EARTH_GRAVITY_M_S2, Push, Shot
from take_factory import Walk, make_take

WALKED, RUN = (find_controller("tracking").searched_groups(gait_shot(gait)) for gait in ("walk", "run"))
GAINS = unknown_gains(WALKED)
SHORT = Shot(motion=Gait(tuned=False), duration_s=1.2)
FELLED = replace(SHORT, duration_s=2.0, pushes=(Push(0.3, 0.3, (0.0, 1500.0, 0.0)),))


def test_unknowns_are_positive_gains_of_all_groups():
    assert {gain.group for gain in GAINS} == set(WALK_GROUPS)
    assert {gain.group for gain in unknown_gains(RUN)} == set(RUNNING_GROUPS)
    assert all(gain.value > 0.0 for gain in GAINS) and len(GAINS) == 23
    names = {gain.name for gain in GAINS}
    assert {"com_weight", "cop_gain", "clearance_m"} <= names and not {"interval_s", "timing_rate", "force_weight"} & names


def test_gains_are_logarithmic_and_shares_stay_shares():
    gain = Gain("tracker", "com_weight", 60.0)
    assert gain.at(0.0) == 60.0 and gain.at(1.0) * gain.at(-1.0) == pytest.approx(3600.0)
    assert gain.at(1.0) == pytest.approx(60.0 * math.exp(Gain.SPREAD))
    capped = replace(gain, high=70.0)
    assert capped.at(3.0) == 70.0


@pytest.mark.parametrize("groups", [WALKED, RUN])
def test_a_search_stays_where_the_settings_may_be(groups):
    gains = unknown_gains(groups)
    problem = GainProblem(gains, (SHORT,))
    for z in (-problem.bound, problem.bound):
        changed(Controls(), problem.values(np.full(problem.size, z)))
    free = [gain.name for gain in gains if gain.at(2.0) < gain.value * math.exp(2.0 * Gain.SPREAD)]
    assert len(free) < 12, "few are held by their range"


def test_a_controller_without_gains_to_search_says_so():
    with pytest.raises(InputError, match="limp has no gains to search"):
        gait_shot("walk", "limp")


def test_zero_is_the_shipped_controller():
    problem = GainProblem(GAINS, (SHORT,))
    assert changed(Controls(), problem.values(np.zeros(problem.size))) == Controls()
    assert changed(Controls(), problem.values(np.full(problem.size, 0.5))) != Controls()


def test_cases_spread_pushes_speeds_noise_and_gravities():
    assert len({case.gravity for case in CASES}) >= 5 and len({case.speed for case in CASES}) >= 3
    assert any(case.pushes for case in CASES) and any(case.noise for case in CASES)
    shot = case_shot(gait_shot("walk"), Case(1.0, push_m_s=0.4, pushes=6), 0)
    force = np.array([p.force_n for p in shot.pushes])
    np.testing.assert_allclose(np.hypot(*force.T[:2]) * 0.2 / 75.0, 0.4)
    directions = {round(math.degrees(math.atan2(y, x))) % 360 for x, y, _ in force.tolist()}
    assert len(directions) == 6
    stride_s = shot.pushes[1].start_s - shot.pushes[0].start_s
    assert shot.pushes[-1].start_s + stride_s < shot.duration_s
    slow = case_shot(gait_shot("walk"), Case(0.165, speed=0.5, noise=0.1), 7)
    assert slow.noise == 0.1 and slow.seed == 7 and not slow.motion.tuned and slow.motion.speed_m_s < 0.5


def test_a_fall_costs_by_the_time_that_is_lost():
    early, late, none = (shot_cost(make_take(Walk(), stats={"time_fell_s": t})) for t in (4.0, 8.0, None))
    assert early - late == pytest.approx(0.4 * MISSING) and late - none == pytest.approx(FALL + 0.2 * MISSING)


def test_a_lost_simulation_costs_as_a_fall_at_its_last_moment():
    lost, fell = (shot_cost(make_take(Walk(), stats=stats)) for stats in (
        {"lost": "The engine lost the state."}, {"time_fell_s": 10.0}))
    assert lost == pytest.approx(fell) and lost > shot_cost(make_take(Walk()))


def test_error_of_speed_and_slip_cost():
    base, fast, slip = (shot_cost(make_take(w)) for w in (Walk(), Walk(speed=1.26), Walk(slip=0.02)))
    assert fast - base == pytest.approx(1.0, rel=0.05) and slip - base == pytest.approx(2.0, rel=0.05)


@pytest.mark.slow
def test_stretched_knees_are_seen_while_the_foot_is_loaded():
    assert stretched_fraction(make_take(Walk())) == 1.0, "the made-up figure stands on straight legs"
    assert stretched_fraction(simulate(SHORT)) < 0.2


@pytest.mark.slow
def test_evaluation_is_repeatable_and_given_up_beyond_the_limit():
    problem = GainProblem(GAINS, (FELLED, SHORT))
    x = np.zeros(problem.size)
    found = problem.evaluate(x)
    assert found == problem.evaluate(x) and found.complete and len(found.detail["shots"]) == 2
    assert found.cost == pytest.approx(sum(found.detail["shots"]))
    given_up = problem.evaluate(x, limit=0.5 * found.detail["shots"][0])
    assert not given_up.complete and len(given_up.detail["shots"]) == 1


@pytest.mark.slow
def test_a_push_that_fells_costs_more():
    felled = GainProblem(GAINS, (FELLED,))
    assert felled.evaluate(np.zeros(felled.size)).cost > FALL + 1.0


@pytest.mark.slow
def test_searched_gains_are_written_and_read(tmp_path):
    pytest.importorskip("cma", reason="tuning needs the package cma")
    out, told = tmp_path / "gains.json", []
    result = tune_gains("walk", Run(Plan(1, 4), out, tmp_path / "c.json", callback=lambda share, words: told.append(share)),
                        cases=(Case(1.0, strides=1.0),))
    data = json.loads(out.read_text(encoding="utf-8"))
    assert data["gait"] == "walk" and data["cost_after"] <= data["cost_before"] and result.report["evaluations"] == 4
    assert read_gains(out) == data["gains"]
    assert shot_controls(replace(SHORT, gains=read_gains(out))) == changed(Controls(), data["gains"])
    assert told[-1] == 1.0 and not (tmp_path / "c.json").exists()


@pytest.mark.parametrize("text", ["{", "[]", '{"schema": "lope-gains", "format": 9, "gains": {}}', '{"schema": "x"}'])
def test_bad_files_are_told(tmp_path, text):
    path = tmp_path / "gains.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="gains"):
        read_gains(path)


@pytest.mark.parametrize("values", [
    {"walk": {"nonsense": 1.0}}, {"nowhere": {"com_weight": 1.0}}, {"steps": {"cop_heel": 0.1}}, {"displacement": {"x": 1.0}}])
def test_unknown_settings_are_told(values):
    with pytest.raises(InputError, match="no setting of the controller"):
        changed(Controls(), values)
    with pytest.raises(InputError, match="no setting of the controller"):
        simulate(replace(SHORT, gains=values))


@pytest.mark.slow
def test_a_shot_brings_its_gains_along():
    softer = replace(SHORT, gains={"tracker": {"com_weight": 0.5 * Controls().tracker.com_weight}})
    assert Shot.from_dict(json.loads(json.dumps(softer.to_dict()))) == softer
    plain, same, other = (simulate(s).com_m for s in (
        SHORT, replace(SHORT, gains={"tracker": {"com_weight": Controls().tracker.com_weight}}), softer))
    np.testing.assert_array_equal(plain, same)
    assert not np.array_equal(plain, other)
    running = SHORT.with_motion(name="run")
    assert not np.array_equal(simulate(running).com_m, simulate(replace(running, gains={
        "running_tracker": {"com_weight": 0.5 * Controls().running_tracker.com_weight}})).com_m)


@pytest.mark.parametrize("group, name, value", [
    ("walk", "clearance_m", 0.4), ("walk", "clearance_m", -1.0), ("tracker", "com_weight", -1.0), ("steps", "cop_gain", 11),
    ("running", "cop_gain", -0.5), ("running_tracker", "torque_weight", 2.0)])
def test_gains_out_of_their_range_are_told_before_anything_is_simulated(group, name, value):
    with pytest.raises(InputError, match=f"The setting {group}.{name} must lie between"):
        shot_controls(replace(SHORT, gains={group: {name: value}}))


def test_gains_of_a_tracker_scale_beyond_their_range_with_gravity():
    strong = replace(TrackerSettings(), hover_gain=9e5).under(3.0 * EARTH_GRAVITY_M_S2)
    assert strong.hover_gain == pytest.approx(27e5) and strong.friction_fraction == TrackerSettings().friction_fraction


@pytest.mark.parametrize("values", [{"walk": {"clearance_m": math.nan}}, {"walk": {"clearance_m": "high"}}])
def test_gains_that_are_no_numbers_are_told(values):
    with pytest.raises(InputError, match="walk.clearance_m"):
        replace(SHORT, gains=values)


@pytest.mark.slow
def test_the_command_line_takes_a_file_of_gains(tmp_path, capsys):
    path, take = tmp_path / "gains.json", tmp_path / "take.npz"
    words = ["simulate", "--seconds", "0.6", "--out", str(take), "--gains-file", str(path)]
    assert main(words) == 2 and "not there" in capsys.readouterr().err
    write_json(path, {"schema": "lope-gains", "format": 1, "gains": {"walk": {"clearance_m": 0.02}}})
    assert main(words) == 0
    assert Take.load(take).shot.gains == {"walk": {"clearance_m": 0.02}}

# SPDX-License-Identifier: GPL-3.0-or-later
"""Effort as what a search is for: what a metre costs, and which searches know the word."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest

from lope.addon.cli import main
from lope.addon.errors import InputError
from lope.addon.maths.rotations import quat_from_rotvec
from lope.addon.reports.needs import METABOLIC, cost_of_transport, joint_powers, work_rate
from lope.addon.search.gait_cost import EFFORT, TYPICAL, CostWeights, weights_for
from lope.addon.search.pose_gait import EasyPoseGaitProblem, shot_cost
from lope.addon.sim.take import Channel, Take
from take_factory import Walk, make_take

pytestmark = pytest.mark.slow

RATE_RAD_S, TORQUE_NM = 0.3, 20.0


def turning(**torques: float) -> Take:
    """A walk in which some joints turn steadily about their axes, balls about the leftward one, each under a steady torque."""
    take = make_take(Walk())
    joints, torque, at = take.joint_quaternions.copy(), np.zeros_like(take.torque_nm), 0
    for row, segment in enumerate(take.body.segments[1:]):
        ball = segment.joint == "ball"
        if segment.name in torques:
            axis = np.array([0.0, 1.0, 0.0]) if ball else segment.axis
            joints[:, row] = quat_from_rotvec(RATE_RAD_S * take.time_s[:, None] * axis)
            torque[:, at + (1 if ball else 0)] = torques[segment.name]
        at += 3 if ball else 1
    return dataclasses.replace(take, arrays=take.arrays | {"joint_quaternions": joints, "torque_nm": torque})


@pytest.mark.parametrize(("torque", "efficiency"), [(TORQUE_NM, 0.25), (-TORQUE_NM, 1.2)])
def test_work_costs_by_its_direction(torque, efficiency):
    take = turning(shank_L=torque)
    powers = joint_powers(take)
    assert powers[1:].sum(axis=1) == pytest.approx(torque * RATE_RAD_S)
    assert work_rate(take)[1:] == pytest.approx(abs(torque) * RATE_RAD_S / efficiency)
    cost = cost_of_transport(take, take.time_s > 1.0)
    assert cost == pytest.approx(TORQUE_NM * RATE_RAD_S / efficiency / take.body.mass_kg / 1.2, rel=1e-2)


def test_a_leg_s_joints_pass_work_on_to_one_another():
    """What the knee takes out and the ankle puts in costs nothing; an elbow's work is its own."""
    assert work_rate(turning(shank_L=TORQUE_NM, foot_L=-TORQUE_NM))[1:] == pytest.approx(0.0, abs=1e-6)
    apart = work_rate(turning(shank_L=TORQUE_NM, forearm_L=-TORQUE_NM))[1:]
    assert apart == pytest.approx(TORQUE_NM * RATE_RAD_S * (1.0 / 0.25 + 1.0 / 1.2))


def test_muscles_tell_their_own_rate():
    take = make_take(Walk())
    rate = Channel("W", np.full(len(take.time_s), 4.0 * take.body.mass_kg))
    muscled = dataclasses.replace(take, channels={METABOLIC: rate})
    assert cost_of_transport(muscled, take.time_s > 1.0) == pytest.approx(4.0 / 1.2, rel=1e-2)


def test_who_stays_has_no_cost_of_transport():
    take = make_take(Walk(speed=0.0))
    assert cost_of_transport(take, take.time_s > 1.0) is None


def test_effort_weighs_the_way_s_cost_and_an_unknown_objective_is_told():
    assert weights_for("gait") == CostWeights() and weights_for(EFFORT).transport > weights_for(EFFORT).pose
    with pytest.raises(InputError, match="effort"):
        weights_for("efort")


def test_a_gait_from_key_poses_pays_for_effort_beside_the_rest():
    take = turning(shank_L=200.0)
    rows = take.time_s > 3.0
    own = cost_of_transport(take, rows) / take.shot.world.gravity_m_s2 / TYPICAL["transport"]
    assert EasyPoseGaitProblem.take_cost(None, take) == pytest.approx(shot_cost(take) + 4.0 * own)


@pytest.mark.acceptance
def test_a_small_search_for_effort_reports_what_a_metre_costs(tmp_path, capfd):
    pytest.importorskip("cma", reason="tuning needs the package cma")
    out = tmp_path / "walk.json"
    assert main(["tune", "--world", "earth", "--iterations", "1", "--population", "4", "--strides", "3", "--workers", "1",
                 "--objective", "effort", "--out", str(out), "--json"]) == 0
    report = json.loads(capfd.readouterr().out)
    assert 0.1 < report["before"]["terms"]["transport"] < 2.0
    assert report["cost_before"] == pytest.approx(4.0 + 0.25 + 0.5 + 0.25 + 0.25, abs=0.3)


@pytest.mark.parametrize("options", [["--gains", "--out", "x.json"], ["--follow", "x.bvh"]])
def test_gains_and_clips_are_not_searched_for_effort(options, capfd):
    assert main(["tune", "--objective", "effort", *options]) == 2
    assert "Leave --objective out" in capfd.readouterr().err

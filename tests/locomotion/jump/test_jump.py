# SPDX-License-Identifier: GPL-3.0-or-later
"""Jumps: their plan's own laws, what legs cannot give, and whole jumps on planets and over edges."""

import math
from dataclasses import replace

import numpy as np
import pytest

from engine_kit import needs_pybullet
from lope.addon.bodies.makers import make_body
from lope.addon.bodies.model import build_model
from lope.addon.bodies.state import BodyState
from lope.addon.cli import main
from lope.addon.errors import InputError
from lope.addon.locomotion.jump.plan import STEP_S, Landing, plan_jump, quintic
from lope.addon.locomotion.jump.planner import JumpPlanner
from lope.addon.locomotion.stand.stance import StandingSettings
from lope.addon.options.motion_options import jump_from
from lope.addon.reports.card import physics_card
from lope.addon.reports.measures import measure
from lope.addon.sim.simulation import simulate
from lope.addon.specs.motions import Jump
from lope.addon.specs.path import GroundSpec
from lope.addon.specs.shot import BodySpec, Shot
from lope.addon.worlds.planets import load_world


def jumped(up_m, ahead_m=0.0, world="earth", **shot):
    return simulate(Shot(motion=Jump(up_m, ahead_m, until_end=True), world=load_world(world), **shot))


@pytest.fixture(scope="module")
def legs():
    body = make_body(BodySpec(), None)
    return JumpPlanner(BodyState(body, build_model(body, load_world("earth"))), Jump(0.3), StandingSettings(), 9.80665).legs


def test_a_quintic_meets_its_ends():
    rows = quintic((1.0, 0.2, -3.0), (1.5, 2.0, -9.8), 0.4, np.array([0.0, 0.4]))
    assert rows.T.tolist() == [pytest.approx([1.0, 0.2, -3.0]), pytest.approx([1.5, 2.0, -9.8])]


def test_over_soles_at_the_capture_point_a_landing_stays_there_and_slows_down():
    landing, x, v = Landing(1.0, 0.0, 2.4, 9.80665, 0.884), 0.0, 1.5
    sole = v / landing.at(0.0)[0]
    for i in range(60):
        v += STEP_S * landing.at(i * STEP_S)[1] * (x - sole)
        x += STEP_S * v
    assert x + v / landing.at(0.3)[0] == pytest.approx(sole, abs=0.03) and 0.0 < v < 0.75


@pytest.mark.parametrize("up, ahead", [(0.2, 0.0), (0.4, 0.8)])
def test_a_plan_rises_and_lands_as_asked(legs, up, ahead):
    plan = plan_jump(legs, up, ahead, 0.0)
    off = len(plan.pitch) - 1
    assert plan.height_m[0, off] + plan.speed_m_s**2 / (2 * 9.80665) == pytest.approx(legs.rest_m + up, abs=1e-3)
    assert plan.ahead_m[0, off] + plan.ahead_m[1, off] * plan.flight_s + plan.lead_m == pytest.approx(ahead, abs=0.02)


@pytest.mark.parametrize("up, ahead, says", [(1.5, 0.0, "strong enough"), (0.3, 4.0, "ahead here at most")])
def test_what_legs_cannot_give_is_told_before(up, ahead, says):
    with pytest.raises(InputError, match=says):
        simulate(Shot(motion=Jump(up, ahead)))


@pytest.mark.parametrize("up, ahead, world", [(0.3, 0.0, "earth"), (0.25, 0.7, "earth"), (1.0, 0.0, "moon"), (0.25, 0.3, "moon")])
def test_a_jump_rises_as_asked_and_stands(up, ahead, world):
    take = jumped(up, ahead, world)
    found = measure(take)
    assert not take.fell
    assert found["jump_height_m"] == pytest.approx(up, rel=0.05)
    assert found["jump_ahead_m"] == pytest.approx(ahead, abs=max(0.05 * ahead, 0.03))
    assert math.hypot(*take.com_velocity_m_s[-1, :2]) < 0.1
    assert {line.name: line.grade for line in physics_card(take, None).lines}["height"] == "green"


@pytest.mark.parametrize("up, ahead, rise, run", [(0.45, 0.7, 0.3, 0.45), (0.2, 0.7, -0.6, 0.4)])
def test_a_jump_goes_onto_a_block_and_off_one(up, ahead, rise, run):
    world = replace(load_world("earth"), ground=GroundSpec("steps", rise_m=rise, run_m=run))
    take = simulate(Shot(motion=Jump(up, ahead, until_end=True), world=world))
    found = measure(take)
    assert not take.fell
    assert (found["jump_height_m"], found["jump_ahead_m"]) == pytest.approx((up, ahead), rel=0.05)
    assert take.com_m[-1, 2] - take.com_m[0, 2] == pytest.approx(rise, abs=0.03)


def test_a_jump_must_rise_higher_than_the_ground_that_it_lands_on():
    world = replace(load_world("earth"), ground=GroundSpec("steps", rise_m=0.3, run_m=0.42))
    with pytest.raises(InputError, match="0.30 m higher where this jump lands"):
        simulate(Shot(motion=Jump(0.2, 0.7), world=world))


@needs_pybullet
def test_the_second_engine_jumps_too():
    take = jumped(0.3, engine="pybullet")
    assert not take.fell and measure(take)["jump_height_m"] == pytest.approx(0.3, rel=0.05)


def test_the_command_line_says_how_high(capsys):
    assert jump_from("0.4,1") == {"up_m": 0.4, "ahead_m": 1.0} and jump_from("0.4") == {"up_m": 0.4}
    with pytest.raises(InputError, match="written UP"):
        jump_from("high")
    assert main(["simulate", "--jump", "9"]) == 2 and "strong enough" in capsys.readouterr().err
    assert main(["simulate", "--jump", "0.3", "--suit", "apollo-a7lb"]) == 2 and "for any jump" in capsys.readouterr().err

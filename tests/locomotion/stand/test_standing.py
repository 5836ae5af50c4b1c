# SPDX-License-Identifier: GPL-3.0-or-later
"""Standing and staying up: the hull of the soles, where a step must land, the lunge, and whole pushes."""

import cmath
import math

import numpy as np
import pytest

from engine_kit import needs_pybullet
from lope.addon.bodies.human.anthropometry import standing_landmarks
from lope.addon.cli import main
from lope.addon.errors import InputError
from lope.addon.locomotion.legged.foot_geometry import FootPose, Footstep
from lope.addon.locomotion.stand.catching import BEFORE, BEHIND, BESIDE, Falling, Limits, bow, reached
from lope.addon.locomotion.stand.feet import Swing
from lope.addon.locomotion.stand.planner import Sway
from lope.addon.locomotion.stand.pose import Threat, Trunk
from lope.addon.locomotion.stand.stance import Stance, StandingSettings, hull, nearest
from lope.addon.options.motion_options import stance_from
from lope.addon.reports.feet import between
from lope.addon.reports.measures import measure
from lope.addon.sim.simulation import simulate
from lope.addon.specs.motions import STAND, Stand
from lope.addon.specs.shot import BodySpec, Push, Shot
from lope.addon.worlds.planets import load_world
from lope.scripts.suites.standing import leg_gap_m

SQUARE = hull(np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.5, 0.5], [1.0, 0.5]]))


def pushed(force=0.0, degrees=0.0, seconds=4.0, world="earth", engine="mujoco", **stand):
    """A take of somebody who is pushed after half a second."""
    way = force * cmath.exp(1j * math.radians(degrees))
    pushes = (Push(0.5, 0.2, (way.real, way.imag, 0.0)),) if force else ()
    return simulate(Shot(motion=Stand(**stand), world=load_world(world), pushes=pushes, duration_s=seconds, engine=engine))


def test_a_hull_has_the_corners_alone():
    assert sorted((c.real, c.imag) for c in SQUARE) == [(0, 0), (0, 1), (1, 0), (1, 1)]


@pytest.mark.parametrize("place, point, away", [(0.5 + 0.4j, 0.5 + 0.4j, -0.4), (2 + 0.5j, 1 + 0.5j, 1.0), (-3 - 4j, 0j, 5.0)])
def test_the_nearest_point_of_a_hull_and_how_far_outside(place, point, away):
    found = nearest(place, SQUARE)
    assert found[0] == pytest.approx(point) and found[1] == pytest.approx(away)


def test_where_a_falling_body_will_be_solves_its_pendulum():
    falling, pressure, dt = Falling(0.02 + 0.01j, 0.5 - 0.1j, 3.2, 0.0), 0.05 - 0.02j, 1e-4
    com, velocity = falling.com, falling.velocity
    for _ in range(3000):
        velocity += dt * falling.omega**2 * (com - pressure)
        com += dt * velocity
    then, capture = falling.after(pressure, 0.3)
    assert then == pytest.approx(com, abs=1e-3) and capture == pytest.approx(com + velocity / falling.omega, abs=1e-3)


def test_a_landing_keeps_clear_of_the_other_foot_and_within_reach():
    settings, limits, standing = StandingSettings(), Limits(0.884, 0.6, 6.0), Footstep("R", -0.13j, 0.0)
    place = reached("L", -0.05j, standing, 0j, settings, limits, BESIDE)
    assert (place - standing.place).imag == pytest.approx(settings.beside * 0.884)
    assert reached("L", 0.05 - 0.2j, standing, 0j, settings, limits, BESIDE).imag == pytest.approx(place.imag)
    near = reached("L", 0.05 - 0.15j, standing, 0j, settings, limits, BEFORE)
    assert near.real > 0.12 and near.imag == pytest.approx(-0.15)
    assert 0.0 < reached("L", 0.01 - 0.6j, standing, 0j, settings, limits, BEFORE).real < 0.5 * near.real
    assert reached("L", 0.01 - 0.2j, standing, 0j, settings, limits, BEHIND).real < -0.1
    assert abs(reached("L", 3 + 0j, standing, 0j, settings, limits, BESIDE)) <= 0.62


def test_a_foot_that_would_go_through_the_other_goes_round_it():
    standing = Footstep("L", 0.13j, 0.0)
    assert bow("R", -0.13j, 0.05 + 0.5j, standing, 0.22, BEFORE).real > 0.1
    assert bow("R", -0.13j, 0.05 + 0.5j, standing, 0.22, BEHIND).real < -0.1
    assert bow("R", -0.2 + 0.5j, -0.13j, standing, 0.22, BESIDE).real < -0.05
    assert bow("R", 0.02 + 0.9j, -0.4j, standing, 0.22, BESIDE, BEHIND).real < -0.1
    assert bow("R", 0.02 + 0.9j, -0.4j, standing, 0.22, BESIDE, BEFORE).real > 0.1
    assert bow("R", -0.13j, -0.8j, standing, 0.3, BESIDE) == 0j  # away from the other
    assert bow("R", -0.13j, 0.5 - 0.13j, standing, 0.22, BESIDE) == pytest.approx(0j)


def test_a_swing_whose_landing_moves_goes_on_without_a_jump_and_within_its_speed():
    lift = FootPose(np.array([0.0, 0.1, 0.08]), np.zeros(3), 0.0)
    swing = Swing(1.0, 1.3, lift, Footstep("L", 0.5 + 0.1j, 0.0), True, BESIDE)
    swing.aim(1.0, 0.5 + 0.1j, 0j, 6.0)
    before = swing.at(1.12)
    swing.aim(1.12, 1.1 + 0.3j, -0.1j, 6.0)
    assert swing.at(1.12) == (pytest.approx(before[0]), pytest.approx(before[1]))
    assert swing.end_s > 1.3 and swing.at(swing.end_s) == (pytest.approx(1.1 + 0.3j), pytest.approx(0j, abs=1e-9))
    assert max(abs(swing.at(t)[1]) for t in np.linspace(1.12, swing.end_s, 50)) < 6.3


def test_a_lunge_comes_back_to_rest():
    trunk = Trunk(75.0, 0.884)
    for tick in range(600):
        inside = -0.02 if tick > 30 else 0.005
        trunk.go(0.01, Threat(0.1 + 0j, inside, 0.1 + inside + 0j, 3.2, 0.0), tick < 60, 0.05)
    assert abs(trunk.lean) < 0.02 and abs(trunk.rate) < 0.02


def test_sway_begins_at_rest_and_stays_small():
    sway = Sway(1.0, 0.884, 3)
    assert abs(sway.at(0.0)) < 1e-12
    assert 0.001 < np.std([abs(sway.at(t)) for t in np.arange(10.0, 100.0, 0.5)]) < 0.007
    assert Sway(0.0, 0.884, 3, 0.26).at(12.0) == 0j


def test_the_weight_goes_from_leg_to_leg_now_and_then_but_not_on_one_leg():
    sway, times = Sway(1.0, 0.884, 3, 0.26), np.arange(0.0, 120.0, 0.01)
    aside = np.array([(sway.at(t) - sway.at(t, on_both=False)).imag for t in times.tolist()])
    assert aside[0] == 0.0 and aside.min() < -0.001 and 0.001 < aside.max() < 0.004
    assert np.abs(np.diff(aside)).max() < 0.0001, "a centimetre a second at most"


def test_a_stance_puts_the_feet_where_they_belong():
    stance = Stance.of(Stand(apart_m=0.3, ahead_m=0.1), 0.884, 0.126, 0.18)
    left, right = stance.first("L"), stance.first("R")
    assert left.place - right.place == pytest.approx(0.1 + 0.3j)
    assert stance.in_place(left, right) and stance.rest({"L": left, "R": right}, ("L", "R")) == pytest.approx(0j)
    assert stance.rest({"L": left, "R": right}, ("L",)).imag == pytest.approx(0.15)


def test_a_figure_of_short_legs_far_apart_stands_on_straight_ones_under_its_hips():
    human = standing_landmarks(1.8)
    hip = human["hip_L"][2]
    marks = {name: (x, y + math.copysign(0.1, y) if y else 0.0, 0.4 * z if z <= hip else 0.4 * hip + 1.2 * (z - hip))
             for name, (x, y, z) in human.items()}
    take = simulate(Shot(motion=Stand(), body=BodySpec(landmarks=marks), duration_s=0.6))
    assert not take.fell and np.abs(take.com_m - take.com_m[0]).max() < 0.005
    assert take.com_m[0, 2] > 1.5 * take.body.leg_length_m, "the mass is higher than any person's"
    places, _ = take.segment_poses
    left, right = (places[-1, take.body.index[f"foot_{side}"], 1] for side in "LR")
    assert left - right == pytest.approx(marks["hip_L"][1] - marks["hip_R"][1], abs=0.01)


@pytest.mark.slow
def test_who_is_left_alone_stands_still():
    take = pushed(seconds=3.0)
    values = measure(take)
    assert not take.fell and values["strategy"] == "ankles" and values["steps_taken"] == 0
    assert np.abs(take.com_m[:, :2] - take.com_m[0, :2]).max() < 0.02
    chest = take.segment_poses[1][:, take.body.index["chest"]]
    assert 0.005 < np.linalg.norm(chest - chest[0], axis=1).max() < 0.05, "it breathes"


@pytest.mark.acceptance
@pytest.mark.slow
def test_who_may_not_step_lunges_and_who_may_steps_and_stands_again():
    ledge, free = pushed(200.0, 45.0, steps=0), pushed(300.0, 0.0, seconds=5.0)
    assert not ledge.fell and measure(ledge)["strategy"] == "hips" and measure(ledge)["steps_taken"] == 0
    values = measure(free)
    assert not free.fell and values["steps_taken"] >= 1 and values["strategy"] in ("step", "steps")
    assert np.hypot(*free.com_velocity_m_s[-1, :2]) < 0.1
    ankles = [free.segment_poses[0][-1, free.body.index[f"foot_{side}"], :2] for side in "LR"]
    assert np.linalg.norm(ankles[0] - ankles[1]) == pytest.approx(0.26, abs=0.04)
    lifted = free.time_s[np.flatnonzero(~free.contact[:, 0] | ~free.contact[:, 1])]
    assert lifted[lifted > 0.5].min() > 0.5 + 0.1  # unloaded by the push, perhaps; but no robot's reflex


@pytest.mark.slow
@pytest.mark.parametrize("force, degrees", [
    (300.0, 45.0), pytest.param(400.0, 180.0, marks=pytest.mark.acceptance)])
def test_legs_of_who_steps_do_not_go_into_one_another(force, degrees):
    take = pushed(force, degrees, seconds=3.0)
    assert not take.fell and take.stats["steps_taken"] >= 1
    assert leg_gap_m(take) > 0.0 and measure(take)["ground_peak_over_mg"] < 4.5


@pytest.mark.slow
def test_without_hips_the_same_push_is_a_fall():
    assert pushed(200.0, 45.0, hips=False, steps=0).fell


@pytest.mark.slow
def test_too_much_is_a_fall():
    assert pushed(400.0, 0.0, steps=0, seconds=3.0).fell


@pytest.mark.slow
@needs_pybullet
def test_it_stands_in_the_other_engine():
    assert not pushed(200.0, 90.0, engine="pybullet", seconds=3.0).fell


@pytest.mark.slow
def test_the_command_line_stands(tmp_path, capsys):
    out = tmp_path / "stand.npz"
    assert main(["simulate", "--gait", STAND, "--stance", "leg=L,steps=any,hips=no", "--seconds", "1", "--out", str(out)]) == 0
    assert "strategy" in capsys.readouterr().out


@pytest.mark.parametrize("text, words", [
    ("hips=maybe", "NAME=VALUE"), ("steps=few", "NAME=VALUE"), ("legs=2", "part of a stance"),
    ("leg=X", "leg to stand on named 'X'. Known: L, R"), ("apart=9", "distance of the ankles")])
def test_a_stance_that_will_not_do_is_a_sentence(text, words):
    with pytest.raises(InputError, match=words):
        stance_from([text], True)


def test_a_stance_goes_with_standing_alone():
    with pytest.raises(InputError, match="goes with --gait stand"):
        stance_from(["steps=0"], False)
    with pytest.raises(InputError, match="Only who stands"):
        Shot.from_dict({"controller": "tracking", "stand": {}})


@pytest.mark.parametrize("option, words", [
    ("--speed 1", "the speed"), ("--path circle:3", "the path"), ("--stride-frequency 1", "the stride frequency"),
    ("--key 2,run", "the keys"), ("--style bounce=0.5", "the style"), ("--stop standing", "standing at its end")])
def test_who_stands_goes_nowhere(capsys, option, words):
    assert main(["simulate", "--gait", STAND, *option.split()]) == 2
    assert f"Who stands goes nowhere: leave {words} out, or choose another gait" in capsys.readouterr().err


def test_the_distance_of_two_lines():
    rows = np.array([[[0, 0, 0], [1, 0, 0], [0.5, 0.3, -1], [0.5, 0.3, 1]], [[0, 0, 0], [1, 0, 0], [2, 0, 0], [3, 1, 0]]], float)
    assert between(*np.swapaxes(rows, 0, 1)) == pytest.approx([0.3, 1.0])

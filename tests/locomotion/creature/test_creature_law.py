# SPDX-License-Identifier: GPL-3.0-or-later
"""The quick law of creatures: a leg folded by one number, and walks of it."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lope.addon.bodies.creature.body import make_creature
from lope.addon.bodies.creature.template import Template, creature_names, find_creature
from lope.addon.bodies.makers import make_body
from lope.addon.errors import BodyError
from lope.addon.locomotion.creature.felt import Layout
from lope.addon.locomotion.creature.parameters import START
from lope.addon.locomotion.creature.swing import Fold, drawn_bend
from lope.addon.search.creature_problem import CreaturePopulation
from lope.addon.sim.simulation import Simulation, simulate
from lope.addon.specs.motions import Creature
from lope.addon.specs.shot import BodySpec, Shot, World
from lope.addon.specs.steering import Steering
from shot_kit import shot_with

pytestmark = pytest.mark.slow
MORE = pytest.mark.acceptance


def shot(name, **asked):
    return shot_with(Creature(), body=BodySpec(kind="creature", creature=find_creature(name)), **asked)


def whole_m(body, layout):
    """Length of the left leg's segments, end to end."""
    return sum(np.linalg.norm(body.segments[row].offset) for row in layout.legs[0][1:])


@pytest.mark.parametrize("name", creature_names())
def test_a_leg_folds_by_one_number_through_its_drawn_pose(name):
    body = make_creature(find_creature(name))
    layout = Layout(body)
    fold = Fold(body, layout)
    assert (np.diff(fold.length_m) < 0.0).all() and fold.length_m[0] > 0.99 * whole_m(body, layout)
    assert fold.length_m[-1] < 0.55 * whole_m(body, layout)
    _, _, drawn = fold.at(np.array(fold.drawn_m))
    assert np.abs(drawn).max() < 0.03
    leg = tuple(body.segments[row].name for row in layout.legs[0])
    bent = drawn_bend(body, leg) + fold.hinge_rad
    assert (np.sign(bent) == np.sign(bent[-1])).all(), "no hinge goes through straight"


def test_the_fold_table_is_the_legs_own_kinematics():
    body = make_creature(find_creature("ostrich"))
    layout = Layout(body)
    fold = Fold(body, layout)
    length = np.array([0.7, 0.8, 0.9]) * whole_m(body, layout)
    angle, out, hinge = fold.at(length)
    for row in range(3):
        turn, tip, pitch = np.eye(3), np.zeros(3), 0.0
        for i, segment in enumerate(layout.legs[0][1:]):
            tip = tip + turn @ body.segments[segment].offset
            if i < hinge.shape[1]:
                pitch += hinge[row, i]
                c, s = np.cos(pitch), np.sin(pitch)
                turn = np.array(((c, 0.0, s), (0.0, 1.0, 0.0), (-s, 0.0, c)))
        assert np.linalg.norm(tip) == pytest.approx(length[row], rel=2e-3)
        assert np.arctan2(tip[0], -tip[2]) == pytest.approx(angle[row], abs=5e-3)
        assert abs(out[row]) < 0.2


def test_a_body_without_two_legs_is_refused_by_a_sentence():
    with pytest.raises(BodyError, match="legs bends at hinges|a ball and its leg"):
        Layout(make_body(BodySpec(kind="planar")))


def test_a_creature_tells_where_its_legs_are():
    simulation = Simulation(shot("ostrich", duration_s=0.5, start="standing"))
    while not simulation.over:
        simulation.step()
    take = simulation.take()
    assert simulation.controller.control_step_s == pytest.approx(0.004, rel=0.1)
    assert take.channels["creature_phase"].values.shape[1] == 2 and take.channels["creature_load"].unit == "1"
    assert not take.fell and take.stats["creature"] == "ostrich"


@pytest.mark.acceptance
@pytest.mark.parametrize("name", [pytest.param("human", marks=MORE), "long_legs"])
def test_the_untuned_law_walks_from_rest(name):
    take = simulate(shot(name, duration_s=8.0, speed_m_s=0.6, start="standing"))
    assert not take.fell
    way = take.com_m[-1, 0] - take.com_m[take.time_s.searchsorted(5.0), 0]
    assert way / 3.0 == pytest.approx(0.6, rel=0.3)


@pytest.mark.acceptance
def test_other_gravity_is_the_same_walk_in_another_time_and_falls_where_nothing_is_scaled():
    speeds = []
    for gravity in (9.81, 1.62):
        slow = math.sqrt(9.81 / gravity)
        take = simulate(shot("ostrich", world=World(name="other", gravity_m_s2=gravity), duration_s=2.5 * slow,
                             speed_m_s=0.8 / slow, start="standing"))
        speeds.append((take.com_m[-1, 0] - take.com_m[0, 0]) / 2.5)
    assert speeds[1] == pytest.approx(speeds[0], rel=0.03) and speeds[0] > 0.02
    assert simulate(shot("ostrich", world=World(name="other", gravity_m_s2=24.79), duration_s=3.0, speed_m_s=0.8,
                         scaling="fixed", start="standing")).fell


@pytest.mark.acceptance
def test_it_turns_where_it_is_steered():
    law_turn = math.radians(20.0)
    turn = Steering(2.0, turn_rad=law_turn)
    take = simulate(shot("dinosaur", duration_s=9.0, speed_m_s=0.5, start="standing", steering=(turn,)))
    assert not take.fell
    forward = take.com_m[-1] - take.com_m[take.time_s.searchsorted(6.0)]  # several steps, when it has come round: it sways
    assert math.atan2(forward[1], forward[0]) == pytest.approx(law_turn, abs=0.2)  # it drifts a little aside


@pytest.mark.acceptance
def test_a_shot_begins_under_way_unless_it_starts_standing():
    moving, standing = (simulate(shot("ostrich", duration_s=2.0, start=start)) for start in ("moving", "standing"))
    speeds = [float(take.com_velocity_m_s[:60, 0].mean()) / take.stats["planned_speed_m_s"] for take in (moving, standing)]
    assert speeds[0] == pytest.approx(1.0, abs=0.25) and speeds[1] < 0.25
    assert moving.time_s[0] == 0.0 and abs(moving.com_m[0, 0]) < moving.body.leg_length_m
    assert "changed" not in moving.stats


def test_who_falls_while_getting_under_way_begins_at_rest_and_it_is_said():
    take = simulate(shot("ostrich", duration_s=1.0, world=World(gravity_m_s2=1.62), scaling="fixed"))
    assert take.shot.motion.start == "standing" and "got under way" in take.stats["changed"]
    assert not take.fell and take.time_s[0] == 0.0


@pytest.mark.acceptance
@MORE
def test_untuned_steps_mend_a_way_that_drifts_aside_of_the_heading():
    population, rate, places = CreaturePopulation(make_creature(find_creature("long_legs")), World(), 5), 0.06, {}
    noise = np.concatenate([population.noise((5, i), 0.7) for i in range(5)])
    stood = population.run(np.tile(START, (5, 1)), 9.0, 0.6, turn_rad_s=rate, noise=noise,
                           watch=lambda felt, torque, time_s, alive: places.update({time_s: felt.com[:, :2].copy()}))
    assert (stood == 9.0).all()
    first, last = (min(places, key=lambda time, wanted=wanted: abs(time - wanted)) for wanted in (6.0, 9.0))
    x, y = (places[last] - places[first]).T
    aside = np.degrees(np.arctan2(y, x) - rate * 0.5 * (first + last))
    assert np.median(aside) == pytest.approx(0.0, abs=9.0)  # one start of five goes 24 degrees aside


def test_a_leg_of_four_segments_over_the_foot_walks_untuned():
    template = Template(name="four", legs="inverted", leg_m=(0.2, 0.35, 0.3, 0.25), bend_deg=(60.0, 70.0, 50.0),
                        leg_radius_m=(0.08, 0.05, 0.04, 0.025, 0.03), foot_m=0.22, foot_height_m=0.06, hip_width_m=0.2,
                        heel_share=0.15, trunk_m=0.5, trunk_radius_m=0.14, trunk_pitch_deg=0.0)
    take = simulate(Shot(body=BodySpec(kind="creature", creature=template.creature()), duration_s=6.0,
                         motion=Creature(speed_m_s=0.6, start="standing")))
    assert not take.fell and take.com_m[-1, 0] > 1.5

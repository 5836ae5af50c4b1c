# SPDX-License-Identifier: GPL-3.0-or-later
"""Steering: what a shot may be steered by, when the controller is told, and that a steered shot repeats to the byte."""

import json
from dataclasses import replace

import numpy as np
import pytest

from lope.addon.errors import InputError
from lope.addon.locomotion.registry import find_controller
from lope.addon.sim.simulation import Simulation, simulate
from lope.addon.specs.motions import Gait
from lope.addon.specs.shot import Push, Shot
from lope.addon.specs.steering import Key, Steering
from shot_kit import gait_shot

pytestmark = pytest.mark.slow

SLOWER = Steering(0.4, speed_m_s=0.9)


@pytest.mark.parametrize(("steering", "sentence"), [
    ({"time_s": 1.0}, "wishes for nothing"),
    ({"time_s": 1.0, "turn_rad_s": 0.5, "turn_rad": 1.5}, "a turn and for a rate of turning"),
    ({"time_s": 1.0, "speed_m_s": 99.0}, "A steering's speed must lie between 0 and 15 m/s, got 99"),
])
def test_what_cannot_be_wished_for_is_refused(steering, sentence):
    with pytest.raises(InputError, match=sentence):
        Steering(**steering)


@pytest.mark.parametrize(("shot", "sentence"), [
    ({"steering": (Steering(2.0, speed_m_s=1.0), SLOWER)}, "at 0.4 s comes before the one at 2 s"),
    ({"steering": (Steering(12.0, speed_m_s=1.0),)}, "within the shot"),
    ({"steering": (SLOWER,), "keys": (Key(1.0, "run"),), "stop": "standing"}, "leave out the keys and stopping at the end"),
])
def test_a_shot_is_steered_in_order_and_by_nothing_else(shot, sentence):
    with pytest.raises(InputError, match=sentence):
        gait_shot(**shot)


def test_a_steered_shot_travels_as_json_and_one_that_is_not_stays_as_it_was():
    shot = Shot(motion=Gait(steering=(SLOWER, Steering(1.0, turn_rad_s=-0.8, gait="run"))))
    assert Shot.from_dict(json.loads(json.dumps(shot.to_dict()))) == shot
    assert shot.motion.steering[1].wish == {"turn_rad_s": -0.8, "gait": "run"}
    assert "steering" not in Shot().to_dict()


def test_a_controller_says_what_it_is_steered_by():
    assert find_controller("tracking").steered_by == ("speed_m_s",)
    with pytest.raises(InputError, match="tracking cannot be steered by turn_rad_s; it takes speed_m_s"):
        Simulation(Shot(motion=Gait(steering=(Steering(1.0, turn_rad_s=0.2),))))
    with pytest.raises(InputError, match="The controller limp cannot be steered"):
        find_controller("limp").check_steering((SLOWER,))


def test_each_wish_is_told_once_at_its_time():
    simulation = Simulation(Shot(motion=Gait(steering=(SLOWER,)), duration_s=1.0))
    told = []
    simulation.controller.steer = lambda wish: told.append((simulation.time_s, wish))
    while not simulation.over:
        simulation.step()
    simulation.close()
    assert told == [(pytest.approx(0.4), {"speed_m_s": 0.9})]


def test_what_is_done_on_the_way_is_the_shot_that_gives_the_same_take(tmp_path):
    """At the wheel the end is not known; the shot that is left has it, every wish and every push, and repeats."""
    simulation = Simulation(Shot(duration_s=3600.0))
    while simulation.time_s < 1.6:
        if simulation.tick == 30:
            simulation.wish(Steering(0.0, speed_m_s=1.0))
        if simulation.tick == 75:
            simulation.push(Push(0.0, 0.2, (0.0, 60.0, 0.0)))
        simulation.step()
    simulation.end_at(simulation.time_s)
    while not simulation.over:
        simulation.step()
    simulation.close()
    driven = simulation.take()
    shot = Shot.from_dict(json.loads(json.dumps(driven.shot.to_dict())))
    driven.save(tmp_path / "driven.npz")
    simulate(shot).save(tmp_path / "again.npz")
    assert (tmp_path / "driven.npz").read_bytes() == (tmp_path / "again.npz").read_bytes()
    plain = simulate(replace(shot.with_motion(steering=()), pushes=()))
    assert not np.array_equal(plain.com_m, driven.com_m)

# SPDX-License-Identifier: GPL-3.0-or-later
"""How well a take keeps its planned speed: bends, starts and stops are judged by the plan."""

import dataclasses

import numpy as np
import pytest

from lope.addon.reports.card import physics_card
from lope.addon.reports.measures import study
from lope.addon.reports.rules import GREEN, NOT_JUDGED
from lope.addon.sim.simulation import simulate
from lope.addon.specs.motions import Gait
from lope.addon.specs.path import PathSpec
from lope.addon.specs.shot import Push, Shot
from lope.addon.worlds.planets import load_world
from take_factory import Walk, make_take

pytestmark = pytest.mark.slow

PACE = "speed_over_planned"


def planned(take, speed_m_s):
    """The take with this plan of its speed (T,)."""
    return dataclasses.replace(take, arrays={**take.arrays, "plan_speed_m_s": speed_m_s})


def speed_line(take):
    return next(line for line in physics_card(take).lines if line.name == "speed")


def test_what_was_planned_slower_is_no_fault():
    take = make_take(Walk(speed=0.9))
    assert study(take).values[PACE] == pytest.approx(0.75, abs=0.01), "its plan is the factory's 1.2 m/s"
    slower = planned(take, np.full(len(take.time_s), 0.9))
    assert study(slower).values[PACE] == pytest.approx(1.0, abs=0.01) and speed_line(slower).grade == GREEN


def test_a_plan_to_go_backward_is_held_against_the_way_all_the_same():
    take = make_take(Walk(speed=1.2))
    back = planned(take, np.full(len(take.time_s), -1.2))
    assert study(back).values[PACE] == pytest.approx(1.0, abs=0.01)


def test_strides_of_starts_and_stops_are_left_out():
    take = make_take(Walk(speed=1.2))
    moving = np.where(take.time_s > 0.7 * take.time_s[-1], np.nan, 1.2)
    com = take.com_m.copy()
    com[:, 0] = np.minimum(com[:, 0], 0.75 * com[-1, 0])  # it stands from there on
    stopped = planned(dataclasses.replace(take, arrays={**take.arrays, "com_m": com}), moving)
    assert study(stopped).values[PACE] == pytest.approx(1.0, abs=0.01)
    still = speed_line(planned(take, np.full(len(take.time_s), np.nan)))
    assert still.grade == NOT_JUDGED and "to keep a speed" in still.reason


def test_a_pushed_walk_is_held_to_its_speed_until_it_is_pushed():
    take = make_take(Walk(speed=0.9))
    late, early = (dataclasses.replace(take.shot, pushes=(Push(at_s, 0.2, (300.0, 0.0, 0.0)),))
                   for at_s in (0.8 * take.time_s[-1], 0.1))
    assert study(dataclasses.replace(take, shot=late)).values[PACE] == pytest.approx(0.75, abs=0.01)
    line = speed_line(dataclasses.replace(take, shot=early))
    assert line.grade == NOT_JUDGED and "to keep a speed" in line.reason


def test_a_tight_circle_s_way_is_its_arc_s():
    turn = make_take(Walk(speed=1.2, turn_rate=0.8))
    com, radius = turn.com_m.copy(), 1.2 / 0.8
    com[:, 0], com[:, 1] = radius * np.sin(0.8 * turn.time_s), radius * (1.0 - np.cos(0.8 * turn.time_s))
    turn = dataclasses.replace(turn, arrays={**turn.arrays, "com_m": com})
    assert study(turn).values["mean_speed_m_s"] < 0.97 * 1.2, "along chords"
    assert study(turn).values[PACE] == pytest.approx(1.0, abs=0.01)


@pytest.mark.acceptance
def test_a_walk_round_bends_from_and_to_standing_keeps_its_planned_speed():
    shot = Shot(
        motion=Gait(
            path=PathSpec(kind="points", points_m=((2.0, 0.0), (3.0, 2.0), (1.0, 3.5))),
            start="standing",
            stop="standing",
            until_end=True,
        ),
        world=load_world("mars"),
    )
    take = simulate(shot)
    asked = take.plan_speed_m_s
    assert np.isnan(asked[0]) and np.isnan(asked[-1])
    assert np.nanmin(asked) < 0.9 * np.nanmax(asked), "it slows down in the bends"
    assert speed_line(take).grade == GREEN

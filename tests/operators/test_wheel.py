# SPDX-License-Identifier: GPL-3.0-or-later
"""From keys, targets and clicks to wishes."""

import math
from dataclasses import replace

import pytest

from lope.addon.specs.shot import EARTH_GRAVITY_M_S2
from lope.addon.specs.steering import WISHES
from lope.operators.wheel import (
    KEYS,
    NUMBERS,
    TOLD_M_S,
    Wheel,
    amounts,
    chosen,
    now_told,
    push_way,
    reach_of,
    to_tell,
    towards,
    turned,
)

EARTH = reach_of(EARTH_GRAVITY_M_S2, (0.3, 2.0), (("walk", 1.4), ("run", 1.9)), WISHES)
WALKS = Wheel(1.0)


@pytest.mark.parametrize(("held", "asked"), [
    (set(), (0.0, 0.0)), ({"W"}, (1.0, 0.0)), ({"UP_ARROW", "W"}, (1.0, 0.0)), ({"DOWN_ARROW", "A"}, (-1.0, 1.0)),
    ({"D", "LEFT_ARROW"}, (0.0, 0.0)), ({"Q"}, (0.0, 0.0))])
def test_keys_that_are_held(held, asked):
    assert amounts(held) == asked
    assert len(KEYS) == 8 and not KEYS.keys() & NUMBERS.keys()


def test_a_speed_stays_and_a_turn_ends_with_its_key():
    wheel = turned(WALKS, 1.0, -1.0, 0.5, EARTH)
    assert wheel.speed_m_s == pytest.approx(1.0 + 0.5 * 0.08 * EARTH_GRAVITY_M_S2) and wheel.turn_rad_s == -0.9
    assert turned(wheel, 0.0, 0.0, 0.5, EARTH) == replace(wheel, turn_rad_s=0.0)
    assert turned(WALKS, 1.0, 0.0, 60.0, EARTH).speed_m_s == 2.0 and turned(WALKS, -1.0, 0.0, 60.0, EARTH).speed_m_s == 0.3


def test_no_more_is_wished_for_than_the_gait_can():
    reach = reach_of(1.62, (0.0, 1.5), (("walk", 0.4), ("lope", 1.3)), WISHES, None, (0.8, 1.7))
    assert turned(WALKS, 1.0, 0.0, 60.0, reach).speed_m_s == 0.8 and turned(Wheel(1.3, gait="lope"), 1.0, 0.0, 60.0,
                                                                            reach).speed_m_s == 1.5


def test_on_the_moon_hands_are_as_slow_as_feet():
    moon = reach_of(1.62, (0.2, 1.5), (), WISHES)
    assert turned(WALKS, 0.0, 1.0, 1.0, moon).turn_rad_s == pytest.approx(0.9 * math.sqrt(1.62 / EARTH_GRAVITY_M_S2))


def test_an_acceleration_of_ones_own_is_felt_the_same_on_every_planet():
    for gravity in (1.62, EARTH_GRAVITY_M_S2):
        reach = reach_of(gravity, (0.2, 1.5), (), WISHES, 0.8)
        assert turned(Wheel(0.5), 1.0, 0.0, 0.5, reach).speed_m_s == pytest.approx(0.9)


def test_number_keys_choose_a_gait_by_its_place():
    assert chosen(WALKS, "TWO", EARTH) == chosen(WALKS, "NUMPAD_2", EARTH) == Wheel(1.9, gait="run"), "at its own speed"
    assert chosen(WALKS, "THREE", EARTH) == chosen(WALKS, "W", EARTH) == WALKS


def test_only_what_has_changed_is_told_and_nothing_twice():
    told, wheel, said = WALKS, WALKS, []
    for _ in range(60):
        wheel = turned(wheel, 1.0, 0.0, 1.0 / 60.0, EARTH)
        wish = to_tell(told, wheel, False, EARTH)
        told = now_told(told, wish)
        said += [wish] if wish else []
    assert 10 <= len(said) <= math.ceil(0.8 / TOLD_M_S) and all(set(wish) == {"speed_m_s"} for wish in said)
    last = to_tell(told, wheel, True, EARTH)
    told = now_told(told, last)
    assert told.speed_m_s == pytest.approx(wheel.speed_m_s, abs=1e-3) and to_tell(told, wheel, True, EARTH) == {}
    assert to_tell(told, replace(told, turn_rad_s=0.9, gait="run"), True, EARTH) == {"turn_rad_s": 0.9, "gait": "run"}


def test_a_controller_is_told_only_what_it_takes():
    plain = reach_of(EARTH_GRAVITY_M_S2, (0.3, 2.0), (), ("speed_m_s",))
    assert to_tell(WALKS, Wheel(1.5, 0.9, "run"), True, plain) == {"speed_m_s": 1.5}


@pytest.mark.parametrize(("away", "heading", "turns", "speed"), [
    ((10.0, 0.0), 0.0, 0.0, 1.2), ((0.0, 10.0), 0.0, 0.9, 1.2), ((0.0, -10.0), 0.0, -0.9, 1.2),
    ((-10.0, -0.1), math.pi, 0.015, 1.2), ((0.75, 0.0), 0.0, 0.0, 0.5), ((0.0, 0.0), 1.0, 0.0, 0.3)])
def test_it_goes_to_a_target_and_slows_down_there(away, heading, turns, speed):
    wheel = towards(WALKS, away, heading, 1.2, EARTH)
    assert (wheel.turn_rad_s, wheel.speed_m_s) == (pytest.approx(turns, abs=1e-3), pytest.approx(speed))


@pytest.mark.parametrize(("beside", "way"), [(0.0, (0.0, 1.0)), (60.0, (-1.0, 0.0)), (-60.0, (1.0, 0.0))])
def test_a_click_pushes_away_from_who_looks_or_from_the_side_it_is_at(beside, way):
    assert push_way(beside, 100.0, (2.0, 0.0), (0.0, 0.5)) == pytest.approx(way)

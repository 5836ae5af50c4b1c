# SPDX-License-Identifier: GPL-3.0-or-later
"""The walk-run transition over gravity, and advice in words."""

import pytest

from lope.addon.errors import InputError
from lope.addon.gaits.choice import RUNNING_GAITS, WALKING, advise, transition_froude, transition_speed
from lope.addon.motions.library import gait_names

EARTH, MOON, MARS, LEG = 9.81, 1.62, 3.71, 0.884


@pytest.mark.parametrize("gravity", [0.4 * EARTH, EARTH, 3.0 * EARTH])
def test_transition_is_near_a_half_down_to_two_fifths_of_gravity(gravity):
    low, high = transition_froude(gravity)
    assert low < 0.5 < high and high - low <= 0.1 + 1e-12


def test_transition_rises_linearly_to_the_lunar_measurements():
    assert transition_froude(EARTH / 6.0) == pytest.approx((0.9, 1.4))
    between = 0.5 * (EARTH / 6.0 + 0.4 * EARTH)
    assert transition_froude(between) == pytest.approx((0.5 * (0.9 + 0.45), 0.5 * (1.4 + 0.55)))
    assert transition_froude(0.05 * EARTH) == transition_froude(EARTH / 6.0)


def test_transition_speeds_on_the_moon_hold_the_measured_one():
    """De Witt 2014: about 1.4 m/s in lunar gravity, where Fr 0.5 would be 0.86 m/s."""
    low, high = transition_speed(MOON, 0.92)
    assert 1.1 < low < 1.4 < high < 1.5


def test_too_fast_a_walk_on_the_moon_is_told_to_lope():
    assert advise("walk", 1.6, MOON, LEG, "moon") == "At 1.6 m/s on the Moon: above the walking limit; try lope"


@pytest.mark.parametrize(("gait", "speed", "gravity", "why"), [
    ("walk", 1.3, EARTH, "a comfortable walk"),
    ("walk", 2.08, EARTH, "people change between walking and running here"),
    ("walk", 3.0, EARTH, "above the walking limit; try run"),
    ("walk", 1.2, MOON, "people change between walking and running here"),
    ("turn", 0.5, MOON, "a comfortable walk"),
    ("run", 3.0, EARTH, "above the walking limit"),
    ("run", 1.0, EARTH, "people walk at this speed; try walk"),
    ("lope", 0.5, MARS, "people walk at this speed; try walk"),
    ("hop", 1.9, MOON, "above the walking limit"),
])
def test_verdicts(gait, speed, gravity, why):
    assert advise(gait, speed, gravity, LEG).endswith(f"under {gravity:.3g} m/s^2: {why}")


def test_every_walking_limit_has_a_faster_gait_that_fits():
    for gravity in (0.05 * EARTH, MOON, MARS, EARTH, 2.5 * EARTH):
        speed = 1.05 * transition_speed(gravity, LEG)[1]
        walk = advise("walk", speed, gravity, LEG)
        assert "above the walking limit; try " in walk
        assert advise(walk.rsplit(" ", 1)[1], speed, gravity, LEG).endswith("above the walking limit")


def test_every_built_in_gait_is_known():
    for gait in gait_names():
        assert gait in WALKING + RUNNING_GAITS


def test_unknown_gait_is_told():
    with pytest.raises(InputError, match="gait"):
        advise("gallop", 1.0, EARTH, LEG)

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
    advice = advise("walk", 1.6, MOON, LEG, "moon")
    assert advice.froude == pytest.approx(1.79, abs=0.01)
    assert advice.words == "Fr 1.8 at 1.6 m/s on the Moon: above the walking limit; try lope"
    assert (advice.verdict, advice.try_gait) == ("too fast", "lope")


@pytest.mark.parametrize(("gait", "speed", "gravity", "verdict", "other"), [
    ("walk", 1.3, EARTH, "fits", None),
    ("walk", 2.08, EARTH, "edge", None),
    ("walk", 3.0, EARTH, "too fast", "run"),
    ("walk", 1.2, MOON, "edge", None),
    ("turn", 0.5, MOON, "fits", None),
    ("run", 3.0, EARTH, "fits", None),
    ("run", 1.0, EARTH, "too slow", "walk"),
    ("lope", 0.5, MARS, "too slow", "walk"),
    ("hop", 1.9, MOON, "fits", None),
])
def test_verdicts(gait, speed, gravity, verdict, other):
    advice = advise(gait, speed, gravity, LEG)
    assert (advice.verdict, advice.try_gait) == (verdict, other)
    assert f"under {gravity:.3g} m/s^2" in advice.words
    assert ("try " in advice.words) == (other is not None)


def test_every_walking_limit_has_a_faster_gait_that_fits():
    for gravity in (0.05 * EARTH, MOON, MARS, EARTH, 2.5 * EARTH):
        speed = 1.05 * transition_speed(gravity, LEG)[1]
        walk = advise("walk", speed, gravity, LEG)
        assert walk.verdict == "too fast"
        assert advise(walk.try_gait, speed, gravity, LEG).verdict == "fits"


def test_every_built_in_gait_is_known():
    for gait in gait_names():
        assert gait in WALKING + RUNNING_GAITS


def test_unknown_gait_is_told():
    with pytest.raises(InputError, match="gait"):
        advise("gallop", 1.0, EARTH, LEG)
